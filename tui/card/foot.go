package card

import (
	"fmt"
	"strings"

	"tenet/core/approvals"
	core "tenet/core/card"
	"tenet/tui/keys"
	"tenet/tui/text"
)

// answers is a line for each answer of a question of the gate: its key, and what it means.
// The one moved to is shown whole, in several lines if need be.
func (s *Stack) answers(w int) (out []string) {
	if s.screen.model || s.desk.Front.Mode == core.Reason {
		return nil
	}
	for i, c := range s.desk.Choices() {
		if i == s.desk.Front.Focus {
			out = append(out, s.focused(s.choice(c), w)...)
			continue
		}
		look := s.ink.text
		if !c.Open {
			look = s.ink.muted
		}
		out = append(out, s.ink.border.Paint(border)+look.Paint(text.Cut("  "+s.choice(c), w-1)))
	}
	return out
}

// maxFocused is how many lines the answer moved to takes. What has no room stands among
// the rows of the card, which must have been seen before a standing yes.
const maxFocused = 4

// focused is the answer that Enter gives.
func (s *Stack) focused(t string, w int) (out []string) {
	for i, l := range core.Lines([]core.Row{{Kind: core.Fact, Text: t}}, w-1, text.Width) {
		mark := "▸"
		if i > 0 {
			mark = `\`
		}
		if i == maxFocused {
			break
		}
		out = append(out, s.ink.border.Paint(border)+s.ink.selected.Paint(text.Cut(mark+" "+l.Text, w-1)))
	}
	return out
}

// choice is an answer in words, behind the key that gives it.
func (s *Stack) choice(c core.Choice) string {
	t := line(c.Answer.Means)
	if c.Patterns > 1 {
		t += fmt.Sprintf(" (%d of %d)", c.Pattern, c.Patterns)
	}
	if !c.Open && c.Choice == approvals.AllowAlways {
		t = "(once all was seen) " + t
	}
	return fmt.Sprintf("%-2s ", s.key(c)) + t
}

// cutAlways reports whether a standing answer has no room for its pattern in its line.
func (s *Stack) cutAlways(w int) bool {
	for _, c := range s.desk.Choices() {
		c.Open = true
		if c.Patterns > 0 && (text.Width(s.choice(c))+3 > w || !strings.Contains(line(c.Answer.Means), line(c.Answer.Pattern))) {
			return true
		}
	}
	return false
}

// key is the key of an answer.
func (s *Stack) key(c core.Choice) string {
	switch c.Choice {
	case approvals.Deny:
		return "n"
	case approvals.AllowOnce:
		return s.keys.Key(keys.CardOnce)
	case approvals.AllowSession:
		return s.keys.Key(keys.CardSession)
	case approvals.AllowAlways:
		return s.keys.Key(keys.CardAlways)
	}
	return ""
}

// foot is the last line: what the keys do now, or what was just written.
func (s *Stack) foot(w int, brief bool) string {
	say, look := "", s.ink.muted
	switch mode := s.desk.Front.Mode; {
	case s.Quiet() > 0 && s.hint == early:
		say, look = early, s.ink.warn
	case s.Quiet() > 0:
		say = "keys count once the keyboard is still"
	case mode == core.Reason:
		return s.written(w, "no. Why? (Enter skips) ")
	case mode == core.Writing:
		return s.written(w, "answer (Esc = none) ")
	case s.hint != "":
		say, look = s.hint, s.ink.warn
	case brief:
		return s.ink.border.Paint("└") + s.ink.text.Paint(text.Cut(s.brief(), w-1))
	default:
		say = s.help()
	}
	return s.ink.border.Paint("└ ") + look.Paint(text.Cut(say, w-2))
}

// help names the keys that answer nothing.
func (s *Stack) help() string {
	parts := []string{"Enter = no"}
	if s.desk.Front.Focus > 0 {
		parts[0] = "Enter = this"
	}
	if s.part() != "" {
		parts = append(parts, s.called(keys.CardPageDown)+" more")
	}
	return strings.Join(append(parts, "←→ choose", s.called(keys.CardDetails)+" details", s.called(keys.CardExplain)+" why", s.called(keys.CardFull)+" full"), " · ")
}

// called is a key as people name it.
func (s *Stack) called(a keys.Action) string {
	switch k := s.keys.Key(a); {
	case k == "pgdown":
		return "PgDn"
	case len(k) > 1 && k[0] >= 'a' && k[0] <= 'z':
		return string(k[0]-'a'+'A') + k[1:]
	default:
		return k
	}
}

// brief is all answers in one line. The one moved to stands first, with all that it means.
func (s *Stack) brief() string {
	all := s.desk.Choices()
	if s.desk.Front.Focus > 0 && s.desk.Front.Focus < len(all) {
		return "▸ Enter: " + s.choice(all[s.desk.Front.Focus])
	}
	names := map[approvals.Choice]string{approvals.Deny: "no", approvals.AllowOnce: "once", approvals.AllowSession: "session", approvals.AllowAlways: "always"}
	parts := []string{}
	for _, c := range all {
		if c.Open || c.Choice == approvals.AllowOnce {
			parts = append(parts, s.key(c)+" "+names[c.Choice])
		}
	}
	out := "▸ " + strings.Join(parts, " · ")
	if p := s.part(); p != "" {
		out += " ·" + p
	}
	return out
}

// written is the line that a person writes, its end in sight.
func (s *Stack) written(w int, ask string) string {
	head := "└ " + ask
	if n := s.desk.Front.Focus; s.desk.Front.Mode == core.Writing && n > 0 {
		head += fmt.Sprintf("▸ %d ", n)
	}
	head = text.Cut(head, max(0, w-4))
	room := max(0, w-text.Width(head)-1)
	return s.ink.strong.Paint(head) + s.ink.user.Paint(text.CutFront(line(s.desk.Front.Words), room)) + text.Cut("_", w-text.Width(head))
}
