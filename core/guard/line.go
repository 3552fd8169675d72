package guard

import (
	"path"
	"strings"

	"tenet/core/call"
)

// line is one command under the policy.
type line struct {
	p *Policy
	c *call.Command
}

// name is the program's name without directory and without .exe, in lower case:
// a file system that does not tell cases apart finds RM as well. Empty when unknown.
func (l line) name() string {
	n := l.c.Name()
	if len(n) > 4 && strings.EqualFold(n[len(n)-4:], ".exe") {
		n = n[:len(n)-4]
	}
	return strings.ToLower(n)
}

// args are the words behind the program.
func (l line) args() []call.Word { return l.c.Words[min(1, len(l.c.Words)):] }

// plain is a word with its unknown parts taken for nothing: what it is at least.
func plain(w call.Word) string { return strings.ReplaceAll(w.Text, call.Hole, "") }

// place is where a word leads. The second answer is false for a word that leads
// nobody knows where: it begins with an unknown part, or the directory is not known.
func (l line) place(w call.Word) (string, bool) { return placeIn(l.c.Dir, w) }

func placeIn(dir string, w call.Word) (string, bool) {
	text := w.Text
	if w.Real != "" {
		text = w.Real
	}
	if i := strings.Index(text, call.Hole); i >= 0 {
		if i == 0 {
			return "", false
		}
		// The unknown part may be any name, but the directory before it is known.
		text = text[:strings.LastIndexByte(text[:i], '/')+1] + someName
	}
	switch {
	case text == "":
		return "", false
	case text[0] == '/':
		return path.Clean(text), true
	case dir == "":
		return "", false
	}
	return path.Join(dir, text), true
}

// someName stands for a name that is not known.
const someName = "…"

// grammar says which options of a program take the next word, so that a value is not
// taken for an operand. Long names are without their dashes.
type grammar struct {
	letters string
	longs   string
}

// parsed is a command line taken apart.
type parsed struct {
	letters string // each short option that was given
	longs   []long
	plain   []call.Word // operands before --
	dashed  []call.Word // operands behind it
}

type long struct {
	name, value string
	hasValue    bool
}

// parse reads options the way getopt does: clusters, attached values, options behind
// operands, and -- as their end.
func (g grammar) parse(words []call.Word) parsed {
	var p parsed
	for i := 0; i < len(words); i++ {
		text := plain(words[i])
		switch {
		case text == "--":
			p.dashed = append(p.dashed, words[i+1:]...)
			return p
		case strings.HasPrefix(text, "--"):
			o := longOf(text[2:])
			if !o.hasValue && g.takes(o.name) && i+1 < len(words) {
				i++
				o.value, o.hasValue = plain(words[i]), true
			}
			p.longs = append(p.longs, o)
		case len(text) > 1 && text[0] == '-':
			if g.cluster(&p, text[1:]) {
				i++
			}
		default:
			p.plain = append(p.plain, words[i])
		}
	}
	return p
}

// leading reads the options up to the first operand.
func (g grammar) leading(words []call.Word) (p parsed, rest []call.Word) {
	for i := 0; i < len(words); i++ {
		switch text := plain(words[i]); {
		case text == "--":
			return p, words[i+1:]
		case len(text) < 2 || text[0] != '-':
			return p, words[i:]
		case g.cluster(&p, text[1:]):
			i++
		}
	}
	return p, nil
}

func longOf(text string) long {
	name, value, has := strings.Cut(text, "=")
	return long{name: name, value: value, hasValue: has}
}

// takes reports whether a long option's value is the next word.
func (g grammar) takes(name string) bool {
	for n := range strings.FieldsSeq(g.longs) {
		if n == name {
			return true
		}
	}
	return false
}

// cluster adds the letters of one word; true when the last one takes the next word.
func (g grammar) cluster(p *parsed, text string) bool {
	for i := range len(text) {
		p.letters += text[i : i+1]
		if strings.IndexByte(g.letters, text[i]) >= 0 {
			return i == len(text)-1
		}
	}
	return false
}

// has reports whether an option was given: by one of the letters, or by a long name
// or any beginning of it. A beginning that fits several names is one that the program
// refuses, so that taking it for any of them denies nothing that would have run.
func (p parsed) has(letters string, names ...string) bool {
	if strings.ContainsAny(p.letters, letters) {
		return true
	}
	for _, n := range names {
		if _, ok := p.long(n); ok {
			return true
		}
	}
	return false
}

// long is the value of the option of a name or a beginning of it.
func (p parsed) long(name string) (value string, ok bool) {
	for _, o := range p.longs {
		if o.name != "" && strings.HasPrefix(name, o.name) {
			return o.value, true
		}
	}
	return "", false
}

// operands are all of them.
func (p parsed) operands() []call.Word {
	if len(p.dashed) == 0 {
		return p.plain
	}
	return append(append([]call.Word(nil), p.plain...), p.dashed...)
}

// word is the nth operand's text, empty where there is none.
func (p parsed) word(n int) string {
	if n < len(p.plain) {
		return plain(p.plain[n])
	}
	return ""
}
