// Package settings is the machine of standing grants: a project's settings file, what
// the user's file trusts of it, and a process that may be killed after each of the
// writes of a grant. Others write the project's file as they like.
package settings

import (
	"iter"

	"tenet/core/settings"
)

// Rule is one rule of the project's file.
type Rule uint8

// The rules: one that others wrote, and two that the person grants.
const (
	Theirs Rule = iota + 1
	First
	Second
)

// Content is what stands in the project's file: its rules in order, two bits each, the
// first in the lowest; 0 is a file without rules, or none. Torn is a file that is
// neither what it was nor what it was to become.
type Content uint8

// Torn is no content that anybody wrote.
const Torn Content = 0xff

// maxRules is how many rules a content has at most.
const maxRules = 3

// Of is the content of some rules in order.
func Of(list ...Rule) (c Content) {
	for i, r := range list {
		c |= Content(r) << (2 * i)
	}
	return c
}

// List is the rules of a content in order.
func (c Content) List() (out []Rule) {
	for ; c != 0 && c != Torn; c >>= 2 {
		out = append(out, Rule(c&3))
	}
	return out
}

// Has reports whether a rule stands in it.
func (c Content) Has(r Rule) bool {
	for _, o := range c.List() {
		if o == r {
			return true
		}
	}
	return false
}

// With is the content with a rule at the end.
func (c Content) With(r Rule) Content { return Of(append(c.List(), r)...) }

// Contents are all that the file may hold.
func Contents() (out []Content) {
	out = []Content{0}
	for i := 0; i < len(out); i++ {
		for r := Theirs; r <= Second; r++ {
			if len(out[i].List()) < maxRules && !out[i].Has(r) {
				out = append(out, out[i].With(r))
			}
		}
	}
	return out
}

// Set is a set of contents.
type Set uint64

// Sets of one content or more.
func setOf(cs ...Content) (s Set) {
	for _, c := range cs {
		s |= 1 << (c & 63)
	}
	return s
}

// Has reports whether a content is in the set; Torn never is.
func (s Set) Has(c Content) bool { return c != Torn && s&setOf(c) != 0 }

// Minus is what s holds and t does not.
func (s Set) Minus(t Set) Set { return s &^ t }

// Only is the set of one content.
func Only(c Content) Set { return setOf(c) }

// State is both files, and what the person was told.
type State struct {
	// File is the project's file.
	File Content
	// Trusted is what the user's file names as trusted.
	Trusted Set
	// First and Second are true while a grant was acknowledged and nobody else has
	// written the file, or taken the trust away, since.
	First, Second bool
}

// Acked reports whether a grant of the rule must be in force.
func (s State) Acked(r Rule) bool { return r == First && s.First || r == Second && s.Second }

// InForce is the rules that count whole after a restart, as core decides it by the
// digests of files.
func (s State) InForce() Content {
	t := settings.Trusted{}
	for _, c := range Contents() {
		if s.Trusted.Has(c) {
			t[here] = append(t[here], settings.Digest(c.bytes()))
		}
	}
	if s.File != Torn && t.Trusts(here, s.File.bytes()) {
		return s.File
	}
	return 0
}

// here is where the project lies.
const here = "/project"

// bytes is a file that holds the content.
func (c Content) bytes() []byte { return []byte{byte(c)} }

// permissions is the content as core sees it.
func (c Content) permissions() settings.Node {
	return settings.Node{Kind: settings.Object, Members: make([]settings.Member, len(c.List()))}
}

// Kind is what happens.
type Kind uint8

// The kinds.
const (
	Grant   Kind = iota // the person answers a question with always
	Foreign             // another program writes the project's file
	Trust               // the person is shown the file and trusts it
	Untrust             // the person takes the trust away
)

// Op is one thing that happens.
type Op struct {
	Kind Kind
	// Rule is what is granted.
	Rule Rule
	// Writes is how many of the grant's writes happen before the process is killed; all
	// of them when the grant ends.
	Writes uint8
	// Content is what another program writes.
	Content Content
}

// Out is how a grant ended for the person.
type Out uint8

// The ends.
const (
	None    Out = iota // it was no grant
	Done               // acknowledged
	Refused            // the file holds rules that are not trusted
	Died               // the process was killed before it ended
)

// Ops lists what may happen: a grant of a rule that the file lacks with a kill after
// each number of writes and without one, and everything else.
func Ops(s State) iter.Seq[Op] {
	return func(yield func(Op) bool) {
		for r := First; r <= Second; r++ {
			if s.File.Has(r) {
				continue
			}
			for n := 0; n <= len(s.writes(r)); n++ {
				if !yield(Op{Kind: Grant, Rule: r, Writes: uint8(n)}) {
					return
				}
			}
		}
		for _, c := range Contents() {
			if c != s.File && !yield(Op{Kind: Foreign, Content: c}) {
				return
			}
		}
		if s.File != 0 && !yield(Op{Kind: Trust}) {
			return
		}
		yield(Op{Kind: Untrust})
	}
}

// trusts reports whether a grant may be written, which core decides.
func (s State) trusts() bool {
	return settings.Grantable(s.Trusted.Has(s.File), s.File.permissions(), false)
}

// writes is the states after each write of a grant, in order (core/settings says which
// digests are named when).
func (s State) writes(r Rule) (out []State) {
	if !s.trusts() {
		return nil
	}
	next := s.File.With(r)
	naming, after := settings.Granting(s.Trusted.Has(s.File))
	named := s
	if named.Trusted = setOf(next); naming == settings.Both {
		named.Trusted = setOf(s.File, next)
	}
	if named != s {
		out = append(out, named)
	}
	placed := named
	placed.File = next
	out = append(out, placed)
	if after && placed.Trusted != setOf(next) {
		placed.Trusted = setOf(next)
		out = append(out, placed)
	}
	return out
}

// Step is the whole machine.
func Step(s State, op Op) (State, Out) {
	switch op.Kind {
	case Grant:
		return s.grant(op)
	case Foreign:
		return State{File: op.Content, Trusted: s.Trusted}, None
	case Trust:
		s.Trusted = setOf(s.File)
		return s, None
	case Untrust:
		return State{File: s.File}, None
	}
	return s, None
}

func (s State) grant(op Op) (State, Out) {
	writes := s.writes(op.Rule)
	if !s.trusts() {
		return s, Refused
	}
	acked := s
	if op.Writes > 0 {
		s = writes[op.Writes-1]
	}
	s.First, s.Second = acked.First, acked.Second
	if int(op.Writes) < len(writes) {
		return s, Died
	}
	s.First = s.First || op.Rule == First
	s.Second = s.Second || op.Rule == Second
	return s, Done
}
