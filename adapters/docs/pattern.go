package docs

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"

	"tenet/core/doc"
	"tenet/core/surface"
)

// pattern is what grep looks for: one line at a time, without its ending.
type pattern struct {
	re *regexp.Regexp
	// lits narrows the search to lines that hold one of them, when there are any.
	lits    doc.Literals
	hasLits bool
	// exact is true when holding the literal is the match itself.
	exact int
}

var errLineEnd = errors.New("the pattern holds a line end, but grep looks at one line at a time; look for one of its lines")

func newPattern(args surface.Args) (*pattern, error) {
	text, literal, fold := args.Str("pattern", ""), args.Bool("literal"), args.Bool("ignore_case")
	switch {
	case text == "":
		return nil, errors.New("the pattern is empty and would match every line; give a text to look for")
	case literal && strings.Contains(text, "\n"):
		return nil, errLineEnd
	}
	p := &pattern{}
	expr := text
	if literal {
		expr = regexp.QuoteMeta(text)
	}
	if fold {
		expr = "(?i)" + expr
	}
	tree, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return nil, badPattern(text, err)
	}
	if p.re, err = regexp.Compile(expr); err != nil {
		return nil, badPattern(text, err)
	}
	p.lits, p.hasLits = doc.Required(tree)
	if prefix, whole := p.re.LiteralPrefix(); whole && prefix != "" {
		if strings.Contains(prefix, "\n") {
			return nil, errLineEnd
		}
		p.lits, p.hasLits, p.exact = doc.Only(prefix), true, len(prefix)
	}
	return p, nil
}

func badPattern(text string, err error) error {
	reason := err.Error()
	var se *syntax.Error
	if errors.As(err, &se) {
		reason = fmt.Sprintf("%s: %s", se.Code, se.Expr)
	}
	hint := `RE2 syntax, for example func \w+\( or (foo|bar)\b`
	if strings.HasPrefix(text, "(?") || strings.Contains(text, "(?=") || strings.Contains(text, "(?!") || strings.Contains(text, "(?<") {
		hint = "RE2 has no look-ahead or look-behind: search for the text around it"
	}
	return fmt.Errorf("the pattern %q is not valid (%s); %s. To look for it as plain text, set literal", text, reason, hint)
}

// scan calls each for every line of buf that matches, with the line's bounds and the
// match inside it, until each returns false. Lines end as they do for a read.
func (p *pattern) scan(buf []byte, each func(start, end, from, to int) bool) {
	var f *doc.Finder
	if p.hasLits {
		f = p.lits.In(buf)
	}
	for at := 0; at < len(buf); {
		hit := at
		if f != nil {
			if hit = f.From(at); hit < 0 {
				return
			}
		}
		start := at + bytes.LastIndexByte(buf[at:hit], '\n') + 1
		end, next := lineEnd(buf, hit)
		if from, to, ok := p.match(buf[start:end], hit-start); ok && !each(start, end, from, to) {
			return
		}
		at = next
	}
}

// lineEnd is the end of the line's text and the start of the next line.
func lineEnd(buf []byte, at int) (end, next int) {
	i := bytes.IndexByte(buf[at:], '\n')
	if i < 0 {
		return len(buf), len(buf)
	}
	end = at + i
	if end > 0 && buf[end-1] == '\r' {
		return end - 1, end + 1
	}
	return end, end + 1
}

func (p *pattern) match(line []byte, hit int) (from, to int, ok bool) {
	if p.exact > 0 {
		return hit, hit + p.exact, hit+p.exact <= len(line)
	}
	loc := p.re.FindIndex(line)
	if loc == nil {
		return 0, 0, false
	}
	return loc[0], loc[1], true
}
