package laws

import (
	"slices"

	"tenet/laws/law"
	model "tenet/models/surface"
)

type registryLaw = law.Law[model.Session, model.Act, model.Got]

// Registry: the tools that the model sees are those that the session opened with, and what
// comes later is reached through dyn only (S7.1, S7.2).
var Registry = struct {
	// RosterFixed: no event after the opening changes the roster: each attempt is refused with the typed error RosterFixed, and a tool that joins never stands in it.
	RosterFixed registryLaw `law:"roster_fixed" rule:"S7.1"`
	// RosterSentFixed: each request of a session sends the roster that it opened with, byte for byte, whatever was written over the declarations since.
	RosterSentFixed registryLaw `law:"roster_sent_fixed" rule:"S7.1"`
	// DynReachesJoined: a tool that joined under a free name is listed by dyn and is what a call by its name reaches, until its host leaves it.
	DynReachesJoined registryLaw `law:"dyn_reaches_joined" rule:"S7.2"`
	// DynDropsQuit: a tool that its host left is neither listed by dyn nor reached by a call, until one joins again.
	DynDropsQuit registryLaw `law:"dyn_drops_quit" rule:"S7.2"`
}{
	RosterFixed: registryLaw{Step: func(before model.Session, a model.Act, out model.Got, after model.Session) law.Verdict {
		if a.Kind == model.Opens {
			return law.Check(after.Open && after.Roster == before.Roster, "the session opened with %v and has %v, open %v", before.Roster, after.Roster, after.Open)
		}
		if !before.Open {
			return law.Idle
		}
		want := wantsAnotherRoster(before, a)
		return law.Check(after.Open && after.Roster == before.Roster && after.First == before.First && out.Fixed == want && (out.Refused || !want),
			"%+v answers %+v: the roster was %v and is %v", a, out, before.Roster, after.Roster)
	}},
	RosterSentFixed: registryLaw{Step: func(before model.Session, a model.Act, out model.Got, after model.Session) law.Verdict {
		if a.Kind != model.Sends {
			return law.Idle
		}
		whole := !slices.Contains(out.Sent[:], model.Strange) && !slices.Contains(after.Roster[:], model.Strange)
		return law.Check(whole && out.Sent == before.First, "opened with %v, sends %v", before.First, out.Sent)
	}},
	DynReachesJoined: registryLaw{Step: func(before model.Session, a model.Act, out model.Got, _ model.Session) law.Verdict {
		for id, host := range before.Joined {
			switch joined := uint8(id); {
			case host == 0:
			case a.Kind == model.Lists && out.Listed&(1<<joined) == 0:
				return law.Broken("%s joined and is not listed: %b", model.Name(joined), out.Listed)
			case a.Kind == model.Calls && model.Name(a.Arg) == model.Name(joined) && out.Called != joined:
				return law.Broken("%s joined and a call reaches %d", model.Name(joined), out.Called)
			}
		}
		return law.Verdict{Applies: asksDyn(a) && before.Joined != [len(before.Joined)]uint8{}}
	}},
	DynDropsQuit: registryLaw{Step: func(before model.Session, a model.Act, out model.Got, _ model.Session) law.Verdict {
		if !asksDyn(a) || before.Left == 0 {
			return law.Idle
		}
		for id := model.Alpha; id <= model.Tools; id++ {
			gone := before.Left&(1<<id) != 0 && before.Joined[id] == 0
			if gone && (out.Listed&(1<<id) != 0 || out.Called == id) {
				return law.Broken("%s left: %+v answers %+v", model.Name(id), a, out)
			}
		}
		return law.Holds
	}},
}

// RegistryBook lists them.
var RegistryBook = law.Book[model.Session, model.Act, model.Got]("surface", &Registry)

func asksDyn(a model.Act) bool { return a.Kind == model.Lists || a.Kind == model.Calls }

// wantsAnotherRoster: an extension that comes with tools or goes with some, the settings of
// the tools, a round that wants more. An extension without tools changes nothing.
func wantsAnotherRoster(s model.Session, a model.Act) bool {
	switch a.Kind {
	case model.Installs, model.Configures, model.Adds:
		return true
	case model.Uninstalls:
		return slices.ContainsFunc(s.Roster[:], func(id uint8) bool {
			return id != model.None && id != model.Strange && model.Owner(id) == [...]string{"", "x", "y"}[a.Arg]
		})
	case model.Bare, model.Opens, model.Joins, model.Quits, model.Sends, model.Lists, model.Calls:
	}
	return false
}
