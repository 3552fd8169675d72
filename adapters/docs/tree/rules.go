package tree

import (
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"tenet/core/doc/ignore"
)

// maxRules bounds an ignore file; a longer one is cut there.
const maxRules = 1 << 20

// marks are the names in a directory that say something about rules: where a
// repository starts, and its ignore files.
type marks struct{ git, gitignore, plain bool }

// addRules adds the rules that a directory brings. Where its first records are not the
// whole of it, its ignore files are looked for by name.
func (w *worker) addRules(n *node, fd int, records []byte, whole bool) {
	m := marks{gitignore: true, plain: true, git: !whole && has(fd, ".git")}
	if whole {
		m = marked(records)
	}
	n.rules = m.rules(n.rules, fd, w.o.Prefix+n.path)
}

func marked(records []byte) (m marks) {
	for len(records) > 0 {
		_, name, size := record(records)
		records = records[size:]
		if len(name) < len(".git\x00") || name[0] != '.' {
			continue
		}
		switch text(name[:len(name)-1]) {
		case ".git":
			m.git = true
		case ".gitignore":
			m.gitignore = true
		case ".ignore":
			m.plain = true
		}
	}
	return m
}

// rules adds the rules of an open directory; dir is its path from the top of the rules.
func (m marks) rules(r ignore.Rules, fd int, dir string) ignore.Rules {
	if m.git {
		if exclude, ok := repository(fd); ok {
			r = r.Repository(ignore.Parse(exclude, dir))
		}
	}
	if m.gitignore {
		t, _ := readAt(fd, ".gitignore")
		r = r.WithGit(ignore.Parse(t, dir))
	}
	if m.plain {
		t, _ := readAt(fd, ".ignore")
		r = r.WithPlain(ignore.Parse(t, dir))
	}
	return r
}

// repository reads a repository's info/exclude; ok is false where .git is none. In a
// worktree and in a submodule .git is a file that tells where the repository is, and
// that may tell on.
func repository(dir int) (exclude string, ok bool) {
	at := ".git"
	if t, err := readAt(dir, at); err == nil {
		if at, ok = strings.CutPrefix(t, "gitdir:"); !ok {
			return "", false
		}
		at = strings.TrimSpace(at)
	}
	if !has(dir, at+"/HEAD") {
		return "", false
	}
	if common, err := readAt(dir, at+"/commondir"); err == nil {
		common = strings.TrimSpace(common)
		if !filepath.IsAbs(common) {
			common = at + "/" + common
		}
		at = common
	}
	exclude, _ = readAt(dir, at+"/info/exclude")
	return exclude, true
}

// Above are the ignore rules that stand over a directory: from the top of the
// repository that it lies in, or from the workspace when that is higher. prefix leads
// from there to the directory. user are the user's own excludes.
func Above(workspace, real string, user ignore.File) (rules ignore.Rules, prefix string) {
	top := real
	for dir := real; ; dir = filepath.Dir(dir) {
		if isRepository(dir) {
			top = dir
			break
		}
		if dir == "/" {
			break
		}
	}
	if rel, err := filepath.Rel(workspace, real); err == nil && filepath.IsLocal(rel) && len(workspace) < len(top) {
		top = workspace
	}
	rules = rules.WithUser(user)
	rel, err := filepath.Rel(top, real)
	if err != nil || rel == "." {
		return rules, ""
	}
	dir := top
	for name := range strings.SplitSeq(rel, "/") {
		rules = rulesOf(dir, rules, prefix)
		dir, prefix = filepath.Join(dir, name), prefix+name+"/"
	}
	return rules, prefix
}

func rulesOf(dir string, r ignore.Rules, prefix string) ignore.Rules {
	in(dir, func(fd int) { r = marks{git: true, gitignore: true, plain: true}.rules(r, fd, prefix) })
	return r
}

func isRepository(dir string) (ok bool) {
	in(dir, func(fd int) { _, ok = repository(fd) })
	return ok
}

// in opens a directory for a look; one that cannot be opened has nothing.
func in(dir string, look func(fd int)) {
	fd, err := unix.Open(dir, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return
	}
	defer unix.Close(fd)
	look(fd)
}

func has(dir int, name string) bool {
	var st unix.Stat_t
	return unix.Fstatat(dir, name, &st, unix.AT_SYMLINK_NOFOLLOW) == nil
}

// readAt reads a text below an open directory, up to maxRules bytes. As for git, the
// file itself may be no link, and what cannot be read has no rules. O_NONBLOCK keeps a
// pipe in its place from holding the walk.
func readAt(dir int, path string) (string, error) {
	fd, err := unix.Openat(dir, path, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return "", err
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return "", err
	}
	if st.Mode&unix.S_IFMT != unix.S_IFREG {
		return "", unix.EINVAL
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
	return string(b[:n]), nil
}
