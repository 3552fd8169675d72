package docs

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"tenet/adapters/docs/tree"
	"tenet/core/call"
	"tenet/core/doc"
	"tenet/core/pathpolicy"
)

// hunt looks for the files of a page: the first ones by path that have a match. Each
// file is searched only until its first match; what the page shows is read again.
type hunt struct {
	d     *Docs
	q     query
	ctx   context.Context
	scope doc.GrepScope
	// named are the files that the call names, by their real path.
	named map[string]root

	mu   sync.Mutex
	hits *doc.Hits
	// full is set when the page has all its files; late when the time to count on is
	// over too: what comes after last is left out then. over is set at the end.
	full bool
	over bool
	late atomic.Bool
	last string

	workers []*hunter
	skips   doc.Skips
	// searched counts the files that were searched.
	searched int
}

// hunter is what one worker keeps for itself.
type hunter struct {
	searcher *searcher
	skips    doc.Skips
	searched int
}

// hunt searches every place of the query.
func (d *Docs) hunt(ctx context.Context, q query) (*hunt, error) {
	h := &hunt{d: d, q: q, ctx: ctx, named: map[string]root{}}
	dirs, err := h.open()
	if err != nil {
		return nil, err
	}
	h.scope = doc.ScopeOf(len(q.roots), len(dirs) > 0, q.skip, q.limit)
	h.hits = h.scope.Hits()
	if !h.scope.Several {
		return h, nil // the page is the file itself
	}
	for range tree.NumWorkers() {
		h.workers = append(h.workers, &hunter{searcher: newSearcher(ctx, q)})
	}
	for real, r := range h.named {
		h.file(h.workers[0], real, doc.FileFacts{Named: true}, func() (int, error) { return openFile(real) }, r.lines)
	}
	for _, r := range dirs {
		if err := h.walk(r); err != nil {
			return nil, err
		}
	}
	h.mu.Lock()
	h.over = true
	h.mu.Unlock()
	for _, w := range h.workers {
		h.searched += w.searched
		h.skips.Merge(w.skips)
	}
	return h, nil
}

// open tells the files from the directories among the places, and refuses what is
// neither before anything is searched.
func (h *hunt) open() (dirs []root, err error) {
	for _, r := range h.q.roots {
		f, _, err := openRegular(r.real)
		if err == nil {
			f.Close()
			h.named[r.real] = r
			continue
		}
		var kind notRegular
		if errors.As(err, &kind) && kind == "a directory" {
			dirs = append(dirs, r)
			continue
		}
		return nil, h.d.rootFault(r.real, err)
	}
	return dirs, nil
}

// walk searches the files below a directory.
func (h *hunt) walk(r root) error {
	f, err := openDir(r.real)
	if err != nil {
		return h.d.rootFault(r.real, err)
	}
	defer f.Close()
	base := strings.TrimSuffix(r.real, "/") + "/"
	open, secret := r.effects.Has(call.Secret), h.d.secrecy() // open: a secret was asked for and allowed
	rules, prefix := h.d.rules(r.real)
	result := tree.Walk(h.ctx, tree.Options{
		Root: int(f.Fd()), Rules: rules, Prefix: prefix, Ignoring: !h.q.ignored, Workers: len(h.workers),
		Enter: func(path string) bool { return !h.late.Load() || base+path <= h.last },
		Visit: func(worker int, e *tree.Entry) bool {
			if _, ok := h.named[base+e.Path()]; ok {
				return true // searched under its own name
			}
			facts := doc.FileFacts{Excluded: !h.q.filter.takes(e.Path())}
			if !facts.Excluded {
				facts.Secret = !open && secret.of(base, e.Path())
				facts.Late = h.late.Load() && base+e.Path() > h.last
			}
			h.file(h.workers[worker], base+e.Path(), facts, func() (int, error) { return e.Open(unix.O_RDONLY) }, nil)
			return h.ctx.Err() == nil
		},
	})
	for range result.Pruned {
		h.skips.Tally(doc.AfterPage)
	}
	h.skips.Merge(result.Skips)
	return nil
}

// file searches one file and counts it in its class.
func (h *hunt) file(w *hunter, real string, facts doc.FileFacts, open func() (int, error), lines []doc.Span) {
	if fate, _ := facts.Fate(); fate == doc.Unmatched {
		w.searcher.probe(open, lines, &facts)
	}
	if h.ctx.Err() != nil {
		return // what was searched in part says nothing
	}
	fate, skip := facts.Fate()
	switch {
	case fate == doc.Unmatched || fate == doc.Matched:
	case skip.Named():
		w.skips.Add(skip, h.d.rel(real))
	default:
		w.skips.Tally(skip)
	}
	if fate == doc.Passed {
		return
	}
	w.searched++
	if facts.Match {
		h.hit(real)
	}
}

// hit takes a file with a match. When the page is full the search goes on for a
// moment, only to count; files that come before the last one still take its place.
func (h *hunt) hit(real string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.hits.Add(strings.Clone(real))
	if h.full || !h.hits.Full() {
		return
	}
	h.full = true
	time.AfterFunc(countOn, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		if !h.over {
			h.last = h.hits.Last()
			h.late.Store(true)
		}
	})
}

// secrecy finds the files below a place that only their own names tell to be secret. The
// search was judged by its places: such a file is not opened, so that a search does not
// tell what a secret holds.
type secrecy struct {
	d     *Docs
	names []string
	fold  bool
	known bool
}

// policed is a judge that tells its policy.
type policed interface{ Policy() pathpolicy.Policy }

func (d *Docs) secrecy() (s secrecy) {
	s.d = d
	if j, ok := d.judge.(policed); ok {
		p := j.Policy()
		s.known, s.fold = true, p.Fold
		for _, rule := range p.SecretNames {
			s.names = append(s.names, rule.Name)
		}
	}
	return s
}

// of asks the judge about a file, but only when a name in its path makes it suspect:
// most are not, and the question asks the system.
func (s *secrecy) of(base, path string) bool {
	if s.known && !s.suspect(path) {
		return false
	}
	_, effects := s.d.judge.Access(s.d.root, base+path, pathpolicy.Reading)
	return effects.Has(call.Secret)
}

func (s *secrecy) suspect(path string) bool {
	if s.fold {
		path = strings.ToLower(path)
	}
	for _, name := range s.names {
		if strings.Contains(path, name) {
			return true
		}
	}
	return false
}

// openFile opens a file by its real path.
func openFile(real string) (int, error) {
	return openNoLinks(real, unix.O_RDONLY|unix.O_CLOEXEC|unix.O_NOFOLLOW|unix.O_NONBLOCK)
}
