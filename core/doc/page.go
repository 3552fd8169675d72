package doc

import "container/heap"

// Page is a window of a list: what a skip and a size name of it (S8.9).
type Page struct{ Skip, Size int }

// Of cuts the window from a list of n items: the items from..to are on the page, and
// left is how many follow it. A skip past the end gives an empty page.
func (p Page) Of(n int) (from, to, left int) {
	from = min(p.Skip, n)
	to = min(n, from+p.Size)
	return from, to, n - to
}

// Next is the skip of the page after this one.
func (p Page) Next() int { return p.Skip + p.Size }

// Ranking keeps the best items of a stream for one page, in bounded memory: whatever
// the stream's order, the page is that of the whole list sorted (law
// glob_events_any_order).
type Ranking[T any] struct {
	page Page
	heap worstFirst[T]
	seen int
}

// NewRanking starts a ranking for a page; before reports whether a comes before b and
// must be a total order.
func NewRanking[T any](p Page, before func(a, b T) bool) *Ranking[T] {
	return &Ranking[T]{page: p, heap: worstFirst[T]{before: before}}
}

// Add takes one item of the stream.
func (r *Ranking[T]) Add(item T) {
	r.seen++
	heap.Push(&r.heap, item)
	if len(r.heap.items) > r.page.Next() {
		heap.Pop(&r.heap)
	}
}

// Seen is how many items were added.
func (r *Ranking[T]) Seen() int { return r.seen }

// Page is the items of the page in order, and how many items follow it. The ranking
// is empty afterwards.
func (r *Ranking[T]) Page() (items []T, left int) {
	best := make([]T, len(r.heap.items))
	for i := len(best) - 1; i >= 0; i-- {
		best[i] = heap.Pop(&r.heap).(T)
	}
	from, to, left := r.page.Of(r.seen)
	return best[from:to], left
}

// worstFirst is a heap whose top is the item to forget next.
type worstFirst[T any] struct {
	items  []T
	before func(a, b T) bool
}

func (h worstFirst[T]) Len() int           { return len(h.items) }
func (h worstFirst[T]) Less(i, j int) bool { return h.before(h.items[j], h.items[i]) }
func (h worstFirst[T]) Swap(i, j int)      { h.items[i], h.items[j] = h.items[j], h.items[i] }
func (h *worstFirst[T]) Push(x any)        { h.items = append(h.items, x.(T)) }
func (h *worstFirst[T]) Pop() any {
	last := h.items[len(h.items)-1]
	h.items = h.items[:len(h.items)-1]
	return last
}
