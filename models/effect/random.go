package effect

import (
	"fmt"
	"strings"
)

// maxTurns is how often a random script is changed.
const maxTurns = 4

// Random is a script and what several changes made of it, each choice taken from pick:
// wrappers around wrappers, commands beside them, quotes inside of quotes.
func Random(pick func(n int, what string) int) Pair {
	s := turned{text: scripts[pick(len(scripts), "script")], simple: true}
	p := Pair{Change: Quote, Before: s.text}
	for range 1 + pick(maxTurns, "turns") {
		switch pick(3, "turn") {
		case 0:
			s.quote(pick)
		case 1:
			s.wrap(pick)
			p.Change = Wrap
		case 2:
			s.add(pick)
			p.Change = Wrap
		}
	}
	p.Then = s.text
	return p
}

// turned is a script under change. simple is true while it is one command.
type turned struct {
	text   string
	simple bool
}

// plain reports whether no sign in the text means anything to a shell.
func (s *turned) plain() bool {
	return s.simple && !strings.ContainsAny(s.text, "'\"\\$`()<>|&;{}*?[#\n~")
}

// quote writes one word in another way, where the words can still be told.
func (s *turned) quote(pick func(int, string) int) {
	if !s.plain() {
		return
	}
	words := strings.Fields(s.text)
	i := pick(len(words), "word")
	w := words[i]
	spelled := []string{"'" + w + "'", `"` + w + `"`, `\` + w, "$'" + w + "'", w[:1] + `""` + w[1:]}
	words[i] = spelled[pick(len(spelled), "quotes")]
	s.text = strings.Join(words, " ")
}

// wrap puts the script behind a wrapper that can take it: as words when it is one
// command, as words that are joined again when nothing in it is quoted, else as a text.
func (s *turned) wrap(pick func(int, string) int) {
	form := wrappers[pick(len(wrappers), "wrapper")]
	switch {
	case strings.Contains(form, "'"):
		if strings.Contains(form, "env ") && !s.plain() || !s.simple && !strings.Contains(form, "'%s'") {
			return // env splits its text in a way of its own
		}
		s.text = strings.Replace(form, "%s", strings.ReplaceAll(s.text, "'", `'\''`), 1)
	case joinsWords(form) && s.plain(), !joinsWords(form) && s.simple:
		s.text = fmt.Sprintf(form, s.text)
	default:
		return
	}
	s.simple = true
}

func joinsWords(form string) bool {
	name, _, _ := strings.Cut(form, " ")
	return name == "eval" || name == "ssh" || name == "watch" && !strings.Contains(form, "-x")
}

// add puts the script beside or inside of something else.
func (s *turned) add(pick func(int, string) int) {
	forms := []string{"true; %s", "%s | cat", "echo x | %s", "( %s )", "if true; then %s; fi", "echo \"$( %s )\"", "for i in 1 2; do %s; done", "x=$( %s )", "cat <( %s )", "%s && ls", "f() { %s; }; f"}
	s.text = fmt.Sprintf(forms[pick(len(forms), "form")], s.text)
	s.simple = false
}
