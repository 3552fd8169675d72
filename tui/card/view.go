package card

import (
	"fmt"
	"strings"

	core "tenet/core/card"
	"tenet/tui/text"
)

// The heights of a card, by the lines that it has.
const (
	// minBody is how many lines of what would run a card shows at least when its answers
	// have a line each; with less room they share one.
	minBody = 3
	// minWidth is the narrowest card that can be read.
	minWidth = 20
)

// View draws the card in front in at most maxH lines of at most w cells; it is empty when
// no card is up. It is called with the place that the card has: another place than before
// makes the keys wait again.
func (s *Stack) View(w, maxH int) string {
	if !s.Up() || w < 1 || maxH < 1 {
		return ""
	}
	if at := &s.screen; at.width != w || at.height != maxH {
		if at.width != 0 {
			s.desk = s.desk.Moved(s.at())
		}
		at.width, at.height = w, maxH
	}
	if maxH < 2 || w < minWidth {
		return s.ink.warn.Paint(text.Cut(s.small(), w))
	}
	lines := s.compose(w, maxH)
	s.saw()
	return strings.Join(lines, "\n")
}

// small is all that a card says that has no room. It can only be refused then.
func (s *Stack) small() string {
	c, _ := s.desk.First()
	switch {
	case s.desk.Front.Mode == core.Reason:
		return "? why not: " + line(s.desk.Front.Words) + "_"
	case c.Model:
		return "? the model asks; enlarge the window, Esc = no answer"
	}
	return "? " + s.questions[c.ID].Verb() + ": n = no; enlarge the window to see it"
}

// compose is the lines of a card: its head, what would run, and the answers, each on a
// line of its own where there is room.
func (s *Stack) compose(w, maxH int) []string {
	answers := s.answers(w)
	fixed := len(answers) + 3 // head, a line between, foot
	brief := maxH < fixed+minBody
	if brief {
		fixed = 2
	}
	if maxH < 3 {
		fixed = 1
	}
	s.screen.brief = brief
	s.lay(w, !s.screen.details && (brief || s.cutAlways(w)))
	s.screen.room = max(1, min(s.length(), maxH-fixed))
	s.scroll(0)
	var out []string
	if maxH >= 3 {
		out = append(out, s.head(w))
	}
	out = append(out, s.body(w)...)
	if brief {
		return append(out, s.foot(w, true))
	}
	out = append(out, s.between(w))
	out = append(out, answers...)
	return append(out, s.foot(w, false))
}

// head says who wants what, and how many more wait.
func (s *Stack) head(w int) string {
	more := ""
	if n := s.Count() - 1; n > 0 {
		more = fmt.Sprintf(" (+%d)", n)
	}
	mark, verb, rest := "┌ ", "? ", ""
	if s.screen.model {
		verb += "The model asks"
	} else {
		c := s.questions[s.screen.id]
		verb += c.Verb()
		if c.Agent != "" {
			rest = "  subagent " + line(c.Agent)
		}
		if badge := c.Badge(); badge != "" {
			rest += "  " + badge
		}
	}
	room := w - text.Width(mark) - text.Width(more)
	verb = text.Cut(verb, room)
	rest = text.Cut(rest, room-text.Width(verb))
	return s.ink.border.Paint(mark) + s.ink.strong.Paint(verb) + s.ink.muted.Paint(rest) + s.ink.warn.Paint(more)
}

// body is the lines of what would run that have room.
func (s *Stack) body(w int) []string {
	at := &s.screen
	var out []string
	for i := at.top; i < at.top+at.room && i < s.length(); i++ {
		out = append(out, s.row(i, w))
	}
	return out
}

// between says which part is shown.
func (s *Stack) between(w int) string {
	return s.ink.border.Paint(text.Cut("├"+s.part(), w))
}

// part says which lines are shown, where not all of them are.
func (s *Stack) part() string {
	at := &s.screen
	if at.room >= s.length() {
		return ""
	}
	out := fmt.Sprintf(" %d-%d of %d", at.top+1, at.top+at.room, s.length())
	if at.top+at.room < s.length() {
		out += " · more below"
	}
	return out
}

// saw tells the desk how much of the card was on the screen.
func (s *Stack) saw() {
	at := &s.screen
	if at.top <= at.seen {
		at.seen = max(at.seen, at.top+at.room)
	}
	sight := core.Part
	if at.seen >= s.length() {
		sight = core.All
	}
	s.desk = s.desk.Saw(sight)
}
