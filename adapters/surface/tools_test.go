package surface_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"tenet/adapters/approvals"
	"tenet/adapters/session"
	"tenet/adapters/surface"
	"tenet/core/event"
	core "tenet/core/surface"
)

// log keeps what is recorded.
type log struct {
	mu   sync.Mutex
	rows []event.Body
}

func (l *log) Record(b event.Body) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rows = append(l.rows, b)
	return nil
}

func call(tools *surface.Tools, l *log, args string) (string, error) {
	dyn := tools.Dyn()
	checked, err := core.Parse(core.Build(dyn.Tool), args)
	if err != nil {
		return "", err
	}
	out, err := dyn.Run(context.Background(), &approvals.Gate{Call: "c", Tool: "dyn", Log: l}, checked)
	return out.Text, err
}

func late(name, says string) surface.Late {
	return surface.Late{Tool: core.Tool{Name: name, Description: says}, Gating: surface.Harmless,
		Run: func(context.Context, *approvals.Gate, core.Args, json.RawMessage) (session.Output, error) {
			return session.Output{Text: says}, nil
		}}
}

// Hosts that join and leave at once never see each other's tools, and a caller sees a whole
// tool or none.
func TestHostsJoinAndLeaveAtOnce(t *testing.T) {
	tools, l := surface.New(), &log{}
	tools.Open()
	var wg sync.WaitGroup
	for h := range 4 {
		wg.Go(func() {
			name := fmt.Sprintf("host%d/tool", h)
			for i := range 100 {
				leave, err := tools.Join(fmt.Sprint(h), late(name, fmt.Sprint(i)))
				if err != nil {
					t.Errorf("join %s: %v", name, err)
					return
				}
				if got, err := call(tools, l, `{"name":"`+name+`","arguments":{}}`); err != nil || got != fmt.Sprint(i) {
					t.Errorf("%s, round %d: %q, %v", name, i, got, err)
				}
				leave()
				leave()
				if _, err := call(tools, l, `{"name":"`+name+`","arguments":{}}`); err == nil {
					t.Errorf("%s left and was reached", name)
				}
			}
		})
	}
	wg.Wait()
	if left := tools.Dynamic(); len(left) != 1 || left[0].Name != "report_issue" {
		t.Errorf("left over: %v", left)
	}
}

// All tools of one join come, or none: a server is never half there.
func TestAJoinIsWhole(t *testing.T) {
	tools := surface.New()
	bad := late("b", "b")
	bad.Schema = json.RawMessage(`{"$ref":"https://example.com/x"}`)
	nameless := late("", "c")
	mute := surface.Late{Tool: core.Tool{Name: "d"}}
	for _, second := range []surface.Late{bad, nameless, mute, late("a", "again"), late("bash", "mine"), late("report_issue", "mine")} {
		if _, err := tools.Join("h", late("a", "a"), second); err == nil {
			t.Errorf("%q was taken", second.Name)
		}
		if got := len(tools.Dynamic()); got != 1 {
			t.Errorf("%q: %d tools are there", second.Name, got)
		}
	}
}

// What a late tool says is bounded and counted, and so is what people are told.
func TestWhatLateToolsSayIsBounded(t *testing.T) {
	tools, l := surface.New(), &log{}
	if _, err := tools.Join("h", late("loud", strings.Repeat("0123456789abcde\n", 2000)[:16000])); err != nil {
		t.Fatal(err)
	}
	huge := late("huge", "x")
	huge.Run = func(context.Context, *approvals.Gate, core.Args, json.RawMessage) (session.Output, error) {
		return session.Output{Text: strings.Repeat("0123456789abcde\n", 20_000)}, nil
	}
	if _, err := tools.Join("h", huge); err != nil {
		t.Fatal(err)
	}
	if got, err := call(tools, l, `{"name":"huge","arguments":{}}`); err != nil || len(got) > 52<<10 || !strings.Contains(got, "bytes were left out here") {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	if got, _ := call(tools, l, `{}`); len(got) > 2000 || !strings.Contains(got, "loud: 0123456789abcde\n") || !strings.Contains(got, "report_issue: ") {
		t.Errorf("the list is\n%s", got)
	}
	for range 101 {
		if _, err := call(tools, l, `{"name":"report_issue","arguments":{"tool":"`+strings.Repeat("t", 1000)+`","description":"a\u001b[31m`+strings.Repeat("x", 10_000)+`"}}`); err != nil && len(l.rows) != 100 {
			t.Fatal(err)
		}
	}
	row := l.rows[0].(event.Notice)
	if len(l.rows) != 100 || len(row.Text) > 5000 || len(row.Key) > 300 || strings.Contains(row.Text, "\x1b") {
		t.Errorf("%d rows, the first has %d bytes, its key %d", len(l.rows), len(row.Text), len(row.Key))
	}
}
