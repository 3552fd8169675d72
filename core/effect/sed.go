package effect

import (
	"strings"

	"tenet/core/call"
)

var sedOptions = parseOptions("-n -E -r -s -u -z -e=!t -i?!w --quiet --silent --regexp-extended --separate --unbuffered --null-data --zero-terminated --expression=!t --in-place?!w")

// runSed vouches for sed when every script is a known-safe form (S7.8): sed can run
// programs (e, s///e), write files (w, s///w) and read any (r).
func runSed(s *scene, argv []word) {
	a := sedOptions.parse(argv[1:])
	s.add(reads.With(a.adds))
	s.relinks = s.relinks || a.adds.Has(call.Write) // a link that is edited in place becomes a file
	if a.strange {
		s.exec("sed has an option that the effect table does not know")
	}
	scripts, suffix := sedScripts(&a)
	if !sedSafe(strings.Join(scripts, "\n")) || strings.ContainsAny(suffix, "/*") {
		s.exec("the sed script is not one of the known-safe forms")
	}
	if ambiguousInPlace(argv) {
		s.exec("-i takes the next word on some systems, and the script is another one there")
	}
	for _, w := range a.operands {
		if a.adds.Has(call.Write) {
			s.writes(w)
		} else {
			s.names(w)
		}
	}
}

// sedScripts takes the scripts from the options, else from the first operand; a
// script that is known only when it runs is an unsafe one.
func sedScripts(a *args) (scripts []string, suffix string) {
	for _, g := range a.opts {
		switch g.name {
		case "e", "expression":
			scripts = append(scripts, scriptText(g.value))
		case "i", "in-place":
			suffix = g.value.text
		}
	}
	if scripts == nil && len(a.operands) > 0 {
		scripts = append(scripts, scriptText(a.operands[0]))
		a.operands = a.operands[1:]
	}
	return scripts, suffix
}

func scriptText(w word) string {
	if w.sure != exact {
		return "e"
	}
	return w.text
}

// ambiguousInPlace reports whether a bare -i is followed by words that BSD sed
// would read as a suffix and another script: an empty suffix, or a second script.
func ambiguousInPlace(argv []word) bool {
	for i, w := range argv {
		if w.text != "-i" || i+2 >= len(argv) {
			continue
		}
		next, script := argv[i+1].text, argv[i+2].text
		if next == "" && !sedSafe(script) {
			return true
		}
		if strings.ContainsAny(script, " \t\n;") && script[0] != '-' && !sedSafe(script) {
			return true
		}
	}
	return false
}

// sedSafe reports whether a script has only the commands p P d D q Q = n N g G h H
// x { }, s with the flags g i I m M p and a number, and y, behind addresses of N, $,
// /regex/ and !.
func sedSafe(script string) bool {
	p := sedParser{s: script}
	for p.skip(" \t\n;"); p.s != ""; p.skip(" \t\n;") {
		if !p.command() {
			return false
		}
	}
	return p.depth == 0
}

type sedParser struct {
	s     string
	depth int
}

func (p *sedParser) skip(set string) { p.s = strings.TrimLeft(p.s, set) }

func (p *sedParser) eat(b byte) bool {
	if p.s != "" && p.s[0] == b {
		p.s = p.s[1:]
		return true
	}
	return false
}

func (p *sedParser) command() bool {
	if !p.addresses() {
		return false
	}
	p.skip(" \t")
	for p.eat('!') {
		p.skip(" \t")
	}
	if p.s == "" {
		return false
	}
	c := p.s[0]
	p.s = p.s[1:]
	switch c {
	case '{':
		p.depth++
		return true
	case '}':
		p.depth--
		return p.depth >= 0 && p.end()
	case 's':
		return p.substitute()
	case 'y':
		return p.delimited(2) && p.end()
	}
	return strings.IndexByte("pPdDqQ=nNgGhHx", c) >= 0 && p.end()
}

// end wants the end of a command: nothing may hang on to it.
func (p *sedParser) end() bool {
	p.skip(" \t")
	return p.s == "" || strings.IndexByte("\n;}", p.s[0]) >= 0
}

func (p *sedParser) addresses() bool {
	had, ok := p.address()
	if !ok || !had {
		return ok
	}
	p.skip(" \t")
	if !p.eat(',') {
		return true
	}
	p.skip(" \t")
	had, ok = p.address()
	return had && ok
}

// address takes one address; ok is false for one that is not known to be safe.
func (p *sedParser) address() (had, ok bool) {
	switch {
	case p.s == "":
		return false, true
	case p.s[0] == '$':
		p.s = p.s[1:]
		return true, true
	case p.s[0] == '/':
		return true, p.delimited(1)
	case p.s[0] >= '0' && p.s[0] <= '9':
		p.skip("0123456789")
		return true, true
	}
	return false, true
}

func (p *sedParser) substitute() bool {
	if !p.delimited(2) {
		return false
	}
	p.skip("giImMp0123456789")
	return p.end()
}

// delimited takes n texts that the next byte delimits. GNU and BSD differ on a
// delimiter inside brackets, so that one is not known to be safe.
func (p *sedParser) delimited(n int) bool {
	if p.s == "" || strings.IndexByte("\n\\ ;", p.s[0]) >= 0 || p.s[0] >= 0x80 {
		return false
	}
	delim := p.s[0]
	p.s = p.s[1:]
	for i := range n {
		text, ok := p.until(delim)
		if !ok || i == 0 && bracketed(text) {
			return false
		}
	}
	return true
}

// until takes text up to an unescaped delimiter.
func (p *sedParser) until(delim byte) (text string, ok bool) {
	for i := 0; i < len(p.s); i++ {
		switch p.s[i] {
		case '\\':
			i++
		case delim:
			text, p.s = p.s[:i], p.s[i+1:]
			return text, true
		}
	}
	return "", false
}

// bracketed reports whether a regular expression ends inside a bracket expression:
// then the delimiter that ended it stood in brackets.
func bracketed(re string) bool {
	in := false
	for i := 0; i < len(re); i++ {
		switch {
		case !in && re[i] == '\\':
			i++
		case !in && re[i] == '[':
			in = true
			if i+1 < len(re) && re[i+1] == '^' {
				i++
			}
			if i+1 < len(re) && re[i+1] == ']' {
				i++
			}
		case in && re[i] == '[' && i+1 < len(re) && strings.IndexByte(":.=", re[i+1]) >= 0:
			if j := strings.Index(re[i+2:], string(re[i+1])+"]"); j >= 0 {
				i += j + 3
			}
		case in && re[i] == ']':
			in = false
		}
	}
	return in
}
