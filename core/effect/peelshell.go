package effect

import (
	"strings"

	"tenet/core/call"
)

// shellArgs is what the words of a shell say: a text to run, a file, or neither.
type shellArgs struct {
	text, input bool
	rest        []word
	known       bool
}

// readShell reads the options of a shell of Bourne's family: letters in groups, where
// each o and O takes the next word, up to the first word that is none.
func readShell(words []word) shellArgs {
	a := shellArgs{known: true}
	for i := 0; i < len(words); i++ {
		w := words[i]
		switch {
		case w.sure == unknown && (w.text == "" || w.text[0] == '-' || w.text[0] == '+'):
			a.known = false
			a.rest = words[i:]
			return a
		case w.text == "--" || w.text == "-":
			a.rest = words[i+1:]
			return a
		case len(w.text) < 2 || w.text[0] != '-' && w.text[0] != '+':
			a.rest = words[i:]
			return a
		case strings.HasPrefix(w.text, "--"):
			if w.text == "--rcfile" || w.text == "--init-file" {
				i++
			}
		default:
			a.text = a.text || w.text[0] == '-' && strings.Contains(w.text, "c")
			a.input = a.input || strings.Contains(w.text, "s")
			i += strings.Count(strings.ToLower(w.text[1:]), "o")
		}
	}
	return a
}

// peelShell reads the text that a shell runs: that of -c, or what stands on its input
// when no file is named. A script in a file is a program like any other.
func peelShell(s *scene, base string, argv []word) bool {
	a := readShell(argv[1:])
	switch {
	case !a.known:
		return s.anyBeginning(base, argv)
	case a.text && len(a.rest) > 0:
		if a.rest[0].sure != exact {
			s.keep(argv)
		}
		s.interpret(base, a.rest[0], a.rest[1:])
		return true
	}
	s.keep(argv)
	switch {
	case a.input && len(a.rest) > 0:
		s.interpretInput(base, append([]word{{text: base}}, a.rest...))
	case len(a.rest) == 0 || fromInput(a.rest[0].text):
		s.interpretInput(base, a.rest)
	}
	return false
}

// fromInput reports whether a file is what the shell reads from before it.
func fromInput(file string) bool {
	switch file {
	case "-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0", inputFile:
		return true
	}
	return false
}

// interpretInput reads what stands on a shell's input, when that is known.
func (s *scene) interpretInput(base string, args []word) {
	if s.input == "" {
		s.obscure()
		return
	}
	text := s.input
	s.through(base, func() {
		s.fed, s.input = "", ""
		s.scriptIn(text, args)
	})
}

// sourced reads what source and . read from the input.
func (s *scene) sourced(argv []word) {
	if len(argv) > 1 && argv[1].sure == exact && fromInput(argv[1].text) {
		s.interpretInput(argv[0].text, argv[1:])
	}
}

func peelFish(s *scene, base string, argv []word) bool {
	w := wrapperOf(base)
	a, rest := w.parsed.leading(argv[1:])
	if a.strange {
		return s.anyBeginning(base, argv)
	}
	s.keep(argv)
	texts := valuesOf(&a, w.text)
	for _, t := range texts {
		s.interpret(base, t, nil)
	}
	if len(texts) == 0 && len(rest) == 0 {
		s.interpretInput(base, nil)
	}
	return false
}

// peelEval reads the words of eval as one text, in the shell itself.
func peelEval(s *scene, base string, argv []word) bool {
	words := argv[1:]
	if len(words) > 0 && words[0].text == "--" {
		words = words[1:]
	}
	if len(words) == 0 {
		s.keep(argv)
		return false
	}
	for _, w := range words {
		if w.sure != exact {
			s.keep(argv)
			s.obscure()
			break
		}
	}
	s.through(base, func() { s.evaluated(joinedFull(words)) })
	return true
}

// evaluated walks a text with what the shell around it knows.
func (s *scene) evaluated(text string) {
	if s.shell == nil {
		s.scriptIn(text, nil)
		return
	}
	s.scriptWith(text, copied(s.shell.vars))
}

// peelTrap reads the text that a signal runs; - and nothing are none.
func peelTrap(s *scene, base string, argv []word) bool {
	words := argv[1:]
	if len(words) > 0 && words[0].text == "--" {
		words = words[1:]
	}
	s.keep(argv)
	if len(words) > 1 && words[0].text != "-" && words[0].text != "" && !words[0].option() {
		s.interpret(base, words[0], nil)
	}
	return false
}

// peelSu reads the text of -c. Without one the words behind the user are those of the
// user's shell.
func peelSu(s *scene, base string, argv []word) bool {
	w := wrapperOf(base)
	a := w.parsed.parse(argv[1:])
	if a.strange {
		return s.anyBeginning(base, argv)
	}
	texts := valuesOf(&a, w.text)
	for _, t := range texts {
		s.interpret(base, t, nil)
	}
	if len(texts) > 0 {
		return true
	}
	s.keep(argv)
	operands := a.operands
	if len(operands) > 0 && operands[0].text == "-" {
		operands = operands[1:]
	}
	if len(operands) > 1 {
		s.through(base, func() { s.perform(append([]word{{text: "sh"}}, operands[1:]...)) })
		return false
	}
	s.interpretInput(base, nil)
	return false
}

// peelRunuser: with -u the words are a command, else they are as those of su.
func peelRunuser(s *scene, base string, argv []word) bool {
	w := wrapperOf(base)
	a, rest := w.parsed.leading(argv[1:])
	if !a.strange && hasAny(&a, "u user") && len(rest) > 0 {
		s.through(base, func() { s.perform(rest) })
		return true
	}
	return peelSu(s, base, argv)
}

// peelSudo: without a command sudo -s and -i run a shell that reads its input.
func peelSudo(s *scene, base string, argv []word) bool {
	w := *wrapperOf(base)
	w.run = nil
	a, rest := w.parsed.leading(argv[1:])
	if !a.strange && len(rest) == 0 && hasAny(&a, "s shell i login") {
		s.through(base, func() { s.perform([]word{{text: "sh"}}) })
		return true
	}
	return w.peel(s, base, argv)
}

// peelEnv: the text of -S is split into words that stand before the others.
func peelEnv(s *scene, base string, argv []word) bool {
	w := *wrapperOf(base)
	w.run = nil
	a, rest := w.parsed.leading(argv[1:])
	texts := valuesOf(&a, "S split-string")
	if a.strange || len(texts) == 0 {
		return w.peel(s, base, argv)
	}
	var split []word
	for _, t := range texts {
		if t.sure != exact {
			return s.anyBeginning(base, argv)
		}
		split = append(split, splitString(t.text)...)
	}
	return w.peel(s, base, append(append([]word{argv[0]}, split...), rest...))
}

// splitString splits the text of env -S: quotes and backslashes as in a shell,
// variables in braces are known only when it runs.
func splitString(text string) (out []word) {
	var b builder
	quote := byte(0)
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '\\' && i+1 < len(text) && quote != '\'':
			i++
			splitEscape(&b, text[i], quote)
		case c == '$' && quote != '\'':
			b.lost()
			i += max(0, strings.IndexByte(text[i:], '}'))
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"'):
			quote, b.quoted = c, true
		case quote == 0 && strings.IndexByte(" \t\n\v\f\r", c) >= 0:
			b.next()
		case quote == 0 && c == '#' && b.text.Len() == 0 && !b.quoted:
			return b.done()
		default:
			b.literal(text[i : i+1])
		}
	}
	return b.done()
}

// splitEscape adds what a backslash in env -S stands for.
func splitEscape(b *builder, c, quote byte) {
	switch at := strings.IndexByte("fnrtv", c); {
	case c == '_' && quote == 0:
		b.next()
	case c == '_':
		b.literal(" ")
	case at >= 0:
		b.literal("\f\n\r\t\v"[at : at+1])
	case c == 'c':
	default:
		b.literal(string(c))
	}
}

// peelWatch: with -x the words are a command, else a text for sh.
func peelWatch(s *scene, base string, argv []word) bool {
	w := *wrapperOf(base)
	w.run = nil
	a, _ := w.parsed.leading(argv[1:])
	w.joins = !hasAny(&a, "x exec")
	return w.peel(s, base, argv)
}

// peelEntr: with -s the only word is a text for the shell; /_ is a name from its input.
func peelEntr(s *scene, base string, argv []word) bool {
	w := wrapperOf(base)
	a, rest := w.parsed.leading(argv[1:])
	switch {
	case a.strange:
		return s.anyBeginning(base, argv)
	case hasAny(&a, "s") && len(rest) > 0:
		s.interpret(base, rest[0], nil)
	case len(rest) == 0:
		s.keep(argv)
		return false
	default:
		s.through(base, func() { s.recorded(replaced(rest, "/_", word{sure: unknown})) })
	}
	return true
}

// recorded keeps a command whose effects are judged in another form.
func (s *scene) recorded(argv []word) {
	only := s.only
	s.only = true
	s.perform(argv)
	s.only = only
}

// replaced is the words with each place of a token taken by another word.
func replaced(words []word, token string, by word) []word {
	out := make([]word, len(words))
	for i, w := range words {
		out[i] = w
		if token == "" || w.sure == unknown || !strings.Contains(w.text, token) {
			continue
		}
		full := strings.ReplaceAll(w.text, token, by.shown())
		out[i] = planned(full)
		out[i].signs = by.signs || w.signs
		if by.sure == pattern && out[i].sure == exact {
			out[i] = word{text: full, sure: pattern, full: full, signs: true}
		}
	}
	return out
}

var holeWord = word{sure: unknown, full: call.Hole}
