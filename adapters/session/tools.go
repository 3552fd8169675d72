package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"tenet/adapters/approvals"
	"tenet/core/event"
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
}

// Tool is a declaration with the hands that do it. Run gets checked arguments, acts
// only through the gate, and returns an error whose text tells the model what to do
// next; when ctx ends it stops and returns.
type Tool struct {
	surface.Tool
	Run func(ctx context.Context, g *approvals.Gate, args surface.Args) (Output, error)
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
// all still gets its result: a call without one poisons every later request.
func (d *driver) round(e epoch) turn.Input {
	for _, c := range d.reply.Calls {
		if d.ctx.Err() != nil {
			return turn.Input{Kind: turn.Abort}
		}
		if err := d.one(c, e); err != nil {
			return d.broken(err)
		}
	}
	return turn.Input{Kind: turn.RoundDone}
}

func (d *driver) one(c event.ToolCall, e epoch) error {
	rec := d.rec.in(e)
	if err := rec.Record(event.Call{Call: c.ID, Tool: c.Tool, Args: c.Args}); err != nil {
		return err
	}
	out, err := d.call(c, rec)
	if err != nil {
		out = Output{Text: err.Error(), Failed: true}
	}
	if d.ctx.Err() != nil {
		out = Output{Text: strings.TrimSpace(out.Text + "\n" + stopped(d.rec.started(c.ID))), Dropped: out.Dropped, Failed: true}
	}
	return rec.Record(event.Result{Call: c.ID, Error: out.Failed, Text: out.Text, Dropped: out.Dropped})
}

func (d *driver) call(c event.ToolCall, rec approvals.Recorder) (Output, error) {
	for _, t := range d.o.Tools {
		if t.Name != c.Tool {
			continue
		}
		if err := oneObject(c.Args); err != nil {
			return Output{}, fmt.Errorf("%s was not run: %w", c.Tool, err)
		}
		args, err := surface.Parse(surface.Build(t.Tool), c.Args)
		if err != nil {
			return Output{}, fmt.Errorf("%s was not run: %w", c.Tool, err)
		}
		g := &approvals.Gate{Call: c.ID, Tool: c.Tool, Dir: d.o.Workspace, Policies: d.o.Policies, Asker: d.o.Asker, Log: rec}
		return t.Run(d.ctx, g, args)
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
func (d *driver) truncate(e epoch) turn.Input {
	rec := d.rec.in(e)
	for _, c := range d.reply.Calls {
		text := fmt.Sprintf("Tool %s was not run: the reply hit the %s output limit, so its arguments may be cut. Make the call again with complete arguments. For large content, write a minimal version first, then extend it with edits.", c.Tool, tokens(d.reply.Output))
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

func tokens(n int) string {
	if n == 0 {
		return "model's"
	}
	return fmt.Sprintf("%d-token", n)
}

// broken: the log could not take a record, so nothing more may happen.
func (d *driver) broken(err error) turn.Input {
	if d.ctx.Err() != nil {
		return turn.Input{Kind: turn.Abort}
	}
	d.fault = err.Error()
	return turn.Input{Kind: turn.Break}
}
