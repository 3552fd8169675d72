package doc

import "container/heap"

// GlobPaths is the most paths one glob shows (S8.9).
const GlobPaths = 200

// GlobPage is the page of a glob: as many paths as the limit says, at most GlobPaths;
// without a limit (0 or less) as many as that.
func GlobPage(limit, skip int) Page {
	if limit <= 0 || limit > GlobPaths {
		limit = GlobPaths
	}
	return Page{Skip: skip, Size: limit}
}

// Found is a path that matched.
type Found struct {
	// Path is the path, Time when it was changed last, in nanoseconds.
	Path string
	Time int64
	// Dir is true for a directory.
	Dir bool
}

// before is the order of a glob: the newest first, then by path.
func (f Found) before(o Found) bool {
	if f.Time != o.Time {
		return f.Time > o.Time
	}
	return f.Path < o.Path
}

// Newest ranks the paths of a walk for one page, in memory bounded by the page: the
// newest first, then by path, each path once at its newest time, whatever the order in
// which the walk tells them (laws glob_walk_page, glob_events_any_order).
type Newest struct {
	page Page
	kept oldestFirst
}

// NewNewest starts the ranking of a page.
func NewNewest(p Page) *Newest {
	return &Newest{page: p, kept: oldestFirst{at: map[string]int{}}}
}

// room is how many paths are kept: those up to the page's end, and one that tells
// whether another page follows.
func (n *Newest) room() int { return n.page.Next() + 1 }

// Asks reports whether a path that was changed at this time can still be on the page:
// only then its path need be spelled and added (law glob_asks_every_page_path).
func (n *Newest) Asks(time int64) bool {
	return len(n.kept.items) < n.room() || time >= n.kept.items[0].Time
}

// Add takes one path of the walk. One that was told before keeps its newest time.
func (n *Newest) Add(f Found) {
	if i, again := n.kept.at[f.Path]; again {
		if f.Time > n.kept.items[i].Time {
			n.kept.items[i] = f
			heap.Fix(&n.kept, i)
		}
		return
	}
	heap.Push(&n.kept, f)
	if len(n.kept.items) > n.room() {
		heap.Pop(&n.kept)
	}
}

// Listing is one page of a glob.
type Listing struct {
	// Paths are those of the page, in order.
	Paths []Found
	// Next is the skip of the page that follows; 0 when none does.
	Next int
	// Past is how many paths there are when the skip is past all of them; 0 when it is
	// not, or when there is none.
	Past int
}

// Page is what was found. The ranking is empty afterwards.
func (n *Newest) Page() Listing {
	best := make([]Found, len(n.kept.items))
	for i := len(best) - 1; i >= 0; i-- {
		best[i] = heap.Pop(&n.kept).(Found)
	}
	var l Listing
	from, to, left := n.page.Of(len(best))
	l.Paths = best[from:to]
	if left > 0 {
		l.Next = n.page.Next()
	}
	if from == to {
		l.Past = len(best)
	}
	return l
}

// oldestFirst is a heap whose top is the path to forget next, and where each path is.
type oldestFirst struct {
	items []Found
	at    map[string]int
}

func (h oldestFirst) Len() int           { return len(h.items) }
func (h oldestFirst) Less(i, j int) bool { return h.items[j].before(h.items[i]) }

func (h oldestFirst) Swap(i, j int) {
	h.items[i], h.items[j] = h.items[j], h.items[i]
	h.at[h.items[i].Path], h.at[h.items[j].Path] = i, j
}

func (h *oldestFirst) Push(x any) {
	f := x.(Found)
	h.at[f.Path] = len(h.items)
	h.items = append(h.items, f)
}

func (h *oldestFirst) Pop() any {
	last := h.items[len(h.items)-1]
	delete(h.at, last.Path)
	h.items = h.items[:len(h.items)-1]
	return last
}
