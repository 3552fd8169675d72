package output

import "unicode/utf8"

var newline = []byte{'\n'}

// cleaner turns bytes into text that no terminal and no model trips over: control
// characters but tab and line feed go, so do the interlinear marks U+FFF9 to U+FFFB
// and a byte order mark at the very start; bytes that are no UTF-8 become U+FFFD.
// A character may come in pieces (L5).
type cleaner struct {
	rest     []byte // the start of a character whose end has not come
	out      []byte
	started  bool
	written  int64
	stripped int64
	replaced int64
}

func (c *cleaner) next(p []byte) []byte {
	c.written += int64(len(p))
	c.out = c.out[:0]
	if len(c.rest) > 0 {
		p = append(c.rest, p...)
		c.rest = nil
	}
	for i := 0; i < len(p); {
		if n := plain(p[i:]); n > 0 {
			c.out = append(c.out, p[i:i+n]...)
			c.started = true
			i += n
			continue
		}
		if p[i] >= utf8.RuneSelf && !utf8.FullRune(p[i:]) {
			c.rest = append([]byte(nil), p[i:]...)
			break
		}
		i += c.rune(p[i:])
	}
	return c.out
}

func (c *cleaner) end() []byte {
	c.out = c.out[:0]
	for range c.rest {
		c.replaced++
		c.out = append(c.out, "\uFFFD"...)
	}
	c.rest = nil
	return c.out
}

// plain is the length of the run of ASCII that stays as it is.
func plain(p []byte) int {
	for i, b := range p {
		if b < ' ' && b != '\t' && b != '\n' || b >= utf8.RuneSelf {
			return i
		}
	}
	return len(p)
}

// rune takes one character that plain stopped at, and returns its length.
func (c *cleaner) rune(p []byte) int {
	r, n := utf8.DecodeRune(p)
	switch {
	case r == utf8.RuneError && n == 1:
		c.replaced++
		c.out = append(c.out, "\uFFFD"...)
	case r < ' ', 0xfff9 <= r && r <= 0xfffb, r == 0xfeff && !c.started:
		c.stripped += int64(n)
	default:
		c.out = append(c.out, p[:n]...)
	}
	c.started = true
	return n
}
