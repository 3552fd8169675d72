package bridge

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"strings"

	"tenet/adapters/approvals"
	"tenet/adapters/docs"
	paths "tenet/adapters/pathpolicy"
	"tenet/bridge/engine"
	"tenet/core/call"
	"tenet/core/event"
	"tenet/core/gate"
	"tenet/core/rules"
	"tenet/core/surface"
	"tenet/laws"
	"tenet/laws/law"
	"tenet/models/turn"
)

// turnDrive runs one history on real gates and real document tools. The laws of
// permission that speak of the same machine are judged as well.
func turnDrive(src engine.Source, n engine.Premises) (err error) {
	p, err := newTurnRig()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	book := append(append([]law.Law[turn.State, turn.Op, turn.Out]{}, laws.TurnBook...), laws.BypassBook...)
	m := turnMachine
	m.Ops = turnOften
	return engine.Drive(src, m, p, book, n)
}

// turnOften is what may happen, and changes, lasting answers and what was allowed more
// often than the rest: a history is short, and an allow says something only when its
// subject comes again.
func turnOften(s turn.State) iter.Seq[turn.Op] {
	return func(yield func(turn.Op) bool) {
		for op := range turn.Ops(s) {
			lasting := op.Kind == turn.Answer && (op.Answer == gate.AllowSession || op.Answer == gate.AllowAlways)
			again := op.Kind == turn.Make && (s.Granted | s.Standing).Has(op.Subject)
			times := 1
			if lasting || again || op.Kind == turn.Change {
				times = 8
			}
			for range times {
				if !yield(op) {
					return
				}
			}
		}
	}
}

// turnRig is one project on a disk, a session in it, and the call that the session has
// open. The tool runs in a goroutine of its own and stands still while its question is
// open, and between its verdict and what follows; the history moves it on.
type turnRig struct {
	top    string
	place  turn.Place
	ctx    context.Context
	cancel context.CancelFunc

	policies *approvals.Policies
	// saved is what the project's file got, state the fold of the session's log.
	saved  []event.Grant
	state  event.State
	loaded bool

	call turnCall
	n    int
}

// turnCall is the open call, and what production said of it.
type turnCall struct {
	made      bool
	subject   turn.Subject
	elsewhere bool
	// world is which version the rig made the world be in, for what is no file.
	world   turn.Version
	gate    *approvals.Gate
	records []event.Body
	// digests are the versions that production's plans were of.
	digests map[string]turn.Version
	asked   chan approvals.Question
	answers chan gate.Answer
	// judged has a verdict that may run, and goes on when moved.
	judged, moved chan struct{}
	done          chan error
	ended         bool
	err           error
	open, parked  bool
	// told is true when the gate told the tool that it may go on.
	told bool
	// onDispatch is what another program does when the effect is about to happen.
	onDispatch func()
	last       string
	ran        bool
}

func newTurnRig() (*turnRig, error) {
	top, err := tempDir()
	if err != nil {
		return nil, err
	}
	p := &turnRig{top: top, place: turn.Place{Root: top + "/h/w", Home: top + "/h", Out: top + "/o"}}
	p.ctx, p.cancel = context.WithCancel(context.Background())
	for _, dir := range []string{p.place.Root, p.place.Home + "/.ssh", p.place.Out} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, err
		}
	}
	for _, s := range []turn.Subject{turn.Peek, turn.Key} {
		if err := os.WriteFile(s.Path(p.place), []byte("there\n"), 0o600); err != nil {
			return nil, err
		}
	}
	p.policies = p.grown(turn.Base(p.place, nil))
	return p, nil
}

// close ends a call that is still open without an answer.
func (p *turnRig) close() error {
	p.cancel()
	p.release()
	return os.RemoveAll(p.top)
}

// release lets the tool run to its end.
func (p *turnRig) release() {
	c := &p.call
	if !c.made || c.ended {
		return
	}
	if c.parked {
		c.moved <- struct{}{}
	}
	c.err = <-c.done
	c.ended, c.open, c.parked = true, false, false
}

// grown is the policies of a session, which save standing rules to the project.
func (p *turnRig) grown(base *gate.Policy) *approvals.Policies {
	return approvals.NewPolicies(base, func(g []event.Grant) error { p.saved = append(p.saved, g...); return nil })
}

// project is the project's file, read again.
func (p *turnRig) project() []rules.Rule {
	var out []rules.Rule
	for i, g := range p.saved {
		out = append(out, rules.Rule{Capability: g.Capability, Pattern: g.Pattern, Exact: g.Exact, Action: rules.Allow, Source: rules.FromProject, Position: i + 1})
	}
	return out
}

// Do takes one operation of the model to production.
func (p *turnRig) Do(op turn.Op) turn.Out {
	switch op.Kind {
	case turn.Make:
		return p.make(op)
	case turn.Change:
		p.change(p.call.subject, p.now()^1)
	case turn.Neighbor:
		if p.call.subject != turn.EditAB {
			p.change(turn.EditAB, 1)
		} else {
			p.change(turn.EditA, 1)
		}
	case turn.Answer:
		p.call.answers <- op.Answer
		p.call.open = false
		return p.wait()
	case turn.Go:
		return p.goOn(op)
	case turn.Forget:
		p.call = turnCall{}
	case turn.Renew:
		p.state, p.loaded, p.call = event.State{}, true, turnCall{}
		p.policies = p.grown(turn.Base(p.place, p.project()))
	case turn.Resume:
		p.loaded, p.call = true, turnCall{}
		p.policies = p.grown(turn.Base(p.place, p.project()).With(gate.SessionRules(p.state.Grants)))
	}
	return turn.Out{}
}

// change makes what a call is about another version: the bytes of a file, or what a
// command would reach.
func (p *turnRig) change(s turn.Subject, v turn.Version) {
	if s.Edits() {
		if err := os.WriteFile(s.Path(p.place), fmt.Appendf(nil, "old\nversion %d\n", v), 0o644); err != nil {
			panic(err) // a disk that cannot be written to shows nothing
		}
	}
	if s == p.call.subject {
		p.call.world = v
	}
}

// now is the version that stands, a file's from the disk.
func (p *turnRig) now() turn.Version {
	if !p.call.subject.Edits() {
		return p.call.world
	}
	if b, err := os.ReadFile(p.call.subject.Path(p.place)); err == nil && strings.Contains(string(b), "version 1") {
		return 1
	}
	return 0
}

// make starts a call.
func (p *turnRig) make(op turn.Op) turn.Out {
	p.n++
	p.call = turnCall{
		made: true, subject: op.Subject, elsewhere: op.Elsewhere, digests: map[string]turn.Version{},
		asked: make(chan approvals.Question), answers: make(chan gate.Answer), judged: make(chan struct{}), moved: make(chan struct{}), done: make(chan error, 1),
	}
	p.change(op.Subject, op.Version)
	policies := p.policies
	if op.Elsewhere {
		policies = approvals.NewPolicies(turn.Base(p.place, p.project()), nil)
	}
	p.call.gate = &approvals.Gate{Call: fmt.Sprint("c", p.n), Tool: op.Subject.Tool(), Dir: p.place.Root, Policies: policies, Asker: p, Log: p}
	if !op.Elsewhere {
		p.state = p.state.With(uint64(p.n), event.Call{Call: p.call.gate.Call, Tool: p.call.gate.Tool})
	}
	c := &p.call
	go func() { c.done <- p.tool(c) }()
	return p.wait()
}

// wait waits until the tool asks, has its verdict, or ends. One that was told to go on
// without a verdict that permits it counts as having run.
func (p *turnRig) wait() turn.Out {
	c := &p.call
	select {
	case q := <-c.asked:
		c.open = true
		fresh := q.Ruling.Digest != c.last && c.last != ""
		c.last = q.Ruling.Digest
		return turn.Out{Asked: true, Fresh: fresh}
	case <-c.judged:
		c.parked = true
	case c.err = <-c.done:
		c.ended = true
	}
	return turn.Out{Ran: c.told}
}

// tool does the call: a document tool by itself, a command as the shell does it.
func (p *turnRig) tool(c *turnCall) error {
	g := turnGate{c.gate, c, p}
	if c.subject.Runs() {
		return p.command(c, g)
	}
	judge := paths.New(paths.Options{Root: p.place.Root, TenetHome: p.top + "/tenet", Env: []string{"HOME=" + p.place.Home}})
	args := surface.Args{"path": c.subject.Path(p.place)}
	if c.subject.Edits() {
		args["old"], args["new"] = "old", "new"
	}
	_, err := docs.New(docs.Options{Root: p.place.Root, Judge: judge}).Run(p.ctx, g, c.subject.Tool(), args)
	c.ran = err == nil
	return err
}

func (p *turnRig) command(c *turnCall, g turnGate) error {
	plan := func() []call.Step { return []call.Step{c.subject.Step(p.place, c.world)} }
	if o := g.Permit(p.ctx, plan); !o.Runs {
		return errors.New(o.Refusal)
	}
	s := plan()[0]
	if o := g.Confirm(s, s.Text); !o.Runs {
		return errors.New(o.Refusal)
	}
	if err := g.Start(p.ctx); err != nil {
		return err
	}
	c.ran = true
	return nil
}

// turnGate is the real gate, and notes which version each plan was of.
type turnGate struct {
	*approvals.Gate
	c *turnCall
	p *turnRig
}

// Permit asks the real gate.
func (g turnGate) Permit(ctx context.Context, plan func() []call.Step) gate.Outcome {
	out := g.Gate.Permit(ctx, func() []call.Step {
		steps := plan()
		g.c.digests[call.Digest(g.Tool, steps)] = g.p.now()
		return steps
	})
	g.c.told = out.Runs
	return out
}

// goOn lets the tool go on: with its own step where it may, else against the gate.
func (p *turnRig) goOn(op turn.Op) turn.Out {
	c := &p.call
	switch {
	case !c.made:
		g := &approvals.Gate{Tool: op.Subject.Tool(), Policies: p.policies, Log: p}
		return turn.Out{Ran: p.against(g, op)}
	case !c.parked:
		return turn.Out{Ran: p.against(c.gate, op)}
	case op.Subject == c.subject:
		p.release()
		return turn.Out{Ran: c.ran}
	}
	ran := p.against(c.gate, op)
	p.release()
	if c.ran {
		panic("both the other step and the call's own ran")
	}
	return turn.Out{Ran: ran}
}

// against is a tool that does not wait to be told: it confirms what it likes, and starts.
func (p *turnRig) against(g *approvals.Gate, op turn.Op) bool {
	s := op.Subject.Step(p.place, op.Version)
	confirmed := g.Confirm(s, s.Text).Runs
	return g.Start(p.ctx) == nil || confirmed && !p.call.parked
}

// Ask hands the question to the history and waits for its answer.
func (p *turnRig) Ask(ctx context.Context, q approvals.Question) approvals.Reply {
	select {
	case p.call.asked <- q:
	case <-ctx.Done():
		return approvals.Reply{}
	}
	select {
	case a := <-p.call.answers:
		return approvals.Reply{Answer: a, By: "history"}
	case <-ctx.Done():
		return approvals.Reply{}
	}
}

// Record keeps what production says that it did. A verdict that lets the call run is
// where the history may act before the tool does.
func (p *turnRig) Record(b event.Body) error {
	c := &p.call
	c.records = append(c.records, b)
	if _, ok := b.(event.Dispatch); ok && c.onDispatch != nil {
		c.onDispatch()
	}
	j, ok := b.(event.Judgement)
	if !ok {
		return nil
	}
	if !c.elsewhere {
		p.state = p.state.With(uint64(p.n), j)
	}
	if j.Verdict == gate.Allow.String() || answerOf(j.Answer).Yes() {
		select {
		case c.judged <- struct{}{}:
			<-c.moved
		case <-p.ctx.Done():
		}
	}
	return nil
}

func answerOf(name string) gate.Answer {
	for a := gate.Unanswered; a <= gate.GatewayRefused; a++ {
		if a.String() == name {
			return a
		}
	}
	return gate.Unanswered
}

// lastMoment: a file that changes when everything was said and recorded, and only the
// write itself is left, is not written.
func lastMoment() (err error) {
	p, err := newTurnRig()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	p.make(turn.Op{Kind: turn.Make, Subject: turn.EditA})
	p.call.onDispatch = func() { p.change(turn.EditA, 1) }
	p.Do(turn.Op{Kind: turn.Answer, Answer: gate.AllowOnce})
	out := p.Do(turn.Op{Kind: turn.Go, Subject: turn.EditA})
	b, err := os.ReadFile(turn.EditA.Path(p.place))
	if err == nil && (out.Ran || string(b) != "old\nversion 1\n") {
		err = fmt.Errorf("law digest_spends_answer: bytes that changed at the last moment became %q", b)
	}
	return err
}
