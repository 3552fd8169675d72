package pathpolicy

import (
	"bytes"
	"strings"
)

// MaxLinks is how many symbolic links one resolution follows, as Linux does; one
// more and the path loops (G1.1).
const MaxLinks = 40

// MaxPath is the longest path in bytes. No kernel takes a longer one: such a word is a
// text and names nothing. It is resolved to a place that nobody trusts.
const MaxPath = 4096

// Kind is what stands at a path before any link is followed.
type Kind uint8

// The kinds.
const (
	Missing Kind = iota // nothing, or nothing that can be looked at
	Present             // something that is no link
	Link                // a symbolic link
)

// Links tells what stands on the disk. Read is asked only about absolute paths
// whose parents are known to be no links.
type Links interface {
	// Read returns the target of a link as written; target is empty otherwise.
	Read(path string) (target string, kind Kind)
}

// Namer is what a file system adds to Links that takes several spellings for one name:
// which entry a spelling means is known to the disk alone, for it folds case and forms of
// Unicode as no table of ours does. A path is judged by the entry that it reaches.
type Namer interface {
	// Name returns the name under which the entry stands in the directory, and the name
	// as it was given when nothing stands there. The directory is real.
	Name(dir, name string) string
}

// Real is where a written path leads.
type Real struct {
	// Path is absolute and clean. Without a loop no prefix of it is a link.
	Path string
	// Looped is true when the path has more than MaxLinks links. Then Path is what
	// was known when the walk stopped and must not be trusted.
	Looped bool
}

// Resolve walks a path from a working directory to where it really leads. Every
// link is followed, dangling ones too: a write through one creates its target.
// ".." goes up from the real directory, never from the written name, so that
// d/../f with d a link is not taken for f. What does not exist stays as written.
// cwd must be absolute; it is resolved as well.
func Resolve(links Links, cwd, path string) Real {
	return resolve(links, cwd, path, true)
}

// ResolveEntry resolves the directory that holds the last name and keeps that name
// as written: where removing or replacing the entry itself happens.
func ResolveEntry(links Links, cwd, path string) Real {
	return resolve(links, cwd, path, false)
}

func resolve(links Links, cwd, path string, last bool) Real {
	if len(path) > MaxPath {
		return Real{Path: child(resolve(links, "/", cwd, true).Path), Looped: true}
	}
	w := walk{links: links, entry: !last}
	w.names, _ = links.(Namer)
	if !strings.HasPrefix(path, "/") {
		w.rest = append(w.rest, cwd)
	}
	w.rest = append([]string{path}, w.rest...)
	for len(w.rest) > 0 {
		w.step()
	}
	if len(w.at) == 0 {
		return Real{Path: "/", Looped: w.looped}
	}
	return Real{Path: string(w.at), Looped: w.looped}
}

// walk is a resolution under way: where it stands and what is left to walk.
type walk struct {
	links Links
	// names is nil where one spelling is one name.
	names Namer
	// at is the real path so far, without a slash at its end; empty is the root.
	at []byte
	// rest is what is left, the next piece last: pieces of a path as written.
	rest []string
	// missing counts the components at the end of at that do not exist, where
	// looking for links would be of no use.
	missing int
	seen    int
	looped  bool
	// entry is true when the last name itself is not followed.
	entry bool
}

// step takes one component from the next piece.
func (w *walk) step() {
	piece := w.rest[len(w.rest)-1]
	w.rest = w.rest[:len(w.rest)-1]
	name, more, _ := strings.Cut(piece, "/")
	if more = strings.TrimLeft(more, "/"); more != "" {
		w.rest = append(w.rest, more)
	}
	switch name {
	case "", ".":
	case "..":
		w.up()
	default:
		w.down(name)
	}
}

func (w *walk) up() {
	if i := bytes.LastIndexByte(w.at, '/'); i >= 0 {
		w.at = w.at[:i]
	}
	w.missing = max(0, w.missing-1)
}

// down enters one name. The link is followed by putting its target before what is
// left, from the directory the link lies in or from the root.
func (w *walk) down(name string) {
	n := len(w.at)
	w.at = append(append(w.at, '/'), w.name(name)...)
	if w.missing > 0 {
		w.missing++
		return
	}
	if w.looped || w.entry && len(w.rest) == 0 {
		return
	}
	target, kind := w.links.Read(string(w.at))
	switch kind {
	case Missing:
		w.missing = 1
	case Present:
	case Link:
		w.follow(n, target)
	}
}

// name is the name of the entry that a name stands for in the directory of the walk.
// Below what is missing nothing stands.
func (w *walk) name(name string) string {
	if w.names == nil || w.missing > 0 {
		return name
	}
	return w.names.Name("/"+strings.TrimPrefix(string(w.at), "/"), name)
}

func (w *walk) follow(n int, target string) {
	if w.seen == MaxLinks {
		w.looped = true
		return
	}
	w.seen++
	w.at = w.at[:n]
	if strings.HasPrefix(target, "/") {
		w.at = w.at[:0]
	}
	w.rest = append(w.rest, target)
}
