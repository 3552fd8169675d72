package transcript

// drawn is an item as it was laid out last.
type drawn struct {
	lines []string
	subAt []int // of a group that is open: where each of its calls begins
	era   int   // the cache's at that time; another means another width or look
	size  int
	frame int  // when it was seen last
	near  bool // it is in the cache's list
}

// cache counts what is laid out. An item that is finished is laid out once for a width
// and a look, and not again while it is near.
type cache struct {
	era     int
	frame   int
	size    int
	near    []*item // those that have lines
	evicted int
	budget  int
}

// forget makes every item be laid out again when it is seen.
func (c *cache) forget() {
	for _, it := range c.near {
		it.lines, it.subAt, it.size, it.near = nil, nil, 0, false
	}
	clear(c.near)
	c.near, c.size = c.near[:0], 0
	c.era++
}

// drop makes one item be laid out again.
func (c *cache) drop(it *item) {
	c.size -= it.size
	it.lines, it.subAt, it.size = nil, nil, 0
}

// put keeps the lines of an item.
func (c *cache) put(it *item, lines []string) {
	if !it.near {
		c.near, it.near = append(c.near, it), true
	}
	size := 0
	for _, l := range lines {
		size += 16 + len(l)
	}
	c.size += size - it.size
	it.lines, it.size, it.era, it.frame = lines, size, c.era, c.frame
}

// evict lets go of the lines of all that was not seen of late, when there are too many.
func (c *cache) evict() {
	if c.size <= c.budget && len(c.near) < 4096 {
		return
	}
	kept := c.near[:0]
	for _, it := range c.near {
		switch {
		case it.lines == nil:
			it.near = false
		case it.frame < c.frame-1:
			c.drop(it)
			it.near = false
			c.evicted++
		default:
			kept = append(kept, it)
		}
	}
	clear(c.near[len(kept):])
	c.near = kept
}
