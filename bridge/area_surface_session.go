package bridge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"tenet/adapters/admission"
	"tenet/adapters/approvals"
	wire "tenet/adapters/provider"
	"tenet/adapters/session"
	sessiontools "tenet/adapters/surface"
	"tenet/bridge/engine"
	coreadmission "tenet/core/admission"
	"tenet/core/call"
	"tenet/core/event"
	"tenet/core/gate"
	"tenet/core/surface"
	"tenet/core/turn"
	"tenet/laws"
	model "tenet/models/surface"
)

// surfaceQuick drives real sessions beside the model: their requests are caught where a
// provider gets them, dyn is called as a model calls it.
func surfaceQuick() error {
	n := engine.Premises{}
	for seed := range uint64(60) {
		src := engine.NewRandom(seed, 40)
		if err := engine.Drive(src, registryMachine, newToolSession(), laws.RegistryBook, n); err != nil {
			return fmt.Errorf("seed %d: %w", seed, err)
		}
	}
	if idle := engine.Unapplied(laws.RegistryBook, n); idle != nil {
		return fmt.Errorf("laws that said nothing: %v", idle)
	}
	return inOrder(dynIsGated, issueIsForPeople)
}

// toolSession is a session with its tools, as it opens and after, and the model that it
// talks to.
type toolSession struct {
	tools *sessiontools.Tools
	open  *session.Session
	first [model.Tools]uint8
	// says is what the model answers next: a call of dyn, or nothing special.
	says string
	// sent is the last request, heard the result of the last call in it.
	sent  [model.Tools]uint8
	heard string

	joined [model.Tools + 1]uint8
	leave  map[uint8]func()
	left   uint8
	log    []event.Body
}

func newToolSession() *toolSession {
	return &toolSession{tools: sessiontools.New(), leave: map[uint8]func(){}}
}

// Do makes one thing happen.
func (t *toolSession) Do(a model.Act) model.Got {
	c := model.ChangeOf(a)
	switch a.Kind {
	case model.Installs, model.Bare:
		return t.scribbled(c, t.tools.Install(c.Owner, hands(c.Tools)...))
	case model.Uninstalls:
		return answered(t.tools.Uninstall(c.Owner))
	case model.Configures:
		return answered(t.tools.Configure(c.Names...))
	case model.Adds:
		return t.scribbled(c, t.tools.AddTools(hands(c.Tools)...))
	case model.Joins:
		return t.join(a, c)
	case model.Quits:
		return t.quit(a)
	case model.Opens:
		t.start()
	case model.Sends:
		t.ask("")
		return model.Got{Sent: t.sent}
	case model.Lists:
		t.ask(`{}`)
		return model.Got{Listed: listed(t.heard)}
	case model.Calls:
		t.ask(fmt.Sprintf(`{"name":%q,"arguments":{"path":"p"}}`, model.Name(a.Arg)))
		return model.Got{Called: called(t.heard)}
	}
	return model.Got{}
}

func answered(err error) model.Got {
	fixed := (*surface.RosterFixedError)(nil)
	return model.Got{Refused: err != nil, Fixed: errors.As(err, &fixed)}
}

// scribbled writes over what was handed in, once it was.
func (t *toolSession) scribbled(c surface.Change, err error) model.Got {
	for _, tool := range c.Tools {
		model.Scribble(tool)
	}
	return answered(err)
}

func hands(tools []surface.Tool) (out []session.Tool) {
	for _, tool := range tools {
		out = append(out, session.Tool{Tool: tool, Run: func(context.Context, *approvals.Gate, surface.Args) (session.Output, error) {
			return session.Output{}, nil
		}})
	}
	return out
}

// join brings a tool that says which one it is when it is run.
func (t *toolSession) join(a model.Act, c surface.Change) model.Got {
	id := a.Arg
	leave, err := t.tools.Join(c.Owner, sessiontools.Late{Tool: c.Tools[0], Gating: sessiontools.Harmless, Schema: json.RawMessage(`{"type":"object"}`),
		Run: func(context.Context, *approvals.Gate, surface.Args, json.RawMessage) (session.Output, error) {
			return session.Output{Text: fmt.Sprintf("ran %d", id)}, nil
		}})
	if err == nil {
		t.joined[id], t.leave[id] = a.Host, leave
	}
	return t.scribbled(c, err)
}

// quit leaves the tool that the host joined under the name. Before it, every host that left
// one before leaves it once more: what is gone cannot take away what came since.
func (t *toolSession) quit(a model.Act) model.Got {
	for id := model.Alpha; id <= model.Tools; id++ {
		leave, ok := t.leave[id]
		if !ok {
			continue
		}
		mine := t.joined[id] == a.Host && model.Name(id) == model.Name(a.Arg)
		if mine || t.joined[id] == 0 {
			leave()
		}
		if mine {
			t.joined[id] = 0
			t.left |= 1 << id
			return model.Got{}
		}
	}
	return model.Got{Refused: true}
}

// View is what production shows.
func (t *toolSession) View() model.Session {
	s := model.Session{Open: t.open != nil, First: t.first, Joined: t.joined, Left: t.left, Roster: rosterIDs(t.tools.Roster())}
	for _, tool := range t.tools.Dynamic() {
		if id := model.ID(tool); id != model.Strange {
			s.Dyn |= 1 << id
		}
	}
	return s
}

// rosterIDs are the declarations of a roster, by the bytes that a request carries; dyn,
// which every session has, is left out.
func rosterIDs(tools []surface.Tool) (out [model.Tools]uint8) {
	n := 0
	for _, tool := range tools {
		switch id := sentID(tool); {
		case tool.Name == "dyn":
		case n < len(out):
			out[n] = id
			n++
		default:
			out[n-1] = model.Strange
		}
	}
	return out
}

func sentID(tool surface.Tool) uint8 {
	for id := model.Alpha; id <= model.Tools; id++ {
		want := surface.Build(model.Declared(id))
		if tool.Name == want.Name && tool.Description == want.Description && string(surface.Schema(tool)) == string(surface.Schema(want)) {
			return id
		}
	}
	return model.Strange
}

// start opens the session; what is written over the roster that the caller was given
// changes nothing either.
func (t *toolSession) start() {
	must(t.tools.Install("tenet", t.tools.Dyn()))
	slots, err := admission.New(coreadmission.Limits{Slots: 1, Queue: 1})
	must(err)
	roster := t.tools.Open()
	t.open, err = session.Open(session.Options{
		ID: "s", Version: "v", Workspace: "/w", Profile: "p", Policies: approvals.NewPolicies(&gate.Policy{Auto: call.Of(call.Write)}, nil),
		Limits: turn.Config{Rounds: 2}, Provider: t, Slots: slots, Asker: approvals.Nobody{}, Log: t, Tools: roster,
	})
	must(err)
	for _, tool := range t.tools.Roster() {
		model.Scribble(tool)
	}
	t.first = rosterIDs(declarations(roster))
}

func declarations(tools []session.Tool) (out []surface.Tool) {
	for _, tool := range tools {
		out = append(out, tool.Tool)
	}
	return out
}

// ask runs one turn: the model calls dyn with the arguments first, when there are some.
func (t *toolSession) ask(args string) {
	t.says, t.heard = args, ""
	_, err := t.open.Prompt(context.Background(), "go")
	must(err)
}

// Name is the model's name.
func (t *toolSession) Name() string { return "story" }

// Reply takes the request and calls dyn once, when it should.
func (t *toolSession) Reply(_ context.Context, r wire.Request, _ func(wire.Delta)) (event.Reply, error) {
	t.sent = rosterIDs(r.Tools)
	if last := r.Messages[len(r.Messages)-1]; last.Role == wire.Tool {
		t.heard = last.Text
	}
	if args := t.says; args != "" {
		t.says = ""
		return event.Reply{Calls: []event.ToolCall{{Provider: "x", Tool: "dyn", Args: args}}, Stop: "tool_calls"}, nil
	}
	return event.Reply{Text: "done", Stop: "stop"}, nil
}

// Commit keeps the log.
func (t *toolSession) Commit(bodies ...event.Body) (out []event.Record, err error) {
	for _, b := range bodies {
		t.log = append(t.log, b)
		out = append(out, event.Record{Seq: uint64(len(t.log)), Kind: event.KindOf(b)})
	}
	return out, nil
}

// listed are the declarations that a list of dyn names.
func listed(text string) (out uint8) {
	for line := range strings.Lines(text) {
		name, description, _ := strings.Cut(strings.TrimSpace(line), ": ")
		for id := model.Alpha; id <= model.Tools; id++ {
			if d := model.Declared(id); strings.TrimSuffix(name, ":") == d.Name && description == d.Description {
				out |= 1 << id
			}
		}
	}
	return out
}

// called is the declaration that says it ran.
func called(text string) uint8 {
	var id uint8
	if _, err := fmt.Sscanf(text, "ran %d", &id); err != nil {
		return model.None
	}
	return id
}

// dynIsGated: a late tool that does not ask the gate itself is asked about as one call of
// its own name, and does not run without a yes; its arguments are checked before.
func dynIsGated() error {
	for _, c := range []struct {
		args string
		auto call.Effects
		ran  bool
		says string
	}{
		{`{"name":"far","arguments":{"n":1}}`, call.All, true, "ran 7"},
		{`{"name":"far","arguments":{"n":1}}`, call.Of(call.Read, call.Write), false, "exec+net"},
		{`{"name":"far","arguments":{"n":"x"}}`, call.All, false, `"n"`},
		{`{"name":"far"}`, call.All, false, `"type": "integer"`},
		{`{"arguments":{"n":1}}`, call.All, false, "name the tool"},
		{`{"name":"near","arguments":{}}`, call.All, false, "there are far, report_issue"},
	} {
		ran := false
		tools := sessiontools.New()
		_, err := tools.Join("server", sessiontools.Late{
			Tool: surface.Tool{Name: "far", Description: "Does something far away."}, Schema: json.RawMessage(`{"type": "object", "properties": {"n": {"type": "integer"}}}`),
			Run: func(context.Context, *approvals.Gate, surface.Args, json.RawMessage) (session.Output, error) {
				ran = true
				return session.Output{Text: "ran 7"}, nil
			}})
		must(err)
		text, log := callDyn(tools, c.args, c.auto)
		if ran != c.ran || !strings.Contains(text, c.says) {
			return fmt.Errorf("dyn %s under %v: ran %v, want %v; it says %q, want %q", c.args, c.auto, ran, c.ran, text, c.says)
		}
		if dispatched := kinds(log)[event.Dispatched] == 1; dispatched != c.ran {
			return fmt.Errorf("dyn %s: a dispatch stands in the log: %v, it ran: %v", c.args, dispatched, c.ran)
		}
	}
	return nil
}

// callDyn runs dyn once and returns what it says and what it left in the log.
func callDyn(tools *sessiontools.Tools, args string, auto call.Effects) (string, *memoryLog) {
	log := &memoryLog{}
	dyn := tools.Dyn()
	checked, err := surface.Parse(surface.Build(dyn.Tool), args)
	must(err)
	g := &approvals.Gate{Call: "call_1", Tool: "dyn", Dir: "/w", Policies: approvals.NewPolicies(&gate.Policy{Auto: auto}, nil), Asker: approvals.Nobody{}, Log: log}
	out, err := dyn.Run(context.Background(), g, checked)
	if err != nil {
		return err.Error(), log
	}
	return out.Text, log
}

// memoryLog keeps what is recorded.
type memoryLog struct{ bodies []event.Body }

// Record keeps it.
func (m *memoryLog) Record(b event.Body) error {
	m.bodies = append(m.bodies, b)
	return nil
}

func kinds(m *memoryLog) map[event.Kind]int {
	out := map[event.Kind]int{}
	for _, b := range m.bodies {
		out[event.KindOf(b)]++
	}
	return out
}

// issueIsForPeople: report_issue stores one row that names the tool, and the fold of the
// log holds nothing of it for the model (S7.4).
func issueIsForPeople() error {
	text, log := callDyn(sessiontools.New(), `{"name":"report_issue","arguments":{"tool":"grep","description":"it found nothing"}}`, 0)
	if len(log.bodies) != 1 {
		return fmt.Errorf("an issue is %d records; it says %q", len(log.bodies), text)
	}
	row, ok := log.bodies[0].(event.Notice)
	if !ok || row.Type != sessiontools.IssueType || row.Key != "grep" || row.Text != "it found nothing" {
		return fmt.Errorf("an issue is stored as %+v", log.bodies[0])
	}
	if s := (event.State{}).With(1, row); len(s.Messages) > 0 {
		return fmt.Errorf("the model's context holds an issue: %+v", s.Messages)
	}
	return nil
}
