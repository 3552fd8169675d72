package scan

import (
	"bytes"
	"encoding/binary"
)

// finder looks for the texts of a set.
type finder interface {
	// from is a place at or after at where a text stands, -1 when there is none. Of
	// texts in different lines it gives one in the first.
	from(b []byte, at int) int
}

// finderOf picks the way that is fastest for the set, which has no empty text.
func finderOf(s set) finder {
	switch {
	case s.least() == 1:
		return newBytesOf(s)
	case len(s.texts) == 1 && (!s.fold || !s.letters()):
		return newRare(s.texts[0])
	default:
		return newGrams(s)
	}
}

// rare looks for one text by its rarest byte.
type rare struct {
	text     []byte
	at       int
	c        byte
	next     byte // the byte to look at first where c stands
	nextAt   int
	frequent bool
}

func newRare(text string) *rare {
	r := &rare{text: []byte(text)}
	for i := range len(text) {
		if share[text[i]] < share[text[r.at]] {
			r.at = i
		}
	}
	r.nextAt = (r.at + 1) % len(text)
	for i := range len(text) {
		if i != r.at && share[text[i]] < share[text[r.nextAt]] {
			r.nextAt = i
		}
	}
	r.c, r.next = text[r.at], text[r.nextAt]
	r.frequent = share[r.c] > 0.02
	return r
}

func (r *rare) from(b []byte, at int) int {
	if r.frequent {
		i := bytes.Index(b[at:], r.text)
		if i < 0 {
			return -1
		}
		return at + i
	}
	last := len(b) - len(r.text) // where the text may begin at the latest
	for i := at + r.at; i <= last+r.at; i++ {
		k := bytes.IndexByte(b[i:last+r.at+1], r.c)
		if k < 0 {
			return -1
		}
		i += k
		start := i - r.at
		if b[start+r.nextAt] == r.next && bytes.Equal(b[start:start+len(r.text)], r.text) {
			return start
		}
	}
	return -1
}

// bytesOf looks for the first byte of each text of a set that has texts of one byte.
type bytesOf struct {
	set   set
	first [256]bool
}

func newBytesOf(s set) finder {
	if len(s.texts) == 1 && !s.letters() {
		return newRare(s.texts[0])
	}
	f := &bytesOf{set: s}
	for _, t := range s.texts {
		f.first[t[0]] = true
		if s.fold {
			f.first[upper(t[0])] = true
		}
	}
	return f
}

func (f *bytesOf) from(b []byte, at int) int {
	for i := skipTo(&f.first, b, at); i < len(b); i = skipTo(&f.first, b, i+1) {
		for _, t := range f.set.texts {
			if f.set.at(b, i, t) {
				return i
			}
		}
	}
	return -1
}

// skipTo is the first place at or after i whose byte is in the table, or the length.
func skipTo(in *[256]bool, b []byte, i int) int {
	for ; i+4 <= len(b); i += 4 {
		if in[b[i]] || in[b[i+1]] || in[b[i+2]] || in[b[i+3]] {
			break
		}
	}
	for i < len(b) && !in[b[i]] {
		i++
	}
	return i
}

// at reports whether the text stands at i.
func (s set) at(b []byte, i int, t string) bool {
	if i < 0 || i+len(t) > len(b) {
		return false
	}
	if !s.fold {
		return string(b[i:i+len(t)]) == t
	}
	for k, c := range b[i : i+len(t)] {
		if c != t[k] && lower(c) != t[k] {
			return false
		}
	}
	return true
}

// grams looks for many texts at once, or for one in either case. It looks at a few
// bytes at every stride-th place only: the stride is such that each text covers one of
// these places wherever it stands, and a table tells whether the bytes there are a part
// of any text.
type grams struct {
	set          set
	size, stride int
	// mask keeps size bytes of four, fold takes upper case letters for lower ones, and
	// some other bytes for one another, which the comparison tells apart.
	mask, fold uint32
	table      [1 << gramBits]uint8
	// spots are the places of the texts whose bytes have the same mark in the table.
	spots [][]spot
}

type spot struct {
	text string
	off  int
}

const (
	gramBits  = 12
	gramPrime = 0x9E3779B1
	maxStride = 16
)

func newGrams(s set) *grams {
	g := &grams{set: s, size: 4, spots: [][]spot{nil}}
	switch n := s.least(); {
	case n < 4:
		g.size = 2
	case n < 6:
		g.size = 3
	}
	g.stride = min(s.least()-g.size+1, maxStride)
	g.mask = ^uint32(0) >> (8 * (4 - g.size))
	if s.fold {
		g.fold = 0x20202020 & g.mask
	}
	for _, t := range s.texts {
		for off := range g.stride {
			g.add(spot{t, off}, g.hash(load(t, off)))
		}
	}
	return g
}

// add gives a spot to its place in the table. When the marks are used up the last one
// stands for several places.
func (g *grams) add(s spot, h uint32) {
	if g.table[h] == 0 {
		if len(g.spots) < 256 {
			g.spots = append(g.spots, nil)
		}
		g.table[h] = uint8(len(g.spots) - 1)
	}
	mark := g.table[h]
	g.spots[mark] = append(g.spots[mark], s)
}

func (g *grams) hash(x uint32) uint32 {
	return (x&g.mask | g.fold) * gramPrime >> (32 - gramBits)
}

// load is the bytes from i on, as many as there are up to four.
func load[T string | []byte](b T, i int) (x uint32) {
	for k := min(len(b)-i, 4) - 1; k >= 0; k-- {
		x = x<<8 | uint32(b[i+k])
	}
	return x
}

func (g *grams) from(b []byte, at int) int {
	i, mask, fold, stride := at, g.mask, g.fold, g.stride
	for ; i+4 <= len(b); i += stride {
		x := binary.LittleEndian.Uint32(b[i:])
		mark := g.table[(x&mask|fold)*gramPrime>>(32-gramBits)]
		if mark == 0 {
			continue
		}
		if start := g.around(b, at, i, mark); start >= 0 {
			return start
		}
	}
	for ; i+g.size <= len(b); i += stride {
		if start := g.around(b, at, i, g.table[g.hash(load(b, i))]); start >= 0 {
			return start
		}
	}
	return -1
}

// around compares the texts whose part may stand at i.
func (g *grams) around(b []byte, at, i int, mark uint8) int {
	for _, s := range g.spots[mark] {
		if start := i - s.off; start >= at && g.set.at(b, start, s.text) {
			return start
		}
	}
	return -1
}
