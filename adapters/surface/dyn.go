package surface

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"tenet/adapters/approvals"
	"tenet/adapters/schema"
	"tenet/adapters/session"
	"tenet/core/call"
	"tenet/core/output"
	core "tenet/core/surface"
)

// dyn is the one tool of the roster that leads to tools which are not in it.
var dyn = core.Tool{
	Name: "dyn",
	Description: "Reach tools that are not in your list: those of servers and hosts, which come and go while you work. " +
		"Without a name it lists them. With a name alone it shows that tool's description and the schema of its arguments, and runs nothing. " +
		"With a name and arguments ({} for none) it runs the tool. " +
		"report_issue is one of them: use it when a tool failed or did not do what its description says.",
	Params: []core.Param{
		{Name: "name", Type: core.String, Description: "The tool, as dyn lists it."},
		{Name: "arguments", Type: core.Object, Description: "The tool's arguments, as its schema says."},
	},
}

// Dyn is the roster's tool dyn over these tools.
func (t *Tools) Dyn() session.Tool {
	return session.Tool{Tool: dyn, Run: func(ctx context.Context, g *approvals.Gate, args core.Args) (session.Output, error) {
		name, raw := args.Str("name", ""), args.Raw("arguments")
		switch {
		case name == "" && raw != nil:
			return session.Output{}, errors.New("dyn was not run: there are arguments and no name; name the tool that they are for, or send neither to list the tools")
		case name == "":
			return bound(session.Output{Text: t.list()}), nil
		}
		declared, tool, ok := t.reach(name)
		switch {
		case !ok:
			return session.Output{}, errors.New(t.unreached(name))
		case raw == nil:
			return bound(session.Output{Text: describe(declared, tool)}), nil
		}
		out, err := tool.run(ctx, g, declared, raw)
		return bound(out), err
	}}
}

// list names the tools, one a line.
func (t *Tools) list() string {
	var b strings.Builder
	b.WriteString("Tools behind dyn. Call dyn with a name to see a tool's arguments, with name and arguments to run it.\n")
	for _, d := range t.Dynamic() {
		first, _, _ := strings.Cut(d.Description, "\n")
		fmt.Fprintf(&b, "%s: %s\n", d.Name, call.OneLine(first, 300))
	}
	return b.String()
}

func (t *Tools) unreached(name string) string {
	var names []string
	for _, d := range t.Dynamic() {
		names = append(names, d.Name)
	}
	return fmt.Sprintf("dyn was not run: there is no tool %q behind it, or it left; there are %s", call.OneLine(name, 200), strings.Join(names, ", "))
}

// describe is all that a model needs to call a tool.
func describe(declared core.Tool, tool *Late) string {
	arguments := string(core.Schema(declared))
	if tool.compiled != nil {
		arguments = tool.compiled.String()
	}
	return fmt.Sprintf("%s\n%s\n\nArguments, as a JSON schema:\n%s\n", declared.Name, call.Visible(declared.Description), call.Visible(arguments))
}

// bound keeps what a tool says within the limits of every output.
func bound(out session.Output) session.Output {
	text, n := output.Cut(out.Text, output.Limits{Direction: output.Head})
	if n > 0 {
		out.Dropped += n
		text += fmt.Sprintf("\n[%d bytes were left out here]", n)
	}
	out.Text = text
	return out
}

// compile reads a foreign schema once, when its tool joins.
func (l *Late) compile() error {
	if l.Run == nil {
		return fmt.Errorf("the tool %s has nothing to run", l.Name)
	}
	if l.Schema == nil {
		return nil
	}
	s, err := schema.Compile(l.Schema)
	if err != nil {
		return fmt.Errorf("the tool %s cannot join: %w", call.OneLine(l.Name, 200), err)
	}
	l.compiled = s
	return nil
}

// run checks the arguments, asks the gate where the tool does not do so itself, and runs.
func (l *Late) run(ctx context.Context, g *approvals.Gate, declared core.Tool, raw json.RawMessage) (session.Output, error) {
	args, raw, err := l.arguments(declared, raw)
	if err != nil {
		return session.Output{}, fmt.Errorf("%s was not run: %w", l.Name, err)
	}
	own := &approvals.Gate{Call: g.Call, Tool: l.Name, Dir: g.Dir, Policies: g.Policies, Asker: g.Asker, Log: g.Log}
	if l.Gating == ByDyn {
		if err := pass(ctx, own, l.Name, raw); err != nil {
			return session.Output{}, err
		}
	}
	return l.Run(ctx, own, args, raw)
}

// arguments checks them against the declaration or the server's schema.
func (l *Late) arguments(declared core.Tool, raw json.RawMessage) (core.Args, json.RawMessage, error) {
	if l.compiled == nil {
		args, err := core.Parse(declared, string(raw))
		return args, raw, err
	}
	raw, err := l.compiled.Fit(raw)
	return nil, raw, err
}

// pass puts a call of a late tool through the gate as one step. Nobody here knows what a
// server does with it: it may start programs and reach the network, and the rules know it
// by its name as mcp.call (DESIGN, "The gate").
func pass(ctx context.Context, g *approvals.Gate, name string, raw json.RawMessage) error {
	step := call.Step{N: 1, Text: call.Exact(name + " " + string(raw)), Effects: call.Of(call.Exec, call.Net)}
	if o := g.Permit(ctx, func() []call.Step { return []call.Step{step} }); !o.Runs {
		return errors.New(o.Refusal)
	}
	if o := g.Confirm(step, step.Text); !o.Runs {
		return errors.New(o.Refusal)
	}
	return g.Start(ctx)
}
