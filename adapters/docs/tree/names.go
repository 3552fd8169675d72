package tree

import (
	"bytes"
	"slices"
)

// names are names of directories, packed. Past its limit a batch keeps the first ones
// in their order and is cut: then it holds every name it was given up to its bound.
type names struct {
	// text holds the names, each with a NUL; at is where each starts.
	text []byte
	at   []uint32
	// after leaves out every name up to it; empty leaves out none.
	after []byte
	limit int
	cut   bool
	bound []byte
}

func (n *names) size() int { return len(n.text) + 4*len(n.at) }

// reset empties the batch to collect anew, behind a name.
func (n *names) reset(limit int, after []byte) {
	*n = names{text: n.text[:0], at: n.at[:0], after: after, limit: limit}
}

func (n *names) add(name []byte) {
	if len(n.after) > 0 && order(name, n.after) <= 0 || n.cut && order(name, n.bound) > 0 {
		return
	}
	n.at = append(n.at, uint32(len(n.text)))
	n.text = append(append(n.text, name...), 0)
	for n.size() > n.limit && len(n.at) > 1 {
		n.halve()
	}
}

// halve forgets the later half of the names.
func (n *names) halve() {
	n.sort()
	kept := names{after: n.after, limit: n.limit, cut: true}
	for i := range len(n.at) / 2 {
		kept.at = append(kept.at, uint32(len(kept.text)))
		kept.text = append(append(kept.text, n.name(i)...), 0)
	}
	kept.bound = bytes.Clone(kept.name(len(kept.at) - 1))
	*n = kept
}

func (n *names) name(i int) []byte { return upto(n.text, n.at[i]) }

// upto is the name that starts at a place, up to its NUL.
func upto(text []byte, at uint32) []byte {
	b := text[at:]
	return b[:bytes.IndexByte(b, 0)]
}

// merge adds a batch of another part of the same reading.
func (n *names) merge(o *names) {
	for i := range o.at {
		n.add(o.name(i))
	}
	if o.cut && (!n.cut || order(o.bound, n.bound) < 0) {
		n.cut, n.bound = true, o.bound
	}
}

// settle ends the collecting: the names are sorted, and none is behind the bound.
func (n *names) settle() {
	n.sort()
	for n.cut && len(n.at) > 0 && order(n.name(len(n.at)-1), n.bound) > 0 {
		n.at = n.at[:len(n.at)-1]
	}
}

// sort puts the names in order, each once: a directory that changes while it is read
// may tell a name twice.
func (n *names) sort() {
	slices.SortFunc(n.at, func(a, b uint32) int { return order(upto(n.text, a), upto(n.text, b)) })
	n.at = slices.CompactFunc(n.at, func(a, b uint32) bool { return bytes.Equal(upto(n.text, a), upto(n.text, b)) })
}

// order compares the names of two directories as the paths below them compare: each
// with the slash that follows it.
func order(a, b []byte) int {
	n := min(len(a), len(b))
	if c := bytes.Compare(a[:n], b[:n]); c != 0 || len(a) == len(b) {
		return c
	}
	if len(a) == n {
		return int('/') - int(b[n])
	}
	return int(a[n]) - int('/')
}
