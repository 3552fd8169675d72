package pathpolicy

import (
	"path/filepath"
	"strings"
	"unicode"
)

// folding reports whether a place that the policy speaks of lies on a file system that
// takes upper and lower case for the same. One such place makes all be judged so: to take
// two names for one asks once too often, the other way round never.
func (d *disk) folding(o Options, env map[string]string) bool {
	places := append(filepath.SplitList(env["PATH"]), o.Root, o.TenetHome, env["HOME"])
	asked := map[string]bool{"": true, "/": true}
	for _, p := range places {
		for ; !asked[p] && filepath.IsAbs(p); p = filepath.Dir(p) {
			asked[p] = true
			if d.calls++; foldsEntries(p) || d.flips(p) {
				return true
			}
		}
	}
	return false
}

// flips reports whether a name in the directory that holds it has a second spelling.
func (d *disk) flips(path string) bool {
	dir, name := filepath.Split(path)
	other := strings.Map(func(r rune) rune {
		if unicode.IsUpper(r) {
			return unicode.ToLower(r)
		}
		return unicode.ToUpper(r)
	}, name)
	return other != name && d.same(path, dir+other)
}
