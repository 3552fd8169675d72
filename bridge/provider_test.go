package bridge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	wire "tenet/adapters/provider"
	"tenet/bridge/engine"
	"tenet/core/event"
)

// What a model says arrives whole or not at all (H4.1): a server says a known
// reply in one of the ways that servers have, the connection may break anywhere,
// and production answers with exactly that reply or with none.

// utterance is a reply that is known, and the events of a server that says it.
type utterance struct {
	want   event.Reply
	events []string
	way    way
}

// way is how the server writes its calls, the same for all calls of a reply.
type way struct {
	index int // how calls are numbered
	ids   bool
	// named repeats the name, and the id where there is one, with every piece.
	named bool
	// split is how the arguments come: at once, in two pieces, or as an object.
	split int
	role  bool // the first event only says whose turn it is
	nulls bool // every event carries members that mean nothing
}

const (
	counted  = iota // 0, 1, 2 as the documentation says
	absent          // no index
	allZero         // index 0 for every call
	numIndex        // how many ways there are
)

const (
	atOnce = iota
	inTwo
	asObject
	numSplit
)

func utter(src engine.Source) *utterance {
	u := &utterance{way: way{
		index: src.Pick(numIndex, "index"), ids: src.Pick(2, "ids") == 1, named: src.Pick(2, "named") == 1,
		split: src.Pick(numSplit, "split"), role: src.Pick(2, "role") == 1, nulls: src.Pick(2, "nulls") == 1,
	}}
	if u.way.role {
		u.event(`"delta":{"role":"assistant","content":null},"finish_reason":null`)
	}
	for src.More() {
		switch n := len(u.events); src.Pick(3, "act") {
		case 0:
			text := fmt.Sprintf("word %d 日本 ", n)
			u.want.Text += text
			u.event(`"delta":{"content":` + inJSON(text) + `},"finish_reason":""`)
		case 1:
			text := fmt.Sprintf("thought %d ", n)
			u.want.Thinking += text
			u.event(`"delta":{"reasoning_content":` + inJSON(text) + `}`)
		case 2:
			u.call(src.Pick(2, "tool"))
		}
	}
	u.want.Stop = wire.StopEnd
	reason := "stop"
	if len(u.want.Calls) > 0 {
		u.want.Stop = wire.StopTools
		reason = []string{"stop", "tool_calls"}[src.Pick(2, "reason")] // a hint, and no more
	}
	u.event(`"delta":{},"finish_reason":` + inJSON(reason))
	return u
}

func inJSON(s string) string {
	b, _ := json.Marshal(s) // a string always encodes
	return string(b)
}

func (u *utterance) event(choice string) {
	extra := ""
	if u.way.nulls {
		extra = `"error":null,"usage":null,"system_fingerprint":"",`
	}
	u.events = append(u.events, fmt.Sprintf(`data: {%s"id":"%d","choices":[{"index":0,%s}]}`, extra, len(u.events), choice)+"\n\n")
}

// call says one call; two calls of a reply may have the same tool and arguments,
// unless the way leaves nothing to tell them apart by.
func (u *utterance) call(tool int) {
	n := len(u.want.Calls)
	c := event.ToolCall{Tool: []string{"read", "write"}[tool], Args: fmt.Sprintf(`{"path": "f%d"}`, n)}
	if u.way.ids {
		c.Provider = fmt.Sprintf("call_%d", n)
	}
	u.want.Calls = append(u.want.Calls, c)
	pieces := []string{inJSON(c.Args)}
	switch u.way.split {
	case inTwo:
		pieces = []string{inJSON(c.Args[:4]), inJSON(c.Args[4:])}
	case asObject:
		pieces = []string{c.Args}
	}
	for i, p := range pieces {
		u.event(`"delta":{"tool_calls":[{` + u.head(c, n) + `"function":{` + u.name(c, i) + `"arguments":` + p + `}}]}`)
	}
}

func (u *utterance) head(c event.ToolCall, n int) string {
	out := ""
	switch u.way.index {
	case counted:
		out = fmt.Sprintf(`"index":%d,`, n)
	case allZero:
		out = `"index":0,`
	}
	if c.Provider != "" {
		out += `"id":` + inJSON(c.Provider) + `,`
	}
	return out
}

func (u *utterance) name(c event.ToolCall, piece int) string {
	if piece > 0 && !u.way.named {
		return ""
	}
	return `"name":` + inJSON(c.Tool) + `,`
}

// said is production's answer to a body that ends after the given bytes.
func said(body string, read int) (event.Reply, error) {
	c, err := wire.NewChat(wire.Options{Model: "m", Transport: canned{body, read}})
	if err != nil {
		return event.Reply{}, err
	}
	return c.Reply(context.Background(), wire.Request{}, nil)
}

// canned is a transport that answers with one body, a few bytes at a time.
type canned struct {
	body string
	read int
}

func (c canned) RoundTrip(*http.Request) (*http.Response, error) {
	h := http.Header{"Content-Type": {"text/event-stream"}}
	return &http.Response{StatusCode: 200, Header: h, Body: io.NopCloser(&inReads{strings.NewReader(c.body), c.read})}, nil
}

type inReads struct {
	r io.Reader
	n int
}

func (r *inReads) Read(b []byte) (int, error) { return r.r.Read(b[:min(len(b), r.n)]) }

// wholeOrNothing says one utterance whole and cut after every event, and once in
// the middle of an event, with the line end and the reads that src picks.
func wholeOrNothing(src engine.Source) (int, error) {
	u := utter(src)
	eol := []string{"\n", "\r\n", "\r"}[src.Pick(3, "line end")]
	read := []int{1 << 16, 7}[src.Pick(2, "reads")]
	for cut := range len(u.events) {
		body := strings.ReplaceAll(strings.Join(u.events[:cut], ""), "\n", eol)
		half := body + u.events[cut][:len(u.events[cut])/2]
		for _, b := range []string{body, half} {
			if r, err := said(b, read); !isCut(err) {
				return 0, fmt.Errorf("cut after %d of %d events it answers %+v, %v\n%s", cut, len(u.events), r, err, b)
			}
		}
	}
	whole := strings.ReplaceAll(strings.Join(u.events, ""), "\n", eol)
	r, err := said(whole, read)
	if err != nil || !same(r, u.want) {
		return 0, fmt.Errorf("said %+v in the way %+v, arrived %+v, %v\n%s", u.want, u.way, r, err, whole)
	}
	return 2*len(u.events) + 1, nil
}

func isCut(err error) bool {
	var e *wire.Error
	return errors.As(err, &e) && e.Class == wire.Cut
}

func same(a, b event.Reply) bool {
	return a.Text == b.Text && a.Thinking == b.Thinking && a.Stop == b.Stop && slices.Equal(a.Calls, b.Calls)
}

func TestProviderSaysAllOrNothing(t *testing.T) {
	bodies := 0
	run := func(src engine.Source) error {
		n, err := wholeOrNothing(src)
		bodies += n
		return err
	}
	histories := 0
	for depth := range 2 {
		n, err := engine.Every(depth, run)
		if err != nil {
			t.Fatalf("every utterance of %d acts: %v", depth, err)
		}
		histories += n
	}
	if err := engine.Many(800, 6, 1, run); err != nil {
		t.Fatal(err)
	}
	t.Logf("every utterance of up to 1 act (%d) and 800 longer ones, %d bodies", histories, bodies)
}
