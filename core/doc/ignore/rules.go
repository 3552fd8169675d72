package ignore

import "strings"

// rule is one line of an ignore file.
type rule struct {
	negated bool // !: takes back what an earlier rule ignored
	dirOnly bool // ends in /
	// base is true for a pattern without a / before its end: it looks at the name
	// alone, at any depth.
	base bool
	// lit is the text before the first special character and must begin the name;
	// tail, the rest, is compiled. suffix is set instead for "*literal".
	lit    string
	suffix string
	tail   glob
}

// File is the rules of one ignore file, in order.
type File struct {
	// Dir is where the file lies: a path below the walk's root that ends in a slash,
	// or empty for the root.
	Dir   string
	rules []rule
}

// Parse reads the text of an ignore file that lies in dir.
func Parse(text, dir string) File {
	f := File{Dir: dir}
	for line := range strings.SplitSeq(strings.TrimPrefix(text, "\xef\xbb\xbf"), "\n") {
		if r, ok := parseRule(line); ok {
			f.rules = append(f.rules, r)
		}
	}
	return f
}

// Empty reports whether the file has no rule.
func (f File) Empty() bool { return len(f.rules) == 0 }

func parseRule(line string) (r rule, ok bool) {
	if strings.HasPrefix(line, "#") {
		return r, false
	}
	p := trimBlanks(strings.TrimSuffix(line, "\r"))
	p, _, _ = strings.Cut(p, "\x00")
	p, r.negated = strings.CutPrefix(p, "!")
	p, r.dirOnly = strings.CutSuffix(p, "/")
	r.base = !strings.Contains(p, "/")
	p = strings.TrimPrefix(p, "/")
	if p == "" {
		return r, false
	}
	special := strings.IndexAny(p, `*?[\`)
	if special < 0 {
		r.lit = p
		return r, true
	}
	if r.base && special == 0 && p[0] == '*' && !strings.ContainsAny(p[1:], `*?[\`) {
		r.suffix = p[1:]
		return r, true
	}
	// The text behind the literal start is a pattern of its own, as it is to git:
	// a**/b is an a before **/b.
	r.lit, r.tail = p[:special], compile(p[special:], !r.base)
	return r, true
}

// trimBlanks drops the blanks at the end that no backslash keeps.
func trimBlanks(s string) string {
	end := 0
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' {
			if i++; i == len(s) {
				return s
			}
			end = i + 1
		} else if s[i] != ' ' {
			end = i + 1
		}
	}
	return s[:end]
}

func (r *rule) matches(name string) bool {
	if r.tail == nil {
		if r.lit == "" {
			return strings.HasSuffix(name, r.suffix)
		}
		return name == r.lit
	}
	rest, ok := strings.CutPrefix(name, r.lit)
	return ok && r.tail.match(rest)
}
