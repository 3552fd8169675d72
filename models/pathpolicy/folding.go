package pathpolicy

import (
	"strings"

	core "tenet/core/pathpolicy"
)

// folding is the world on a disk that takes upper and lower case for the same, and the
// letters of other scripts that fold to them.
type folding struct{ World }

// standing is what the world's disk has, as it was written there. The rest of what Paths
// name stands nowhere: its spelling is all that is known of it.
var standing = []string{"/w", "/h", "/h/s", "/h/s/k", "/h/bin", "/w/f", "/w/p", "/w/d", "/w/a", "/w/b", "/w/d/c", "/w/none", "/o", "/proc", "/proc/7", "/proc/7/environ", "/proc/7/root"}

// Name is the entry that a spelling means.
func (f folding) Name(dir, name string) string {
	for _, s := range standing {
		if n, ok := strings.CutPrefix(s, strings.TrimSuffix(dir, "/")+"/"); ok && strings.EqualFold(n, name) && n != "" {
			return n
		}
	}
	return name
}

// loud is what core makes of a path in another spelling, under a policy that knows of
// the disk.
func (w World) loud(path string) core.Target {
	p := Policy
	p.Fold = true
	return p.Target(core.Resolve(folding{w}, "/w", Louder(path)))
}

// Louder is another spelling of a path: capitals, the long s and the Kelvin sign.
func Louder(path string) string {
	return strings.NewReplacer("S", "ſ", "K", "\u212a").Replace(strings.ToUpper(path))
}
