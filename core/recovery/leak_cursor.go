package recovery

import (
	"encoding/json"
	"strings"
)

// blanks may stand between the parts of markup.
const blanks = " \t\r\n"

// cursor is a place in a text that is read on from.
type cursor struct {
	text string
	at   int
}

func (c *cursor) rest() string { return c.text[c.at:] }

func (c *cursor) skip() {
	for c.at < len(c.text) && strings.IndexByte(blanks, c.text[c.at]) >= 0 {
		c.at++
	}
}

// take reads the words when they stand here.
func (c *cursor) take(words string) bool {
	if !strings.HasPrefix(c.rest(), words) {
		return false
	}
	c.at += len(words)
	return true
}

// next is take after blanks, which it leaves alone when the words do not follow.
func (c *cursor) next(words string) bool {
	at := c.at
	if c.skip(); c.take(words) {
		return true
	}
	c.at = at
	return false
}

// until reads up to the words, and over them.
func (c *cursor) until(words string) (string, bool) {
	i := strings.Index(c.rest(), words)
	if i < 0 {
		return "", false
	}
	found := c.rest()[:i]
	c.at += i + len(words)
	return found, true
}

// name reads a name; "" when none stands here.
func (c *cursor) name() string {
	n := nameOf(c.rest())
	c.at += len(n)
	return n
}

// attribute reads one of name="value" after blanks; ok is false when none stands here.
func (c *cursor) attribute() (name, value string, ok bool) {
	at := c.at
	c.skip()
	name = c.name()
	if name == "" || !c.take("=") || c.at >= len(c.text) {
		c.at = at
		return "", "", false
	}
	sign := c.text[c.at : c.at+1]
	if sign != `"` && sign != "'" {
		c.at = at
		return "", "", false
	}
	c.at++
	if value, ok = c.until(sign); !ok {
		c.at = at
	}
	return name, value, ok
}

// object reads one JSON object exactly as it is written, after blanks.
func (c *cursor) object() (string, bool) {
	c.skip()
	if !strings.HasPrefix(c.rest(), "{") {
		return "", false
	}
	d := json.NewDecoder(strings.NewReader(c.rest()))
	var raw json.RawMessage
	if d.Decode(&raw) != nil {
		return "", false
	}
	c.at += int(d.InputOffset())
	return string(raw), true
}
