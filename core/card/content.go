// Package card decides what a card shows of a question and which key answers it (seed 1
// S7.8 "The question", seed 4 §6.1). A card reads back to exactly what runs: Rows says
// what stands on it, Lines how it stands on a screen, Read what such a screen says. Desk
// is the questions that lie before a person and what each key does to them. It draws
// nothing and has no clock.
package card

import (
	"slices"
	"strings"

	"tenet/core/approvals"
	"tenet/core/call"
)

// Content is what a card shows of a question. Texts stand as call.Exact makes them; what
// still hides something is escaped by Rows.
type Content struct {
	// ID and Digest name the question and exactly what is shown of it.
	ID, Digest string
	// Session is whose call asks, Call the call and Tool the tool it belongs to. Agent is
	// the subagent's name, empty when the question is the session's own.
	Session, Agent, Call, Tool string
	// Dir is the directory of the call.
	Dir      string
	Steps    []Step
	Requests []Request
	// Notes say why it is asked, one sentence each.
	Notes []string
	// Diff is what a write changes, empty for everything else. Cut is true when a part of
	// the change is left out of it.
	Diff string
	Cut  bool
	// Answers are what may be answered, the denial first.
	Answers []Answer
}

// Step is one step of the call, exactly as it runs.
type Step struct {
	Text string
	// Dir is the directory that the step runs in where that is not the call's.
	Dir     string
	Effects []string
	// Notes say what is unusual about it.
	Notes []string
	// Class is how far the analyzer could read it.
	Class string
	// Asks is true for a step that the question is about; the others are allowed already.
	Asks bool
	// Places are where its paths lead.
	Places []string
}

// Request is one capability that the call asks for, and the rule that speaks of it.
type Request struct {
	Capability, Subject string
	// Verdict is what the rules say of it: allow, ask, deny, or silent where no rule does.
	Verdict string
	// Rule is the pattern of that rule, Source the layer it comes from and Position its
	// place there from 1; empty and 0 for none.
	Rule, Source string
	Position     int
	Notes        []string
}

// Answer is one answer that may be given. Pattern is for a standing yes.
type Answer struct {
	Choice         approvals.Choice
	Pattern, Means string
}

// verbs are what a call does to its subject, by the capability that it asks for.
var verbs = map[string]string{
	call.FileRead.String(): "Read", call.FileWriteProject.String(): "Write", call.FileWriteOutside.String(): "Write",
	call.ProcessExecute.String(): "Run", call.ProcessBackground.String(): "Start", call.NetworkAccess.String(): "Fetch",
	call.GitModify.String(): "Change git", call.MCPCall.String(): "Call",
}

// Verb is what the call does, in a word or two: "Run", "Write".
func (c Content) Verb() string {
	for _, r := range c.asking() {
		switch {
		case strings.Contains(c.Tool, "edit") || strings.Contains(c.Tool, "replace"):
			return "Edit"
		case verbs[r.Capability] != "":
			return verbs[r.Capability]
		}
	}
	return "Use " + line(c.Tool)
}

// Badge is the capabilities that the question is about, each once.
func (c Content) Badge() string {
	var names []string
	for _, r := range c.asking() {
		if name := line(r.Capability); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return strings.Join(names, " ")
}

// asking are the requests that no rule allows.
func (c Content) asking() (out []Request) {
	for _, r := range c.Requests {
		if r.Verdict != "allow" {
			out = append(out, r)
		}
	}
	return out
}

// Effects is what the steps may do together.
func (c Content) Effects() string {
	var names []string
	for _, e := range call.All.List() {
		if slices.ContainsFunc(c.Steps, func(s Step) bool { return slices.Contains(s.Effects, e.String()) }) {
			names = append(names, e.String())
		}
	}
	if names == nil {
		return "none"
	}
	return strings.Join(names, " ")
}

// Card is what the desk must know of the question.
func (c Content) Card() Card {
	return Card{ID: c.ID, Digest: c.Digest, Answers: c.Answers, Whole: !c.Cut}
}
