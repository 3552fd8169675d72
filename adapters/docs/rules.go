package docs

import (
	"tenet/adapters/docs/tree"
	"tenet/core/doc/ignore"
)

// rules are the ignore rules that stand over a directory, and the path that leads from
// their top to it. They are read anew for each call: people and commands change them.
func (d *Docs) rules(real string) (ignore.Rules, string) {
	return tree.Above(d.root, real, tree.UserExcludes(d.env))
}
