package bridge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"time"

	"tenet/adapters/admission"
	"tenet/adapters/approvals"
	"tenet/adapters/docs"
	"tenet/adapters/pathpolicy"
	llm "tenet/adapters/provider"
	"tenet/adapters/session"
	"tenet/adapters/shell"
	"tenet/bridge/engine"
	coreadmission "tenet/core/admission"
	"tenet/core/call"
	"tenet/core/event"
	"tenet/core/gate"
	"tenet/core/guard"
	core "tenet/core/pathpolicy"
	"tenet/core/surface"
	"tenet/core/turn"
	"tenet/laws"
	model "tenet/models/guard"
)

// guardQuick drives real sessions beside the model: the log, the gate, the document
// tools and the shell in a workspace of their own.
func guardQuick() error {
	n := engine.Premises{}
	for seed := range uint64(30) {
		if err := driveGuard(engine.NewRandom(seed, 30), n); err != nil {
			return fmt.Errorf("seed %d: %w", seed, err)
		}
	}
	if idle := engine.Unapplied(laws.GuardBook, n); idle != nil {
		return fmt.Errorf("laws that said nothing: %v", idle)
	}
	return nil
}

// guardSessions is the machine with the calls that real tools can be given. What no
// guard would stop is never asked of them where the guard is off.
var guardSessions = engine.Machine[model.State, model.Op, model.Out]{
	Step: func(s model.State, op model.Op) (model.State, model.Out) {
		s.Made = 0 // as many calls as the history has steps
		to, out := model.Step(s, op)
		to.Made = 0
		return to, out
	},
	Ops: func(s model.State) iter.Seq[model.Op] {
		return func(yield func(model.Op) bool) {
			for op := range model.Ops(s) {
				if realOp(s, op) && !yield(op) {
					return
				}
			}
		}
	},
}

// realOp keeps the events that a session can be given.
func realOp(s model.State, op model.Op) bool {
	switch {
	case op.Kind == model.Load:
		return op.Policy != model.AllOff
	case op.Kind == model.Start:
		return false
	case op.Kind != model.Call || op.Marks == 0:
		return true
	case op.Tool == model.Shell:
		_, ok := markScript(op.Marks)
		turn := model.Failed << (s.Verdicts % 10) // one mark after the other, so that the file has its turn too
		return ok && (op.Marks == turn || op.Marks == turn|model.Dumps)
	case op.Tool == model.Stranger:
		return op.Marks == model.Secret || op.Marks == model.Failed
	default:
		return false
	}
}

// markScripts are scripts with a mark each. None is ever run.
var markScripts = map[model.Marks]string{
	model.Destroys: "git reset --hard", model.Talks: "curl http://127.0.0.1:1/x", model.Unknown: "$(echo x) y", model.Dumps: "printenv",
	model.Elsewhere: "echo x > ../elsewhere", model.Locked: "echo x > locked/x", model.Plants: "echo x > .envrc", model.Credential: "echo x > x.pem",
}

// markScript is a script with all the marks; ok is false where there is none.
func markScript(m model.Marks) (script string, ok bool) {
	var parts []string
	for bit := model.Failed; bit < model.End; bit <<= 1 {
		if m&bit == 0 {
			continue
		}
		part, ok := markScripts[bit]
		if !ok {
			return "", false
		}
		parts = append(parts, part)
	}
	// One program of several parts is one step, as the model's marks are.
	return "(" + strings.Join(parts, "; ") + ")", true
}

func driveGuard(src engine.Source, n engine.Premises) error {
	home, err := tempDir()
	if err != nil {
		return err
	}
	defer os.RemoveAll(home)
	g := &guardSession{home: home, root: filepath.Join(home, "w")}
	for _, dir := range []string{g.root, filepath.Join(home, ".aws")} {
		must(os.Mkdir(dir, 0o700))
	}
	must(os.WriteFile(filepath.Join(home, ".aws", "credentials"), []byte("x"), 0o600))
	return engine.Drive(src, guardSessions, g, laws.GuardBook, n)
}

// guardSession is a session in a workspace, with a provider that makes the one call it
// is told to.
type guardSession struct {
	home, root string
	policy     model.Policy
	session    *session.Session
	docs       *docs.Docs
	shell      *shell.Shell
	judge      docs.Judge
	log        []event.Record
	next       *event.ToolCall
	timeout    model.Timeout
}

// Do performs one event.
func (g *guardSession) Do(op model.Op) model.Out {
	switch op.Kind {
	case model.Load:
		must(g.open(op.Policy))
	case model.Other:
		must(g.other(op.Version))
	case model.Call:
		return g.call(op)
	case model.Start:
	}
	return model.Out{}
}

func (g *guardSession) open(p model.Policy) error {
	g.policy = p
	env := []string{"HOME=" + g.home, "PATH=/usr/bin:/bin"}
	judge := pathpolicy.New(pathpolicy.Options{Root: g.root, TenetHome: filepath.Join(g.home, ".tenet"), Env: env})
	g.judge = judge
	g.docs = docs.New(docs.Options{Root: g.root, Judge: judge})
	g.shell = shell.New(shell.Config{Dir: g.root, Env: env, Session: "guard", Judge: judge})
	slots, err := admission.New(coreadmission.Limits{Slots: 1, Queue: 1})
	if err != nil {
		return err
	}
	g.session, err = session.Open(session.Options{
		ID: "s", Version: "v", Workspace: g.root, Profile: "open", Policies: approvals.NewPolicies(p.For(g.root, g.home), nil), Limits: turn.Config{Rounds: 2},
		Provider: g, Slots: slots, Asker: approvals.Standing{Yes: true, Flag: "--yes"}, Log: g, Tools: g.tools(),
	})
	return err
}

func (g *guardSession) tools() []session.Tool {
	out := []session.Tool{
		{Tool: surface.Tool{Name: "bash", Params: []surface.Param{{Name: "command", Type: surface.String}, {Name: guard.TimeoutKey, Type: surface.Integer}}}, Run: g.bash},
		{Tool: surface.Tool{Name: "indexer", Params: []surface.Param{{Name: "path", Type: surface.String}}}, Run: g.index},
	}
	for _, t := range docs.Tools() {
		out = append(out, session.Tool{Tool: t, Run: func(ctx context.Context, a *approvals.Gate, args surface.Args) (session.Output, error) {
			text, err := g.docs.Run(ctx, a, t.Name, args)
			return session.Output{Text: text}, err
		}})
	}
	return out
}

// bash notes the timeout that the call's input has once the gate has spoken.
func (g *guardSession) bash(ctx context.Context, a *approvals.Gate, args surface.Args) (session.Output, error) {
	g.timeout = timeoutIn(args)
	r := g.shell.RunFor(ctx, a, args.Str("command", ""), func() time.Duration {
		patched := guard.Patch(true, args)
		g.timeout = timeoutIn(patched)
		return time.Duration(surface.Args(patched).Int(guard.TimeoutKey, 0)) * time.Second
	})
	return session.Output{Text: r.Text(), Failed: r.End.Kind != shell.Finished}, nil
}

func timeoutIn(args map[string]any) model.Timeout {
	switch args[guard.TimeoutKey] {
	case nil:
		return model.NoTimeout
	case int64(guard.DefaultTimeout):
		return model.DefaultTimeout
	}
	return model.OwnTimeout
}

// index is a tool that the policy does not know.
func (g *guardSession) index(ctx context.Context, a *approvals.Gate, args surface.Args) (session.Output, error) {
	path := args.Str("path", "")
	target, effects := g.judge.Access(g.root, path, core.Reading)
	step := call.Step{N: 1, Text: "index " + path, Effects: effects, Paths: []call.Path{{Real: target.Real.Path, Written: path, Class: target.Class.String(), Holds: target.Holds}}}
	if path == "unplanned" {
		step.Failed = "the planner gave up"
	}
	if o := a.Permit(ctx, func() []call.Step { return []call.Step{step} }); !o.Runs {
		return session.Output{}, errors.New(o.Refusal)
	}
	if o := a.Confirm(step, step.Text); !o.Runs {
		return session.Output{}, errors.New(o.Refusal)
	}
	return session.Output{Text: "indexed"}, a.Start(ctx)
}

func (g *guardSession) file() string { return filepath.Join(g.root, "f") }

func guardContent(v uint8) string { return fmt.Sprintf("content %d\nmore\n", v) }

func (g *guardSession) other(v uint8) error {
	if v == 0 {
		if err := os.Remove(g.file()); !os.IsNotExist(err) {
			return err
		}
		return nil
	}
	return os.WriteFile(g.file(), []byte(guardContent(v)), 0o600)
}

// call has the model make one call, and reads from the log how it ended.
func (g *guardSession) call(op model.Op) model.Out {
	tool, args := g.arguments(op)
	text, err := json.Marshal(args)
	must(err)
	g.next = &event.ToolCall{Provider: "p", Tool: tool, Args: string(text)}
	before := len(g.log)
	g.timeout = model.NoTimeout
	_, err = g.session.Prompt(context.Background(), "go")
	must(err)
	out := model.Out{Timeout: g.timeout}
	for _, r := range g.log[before:] {
		switch b := decoded(r).(type) {
		case event.Judgement:
			if out.Denied = b.Verdict == gate.Deny.String(); out.Denied {
				out.Rule, out.Stage = b.Rule.Name, b.Stage
			}
		case event.Result:
			out.Error, out.SaysChanged = b.Error, strings.Contains(b.Text, "CHANGED")
		}
	}
	return out
}

func (g *guardSession) arguments(op model.Op) (tool string, args map[string]any) {
	switch op.Tool {
	case model.Read:
		if op.Fails {
			return "read", map[string]any{"path": "f", "line": 99}
		}
		return "read", map[string]any{"path": "f"}
	case model.Peek:
		return "read", map[string]any{"path": "f", "limit": 1}
	case model.Write:
		return "write", map[string]any{"path": "f", "content": guardContent(op.Version)}
	case model.Edit:
		old := "nothing like it"
		if b, err := os.ReadFile(g.file()); err == nil && !op.Fails {
			old, _, _ = strings.Cut(string(b), "\n")
		}
		return "search_replace", map[string]any{"path": "f", "old": old, "new": fmt.Sprintf("content %d", op.Version)}
	case model.Shell:
		script := "true"
		if op.Marks != 0 {
			script, _ = markScript(op.Marks)
		}
		if op.Among {
			script = "true; " + script + "; true"
		}
		if op.Timed {
			return "bash", map[string]any{"command": script, guard.TimeoutKey: 5}
		}
		return "bash", map[string]any{"command": script}
	case model.Stranger:
		if op.Marks&model.Secret != 0 {
			return "indexer", map[string]any{"path": filepath.Join(g.home, ".aws", "credentials")}
		}
		if op.Marks&model.Failed != 0 {
			return "indexer", map[string]any{"path": "unplanned"}
		}
		return "indexer", map[string]any{"path": "."}
	}
	panic("no such tool")
}

// Name is the provider's.
func (g *guardSession) Name() string { return "guard" }

// Reply makes the call, then ends the turn.
func (g *guardSession) Reply(context.Context, llm.Request, func(llm.Delta)) (event.Reply, error) {
	if c := g.next; c != nil {
		g.next = nil
		return event.Reply{Calls: []event.ToolCall{*c}, Stop: "toolUse"}, nil
	}
	return event.Reply{Text: "done", Stop: "stop"}, nil
}

// Commit keeps the records as a log would: as bytes.
func (g *guardSession) Commit(bodies ...event.Body) ([]event.Record, error) {
	var out []event.Record
	for _, b := range bodies {
		text, err := json.Marshal(b)
		if err != nil {
			return nil, err
		}
		out = append(out, event.Record{Seq: uint64(len(g.log) + len(out) + 1), Kind: event.KindOf(b), Body: text})
	}
	g.log = append(g.log, out...)
	return out, nil
}

func decoded(r event.Record) event.Body {
	b, err := event.Decode(r)
	must(err)
	return b
}

// View is what a session that is resumed would find: the log, the disk, and what the
// tools say of each version of the file.
func (g *guardSession) View() model.State {
	s := model.State{Policy: g.policy}
	for _, r := range g.log {
		switch b := decoded(r).(type) {
		case event.Judgement:
			s.Verdicts++
			if b.Verdict == gate.Deny.String() && b.Rule.Name != "" {
				s.Refusals++
			}
		case event.Result:
			if b.Error {
				s.Errors++
			}
		}
	}
	if b, err := os.ReadFile(g.file()); err == nil {
		if _, err := fmt.Sscanf(string(b), "content %d\nmore\n", &s.Disk); err != nil {
			s.Disk = 255 // bytes that nobody wrote
		}
	}
	if g.docs != nil {
		g.known(&s)
	}
	return s
}

// known asks the tools what they would tell the gate of each version, and puts the file
// back as it was.
func (g *guardSession) known(s *model.State) {
	for v := uint8(1); v <= model.Versions; v++ {
		must(g.other(v))
		var p planOnly
		_, _ = g.docs.Run(context.Background(), &p, "write", surface.Args{"path": "f", "content": "x"})
		switch p.steps[0].Knowledge {
		case call.Known:
			s.Whole |= 1 << v
		case call.Partial:
			s.Part |= 1 << v
		case call.NotAsked, call.New, call.Unknown, call.Stale:
		}
	}
	must(g.other(s.Disk))
}

// planOnly takes a call's plan and lets nothing run.
type planOnly struct{ steps []call.Step }

// Permit keeps the plan and refuses.
func (p *planOnly) Permit(_ context.Context, plan func() []call.Step) gate.Outcome {
	p.steps = plan()
	return gate.Outcome{Refusal: "only planned"}
}

// Confirm refuses.
func (p *planOnly) Confirm(call.Step, string) gate.Outcome { return gate.Outcome{} }

// Start refuses.
func (p *planOnly) Start(context.Context) error { return errors.New("only planned") }
