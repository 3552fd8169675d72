package crash

import (
	"bytes"
	"maps"
	"slices"
)

// Survivor is a disk as the next start may find it. After a Kill it is what was
// visible. After a PowerLoss any subset of the unsynced changes of names holds, in
// their order; and of each file's unsynced content any number of changes in their
// order, the last in half, or only its length, with zeros for bytes.
func (m *Mem) Survivor(src Choose, loss Loss) *Mem {
	m.mu.Lock()
	defer m.mu.Unlock()
	if loss == Kill {
		return settled(m.dir, func(i *inode) []byte { return i.data })
	}
	dir := maps.Clone(m.disk)
	for _, c := range m.pending {
		if src.Pick(2, "change of a name kept") == 1 {
			c.apply(dir)
		}
	}
	return settled(dir, func(i *inode) []byte {
		contents := i.survivors()
		return contents[src.Pick(len(contents), "unsynced content")]
	})
}

// settled is a directory in which all that is there is durable. Two names of one
// file stay two names of one file.
func settled(dir map[string]*inode, content func(*inode) []byte) *Mem {
	n, seen := NewMem(), map[*inode]*inode{}
	for _, name := range slices.Sorted(maps.Keys(dir)) {
		old := dir[name]
		if seen[old] == nil {
			c := content(old)
			seen[old] = &inode{data: slices.Clone(c), disk: slices.Clone(c)}
		}
		n.dir[name], n.disk[name] = seen[old], seen[old]
	}
	return n
}

// survivors lists the contents that a power loss may leave of a file, each once.
func (i *inode) survivors() [][]byte {
	out := [][]byte{i.disk}
	add := func(c []byte) {
		if !slices.ContainsFunc(out, func(o []byte) bool { return bytes.Equal(o, c) }) {
			out = append(out, c)
		}
	}
	at := i.disk
	for _, c := range i.pending {
		if half := len(c.bytes) / 2; half > 0 {
			add(change{c.at, c.bytes[:half]}.apply(at))
		}
		if c.bytes != nil {
			add(change{c.at, make([]byte, len(c.bytes))}.apply(at))
		}
		at = c.apply(at)
		add(at)
	}
	return out
}

// Clone is a copy of a directory at rest: what is visible, all of it durable.
func (m *Mem) Clone() *Mem { return m.Survivor(nil, Kill) }
