package docs

import (
	"context"
	"strings"
	"sync"

	"tenet/adapters/docs/tree"
)

// Names calls each for the paths of the workspace that ignore rules do not leave out,
// directories with a slash behind, for a person who looks for one. It is called by one
// goroutine at a time; when it answers false, or ctx ends, the walk does. done is true when
// those were all.
func (d *Docs) Names(ctx context.Context, each func(path string) bool) (done bool, err error) {
	root, err := openDir(d.root)
	if err != nil {
		return false, d.fault(d.root, err, "look whether the workspace is still there")
	}
	defer root.Close()
	var mu sync.Mutex
	o := tree.Options{Root: int(root.Fd()), Ignoring: true, Dirs: true, Links: true, Visit: func(_ int, e *tree.Entry) bool {
		path := strings.Clone(e.Path())
		if e.Kind == tree.Dir {
			path += "/"
		}
		mu.Lock()
		defer mu.Unlock()
		return each(path)
	}}
	o.Rules, o.Prefix = d.rules(d.root)
	return tree.Walk(ctx, o).Done, nil
}
