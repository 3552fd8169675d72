package script

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// word checks that expanding the word needs no more than $NAME, ${NAME}, $?, a
// leading ~ of one's own home, patterns and quotes.
func (g *grammar) word(w *syntax.Word) {
	if g.oddBracket(w) {
		g.whole("a pattern with [. [= or [: in it")
	}
	for i, p := range w.Parts {
		switch p := p.(type) {
		case *syntax.Lit:
			g.lit(p.Value, i == 0, i == len(w.Parts)-1)
		case *syntax.SglQuoted:
			if p.Dollar && !plainANSI(p.Value) {
				g.whole("a rare escape in $'…'")
			}
		case *syntax.DblQuoted:
			g.quoted(p)
		case *syntax.ParamExp:
			g.param(p)
		default:
			g.whole(partKind(p))
		}
	}
}

// oddBracket looks for what a bracket may hold beside characters and the known classes:
// that depends on the locale's tables.
func (g *grammar) oddBracket(w *syntax.Word) bool {
	open := false
	for _, p := range w.Parts {
		l, ok := p.(*syntax.Lit)
		if !ok {
			continue
		}
		for i := 0; i < len(l.Value); i++ {
			switch c := l.Value[i]; {
			case c == '\\':
				i++
			case c == '[' && open:
				if _, after, ok := class(l.Value[i:]); ok {
					i = len(l.Value) - len(after) - 1
				} else if i+1 == len(l.Value) || collates(l.Value[i:]) {
					return true
				}
			case c == '[':
				open = true
			}
		}
	}
	return false
}

func (g *grammar) quoted(q *syntax.DblQuoted) {
	if q.Dollar {
		g.whole(`$"…", which depends on the language`)
	}
	for _, p := range q.Parts {
		switch p := p.(type) {
		case *syntax.Lit:
		case *syntax.ParamExp:
			g.param(p)
		default:
			g.whole(partKind(p))
		}
	}
}

func partKind(p syntax.WordPart) string {
	switch p.(type) {
	case *syntax.CmdSubst, *syntax.ProcSubst:
		return "a command substitution"
	case *syntax.ArithmExp:
		return "arithmetic"
	case *syntax.ExtGlob:
		return "an extended pattern"
	default:
		return "other syntax in a word"
	}
}

func (g *grammar) param(p *syntax.ParamExp) {
	plain := *p
	plain.Dollar, plain.Rbrace, plain.Short, plain.Param = syntax.Pos{}, syntax.Pos{}, false, nil
	if p.Param == nil || !isZero(&plain) {
		g.whole("an expansion with an operator")
		return
	}
	switch name := p.Param.Value; {
	case name == "?":
	case !syntax.ValidName(name):
		g.whole("the parameter $" + name)
	case shellSet(name):
		g.whole("$" + name + ", which bash itself sets")
	}
}

// isZero reports that nothing is set but the name, whatever fields a later parser adds.
func isZero(p *syntax.ParamExp) bool {
	return p.Flags == nil && !p.Excl && !p.Length && !p.Width && !p.IsSet &&
		p.Split == 0 && p.GlobSubst == 0 && p.RcExpand == 0 && p.NestedParam == nil &&
		p.Index == nil && len(p.Modifiers) == 0 && p.Slice == nil && p.Repl == nil && p.Names == 0 && p.Exp == nil
}

// lit looks for the two expansions that hide in plain text: braces and tildes.
func (g *grammar) lit(s string, first, last bool) {
	if at := strings.IndexByte(s, '{'); at >= 0 && !(last && harmlessBraces(s[at:])) {
		g.whole("a brace expansion")
	}
	at := strings.IndexByte(s, '~')
	if at < 0 {
		return
	}
	if first && at == 0 && !(s == "~" && last) && !strings.HasPrefix(s, "~/") {
		g.whole("a tilde of another kind than one's own home")
	}
	// bash expands the tilde of --x=~/y only in words that look like assignments:
	// not worth a guess about which.
	if strings.Contains(s, "=~") || strings.Contains(s, ":~") {
		g.whole("a tilde inside a word")
	}
}

// harmlessBraces: bash leaves {} and {1} alone; only a comma or a range makes braces
// multiply words. A comma anywhere after the brace counts, to err on the safe side.
func harmlessBraces(s string) bool {
	return !strings.Contains(s, ",") && !strings.Contains(s, "..")
}

// plainANSI accepts the escapes of $'…' that every bash reads alike, in every locale:
// those that Shown writes, and the other letters.
func plainANSI(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			continue
		}
		i++
		switch {
		case i == len(s):
			return false
		case strings.IndexByte(`abefnrtv\'"`, s[i]) >= 0:
		case s[i] == 'x' && i+2 < len(s) && hex(s[i+1]) && hex(s[i+2]) && s[i+1:i+3] != "00":
			i += 2 // \x00 would end the word
		default:
			return false
		}
	}
	return true
}

func hex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

// Static is the value of a word that expands to itself: no parameter, no tilde, no
// pattern in it.
func Static(w *syntax.Word) (string, bool) {
	var b strings.Builder
	for _, p := range w.Parts {
		switch p := p.(type) {
		case *syntax.Lit:
			if strings.ContainsAny(p.Value, "*?[~{") {
				return "", false
			}
			unescape(&b, p.Value)
		case *syntax.SglQuoted:
			if p.Dollar {
				return "", false
			}
			b.WriteString(p.Value)
		case *syntax.DblQuoted:
			if len(p.Parts) > 1 || len(p.Parts) == 1 && !plainQuoted(&b, p.Parts[0]) {
				return "", false
			}
		default:
			return "", false
		}
	}
	return b.String(), true
}

func plainQuoted(b *strings.Builder, p syntax.WordPart) bool {
	l, ok := p.(*syntax.Lit)
	if !ok || strings.Contains(l.Value, `\`) {
		return false
	}
	b.WriteString(l.Value)
	return true
}

func unescape(b *strings.Builder, s string) {
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		b.WriteByte(s[i])
	}
}
