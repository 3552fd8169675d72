package shell

import (
	"io/fs"
	"os"
	"strings"

	"tenet/core/call"
	"tenet/core/effect"
)

// plan is what a built-in looks at before it says whether it takes a command: it
// takes only what it does byte for byte like the C tools. Everything else, and every
// odd case, is left to the real command of that name.
type plan struct {
	args []string // without the name
	dir  string
	utf8 bool // the locale's characters are UTF-8
}

// builtin is the built-in that takes the stage's command, nil for none.
func (r *run) builtin(st *stage) act {
	p := &plan{args: st.argv[1:], dir: r.dir}
	if a := r.special(st.argv[0], p, st); a != nil {
		return a
	}
	f := tools[st.argv[0]]
	if f == nil {
		return nil
	}
	r.vars.over = st.assigns
	ok := r.plainLocale(p)
	r.vars.over = nil
	if !ok || r.oddStreams(st) {
		return nil
	}
	return f(p)
}

// tools are the commands of S7.7 that run in this process.
var tools = map[string]func(*plan) act{
	"cat": planCat, "head": planHead, "tail": planTail, "wc": planWc, "grep": planGrep,
	"ls": planLs, "mkdir": planMkdir, "rmdir": planRmdir, "rm": planRm, "touch": planTouch,
	"cp": planCp, "mv": planMv, "pwd": planPwd, "echo": planEcho,
}

// plainLocale reports whether names sort by their bytes and messages are English;
// in other locales the real tools know how.
func (r *run) plainLocale(p *plan) bool {
	for _, name := range []string{"LC_ALL", "LC_COLLATE", "LC_MESSAGES", "LC_CTYPE", "LANG"} {
		v := r.vars.value(name)
		switch strings.ToUpper(strings.ReplaceAll(v, "-", "")) {
		case "", "C", "POSIX":
		case "C.UTF8":
			p.utf8 = true
		default:
			return false
		}
		if v != "" && name == "LC_ALL" {
			break
		}
	}
	for _, name := range []string{"POSIXLY_CORRECT", "QUOTING_STYLE", "LANGUAGE", "GREP_OPTIONS", "GREP_COLOR", "GREP_COLORS", "_POSIX2_VERSION"} {
		if r.vars.value(name) != "" {
			return false
		}
	}
	return true
}

// oddStreams reports a redirection from or to something that is no regular file: a
// terminal, a FIFO, a device.
func (r *run) oddStreams(st *stage) bool {
	for _, rd := range st.redirs {
		if rd.op == effect.Dup || rd.bad != "" || rd.path == os.DevNull {
			continue
		}
		if fi, err := os.Stat(r.abs(rd.path)); err == nil && !fi.Mode().IsRegular() && !fi.IsDir() {
			return true
		}
	}
	return false
}

// abs is a path as the command sees it.
func (p *plan) abs(name string) string { return absIn(p.dir, name) }

// options splits arguments as getopt_long does: flags may stand anywhere before --,
// a flag in valued takes a value. Not ok: a flag or a long option it does not know.
func (p *plan) options(flags, valued string) (set map[byte]string, rest []string, ok bool) {
	set = map[byte]string{}
	for i := 0; i < len(p.args); i++ {
		a := p.args[i]
		switch {
		case a == "--":
			return set, append(rest, p.args[i+1:]...), true
		case a == "-" || !strings.HasPrefix(a, "-"):
			rest = append(rest, a)
			continue
		case strings.HasPrefix(a, "--"):
			return nil, nil, false
		}
		for j := 1; j < len(a); j++ {
			switch c := a[j]; {
			case strings.IndexByte(flags, c) >= 0:
				set[c] = ""
			case strings.IndexByte(valued, c) < 0 || has(set, c):
				return nil, nil, false
			case j+1 < len(a):
				set[c] = a[j+1:]
				j = len(a)
			case i+1 < len(p.args):
				i++
				set[c] = p.args[i]
				j = len(a)
			default:
				return nil, nil, false
			}
		}
	}
	return set, rest, true
}

// has reports a flag that was given before; a value that is given twice is odd.
func has(set map[byte]string, c byte) bool {
	_, ok := set[c]
	return ok
}

// readable reports whether every operand is something that a built-in reads: a regular
// file, a directory or nothing at all (both give an error message), or the standard
// input. Devices and FIFOs go to a process, which a signal can stop.
func (p *plan) readable(names []string) bool {
	for _, n := range names {
		if !p.plainName(n) {
			return false
		}
		if n == "-" {
			continue
		}
		fi, err := os.Stat(p.abs(n))
		if err == nil && !fi.Mode().IsRegular() && !fi.IsDir() || err != nil && !isNotExist(err) {
			return false
		}
	}
	return true
}

// plainName reports whether a message may hold the name as it is in every locale.
func (p *plan) plainName(n string) bool {
	if n == "" {
		return false
	}
	for _, r := range n {
		if r >= 0x80 && !p.utf8 || call.Hidden(r) || r == 0xfffd {
			return false
		}
	}
	return true
}

func isNotExist(err error) bool { return unixText(err) == "No such file or directory" }

// lstat describes a path itself; nil when there is none.
func (p *plan) lstat(name string) fs.FileInfo {
	fi, err := os.Lstat(p.abs(name))
	if err != nil {
		return nil
	}
	return fi
}
