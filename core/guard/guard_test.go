package guard_test

import (
	"strings"
	"testing"

	"tenet/core/call"
	"tenet/core/guard"
)

// The place that the tests' commands stand in.
const (
	home = "/home/u"
	root = "/home/u/proj"
)

func policy() guard.Policy {
	return guard.Policy{Root: root, Home: home, Roster: []string{"read", "write", "edit", "search_replace", "bash", "run"}}
}

// step reads a line of test text: commands separated by a lone |, words by blanks; ~
// is home, … is an unknown part, > FILE a redirection, ␣ a blank inside a word, and a
// word with an unquoted sign is a pattern. It is no shell, only a short way to write
// what a planner hands over.
func step(text string) call.Step {
	s := call.Step{N: 1, Text: text}
	fed := ""
	for part := range strings.SplitSeq(text, " | ") {
		c := call.Command{Dir: root, Fed: fed}
		fields := strings.Fields(part)
		for i := 0; i < len(fields); i++ {
			if fields[i] == ">" && i+1 < len(fields) {
				i++
				c.Outs = append(c.Outs, word(fields[i]))
				continue
			}
			if dir, ok := strings.CutPrefix(fields[i], "@"); ok && len(c.Words) == 0 {
				c.Dir = expand(dir)
				continue
			}
			c.Words = append(c.Words, word(fields[i]))
		}
		fed = c.Name()
		s.Commands = append(s.Commands, c)
	}
	return s
}

func word(t string) call.Word {
	w := call.Word{Pattern: strings.ContainsAny(t, "*?[")}
	w.Text = strings.ReplaceAll(strings.ReplaceAll(expand(t), "…", call.Hole), "␣", " ")
	return w
}

func expand(t string) string {
	if t == "~" || strings.HasPrefix(t, "~/") {
		return home + t[1:]
	}
	return t
}

// blocked asks the guard about a line and returns the rule's name, empty for a pass.
func blocked(p guard.Policy, text string) string {
	b, _ := guard.Check(p, "bash", step(text))
	return b.Rule
}

// holds checks that each line is blocked by the rule, and each other line by none.
func holds(t *testing.T, p guard.Policy, rule, denied, passed string) {
	t.Helper()
	for line := range strings.Lines(denied) {
		if line = strings.TrimSpace(line); line != "" && blocked(p, line) != rule {
			t.Errorf("%q: blocked by %q, want %s", line, blocked(p, line), rule)
		}
	}
	for line := range strings.Lines(passed) {
		if line = strings.TrimSpace(line); line != "" && blocked(p, line) != "" {
			t.Errorf("%q: blocked by %s, want a pass", line, blocked(p, line))
		}
	}
}
