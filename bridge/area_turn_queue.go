package bridge

import (
	"context"
	"errors"
	"fmt"

	"tenet/adapters/admission"
	"tenet/adapters/approvals"
	model "tenet/adapters/provider"
	"tenet/adapters/session"
	"tenet/adapters/shell"
	"tenet/bridge/engine"
	coreadmission "tenet/core/admission"
	"tenet/core/call"
	"tenet/core/event"
	"tenet/core/gate"
	"tenet/core/surface"
	core "tenet/core/turn"
	"tenet/models/turn"
)

// queueMachine is core's desk closed with a person who writes at any time.
var queueMachine = engine.Machine[turn.Queue, turn.QueueOp, turn.QueueOut]{Step: turn.StepQueue, Ops: turn.QueueOps}

// queueProduction is what the laws of the desk speak about.
var queueProduction = []any{
	core.Desk.Step, core.SignalAt, (*session.Session).Submit, (*session.Session).Edit, (*session.Session).Withdraw, (*session.Session).Begin,
	(*session.Turn).Ask, (*session.Turn).Finish, (*shell.Shell).Run,
}

// queueQuick drives real sessions beside the model, and one real command that is cancelled.
func queueQuick() error {
	if _, err := engine.Every(3, deskStory); err != nil {
		return err
	}
	return inOrder(func() error { return engine.Many(150, 30, 1, deskStory) }, cancelledCommand)
}

// deskStage is a session whose model, tools, hooks and person do what the source picks. It
// acts inside the session's own calls, so that every step of the story has its place.
type deskStage struct {
	src    engine.Source
	s      *session.Session
	cancel context.CancelFunc
	want   turn.Queue
	ids    [turn.Messages]string
	state  event.State
	count  int // records
	hooks  int // stop hooks of the session
	asks   int // questions so far
	jobs   int // jobs so far
	woken  bool
	how    string
	gone   map[string]turn.Fate // of the messages that wait no more
	err    error
}

// deskStory plays up to three turns.
func deskStory(src engine.Source) error {
	st := &deskStage{src: src, gone: map[string]turn.Fate{}}
	st.hooks = src.Pick(turn.Hooks+1, "hooks")
	if err := st.open(); err != nil {
		return err
	}
	for range turn.Messages {
		st.meddle(nil)
		if err := st.turn(); err != nil {
			return err
		}
	}
	return st.err
}

func (st *deskStage) open() error {
	slots, err := admission.New(coreadmission.Limits{Slots: 1, Queue: 1})
	if err != nil {
		return err
	}
	o := session.Options{
		ID: "s", Version: "v", Workspace: "/w", Profile: "p", Policies: approvals.NewPolicies(&gate.Policy{Auto: call.Grantable}, nil),
		Limits: core.Config{Rounds: 30, Notes: 1}, Provider: st, Slots: slots, Asker: approvals.Nobody{}, Log: st, Tools: []session.Tool{st.touch(), st.finish()},
	}
	for i := range st.hooks {
		o.Hooks = append(o.Hooks, session.Hook{Name: fmt.Sprint(i), Run: st.hook})
	}
	st.s, err = session.Open(o)
	return err
}

// turn begins the next turn: by the oldest message that waits, by news of a job, or by a
// message of its own when there is neither.
func (st *deskStage) turn() error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	st.cancel, st.how = cancel, core.Answered.String()
	m := st.unwritten()
	if len(st.state.Queue) > 0 || m == 0 || st.want.News {
		o := st.step(turn.QueueOp{Move: core.OnNext})
		st.woken = o == core.DoWake
		if o != core.DoBegin && !st.woken {
			_, ok, err := st.s.Begin(ctx)
			st.check(!ok && err == nil, "a turn began with nothing that waits: %v", err)
			return st.err
		}
		e, ok, err := st.s.Begin(ctx)
		st.check(ok && err == nil, "what waited began no turn: %v", err)
		return st.ended(e)
	}
	st.step(turn.QueueOp{Move: core.OnMessage, Message: m})
	st.ids[m-1], st.woken = "prompt", false
	e, err := st.s.Prompt(ctx, text(m))
	st.check(err == nil, "the prompt failed: %v", err)
	return st.ended(e)
}

func (st *deskStage) ended(e event.Ending) error {
	st.step(turn.QueueOp{Move: core.OnLeave})
	st.compare()
	st.check(e.How == st.how, "the turn ended %s (%s), the model says %s", e.How, e.Cause, st.how)
	st.check(len(st.state.Disorders) == 0 && len(st.state.Calls) == 0 && !st.state.InTurn, "the log contradicts itself: %v", st.state.Disorders)
	return st.err
}

func text(m uint8) string { return fmt.Sprintf("message %d", m) }

func (st *deskStage) unwritten() uint8 {
	for i, f := range st.want.Fate {
		if f == turn.Unwritten {
			return uint8(i + 1)
		}
	}
	return 0
}

// step moves the model and keeps what it says of the turn's end.
func (st *deskStage) step(op turn.QueueOp) core.Order {
	var out turn.QueueOut
	st.want, out = turn.StepQueue(st.want, op)
	if out.Order == core.DoHalt {
		st.how = core.Aborted.String()
	}
	return out.Order
}

func (st *deskStage) check(ok bool, format string, args ...any) {
	if !ok && st.err == nil {
		st.err = fmt.Errorf("%s\nthe model: %+v\nthe log: waiting %+v, %d turns", fmt.Sprintf(format, args...), st.want, st.state.Queue, st.state.Turns)
	}
}

// compare holds what the log says of every message to the model.
func (st *deskStage) compare() {
	for i, f := range st.want.Fate {
		if st.ids[i] != "prompt" {
			st.check(st.fate(st.ids[i]) == f, "message %d is %v in the log", i+1, st.fate(st.ids[i]))
		}
	}
	n := 0
	for _, m := range st.want.Line {
		if m != 0 {
			st.check(n < len(st.state.Queue) && st.state.Queue[n].ID == st.ids[m-1], "message %d does not wait at place %d", m, n+1)
			n++
		}
	}
	st.check(n == len(st.state.Queue), "%d messages wait in the log", len(st.state.Queue))
}

// fate is what the log says of a message.
func (st *deskStage) fate(id string) turn.Fate {
	for _, q := range st.state.Queue {
		if q.ID == id && id != "" {
			return map[string]turn.Fate{event.Queue: turn.Queues, event.Steer: turn.Steers}[q.How]
		}
	}
	return st.gone[id]
}

// meddle is what a person does at one place: g is the call that runs, nil between calls.
func (st *deskStage) meddle(g *approvals.Gate) {
	for st.src.More() {
		switch st.src.Pick(10, "person") {
		case 0:
			st.submit(core.OnMessage, event.Queue)
		case 1:
			st.submit(core.OnSteer, event.Steer)
		case 2:
			st.withdraw()
		case 3:
			st.edit()
		case 4:
			st.stop()
		case 5:
			st.question(g)
		case 6:
			st.answer(g)
		case 7:
			st.detach(g)
		case 8:
			st.settle()
		case 9:
			return
		}
		st.compare()
	}
}

func (st *deskStage) stop() {
	if st.cancel != nil && st.want.Desk.Stage != core.Idle {
		st.step(turn.QueueOp{Move: core.OnCancel})
		st.cancel()
	}
}

// detach makes a job of the running call; settle ends the oldest.
func (st *deskStage) detach(g *approvals.Gate) {
	if g == nil {
		return
	}
	st.jobs++
	st.check(g.Log.Record(event.Detachment{Job: fmt.Sprintf("job_%d", st.jobs), Call: g.Call, Kind: "shell", Command: "x"}) == nil, "a job cannot be recorded")
}

func (st *deskStage) settle() {
	if len(st.state.Jobs) > 0 {
		st.step(turn.QueueOp{Move: core.OnSettled})
		st.check(st.s.Settle(event.Settlement{Job: st.state.Jobs[0].Job, Status: "finished"}) == nil, "a job cannot be settled")
	}
}

func (st *deskStage) submit(m core.Move, how string) {
	n := st.unwritten()
	if n == 0 || len(st.state.Queue) >= turn.Room || st.want.Desk.Stage == core.Idle && len(st.state.Queue) == 0 {
		return // the model's room, and a message that would begin a turn: see turn
	}
	o := st.step(turn.QueueOp{Move: m, Message: n})
	if o == core.DoKeep && st.want.Desk.Stage == core.Idle {
		st.want.Fate[n-1] = turn.Queues
	}
	id, err := st.s.Submit(text(n), how)
	var b *session.Blocked
	switch {
	case o == core.DoBlock:
		st.check(errors.As(err, &b) && b.ID != "", "a message during a question: %q, %v", id, err)
	default:
		st.check(err == nil && id != "", "the message was refused: %v", err)
		st.ids[n-1] = id
	}
}

func (st *deskStage) withdraw() {
	if len(st.state.Queue) == 0 {
		return
	}
	q := st.state.Queue[st.src.Pick(len(st.state.Queue), "message")]
	st.gone[q.ID] = turn.Withdrawn
	m := core.OnWithdraw
	if q.How == event.Steer {
		m = core.OnWithdrawSteer
	}
	st.step(turn.QueueOp{Move: m, Message: st.number(q.ID)})
	err := st.s.Withdraw(q.ID)
	st.check(err == nil && st.s.Withdraw(q.ID) != nil, "withdrawn once and twice: %v", err)
}

func (st *deskStage) edit() {
	if len(st.state.Queue) > 0 {
		id := st.state.Queue[0].ID
		st.step(turn.QueueOp{World: turn.Edits, Message: st.number(id)})
		st.check(st.s.Edit(id, text(st.number(id))+", edited") == nil, "a waiting message cannot be edited")
	}
}

func (st *deskStage) number(id string) uint8 {
	for i, known := range st.ids {
		if known == id {
			return uint8(i + 1)
		}
	}
	return 0
}

// question opens one of the running call; answer closes the oldest.
func (st *deskStage) question(g *approvals.Gate) {
	if g == nil || st.want.Desk.Open >= turn.OpenAtOnce {
		return
	}
	st.asks++
	st.step(turn.QueueOp{Move: core.OnQuestion})
	st.check(g.Log.Record(event.Inquiry{ID: fmt.Sprintf("q%d", st.asks), Call: g.Call, Text: "which?"}) == nil, "a question cannot be recorded")
}

func (st *deskStage) answer(g *approvals.Gate) {
	if g == nil || st.want.Desk.Open == 0 {
		return
	}
	st.step(turn.QueueOp{Move: core.OnAnswer})
	st.check(g.Log.Record(event.Answer{ID: st.state.Inquiries[0].ID, Text: "this"}) == nil, "an answer cannot be recorded")
}

// Name is the model's name.
func (st *deskStage) Name() string { return "desk" }

// Reply is the model: it answers, makes one or two calls, or finishes.
func (st *deskStage) Reply(ctx context.Context, _ model.Request, _ func(model.Delta)) (event.Reply, error) {
	st.step(turn.QueueOp{Move: core.OnRequest})
	st.compare()
	st.meddle(nil)
	if ctx.Err() != nil {
		return event.Reply{}, context.Cause(ctx)
	}
	touch, finish := event.ToolCall{Tool: "touch", Args: fmt.Sprintf(`{"n":%d}`, st.count)}, event.ToolCall{Tool: "finish", Args: `{}`}
	if !st.src.More() {
		return event.Reply{Text: "done", Stop: "stop"}, nil
	}
	switch st.src.Pick(4, "reply") {
	case 0:
		return event.Reply{Calls: []event.ToolCall{touch}}, nil
	case 1:
		return event.Reply{Calls: []event.ToolCall{touch, touch}}, nil
	case 2:
		return event.Reply{Calls: []event.ToolCall{finish, touch}}, nil
	}
	return event.Reply{Text: "done", Stop: "stop"}, nil
}

// touch is a call during which anything may happen.
func (st *deskStage) touch() session.Tool {
	return session.Tool{Tool: surface.Tool{Name: "touch", Params: []surface.Param{{Name: "n", Type: surface.Integer}}}, Run: func(_ context.Context, g *approvals.Gate, _ surface.Args) (session.Output, error) {
		st.called()
		st.meddle(g)
		st.returns()
		return session.Output{Text: "touched"}, nil
	}}
}

func (st *deskStage) called() {
	o := st.step(turn.QueueOp{Move: core.OnCall})
	st.check(o == core.DoProceed, "a call started, and the model says %v", o)
	st.want.Alive = false // it runs no command
}

// returns: what the call asked and nobody answered ends with it.
func (st *deskStage) returns() core.Order {
	for st.want.Desk.Open > 0 {
		st.step(turn.QueueOp{Move: core.OnAnswer})
	}
	return st.step(turn.QueueOp{Move: core.OnReturn})
}

func (st *deskStage) finish() session.Tool {
	return session.Tool{Tool: surface.Tool{Name: "finish"}, Turn: func(ctx context.Context, t *session.Turn, _ surface.Args) (session.Output, error) {
		st.called()
		st.meddle(t.Gate)
		ran := st.want.Desk
		o := st.step(turn.QueueOp{Move: core.OnFinish, N: uint8(st.hooks)})
		out, err := t.Finish(ctx, "finished")
		st.check(o != core.DoHook || st.want.Desk.Stage != core.Finishing || ctx.Err() != nil, "finish came back before its hooks, from %+v", ran)
		o = st.returns()
		st.check(ctx.Err() != nil || (o == core.DoEnd) == (err == nil && out.Ends), "finish led to %+v, %v, and the model says %v", out, err, o)
		return out, err
	}}
}

// hook is a stop hook during which anything may happen.
func (st *deskStage) hook(ctx context.Context) (string, error) {
	st.check(st.want.Desk.Stage == core.Finishing, "a stop hook ran while the model was %v", st.want.Desk.Stage)
	st.meddle(nil)
	if st.src.More() && st.src.Pick(2, "hook") == 1 && ctx.Err() == nil {
		st.step(turn.QueueOp{Move: core.OnFail})
		return "red", errors.New("exit status 1")
	}
	if ctx.Err() == nil {
		st.step(turn.QueueOp{Move: core.OnPass})
	}
	return "green", nil
}

// Commit keeps the log's fold, and what became of the messages that wait no more.
func (st *deskStage) Commit(bodies ...event.Body) ([]event.Record, error) {
	var out []event.Record
	for _, b := range bodies {
		p, ok := b.(event.Prompt)
		if ok && p.Submission != "" {
			st.check(st.gone[p.Submission] == turn.Unwritten, "message %s was delivered again", p.Submission)
			st.gone[p.Submission] = map[bool]turn.Fate{true: turn.Went, false: turn.Ran}[p.Steer]
		}
		st.check(!ok || p.Steer || p.Woken == st.woken, "a turn began with %+v, and the model says that a job woke it: %v", p, st.woken)
		if ok && p.Woken && st.src.More() {
			st.stop() // a person stops the woken turn before its request
		}
		st.count++
		st.state = st.state.With(uint64(st.count), b)
		out = append(out, event.Record{Seq: uint64(st.count), Kind: event.KindOf(b)})
	}
	return out, nil
}
