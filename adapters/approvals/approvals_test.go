package approvals_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"tenet/adapters/approvals"
	"tenet/core/call"
	"tenet/core/event"
	"tenet/core/gate"
	"tenet/core/rules"
)

// tape is a log that keeps what it is given, and fails at one record when asked to.
type tape struct {
	kinds  []event.Kind
	bodies []event.Body
	fail   event.Kind
}

func (r *tape) Record(b event.Body) error {
	if event.KindOf(b) == r.fail {
		return errors.New("disk full")
	}
	r.kinds, r.bodies = append(r.kinds, event.KindOf(b)), append(r.bodies, b)
	return nil
}

// last is the verdict record.
func (r *tape) verdict(t *testing.T) event.Judgement {
	t.Helper()
	for _, b := range r.bodies {
		if j, ok := b.(event.Judgement); ok {
			return j
		}
	}
	t.Fatalf("no verdict was recorded: %v", r.kinds)
	return event.Judgement{}
}

// scripted answers questions in order and remembers them.
type scripted struct {
	replies []approvals.Reply
	asked   []approvals.Question
	// before is called before each answer: what happens while a person thinks.
	before func()
}

func (s *scripted) Ask(_ context.Context, q approvals.Question) approvals.Reply {
	s.asked = append(s.asked, q)
	if s.before != nil {
		s.before()
	}
	r := s.replies[0]
	s.replies = s.replies[1:]
	if r.By == "" {
		r.By = "test"
	}
	return r
}

func newGate(auto call.Effects, answers ...gate.Answer) (*approvals.Gate, *tape, *scripted) {
	log, ask := &tape{}, &scripted{}
	for _, a := range answers {
		ask.replies = append(ask.replies, approvals.Reply{Answer: a, Reason: "because"})
	}
	policies := approvals.NewPolicies(&gate.Policy{Auto: auto, Place: rules.Place{Root: "/w"}}, nil)
	return &approvals.Gate{Call: "call_1", Tool: "bash", Dir: "/w", Policies: policies, Asker: ask, Log: log}, log, ask
}

func step(n int, es ...call.Effect) call.Step {
	return call.Step{N: n, Text: fmt.Sprintf("step%d", n), Effects: call.Of(es...),
		Commands: []call.Command{{Words: []call.Word{{Text: fmt.Sprintf("step%d", n)}}, Dir: "/w"}}}
}

func plan(steps ...call.Step) func() []call.Step { return func() []call.Step { return steps } }

// through takes every step of a call through the gate.
func through(t *testing.T, g *approvals.Gate, steps ...call.Step) error {
	t.Helper()
	if o := g.Permit(t.Context(), plan(steps...)); !o.Runs {
		return errors.New(o.Refusal)
	}
	for _, s := range steps {
		if o := g.Confirm(s, s.Text); !o.Runs {
			return errors.New(o.Refusal)
		}
	}
	return g.Start(t.Context())
}

func TestACallWithinTheAutoSetRunsUnaskedAndIsRecordedOnce(t *testing.T) {
	g, log, ask := newGate(call.Of(call.Read, call.Write))
	if err := through(t, g, step(1, call.Write), step(2, call.Read)); err != nil {
		t.Fatal(err)
	}
	if len(ask.asked) != 0 || !slices.Equal(log.kinds, []event.Kind{event.Judged, event.Dispatched}) {
		t.Errorf("asked %v, recorded %v", ask.asked, log.kinds)
	}
}

func TestOneQuestionCoversTheWholeCall(t *testing.T) {
	g, log, ask := newGate(call.Of(call.Read), gate.AllowOnce)
	if err := through(t, g, step(1, call.Exec), step(2, call.Read), step(3, call.Exec, call.Net)); err != nil {
		t.Fatal(err)
	}
	if want := []event.Kind{event.Asked, event.Judged, event.Dispatched}; !slices.Equal(log.kinds, want) {
		t.Errorf("recorded %v, want %v", log.kinds, want)
	}
	q := ask.asked[0]
	if q.Call != "call_1" || q.Tool != "bash" || q.Dir != "/w" || q.Ruling.Over != call.Of(call.Exec, call.Net) || len(q.Ruling.Steps) != 3 {
		t.Errorf("asked %+v", q)
	}
	if j := log.verdict(t); j.Answer != "allow_once" || j.By != "test" || j.Rule.Name != "outside-auto-set" || len(j.Steps) != 3 || j.Digest != q.Ruling.Digest {
		t.Errorf("judged %+v", j)
	}
}

func TestARefusalRepeatsOnlyTheBeginningOfALongStep(t *testing.T) {
	g, _, _ := newGate(0, gate.Denied)
	s := step(1, call.Exec)
	s.Text = strings.Repeat("é", 100_000)
	if o := g.Permit(t.Context(), plan(s)); len(o.Refusal) > 5000 || !strings.Contains(o.Refusal, "…") || !utf8.ValidString(o.Refusal) {
		t.Errorf("a refusal of %d bytes", len(o.Refusal))
	}
}

func TestEveryOtherAnswerRefusesTheWholeCall(t *testing.T) {
	for _, a := range []gate.Answer{gate.Denied, gate.Unanswered, gate.GatewayRefused} {
		g, log, ask := newGate(call.Of(call.Read), a)
		o := g.Permit(t.Context(), plan(step(1, call.Read), step(2, call.Exec), step(3, call.Read)))
		if o.Runs || o.Answer != a || !strings.Contains(o.Refusal, "step2") {
			t.Errorf("%v: %+v", a, o)
		}
		if o := g.Confirm(step(1, call.Read), "step1"); o.Runs {
			t.Errorf("%v: a step was let through", a)
		}
		if err := g.Start(t.Context()); err == nil || slices.Contains(log.kinds, event.Dispatched) {
			t.Errorf("%v: the call started: %v", a, log.kinds)
		}
		if len(ask.asked) != 1 {
			t.Errorf("%v: asked %d times", a, len(ask.asked))
		}
	}
}

func TestAStepThatBecameAnotherStopsTheCallThere(t *testing.T) {
	g, log, _ := newGate(call.Of(call.Read), gate.AllowOnce)
	steps := []call.Step{step(1, call.Read), step(2, call.Exec)}
	if o := g.Permit(t.Context(), plan(steps...)); !o.Runs {
		t.Fatal(o.Refusal)
	}
	if o := g.Confirm(steps[0], "step1"); !o.Runs || g.Start(t.Context()) != nil {
		t.Fatal(o.Refusal)
	}
	wider := steps[1]
	wider.Effects = call.Of(call.Exec, call.Protected)
	if o := g.Confirm(wider, "step2"); o.Runs || !strings.Contains(o.Refusal, "no longer what was judged") {
		t.Errorf("a step with an effect more: %+v", o)
	}
	if err := g.Start(t.Context()); err == nil || log.kinds[len(log.kinds)-1] != event.Dispatched {
		t.Errorf("it started: %v", log.kinds)
	}
}

func TestAYesToBytesThatChangedIsSpentAndAskedAgain(t *testing.T) {
	g, log, ask := newGate(0, gate.AllowSession, gate.AllowOnce)
	s := step(1, call.Write)
	s.Content = "old"
	ask.before = func() { s.Content = "new" }
	o := g.Permit(t.Context(), func() []call.Step { return []call.Step{s} })
	if !o.Runs || len(ask.asked) != 2 || ask.asked[1].Again == "" || ask.asked[0].Ruling.Digest == ask.asked[1].Ruling.Digest {
		t.Fatalf("%+v after %d questions", o, len(ask.asked))
	}
	j := log.verdict(t)
	if len(log.bodies) != 3 || j.Answer != "allow_once" || len(j.Grants) != 0 || j.Digest != ask.asked[1].Ruling.Digest {
		t.Errorf("recorded %+v", log.bodies)
	}
}

func TestWhatNeverStandsStillIsRefusedInTheEnd(t *testing.T) {
	answers := make([]gate.Answer, 20)
	for i := range answers {
		answers[i] = gate.AllowOnce
	}
	g, log, ask := newGate(0, answers...)
	n := 0
	o := g.Permit(t.Context(), func() []call.Step {
		n++
		s := step(1, call.Write)
		s.Content = fmt.Sprint(n)
		return []call.Step{s}
	})
	if o.Runs || len(ask.asked) > 10 || log.verdict(t).By != "gate" {
		t.Errorf("%+v after %d questions", o, len(ask.asked))
	}
}

func TestAnAllowForTheSessionCoversTheVerySameCallOnly(t *testing.T) {
	g, log, ask := newGate(0, gate.AllowSession, gate.Denied, gate.Denied)
	if err := through(t, g, step(1, call.Exec)); err != nil {
		t.Fatal(err)
	}
	if grants := log.verdict(t).Grants; len(grants) == 0 || grants[0].Scope != event.ScopeSession || !grants[0].Exact {
		t.Errorf("granted %+v", grants)
	}
	again := &approvals.Gate{Call: "call_2", Tool: "bash", Policies: g.Policies, Asker: ask, Log: &tape{}}
	if err := through(t, again, step(1, call.Exec)); err != nil || len(ask.asked) != 1 {
		t.Errorf("the same call: %v, asked %d", err, len(ask.asked))
	}
	other := &approvals.Gate{Call: "call_3", Tool: "bash", Policies: g.Policies, Asker: ask, Log: &tape{}}
	if err := through(t, other, step(2, call.Exec)); err == nil || len(ask.asked) != 2 {
		t.Errorf("another call: %v, asked %d", err, len(ask.asked))
	}
}

func TestAStandingYesGoesToTheFileOrIsSaidNotTo(t *testing.T) {
	for _, fail := range []error{nil, errors.New("line 3: not JSON")} {
		var saved []event.Grant
		log := &tape{}
		ask := &scripted{replies: []approvals.Reply{{Answer: gate.AllowAlways, Pattern: "go test *"}}}
		policies := approvals.NewPolicies(&gate.Policy{Place: rules.Place{Root: "/w"}}, func(g []event.Grant) error { saved = g; return fail })
		s := call.Step{N: 1, Text: "go test ./...", Effects: call.Of(call.Exec),
			Commands: []call.Command{{Words: []call.Word{{Text: "go"}, {Text: "test"}, {Text: "./..."}}, Dir: "/w", Effects: call.Of(call.Exec)}}}
		g := &approvals.Gate{Call: "call_1", Tool: "bash", Policies: policies, Asker: ask, Log: log}
		if err := through(t, g, s); err != nil {
			t.Fatal(err)
		}
		j := log.verdict(t)
		if len(saved) == 0 || saved[0].Scope != event.ScopeProject || (j.Unsaved == "") != (fail == nil) {
			t.Errorf("saved %+v, recorded %+v", saved, j)
		}
		if policies.Now().Judge("bash", []call.Step{s}).Verdict != gate.Allow {
			t.Error("the grant does not hold for the session")
		}
	}
}

func TestWhatCannotBeRecordedDoesNotRun(t *testing.T) {
	for _, kind := range []event.Kind{event.Asked, event.Judged, event.Dispatched} {
		g, log, _ := newGate(call.Of(call.Read), gate.AllowOnce)
		log.fail = kind
		o := g.Permit(t.Context(), plan(step(1, call.Exec)))
		if kind != event.Dispatched && (o.Runs || !strings.Contains(o.Refusal, "disk full")) {
			t.Errorf("%s cannot be recorded, and the outcome is %+v", kind, o)
		}
		g.Confirm(step(1, call.Exec), "step1")
		if err := g.Start(t.Context()); err == nil {
			t.Errorf("%s cannot be recorded, and the step started", kind)
		}
	}
}

func withEffects(s call.Effects) approvals.Question {
	return approvals.Question{Ruling: gate.Ruling{Effects: s}}
}

func TestAStandingYesCoversNothingThatIsGuarded(t *testing.T) {
	for s := range call.All + 1 {
		q := withEffects(s)
		r := approvals.Standing{Yes: true, Flag: "--yes"}.Ask(t.Context(), q)
		if guarded := s.Has(call.Secret) || s.Has(call.Protected); r.Answer.Yes() == guarded {
			t.Errorf("--yes on %v: %v", s, r.Answer)
		}
		if r := (approvals.Standing{Flag: "--no"}).Ask(t.Context(), q); r.Answer != gate.Denied {
			t.Errorf("--no on %v: %v", s, r.Answer)
		}
		if r := (approvals.Nobody{}).Ask(t.Context(), q); r.Answer != gate.Unanswered {
			t.Errorf("nobody on %v: %v", s, r.Answer)
		}
	}
}

func TestAShieldHandsOnOnlyWhatIsHarmless(t *testing.T) {
	for s := range call.All + 1 {
		next := &scripted{replies: []approvals.Reply{{Answer: gate.AllowOnce}}}
		r := approvals.Shielded{Next: next}.Ask(t.Context(), withEffects(s))
		if guarded := s&approvals.Guarded != 0; guarded != (len(next.asked) == 0) || guarded != (r.Answer == gate.GatewayRefused) {
			t.Errorf("%v: asked %d, %v", s, len(next.asked), r.Answer)
		}
	}
}
