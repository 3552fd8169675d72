package docs

import (
	"context"
	"errors"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"tenet/core/doc"
)

// inFlight bounds the files between the walk and the report: searched, or waiting for
// one before them. It bounds the memory and the open directories of a grep.
const inFlight = 64

// job is one file to search.
type job struct {
	root place
	real string
	dir  *dirRef
	name string
	// outright is true for a file that the call named.
	outright bool
	result   chan found
}

// crew searches the files that a walk finds, several at a time, and reports them in
// the walk's order: the same call gives the same page.
type crew struct {
	d       *Docs
	q       query
	ctx     context.Context
	stop    context.CancelFunc
	jobs    chan *job // to the searchers
	ordered chan *job // the same jobs, to the report
	skips   doc.Skips
	err     error
}

// searchAll searches every place of the query into the report. It returns when all
// its goroutines are done.
func (d *Docs) searchAll(ctx context.Context, q query, r *report) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	c := &crew{d: d, q: q, ctx: ctx, stop: stop, jobs: make(chan *job, inFlight), ordered: make(chan *job, inFlight)}
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), 8) {
		wg.Go(c.search)
	}
	wg.Go(c.walk)
	c.report(r)
	wg.Wait()
	r.skips.Merge(c.skips)
	return c.err
}

// search takes files until there are none. After the end of ctx each is answered
// without being opened, so that nobody waits.
func (c *crew) search() {
	s := &searcher{ctx: c.ctx, pattern: c.q.pattern, context: c.q.context}
	for j := range c.jobs {
		if c.ctx.Err() != nil {
			j.result <- found{}
			continue
		}
		j.result <- s.file(j.dir.fd, j.name, j.outright, keep{n: Matches})
	}
}

// report takes the results in order. When the page is full it goes on for a moment,
// only to count.
func (c *crew) report(r *report) {
	s := &searcher{ctx: c.ctx, pattern: c.q.pattern, context: c.q.context}
	enough := time.AfterFunc(time.Hour, c.stop)
	defer enough.Stop()
	for j := range c.ordered {
		f := <-j.result
		if c.ctx.Err() == nil {
			r.take(*j, f, func(k keep) found { return s.file(j.dir.fd, j.name, j.outright, k) })
		}
		j.dir.release()
		if r.full && !r.stopped {
			r.stopped = true
			enough.Reset(countOn)
		}
	}
	r.stopped = r.stopped && c.ctx.Err() != nil
}

// walk hands out every file of every place.
func (c *crew) walk() {
	defer close(c.jobs)
	defer close(c.ordered)
	for _, p := range c.q.places {
		if err := c.place(p); err != nil {
			c.err = err
			return
		}
	}
}

// place hands out one file that was named, ignored or not, or walks a directory.
func (c *crew) place(p place) error {
	root, err := openTree(p.real)
	if errors.Is(err, unix.ENOTDIR) {
		return c.named(p)
	}
	if err != nil {
		return c.d.rootFault(p.real, err)
	}
	defer root.release()
	w := walk{ctx: c.ctx, ignoring: !c.q.ignored}
	files, prefix := c.d.rulesAbove(p.real)
	w.prefix = prefix
	w.visit = func(e entry) bool {
		if e.kind != unix.DT_REG || !c.q.scope(e.path) {
			return true
		}
		return c.hand(&job{root: p, real: filepath.Join(p.real, e.path), dir: e.dir.hold(), name: e.name})
	}
	w.run(root, files)
	c.skips.Merge(w.skips)
	return nil
}

func (c *crew) named(p place) error {
	dir, err := openTree(filepath.Dir(p.real))
	if err != nil {
		return c.d.rootFault(p.real, err)
	}
	name := filepath.Base(p.real)
	st, err := statAt(dir.fd, name)
	if err == nil {
		err = regular(st)
	}
	if err != nil {
		dir.release()
		return c.d.rootFault(p.real, err)
	}
	c.hand(&job{root: p, real: p.real, dir: dir, name: name, outright: true})
	return nil
}

// hand gives a file to the searchers and to the report; false when the search ends.
func (c *crew) hand(j *job) bool {
	j.result = make(chan found, 1)
	select {
	case c.ordered <- j:
		c.jobs <- j // as many places as ordered has, and the searchers never stop early
		return true
	case <-c.ctx.Done():
		j.dir.release()
		return false
	}
}
