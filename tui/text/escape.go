package text

import "strings"

// escape passes over the sequence that r begins: ESC, or one of the controls that are a
// sequence's first two bytes in one.
func (c *cleaner) escape(r rune) {
	if r == 0x1b {
		if c.at == len(c.in) {
			return
		}
		r = rune(c.in[c.at])
		if r >= 0x80 || r < ' ' {
			return
		}
		c.at++
	}
	switch r {
	case '[', 0x9b:
		c.at += sequence(c.in[c.at:])
	case ']', 'P', 'X', '^', '_', 0x9d, 0x90, 0x98, 0x9e, 0x9f:
		c.str()
	default:
		c.at-- // it may be the final byte itself
		c.at += short(c.in[c.at:])
	}
}

// sequence is the length of the parameters and the final byte of a control sequence.
// A byte that belongs to none ends it and stays.
func sequence(s string) int {
	i := 0
	for i < len(s) && s[i] >= ' ' && s[i] <= '?' {
		i++
	}
	if i < len(s) && s[i] >= '@' && s[i] <= '~' {
		i++
	}
	return i
}

// short is the length of an escape with a final byte and, before it, intermediate ones.
func short(s string) int {
	i := 0
	for i < len(s) && s[i] >= ' ' && s[i] <= '/' {
		i++
	}
	if i < len(s) && s[i] >= '0' && s[i] <= '~' {
		i++
	}
	return i
}

// str passes over the string of an operating system command and the like, up to its
// terminator. One that does not end on its line is shown: it would hide all that comes.
func (c *cleaner) str() {
	if c.at < c.open {
		return
	}
	rest := c.in[c.at:]
	line := rest
	if end := strings.IndexByte(rest, '\n'); end >= 0 {
		line = rest[:end]
	}
	first, size := len(line), 0
	for _, t := range [...]string{"\a", "\x1b\\", "\u009c"} {
		if i := strings.Index(line[:first], t); i >= 0 {
			first, size = i, len(t)
		}
	}
	if size == 0 {
		c.open = c.at + len(line)
		return
	}
	c.at += first + size
}
