package store

import (
	"encoding/binary"
	"errors"
	"os"
	"strings"
	"sync"

	"github.com/cespare/xxhash/v2"

	"tenet/core/event"
)

// A checkpoint is a file beside a log that holds what the log's first records fold to.
// It is a row of segments, each at a place of the log further on than the one before,
// and each with a hash of its own: what a crash leaves of the last one is not read.
//
//	magic, hash of all that follows, build, length of the snapshot,
//	seq, begin, end, sum: the last record it covers, and where its line stands
//	from: how many messages of the segments before it keeps; the snapshot has the others
//	messages: how many there are with them
type segment struct {
	at             mark
	from, messages uint64
	snapshot       string
}

const (
	magic = "tenet state 1\n\x00\x00"
	// headed is the length of a segment before its snapshot, hashed where the hashed part
	// of it begins.
	hashed = len(magic) + 8
	headed = hashed + 7*8 + len(event.Sum{})
)

// build tells programs apart: what records fold to is the word of one program, and
// another one, newer or older, folds them itself.
var build = sync.OnceValue(func() uint64 {
	path, err := os.Executable()
	if err != nil {
		return 0
	}
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return uint64(info.Size())<<32 ^ uint64(info.ModTime().UnixNano())
})

func (g segment) append(dst []byte, s event.State) []byte {
	start := len(dst)
	dst = append(dst, magic...)
	dst = append(dst, make([]byte, headed-len(magic))...)
	dst = s.Snapshot(dst, int(g.from))
	b := dst[start:]
	for i, n := range [...]uint64{build(), uint64(len(b) - headed), g.at.chain.Seq, uint64(g.at.begin), uint64(g.at.end), g.from, g.messages} {
		binary.LittleEndian.PutUint64(b[hashed+8*i:], n)
	}
	copy(b[headed-len(event.Sum{}):], g.at.chain.Sum[:])
	binary.LittleEndian.PutUint64(b[len(magic):], xxhash.Sum64(b[hashed:]))
	return dst
}

// number is the little-endian number at a place.
func number(s string, at int) (n uint64) {
	for i := range 8 {
		n |= uint64(s[at+i]) << (8 * i)
	}
	return n
}

// firstSegment cuts the first segment off; ok is false when there is none that is whole
// and of this program.
func firstSegment(s string) (g segment, rest string, ok bool) {
	if len(s) < headed || !strings.HasPrefix(s, magic) {
		return g, s, false
	}
	field := func(i int) uint64 { return number(s, hashed+8*i) }
	if size := field(1); size > uint64(len(s)-headed) {
		return g, s, false
	}
	whole := s[:headed+int(field(1))]
	if xxhash.Sum64String(whole[hashed:]) != number(s, len(magic)) || field(0) != build() {
		return g, s, false
	}
	g = segment{
		at:   mark{event.Chain{Seq: field(2), Sum: event.Sum([]byte(s[headed-len(event.Sum{}) : headed]))}, int64(field(3)), int64(field(4))},
		from: field(5), messages: field(6), snapshot: whole[headed:],
	}
	return g, s[len(whole):], true
}

// segments are those at the start of a checkpoint that are whole; rest is what follows.
func segments(s string) (out []segment, rest string) {
	for {
		g, more, ok := firstSegment(s)
		if !ok {
			return out, s
		}
		out, s = append(out, g), more
	}
}

// restore is the state at the last of some segments.
func restore(all []segment) (event.State, error) {
	last := all[len(all)-1]
	first := len(all) - 1
	for first > 0 && all[first].from > 0 {
		first--
	}
	messages := make([]event.Message, 0, room(all[first:]))
	for _, g := range all[first : len(all)-1] {
		if g.from != uint64(len(messages)) {
			return event.State{}, errSegments
		}
		var err error
		if messages, _, err = event.RestoreMessages(g.snapshot, messages); err != nil {
			return event.State{}, err
		}
	}
	if last.from != uint64(len(messages)) {
		return event.State{}, errSegments
	}
	return event.Restore(last.snapshot, messages)
}

// errSegments is a checkpoint whose segments do not follow each other.
var errSegments = errors.New("the segments of a checkpoint do not follow each other")

// room is how many messages the state may get before they are moved, bounded by what
// the segments can hold at all.
func room(all []segment) uint64 {
	bytes := uint64(0)
	for _, g := range all {
		bytes += uint64(len(g.snapshot))
	}
	n := all[len(all)-1].messages
	return min(n+n/8, bytes)
}
