package effect

import (
	"slices"
	"strings"
)

// runAwk vouches for awk when its program only computes and prints: no redirection,
// pipe, getline, system, and nothing that reads the environment. It is the most
// frequent false question otherwise.
func runAwk(s *scene, argv []word) {
	a := parseOptions("-F=!t -v=!t").parse(argv[1:])
	s.add(reads)
	if len(a.operands) == 0 || a.strange || a.operands[0].sure != exact || !awkSafe(a.operands[0].text) {
		s.exec("the awk program is not known to only print")
		s.loose(argv[1:])
		return
	}
	for _, w := range a.operands[1:] {
		s.names(w)
		if _, value, ok := w.cut("="); ok {
			s.names(value)
		}
	}
}

// awkWords are the names a safe program may use besides its own variables. A
// variable is harmless, whatever it is called, unless awk gives it a meaning.
var awkWords = strings.Fields("BEGIN END NF NR FNR FILENAME FS OFS RS ORS SUBSEP RSTART RLENGTH print printf length substr index split sub gsub match tolower toupper int if else for while do in next exit break continue delete")

// awkSafe reads the program word by word. Where it is not certain whether a slash
// divides or begins a regular expression, the program is not known to be safe: read
// the wrong way, a quote in a regular expression would hide code.
func awkSafe(program string) bool {
	t := awkReader{s: program}
	for t.s != "" {
		if !t.token() {
			return false
		}
	}
	return t.braces == 0 && t.parens == 0
}

// slash is what a slash means after a token.
type slash uint8

const (
	beginsRegex slash = iota
	divides
	unclear
)

type awkReader struct {
	s              string
	braces, parens int
	slash          slash
}

func (t *awkReader) token() bool {
	c := t.s[0]
	switch {
	case c == '"':
		return t.quoted('"')
	case c == '/' && t.slash == beginsRegex:
		return t.quoted('/')
	case c >= '0' && c <= '9' || c == '.':
		t.take("0123456789.")
		t.slash = divides
		return true
	case letter(c):
		return t.name()
	case c == '#':
		_, t.s, _ = strings.Cut(t.s, "\n")
		t.slash = beginsRegex
		return true
	case c == ' ' || c == '\t':
		t.take(" \t")
		return true
	}
	return t.sign(c)
}

// quoted takes a string or a regular expression to its end.
func (t *awkReader) quoted(end byte) bool {
	for i := 1; i < len(t.s); i++ {
		switch t.s[i] {
		case '\\':
			i++
		case '\n':
			return false
		case end:
			if end == '/' && bracketed(t.s[1:i]) {
				return false
			}
			t.s, t.slash = t.s[i+1:], divides
			return true
		}
	}
	return false
}

func (t *awkReader) name() bool {
	n := t.take("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
	switch n {
	case "print", "printf", "else", "do":
		t.slash = beginsRegex
	case "in", "next", "exit", "break", "continue", "delete", "BEGIN", "END":
		t.slash = unclear
	default:
		t.slash = divides
	}
	if slices.Contains(awkWords, n) {
		return true
	}
	return strings.ToLower(n) == n && !slices.Contains(awkVerbs, n) && !strings.HasPrefix(strings.TrimLeft(t.s, " \t"), "(")
}

// awkVerbs are the lower-case words that do more than compute.
var awkVerbs = strings.Fields("system getline close fflush function func return nextfile switch case default")

// sign takes one operator. > compares only outside of braces or inside of
// parentheses; elsewhere it writes.
func (t *awkReader) sign(c byte) bool {
	t.s = t.s[1:]
	t.slash = beginsRegex
	switch c {
	case '{':
		t.braces++
	case '}':
		t.braces--
	case '(':
		t.parens++
	case ')':
		t.parens--
		t.slash = unclear
	case ']':
		t.slash = divides
	case ',', ';', '\n', '!', '~':
	case '$', '[', '+', '-', '*', '%', '^', '=', '<', '?', ':', '/':
		t.slash = unclear
	case '&', '|':
		if !t.twice(c) {
			return false
		}
	case '>':
		t.slash = unclear
		return t.braces == 0 || t.parens > 0
	default:
		return false
	}
	return t.braces >= 0 && t.parens >= 0
}

// twice takes the second byte of && and ||; one alone is a pipe.
func (t *awkReader) twice(c byte) bool {
	rest, ok := strings.CutPrefix(t.s, string(c))
	t.s = rest
	return ok
}

func (t *awkReader) take(set string) string {
	rest := strings.TrimLeft(t.s, set)
	n := t.s[:len(t.s)-len(rest)]
	t.s = rest
	return n
}

func letter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_'
}
