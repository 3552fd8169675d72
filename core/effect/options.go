package effect

import (
	"strings"
	"sync"

	"tenet/core/call"
)

// arity is whether an option takes a value.
type arity uint8

const (
	none     arity = iota // no value
	required              // attached or the next word
	optional              // attached only
)

// option is one option of a command: what it takes and what it adds.
type option struct {
	name  string
	takes arity
	adds  call.Effects
	// text is true when the value never names a file: a delimiter, a pattern.
	text bool
}

// options is the options a row vouches for. Any other makes the command exec.
type options struct {
	// known reads the words when they are first needed: a start that judges no such command
	// does not pay for its table.
	known func() *optionTable
}

// optionTable holds the options of one command.
type optionTable struct {
	short  map[byte]option
	long   []option
	digits bool // -5 is a count
}

var effectLetters = map[byte]call.Effects{
	'r': call.Of(call.Read), 'w': call.Of(call.Write), 'x': call.Of(call.Exec), 'n': call.Of(call.Net),
}

// parseOptions reads a row's options: words such as "-n", "-o=!w", "--color?",
// "--delimiter=!t", "-#". After the name, = is a required value and ? an optional
// one; after !, each letter of r w x n is an effect and t says the value is text.
func parseOptions(spec string) options {
	return options{sync.OnceValue(func() *optionTable { return readOptions(spec) })}
}

func readOptions(spec string) *optionTable {
	o := &optionTable{short: map[byte]option{}, long: []option{{name: "help"}, {name: "version"}}}
	for _, f := range strings.Fields(spec) {
		name, marks, _ := strings.Cut(f, "!")
		opt := option{}
		if n, ok := strings.CutSuffix(name, "="); ok {
			name, opt.takes = n, required
		} else if n, ok := strings.CutSuffix(name, "?"); ok {
			name, opt.takes = n, optional
		}
		for i := range len(marks) {
			opt.text = opt.text || marks[i] == 't'
			opt.adds |= effectLetters[marks[i]]
		}
		o.add(name, opt)
	}
	return o
}

func (o *optionTable) add(name string, opt option) {
	long, ok := strings.CutPrefix(name, "--")
	switch {
	case ok:
		opt.name = long
		o.long = append(o.long, opt)
	case name == "-#":
		o.digits = true
	default:
		opt.name = name[1:]
		o.short[name[1]] = opt
	}
}

// given is one option as it was used.
type given struct {
	option
	value word
	has   bool
}

// args is a command line taken apart by the options of its row.
type args struct {
	opts     []given
	operands []word
	// dashed is how many of the operands stand after --.
	dashed int
	// adds is what the options add.
	adds call.Effects
	// strange is true when a word may be an option the row does not know.
	strange bool
	// source tells which operands are only read, where a command that writes has such.
	source func(operand int) bool
}

// has reports whether one of the options was given, by its short or full name.
func (a *args) has(names ...string) bool {
	for _, g := range a.opts {
		for _, n := range names {
			if g.name == n {
				return true
			}
		}
	}
	return false
}

// parse takes the words after a program's name apart as getopt_long does: options
// may follow operands, short ones may share a word, a long one may be cut short to
// any prefix, and -- ends them.
func (o options) parse(words []word) args {
	var a args
	for i := 0; i < len(words); i++ {
		w := words[i]
		switch {
		case w.text == "--" && w.sure == exact:
			a.dashed = len(words) - i - 1
			a.operands = append(a.operands, words[i+1:]...)
			return a
		case !w.option():
			a.operands = append(a.operands, w)
		case strings.HasPrefix(w.text, "--"):
			i += o.parseLong(&a, w, words[i+1:])
		case w.text == "":
			a.strange = true
			a.operands = append(a.operands, w)
		default:
			i += o.parseShort(&a, w, words[i+1:])
		}
	}
	return a
}

// parseLong takes one long option and returns how many further words it took.
func (o options) parseLong(a *args, w word, next []word) int {
	name, value, attached := w.tail(2).cut("=")
	taken, known := 0, false
	for _, opt := range o.matches(name.text) {
		known = true
		g := given{option: opt, value: value, has: attached}
		if opt.takes == required && !attached && len(next) > 0 {
			g.value, g.has, taken = next[0], true, 1
		}
		a.take(g)
	}
	if !known || w.sure != exact && !attached {
		a.strange = true
		a.operands = append(a.operands, value)
	}
	return taken
}

// matches is every long option that the name may mean: the exact one, else all
// that begin with it. An abbreviation that fits two has the effects of both.
func (o options) matches(name string) []option {
	var out []option
	for _, opt := range o.known().long {
		if opt.name == name {
			return []option{opt}
		}
		if name != "" && strings.HasPrefix(opt.name, name) {
			out = append(out, opt)
		}
	}
	return out
}

// parseShort takes a group of short options and returns how many further words it took.
func (o options) parseShort(a *args, w word, next []word) int {
	if o.known().digits && strings.Trim(w.text[1:], "0123456789") == "" && w.sure == exact {
		return 0
	}
	for i := 1; i < len(w.text); i++ {
		opt, ok := o.known().short[w.text[i]]
		switch {
		case !ok && o.known().digits && w.text[i] >= '0' && w.text[i] <= '9':
		case !ok:
			a.strange = true
			a.operands = append(a.operands, w.tail(i), w.tail(min(i+1, len(w.text))))
			return 0
		case opt.takes == none || opt.takes == optional && i+1 == len(w.text):
			a.take(given{option: opt})
		case i+1 < len(w.text):
			a.take(given{option: opt, value: w.tail(i + 1), has: true})
			return 0
		case len(next) > 0:
			a.take(given{option: opt, value: next[0], has: true})
			return 1
		default:
			a.take(given{option: opt})
		}
	}
	a.strange = a.strange || w.sure != exact
	return 0
}

func (a *args) take(g given) {
	a.opts = append(a.opts, g)
	a.adds = a.adds.With(g.adds)
}
