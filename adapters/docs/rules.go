package docs

import (
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"tenet/adapters/docs/tree"
	"tenet/core/doc/ignore"
)

// maxRules bounds an ignore file; a longer one is cut there.
const maxRules = 1 << 20

// ruleText reads an ignore file below an open directory. As git does, it follows no
// link, and what cannot be read has no rules.
func ruleText(dir int, names ...string) string {
	at := dir
	for i, name := range names {
		flags := unix.O_RDONLY | unix.O_NOFOLLOW | unix.O_NONBLOCK | unix.O_CLOEXEC
		if i < len(names)-1 {
			flags |= unix.O_DIRECTORY
		}
		next, err := openAt(at, name, flags)
		if at != dir {
			unix.Close(at)
		}
		if err != nil {
			return ""
		}
		at = next
	}
	defer unix.Close(at)
	return readText(at)
}

func readText(fd int) string {
	var st unix.Stat_t
	if unix.Fstat(fd, &st) != nil || kindOf(uint32(st.Mode)) != "" {
		return ""
	}
	b := make([]byte, min(st.Size+1, maxRules))
	n := 0
	for n < len(b) {
		k, err := unix.Read(fd, b[n:])
		if err == unix.EINTR {
			continue
		}
		if err != nil || k <= 0 {
			break
		}
		n += k
	}
	return string(b[:n])
}

// rules are the ignore rules that stand over a directory, and the path that leads from
// their top to it. They are read anew for each call: people and commands change them.
func (d *Docs) rules(real string) (ignore.Rules, string) {
	return tree.Above(d.root, real, tree.UserExcludes(d.env))
}

// rulesAbove are the ignore rules that stand over a directory of the workspace: from
// the top of the repository that the workspace lies in, or from the workspace. prefix
// leads from there to the directory.
func (d *Docs) rulesAbove(real string) (files ignore.Files, prefix string) {
	top := d.root
	for dir := d.root; ; dir = filepath.Dir(dir) {
		if exists(filepath.Join(dir, ".git")) {
			top = dir
			break
		}
		if dir == "/" {
			break
		}
	}
	below, _ := filepath.Rel(top, real)
	if below == "." {
		return nil, ""
	}
	dir, path := top, ""
	for name := range strings.SplitSeq(below, "/") {
		files = files.With(ignore.Parse(textIn(dir, ".git", "info", "exclude"), path))
		files = files.With(ignore.Parse(textIn(dir, ".gitignore"), path))
		dir, path = filepath.Join(dir, name), path+name+"/"
	}
	return files, path
}

func textIn(dir string, names ...string) string {
	f, err := openDir(dir)
	if err != nil {
		return ""
	}
	defer f.Close()
	return ruleText(int(f.Fd()), names...)
}

// openTree opens the directory that a walk starts in.
func openTree(real string) (*dirRef, error) {
	f, err := openDir(real)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return nil, os.NewSyscallError("dup", err)
	}
	return (&dirRef{fd: fd}).hold(), nil
}
