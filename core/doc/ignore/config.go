package ignore

import (
	"iter"
	"strings"
)

// Setting is one line of a git configuration: the name is section.key, or
// section.subsection.key, with section and key in lower case.
type Setting struct{ Name, Value string }

// Settings reads the text of a git configuration file, as far as git's own files go. A
// line that it cannot read ends the reading, as git refuses such a file.
func Settings(text string) iter.Seq[Setting] {
	return func(yield func(Setting) bool) {
		section := ""
		for c := (configText{strings.TrimPrefix(strings.ReplaceAll(text, "\r\n", "\n"), "\xef\xbb\xbf")}); ; {
			c.blank()
			switch {
			case c.rest == "":
				return
			case c.rest[0] == '[':
				var ok bool
				if section, ok = c.section(); !ok {
					return
				}
			default:
				key, value, ok := c.setting()
				if !ok || !yield(Setting{section + "." + strings.ToLower(key), value}) {
					return
				}
			}
		}
	}
}

// configText is what is left of a configuration.
type configText struct{ rest string }

// blank passes white space and comments.
func (c *configText) blank() {
	for {
		c.rest = strings.TrimLeft(c.rest, " \t\n\r\f\v")
		if c.rest == "" || c.rest[0] != '#' && c.rest[0] != ';' {
			return
		}
		_, c.rest, _ = strings.Cut(c.rest, "\n")
	}
}

// section reads [name] or [name "sub"].
func (c *configText) section() (name string, ok bool) {
	i := strings.IndexAny(c.rest, "]\" \t\n")
	if i < 0 {
		return "", false
	}
	name = strings.ToLower(c.rest[1:i])
	c.rest = strings.TrimLeft(c.rest[i:], " \t")
	if strings.HasPrefix(c.rest, `"`) {
		sub, rest, closed := quoted(c.rest[1:])
		if !closed {
			return "", false
		}
		name, c.rest = name+"."+sub, rest
	}
	c.rest, ok = strings.CutPrefix(c.rest, "]")
	return name, ok
}

// quoted reads up to the quote that ends a subsection; a backslash takes the next byte
// as it is.
func quoted(s string) (text, rest string, closed bool) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '"':
			return b.String(), s[i+1:], true
		case '\n':
			return "", "", false
		case '\\':
			if i++; i == len(s) {
				return "", "", false
			}
		}
		b.WriteByte(s[i])
	}
	return "", "", false
}

// setting reads key = value to the end of its line; a key alone is true.
func (c *configText) setting() (key, value string, ok bool) {
	i := 0
	for i < len(c.rest) && isKey(c.rest[i]) {
		i++
	}
	key, c.rest = c.rest[:i], strings.TrimLeft(c.rest[i:], " \t")
	if key == "" {
		return "", "", false
	}
	if !strings.HasPrefix(c.rest, "=") {
		return key, "true", c.rest == "" || strings.ContainsAny(c.rest[:1], "\n#;")
	}
	c.rest = strings.TrimLeft(c.rest[1:], " \t")
	value, ok = c.value()
	return key, value, ok
}

func isKey(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b == '-'
}

// value reads a value: quotes keep blanks and comment signs, a backslash at the end of
// a line goes on in the next, blanks at the end go.
func (c *configText) value() (string, bool) {
	var b []byte
	inQuotes, kept := false, 0
	i := 0
	for ; i < len(c.rest) && (c.rest[i] != '\n' && (inQuotes || c.rest[i] != '#' && c.rest[i] != ';')); i++ {
		switch c.rest[i] {
		case '"':
			inQuotes = !inQuotes
			kept = len(b)
			continue
		case '\\':
			if i++; i == len(c.rest) {
				return "", false
			}
			if c.rest[i] == '\n' {
				continue
			}
			e := strings.IndexByte(`nt"\b`, c.rest[i])
			if e < 0 {
				return "", false
			}
			b = append(b, "\n\t\"\\\b"[e])
			kept = len(b)
			continue
		}
		b = append(b, c.rest[i])
		if inQuotes || c.rest[i] != ' ' && c.rest[i] != '\t' {
			kept = len(b)
		}
	}
	if rest := c.rest[i:]; rest != "" && rest[0] != '\n' {
		_, rest, _ = strings.Cut(rest, "\n")
		c.rest = rest
	} else {
		c.rest = rest
	}
	return string(b[:kept]), !inQuotes
}
