package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"tenet/adapters/approvals"
	"tenet/core/event"
	"tenet/core/recovery"
	"tenet/core/surface"
	"tenet/core/turn"
)

// Output is what a tool gives back to the model.
type Output struct {
	Text string
	// Dropped counts the output bytes that the bound left out.
	Dropped int64
	// Failed is true when the model should read the text as an error: a command that
	// failed is none, a step that was refused is one.
	Failed bool
	// Ends is true when the turn is over with this text as its answer: see Turn.Finish,
	// which alone may say so.
	Ends bool
}

// Tool is a declaration with the hands that do it. Run gets checked arguments, acts
// only through the gate, and returns an error whose text tells the model what to do
// next; when ctx ends it stops and returns.
type Tool struct {
	surface.Tool
	Run func(ctx context.Context, g *approvals.Gate, args surface.Args) (Output, error)
	// Turn takes the place of Run for a tool that acts on the turn itself.
	Turn func(ctx context.Context, t *Turn, args surface.Args) (Output, error)
}

func toolNames(tools []Tool) []string {
	out := make([]string, len(tools))
	for i, t := range tools {
		out[i] = t.Name
	}
	return out
}

// roster is the declarations as every request carries them (S7.1).
func roster(tools []Tool) []surface.Tool {
	out := make([]surface.Tool, len(tools))
	for i, t := range tools {
		out[i] = surface.Build(t.Tool)
	}
	return out
}

// round runs the calls of the reply one after the other. A call that cannot run at
// all still gets its result: a call without one poisons every later request. Between two
// calls is a tool boundary, where a cancel ends the turn (law cancel_at_tool_boundary).
func (d *driver) round(p *phase) turn.Input {
	rec := d.rec.in(p)
	for _, c := range d.reply.Calls {
		if d.boundary(rec, turn.OnCall) != turn.DoProceed {
			return turn.Input{Kind: turn.Abort}
		}
		if err := d.one(c, "", rec); err != nil {
			return d.broken(err)
		}
		o := d.boundary(rec, turn.OnReturn)
		if o == turn.DoEnd {
			return turn.Input{Kind: turn.RoundDone, Ends: true}
		}
		if o == turn.DoHalt {
			return turn.Input{Kind: turn.Abort}
		}
	}
	return turn.Input{Kind: turn.RoundDone}
}

// boundary asks the desk at a tool boundary, after it heard of a cancel that came.
func (d *driver) boundary(rec phaseRecorder, m turn.Move) turn.Order {
	if d.ctx.Err() != nil {
		rec.move(turn.OnCancel, 0)
	}
	return rec.move(m, 0)
}

// one runs one call to its result; by is who made it, empty for the model.
func (d *driver) one(c event.ToolCall, by string, rec phaseRecorder) error {
	if err := rec.Record(event.Call{Call: c.ID, Tool: c.Tool, Args: c.Args, By: by}); err != nil {
		return err
	}
	out, err := d.call(c, rec)
	if err != nil {
		out = Output{Text: err.Error(), Failed: true}
	}
	if d.ctx.Err() != nil {
		open, _ := d.rec.open(c.ID)
		out = Output{Text: strings.TrimSpace(out.Text + "\n" + stopped(open.Started)), Dropped: out.Dropped, Failed: true}
	}
	if out.Ends {
		d.finished = &out.Text
	}
	return rec.Record(event.Result{Call: c.ID, Error: out.Failed, Text: out.Text, Dropped: out.Dropped})
}

func (d *driver) call(c event.ToolCall, rec phaseRecorder) (Output, error) {
	g := &approvals.Gate{Call: c.ID, Tool: c.Tool, Dir: d.o.Workspace, Policies: d.o.Policies, Asker: d.o.Asker, Log: rec}
	if d.own != nil {
		act := Tool{Run: func(ctx context.Context, g *approvals.Gate, _ surface.Args) (Output, error) { return d.own(ctx, g) }}
		return d.hands(act, c, g, rec, nil)
	}
	for i, t := range d.o.Tools {
		if t.Name != c.Tool {
			continue
		}
		if err := oneObject(c.Args); err != nil {
			return Output{}, fmt.Errorf("%s was not run: %w", c.Tool, err)
		}
		args, err := surface.Parse(d.tools[i], c.Args)
		if err != nil {
			return Output{}, fmt.Errorf("%s was not run: %w", c.Tool, err)
		}
		return d.hands(t, c, g, rec, args)
	}
	return Output{}, fmt.Errorf("there is no tool %q; the tools are %s", c.Tool, strings.Join(toolNames(d.o.Tools), ", "))
}

// oneObject refuses arguments that were cut or mangled: they never run in a
// repaired form (provider-wire D1.8).
func oneObject(args string) error {
	if strings.TrimSpace(args) == "" || json.Valid([]byte(args)) {
		return nil
	}
	return errors.New("its arguments are not valid JSON, so they may be cut; make the call again with complete arguments as one JSON object")
}

// truncate answers every call of a reply that hit the output limit (H4.1).
func (d *driver) truncate(p *phase) turn.Input {
	rec := d.rec.in(p)
	for _, c := range d.reply.Calls {
		text := recovery.Truncated(c.Tool, d.reply.Output)
		err := rec.Record(event.Call{Call: c.ID, Tool: c.Tool, Args: c.Args})
		if err == nil {
			err = rec.Record(event.Result{Call: c.ID, Error: true, Text: text})
		}
		if err != nil {
			return d.broken(err)
		}
	}
	return turn.Input{Kind: turn.RoundDone}
}
