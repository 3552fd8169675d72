// Package surface holds the tools of one session: the roster that is fixed when it opens,
// and the tools that join and leave behind dyn while it runs. What may change core/surface
// decides; here are the locks and the hands (S7.1 to S7.4).
package surface

import (
	"context"
	"encoding/json"
	"sync"

	"tenet/adapters/approvals"
	"tenet/adapters/schema"
	"tenet/adapters/session"
	core "tenet/core/surface"
)

// Gating says who asks the gate about a call of a late tool.
type Gating uint8

// The gatings. The zero value is the careful one.
const (
	ByDyn    Gating = iota // dyn: the whole call is one step, and the capability is mcp.call
	ByItself               // the tool plans its own steps through the gate that it gets
	Harmless               // nobody: it has no effect outside the session
)

// Late is a tool that dyn reaches.
type Late struct {
	// Tool is the declaration. With Schema its Params say nothing.
	core.Tool
	// Schema is the JSON schema of the arguments as a server wrote it; nil for a tool that
	// declares Params.
	Schema json.RawMessage
	Gating Gating
	// Run does it: args are the checked arguments of a tool with Params, raw the very bytes
	// of the arguments, checked against Schema. Its output is bounded by dyn. When ctx ends
	// it stops and returns.
	Run func(ctx context.Context, g *approvals.Gate, args core.Args, raw json.RawMessage) (session.Output, error)

	compiled *schema.Schema
}

// Tools are the tools of one session. They may be used from several goroutines.
type Tools struct {
	mu     sync.Mutex
	now    core.Registry
	roster map[string]session.Tool
	late   map[string]*Late
}

// New makes an empty registry that is not open yet, with report_issue behind dyn.
func New() *Tools {
	t := &Tools{roster: map[string]session.Tool{}, late: map[string]*Late{}}
	if _, err := t.Join(ours, reportIssue()); err != nil {
		panic("surface: " + err.Error()) // our own declaration, into an empty registry
	}
	return t
}

// ours owns the tools of tenet itself.
const ours = "tenet"

// Install brings the tools of an extension, in their order, before the session opens. After
// that an extension may still bring none. The error is a *core.RosterFixedError then.
func (t *Tools) Install(owner string, tools ...session.Tool) error {
	return t.bring(core.Install, owner, tools)
}

// AddTools brings tools that a round of calls asks for: never, once the session is open.
func (t *Tools) AddTools(tools ...session.Tool) error {
	return t.bring(core.AddTools, "", tools)
}

func (t *Tools) bring(kind core.Kind, owner string, tools []session.Tool) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := core.Change{Kind: kind, Owner: owner}
	for _, tool := range tools {
		c.Tools = append(c.Tools, tool.Tool)
	}
	if err := t.step(c); err != nil {
		return err
	}
	for _, tool := range tools {
		t.roster[tool.Name] = tool
	}
	return nil
}

// Uninstall takes the tools of an extension away, before the session opens.
func (t *Tools) Uninstall(owner string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.step(core.Change{Kind: core.Uninstall, Owner: owner})
}

// Configure keeps only the named tools, before the session opens. A name that no tool has
// is an error that names it.
func (t *Tools) Configure(names ...string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.step(core.Change{Kind: core.Configure, Names: names})
}

// step asks core. The lock is held.
func (t *Tools) step(c core.Change) error {
	next, refused := t.now.Step(c)
	if err := refused.Err(); err != nil {
		return err
	}
	t.now = next
	return nil
}

// Open fixes the roster and returns it: what each request of the session sends.
func (t *Tools) Open() []session.Tool {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.now = t.now.Opened()
	out := make([]session.Tool, 0, len(t.now.Roster))
	for _, declared := range t.now.Sent() {
		tool := t.roster[declared.Name]
		tool.Tool = declared
		out = append(out, tool)
	}
	return out
}

// Roster is the declarations that each request of the session sends.
func (t *Tools) Roster() []core.Tool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.now.Sent()
}

// Join brings tools behind dyn, all of them or none, at any time. leave takes them away
// again; a call of one that is under way goes on to its end. A name that is taken, a
// declaration that cannot be sent and a schema that cannot be used are errors.
func (t *Tools) Join(owner string, tools ...Late) (leave func(), err error) {
	joining := map[string]*Late{}
	c := core.Change{Kind: core.Join, Owner: owner}
	quit := core.Change{Kind: core.Quit, Owner: owner}
	for _, tool := range tools {
		if err := tool.compile(); err != nil {
			return nil, err
		}
		joining[tool.Name] = &tool
		c.Tools, quit.Names = append(c.Tools, tool.Tool), append(quit.Names, tool.Name)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.step(c); err != nil {
		return nil, err
	}
	for name, tool := range joining {
		t.late[name] = tool
	}
	return sync.OnceFunc(func() { t.quit(quit, joining) }), nil
}

// quit takes back what one Join brought; what somebody else joined under the same name
// since then stays.
func (t *Tools) quit(c core.Change, joined map[string]*Late) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.step(c) != nil {
		return
	}
	for name := range joined {
		delete(t.late, name)
	}
}

// reach is a tool behind dyn, with its built declaration.
func (t *Tools) reach(name string) (core.Tool, *Late, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	e, ok := t.now.Reach(name)
	return e.Tool, t.late[name], ok && t.late[name] != nil
}

// Dynamic is what dyn lists: the declarations behind it, by name.
func (t *Tools) Dynamic() []core.Tool {
	t.mu.Lock()
	defer t.mu.Unlock()
	var out []core.Tool
	for _, e := range t.now.Dynamic {
		out = append(out, core.Clone(e.Tool))
	}
	return out
}
