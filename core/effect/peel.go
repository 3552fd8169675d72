package effect

import (
	"strings"
	"sync"

	"tenet/core/call"
)

// wrapper is what is known of a program that runs a command which stands in its words.
type wrapper struct {
	// names are the program's names, separated by spaces.
	names string
	// opts are its options in front of the command, in the language of parseOptions.
	opts string
	// skip is how many words of its own stand before the command.
	skip int
	// assigns is true when NAME=VALUE words may stand before the command.
	assigns bool
	// again is true when options may also follow the words of its own.
	again bool
	// none are options with which it runs nothing.
	none string
	// text are options whose value is a script.
	text string
	// joins is true when the rest is joined with blanks and handed to a shell.
	joins bool
	// stays is true when the program itself counts as a command besides.
	stays bool
	// away is true when the command runs on another machine or below another root,
	// chdir are options that name its directory.
	away  bool
	chdir string
	// run reads the words instead of everything above.
	run func(s *scene, base string, argv []word) bool

	parsed options
}

// wrapperTable finds a wrapper by name; like the table of commands it is built when it
// is needed first.
var wrapperTable func() map[string]*wrapper

func init() {
	wrapperTable = sync.OnceValue(func() map[string]*wrapper {
		t := map[string]*wrapper{}
		for i := range wrapperRows {
			w := &wrapperRows[i]
			w.parsed = parseOptions(w.opts)
			for name := range strings.FieldsSeq(w.names) {
				t[name] = w
			}
		}
		return t
	})
}

func wrapperOf(base string) *wrapper {
	if strings.HasPrefix(base, "ld-linux") || strings.HasPrefix(base, "ld-musl") {
		base = "ld.so"
	}
	return wrapperTable()[base]
}

// peel keeps what the wrapper runs. It reports whether the wrapper's own words are
// those of the command inside.
func (w *wrapper) peel(s *scene, base string, argv []word) bool {
	if w.run != nil {
		return w.run(s, base, argv)
	}
	a, rest := w.parsed.leading(argv[1:])
	for range w.skip {
		if len(rest) == 0 {
			break
		}
		rest = rest[1:]
		if w.again {
			more, after := w.parsed.leading(rest)
			a.opts, a.strange, rest = append(a.opts, more.opts...), a.strange || more.strange, after
		}
	}
	if a.strange {
		return s.anyBeginning(base, argv)
	}
	return w.inner(s, base, argv, &a, rest)
}

// inner keeps what stands behind the wrapper's own words.
func (w *wrapper) inner(s *scene, base string, argv []word, a *args, rest []word) bool {
	texts := valuesOf(a, w.text)
	for _, t := range texts {
		s.interpret(base, t, nil)
	}
	if w.stays || len(texts) == 0 && (len(rest) == 0 || hasAny(a, w.none)) {
		s.keep(argv)
	}
	if hasAny(a, w.none) || len(rest) == 0 {
		return false
	}
	s.placed(w, a, func() {
		s.through(base, func() {
			if w.assigns {
				rest = s.assignments(rest)
			}
			if w.joins {
				s.joinedScript(rest)
				return
			}
			s.inside(rest)
		})
	})
	return !w.stays || w.away
}

// inside judges the command in a wrapper. The wrapper's own words are tried from every
// beginning, those of the command among them, so it need not try them again.
func (s *scene) inside(argv []word) {
	within := s.within
	s.within = true
	s.perform(argv)
	s.within = within
}

// placed runs where the wrapper lets its command run.
func (s *scene) placed(w *wrapper, a *args, run func()) {
	look, away, unplaced := s.look, s.away, s.unplaced
	s.away = s.away || w.away
	for _, d := range valuesOf(a, w.chdir) {
		if d.sure != exact {
			s.unplaced = true
			continue
		}
		s.in(d.text)
	}
	run()
	s.look, s.away, s.unplaced = look, away, unplaced
}

// assignments takes NAME=VALUE words off.
func (s *scene) assignments(rest []word) []word {
	s.given = copied(s.given)
	for len(rest) > 0 {
		name, v, ok := rest[0].cut("=")
		if rest[0].text != "-" && (!ok || name.text == "") {
			break
		}
		if ok {
			s.given[name.text] = value{text: v.text, known: v.sure == exact}
			s.around(rest[0].shown())
		}
		rest = rest[1:]
	}
	return rest
}

// anyBeginning keeps every command that may begin somewhere in the words: the wrapper
// has an option that nobody knows, which may take the next word or not.
func (s *scene) anyBeginning(base string, argv []word) bool {
	s.obscure()
	s.through(base, func() {
		tried := 0
		for i := 1; i < len(argv); i++ {
			if argv[i].option() {
				continue
			}
			if tried++; tried > maxBeginnings {
				s.strictest()
				return
			}
			s.keep(argv[i:])
		}
	})
	s.keep(argv)
	return false
}

// joinedScript reads words that a shell gets as one text.
func (s *scene) joinedScript(words []word) {
	if len(words) == 0 {
		return
	}
	for _, w := range words {
		if w.sure == unknown {
			s.obscure()
		}
	}
	s.scriptIn(joinedFull(words), nil)
}

// interpret reads a text that a shell runs, with the words behind it as $0, $1 and on.
func (s *scene) interpret(base string, text word, args []word) {
	s.through(base, func() {
		if text.sure != exact {
			s.obscure()
		}
		s.scriptIn(holed(text), args)
	})
}

// scriptIn walks a text as a script of another shell: variables of the script around
// it may be known there or not, those that stand before the command are.
func (s *scene) scriptIn(text string, args []word) {
	if s.guessing > 0 {
		return
	}
	vars := map[string]value{}
	if s.shell != nil {
		for name := range s.shell.vars {
			vars[name] = value{}
		}
	}
	for name, v := range s.given {
		vars[name] = v
	}
	if len(args) > 0 {
		vars["0"] = value{text: args[0].text, known: args[0].sure == exact}
		positions(vars, args[1:])
	}
	s.scriptWith(text, vars)
}

// holed is a word as the text of a script: an unknown part is a variable of which no
// value is ever known.
func holed(w word) string { return strings.ReplaceAll(w.shown(), call.Hole, "${_}") }

func joinedFull(words []word) string {
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = holed(w)
	}
	return strings.Join(texts, " ")
}

// leading takes the options in front of a wrapper's command, up to the first word that
// is none.
func (o options) leading(words []word) (a args, rest []word) {
	for i := 0; i < len(words); i++ {
		w := words[i]
		switch {
		case w.text == "--" && w.sure == exact:
			return a, words[i+1:]
		case w.sure == unknown && w.text == "":
			a.strange = true
			return a, words[i:]
		case !w.option():
			return a, words[i:]
		case strings.HasPrefix(w.text, "--"):
			i += o.parseLong(&a, w, words[i+1:])
		default:
			i += o.parseShort(&a, w, words[i+1:])
		}
	}
	return a, nil
}

// valuesOf is the values of some options of one command line.
func valuesOf(a *args, names string) (out []word) {
	if names == "" {
		return nil
	}
	for _, g := range a.opts {
		if g.has && hasField(names, g.name) {
			out = append(out, g.value)
		}
	}
	return out
}

func hasAny(a *args, names string) bool {
	if names == "" {
		return false
	}
	for _, g := range a.opts {
		if hasField(names, g.name) {
			return true
		}
	}
	return false
}

func hasField(names, name string) bool {
	for f := range strings.FieldsSeq(names) {
		if f == name {
			return true
		}
	}
	return false
}
