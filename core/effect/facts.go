package effect

import (
	"slices"
	"strings"

	"tenet/core/call"
	"tenet/core/pathpolicy"
)

// maxCommands bounds the commands of one step, maxVia the wrappers around one. What
// lies beyond is judged at its strictest.
const (
	maxCommands = 256
	maxVia      = 32
)

// facts are what the floor, the guard and the rules decide by.
type facts struct {
	read     call.Class
	commands []call.Command
	paths    []call.Path
	// more is which kinds of paths lie beyond the bound.
	more    []call.Path
	hazards []string
	// guessing is above zero while the words of a wrapper are tried one by one: that
	// adds effects, and nothing of it is known to run.
	guessing int
	// only is true while a command is kept whose effects were judged in another form.
	only bool
	// away is true for what runs on another machine or below another root, unplaced
	// where the directory is known only when it runs.
	away, unplaced bool
	// shell is the walk of the script that the command stands in; nil for none.
	shell *walker
	site
}

// site is where the command that is judged stands.
type site struct {
	// via are the wrappers and the assignments around it, outermost first.
	via []string
	// outs are the files that the redirections around it write.
	outs []word
	// fed is the program that pipes into it, input the text that surely arrives.
	fed, input string
	// given are the variables that it gets besides.
	given map[string]value
}

// perform judges a command and keeps what is known of it.
func (s *scene) perform(argv []word) {
	if len(argv) == 0 {
		return
	}
	peeled := s.guessing == 0 && s.record(argv)
	if s.only {
		return
	}
	if peeled {
		s.guessing++ // its words are those of the command inside
		defer func() { s.guessing-- }()
	}
	s.runs(argv)
}

// record keeps the command that runs when wrappers are peeled off. It reports whether
// there were any.
func (s *scene) record(argv []word) (peeled bool) {
	name := argv[0]
	if name.sure != exact || name.full != "" {
		s.obscure()
		s.keep(argv)
		return false
	}
	base := baseName(name.text)
	if w := wrapperOf(base); w != nil {
		if len(s.via) >= maxVia {
			s.strictest()
			s.keep(argv)
			return true
		}
		return w.peel(s, base, argv)
	}
	s.keep(argv)
	s.hooks(base, argv)
	return false
}

// obscure says that something is known only when it runs.
func (s *scene) obscure() {
	if s.guessing == 0 {
		s.read = call.Obfuscated
	}
}

// compound says that there is more than one simple command.
func (s *scene) compound() {
	if s.guessing == 0 {
		s.read = max(s.read, call.Compound)
	}
}

// around puts a wrapper or an assignment around what is judged next.
func (s *scene) around(name string) {
	if len(s.via) >= maxVia {
		s.obscure()
		return
	}
	s.via = append(s.via[:len(s.via):len(s.via)], name)
}

// through keeps what runs inside of a wrapper.
func (s *scene) through(name string, run func()) {
	saved := s.site
	s.around(name)
	run()
	s.site = saved
}

// keep adds a command to the facts.
func (s *scene) keep(argv []word) {
	if s.guessing > 0 || len(argv) == 0 {
		return
	}
	base := baseName(argv[0].text)
	c := call.Command{Words: s.shownWords(base, argv), Via: s.via, Fed: s.fed, Dir: s.dir()}
	for _, o := range s.outs {
		c.Outs = append(c.Outs, s.shownPath(o))
	}
	s.put(c)
}

func (s *scene) put(c call.Command) {
	for i := range s.commands {
		if same(s.commands[i], c) {
			return
		}
	}
	if len(s.commands) >= maxCommands {
		s.obscure()
		s.strictest()
		return
	}
	s.commands = append(s.commands, c)
}

func same(a, b call.Command) bool {
	return len(a.Words) == len(b.Words) && a.Dir == b.Dir && a.Fed == b.Fed && slices.Equal(a.Words, b.Words) && slices.Equal(a.Via, b.Via) && slices.Equal(a.Outs, b.Outs)
}

// classed is the class of everything that was kept.
func (s *scene) classed() call.Class {
	for i := 1; i < len(s.commands); i++ {
		if !slices.Equal(s.commands[i].Words, s.commands[0].Words) {
			return max(s.read, call.Compound)
		}
	}
	return s.read
}

// dir is the absolute directory that a command runs in, empty when nobody knows it.
func (s *scene) dir() string {
	if s.away || s.unplaced {
		return ""
	}
	if r := s.look.Dir().Real; !r.Looped {
		return r.Path
	}
	return ""
}

// shownWords is a command's words with the real paths of what it may write or remove.
func (s *scene) shownWords(base string, argv []word) []call.Word {
	out := make([]call.Word, len(argv))
	real := changes(base)
	for i, w := range argv {
		out[i] = call.Word{Text: w.shown(), Pattern: w.signs}
		switch {
		case s.away:
		case i == 0 && strings.Contains(w.text, "/"), i > 0 && real && named(base, w).text != "":
			out[i].Real = s.realOf(base, named(base, w))
		}
	}
	return out
}

// shownPath is a word that a redirection writes.
func (s *scene) shownPath(w word) call.Word {
	out := call.Word{Text: w.shown(), Pattern: w.signs}
	if !s.away {
		out.Real = s.realOf("", w)
	}
	return out
}

// named is the part of a word of a command that changes files which may be a path:
// what follows the = of a long option or of dd, or what is no option.
func named(base string, w word) word {
	switch {
	case base == "dd", strings.HasPrefix(w.text, "--"):
		_, value, _ := w.cut("=")
		return value
	case w.option():
		return word{}
	}
	if strings.Contains(w.text, "://") {
		return word{}
	}
	return w
}

// changers are the programs besides those of the table that change or remove what
// they name.
var changers = strings.Fields("shred install rsync wipefs blkdiscard mkswap fdisk sfdisk sgdisk parted chattr setfacl chcon find link rename scp")

// changes reports whether a program changes the files that its words name.
func changes(base string) bool {
	if r := table()[base]; r != nil && r.does.Has(call.Write) {
		return true
	}
	return slices.Contains(changers, base) || strings.HasPrefix(base, "mkfs")
}

// realOf is where a word leads, empty when that is not known. A program that removes
// the entry itself does not go through a link at the end.
func (s *scene) realOf(base string, w word) string {
	switch w.sure {
	case exact:
		if removesEntry(base) {
			return s.entryOf(w.text)
		}
		return s.realPath(w.text)
	case pattern:
		text := w.shown()
		at := strings.LastIndexByte(text[:strings.IndexAny(text+"*", signs)], '/') + 1
		if dir := s.realPath(text[:at]); dir != "" {
			return strings.TrimSuffix(dir, "/") + "/" + text[at:]
		}
	case unknown:
	}
	return ""
}

const signs = "*?["

func removesEntry(base string) bool {
	switch base {
	case "rm", "rmdir", "unlink", "mv":
		return true
	}
	return false
}

func (s *scene) entryOf(text string) string {
	at := strings.LastIndexByte(text, '/') + 1
	switch text[at:] {
	case "", ".", "..":
		return s.realPath(text)
	}
	if dir := s.realPath(text[:at]); dir != "" {
		return strings.TrimSuffix(dir, "/") + "/" + text[at:]
	}
	return ""
}

// realPath is where an exact path leads; "" is the directory itself.
func (s *scene) realPath(text string) string {
	if s.unplaced && !strings.HasPrefix(text, "/") {
		return ""
	}
	var t pathpolicy.Target
	if text == "" {
		t = s.look.Dir()
	} else {
		t = s.look.Word(text)
	}
	if t.Real.Looped {
		return ""
	}
	return t.Real.Path
}

func baseName(text string) string { return text[strings.LastIndexByte(text, '/')+1:] }
