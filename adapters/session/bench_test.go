package session_test

import (
	"fmt"
	"runtime"
	"testing"

	"tenet/adapters/session"
	"tenet/core/call"
	"tenet/core/event"
	"tenet/core/turn"
)

// benchStage is a session whose log has about so many records before it.
func benchStage(tb testing.TB, records int) *stage {
	tb.Helper()
	st := &stage{log: &memory{}, model: &model{}}
	o := st.options(tb, call.Of(call.Write))
	o.Limits = turn.Config{Rounds: 60_000, Notes: 1}
	var past event.State
	seq := uint64(0)
	put := func(b event.Body) { seq++; past = past.With(seq, b) }
	put(event.Opening{Session: "s"})
	put(event.Prompt{Text: "go"})
	for i := 1; int(seq) < records; i++ {
		c := event.ToolCall{ID: fmt.Sprintf("call_%d", i), Tool: "echo", Args: fmt.Sprintf(`{"text":"%d"}`, i)}
		put(event.Request{})
		put(event.Reply{Calls: []event.ToolCall{c}})
		put(event.Call{Call: c.ID, Tool: c.Tool, Args: c.Args})
		put(event.Result{Call: c.ID, Text: fmt.Sprintf("the result of call %d", i)})
	}
	put(event.Ending{How: "answered"})
	var err error
	if st.Session, err = session.Resume(o, past); err != nil {
		tb.Fatal(err)
	}
	return st
}

// BenchmarkRound is one tool round of a session with so many records, without the
// provider's and the disk's time.
func BenchmarkRound(b *testing.B) {
	for _, records := range []int{100, 10_000} {
		b.Run(fmt.Sprint(records), func(b *testing.B) {
			st := benchStage(b, records)
			for i := range b.N {
				st.model.answers = append(st.model.answers, calls(fmt.Sprintf(`{"text":"round %d"}`, i)))
			}
			st.model.answers = append(st.model.answers, answer("ok"))
			b.ReportAllocs()
			b.ResetTimer()
			if e, err := st.Prompt(b.Context(), "go"); err != nil || e.How != "answered" {
				b.Fatal(e, err)
			}
		})
	}
}

// BenchmarkLongTurn is a turn of 2,000 rounds; it reports what the session keeps of it.
func BenchmarkLongTurn(b *testing.B) {
	for b.Loop() {
		st := benchStage(b, 0)
		st.model.forget = true
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		for i := range 2000 {
			st.model.answers = append(st.model.answers, calls(fmt.Sprintf(`{"text":"round %d"}`, i)))
		}
		st.model.answers = append(st.model.answers, answer("ok"))
		if e, err := st.Prompt(b.Context(), "go"); err != nil || e.How != "answered" {
			b.Fatal(e, err)
		}
		st.model.answers, st.log.bodies = nil, nil
		runtime.GC()
		runtime.ReadMemStats(&after)
		b.ReportMetric(float64(int64(after.HeapAlloc)-int64(before.HeapAlloc))/(1<<20), "MiB-kept")
		runtime.KeepAlive(st)
	}
}
