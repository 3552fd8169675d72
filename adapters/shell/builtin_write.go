package shell

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// entries reports whether all operands are names of entries, not of a place: no
// trailing slash, no . or .., not the root.
func (p *plan) entries(names []string) bool {
	for _, n := range names {
		base := filepath.Base(n)
		if !p.plainName(n) || strings.HasSuffix(n, "/") || base == "." || base == ".." || base == "/" {
			return false
		}
	}
	return len(names) > 0
}

func planMkdir(p *plan) act {
	set, names, ok := p.options("p", "")
	if !ok || !p.entries(names) {
		return nil
	}
	_, parents := set['p']
	if parents {
		// Odd parents are the real tool's: a file in the way, a link that leads nowhere.
		for _, n := range names {
			if !p.canMakeAll(n) {
				return nil
			}
		}
	}
	return func(d *desk) int {
		status := 0
		for _, n := range names {
			var err error
			if parents {
				err = os.MkdirAll(absIn(d.dir, n), 0o777)
			} else {
				err = os.Mkdir(absIn(d.dir, n), 0o777)
			}
			if err != nil {
				status = d.complain("cannot create directory %s: %s", quoted(n), unixText(err))
			}
		}
		return d.end(status)
	}
}

// canMakeAll: each part of the path is a directory, up to the first that is missing.
func (p *plan) canMakeAll(name string) bool {
	for at := name; at != "." && at != "/"; at = filepath.Dir(at) {
		fi, err := os.Stat(p.abs(at))
		if err == nil {
			return fi.IsDir()
		}
		if !isNotExist(err) || p.lstat(at) != nil {
			return false
		}
	}
	return true
}

func planRmdir(p *plan) act {
	_, names, ok := p.options("", "")
	if !ok || !p.entries(names) {
		return nil
	}
	return func(d *desk) int {
		status := 0
		for _, n := range names {
			if err := syscall.Rmdir(absIn(d.dir, n)); err != nil {
				status = d.complain("failed to remove %s: %s", quoted(n), unixText(err))
			}
		}
		return d.end(status)
	}
}

func planTouch(p *plan) act {
	set, names, ok := p.options("c", "")
	if !ok || !p.entries(names) {
		return nil
	}
	for _, n := range names {
		if n == "-" {
			return nil // the standard output
		}
		if fi := p.lstat(n); fi != nil && !fi.Mode().IsRegular() && !fi.IsDir() {
			return nil
		}
	}
	_, onlyOld := set['c']
	return func(d *desk) int {
		status := 0
		for _, n := range names {
			if err := touch(absIn(d.dir, n), onlyOld); err != nil {
				status = d.complain("cannot touch %s: %s", quoted(n), unixText(err))
			}
		}
		return d.end(status)
	}
}

func touch(path string, onlyOld bool) error {
	now := time.Now()
	err := os.Chtimes(path, now, now)
	if err == nil || !isNotExist(err) || onlyOld {
		if onlyOld && err != nil && isNotExist(err) {
			return nil
		}
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o666)
	if err != nil {
		return err
	}
	return f.Close()
}

func planRm(p *plan) act {
	set, names, ok := p.options("rRf", "")
	if !ok || !p.entries(names) {
		return nil
	}
	r := remover{}
	_, r.force = set['f']
	_, lower := set['r']
	_, upper := set['R']
	r.deep = lower || upper
	return func(d *desk) int {
		status := 0
		for _, n := range names {
			status = max(status, r.operand(d, n))
		}
		return d.end(status)
	}
}

type remover struct{ force, deep bool }

// operand removes one operand through its directory, held open: were a link put in
// the place of a directory on the way, nothing outside of it could be reached.
func (r remover) operand(d *desk, name string) int {
	full := absIn(d.dir, name)
	if _, err := os.Lstat(full); err != nil {
		return r.failed(d, name, err)
	}
	root, err := os.OpenRoot(filepath.Dir(full))
	if err != nil {
		return r.failed(d, name, err)
	}
	defer root.Close()
	return r.remove(d, root, filepath.Base(full), name)
}

func (r remover) remove(d *desk, in *os.Root, base, shown string) int {
	fi, err := in.Lstat(base)
	switch {
	case err != nil:
		return r.failed(d, shown, err)
	case fi.IsDir() && !r.deep:
		return d.complain("cannot remove %s: %s", quoted(shown), isDirectory)
	case fi.IsDir():
		if status := r.children(d, in, base, shown); status != 0 {
			return status
		}
	}
	if d.ctx.Err() != nil {
		return interrupted
	}
	if err := in.Remove(base); err != nil {
		return r.failed(d, shown, err)
	}
	return 0
}

func (r remover) children(d *desk, in *os.Root, base, shown string) int {
	sub, err := in.OpenRoot(base)
	if err != nil {
		return r.failed(d, shown, err)
	}
	defer sub.Close()
	f, err := sub.Open(".")
	if err != nil {
		return r.failed(d, shown, err)
	}
	names, err := f.Readdirnames(-1)
	f.Close()
	if err != nil {
		return r.failed(d, shown, err)
	}
	status := 0
	for _, n := range names {
		if d.ctx.Err() != nil {
			return interrupted
		}
		status = max(status, r.remove(d, sub, n, shown+"/"+n))
	}
	return status
}

func (r remover) failed(d *desk, name string, err error) int {
	if r.force && (isNotExist(err) || unixText(err) == "Not a directory") {
		return 0
	}
	return d.complain("cannot remove %s: %s", quoted(name), unixText(err))
}

// planMv takes plain renames: to a new name, over a plain file, into a directory.
func planMv(p *plan) act {
	_, names, ok := p.options("f", "")
	pairs := p.pairs(names)
	if !ok || pairs == nil {
		return nil
	}
	for _, x := range pairs {
		from, to := p.lstat(x.from), p.lstat(x.to)
		if from == nil {
			continue
		}
		over := to == nil || from.Mode().IsRegular() && to.Mode().IsRegular() && !os.SameFile(from, to)
		if !over || !sameDevice(from, p.lstat(filepath.Dir(p.abs(x.to)))) || inside(p.abs(x.from), p.abs(x.to)) {
			return nil
		}
	}
	return func(d *desk) int {
		status := 0
		for _, x := range pairs {
			if _, err := os.Lstat(absIn(d.dir, x.from)); err != nil {
				status = d.complain("cannot stat %s: %s", quoted(x.from), unixText(err))
			} else if err := os.Rename(absIn(d.dir, x.from), absIn(d.dir, x.to)); err != nil {
				status = d.complain("cannot move %s to %s: %s", quoted(x.from), quoted(x.to), unixText(err))
			}
		}
		return d.end(status)
	}
}

type pair struct{ from, to string }

// pairs is what goes where; nil for what the real tool is better at: no such
// directory, one target for two sources.
func (p *plan) pairs(names []string) []pair {
	if len(names) < 2 || !p.entries(names[:len(names)-1]) || !p.plainName(names[len(names)-1]) {
		return nil
	}
	srcs, dst := names[:len(names)-1], names[len(names)-1]
	fi, err := os.Stat(p.abs(dst))
	if err == nil && fi.IsDir() {
		var out []pair
		seen := map[string]bool{}
		for _, s := range srcs {
			to := strings.TrimRight(dst, "/") + "/" + filepath.Base(s)
			if seen[to] {
				return nil
			}
			seen[to] = true
			out = append(out, pair{s, to})
		}
		return out
	}
	if len(srcs) > 1 || strings.HasSuffix(dst, "/") || err != nil && p.lstat(dst) != nil {
		return nil
	}
	if parent, err := os.Stat(filepath.Dir(p.abs(dst))); err != nil || !parent.IsDir() {
		return nil
	}
	return []pair{{srcs[0], dst}}
}

func sameDevice(a, b fs.FileInfo) bool {
	if a == nil || b == nil {
		return false
	}
	x, ok := a.Sys().(*syscall.Stat_t)
	y, ok2 := b.Sys().(*syscall.Stat_t)
	return ok && ok2 && x.Dev == y.Dev
}

func inside(dir, path string) bool {
	return path == dir || strings.HasPrefix(filepath.Clean(path)+"/", filepath.Clean(dir)+"/")
}
