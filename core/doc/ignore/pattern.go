// Package ignore decides as git does which files a directory's ignore files leave
// out (S8.9). It reads nothing: a walk hands it the text of each .gitignore.
package ignore

import "strings"

// kind is what one token of a pattern takes of a path.
type kind uint8

const (
	char  kind = iota // this byte
	one               // any byte but /
	set               // any byte of a class, never /
	run               // any bytes but /, also none
	deep              // any bytes
	depth             // "**/": nothing, or any bytes up to and with a /
	never             // nothing can match: a class that is not closed, a lone \ at the end
)

type token struct {
	kind  kind
	c     byte
	class *class
}

// glob is a compiled pattern. Patterns are bytes, as they are to git: ? takes one
// byte, so that a name in any encoding can be matched.
type glob []token

// compile reads a pattern. With path set, * ? and classes do not take a /, and **
// has its meaning where it stands for whole components; else ** is *.
func compile(p string, path bool) glob {
	var g glob
	for i := 0; i < len(p); {
		switch p[i] {
		case '*':
			n := len(p[i:]) - len(strings.TrimLeft(p[i:], "*"))
			g, i = g.stars(p, i, n, path)
		case '?':
			g, i = append(g, token{kind: one}), i+1
		case '[':
			c, next, ok := parseClass(p, i+1)
			if !ok {
				return glob{{kind: never}}
			}
			g, i = append(g, token{kind: set, class: c}), next
		case '\\':
			if i+1 == len(p) {
				return glob{{kind: never}}
			}
			g, i = append(g, token{kind: char, c: p[i+1]}), i+2
		default:
			g, i = append(g, token{kind: char, c: p[i]}), i+1
		}
	}
	return g
}

// stars reads a run of n stars at i.
func (g glob) stars(p string, i, n int, path bool) (glob, int) {
	rest := p[i+n:]
	starts := i == 0 || p[i-1] == '/'
	switch {
	case !path || n < 2 || !starts:
	case rest == "" || strings.HasPrefix(rest, `\/`):
		return append(g, token{kind: deep}), i + n
	case rest[0] == '/':
		return append(g, token{kind: depth}), i + n + 1
	}
	return append(g, token{kind: run}), i + n
}

// mark is where matching goes on when what came after a wildcard did not fit.
type mark struct{ token, at int }

// match reports whether the pattern takes the whole name. A later wildcard never
// makes it useful to let an earlier one of its kind take more, so two marks are
// enough, one for what stays inside a component and one for what does not: the time
// is bounded by both lengths multiplied, whatever a hostile pattern says.
func (g glob) match(name string) bool {
	inner, outer := mark{token: -1}, mark{token: -1}
	t, at := 0, 0
	for {
		switch {
		case t == len(g):
			if at == len(name) {
				return true
			}
		case g[t].kind == run:
			inner = mark{t, at}
			t++
			continue
		case g[t].kind == deep, g[t].kind == depth:
			outer, inner = mark{t, at}, mark{token: -1}
			t++
			continue
		case at < len(name) && g[t].takes(name[at]):
			t, at = t+1, at+1
			continue
		}
		var ok bool
		if t, at, ok = g.back(name, &inner, &outer); !ok {
			return false
		}
	}
}

// back lets the innermost wildcard that can take more do so.
func (g glob) back(name string, inner, outer *mark) (t, at int, ok bool) {
	if inner.token >= 0 && inner.at < len(name) && name[inner.at] != '/' {
		inner.at++
		return inner.token + 1, inner.at, true
	}
	inner.token = -1
	if outer.token < 0 || outer.at >= len(name) {
		return 0, 0, false
	}
	if g[outer.token].kind == deep {
		outer.at++
		return outer.token + 1, outer.at, true
	}
	i := strings.IndexByte(name[outer.at:], '/')
	if i < 0 {
		outer.token = -1
		return 0, 0, false
	}
	outer.at += i + 1
	return outer.token + 1, outer.at, true
}

func (t token) takes(c byte) bool {
	switch t.kind {
	case char:
		return c == t.c
	case one:
		return c != '/'
	case set:
		return c != '/' && t.class.has(c)
	case run, deep, depth, never:
	}
	return false
}
