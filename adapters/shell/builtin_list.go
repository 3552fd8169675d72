package shell

import (
	"os"
	"sort"
)

// planLs takes the listings of bare names; the long form is the real tool's.
func planLs(p *plan) act {
	set, names, ok := p.options("aA1d", "")
	if len(names) == 0 {
		names = []string{"."}
	}
	if !ok || !p.listable(names) {
		return nil
	}
	l := ls{}
	_, l.all = set['a']
	_, l.almost = set['A']
	_, l.self = set['d']
	return func(d *desk) int { return l.run(d, names) }
}

// listable: any operand that is a directory, a file or nothing.
func (p *plan) listable(names []string) bool {
	for _, n := range names {
		if !p.plainName(n) {
			return false
		}
		if _, err := os.Stat(p.abs(n)); err != nil && !isNotExist(err) {
			return false
		}
	}
	return true
}

type ls struct{ all, almost, self bool }

func (l ls) run(d *desk, names []string) int {
	status := 0
	var files, dirs []string
	for _, n := range names {
		fi, err := os.Stat(absIn(d.dir, n))
		if err != nil {
			fi, err = os.Lstat(absIn(d.dir, n)) // a link that leads nowhere is listed itself
		}
		switch {
		case err != nil:
			d.complain("cannot access %s: %s", quoted(n), unixText(err))
			status = 2
		case fi.IsDir() && !l.self:
			dirs = append(dirs, n)
		default:
			files = append(files, n)
		}
	}
	sort.Strings(files)
	sort.Strings(dirs)
	for _, f := range files {
		d.puts(f + "\n")
	}
	for i, dir := range dirs {
		if i > 0 || len(files) > 0 {
			d.puts("\n")
		}
		status = max(status, l.dir(d, dir, len(names) > 1))
	}
	return d.end(status)
}

func (l ls) dir(d *desk, dir string, header bool) int {
	f, err := os.Open(absIn(d.dir, dir))
	if err != nil {
		d.complain("cannot open directory %s: %s", quoted(dir), unixText(err))
		return 2
	}
	defer f.Close()
	if header {
		d.puts(named(dir) + ":\n")
	}
	names, err := f.Readdirnames(-1)
	if l.all && !l.almost {
		names = append(names, ".", "..")
	}
	sort.Strings(names)
	for _, n := range names {
		if (l.all || l.almost || n[0] != '.') && !d.puts(n+"\n") {
			return 0
		}
	}
	if err != nil {
		d.complain("reading directory %s: %s", quoted(dir), unixText(err))
		return 2
	}
	return 0
}
