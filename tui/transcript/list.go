package transcript

// The bounds of a whole transcript.
const (
	maxKept  = 12 << 20 // bytes of items; then the oldest are thinned, and let go when most are
	maxDrawn = 4 << 20  // bytes of laid out lines; then those that are not near go
	maxItems = 50_000   // items; then the oldest are let go
	thinTo   = 400      // bytes that a thinned text keeps
	thinPart = 8        // how many of ten items are thinned at most
)

// list is the items, and what they cost.
type list struct {
	items []*item
	live  []*item // what still arrives, below all others
	kept  int     // bytes that the items keep
	made  int     // how many items there ever were
	thin  int     // the items before this one are thinned
	lost  int     // items that were let go
	seen  int     // how many of them had come when the view left the end
	drawn cache

	budget, most int // maxKept, maxItems
}

// at is the i-th row: an item, or what still arrives.
func (l *list) at(i int) *item {
	if i < len(l.items) {
		return l.items[i]
	}
	return l.live[i-len(l.items)]
}

func (l *list) len() int { return len(l.items) + len(l.live) }

// index is where an item stands, -1 for nowhere. The items that a person looks for are
// near the end or near the view: it looks from the end.
func (l *list) index(it *item) int {
	for i := l.len() - 1; i >= 0; i-- {
		if l.at(i) == it {
			return i
		}
	}
	return -1
}

// append puts an item at the end, above what still arrives.
func (t *Transcript) append(it *item) {
	it.open = it.open || t.open && it.kind != banner
	if t.view.at.item >= len(t.list.items) && len(t.list.live) > 0 && !t.view.follow {
		t.view.at.item++ // the place is in what still arrives, which moves down
	}
	t.list.items = append(t.list.items, it)
	t.list.made++
	t.list.kept += it.kept()
	t.find.dirty = true
}

// weigh does what an item that changes asks for: its bytes are counted again.
func (t *Transcript) weigh(it *item, change func()) {
	t.list.kept -= it.kept()
	change()
	t.list.kept += it.kept()
	t.stale(it)
}

// stale makes an item be laid out again, and the group that shows it.
func (t *Transcript) stale(it *item) {
	t.list.drawn.drop(it)
	if it.group != nil {
		t.list.drawn.drop(it.group)
	}
	t.find.dirty = true
}

// bound holds the transcript to its bounds: a session of days must not grow without end.
// The log keeps everything.
func (t *Transcript) bound() {
	l := &t.list
	for l.kept > l.budget && l.thin < len(l.items)*thinPart/10 {
		it := l.items[l.thin]
		before := it.kept()
		it.shrink()
		l.kept -= before - it.kept()
		l.drawn.drop(it)
		l.thin++
	}
	switch {
	case len(l.items) > l.most:
		t.letGo(len(l.items) - l.most*9/10)
	case l.kept > l.budget && len(l.items) > 20:
		t.letGo(len(l.items) / 10)
	}
}

// letGo drops the n oldest items and puts a row in their place that counts them.
func (t *Transcript) letGo(n int) {
	l := &t.list
	for _, it := range l.items[:n] {
		l.kept -= it.kept()
		l.drawn.drop(it)
		t.book.forget(it)
		if t.chosen == it || t.chosen != nil && t.chosen.group == it {
			t.chosen = nil
		}
		if it.kind != missing {
			l.lost++
		}
	}
	row := &item{kind: missing, count: l.lost}
	l.kept += row.kept()
	l.items = append([]*item{row}, l.items[n:]...)
	l.thin = max(0, l.thin-n+1)
	if t.view.at.item -= n - 1; t.view.at.item < 0 {
		t.view.at = place{}
	}
	t.find.dirty = true
}

// shrink leaves of an item what one row needs, and a beginning of the rest.
func (it *item) shrink() {
	it.body = it.body.shrink()
	if it.tool != nil {
		it.tool.shrink()
	}
	for _, s := range it.subs {
		s.shrink()
	}
}

func (c clipped) shrink() clipped {
	if c.size() <= thinTo {
		return c
	}
	s := clip(c.head+c.tail, thinTo)
	if c.bytes > 0 {
		s.lines, s.bytes = s.lines+c.lines, s.bytes+c.bytes
	}
	return s
}
