package card

import (
	"fmt"
	"strconv"
	"strings"

	"tenet/core/approvals"
	"tenet/core/call"
)

// Kind is what a row of a card is.
type Kind uint8

// The kinds. A row that is wrapped goes on in lines that are marked as such.
const (
	Asks    Kind = iota // the first line of a step that the question is about
	Allowed             // the first line of a step that is allowed already
	More                // a further line of the same step
	Place               // a directory: of the step above, or of the call
	Fact                // something about the call, under a label
	Risk                // what is unusual, or missing
	Change              // a line of the diff
)

// Row is one row of a card. Label is for Place and Fact.
type Row struct {
	Kind        Kind
	Label, Text string
}

// The labels of places: Read tells a step's directory from the call's by them.
const (
	labelStep = "there"
	labelCall = "in"
)

// Show is how much of a question is shown.
type Show struct {
	// Details are each request with its rule, each step with its class and its paths, and
	// what names the question.
	Details bool
	// Patterns are the standing patterns in rows of their own, for a card whose answers
	// have no room for them.
	Patterns bool
}

// Rows is everything that a card shows of the call, in the order in which it is read:
// what runs first, where and with which effects, what it changes, and then why it asks. No text of the call can begin a row: line ends make rows of their own
// kind.
func Rows(c Content, show Show) []Row {
	var out []Row
	for _, s := range c.Steps {
		out = append(out, s.rows(show.Details)...)
	}
	fact := func(label, text string) { out = append(out, Row{Fact, label, line(text)}) }
	out = append(out, Row{Place, labelCall, line(c.Dir)})
	if c.Agent != "" {
		fact("subagent", c.Agent)
	}
	fact("effects", c.Effects())
	out = append(out, c.change()...)
	if show.Details {
		out = append(out, c.details()...)
	} else {
		out = append(out, c.wants()...)
	}
	for _, n := range c.Notes {
		fact("because", n)
	}
	for _, a := range c.Answers {
		if a.Choice == approvals.AllowAlways && show.Patterns {
			fact("always", a.Pattern)
		}
	}
	return out
}

// wants are the requests that the question is about.
func (c Content) wants() (out []Row) {
	for _, r := range c.asking() {
		out = append(out, Row{Fact, "wants", line(r.Capability + "  " + r.Subject)})
		out = append(out, risks(r.Notes)...)
	}
	return out
}

// Asked is what a card shows of a question of the model.
func Asked(text string, options []string) (out []Row) {
	for _, l := range strings.Split(visible(text), "\n") {
		out = append(out, Row{Kind: More, Text: l})
	}
	for i, o := range options {
		out = append(out, Row{Fact, strconv.Itoa(i + 1), line(o)})
	}
	return out
}

func (s Step) rows(details bool) (out []Row) {
	kind := Allowed
	if s.Asks {
		kind = Asks
	}
	for _, l := range strings.Split(visible(s.Text), "\n") {
		out = append(out, Row{Kind: kind, Text: l})
		kind = More
	}
	if s.Dir != "" {
		out = append(out, Row{Place, labelStep, line(s.Dir)})
	}
	out = append(out, risks(s.Notes)...)
	if details {
		out = append(out, Row{Fact, "is", line(fmt.Sprintf("%s; effects %s", s.Class, strings.Join(s.Effects, " ")))})
		for _, p := range s.Places {
			out = append(out, Row{Fact, "path", line(p)})
		}
	}
	return out
}

func risks(notes []string) (out []Row) {
	for _, n := range notes {
		out = append(out, Row{Kind: Risk, Text: line(n)})
	}
	return out
}

// details are every request with the rule that speaks of it, and what names the question.
func (c Content) details() (out []Row) {
	for _, r := range c.Requests {
		out = append(out, Row{Fact, "request", line(r.Capability + "  " + r.Subject)}, Row{Fact, "rule", line(r.ruled())})
		out = append(out, risks(r.Notes)...)
	}
	for _, a := range c.Answers {
		if a.Pattern != "" {
			out = append(out, Row{Fact, "pattern", line(a.Pattern)})
		}
	}
	return append(out, Row{Fact, "tool", line(c.Tool)}, Row{Fact, "call", line(c.Call)}, Row{Fact, "session", line(c.Session)}, Row{Fact, "digest", line(c.Digest)})
}

func (r Request) ruled() string {
	switch {
	case r.Rule == "":
		return "no rule speaks of it"
	case r.Position == 0:
		return fmt.Sprintf("%s, by %s (%s)", r.Verdict, r.Rule, r.Source)
	}
	return fmt.Sprintf("%s, by %s (%s, rule %d)", r.Verdict, r.Rule, r.Source, r.Position)
}

// LeftOut is what a card says whose diff is not whole.
const LeftOut = "not all of the change is shown, so no standing yes is offered; the log has every byte"

func (c Content) change() (out []Row) {
	if c.Cut {
		out = append(out, Row{Kind: Risk, Text: LeftOut})
	}
	for l := range strings.Lines(visible(c.Diff)) {
		out = append(out, Row{Kind: Change, Text: strings.TrimSuffix(l, "\n")})
	}
	return out
}

// visible is the net under a text that its maker should have shown exactly: nothing of it
// moves or hides a character, and the signs of the card are its own.
func visible(s string) string {
	return ownSigns.Replace(call.Visible(s))
}

var (
	ownSigns = strings.NewReplacer("⇥", "⟨u21e5⟩", "⏎", "⟨u23ce⟩")
	layout   = strings.NewReplacer("\n", "⟨x0a⟩", "\t", "⟨x09⟩")
)

// OneLine is a text as one row of a card, whatever it holds.
func OneLine(s string) string { return line(s) }

func line(s string) string {
	return layout.Replace(visible(s))
}
