package bridge

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"tenet/adapters/admission"
	"tenet/adapters/approvals"
	model "tenet/adapters/provider"
	"tenet/adapters/session"
	"tenet/bridge/engine"
	coreadmission "tenet/core/admission"
	"tenet/core/call"
	"tenet/core/event"
	"tenet/core/gate"
	"tenet/core/surface"
	"tenet/core/turn"
	"tenet/laws"
	"tenet/laws/law"
	"tenet/models/run"
)

var runMachine = engine.Machine[run.State, run.Op, turn.Act]{Step: run.Step, Ops: run.Ops}

func runArea() Area {
	return Area{
		Name:       "run",
		Relation:   Same,
		Bound:      "production's 250 rounds, 3 retries, 8 notes and 2 compactions with 1 poll; production's 1440 polls with 2 rounds, 3 retries, 1 note and 1 compaction; no budget at all; any input in any phase",
		Laws:       law.Infos(laws.RunBook),
		Production: []any{turn.Config.Step, (*session.Session).Prompt},
		Exhaust: func(names ...string) (engine.Report, error) {
			return engine.Exhaust(runMachine, Pick(laws.RunBook, names))
		},
		Quick: runQuick,
	}
}

// runQuick plays every short story and many longer ones on real sessions. It plays
// no transient failure: their waits need virtual time, which TestRunStories has.
func runQuick() error {
	limits := turn.Config{Rounds: 2, Retries: 1, Notes: 2, Compactions: 1, Polls: 2}
	if _, err := engine.Every(4, func(src engine.Source) error { return playStory(src, limits, patient) }); err != nil {
		return err
	}
	limits.Rounds = 5
	return engine.Many(200, 12, 1, func(src engine.Source) error { return playStory(src, limits, patient) })
}

// story is what the model and the person do at one request.
type story int

const (
	answers      story = iota // a text
	says                      // a text, and a call that runs
	callsTwice                // a call that runs, and one whose arguments were cut
	cutReply                  // calls, but the reply hit the output limit
	silent                    // nothing but thinking
	stalls                    // nothing at all, for too long
	refuses                   // a failure that cannot pass
	stopsAsking               // the person stops while the request is out
	stopsCalling              // the person stops while a call runs
	stumbles                  // a failure that may pass
	stories      = iota
	patient      = int(stumbles) // the stories before it need no wait
)

// runStage is a model, a log and a tool for one story, and the turn as core tells it.
type runStage struct {
	src    engine.Source
	kinds  int
	limits turn.Config
	stop   context.CancelCauseFunc
	now    story

	// want is what core makes of the same story.
	want turn.State
	ran  int
	runs int // calls that must have run

	foldedLog
	// cut are the requests whose replies were not taken, wrong is what was seen of one.
	cut   [][]model.Message
	wrong error
}

// playStory runs one prompt of a real session against a story and compares its end
// with core's; the log it leaves must contradict itself nowhere (log_dispatched_first).
func playStory(src engine.Source, limits turn.Config, kinds int) error {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	st := &runStage{src: src, kinds: kinds, limits: limits, stop: cancel}
	slots, err := admission.New(coreadmission.Limits{Slots: 1, Queue: 1})
	if err != nil {
		return err
	}
	s, err := session.Open(session.Options{
		ID: "s", Version: "v", Workspace: "/w", Profile: "p", Policies: approvals.NewPolicies(&gate.Policy{Auto: call.Of(call.Write)}, nil), Limits: limits,
		Provider: st, Slots: slots, Asker: approvals.Nobody{}, Log: st, Tools: []session.Tool{st.tool()},
	})
	if err != nil {
		return err
	}
	got, err := s.Prompt(ctx, "go")
	if err != nil {
		return err
	}
	return st.compare(got)
}

func (st *runStage) compare(got event.Ending) error {
	if st.wrong != nil {
		return fmt.Errorf("%w\n%+v", st.wrong, st.raw)
	}
	want := st.want
	if got.How != want.End.String() || got.Rounds != int(want.Rounds) || !strings.HasPrefix(got.Cause, causePrefix(want.Cause)) {
		return fmt.Errorf("the session ended %+v, core says %+v\n%+v", got, want, st.raw)
	}
	if st.ran != st.runs {
		return fmt.Errorf("%d calls ran, %d should have\n%+v", st.ran, st.runs, st.raw)
	}
	if len(st.state.Disorders) > 0 || len(st.state.Unresolved()) > 0 || st.state.InTurn {
		return fmt.Errorf("the log contradicts itself: %v, without a result %v, in a turn %v\n%+v", st.state.Disorders, st.state.Unresolved(), st.state.InTurn, st.raw)
	}
	return nil
}

func causePrefix(c turn.Cause) string {
	switch c {
	case turn.None, turn.Broken:
		return ""
	case turn.RoundLimit:
		return "run_limit"
	case turn.ModelError, turn.NoAnswer, turn.Stuck, turn.Late, turn.TooLong:
		return "model_error"
	}
	return ""
}

// tell moves core's turn.
func (st *runStage) tell(in turn.Input) turn.Act {
	var act turn.Act
	st.want, act = st.limits.Step(st.want, in)
	return act
}

// Name is the model's name.
func (st *runStage) Name() string { return "story" }

// Reply plays the next piece of the story.
func (st *runStage) Reply(ctx context.Context, r model.Request, _ func(model.Delta)) (event.Reply, error) {
	if st.wrong == nil {
		st.wrong = st.asked(r.Messages)
	}
	st.now = answers
	if st.src.More() {
		st.now = story(st.src.Pick(st.kinds, "story"))
	}
	st.tell(turn.Input{Kind: turn.Ready})
	one := event.ToolCall{Provider: "x", Tool: "touch", Args: `{}`}
	cut := event.ToolCall{Provider: "x", Tool: "touch", Args: `{"i": "ha`}
	switch st.now {
	case answers:
		return st.replied(event.Reply{Text: "done", Stop: "stop"}, 0)
	case says:
		return st.replied(event.Reply{Text: "look", Calls: []event.ToolCall{one}, Stop: "stop"}, 1)
	case callsTwice:
		return st.replied(event.Reply{Calls: []event.ToolCall{one, cut}, Stop: "toolUse"}, 1)
	case cutReply:
		return st.replied(event.Reply{Calls: []event.ToolCall{one, cut}, Stop: "length"}, 0)
	case silent:
		st.cut = append(st.cut, r.Messages)
		return st.replied(event.Reply{Thinking: "hm", Text: " \n", Stop: "stop"}, 0)
	case stalls:
		st.cut = append(st.cut, r.Messages)
		st.tell(turn.Input{Kind: turn.Stalled})
		return event.Reply{}, &model.Error{Class: model.Stalled, Message: "silence", Silent: time.Minute}
	case refuses:
		st.tell(turn.Input{Kind: turn.Failure})
		return event.Reply{}, &model.Error{Class: model.Auth, Message: "no"}
	case stopsAsking:
		st.tell(turn.Input{Kind: turn.Abort})
		st.stop(errors.New("stopped"))
		<-ctx.Done()
		return event.Reply{Text: "too late", Stop: "stop"}, nil
	case stopsCalling:
		return st.replied(event.Reply{Calls: []event.ToolCall{one, one}, Stop: "toolUse"}, 1)
	case stumbles:
		st.tell(turn.Input{Kind: turn.Failure, Transient: true})
		return event.Reply{}, &model.Error{Class: model.Cut, Message: "cut"}
	}
	return event.Reply{}, errors.New("no such story")
}

// asked judges what a request carries: the context of the log and, after a reply that was
// not taken, one note that names the attempt; never what was refused once, and never a
// note in the log (laws run_retry_sends_a_new_request, run_cut_names_the_request,
// run_note_is_never_logged).
func (st *runStage) asked(got []model.Message) error {
	logged := st.state.Messages
	rest := got[min(1, len(got)):] // the system's own prompt
	if n := st.want.Note; n > 0 {
		head := fmt.Sprintf("Harness note, attempt %d: ", n)
		if len(rest) == 0 || rest[len(rest)-1].Role != model.User || !strings.HasPrefix(rest[len(rest)-1].Text, head) {
			return fmt.Errorf("the request after a refused reply does not end with %q: %+v", head, rest)
		}
		rest = rest[:len(rest)-1]
	}
	if len(rest) != len(logged) {
		return fmt.Errorf("a request carries %d messages, the log has %d: %+v", len(rest), len(logged), rest)
	}
	for i, m := range rest {
		if m.Text != logged[i].Text || strings.HasPrefix(m.Text, "Harness note") {
			return fmt.Errorf("message %d of a request is %+v, the log has %+v", i, m, logged[i])
		}
	}
	for _, c := range st.cut {
		if reflect.DeepEqual(c, got) {
			return fmt.Errorf("a request was sent again whose reply was not taken: %+v", got)
		}
	}
	return nil
}

// replied tells core of the reply, and of its round, which ends before the next request.
func (st *runStage) replied(r event.Reply, runs int) (event.Reply, error) {
	act := st.tell(turn.Input{Kind: turn.Replied, Text: strings.TrimSpace(r.Text) != "", Calls: len(r.Calls) > 0, Length: r.Stop == "length"})
	if act == turn.Run {
		st.runs += runs
	}
	switch {
	case st.now == stopsCalling:
		st.tell(turn.Input{Kind: turn.Abort})
	case act == turn.Run || act == turn.Truncate:
		st.tell(turn.Input{Kind: turn.RoundDone})
	}
	return r, nil
}

// tool counts what ran; it writes, so it goes through the gate.
func (st *runStage) tool() session.Tool {
	return session.Tool{Tool: surface.Tool{Name: "touch"}, Run: func(ctx context.Context, g *approvals.Gate, _ surface.Args) (session.Output, error) {
		step := call.Step{N: 1, Text: "touch", Effects: call.Of(call.Write)}
		if o := g.Permit(ctx, func() []call.Step { return []call.Step{step} }); !o.Runs {
			return session.Output{}, errors.New(o.Refusal)
		}
		if o := g.Confirm(step, step.Text); !o.Runs {
			return session.Output{}, errors.New(o.Refusal)
		}
		if err := g.Start(ctx); err != nil {
			return session.Output{}, err
		}
		st.ran++
		if st.now == stopsCalling {
			st.stop(errors.New("stopped"))
			<-ctx.Done()
		}
		return session.Output{Text: "touched"}, nil
	}}
}
