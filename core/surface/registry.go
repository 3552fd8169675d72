package surface

import (
	"fmt"
	"slices"
	"strings"
)

// Kind is what somebody wants of the tools of a session. The set is closed.
type Kind uint8

// The changes. The first four change the roster, the last two the tools behind dyn.
const (
	Install   Kind = iota // an extension brings tools
	Uninstall             // an extension goes, with its tools
	Configure             // the settings tools, modelTools or extensions name the tools
	AddTools              // a round of calls wants more tools
	Join                  // a tool of a host or a server joins behind dyn
	Quit                  // one leaves
)

var kindNames = [...]string{"install", "uninstall", "configure", "add_tools", "join", "quit"}

// String names the change as messages do.
func (k Kind) String() string { return kindNames[k] }

// Change is one change that somebody wants.
type Change struct {
	Kind Kind
	// Owner is who brings or takes tools: an extension, a server, a host. Only the owner
	// of a tool takes it away.
	Owner string
	// Tools are what Install, AddTools and Join bring.
	Tools []Tool
	// Names are the tools that Configure keeps and that Quit takes away.
	Names []string
}

// Entry is a tool with its owner.
type Entry struct {
	Owner string
	Tool
}

// Registry is the tools of one session: a value that a change turns into another. The
// zero value is empty and not open.
type Registry struct {
	// Open is true from the session's opening on: the roster is fixed.
	Open bool
	// Roster is what each request sends, built, in its order.
	Roster []Entry
	// Dynamic is what dyn reaches, sorted by name.
	Dynamic []Entry
}

// Opened is the registry of a session that opens: from here on the roster is fixed.
func (r Registry) Opened() Registry {
	r.Open = true
	return r
}

// Step makes a change, or refuses it and changes nothing. After the opening each change
// of the roster is refused with RosterFixed (law roster_fixed); what joins goes behind
// dyn and never into the roster (S7.2).
func (r Registry) Step(c Change) (Registry, Refusal) {
	if r.Open && r.changesRoster(c) {
		return r, Refusal{Reason: RosterFixed, Kind: c.Kind, Names: c.named()}
	}
	switch c.Kind {
	case Install, AddTools:
		return r.install(c)
	case Uninstall:
		r.Roster = slices.DeleteFunc(slices.Clone(r.Roster), func(e Entry) bool { return e.Owner == c.Owner })
		return r, Refusal{}
	case Configure:
		return r.configure(c)
	case Join:
		return r.join(c)
	case Quit:
		return r.quit(c)
	}
	return r, Refusal{}
}

// changesRoster reports whether a change touches the tools that the model sees. An
// extension without tools for the model may come and go at any time. A configure of
// the tools is refused even when it would name the same ones: whether it does depends
// on what the settings were, and nobody should have to know that.
func (r Registry) changesRoster(c Change) bool {
	switch c.Kind {
	case Install, AddTools:
		return len(c.Tools) > 0
	case Uninstall:
		return slices.ContainsFunc(r.Roster, func(e Entry) bool { return e.Owner == c.Owner })
	case Configure:
		return true
	case Join, Quit:
	}
	return false
}

// named are the tools that a change is about.
func (c Change) named() []string {
	out := slices.Clone(c.Names)
	for _, t := range c.Tools {
		out = append(out, t.Name)
	}
	return out
}

func (r Registry) install(c Change) (Registry, Refusal) {
	for _, t := range c.Tools {
		if why := r.unfit(c.Kind, t); why.Reason != Taken {
			return r, why
		}
		r.Roster = append(slices.Clip(r.Roster), Entry{c.Owner, Clone(Build(t))})
	}
	return r, Refusal{}
}

// configure keeps the named tools in the roster's own order. A name that no tool has is
// refused: a setting that works on nothing is a mistake that nobody would see.
func (r Registry) configure(c Change) (Registry, Refusal) {
	for _, n := range c.Names {
		if at(r.Roster, n) < 0 {
			return r, Refusal{Reason: Unknown, Kind: c.Kind, Names: []string{n}, Known: names(r.Roster)}
		}
	}
	r.Roster = slices.DeleteFunc(slices.Clone(r.Roster), func(e Entry) bool { return !slices.Contains(c.Names, e.Name) })
	return r, Refusal{}
}

// join puts a tool behind dyn. A name that is taken is refused, also to the owner: a
// tool that the model was shown is never another one under the same name.
func (r Registry) join(c Change) (Registry, Refusal) {
	for _, t := range c.Tools {
		if why := r.unfit(c.Kind, t); why.Reason != Taken {
			return r, why
		}
		r.Dynamic = append(slices.Clip(r.Dynamic), Entry{c.Owner, Clone(Build(t))})
	}
	r.Dynamic = slices.SortedFunc(slices.Values(r.Dynamic), func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
	return r, Refusal{}
}

// quit takes tools away, their owner's only (law dyn_drops_quit).
func (r Registry) quit(c Change) (Registry, Refusal) {
	for _, n := range c.Names {
		i := at(r.Dynamic, n)
		if i < 0 || r.Dynamic[i].Owner != c.Owner {
			return r, Refusal{Reason: Unknown, Kind: c.Kind, Names: []string{n}, Known: names(r.Dynamic)}
		}
	}
	r.Dynamic = slices.DeleteFunc(slices.Clone(r.Dynamic), func(e Entry) bool { return slices.Contains(c.Names, e.Name) })
	return r, Refusal{}
}

// reserved are the names of DESIGN's roster, which the gate knows by name. A tool behind
// dyn with one of them, joined where a setting left the roster's own out, would be judged
// as what it is not.
var reserved = strings.Fields("read write edit search_replace grep glob list_dir bash run ipython job ask finish use_skill dyn")

// Reserved lists the names that no tool behind dyn may have.
func Reserved() []string { return slices.Clone(reserved) }

// unfit says why a tool cannot come in; Taken (the zero value) when it can.
func (r Registry) unfit(k Kind, t Tool) Refusal {
	switch why := flaw(t); {
	case why != "":
		return Refusal{Reason: Misdeclared, Kind: k, Names: []string{t.Name}, Why: why}
	case k == Join && slices.Contains(reserved, t.Name):
		return Refusal{Reason: NameTaken, Kind: k, Names: []string{t.Name}}
	case at(r.Roster, t.Name) >= 0 || at(r.Dynamic, t.Name) >= 0:
		return Refusal{Reason: NameTaken, Kind: k, Names: []string{t.Name}}
	}
	return Refusal{}
}

// Reach is the tool behind dyn with a name.
func (r Registry) Reach(name string) (Entry, bool) {
	if i := at(r.Dynamic, name); i >= 0 {
		return r.Dynamic[i], true
	}
	return Entry{}, false
}

// Sent is the roster as a request carries it: the same in each request of the session
// (law roster_sent_fixed).
func (r Registry) Sent() []Tool {
	out := make([]Tool, len(r.Roster))
	for i, e := range r.Roster {
		out[i] = Clone(e.Tool)
	}
	return out
}

func at(list []Entry, name string) int {
	return slices.IndexFunc(list, func(e Entry) bool { return e.Name == name })
}

func names(list []Entry) []string {
	out := make([]string, len(list))
	for i, e := range list {
		out[i] = e.Name
	}
	return out
}

// Reason is why a change was refused.
type Reason uint8

// The reasons. Taken is none: the change was made.
const (
	Taken       Reason = iota
	RosterFixed        // the session is open, so the roster is fixed
	NameTaken          // a tool of this name is there
	Unknown            // no tool of this name is there, or it is not the owner's
	Misdeclared        // the declaration is none that could be sent
)

var reasonNames = [...]string{"taken", "roster_fixed", "name_taken", "unknown", "misdeclared"}

// String names the reason.
func (r Reason) String() string { return reasonNames[r] }

// Refusal is why a change was not made; the zero value says that it was.
type Refusal struct {
	Reason Reason
	Kind   Kind
	// Names are the tools that it is about, Known those that there are where a name was
	// not found, Why what is wrong with a declaration.
	Names, Known []string
	Why          string
}

// RosterFixedError is the typed error of a change that came after the opening (S7.1).
type RosterFixedError struct {
	Kind  Kind
	Names []string
}

// Error says what was refused, why, and what to do instead.
func (e *RosterFixedError) Error() string {
	about := ""
	if len(e.Names) > 0 {
		about = " of " + strings.Join(e.Names, ", ")
	}
	return fmt.Sprintf("RosterFixed: %s%s was refused: the tools of a session are fixed when it opens, so that each of its requests sends the same ones; start a new session for other tools, or join a tool behind dyn", e.Kind, about)
}

// Err is the refusal as an error: nil for none, *RosterFixedError for a fixed roster.
func (f Refusal) Err() error {
	name := strings.Join(f.Names, ", ")
	switch f.Reason {
	case Taken:
		return nil
	case RosterFixed:
		return &RosterFixedError{Kind: f.Kind, Names: f.Names}
	case NameTaken:
		return fmt.Errorf("%s of %s was refused: a tool of that name is there already; give it another name", f.Kind, name)
	case Unknown:
		known := "there is none"
		if len(f.Known) > 0 {
			known = "there are " + strings.Join(f.Known, ", ")
		}
		return fmt.Errorf("%s names the tool %q, which is not there; %s", f.Kind, name, known)
	case Misdeclared:
		return fmt.Errorf("%s of %q was refused: %s", f.Kind, name, f.Why)
	}
	return fmt.Errorf("%s of %s was refused", f.Kind, name)
}
