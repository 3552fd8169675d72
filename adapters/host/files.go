package host

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// The bounds of a search for a path.
const (
	// maxNames is how many paths are looked at; a larger workspace shows those met first.
	maxNames = 200_000
	// namesWithin bounds one walk, namesFresh is how long its result is used: a person types
	// one letter after the other.
	namesWithin = 2 * time.Second
	namesFresh  = 3 * time.Second
	maxQuery    = 200
)

// names are the paths of the workspace, kept while a person types.
type names struct {
	mu    sync.Mutex
	at    time.Time
	paths []string
}

// Files are the paths of the workspace that a person may mean by a few letters, best first,
// at most max of them; what ignore rules leave out is not among them. The end of ctx ends
// the search with nothing.
func (h *Host) Files(ctx context.Context, query string, max int) []string {
	return best(h.paths(ctx), query, max)
}

func (h *Host) paths(ctx context.Context) []string {
	n := &h.names
	n.mu.Lock()
	defer n.mu.Unlock()
	if time.Since(n.at) < namesFresh {
		return n.paths
	}
	limited, stop := context.WithTimeout(ctx, namesWithin)
	defer stop()
	var paths []string
	_, err := h.held.Docs.Names(limited, func(path string) bool {
		paths = append(paths, path)
		return len(paths) < maxNames
	})
	if err != nil || ctx.Err() != nil {
		return nil
	}
	slices.Sort(paths)
	n.paths, n.at = paths, time.Now()
	return paths
}

// best ranks paths by how well they fit a query, the better first, then the shorter.
func best(paths []string, query string, most int) []string {
	type hit struct {
		path  string
		score int
	}
	q := strings.ToLower(query[:min(len(query), maxQuery)])
	var hits []hit
	for _, p := range paths {
		if s, ok := score(p, q); ok {
			hits = append(hits, hit{p, s})
		}
	}
	slices.SortStableFunc(hits, func(a, b hit) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(len(a.path), len(b.path)), cmp.Compare(a.path, b.path))
	})
	out := make([]string, 0, min(len(hits), max(most, 0)))
	for _, h := range hits[:cap(out)] {
		out = append(out, h.path)
	}
	return out
}

// score says how well a path fits: the name itself, its beginning, a part of it, a part of
// the path, or its letters in order with as few gaps as may be. ok is false when the letters
// are not all there.
func score(path, q string) (n int, ok bool) {
	low := strings.ToLower(path)
	name := low[strings.LastIndexByte(strings.TrimSuffix(low, "/"), '/')+1:]
	switch {
	case q == "":
		return -strings.Count(strings.TrimSuffix(path, "/"), "/"), true // what lies near comes first
	case strings.TrimSuffix(name, "/") == q, low == q:
		return 1000, true
	case strings.HasPrefix(name, q):
		return 900, true
	case strings.HasPrefix(low, q):
		return 850, true
	case strings.Contains(name, q):
		return 800, true
	case strings.Contains(low, q):
		return 700, true
	}
	return gaps(low, q)
}

// gaps scores letters that stand in order but apart; one that begins a word counts more.
func gaps(low, q string) (n int, ok bool) {
	n, at := 500, 0
	for _, r := range q {
		i := strings.IndexRune(low[at:], r)
		if i < 0 {
			return 0, false
		}
		at += i
		begins := at == 0 || strings.IndexByte("/_-. ", low[at-1]) >= 0
		if n -= min(i, 20); begins {
			n += 10
		}
		at += max(utf8.RuneLen(r), 1) // what is no UTF-8 is one byte
	}
	return n, true
}
