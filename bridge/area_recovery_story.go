package bridge

import (
	"context"
	"errors"
	"fmt"
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
	core "tenet/core/recovery"
	"tenet/core/surface"
	"tenet/core/turn"
	"tenet/models/recovery"
)

// recoveryQuick plays stuck models on real sessions beside the model: every story of
// three replies, then long ones that dwell on one way of being stuck.
func recoveryQuick() error {
	if _, err := engine.Every(3, func(src engine.Source) error { return playStuck(src, recoveryOps) }); err != nil {
		return err
	}
	for i, dwell := range [][]recovery.Op{
		{{Kind: recovery.AtLimit}},
		{{Kind: recovery.Leak}},
		{{Kind: recovery.Made, Calls: 1}, {Kind: recovery.Leaked, Calls: 1}},
		{{Kind: recovery.AtLimit}, {Kind: recovery.Leak}, {Kind: recovery.Silent}, {Kind: recovery.Failed}},
	} {
		ops := append(append([]recovery.Op(nil), dwell...), recoveryOps...)
		for range 3 { // most replies are of the way that is dwelt on
			ops = append(ops, dwell...)
		}
		if err := engine.Many(100, 14, uint64(i), func(src engine.Source) error { return playStuck(src, ops) }); err != nil {
			return err
		}
		if err := playStuck(unchosen{}, dwell); err != nil { // nothing else, until the turn ends
			return err
		}
	}
	return nil
}

var recoveryOps = []recovery.Op{
	{Kind: recovery.Answered}, {Kind: recovery.AtLimit}, {Kind: recovery.Leak}, {Kind: recovery.Leaked, Calls: 1}, {Kind: recovery.Leaked, Calls: 2}, {Kind: recovery.Made, Calls: 1}, {Kind: recovery.Made, Calls: 2},
	{Kind: recovery.Silent}, {Kind: recovery.Cut}, {Kind: recovery.Stalled}, {Kind: recovery.Failed}, {Kind: recovery.Spoke},
}

// unchosen is a story without a choice: the first reply, again and again.
type unchosen struct{}

// Pick picks the first.
func (unchosen) Pick(int, string) int { return 0 }

// More is false.
func (unchosen) More() bool { return false }

// stuckStage is a stuck model, a log and two tools, and the same story in the model.
type stuckStage struct {
	src  engine.Source
	ops  []recovery.Op
	self *session.Session

	want  recovery.State
	runs  []string // calls that must have run
	ran   []string
	steer bool // a person's message comes with the next request

	foldedLog
	wrong error
}

func playStuck(src engine.Source, ops []recovery.Op) error {
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	st := &stuckStage{src: src, ops: ops}
	slots, err := admission.New(coreadmission.Limits{Slots: 1, Queue: 1})
	if err != nil {
		return err
	}
	st.self, err = session.Open(session.Options{
		ID: "s", Version: "v", Workspace: "/w", Profile: "p", Policies: approvals.NewPolicies(&gate.Policy{Auto: call.Of(call.Write)}, nil), Limits: recovery.Limits,
		Provider: st, Slots: slots, Asker: approvals.Nobody{}, Log: st, Tools: st.tools(), Waits: session.Waits{Base: time.Nanosecond},
	})
	if err != nil {
		return err
	}
	got, err := st.self.Prompt(ctx, "go")
	if err != nil {
		return err
	}
	return st.compare(got)
}

func (st *stuckStage) compare(got event.Ending) error {
	if st.wrong != nil {
		return fmt.Errorf("%w\n%+v", st.wrong, st.raw)
	}
	want := st.want.Turn
	if got.How != want.End.String() || got.Rounds != int(want.Rounds) || !strings.HasPrefix(got.Cause, causePrefix(want.Cause)) {
		return fmt.Errorf("the session ended %+v, the model %+v\n%+v", got, want, st.raw)
	}
	if fmt.Sprint(st.ran) != fmt.Sprint(st.runs) {
		return fmt.Errorf("the calls %v ran, and should have been %v\n%+v", st.ran, st.runs, st.raw)
	}
	if len(st.state.Disorders) > 0 || len(st.state.Unresolved()) > 0 {
		return fmt.Errorf("the log contradicts itself: %v, without a result %v\n%+v", st.state.Disorders, st.state.Unresolved(), st.raw)
	}
	return nil
}

// tell moves the model.
func (st *stuckStage) tell(op recovery.Op) recovery.Out {
	to, out := recovery.Step(st.want, op)
	st.want = to
	return out
}

// Name is the model's name.
func (st *stuckStage) Name() string { return "stuck" }

// Reply plays the next piece of the story.
func (st *stuckStage) Reply(_ context.Context, r model.Request, _ func(model.Delta)) (event.Reply, error) {
	if st.steer {
		st.steer = false
		st.tell(recovery.Op{Kind: recovery.Spoke})
	}
	if st.wrong == nil {
		st.wrong = st.asked(r.Messages)
	}
	st.tell(recovery.Op{Kind: recovery.Ready})
	op := st.next()
	if op.Kind == recovery.Spoke {
		if _, err := st.self.Submit("by the way", "steer"); err != nil {
			return event.Reply{}, err
		}
		st.steer, op = true, recovery.Op{Kind: recovery.Made, Calls: 1}
	}
	if out := st.tell(op); out.Turn == turn.Run {
		st.runs = append(st.runs, toolOf(op.Calls))
	}
	return stuckReply(op)
}

// next is the next reply; with the choices spent, the last one again.
func (st *stuckStage) next() recovery.Op {
	if st.src.More() {
		return st.ops[st.src.Pick(len(st.ops), "reply")]
	}
	return st.ops[0]
}

const brokenLeak = "I look.\n<tool_call>\n{\"name\": \"see\", \"arguments\": {\"at\"\n"

func stuckReply(op recovery.Op) (event.Reply, error) {
	switch args := argsOf(op.Calls); op.Kind {
	case recovery.AtLimit:
		return event.Reply{Thinking: "I plan it all again", Stop: "length", Output: 4096}, nil
	case recovery.Leak:
		return event.Reply{Text: brokenLeak, Stop: "stop"}, nil
	case recovery.Leaked:
		return event.Reply{Text: fmt.Sprintf("I look.\n<tool_call>\n{\"name\": %q, \"arguments\": %s}\n</tool_call>", toolOf(op.Calls), args), Stop: "stop"}, nil
	case recovery.Made:
		return event.Reply{Text: "I look.", Calls: []event.ToolCall{{Provider: "same", Tool: toolOf(op.Calls), Args: args}}, Stop: "stop"}, nil
	case recovery.Answered:
		return event.Reply{Text: "done", Stop: "stop"}, nil
	case recovery.Silent:
		return event.Reply{Thinking: "hm", Text: "\n ", Stop: "stop"}, nil
	case recovery.Cut:
		return event.Reply{Text: strings.Repeat("- r/Bitcoin\n", 200), Stop: "stop"}, nil
	case recovery.Stalled:
		return event.Reply{}, &model.Error{Class: model.Stalled, Message: "silence", Silent: time.Minute}
	case recovery.Failed:
		return event.Reply{}, &model.Error{Class: model.Overload, Message: "busy"}
	case recovery.Ready, recovery.Results, recovery.Spoke, recovery.Murmured, recovery.Look, recovery.Scan:
	}
	return event.Reply{}, errors.New("no such reply")
}

func toolOf(calls uint8) string { return [...]string{"", "see", "now"}[calls] }

func argsOf(calls uint8) string { return [...]string{"", `{"at": "x", "i": "look"}`, `{}`}[calls] }

// asked judges a request: what it ends with, and that nothing of a reply that was not
// taken is in it.
func (st *stuckStage) asked(got []model.Message) error {
	for _, m := range got {
		if strings.Contains(m.Text, "<tool_call>") || m.Role == model.Assistant && m.Text != "I look." {
			return fmt.Errorf("a reply that was not taken is in the context: %+v", m)
		}
	}
	last := got[len(got)-1].Text
	n := st.want.Turn.Note
	if n == 0 {
		if strings.Contains(last, "Harness note") {
			return fmt.Errorf("a note that nothing asks for: %q", last)
		}
		return nil
	}
	head := fmt.Sprintf("Harness note, attempt %d: ", n)
	if says := noteSays(st.want.Noted); !strings.HasPrefix(last, head) || !strings.Contains(last, says) {
		return fmt.Errorf("the note after %+v is %q, want %q and %q", st.want.Noted, last, head, says)
	}
	return nil
}

// noteSays is what a note of the cause must say.
func noteSays(n recovery.Notes) string {
	switch n.Cause {
	case core.NoAnswer:
		return "no text and no tool call"
	case core.Stall:
		return "no output for 60 s"
	case core.Repeated:
		return `repeated the line "- r/Bitcoin"`
	case core.Length:
		return fmt.Sprintf("hit the 4096-token output limit while it was still reasoning. It gave no text and no tool call, so the harness discarded it with every tool call that it planned. If you plan the whole task again in your reasoning, you hit the same limit. Reason only about the next step, then call its tool. For a large answer (a file, a document, a long text), write a minimal working version first, then extend it with more edits in later turns. Length note %d of 3.", n.Row)
	case core.Leaked:
		return fmt.Sprintf("wrote a tool call as hermes markup in its text, and the harness could not read it (it is not one JSON object). No tool ran. Make the call again through the tool-calling interface, with its arguments as one JSON object that agrees with the schema of the tool. Do not write a tool call as text. If you need no tool, give the answer as plain text. Leak note %d of 2.", n.Row)
	case core.Redirect:
		return fmt.Sprintf("The harness did not run them again. Do not make these calls with these arguments again in this turn. Use different arguments, use a different tool, or give your answer with what you found. Redirect note %d of 2.", n.Row)
	case core.NoCause:
	}
	return "no such note"
}

// tools write, so they go through the gate; what they give back is a choice of the story.
func (st *stuckStage) tools() []session.Tool {
	at := surface.Param{Name: "at", Type: surface.String}
	return []session.Tool{
		{Tool: surface.Tool{Name: "see", Params: []surface.Param{at}}, Run: st.tool("see")},
		{Tool: surface.Tool{Name: "now"}, Run: st.tool("now")},
	}
}

func (st *stuckStage) tool(name string) func(context.Context, *approvals.Gate, surface.Args) (session.Output, error) {
	return func(ctx context.Context, g *approvals.Gate, _ surface.Args) (session.Output, error) {
		step := call.Step{N: 1, Text: name, Effects: call.Of(call.Write)}
		if o := g.Permit(ctx, func() []call.Step { return []call.Step{step} }); !o.Runs {
			return session.Output{}, errors.New(o.Refusal)
		}
		if o := g.Confirm(step, step.Text); !o.Runs {
			return session.Output{}, errors.New(o.Refusal)
		}
		if err := g.Start(ctx); err != nil {
			return session.Output{}, err
		}
		st.ran = append(st.ran, name)
		results := 0
		if st.src.More() {
			results = st.src.Pick(2, "results")
		}
		st.tell(recovery.Op{Kind: recovery.Results, Results: uint8(results)})
		return session.Output{Text: fmt.Sprint("result ", results)}, nil
	}
}
