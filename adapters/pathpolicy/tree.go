package pathpolicy

import (
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"tenet/core/pathpolicy"
)

// maxNames bounds one look into a tree, or into a directory. Only a command that reads
// every byte below a directory has its tree looked at, and the names are a small part of
// that: the bound lies above the largest projects, and is no question of each of them.
// Past it the tree is taken to hold a secret, since nobody looked.
const maxNames = 1 << 17

// aLink is how many names a link counts as: it costs a resolution.
const aLink = 8

// filled reports whether a directory is filled by programs alone. What is called .env
// in there was named by the author of a package and is no credential of the person's,
// who keeps none there: names of git's own never begin with a dot, and a package manager
// throws away what it did not put there. Such a directory often holds more names than all
// the rest; named itself as the start of a search, it is looked at like any other.
func filled(name string) bool { return name == ".git" || name == "node_modules" }

// held adds to a directory whether a secret stands below it by its name, or behind a
// link. It goes breadth first: a person's secrets lie near the top.
func (l look) held(t pathpolicy.Target) pathpolicy.Target {
	if t.Secret() {
		return t
	}
	left := maxNames
	for dirs := []string{t.Real.Path}; len(dirs) > 0 && !t.Holds; dirs = dirs[1:] {
		var deeper []string
		deeper, t.Holds = l.scan(dirs[0], &left)
		dirs = append(dirs, deeper...)
	}
	return t
}

// scan looks at the names of one directory.
func (l look) scan(dir string, left *int) (dirs []string, secret bool) {
	entries, whole := l.disk.names(dir, max(0, *left))
	if !whole {
		return nil, true
	}
	*left -= len(entries)
	for _, e := range entries {
		at := filepath.Join(dir, e.Name())
		switch {
		case l.policy.SecretName(e.Name()):
			return nil, true
		case e.Type()&fs.ModeSymlink != 0:
			if *left -= aLink; l.place().Word(at).Secret() {
				return nil, true
			}
		case e.IsDir() && !filled(e.Name()):
			dirs = append(dirs, at)
		}
	}
	return dirs, false
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
