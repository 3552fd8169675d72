// Package guard is the ordered refusals between the hardline floor and the rules
// (seed 3): what a coding agent has no reason to do whatever the rules say, each
// under a stable name that records and statistics count by. The first rule that
// blocks decides; nothing after it can un-block (law first_block_wins). The guard
// judges what a planned step shows; it is no sandbox for what a program does.
package guard

import (
	"slices"

	"tenet/core/call"
)

// Mode is how the network is judged.
type Mode uint8

// The modes.
const (
	ByRules Mode = iota // the rules and the auto set decide
	DenyAll             // no program that talks to the network starts, but to Policy.Hosts
)

var modeNames = [...]string{"rules", "deny"}

// String is the mode as settings spell it.
func (m Mode) String() string { return modeNames[m] }

// ParseMode finds a mode by name.
func ParseMode(name string) (m Mode, ok bool) {
	i := slices.Index(modeNames[:], name)
	return Mode(max(i, 0)), i >= 0
}

// Policy is everything the guard decides by. Its paths are absolute and real. The
// zero value guards with every rule and knows no workspace: then every place is
// outside.
type Policy struct {
	// Off names the rules that the user switched off. One that may not be switched off
	// (MayBeOff) stays on.
	Off []string
	// Network is the mode, Hosts what DenyAll still lets through: "github.com",
	// "*.example.org" for every name below, either with ":port" for that port only.
	Network Mode
	Hosts   []string
	// WriteRoots, when there are any, are the only places that may be written.
	WriteRoots []string
	// Fragments are parts of paths that are never written: "infra/prod", "*.lock".
	Fragments []string
	// HookDirs are directories whose files git runs: what core.hooksPath names.
	HookDirs []string
	// Temps are further directories for temporary files: what TMPDIR names.
	Temps []string
	// Root is the workspace, Home the user's home.
	Root, Home string
	// Roster are the names of the registered tools, RosterErr why they could not be
	// listed; empty when they could.
	Roster    []string
	RosterErr string
	// Named are the tools that the policy names; see Registration.
	Named []string
}

// Block is a refusal.
type Block struct {
	// Rule is the name of the rule that blocked, one of Rules.
	Rule string
	// Why says what was seen, as the end of a sentence: "git reset --hard throws away …".
	Why string
	// Next says what to do instead, as a whole sentence.
	Next string
}

// Check is the first rule's refusal of one step of a tool; blocked is false when no
// rule has anything against it.
func Check(p Policy, tool string, s call.Step) (b Block, blocked bool) {
	v := view{p: &p, tool: tool, step: &s}
	for i := range order {
		r := &order[i]
		if r.MayBeOff && slices.Contains(p.Off, r.Name) {
			continue
		}
		if why, next := r.check(&v); why != "" {
			return Block{Rule: r.Name, Why: why, Next: next}, true
		}
	}
	return Block{}, false
}

// view is one step under one policy.
type view struct {
	p    *Policy
	tool string
	step *call.Step
}

// each asks about every command of the step, whatever it stands in.
func (v *view) each(ask func(line) (why, next string)) (why, next string) {
	for i := range v.step.Commands {
		if why, next = ask(line{p: v.p, c: &v.step.Commands[i]}); why != "" {
			return why, next
		}
	}
	return "", ""
}
