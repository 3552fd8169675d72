package session

import (
	"fmt"
	"runtime/debug"

	"tenet/adapters/approvals"
	"tenet/core/event"
	"tenet/core/surface"
	"tenet/core/turn"
)

// guarded performs an act; a panic of tenet's own ends the turn as broken, with where it
// happened in the log, and not the process: a person's session must outlive a defect.
func (d *driver) guarded(act turn.Act, p *phase) (in turn.Input) {
	defer func() {
		if v := recover(); v != nil {
			d.fault = defect(v)
			in = turn.Input{Kind: turn.Break}
		}
	}()
	return d.perform(act, p)
}

// hands runs a tool; a panic is the call's result.
func (d *driver) hands(t Tool, c event.ToolCall, g *approvals.Gate, rec phaseRecorder, args surface.Args) (out Output, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("the tool %s failed, and may have partially run; check the state it changes before you call it again. %s", c.Tool, defect(v))
		}
	}()
	if t.Turn != nil {
		return t.Turn(d.ctx, &Turn{d: d, call: c, rec: rec, Gate: g}, args)
	}
	return t.Run(d.ctx, g, args)
}

// maxStack bounds what the log keeps of where a panic happened.
const maxStack = 4 << 10

func defect(v any) string {
	stack := debug.Stack()
	return fmt.Sprintf("This is a defect of tenet: %v\n%s", v, stack[:min(len(stack), maxStack)])
}
