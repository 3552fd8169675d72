package engine

import "hash/maphash"

// index finds a state's position among the states seen. It keeps positions and a
// part of each hash and no states: beside the list of states a map would hold every
// state twice, and move them all each time it grows.
type index[S comparable] struct {
	seed  maphash.Seed
	slots []slot // a power of two, at most half full
	used  int
}

// slot is empty when at is 0, else the position is at-1.
type slot struct{ hash, at uint32 }

func newIndex[S comparable]() *index[S] {
	return &index[S]{seed: maphash.MakeSeed(), slots: make([]slot, 1<<10)}
}

// add reports whether s is new among states, the list of those added before; if so
// it is added with the position of the list's end.
func (x *index[S]) add(s S, states []S) bool {
	h := uint32(maphash.Comparable(x.seed, s))
	i := x.at(h)
	for ; x.slots[i].at != 0; i = (i + 1) & (len(x.slots) - 1) {
		if x.slots[i].hash == h && states[x.slots[i].at-1] == s {
			return false
		}
	}
	x.slots[i] = slot{h, uint32(len(states)) + 1}
	if x.used++; x.used > len(x.slots)/2 {
		x.grow()
	}
	return true
}

func (x *index[S]) at(hash uint32) int { return int(hash) & (len(x.slots) - 1) }

func (x *index[S]) grow() {
	old := x.slots
	x.slots = make([]slot, 2*len(old))
	for _, s := range old {
		if s.at == 0 {
			continue
		}
		i := x.at(s.hash)
		for x.slots[i].at != 0 {
			i = (i + 1) & (len(x.slots) - 1)
		}
		x.slots[i] = s
	}
}
