package session_test

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"tenet/adapters/provider"
	"tenet/adapters/session"
	"tenet/core/call"
	"tenet/core/event"
	"tenet/core/turn"
)

var overflow = &provider.Error{Class: provider.Overflow, Message: "the request is longer than the model's context", Status: 400}

// long is so much text that a summary of it is worth its while.
func long(word string) string { return strings.Repeat(word+" ", 4000) }

// A request that does not fit leads to one summary, which stands in the place of the older
// messages; the log keeps every record.
func TestAnOverflowIsSummarisedAndTheTurnGoesOn(t *testing.T) {
	summary := answer("They read a lot.")
	summary.Model = "fake"
	st := open(t, call.Of(call.Write), calls(`{"text":"`+long("a")+`"}`), calls(`{"text":"`+long("b")+`"}`), overflow, summary, answer("done"))
	st.prompt(t, t.Context(), "answered")
	c := of[event.Compaction](st.log)
	if len(c) != 1 || c[0].Reason != "overflow" || !strings.HasPrefix(c[0].Summary, "They read a lot.") || !strings.HasSuffix(c[0].Summary, "\ngo") {
		t.Fatalf("compactions %+v", c)
	}
	asked := st.model.asked[3]
	if len(asked.Tools) != 0 || !strings.Contains(last(asked).Text, "[user] go") || !strings.Contains(last(asked).Text, "bytes left out") {
		t.Errorf("the summary was asked for with %d tools, %.300q", len(asked.Tools), last(asked).Text)
	}
	after := st.model.asked[4]
	if err := wellFormed(after); err != nil || !strings.Contains(after.Messages[1].Text, "They read a lot.") || len(after.Messages) >= len(st.model.asked[2].Messages) {
		t.Errorf("the request after it has %d messages, %v: %.200q", len(after.Messages), err, words(after))
	}
	if n := len(of[event.Reply](st.log)); n != 3 {
		t.Errorf("the log has %d replies, want all 3", n)
	}
}

// The threshold leads to a summary before the request; the next request is not summarised
// again.
func TestLittleRoomIsSummarisedOnce(t *testing.T) {
	big := calls(`{"text":"` + long("a") + `"}`)
	big.Input, big.Output = 9_000, 500
	st := openWith(t, call.Of(call.Write), func(o *session.Options) { o.Room = turn.Room{Window: 12_000} }, big, answer("short"), answer("done"))
	st.prompt(t, t.Context(), "answered")
	if got := st.kinds(); !strings.HasSuffix(got, "resulted compacted requested replied ended") {
		t.Errorf("records %s", got)
	}
}

func TestASummaryThatFailsEndsTheTurnWithItsReason(t *testing.T) {
	for name, c := range map[string]struct {
		answers []any
		says    string
	}{
		"empty":           {[]any{overflow, answer(" \n")}, "empty summary"},
		"refused":         {[]any{overflow, &provider.Error{Class: provider.Auth, Message: "the key was refused"}}, "the key was refused"},
		"still too long":  {[]any{overflow, answer("s"), overflow}, "nothing of it can be left out"},
		"nothing to drop": {[]any{overflow}, "nothing of it can be left out"},
	} {
		t.Run(name, func(t *testing.T) {
			first := calls(`{"text":"` + long("a") + `"}`)
			answers := append([]any{first}, c.answers...)
			if name == "nothing to drop" {
				answers = c.answers
			}
			st := open(t, call.Of(call.Write), answers...)
			if e := st.prompt(t, t.Context(), "failed"); !strings.Contains(e.Cause, c.says) {
				t.Errorf("ended %.300s, want %q", e.Cause, c.says)
			}
		})
	}
}

// Another model writes the summary when the settings say so; when it cannot, the session's
// own does, and a row says why.
func TestTheSummariserIsAnotherModelOrTheSessionsOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		other := &named{name: "small", model: model{answers: []any{&provider.Error{Class: provider.Cut, Message: "cut"}, errors.New("gone")}}}
		var purposes []string
		st := openWith(t, call.Of(call.Write), func(o *session.Options) {
			o.Summariser = func(purpose string, tokens int) (provider.Provider, *event.Notice) {
				purposes = append(purposes, purpose)
				return other, &event.Notice{Type: "tenet.fallback", Key: "compaction|big|too small", Text: "small writes it"}
			}
		}, calls(`{"text":"`+long("a")+`"}`), overflow, answer("sum"), answer("done"))
		st.prompt(t, t.Context(), "answered")
		if n := of[event.Notice](st.log); len(n) != 2 || n[0].Text != "small writes it" || !strings.Contains(n[1].Text, "small could not write the summary of the context (gone); fake writes it") {
			t.Errorf("notices %+v", n)
		}
		if c := of[event.Compaction](st.log); len(purposes) != 1 || purposes[0] != "compaction" || c[0].Model != "fake" || len(other.asked) != 2 {
			t.Errorf("purposes %v, %d tries, compactions %+v", purposes, len(other.asked), c)
		}
	})
}

type named struct {
	model
	name string
}

func (n *named) Name() string { return n.name }
