package docs

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"

	"golang.org/x/sys/unix"

	"tenet/core/doc"
	"tenet/core/doc/ignore"
)

// maxDepth bounds how deep a walk goes: each level holds a directory open.
const maxDepth = 256

// dirRef is an open directory that a walk and the searches of its files share.
type dirRef struct {
	fd   int
	refs atomic.Int32
}

func (r *dirRef) hold() *dirRef { r.refs.Add(1); return r }

func (r *dirRef) release() {
	if r.refs.Add(-1) == 0 {
		unix.Close(r.fd)
	}
}

// dirent is a name in a directory.
type dirent struct {
	name string
	kind uint8
}

// entry is what a walk visits.
type entry struct {
	dirent
	dir *dirRef
	// path is the entry's path below the walk's root.
	path string
}

// walk goes through a tree in the order of names, one directory after the other. It
// opens each directory below the one before and follows no link, so it cannot leave
// the tree, whatever is moved meanwhile, and a loop of links cannot hold it.
type walk struct {
	ctx context.Context
	// prefix leads from the ignore rules' top to the root of the walk.
	prefix   string
	ignoring bool
	// links makes the walk visit symbolic links, as names.
	links bool
	visit func(entry) bool
	skips doc.Skips
	// count is the entries met.
	count int
	buf   []byte
}

// run walks the tree below an open directory. It stops when visit returns false or
// ctx ends; done is true when it went through everything.
func (w *walk) run(root *dirRef, files ignore.Files) (done bool) {
	w.buf = make([]byte, direntBytes)
	return w.dir(root, "", files, 0)
}

func (w *walk) dir(d *dirRef, path string, files ignore.Files, depth int) bool {
	entries, err := w.read(d)
	if err != nil {
		w.skips.Add(doc.Unreadable, orDot(path))
	}
	if w.ignoring {
		files = w.rules(d, path, entries, files)
	}
	for _, e := range entries {
		if w.count++; w.count%256 == 0 && w.ctx.Err() != nil {
			return false
		}
		if !w.entry(d, path, e, files, depth) {
			return false
		}
	}
	return true
}

func orDot(path string) string {
	if path == "" {
		return "."
	}
	return strings.TrimSuffix(path, "/")
}

func (w *walk) read(d *dirRef) ([]dirent, error) {
	var out []dirent
	err := readNames(d.fd, w.buf, func(name string, kind uint8) {
		if kind == unix.DT_UNKNOWN {
			if st, err := statAt(d.fd, name); err == nil {
				kind = uint8(st.Mode & unix.S_IFMT >> 12)
			}
		}
		out = append(out, dirent{name, kind})
	})
	slices.SortFunc(out, func(a, b dirent) int { return strings.Compare(a.name, b.name) })
	return out, err
}

// entry classifies one entry: it is counted in one class, or visited, and a directory
// that is not skipped is walked.
func (w *walk) entry(d *dirRef, dir string, e dirent, files ignore.Files, depth int) bool {
	path := dir + e.name
	switch {
	case e.name == ".git":
		w.skips.Add(doc.GitDir, path)
		return true
	case doc.IsTemp(e.name):
		w.skips.Add(doc.TempFile, path)
		return true
	case w.ignoring && files.Ignores(w.prefix+path, e.kind == unix.DT_DIR):
		w.skips.Add(doc.Ignored, path)
		return true
	}
	switch e.kind {
	case unix.DT_DIR:
		return w.visit(entry{e, d, path}) && w.enter(d, e.name, path, files, depth)
	case unix.DT_REG:
		return w.visit(entry{e, d, path})
	case unix.DT_LNK:
		if w.links {
			return w.visit(entry{e, d, path})
		}
		w.skips.Add(doc.Symlink, path)
	default:
		w.skips.Add(doc.Special, path)
	}
	return true
}

func (w *walk) enter(d *dirRef, name, path string, files ignore.Files, depth int) bool {
	if w.ctx.Err() != nil {
		return false
	}
	fd := -1
	if depth < maxDepth {
		fd, _ = openAt(d.fd, name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC)
	}
	if fd < 0 {
		w.skips.Add(doc.Unreadable, path)
		return true
	}
	sub := (&dirRef{fd: fd}).hold()
	defer sub.release()
	return w.dir(sub, path+"/", files, depth+1)
}

// rules adds the ignore rules that a directory brings.
func (w *walk) rules(d *dirRef, path string, entries []dirent, files ignore.Files) ignore.Files {
	has := func(name string, kind uint8) bool {
		i, ok := slices.BinarySearchFunc(entries, name, func(e dirent, n string) int { return strings.Compare(e.name, n) })
		return ok && entries[i].kind == kind
	}
	if has(".git", unix.DT_DIR) {
		files = files.With(ignore.Parse(ruleText(d.fd, ".git", "info", "exclude"), w.prefix+path))
	}
	if has(".gitignore", unix.DT_REG) {
		files = files.With(ignore.Parse(ruleText(d.fd, ".gitignore"), w.prefix+path))
	}
	return files
}
