// Package tree walks the files below a directory: several directories at a time, in
// bounded memory and with a bounded number of open directories whatever the tree
// (S8.9). It follows no link, so it cannot leave the tree and no loop holds it, and
// it leaves out what git's ignore rules leave out. What is left out, or cannot be
// reached, is counted: each entry met is in exactly one class.
package tree

import (
	"context"
	"runtime"
	"sync"

	"golang.org/x/sys/unix"

	"tenet/core/doc"
	"tenet/core/doc/ignore"
)

// The bounds of a walk.
const (
	// MaxDepth is how many directories lie below one another in a walk.
	MaxDepth = 256
	// maxWorkers bounds the goroutines of a walk.
	maxWorkers = 8
	// maxOpen is how many directories stay open beside those being read. Beyond it a
	// directory is closed and opened again for each one below it.
	maxOpen = 128
	// maxNames bounds the bytes of the names of directories that wait for their turn;
	// what does not fit is read from its directory again later.
	maxNames = 16 << 20
	// blockBytes is how much of a directory is read at a time, by each worker.
	blockBytes = 64 << 10
)

// Options say what is walked and who looks at it.
type Options struct {
	// Root is the open directory where the walk starts. The caller closes it, after
	// the walk.
	Root int
	// Rules are the ignore rules that stand over Root, Prefix is the path that leads
	// from their top to Root: "" or one that ends in a slash.
	Rules  ignore.Rules
	Prefix string
	// Ignoring makes ignore rules hold: those of Rules, and those met below Root.
	Ignoring bool
	// Dirs makes the walk visit directories, before what is below them. Links makes
	// it visit symbolic links, as names; else they are counted as left out.
	Dirs, Links bool
	// Workers is how many directories are read at a time; 0 means one for each
	// processor, up to 8.
	Workers int
	// Visit sees every entry that is not left out. It is called from several
	// goroutines, each with its own number from 0 to Workers-1, in no promised order.
	// The entry is valid during the call only. When it returns false the walk ends.
	Visit func(worker int, e *Entry) bool
	// Enter, when set, is asked before a directory is opened; path is the directory's
	// below Root and ends in a slash: the path of all that is below begins with it.
	// A directory that it declines is counted as Pruned. Directories are taken in the
	// order of their paths, as far as several workers can: the first ones early.
	Enter func(path string) bool

	// names and open are maxNames and maxOpen, or less in tests.
	names, open int
}

// Result is what a walk met. Every entry met is in exactly one of Files, Links, Dirs,
// Pruned and the classes of Skips; their sum is Entries.
type Result struct {
	// Entries are all the names met. A directory is met when its turn comes.
	Entries int
	// Files, Links are those given to Visit; Dirs were read, Pruned declined by Enter.
	Files, Links, Dirs, Pruned int
	// Skips are what was left out or could not be reached.
	Skips doc.Skips
	// Done is true when the walk went through everything: not when its context ended,
	// nor when Visit ended it.
	Done bool
}

func (r *Result) merge(o *Result) {
	r.Entries += o.Entries
	r.Files += o.Files
	r.Links += o.Links
	r.Dirs += o.Dirs
	r.Pruned += o.Pruned
	r.Skips.Merge(o.Skips)
}

// NumWorkers is how many workers a walk with 0 in its options has.
func NumWorkers() int { return min(runtime.GOMAXPROCS(0), maxWorkers) }

// Walk walks a tree. It returns when every Visit has returned; the end of ctx ends it
// before the next entry.
func Walk(ctx context.Context, o Options) Result {
	if o.Workers <= 0 {
		o.Workers = NumWorkers()
	}
	if o.names == 0 {
		o.names, o.open = maxNames, maxOpen
	}
	root, err := openName(o.Root, []byte(".\x00"), unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC)
	if err != nil {
		r := Result{Entries: 1}
		r.Skips.Add(lost(err), o.shown(""))
		return r
	}
	q := newQueue(&node{fd: root, rules: o.Rules, uses: 1, parts: 1}, o.names, o.open)
	defer context.AfterFunc(ctx, q.stop)()
	if ctx.Err() != nil {
		q.stop()
	}
	workers := make([]*worker, o.Workers)
	var wg sync.WaitGroup
	for i := range workers {
		w := newWorker(ctx, i, &o, q)
		workers[i] = w
		wg.Go(w.run)
	}
	wg.Wait()
	var r Result
	for _, w := range workers {
		r.merge(&w.result)
		w.free()
	}
	q.close()
	r.Done = !q.stopped.Load()
	return r
}
