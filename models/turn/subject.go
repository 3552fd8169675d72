// Package turn says what must become of the calls of a turn that are asked about: the
// gate of core, closed with an adversary who changes what a call is about while its
// question is open, with a person who answers in every way, and with a tool that goes on
// without being told to. Beside it stand the paths that a call may name, and the diffs
// that a card shows.
package turn

import (
	"fmt"

	"tenet/core/call"
	"tenet/core/gate"
	"tenet/core/rules"
)

// Place is where a world lies; the model's own is Here.
type Place struct {
	// Root is the workspace, Home the person's home, Out a directory outside of both.
	Root, Home, Out string
}

// Here is the model's place.
var Here = Place{Root: "/h/w", Home: "/h", Out: "/o"}

// Subject is what a call is about. Each is what another one nearly is.
type Subject uint8

// The subjects.
const (
	EditA  Subject = iota // changes the file a
	EditAB                // changes a file whose name begins with the other's
	Test                  // npm test
	TestX                 // npm test x, which begins with the other
	Star                  // npm '*', whose word is no pattern
	Peek                  // reads a file outside of the workspace that a rule asks about
	Key                   // reads a secret
	List                  // ls, which runs unasked
	Push                  // git push, which a rule denies
	// Subjects is how many there are.
	Subjects = iota
)

var names = [Subjects]string{"edit a", "edit ab", "npm test", "npm test x", "npm *", "read /o/x", "read the key", "ls", "git push"}

// String names the subject.
func (s Subject) String() string { return names[s] }

// Edits reports whether the subject replaces bytes that a person is shown.
func (s Subject) Edits() bool { return s == EditA || s == EditAB }

// Runs reports whether it is a command.
func (s Subject) Runs() bool { return s.Tool() == "bash" }

// Tool is the tool that the call belongs to.
func (s Subject) Tool() string {
	switch s {
	case EditA, EditAB:
		return "search_replace"
	case Peek, Key:
		return "read"
	case Test, TestX, Star, List, Push:
	}
	return "bash"
}

var argvs = [Subjects][]string{Test: {"npm", "test"}, TestX: {"npm", "test", "x"}, Star: {"npm", "*"}, List: {"ls"}, Push: {"git", "push"}}

// Path is the file that an edit or a read names; empty for a command.
func (s Subject) Path(p Place) string {
	switch s {
	case EditA:
		return p.Root + "/a"
	case EditAB:
		return p.Root + "/ab"
	case Peek:
		return p.Out + "/x"
	case Key:
		return p.Home + "/.ssh/k"
	case Test, TestX, Star, List, Push:
	}
	return ""
}

// Version is which of two ways the world is in. Of an edit it is which bytes the file
// has; of a command whether it reaches a secret, as one does whose argument became a
// link to it.
type Version uint8

// Secret reports whether the subject touches a secret in that version of the world.
func (s Subject) Secret(v Version) bool { return s == Key || s.Runs() && v == 1 }

// Step is the call's one step as its tool plans it.
func (s Subject) Step(p Place, v Version) call.Step {
	if s.Runs() {
		return s.command(p, v)
	}
	path := s.Path(p)
	st := call.Step{N: 1, Text: "read " + path, Effects: call.Of(call.Read)}
	seen := call.Path{Real: path, Written: path, Class: "outside"}
	switch s {
	case EditA, EditAB:
		st.Text, st.Effects, st.Knowledge = "write "+path, call.Of(call.Read, call.Write), call.Unknown
		st.Content = fmt.Sprintf("%s, version %d", path, v)
		st.Diff = fmt.Sprintf("-version %d\n+new\n", v)
		seen.Class = "inside"
		written := seen
		written.Use = call.Writes
		st.Paths = append(st.Paths, written)
	case Key:
		st.Effects, seen.Class = call.Of(call.Read, call.Secret), "secret"
	case Peek, Test, TestX, Star, List, Push:
	}
	st.Paths = append(st.Paths, seen)
	return st
}

func (s Subject) command(p Place, v Version) call.Step {
	effects := call.Of(call.Exec)
	if s == List {
		effects = call.Of(call.Read)
	}
	if s.Secret(v) {
		effects = effects.With(call.Of(call.Secret))
	}
	c := call.Command{Dir: p.Root, Effects: effects}
	for _, w := range argvs[s] {
		c.Words = append(c.Words, call.Word{Text: w})
	}
	return call.Step{N: 1, Text: c.Text(), Effects: effects, Commands: []call.Command{c}}
}

// Base is the policy before anybody answered anything: reads run, a rule asks about
// reads elsewhere, and git push is denied. What stands in the project's file is added.
func Base(p Place, project []rules.Rule) *gate.Policy {
	return &gate.Policy{
		Floor: gate.FloorPlace{Home: p.Home, Root: p.Root},
		Guard: gate.GuardPolicy{Roster: []string{"read", "search_replace", "bash"}, Root: p.Root, Home: p.Home},
		Place: rules.Place{Root: p.Root, Home: p.Home},
		Layers: rules.Layers{
			User: []rules.Rule{
				{Capability: call.FileRead.String(), Pattern: p.Out + "/*", Action: rules.Ask, Source: rules.FromUser, Position: 1},
				{Capability: call.ProcessExecute.String(), Pattern: "git push", Action: rules.Deny, Source: rules.FromUser, Position: 2},
			},
			Project: project, Trusted: true,
		},
		Auto: call.Of(call.Read),
	}
}
