package sse_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"tenet/adapters/provider/sse"
)

// parse feeds the stream in pieces of n bytes and shows each event as
// name|data, with a trailing ~ for an open one.
func parse(stream string, n int) ([]string, *sse.Parser, error) {
	var p sse.Parser
	out := []string{}
	on := func(e sse.Event) error {
		mark := ""
		if e.Open {
			mark = "~"
		}
		out = append(out, fmt.Sprintf("%s|%s%s", e.Name, e.Data, mark))
		return nil
	}
	for b := []byte(stream); len(b) > 0; b = b[min(n, len(b)):] {
		if err := p.Feed(b[:min(n, len(b))], on); err != nil {
			return out, &p, err
		}
	}
	return out, &p, p.Close(on)
}

func TestParserReadsAsTheStandardSays(t *testing.T) {
	for name, c := range map[string]struct {
		stream string
		want   []string
	}{
		"LF":                          {"data: a\n\ndata: b\n\n", []string{"|a", "|b"}},
		"CRLF":                        {"data: a\r\n\r\ndata: b\r\n\r\n", []string{"|a", "|b"}},
		"lone CR":                     {"data: a\r\rdata: b\r\r", []string{"|a", "|b"}},
		"mixed line ends":             {"data: a\r\n\ndata: b\n\r\n", []string{"|a", "|b"}},
		"prov-002 byte order mark":    {"\ufeffdata: a\n\n", []string{"|a"}},
		"only one mark is skipped":    {"\ufeff\ufeffdata: a\n\ndata: b\n\n", []string{"|b"}},
		"a mark inside is data":       {"data: \ufeffa\n\n", []string{"|\ufeffa"}},
		"no space after the colon":    {"data:a\n\n", []string{"|a"}},
		"only one space is dropped":   {"data:  a\n\n", []string{"| a"}},
		"data lines join":             {"data: a\ndata: b\ndata:\ndata: c\n\n", []string{"|a\nb\n\nc"}},
		"field without a colon":       {"data\n\n", []string{"|"}},
		"comments":                    {": hello\n\ndata: a\n: again\ndata: b\n\n", []string{"|a\nb"}},
		"event names":                 {"event: ping\ndata: a\n\ndata: b\n\n", []string{"ping|a", "|b"}},
		"a name alone is no event":    {"event: ping\n\ndata: b\n\n", []string{"|b"}},
		"id and retry mean nothing":   {"id: 7\nretry: 9\ndata: a\n\n", []string{"|a"}},
		"unknown fields are skipped":  {"datum: x\ndata: a\n\n", []string{"|a"}},
		"the last blank line missing": {"data: a\n\ndata: b\n", []string{"|a", "|b~"}},
		"the last line end missing":   {"data: a\n\ndata: b", []string{"|a", "|b~"}},
		"blank lines alone":           {"\n\r\n\r\r\n", []string{}},
		"nothing":                     {"", []string{}},
	} {
		t.Run(name, func(t *testing.T) {
			for n := 1; n <= len(c.stream)+1; n++ {
				got, _, err := parse(c.stream, n)
				if err != nil || fmt.Sprintf("%q", got) != fmt.Sprintf("%q", c.want) {
					t.Fatalf("in reads of %d bytes: got %q, %v; want %q", n, got, err, c.want)
				}
			}
		})
	}
}

func TestParserCountsWhatItSkips(t *testing.T) {
	_, p, _ := parse(": a\n: b\nwhat: c\ndata: d\n\n", 100)
	if p.Comments != 2 || p.Ignored != 1 || p.Events != 1 {
		t.Fatalf("comments %d, ignored %d, events %d; want 2, 1, 1", p.Comments, p.Ignored, p.Events)
	}
}

func TestParserBoundsAnEvent(t *testing.T) {
	long := strings.Repeat("x", sse.MaxEvent)
	for name, stream := range map[string]string{
		"one line that never ends":      "data: " + long + long,
		"one line that ends":            "data: " + long + "\n\n",
		"many data lines":               strings.Repeat("data: "+long[:1<<20]+"\n", 9) + "\n",
		"an unknown field":              long + ": y\n\n",
		"a comment":                     ": " + long + "\n",
		"the line behind a good event":  "data: a\n\ndata: " + long,
		"forty MiB without a line end":  strings.Repeat(long, 5),
		"the last line before the end ": "data: " + long[:len(long)-5],
	} {
		for _, n := range []int{32 << 10, len(stream)} {
			if _, _, err := parse(stream, n); !errors.Is(err, sse.ErrTooLarge) {
				t.Errorf("%s in reads of %d: got %v, want ErrTooLarge", name, n, err)
			}
		}
	}
	if got, _, err := parse("data: "+long[:len(long)-6]+"\n\n", 32<<10); err != nil || len(got) != 1 {
		t.Errorf("a line of exactly the bound: %v", err)
	}
}

func TestParserStopsAtTheHandlersError(t *testing.T) {
	stop := errors.New("enough")
	var p sse.Parser
	seen := 0
	err := p.Feed([]byte("data: a\n\ndata: b\n\n"), func(sse.Event) error { seen++; return stop })
	if !errors.Is(err, stop) || seen != 1 {
		t.Fatalf("got %v after %d events, want the handler's error after one", err, seen)
	}
}

// The same bytes are the same events, however they were cut into reads, and no
// line end changes what is said.
func FuzzParser(f *testing.F) {
	for _, s := range []string{"data: a\n\n", "\ufeffdata:a\r\rdata: b", ": x\r\nevent: e\r\ndata: 1\r\ndata\r\n\r\n", "\r\n\n\r", "data: \xe6\x97\xa5\n\n"} {
		f.Add([]byte(s), uint8(1))
		f.Add([]byte(s), uint8(3))
	}
	f.Fuzz(func(t *testing.T, b []byte, n uint8) {
		whole, pw, err1 := parse(string(b), len(b)+1)
		cut, pc, err2 := parse(string(b), int(n)+1)
		if fmt.Sprint(whole, err1) != fmt.Sprint(cut, err2) || pw.Comments != pc.Comments || pw.Ignored != pc.Ignored {
			t.Fatalf("whole %q, in reads of %d %q", whole, int(n)+1, cut)
		}
		if bytes.IndexByte(b, '\r') < 0 {
			crlf, _, _ := parse(strings.ReplaceAll(string(b), "\n", "\r\n"), len(b)+1)
			cr, _, _ := parse(strings.ReplaceAll(string(b), "\n", "\r"), len(b)+1)
			if fmt.Sprint(whole) != fmt.Sprint(crlf) || fmt.Sprint(whole) != fmt.Sprint(cr) {
				t.Fatalf("LF %q, CRLF %q, CR %q", whole, crlf, cr)
			}
		}
	})
}

func BenchmarkParser(b *testing.B) {
	stream := []byte(strings.Repeat("data: "+strings.Repeat("x", 200)+"\n\n", 1000))
	b.SetBytes(int64(len(stream)))
	for b.Loop() {
		var p sse.Parser
		if err := p.Feed(stream, func(sse.Event) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
}
