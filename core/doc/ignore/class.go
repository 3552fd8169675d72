package ignore

import "strings"

// class is a set of bytes: [a-z], [!abc], [[:digit:]].
type class [4]uint64

func (c *class) add(b byte)      { c[b>>6] |= 1 << (b & 63) }
func (c *class) has(b byte) bool { return c[b>>6]&(1<<(b&63)) != 0 }

func (c *class) addRange(lo, hi byte) {
	for b := int(lo); b <= int(hi); b++ {
		c.add(byte(b))
	}
}

func (c *class) invert() {
	for i := range c {
		c[i] = ^c[i]
	}
}

// named are the POSIX classes, as ranges of bytes.
var named = map[string]string{
	"alnum": "09AZaz", "alpha": "AZaz", "blank": "  \t\t", "cntrl": "\x00\x1f\x7f\x7f", "digit": "09", "graph": "!~",
	"lower": "az", "print": " ~", "punct": "!/:@[`{~", "space": "\t\r  ", "upper": "AZ", "xdigit": "09AFaf",
}

// parseClass reads a class whose [ stands before i. next is behind its ]; ok is false
// for a class that is not closed or names no known set: such a pattern matches nothing.
func parseClass(p string, i int) (c *class, next int, ok bool) {
	c = &class{}
	negated := i < len(p) && (p[i] == '!' || p[i] == '^')
	if negated {
		i++
	}
	lo := -1 // the byte a range may start with
	for first := true; i < len(p) && (first || p[i] != ']'); first = false {
		if strings.HasPrefix(p[i:], "[:") {
			if n, known := c.addNamed(p[i+2:]); n > 0 {
				if !known {
					return nil, 0, false
				}
				i, lo = i+2+n, -1
				continue
			}
		}
		isRange := p[i] == '-' && lo >= 0 && i+1 < len(p) && p[i+1] != ']'
		if isRange {
			i++
		}
		if p[i] == '\\' {
			if i++; i == len(p) {
				return nil, 0, false
			}
		}
		if isRange {
			c.addRange(byte(lo), p[i])
			lo = -1
		} else {
			c.add(p[i])
			lo = int(p[i])
		}
		i++
	}
	if i >= len(p) {
		return nil, 0, false
	}
	if negated {
		c.invert()
	}
	return c, i + 1, true
}

// addNamed adds the set whose name begins s and ends with ":]". n is the length of
// both, 0 when the next ] does not close a name.
func (c *class) addNamed(s string) (n int, known bool) {
	end := strings.IndexByte(s, ']')
	if end < 1 || s[end-1] != ':' {
		return 0, false
	}
	ranges, known := named[s[:end-1]]
	for i := 0; i+1 < len(ranges); i += 2 {
		c.addRange(ranges[i], ranges[i+1])
	}
	return end + 1, known
}
