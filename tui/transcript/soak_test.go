package transcript

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"tenet/core/event"
	"tenet/tui/theme"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

// exchange is a message, what the model thinks and says, three calls and the end.
func exchange(r *rig, i int) {
	id := func(k int) string { return fmt.Sprintf("call_%d_%d", i, k) }
	output := strings.Repeat(fmt.Sprintf("ok  \tpackage/%d\t0.01s\n", i), 200)
	r.add(event.Prompt{Text: fmt.Sprintf("message %d, with some words that say what to do next", i)}, event.Request{})
	text := fmt.Sprintf("Answer %d with `code` and **words**.\n\n```go\nfunc f%d() { return }\n```\n\n- a\n- b\n", i, i) + strings.Repeat("A sentence of an answer that goes on for a while. ", 20)
	for at := 0; at < len(text); at += 400 {
		r.Live(event.Live{Kind: event.LiveDelta, Text: text[at:min(at+400, len(text))]})
		r.View()
	}
	r.add(event.Reply{Text: text, Thinking: strings.Repeat("what if ", 50), Input: 1000, Output: 100})
	for k, c := range []event.Call{{Tool: "read", Args: `{"path":"a.go"}`}, {Tool: "bash", Args: `{"command":"go test ./..."}`}, {Tool: "search_replace", Args: `{"path":"a.go","old":"x\n","new":"y\n"}`}} {
		c.Call = id(k)
		r.add(c, allowed(c.Call, c.Tool, "read"), event.Dispatch{Call: c.Call, Steps: []int{1}})
		r.Live(event.Live{Kind: event.LiveOutput, Call: c.Call, Text: output[:500]})
		r.View()
		r.add(event.Result{Call: c.Call, Text: output})
	}
	r.add(event.Ending{How: "answered", Rounds: 1})
	if i%25 == 0 {
		r.add(event.Notice{Type: "tenet.subagent", Text: fmt.Sprintf("subagent %d has done its part:\n%s", i/25, output), Key: fmt.Sprint(i)})
	}
}

func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// A session of days: 5,000 messages with 200 notices of subagents. What is kept stays
// within its bound, what was laid out and is far away goes, and the heap does not grow
// any more once the bound is reached (case tui-013).
func TestALongSessionHasAPlateau(t *testing.T) {
	before := heap()
	r := newRig(t, 100, 40)
	var heaps []uint64
	for i := range 5000 {
		exchange(r, i)
		if i%50 == 0 {
			r.Scroll(-200)
			r.View()
			r.Scroll(100)
			r.View()
			r.End()
		}
		if (i+1)%1000 == 0 {
			heaps = append(heaps, (heap()-before)>>10)
		}
	}
	runtime.KeepAlive(r)
	t.Logf("heap in KiB after each 1,000 messages: %d; %d items, %d KiB kept, %d KiB laid out, %d evicted", heaps, len(r.list.items), r.list.kept>>10, r.list.drawn.size>>10, r.list.drawn.evicted)
	if most := uint64(2*maxKept+maxDrawn) >> 10; heaps[len(heaps)-1] > most {
		t.Errorf("the heap is %d KiB, the bound is %d", heaps[len(heaps)-1], most)
	}
	if grew := float64(heaps[4]) / float64(heaps[3]); grew > 1.15 {
		t.Errorf("between 4,000 and 5,000 messages the heap grew by %.0f %%", 100*(grew-1))
	}
	if r.list.kept > maxKept || r.list.drawn.size > maxDrawn+1<<20 || r.list.drawn.evicted == 0 {
		t.Errorf("%d bytes are kept, %d laid out, %d evicted", r.list.kept, r.list.drawn.size, r.list.drawn.evicted)
	}
}

// The oldest rows go when there are too many, and the row in their place counts them.
func TestOldRowsAreCounted(t *testing.T) {
	r := newRig(t, 60, 10)
	r.list.most = 100
	talk(r, 200)
	if n := len(r.list.items); n > 101 {
		t.Errorf("%d rows", n)
	}
	r.Home()
	want := 400 - (len(r.list.items) - 1)
	if s := r.seen(); !strings.Contains(s, fmt.Sprintf("%d older rows are not kept here", want)) {
		t.Errorf("%d rows went:\n%s", want, s)
	}
}

// A text over the bounds keeps its beginning and its end, and counts the rest.
func TestGreatOutputsAreKeptInPart(t *testing.T) {
	r := newRig(t, 80, 1000)
	r.add(event.Call{Call: "c", Tool: "bash", Args: `{"command":"yes"}`}, event.Result{Call: "c", Text: "first\n" + strings.Repeat(strings.Repeat("y", 99)+"\n", 20_000) + "last\n"})
	r.ExpandAll(true)
	s := r.seen()
	if !strings.Contains(s, "first") || !strings.Contains(s, "last") || !strings.Contains(s, "are not kept here; the log has them") {
		t.Errorf("%.2000s", s)
	}
	if r.list.kept > 40<<10 {
		t.Errorf("%d bytes are kept of 2 MiB", r.list.kept)
	}
}

func coloured(b *testing.B, w, h int) *rig {
	b.Helper()
	lipgloss.SetColorProfile(termenv.TrueColor)
	b.Cleanup(func() { lipgloss.SetColorProfile(termenv.Ascii) })
	r := newRig(b, w, h)
	th, _ := theme.Named("dark")
	r.SetTheme(th)
	return r
}

// items is a transcript of n items.
func items(b *testing.B, n int) *rig {
	r := coloured(b, 120, 40)
	for i := 0; len(r.list.items) < n; i++ {
		r.add(event.Prompt{Text: fmt.Sprintf("message %d", i)}, event.Reply{Text: fmt.Sprintf("Answer %d with `code`.\n\n- a\n- b", i)},
			event.Call{Call: fmt.Sprint("c", i), Tool: "bash", Args: `{"command":"go test ./..."}`}, event.Result{Call: fmt.Sprint("c", i), Text: "ok\nok\nok\n"})
	}
	return r
}

// A frame costs the same however long the transcript is.
func BenchmarkFrame(b *testing.B) {
	for _, n := range []int{100, 10_000, 50_000} {
		b.Run(fmt.Sprintf("items=%d", n), func(b *testing.B) {
			r := items(b, n)
			r.Scroll(-30)
			b.ReportAllocs()
			for b.Loop() {
				r.View()
			}
		})
	}
}

// A frame while text streams: 40 bytes come before each.
func BenchmarkStreamingFrame(b *testing.B) {
	r := items(b, 10_000)
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		if i++; i%500 == 0 {
			r.add(event.Reply{Text: "done"})
		}
		r.Live(event.Live{Kind: event.LiveDelta, Text: "some words of a reply that goes on, yes\n\n"[:39+i%3]})
		r.View()
	}
}

// A line up or down in a transcript of 100,000 lines.
func BenchmarkScroll(b *testing.B) {
	r := lines100k(b)
	r.Home()
	r.Scroll(40_000)
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		if i++; i%2 == 0 {
			r.Scroll(-3)
		} else {
			r.Scroll(3)
		}
		r.View()
	}
}

// A page up in a transcript of 100,000 lines, where nothing is laid out yet.
func BenchmarkPageUpCold(b *testing.B) {
	r := lines100k(b)
	for b.Loop() {
		r.Page(-1)
		r.View()
		if r.view.at == (place{}) {
			r.End()
		}
	}
}

// 80, 120 and 80 columns again in a transcript of 100,000 lines.
func BenchmarkResize(b *testing.B) {
	r := lines100k(b)
	r.Scroll(-10_000)
	b.ReportAllocs()
	for b.Loop() {
		r.SetSize(80, 40)
		r.View()
		r.SetSize(120, 40)
		r.View()
	}
}

func lines100k(b *testing.B) *rig {
	r := coloured(b, 120, 40)
	text := strings.Repeat("A line of an answer that has some words in it.\n\n", 20)
	for i := range 2500 {
		r.add(event.Prompt{Text: fmt.Sprint("message ", i)}, event.Reply{Text: text})
	}
	return r
}

// Taking in a record: what an attach to a long session costs for each.
func BenchmarkAdd(b *testing.B) {
	r := coloured(b, 120, 40)
	var records []event.Record
	for i := range 10_000 {
		records = append(records, record(uint64(i+1), start, event.Reply{Text: "Answer with some words"}))
	}
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		if n == len(records) {
			n, r.book.seq = 0, 0
			r.list.items, r.list.kept, r.list.thin = nil, 0, 0
		}
		r.Add(records[n])
		n++
	}
}

// A search through 10,000 items.
func BenchmarkSearch(b *testing.B) {
	r := items(b, 10_000)
	for b.Loop() {
		r.Search("answer 77")
	}
}
