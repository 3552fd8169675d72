package pathpolicy

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"

	"tenet/core/pathpolicy"
)

// The bounds of one look into a tree: names in all, and directories in the first one.
// Past either the tree is taken to hold a secret.
const (
	maxNames = 4096
	maxDirs  = 64
)

// names is what stands in a directory, up to a bound; whole is false beyond it. What
// cannot be listed has no names: the same user's command cannot list it either.
func (d *disk) names(dir string, most int) (entries []fs.DirEntry, whole bool) {
	d.calls++
	f, err := os.OpenFile(dir, os.O_RDONLY|syscall.O_DIRECTORY|syscall.O_NONBLOCK, 0) // a FIFO must not hold the decision up
	if err != nil {
		return nil, true
	}
	defer f.Close()
	entries, err = f.ReadDir(most + 1)
	if err != nil {
		return nil, true
	}
	return entries[:min(len(entries), most)], len(entries) <= most
}

// held adds to a directory whether a secret stands in it by name, or behind a link,
// directly or one directory deeper.
func (l look) held(t pathpolicy.Target) pathpolicy.Target {
	if t.Secret() {
		return t
	}
	left := maxNames
	dirs, secret := l.scan(t.Real.Path, &left)
	secret = secret || len(dirs) > maxDirs
	for i := 0; i < len(dirs) && !secret; i++ {
		_, secret = l.scan(dirs[i], &left)
	}
	t.Holds = secret
	return t
}

// scan looks at the names of one directory.
func (l look) scan(dir string, left *int) (dirs []string, secret bool) {
	entries, whole := l.disk.names(dir, *left)
	*left -= len(entries)
	for _, e := range entries {
		at := filepath.Join(dir, e.Name())
		t := l.policy.Target(pathpolicy.Real{Path: at})
		if e.Type()&fs.ModeSymlink != 0 {
			t = l.place().Word(at)
		}
		if e.IsDir() {
			dirs = append(dirs, at)
		}
		secret = secret || t.Secret()
	}
	return dirs, secret || !whole
}

// matched adds what the links that stand among a pattern's names lead to. Only the
// last name of it may have signs: the directories of others are not listed.
func (l look) matched(t pathpolicy.Target, word string) pathpolicy.Target {
	dir, last := path.Split(word)
	if strings.ContainsAny(dir, `*?[\`) {
		return t
	}
	entries, whole := l.disk.names(pathpolicy.Resolve(remembered{l.Judge, l.dir}, l.dir, dir).Path, maxNames)
	if !whole {
		t.Class = worse(t.Class, pathpolicy.Outside)
	}
	for _, e := range entries {
		fits, err := path.Match(strings.ReplaceAll(last, "[!", "[^"), e.Name())
		if e.Type()&fs.ModeSymlink == 0 || !fits && err == nil {
			continue
		}
		to := l.place().Word(dir + e.Name())
		t.Class, t.Holds = worse(t.Class, to.Class), t.Holds || to.Holds
	}
	return t
}

// worse is the class that asks for more: outside more than inside.
func worse(a, b pathpolicy.Class) pathpolicy.Class {
	if min(a, b) <= pathpolicy.Protected {
		return min(a, b)
	}
	return max(a, b)
}
