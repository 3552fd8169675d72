package approvals_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"tenet/core/approvals"
	"tenet/core/call"
)

// The names go into frames and records, where others read them.
func TestNamesAreWhatFramesAndRecordsSpell(t *testing.T) {
	names := func(n int, name func(i int) fmt.Stringer) string {
		var out []string
		for i := range n {
			out = append(out, name(i).String())
		}
		return strings.Join(out, " ")
	}
	for want, got := range map[string]string{
		"interactive gateway":                        names(2, func(i int) fmt.Stringer { return approvals.Kind(i) }),
		"unanswered approved denied gateway_refused": names(4, func(i int) fmt.Stringer { return approvals.Fate(i) }),
		"deny allow_once allow_session allow_always": names(4, func(i int) fmt.Stringer { return approvals.Choice(i) }),
		"taken gone not_offered":                     names(3, func(i int) fmt.Stringer { return approvals.Outcome(i) }),
		"show rule hand hold end":                    names(5, func(i int) fmt.Stringer { return approvals.Hop(i) }),
		"shown above parked":                         names(3, func(i int) fmt.Stringer { return approvals.Place(i) }),
		"present drop finish relay withdraw":         names(5, func(i int) fmt.Stringer { return approvals.Do(i) }),
		"quiet answered gateway_rule turn_denied covered cancelled moved twice too_many": names(9, func(i int) fmt.Stringer { return approvals.Cause(i) }),
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestAChoiceIsReadByItsNameOnly(t *testing.T) {
	for i := range approvals.AllowAlways + 1 {
		if c, ok := approvals.ParseChoice(i.String()); !ok || c != i {
			t.Errorf("%s is read as %v, %v", i, c, ok)
		}
	}
	for _, name := range []string{"", "yes", "y", "allow", "Deny", "ALLOW_ONCE", "allow_once "} {
		if c, ok := approvals.ParseChoice(name); ok || c != approvals.Deny {
			t.Errorf("%q is read as %v, %v", name, c, ok)
		}
	}
}

func question(id string) approvals.Question {
	return approvals.Question{ID: id, Session: "s", Turn: "1", Call: id, Effects: call.Of(call.Exec), Offers: []approvals.Offer{{Choice: approvals.AllowOnce}, {Choice: approvals.AllowAlways, Pattern: "make *"}}}
}

// An event makes another value: the one before stays what it was, whatever happens
// after it, so that a decision can be looked at before it is carried out.
func TestAnEventLeavesTheValueBeforeItAlone(t *testing.T) {
	before := approvals.Root()
	before, _, _ = before.Attach(1, approvals.Interactive, "a")
	before, _, _ = before.Attach(2, approvals.Interactive, "b")
	before, _, _, _ = before.Ask(question("q"))
	before, _, _, _ = before.Ask(question("r"))
	was := before.Open()
	for name, event := range map[string]func(){
		"ask":    func() { before.Ask(question("x")) },
		"attach": func() { before.Attach(3, approvals.Interactive, "c") },
		"detach": func() { before.Detach(1) },
		"answer": func() { before.Answer(1, "q", approvals.Answer{}, nil) },
		"cancel": func() { before.Cancel("q", approvals.Cancelled) },
		"granted": func() {
			before.Granted(approvals.Verdict{Fate: approvals.Approved, Cause: approvals.Answered, Choice: approvals.AllowAlways}, []string{"q"})
		},
		"returned": func() { before.Returned("q", approvals.Verdict{}, nil) },
	} {
		event()
		if now := before.Open(); !reflect.DeepEqual(now, was) || len(before.Sees(1)) != 2 || len(before.Sees(2)) != 2 || before.Sees(3) != nil {
			t.Errorf("%s changed it: %+v", name, now)
		}
	}
}

// A no may carry no pattern, and a yes only the pattern that stands in the offer.
func TestOnlyWhatIsOfferedIsTaken(t *testing.T) {
	s, _, _ := approvals.Root().Attach(1, approvals.Interactive, "a")
	s, _, _, _ = s.Ask(question("q"))
	for want, answers := range map[approvals.Outcome][]approvals.Answer{
		approvals.Taken:      {{}, {Choice: approvals.AllowOnce}, {Choice: approvals.AllowAlways, Pattern: "make *"}},
		approvals.NotOffered: {{Pattern: "make *"}, {Choice: approvals.AllowOnce, Pattern: "make *"}, {Choice: approvals.AllowAlways}, {Choice: approvals.AllowAlways, Pattern: "*"}, {Choice: approvals.AllowSession}},
	} {
		for _, a := range answers {
			if _, got, acts := s.Answer(1, "q", a, nil); got != want || (len(acts) > 0) != (want == approvals.Taken) {
				t.Errorf("%+v is %v, and does %v", a, got, acts)
			}
		}
	}
}

func TestAReasonIsKeptToItsBoundAndWhole(t *testing.T) {
	for _, text := range []string{"", "use pnpm", strings.Repeat("é", 4000), strings.Repeat("a", 1999) + "日本", strings.Repeat("\x80", 3000)} {
		s, _, _ := approvals.Root().Attach(1, approvals.Interactive, "a")
		s, _, _, _ = s.Ask(question("q"))
		_, _, acts := s.Answer(1, "q", approvals.Answer{Reason: text}, nil)
		got := acts[len(acts)-1].Verdict.Reason
		if len(got) > approvals.MaxReason || !strings.HasPrefix(text, got) || utf8.ValidString(text) && (!utf8.ValidString(got) || len(text) > approvals.MaxReason && len(got) < approvals.MaxReason-3) {
			t.Errorf("%d bytes are kept as %d", len(text), len(got))
		}
	}
}

func TestASecretIsInNoAutoSet(t *testing.T) {
	for named := range call.All + 1 {
		if a := approvals.Auto(named, true); a.Has(call.Secret) || a != named.Minus(call.Of(call.Secret)) {
			t.Errorf("%v is taken as %v", named, a)
		}
		if a := approvals.Auto(named, false); a != call.Grantable {
			t.Errorf("nothing set, and the auto set is %v", a)
		}
	}
}
