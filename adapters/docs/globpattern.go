package docs

import (
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// globPattern is a valid pattern of paths below a directory.
type globPattern struct {
	text string
	// dirs is true when only directories match.
	dirs bool
	// parts are the pattern's components, where each stands for one of a path; nil
	// when an alternative or a class spans several.
	parts []string
	// suffix is set for **/*suffix: most patterns, matched by their end alone.
	suffix string
}

func newGlobPattern(text string, dirs bool) globPattern {
	p := globPattern{text: text, dirs: dirs, parts: components(text)}
	if rest, ok := strings.CutPrefix(text, "**/*"); ok && !strings.ContainsAny(rest, `*?[]{}\/`) {
		p.suffix = rest
	}
	return p
}

// components cuts a pattern at its slashes; nil when one of them, or a **, stands
// inside a brace or a class.
func components(text string) []string {
	braces, class := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\':
			i++
		case class:
			if c == '/' {
				return nil
			}
			class = c != ']'
		case c == '[':
			class = true
		case c == '{':
			braces++
		case c == '}':
			braces--
		case braces > 0 && (c == '/' || strings.HasPrefix(text[i:], "**")):
			return nil
		}
	}
	return strings.Split(text, "/")
}

func (p *globPattern) matches(path string, dir bool) bool {
	switch {
	case p.dirs && !dir:
		return false
	case p.suffix != "":
		return strings.HasSuffix(path, p.suffix)
	default:
		return doublestar.MatchUnvalidated(p.text, path)
	}
}

// below reports whether something below a directory can match; its path ends in a
// slash. A walk need not enter another one.
func (p *globPattern) below(dir string) bool {
	if p.parts == nil {
		return true
	}
	i := 0
	for name := range strings.SplitSeq(strings.TrimSuffix(dir, "/"), "/") {
		switch {
		case p.parts[i] == "**":
			return true
		case i == len(p.parts)-1, !doublestar.MatchUnvalidated(p.parts[i], name):
			return false
		}
		i++
	}
	return true
}
