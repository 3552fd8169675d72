package approvals_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"tenet/adapters/approvals"
	"tenet/core/call"
	"tenet/core/event"
	"tenet/core/gate"
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

// scripted answers questions in order and remembers them.
type scripted struct {
	answers []gate.Answer
	asked   []approvals.Question
}

func (s *scripted) Ask(_ context.Context, q approvals.Question) approvals.Reply {
	s.asked = append(s.asked, q)
	a := s.answers[0]
	s.answers = s.answers[1:]
	return approvals.Reply{Answer: a, By: "test", Reason: "because"}
}

func newGate(auto call.Effects, answers ...gate.Answer) (*approvals.Gate, *tape, *scripted) {
	log, ask := &tape{}, &scripted{answers: answers}
	return &approvals.Gate{Call: "call_1", Tool: "bash", Dir: "/w", Auto: auto, Asker: ask, Log: log}, log, ask
}

func step(n int, es ...call.Effect) call.Step {
	return call.Step{N: n, Text: "step", Effects: call.Of(es...)}
}

func TestAStepWithinTheAutoSetRunsUnaskedAndIsRecorded(t *testing.T) {
	g, log, ask := newGate(call.Of(call.Read, call.Write))
	if o := g.Permit(t.Context(), step(1, call.Write)); !o.Runs {
		t.Fatal(o.Refusal)
	}
	if err := g.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(ask.asked) != 0 || !slices.Equal(log.kinds, []event.Kind{event.Judged, event.Dispatched}) {
		t.Errorf("asked %v, recorded %v", ask.asked, log.kinds)
	}
}

func TestAYesIsRecordedBeforeTheStepStarts(t *testing.T) {
	g, log, ask := newGate(call.Of(call.Read), gate.Approved)
	if o := g.Permit(t.Context(), step(1, call.Exec)); !o.Runs || g.Start(t.Context()) != nil {
		t.Fatal(o.Refusal)
	}
	if want := []event.Kind{event.Asked, event.Judged, event.Dispatched}; !slices.Equal(log.kinds, want) {
		t.Errorf("recorded %v, want %v", log.kinds, want)
	}
	if q := ask.asked[0]; q.Call != "call_1" || q.Tool != "bash" || q.Decision.Over != call.Of(call.Exec) {
		t.Errorf("asked %+v", q)
	}
	if j := log.bodies[1].(event.Judgement); j.Answer != "approved" || j.By != "test" || j.Rule != "outside-auto-set" {
		t.Errorf("judged %+v", j)
	}
}

func TestTheQuestionNamesTheDirectoryOfTheStep(t *testing.T) {
	g, log, ask := newGate(0, gate.Approved, gate.Approved)
	elsewhere := step(1, call.Exec)
	elsewhere.Dir = "/elsewhere"
	g.Permit(t.Context(), elsewhere)
	g.Permit(t.Context(), step(2, call.Exec))
	if ask.asked[0].Dir != "/elsewhere" || ask.asked[1].Dir != "/w" {
		t.Errorf("asked about %s and %s", ask.asked[0].Dir, ask.asked[1].Dir)
	}
	if j := log.bodies[1].(event.Judgement); j.Dir != "/elsewhere" {
		t.Errorf("judged %+v", j)
	}
}

func TestARefusalRepeatsOnlyTheBeginningOfALongStep(t *testing.T) {
	g, _, _ := newGate(0, gate.Denied)
	s := step(1, call.Exec)
	s.Text = strings.Repeat("é", 100_000)
	if o := g.Permit(t.Context(), s); len(o.Refusal) > 3000 || !strings.Contains(o.Refusal, "more bytes") || !utf8.ValidString(o.Refusal) {
		t.Errorf("a refusal of %d bytes", len(o.Refusal))
	}
}

func TestEveryOtherAnswerRefusesAndTakesTheRestWithIt(t *testing.T) {
	for _, a := range []gate.Answer{gate.Denied, gate.Unanswered, gate.GatewayRefused} {
		g, log, ask := newGate(call.Of(call.Read), a)
		if o := g.Permit(t.Context(), step(1, call.Read)); !o.Runs {
			t.Fatal(o.Refusal)
		}
		o := g.Permit(t.Context(), step(2, call.Exec))
		if o.Runs || o.Answer != a || !strings.Contains(o.Refusal, "step 2 (step) did not run") {
			t.Errorf("%v: %+v", a, o)
		}
		if o := g.Permit(t.Context(), step(3, call.Read)); o.Runs {
			t.Errorf("%v: a later step was let through", a)
		}
		if err := g.Start(t.Context()); err == nil || slices.Contains(log.kinds, event.Dispatched) {
			t.Errorf("%v: the pipeline started without its refused stage: %v", a, log.kinds)
		}
		if len(ask.asked) != 1 {
			t.Errorf("%v: asked %d times", a, len(ask.asked))
		}
	}
}

func TestWhatCannotBeRecordedDoesNotRun(t *testing.T) {
	for _, kind := range []event.Kind{event.Asked, event.Judged, event.Dispatched} {
		g, log, _ := newGate(call.Of(call.Read), gate.Approved)
		log.fail = kind
		o := g.Permit(t.Context(), step(1, call.Exec))
		if kind != event.Dispatched && (o.Runs || !strings.Contains(o.Refusal, "disk full")) {
			t.Errorf("%s cannot be recorded, and the outcome is %+v", kind, o)
		}
		if err := g.Start(t.Context()); err == nil {
			t.Errorf("%s cannot be recorded, and the step started", kind)
		}
	}
}

func TestAStandingYesCoversNothingThatIsGuarded(t *testing.T) {
	for s := range call.All + 1 {
		q := approvals.Question{Step: call.Step{Effects: s}}
		r := approvals.Standing{Yes: true, Flag: "--yes"}.Ask(t.Context(), q)
		if guarded := s.Has(call.Secret) || s.Has(call.Protected); (r.Answer == gate.Approved) == guarded {
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
		next := &scripted{answers: []gate.Answer{gate.Approved}}
		r := approvals.Shielded{Next: next}.Ask(t.Context(), approvals.Question{Step: call.Step{Effects: s}})
		if guarded := s&approvals.Guarded != 0; guarded != (len(next.asked) == 0) || guarded != (r.Answer == gate.GatewayRefused) {
			t.Errorf("%v: asked %d, %v", s, len(next.asked), r.Answer)
		}
	}
}
