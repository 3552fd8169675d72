package tree

import (
	"container/heap"

	"golang.org/x/sys/unix"

	"tenet/core/doc/ignore"
)

// node is a directory on its way through a walk.
type node struct {
	// path is the directory's below the root, "" or with a slash at its end.
	path  string
	depth int
	// rules hold for what the directory holds.
	rules ignore.Rules

	// What follows belongs to the queue's lock.

	// fd is the open directory, -1 when it was given up; id tells then which it was.
	fd int
	id identity
	// uses keep fd open: each part of a reading, waiting children, an opening of one.
	uses int
	// parts are the readings going on, of records that several workers look through.
	parts int
	// children are the directories found; those from next on wait, and key is the
	// path of the first of them.
	children names
	next     int
	key      string
}

// identity tells a directory from another one that took its path.
type identity struct{ dev, ino uint64 }

func identify(fd int) (identity, error) {
	var st unix.Stat_t
	err := unix.Fstat(fd, &st)
	return identity{uint64(st.Dev), st.Ino}, err
}

// point sets the key to the first child that waits.
func (n *node) point() { n.key = n.path + string(n.children.name(n.next)) + "/" }

// byKey is a heap of the directories with children that wait.
type byKey []*node

var _ heap.Interface = (*byKey)(nil)

func (h byKey) Len() int           { return len(h) }
func (h byKey) Less(i, j int) bool { return h[i].key < h[j].key }
func (h byKey) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *byKey) Push(x any)        { *h = append(*h, x.(*node)) }
func (h *byKey) Pop() any {
	last := (*h)[len(*h)-1]
	(*h)[len(*h)-1] = nil
	*h = (*h)[:len(*h)-1]
	return last
}
