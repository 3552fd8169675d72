package guard

import (
	"path"
	"strings"

	"tenet/core/call"
)

// environment refuses what shows all variables at once.
func (v *view) environment() (why, next string) {
	why, next = v.each(func(l line) (string, string) {
		if shows, ok := dumpers[l.name()]; ok && shows(l) || l.readsEnviron() {
			return l.name() + " shows the whole environment, which holds credentials", showOne
		}
		return "", ""
	})
	if why != "" {
		return why, next
	}
	for _, p := range v.step.Paths {
		if environ(p.Real) || environ(p.Written) {
			return "it reads " + p.Real + ", the whole environment of a process, which holds credentials", showOne
		}
	}
	return "", ""
}

const showOne = `Show the one variable you need by its name: echo "$NAME".`

// dumpers are the commands that may show every variable, with when they do.
var dumpers = map[string]func(line) bool{
	"env": envShows, "genv": envShows, "printenv": printenvShows, "gprintenv": printenvShows,
	"set":    func(l line) bool { return len(l.args()) == 0 },
	"export": declareShows, "declare": declareShows, "typeset": declareShows, "readonly": readonlyShows,
	"compgen": compgenShows, "ps": psShows,
	"systemctl": func(l line) bool { return grammar{letters: "HM"}.parse(l.args()).word(0) == "show-environment" },
	"launchctl": func(l line) bool { return grammar{}.parse(l.args()).word(0) == "export" },
}

// envShows: env runs nothing, and so prints what it would have handed on. With -i
// that is only what its own words set.
func envShows(l line) bool {
	words := l.args()
	for i := 0; i < len(words); i++ {
		switch t := plain(words[i]); {
		case t == "-" || t == "-i" || long2(t, "ignore-environment"):
			return false
		case t == "-u" || t == "-C" || t == "-P" || t == "--unset" || t == "--chdir":
			i++
		case t == "-S" || strings.HasPrefix(t, "-S") || long2(t, "split-string") || long2(t, "help") || long2(t, "version"):
			return false // its text is judged as the command it is
		case strings.HasPrefix(t, "-") && strings.Contains(t, "i") && !strings.HasPrefix(t, "--") && !strings.HasPrefix(t, "-u"):
			return false
		case strings.HasPrefix(t, "-") || strings.Contains(t, "="):
		default:
			return false
		}
	}
	return true
}

// long2 reports whether a word is a long option or a beginning of it.
func long2(t, name string) bool {
	rest, ok := strings.CutPrefix(t, "--")
	return ok && rest != "" && strings.HasPrefix(name, rest)
}

func printenvShows(l line) bool {
	p := grammar{}.parse(l.args())
	return len(p.operands()) == 0 && !p.has("", "help", "version")
}

// declareShows: without a name, export, declare and typeset list; functions, nameless
// options and single names are no dump.
func declareShows(l line) bool {
	p := grammar{}.parse(l.args())
	return len(p.operands()) == 0 && !strings.ContainsAny(p.letters, "fF")
}

func readonlyShows(line) bool { return false }

func compgenShows(l line) bool {
	p := grammar{letters: "AGWFCXPSo"}.parse(l.args())
	if strings.ContainsAny(p.letters, "ve") {
		return true
	}
	for i, w := range l.args() {
		if plain(w) == "-A" && i+1 < len(l.args()) && among(plain(l.args()[i+1]), "variable", "export", "arrayvar") {
			return true
		}
	}
	return false
}

// psShows: e in a group without a dash, -E, and a format that names the environment.
func psShows(l line) bool {
	words := l.args()
	for i, w := range words {
		t := plain(w)
		format := i > 0 && takesFormat(plain(words[i-1]))
		switch {
		case format || strings.HasPrefix(t, "--"):
			if strings.Contains(strings.ToLower(t), "environ") {
				return true
			}
		case strings.HasPrefix(t, "-"):
			if strings.Contains(t, "E") {
				return true
			}
		case strings.Contains(t, "e") && strings.Trim(t, bsdLetters) == "":
			return true
		}
	}
	return false
}

// bsdLetters are the options of ps that stand without a dash.
const bsdLetters = "aAcCdefghHjklLmnrsSTuUvVwWxXZ"

func takesFormat(t string) bool {
	return t == "--format" || t == "-C" || t == "--sort" || strings.HasPrefix(t, "-") && !strings.HasPrefix(t, "--") && strings.ContainsAny(t[len(t)-1:], "oOUuptgGk")
}

// readsEnviron reports whether a word names a file with a process's environment.
func (l line) readsEnviron() bool {
	for _, w := range l.c.Words {
		if environ(w.Text) || environ(w.Real) {
			return true
		}
	}
	return false
}

// environ reports whether a path is /proc/PID/environ, of whatever process; a pattern
// and an unknown part may stand for one.
func environ(at string) bool {
	if !strings.Contains(at, "/proc/") {
		return false
	}
	at = path.Clean(strings.ReplaceAll(at, call.Hole, "*"))
	rest, ok := strings.CutPrefix(at, "/proc/")
	if !ok {
		return false
	}
	last := path.Base(rest)
	m, err := path.Match(last, "environ")
	return strings.Contains(rest, "/") && (m || err != nil) && !everything(last)
}
