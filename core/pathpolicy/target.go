package pathpolicy

import "tenet/core/call"

// Target is a path judged: where it leads, its class, and whether it holds a secret.
type Target struct {
	// Real is the resolution that was judged; an access happens on its path.
	Real Real
	// Class is the class of that path.
	Class Class
	// Holds is true for a directory that holds a secret entry.
	Holds bool
}

// Secret reports whether reaching the target reaches a secret: it is or holds one.
func (t Target) Secret() bool { return t.Class == Secret || t.Holds }

// Access is what a document tool does with a path (G1.5).
type Access uint8

// The accesses.
const (
	Reading   Access = iota // the bytes of one file
	Listing                 // the names in a directory
	Searching               // the bytes of every file below a directory
	Writing                 // create, change, move or remove
)

var accessNames = [...]string{"read", "list", "search", "write"}

// String is the access as a question shows it: "write /path".
func (a Access) String() string { return accessNames[a] }

// Effects is what an access to the target may do (G1.5). Listing a directory that
// holds a secret is secret as well (DESIGN, "Decisions").
func (t Target) Effects(a Access) call.Effects {
	switch a {
	case Reading:
		return readEffects(t.Class == Secret)
	case Listing, Searching:
		return readEffects(t.Secret())
	case Writing:
		return t.WriteEffects()
	}
	return call.All
}

func readEffects(secret bool) call.Effects {
	if secret {
		return call.Of(call.Read, call.Secret)
	}
	return call.Of(call.Read)
}

// WriteEffects is what a write to the target adds by its class.
func (t Target) WriteEffects() call.Effects {
	switch t.Class {
	case Secret:
		return call.Of(call.Write, call.Secret)
	case Protected:
		return call.Of(call.Write, call.Protected)
	case Inside:
		return call.Of(call.Write)
	case Outside:
		return call.Of(call.Write, call.Outside)
	}
	return call.All
}

// Judge is what a word written in a working directory names. The real path decides;
// where the last name is itself a link, the place of that link counts too when it is
// guarded: removing or replacing the link changes that place and not its target.
func (p *Policy) Judge(links Links, cwd, word string) Target {
	t := p.Target(Resolve(links, cwd, word))
	if t.Class == Secret {
		return t
	}
	entry := ResolveEntry(links, cwd, word)
	if c := p.Class(entry); c < Inside && !below(entry.Path, "/proc") { // nobody replaces a link of the kernel's
		t.Class = stricter(t.Class, c)
	}
	return t
}
