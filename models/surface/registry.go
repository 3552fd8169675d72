package surface

import (
	"iter"
	"reflect"

	"tenet/core/surface"
)

// The registry of a session, closed with everybody who would like other tools: extensions,
// settings, rounds of calls, hosts that come and go. Whoever hands in a declaration writes
// over it right afterwards, and whoever gets one does too.

// Tools is how many declarations there are. Two have one name.
const Tools = 5

// None is no tool; Strange is a declaration that nobody made.
const (
	None    uint8 = 0
	Strange uint8 = 255
)

// The declarations, from 1. Alpha and Other are two tools of one name; Bash is a name that
// the gate knows, so nothing behind dyn may have it; Late is of no extension.
const (
	Alpha uint8 = iota + 1
	Beta
	Other
	Bash
	Late
)

// Declared is a declaration, fresh each time: nothing of it is shared.
func Declared(id uint8) surface.Tool {
	shape := func() *surface.Shape {
		return &surface.Shape{Fields: []surface.Param{{Name: "how", Shape: &surface.Shape{Enum: []string{"fast", "slow"}}}}}
	}
	switch id {
	case Alpha:
		return surface.Tool{Name: "alpha", Description: "the first", Params: []surface.Param{{Name: "options", Type: surface.Object, Shape: shape()}}}
	case Beta:
		return surface.Tool{Name: "beta", Version: 2, Params: []surface.Param{{Name: "i", Description: "its own"}, {Name: "path", Required: true}}}
	case Other:
		return surface.Tool{Name: "alpha", Description: "the other one"}
	case Late:
		return surface.Tool{Name: "mcp/server/late", Description: "far away"}
	}
	return surface.Tool{Name: "bash"}
}

// names are the tools' names by declaration.
var names = [...]string{Alpha: "alpha", Beta: "beta", Other: "alpha", Bash: "bash", Late: "mcp/server/late"}

// Name is a declaration's name.
func Name(id uint8) string { return names[id] }

// Scribble writes over everything that a declaration shares with whoever handed it over.
func Scribble(t surface.Tool) {
	for i := range t.Params {
		p := &t.Params[i]
		if p.Shape != nil {
			for j := range p.Shape.Fields {
				if s := p.Shape.Fields[j].Shape; s != nil {
					s.Enum[0] = "scribbled"
				}
				p.Shape.Fields[j].Description = "scribbled"
			}
		}
		p.Description += "scribbled"
	}
}

// ID is which declaration a built tool is; Strange when it is none, byte for byte.
func ID(t surface.Tool) uint8 {
	for id := Alpha; id <= Tools; id++ {
		if t.Name == sent[id].Name && t.Description == sent[id].Description && reflect.DeepEqual(t, sent[id]) {
			return id
		}
	}
	return Strange
}

// sent are the built declarations, to compare with: nobody gets them.
var sent = func() (out [Tools + 1]surface.Tool) {
	for id := Alpha; id <= Tools; id++ {
		out[id] = surface.Build(Declared(id))
	}
	return out
}()

// Owner is the extension that brings a declaration into the roster; Other comes with a
// round's add_tools.
func Owner(id uint8) string {
	return [...]string{Alpha: "x", Beta: "y", Other: "", Bash: "y", Late: ""}[id]
}

// hosts join and leave tools.
var hosts = [...]string{"", "h1", "h2"}

// Session is a session's tools.
type Session struct {
	// Open is true once the session is open; Roster is what the registry holds, in order,
	// and First what it held when it opened.
	Open          bool
	Roster, First [Tools]uint8
	// Dyn is what the registry reaches behind dyn, a bit for each declaration.
	Dyn uint8
	// Joined is which host joined each declaration and has not left it since; Left has a bit
	// for each that was left at least once. Both are kept by the rule, not by the registry.
	Joined [Tools + 1]uint8
	Left   uint8
}

// ActKind is what happens to the tools of a session.
type ActKind uint8

// What happens. Bare is an extension that comes without tools for the model.
const (
	Installs ActKind = iota
	Bare
	Uninstalls
	Configures
	Adds
	Opens
	Joins
	Quits
	Sends
	Lists
	Calls
)

var actNames = [...]string{"install", "install-bare", "uninstall", "configure", "add_tools", "open", "join", "quit", "send", "list", "call"}

// String names what happens.
func (k ActKind) String() string { return actNames[k] }

// Act is one thing that happens: with the extension x (1) or y (2), with the settings that
// keep alpha (1) or all but alpha (2), with a declaration, by a host.
type Act struct {
	Kind ActKind
	Arg  uint8
	Host uint8
}

// Got is what came of it.
type Got struct {
	// Refused is true for a change that was not made, Fixed when the roster was the reason.
	Refused, Fixed bool
	// Sent is the roster of a request, Listed what dyn lists, a bit for each declaration,
	// Called which one a call by name reaches.
	Sent   [Tools]uint8
	Listed uint8
	Called uint8
}

// Acts is what may happen next.
func Acts(s Session) iter.Seq[Act] {
	return func(yield func(Act) bool) {
		for _, a := range everything {
			late := a.Kind == Sends || a.Kind == Lists || a.Kind == Calls
			if a.Kind == Opens && s.Open || late && !s.Open {
				continue
			}
			if !yield(a) {
				return
			}
		}
	}
}

// everything is every act there is.
var everything = func() []Act {
	out := []Act{{Kind: Bare}, {Kind: Adds}, {Kind: Opens}, {Kind: Sends}, {Kind: Lists}}
	for i := uint8(1); i <= 2; i++ {
		out = append(out, Act{Kind: Installs, Arg: i}, Act{Kind: Uninstalls, Arg: i}, Act{Kind: Configures, Arg: i})
	}
	for id := Alpha; id <= Tools; id++ {
		for h := uint8(1); h <= 2; h++ {
			out = append(out, Act{Kind: Joins, Arg: id, Host: h}, Act{Kind: Quits, Arg: id, Host: h})
		}
		out = append(out, Act{Kind: Calls, Arg: id})
	}
	return out
}()

// Happen lets something happen.
func Happen(s Session, a Act) (Session, Got) {
	r := s.registry()
	switch a.Kind {
	case Opens:
		s = s.with(r.Opened())
		s.First = s.Roster
		return s, Got{}
	case Sends:
		request := r.Sent()
		got := Got{Sent: idsOf(request)}
		for _, t := range request {
			Scribble(t)
		}
		return s.with(r), got
	case Lists:
		return s, Got{Listed: s.Dyn}
	case Calls:
		return s, Got{Called: reached(r, a.Arg)}
	case Installs, Bare, Uninstalls, Configures, Adds, Joins, Quits:
	}
	c := ChangeOf(a)
	next, refused := r.Step(c)
	for _, t := range c.Tools {
		Scribble(t)
	}
	s = s.remember(a).with(next)
	return s, Got{Refused: refused.Reason != surface.Taken, Fixed: refused.Reason == surface.RosterFixed}
}

func reached(r surface.Registry, id uint8) uint8 {
	if e, ok := r.Reach(Name(id)); ok {
		return ID(e.Tool)
	}
	return None
}

// ChangeOf is an act as the registry is asked for it.
func ChangeOf(a Act) surface.Change {
	switch a.Kind {
	case Installs:
		if a.Arg == 1 {
			return surface.Change{Kind: surface.Install, Owner: "x", Tools: []surface.Tool{Declared(Alpha)}}
		}
		return surface.Change{Kind: surface.Install, Owner: "y", Tools: []surface.Tool{Declared(Beta), Declared(Bash)}}
	case Bare:
		return surface.Change{Kind: surface.Install, Owner: "z"}
	case Uninstalls:
		return surface.Change{Kind: surface.Uninstall, Owner: [...]string{"", "x", "y"}[a.Arg]}
	case Configures:
		return surface.Change{Kind: surface.Configure, Names: [...][]string{1: {"alpha"}, 2: {"bash", "beta"}}[a.Arg]}
	case Adds:
		return surface.Change{Kind: surface.AddTools, Tools: []surface.Tool{Declared(Other)}}
	case Joins:
		return surface.Change{Kind: surface.Join, Owner: hosts[a.Host], Tools: []surface.Tool{Declared(a.Arg)}}
	case Quits:
		return surface.Change{Kind: surface.Quit, Owner: hosts[a.Host], Names: []string{Name(a.Arg)}}
	case Opens, Sends, Lists, Calls:
	}
	return surface.Change{}
}

// remember is the rule of joining and leaving, told from the acts alone: a free name that
// the gate does not know joins, and its host leaves it.
func (s Session) remember(a Act) Session {
	switch a.Kind {
	case Joins:
		if a.Arg != Bash && !s.taken(Name(a.Arg)) {
			s.Joined[a.Arg] = a.Host
		}
	case Quits:
		for id := Alpha; id <= Tools; id++ {
			if Name(id) == Name(a.Arg) && s.Joined[id] == a.Host {
				s.Joined[id] = 0
				s.Left |= 1 << id
			}
		}
	case Installs, Bare, Uninstalls, Configures, Adds, Opens, Sends, Lists, Calls:
	}
	return s
}

func (s Session) taken(name string) bool {
	for _, id := range s.Roster {
		if id != None && id != Strange && Name(id) == name {
			return true
		}
	}
	for id := Alpha; id <= Tools; id++ {
		if s.Joined[id] != 0 && Name(id) == name {
			return true
		}
	}
	return false
}

// registry is the registry that the session's state stands for.
func (s Session) registry() surface.Registry {
	r := surface.Registry{Open: s.Open}
	for _, id := range s.Roster {
		if id != None {
			r.Roster = append(r.Roster, surface.Entry{Owner: ownerOf(id), Tool: built(id)})
		}
	}
	for id := Alpha; id <= Tools; id++ {
		if s.Dyn&(1<<id) != 0 {
			r.Dynamic = append(r.Dynamic, surface.Entry{Owner: hosts[max(s.Joined[id], 1)], Tool: built(id)})
		}
	}
	return r
}

func ownerOf(id uint8) string {
	if id == Strange {
		return ""
	}
	return Owner(id)
}

func built(id uint8) surface.Tool {
	if id == Strange {
		return surface.Tool{Name: "strange"}
	}
	return surface.Build(Declared(id))
}

// with is the state that a registry stands for. More tools than there are, is strange.
func (s Session) with(r surface.Registry) Session {
	s.Open, s.Dyn = r.Open, 0
	var roster []surface.Tool
	for _, e := range r.Roster {
		roster = append(roster, e.Tool)
	}
	s.Roster = idsOf(roster)
	for _, e := range r.Dynamic {
		if id := ID(e.Tool); id != Strange {
			s.Dyn |= 1 << id
		}
	}
	return s
}

func idsOf(tools []surface.Tool) (out [Tools]uint8) {
	for i, t := range tools {
		id := ID(t)
		if i >= Tools {
			i, id = Tools-1, Strange
		}
		out[i] = id
	}
	return out
}
