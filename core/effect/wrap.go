package effect

import (
	"slices"
	"strings"

	"tenet/core/call"
)

// Wrappers run another command that stands in their own words. They are exec
// whatever that is; what it writes and reads counts as well, wherever it may begin,
// since each wrapper has options of its own that take words.
var wrappers = strings.Fields("env sudo doas nohup nice ionice timeout time stdbuf setsid chroot unshare nsenter xargs parallel watch strace ltrace command builtin exec busybox toybox ssh flock script su runuser systemd-run ld-linux-x86-64.so.2 ld-linux-aarch64.so.1 taskset chrt setarch caffeinate sem entr fakeroot proot firejail bwrap")

// shells run text that stands in their words.
var shells = strings.Fields("sh bash dash ash zsh ksh mksh fish busybox eval trap source . su ssh watch parallel xargs env script flock")

// interpreters run programs in other languages. A path inside such a text counts
// when it stands there whole.
var interpreters = strings.Fields("python python2 python3 node nodejs deno bun perl ruby php lua luajit tclsh osascript Rscript awk gawk mawk nawk sqlite3 psql vim vi nvim emacs ed ex")

// wraps judges what an unknown command may run in turn.
func (s *scene) wraps(base string, argv []word) {
	if base == "env" && dumps(argv) {
		s.environ()
	}
	if base == "env" || base == "xargs" {
		s.add(call.Of(call.Exec))
	}
	if slices.Contains(wrappers, base) {
		s.suffixes(argv)
	}
	if slices.Contains(shells, base) {
		s.texts(base, argv[1:])
	}
	if slices.Contains(interpreters, base) {
		s.quotedPaths(argv[1:])
	}
}

// dumps reports whether env runs nothing and so prints every variable.
func dumps(argv []word) bool {
	a, rest := wrapperOf("env").parsed.leading(argv[1:])
	var words []word
	for _, t := range valuesOf(&a, "S split-string") {
		words = append(words, splitString(t.text)...)
	}
	for _, w := range append(words, rest...) {
		if w.sure != exact {
			return true
		}
		if w.text != "-" && !strings.Contains(w.text, "=") && !w.option() {
			return false
		}
	}
	return true
}

// maxBeginnings bounds how many words of a wrapper may begin its command.
const maxBeginnings = 16

// suffixes judges the command from each word that it may begin at. All beginnings
// are tried here, so those inside of one are not tried again: a chain of wrappers
// costs no more than its words.
func (s *scene) suffixes(argv []word) {
	if s.within {
		return
	}
	s.within = true
	s.guessing++
	tried := 0
	for i := 1; i < len(argv); i++ {
		if known(argv[i].text) {
			if tried++; tried > maxBeginnings {
				s.strictest()
				break
			}
			s.runs(argv[i:])
		}
	}
	s.within = false
	s.guessing--
}

// joiners put their words together with blanks and run what comes out.
var joiners = strings.Fields("eval ssh watch parallel")

// texts judges each word that may be a script, alone and with those behind it where
// the program joins them. Which word it is hangs on options of a dozen shells, so any
// may be it: what is no script names no command that the table knows.
func (s *scene) texts(base string, words []word) {
	joins := slices.Contains(joiners, base)
	s.guessing++
	defer func() { s.guessing-- }()
	tried := 0
	for i, w := range words {
		for _, text := range mayRun(w) {
			if tried++; tried > maxTexts {
				s.strictest()
				return
			}
			s.script(text)
			if joins && i+1 < len(words) {
				s.script(text + " " + joined(words[i+1:]))
			}
		}
	}
}

// maxTexts bounds how many words of a shell may be its script.
const maxTexts = 64

// mayRun is the scripts that a word may be: itself, and what an option has attached.
func mayRun(w word) (out []string) {
	if w.sure != exact {
		return nil
	}
	texts := []string{w.text}
	if w.option() {
		_, value, _ := strings.Cut(w.text, "=")
		texts = append(texts, value, w.text[2:])
	}
	for _, t := range texts {
		if t != "" && speaks(t) && !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return out
}

// speaks reports whether a text, read as a script, is more than one name that nobody
// vouches for: it has a sign that means something to a shell, or is a command's name.
func speaks(text string) bool {
	return strings.Trim(text, plainSigns) != "" || known(text)
}

// plainSigns mean nothing to a shell wherever they stand in a word.
const plainSigns = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:@%+,=-"

// known reports whether a command's name, in whatever directory, is one that is judged
// by more than being unknown.
func known(text string) bool {
	name := text[strings.LastIndexByte(text, '/')+1:]
	return table()[name] != nil || slices.Contains(wrappers, name) || slices.Contains(shells, name) || slices.Contains(interpreters, name)
}

// joined is the words as one text. What is known only when it runs stays so in it: no
// value of the variable _ is ever known.
func joined(words []word) string {
	var b strings.Builder
	for i, w := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w.text)
		if w.sure == unknown {
			b.WriteString("$_")
		}
	}
	return b.String()
}

// quotedPaths judges the paths that stand in a program's text between quotes and
// other signs.
func (s *scene) quotedPaths(words []word) {
	for _, w := range words {
		for _, f := range strings.FieldsFunc(w.text, func(r rune) bool { return strings.ContainsRune("\"'`()[]{}<>,;=| \t\n\\", r) }) {
			switch {
			case strings.HasPrefix(f, "/"):
				s.names(word{text: f})
			case strings.HasPrefix(f, "~/"):
				s.home(f[2:])
			}
		}
	}
}
