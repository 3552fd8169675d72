package guard

import (
	"strings"

	"tenet/core/call"
	"tenet/core/floor"
	"tenet/core/gate"
	"tenet/core/guard"
	"tenet/core/rules"
)

const (
	home = "/home/u"
	root = "/home/u/p"
)

// policy is the policy as the gate takes it: everything that nothing denies runs, or is
// asked about.
func (s State) policy() *gate.Policy { return s.Policy.For(root, home) }

// Roster are the tools that are registered.
func Roster() []string { return []string{"read", "write", "search_replace", "bash"} }

// For is the policy for a workspace.
func (p Policy) For(root, home string) *gate.Policy {
	named, unread := []string{"bash", "write"}, ""
	g := guard.Policy{Network: guard.DenyAll, WriteRoots: []string{root}, Fragments: []string{"locked"}, Root: root, Home: home, Roster: Roster()}
	switch p {
	case AllOff:
		g.Off = guard.Rules()
	case Misnamed:
		named = append(named, "shell")
	case Unreadable:
		unread = "the registry does not answer"
	case NoPolicy, Fits:
	}
	return &gate.Policy{
		Registration: guard.Registration(named, g.Roster, unread), Guard: g, Auto: call.Grantable,
		Floor: floor.Place{Home: home, Root: root}, Place: rules.Place{Root: root, Home: home},
	}
}

// steps are what a planner hands over for a call.
func (s State) steps(op Op) []call.Step {
	marks := call.Step{N: 1, Text: "call"}
	if op.Marks&Failed != 0 {
		marks.Failed = "it is too deep"
	}
	for m, words := range map[Marks]string{Destroys: "git reset --hard", Talks: "curl h", Unknown: call.Hole + " x", Dumps: "printenv"} {
		if op.Marks&m != 0 {
			marks.Commands = append(marks.Commands, command(words))
		}
	}
	for m, at := range map[Marks]string{Elsewhere: "/srv/x", Locked: root + "/locked/x", Plants: root + "/.envrc", Credential: root + "/x.pem"} {
		if op.Marks&m != 0 {
			marks.Paths = append(marks.Paths, call.Path{Real: at, Written: at, Use: call.Writes, Class: "inside"})
		}
	}
	if op.Marks&Secret != 0 {
		marks.Paths = append(marks.Paths, call.Path{Real: home + "/.aws/credentials", Class: "secret"})
	}
	if op.Tool == Write || op.Tool == Edit {
		marks.Knowledge = s.Knows()
	}
	if op.Among {
		plain := call.Step{N: 1, Text: "ls", Commands: []call.Command{command("ls")}}
		return []call.Step{plain, marks, plain}
	}
	return []call.Step{marks}
}

func command(text string) call.Command {
	c := call.Command{Dir: root}
	for w := range strings.FieldsSeq(text) {
		c.Words = append(c.Words, call.Word{Text: w})
	}
	return c
}

func says(text, word string) bool { return strings.Contains(text, word) }
