package session_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tenet/adapters/provider"
	"tenet/adapters/session"
	"tenet/core/call"
	"tenet/core/event"
	"tenet/core/turn"
)

// last is the last message of a request.
func last(r provider.Request) provider.Message { return r.Messages[len(r.Messages)-1] }

// greedy is a model that decodes the same request the same way: it repeats one line until
// its request ends with a note.
type greedy struct{ asked []provider.Request }

func (g *greedy) Name() string { return "greedy" }

func (g *greedy) Reply(ctx context.Context, r provider.Request, on func(provider.Delta)) (event.Reply, error) {
	g.asked = append(g.asked, r)
	if strings.HasPrefix(last(r).Text, "Harness note") {
		return answer("a short list"), nil
	}
	for range 10_000 {
		if ctx.Err() != nil { // the harness cuts the stream
			return event.Reply{}, context.Cause(ctx)
		}
		on(provider.Delta{Text: "- r/Bitcoin\n"})
	}
	return event.Reply{Text: strings.Repeat("- r/Bitcoin\n", 10_000), Stop: "length"}, nil
}

// A greedy model answers at the first retry, since that request ends with a note.
func TestARepeatingReplyIsCutAndAskedAgainWithANote(t *testing.T) {
	g := &greedy{}
	st := openWith(t, 0, func(o *session.Options) { o.Provider = g })
	st.prompt(t, t.Context(), "answered")
	if len(g.asked) != 2 || st.Answer() != "a short list" {
		t.Fatalf("%d requests, answered %q", len(g.asked), st.Answer())
	}
	want := `Harness note, attempt 2: your previous reply repeated the line "- r/Bitcoin" until it was cut. Give the answer again; never list the same item twice.`
	if got := last(g.asked[1]); got.Text != want || got.Role != provider.User {
		t.Errorf("the second request ends with %q\nwant %q", got.Text, want)
	}
	f := of[event.Failure](st.log)
	if len(f) != 1 || !f[0].Noted || f[0].Cause != "repetition" || f[0].Row != 1 || f[0].Spent != 1 || len(f[0].Text) > 16<<10 || !strings.HasPrefix(f[0].Text, "- r/Bitcoin\n") {
		t.Errorf("failures %+v", f)
	}
	for _, m := range st.State().Messages {
		if strings.Contains(m.Text, "Harness note") || strings.Contains(m.Text, "Bitcoin") {
			t.Errorf("the log's context holds %q", m.Text)
		}
	}
}

// silent is a reply of only thinking.
func silent(thinking string) event.Reply { return event.Reply{Stop: "stop", Thinking: thinking} }

// Every retry after a cut is a new request, until the notes run out; then the thinking is
// kept for people (prov-026).
func TestNotesNameTheirAttemptUntilTheyRunOut(t *testing.T) {
	st := openWith(t, 0, func(o *session.Options) { o.Limits = turn.Default() },
		silent("1"), silent("2"), silent("3"), silent("4"), silent("5"), silent("6"), silent("7"), silent("8"), silent("the answer is 42"))
	e := st.prompt(t, t.Context(), "failed")
	if !strings.Contains(e.Cause, "only 16 characters of thinking") || len(st.model.asked) != turn.MaxNotes+1 {
		t.Errorf("%d requests, ended %+v", len(st.model.asked), e)
	}
	for i, r := range st.model.asked[1:] {
		if want := fmt.Sprintf("Harness note, attempt %d:", i+2); !strings.HasPrefix(last(r).Text, want) {
			t.Errorf("request %d ends with %q, want %q", i+2, last(r).Text, want)
		}
	}
	f := of[event.Failure](st.log)
	if n := len(f); n != 9 || f[n-1].Noted || f[n-1].Thinking != "the answer is 42" || f[7].Spent != 8 {
		t.Errorf("failures %+v", f)
	}
}

// A noted retry needs no retry policy and spends no retry; a transient one spends no note
// and keeps it.
func TestNotesAndRetriesAreSeparateBudgets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cut := &provider.Error{Class: provider.Cut, Message: "cut"}
		st := open(t, 0, silent("a"), cut, cut, silent("b"), answer("ok"))
		st.prompt(t, t.Context(), "answered")
		var notes []string
		for _, r := range st.model.asked[1:] {
			notes = append(notes, last(r).Text[:len("Harness note, attempt 2")])
		}
		if got := strings.Join(notes, "; "); got != "Harness note, attempt 2; Harness note, attempt 2; Harness note, attempt 2; Harness note, attempt 3" {
			t.Errorf("notes %s", got)
		}
	})
	st := openWith(t, 0, func(o *session.Options) { o.Limits.Retries = 0 }, silent("a"), answer("ok"))
	st.prompt(t, t.Context(), "answered")
}

func TestAStopAtTheLimitWhileReasoningGetsThreeLengthNotes(t *testing.T) {
	long := event.Reply{Stop: "length", Thinking: "hm, again", Output: 4096}
	st := openWith(t, 0, func(o *session.Options) { o.Limits.Notes = 8 }, long, long, long, long)
	e := st.prompt(t, t.Context(), "failed")
	if !strings.Contains(e.Cause, "after 3 length notes in a row: use a different model") || len(st.model.asked) != 4 {
		t.Errorf("%d requests, ended %+v", len(st.model.asked), e)
	}
	if got := last(st.model.asked[3]).Text; !strings.Contains(got, "the 4096-token output limit") || !strings.Contains(got, "Length note 3 of 3") {
		t.Errorf("the last note is %q", got)
	}
}

// The fifth same round in a row never runs; success does not hide the loop (run-002).
func TestTheSameCallsWithTheSameResultsAreRedirectedAndThenFail(t *testing.T) {
	same := calls(`{"i":"why","text":"again"}`)
	reordered := calls(`{"text":"again","i":"because"}`)
	st := openWith(t, call.Of(call.Write), func(o *session.Options) { o.Limits = turn.Default() },
		same, reordered, same, same, same, same, same)
	e := st.prompt(t, t.Context(), "failed")
	if len(st.ran) != 4 || !strings.Contains(e.Cause, "(echo) with the same results 5 times in a row, after 2 redirect notes") {
		t.Errorf("ran %d times, ended %+v", len(st.ran), e)
	}
	if got := last(st.model.asked[5]).Text; !strings.Contains(got, `echo {"text":"again"}`) || !strings.Contains(got, "Redirect note 1 of 2") {
		t.Errorf("the note is %q", got)
	}
}

func TestAUsersMessageBreaksTheRow(t *testing.T) {
	var st *stage
	same := calls(`{"text":"again"}`)
	st = openWith(t, call.Of(call.Write), func(o *session.Options) { o.Limits = turn.Default() },
		same, same, same, during(func() { must(st.Submit("go on", event.Steer)) }, same), same, same, answer("ok"))
	st.prompt(t, t.Context(), "answered")
	if len(st.ran) != 6 {
		t.Errorf("ran %d times, want 6", len(st.ran))
	}
}

func TestALeakedCallIsRebuiltAndRuns(t *testing.T) {
	leak := event.Reply{Text: "I will do it.\n<tool_call>\n{\"name\": \"echo\", \"arguments\": {\"text\": \"hi\"}}\n</tool_call>", Stop: "stop"}
	st := open(t, call.Of(call.Write), leak, answer("ok"))
	st.prompt(t, t.Context(), "answered")
	r := of[event.Reply](st.log)
	if len(st.ran) != 1 || st.ran[0] != "hi" || r[0].Rebuilt != "hermes" || strings.Contains(r[0].Text, "tool_call") || r[0].Stop != "toolUse" || r[0].Calls[0].ID != "call_1" {
		t.Errorf("ran %q, reply %+v", st.ran, r[0])
	}
}

func TestALeakThatCannotBeReadIsNotedTwiceAndThenStands(t *testing.T) {
	broken := event.Reply{Text: "<tool_call>\n{\"name\": \"echo\", \"arguments\": {\"text\": \n</tool_call>", Stop: "stop"}
	st := openWith(t, call.Of(call.Write), func(o *session.Options) { o.Limits.Notes = 8 }, broken, broken, broken)
	st.prompt(t, t.Context(), "answered")
	if len(st.ran) != 0 || len(st.model.asked) != 3 || !strings.Contains(last(st.model.asked[2]).Text, "Leak note 2 of 2") || !strings.Contains(st.Answer(), "<tool_call>") {
		t.Errorf("ran %q, %d requests, answered %q", st.ran, len(st.model.asked), st.Answer())
	}
	if strings.Contains(words(st.model.asked[2]), "<tool_call>\n{") {
		t.Errorf("the leaked text is an example in the next request: %s", words(st.model.asked[2]))
	}
}

func TestQuotedMarkupIsNoLeak(t *testing.T) {
	st := open(t, call.Of(call.Write), answer("Models write:\n```\n<tool_call>{\"name\":\"echo\",\"arguments\":{\"text\":\"x\"}}</tool_call>\n```"))
	st.prompt(t, t.Context(), "answered")
	if len(st.ran) != 0 || len(st.model.asked) != 1 {
		t.Errorf("ran %q after %d requests", st.ran, len(st.model.asked))
	}
}

// Nothing that arrives after the cancel is recorded or run (run-015).
func TestNothingAfterTheCancelIsRecordedOrRun(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	st := open(t, call.Of(call.Write), during(cancel, calls(`{"text":"late"}`)))
	st.prompt(t, ctx, "aborted")
	if got := st.kinds(); got != "opened prompted requested ended" || len(st.ran) != 0 {
		t.Errorf("records %s, ran %q", got, st.ran)
	}
}

// While nothing comes, whoever waits is told so.
func TestSilenceIsShown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var shown []string
		st := openWith(t, 0, func(o *session.Options) {
			o.Live = func(l event.Live) { shown = append(shown, fmt.Sprint(l.Kind, " ", l.Cause, l.Text)) }
		}, func(_ context.Context, _ provider.Request, on func(provider.Delta)) (event.Reply, error) {
			on(provider.Delta{Text: "o"})
			time.Sleep(12 * time.Second) // virtual
			on(provider.Delta{Text: "k"})
			return answer("ok"), nil
		})
		st.prompt(t, t.Context(), "answered")
		if got := strings.Join(shown, ", "); got != "delta o, waiting nothing came for 5 s, waiting nothing came for 10 s, delta k" {
			t.Errorf("shown %s", got)
		}
	})
}

// A reply that streams must not be slowed by who watches it being nobody.
func BenchmarkDeltas(b *testing.B) {
	st := benchStage(b, 0)
	st.model.answers = nil
	b.ReportAllocs()
	for b.Loop() {
		st.model.answers = []any{func(_ context.Context, _ provider.Request, on func(provider.Delta)) (event.Reply, error) {
			for i := range 1000 {
				on(provider.Delta{Text: fmt.Sprintf("word %d ", i)})
			}
			return answer("ok"), nil
		}}
		if _, err := st.Prompt(b.Context(), "go"); err != nil {
			b.Fatal(err)
		}
	}
}
