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
		s.texts(argv[1:])
	}
	if slices.Contains(interpreters, base) {
		s.quotedPaths(argv[1:])
	}
}

// dumps reports whether env runs nothing and so prints every variable.
func dumps(argv []word) bool {
	for i := 1; i < len(argv); i++ {
		w := argv[i]
		switch {
		case w.sure != exact:
			return true
		case w.text == "-u" || w.text == "--unset" || w.text == "-C" || w.text == "--chdir":
			i++
		case w.option() || strings.Contains(w.text, "="):
		default:
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
	tried := 0
	for i := 1; i < len(argv); i++ {
		name := argv[i].text[strings.LastIndexByte(argv[i].text, '/')+1:]
		if table[name] != nil || slices.Contains(shells, name) || slices.Contains(interpreters, name) {
			if tried++; tried > maxBeginnings {
				s.strictest()
				break
			}
			s.runs(argv[i:])
		}
	}
	s.within = false
}

// texts judges each word that may be a script.
func (s *scene) texts(words []word) {
	for _, w := range words {
		if w.sure == exact && strings.ContainsAny(w.text, " \t\n;|&<>") {
			s.script(w.text)
		}
	}
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
