package event

import "bytes"

// MaxCommit is the most bytes that one commit may add to a log: what one crash can
// leave half written. Everything further from the end was acknowledged before.
const MaxCommit = 4 << 20

// Flaw is what is wrong with a line at its place in a log.
type Flaw uint8

// The flaws, in the order they are looked for.
const (
	Sound   Flaw = iota // nothing
	Unended             // the line has no newline: half a record
	Shape               // the members are not where a record has them
	Gap                 // the sequence number is not the next one
	Link                // prev is not the sum of the record before
	Altered             // the bytes are not the ones that the sum was taken over
)

var flawTexts = [...]string{
	"it is sound",
	"the line has no end",
	"it does not have the form of a record",
	"its sequence number is not the next one",
	"it does not name the sum of the record before it",
	"its bytes are not the ones that its sum was taken over",
}

// String says the flaw in words, after "record 7: ".
func (f Flaw) String() string { return flawTexts[f] }

// Chain is how far a log was followed: the number and the sum of its last sound
// record.
type Chain struct {
	Seq uint64
	Sum Sum
}

// Begin is the chain of an empty log.
func Begin() Chain { return Chain{Sum: NoSum} }

// Follow looks at the next line, newline included, and moves the chain past it when
// it is sound. Without full the sum is taken at its word: a scan of heads sees every
// gap and every cut, not a changed body (law log_chain_detects needs full).
func (c *Chain) Follow(line []byte, full bool) (Head, Flaw) {
	if len(line) == 0 || line[len(line)-1] != '\n' {
		return Head{}, Unended
	}
	h, ok := Cut(line[:len(line)-1])
	switch {
	case !ok:
		return h, Shape
	case h.Seq != c.Seq+1:
		return h, Gap
	case string(h.Prev) != string(c.Sum[:]):
		return h, Link
	case full && !h.Vouched():
		return h, Altered
	}
	c.Seq = h.Seq
	copy(c.Sum[:], h.Sums)
	return h, Sound
}

// Tail is what follows the last sound record of a log.
type Tail uint8

// The tails.
const (
	Whole  Tail = iota // nothing follows
	Torn               // what a crash leaves of a commit that nobody was told of
	Broken             // no crash leaves this: somebody or something changed the log
)

var tailNames = [...]string{"whole", "torn", "broken"}

// String names the tail.
func (t Tail) String() string { return tailNames[t] }

// Stands reports whether a line is a record with its own sum, wherever it stands.
func Stands(line []byte) bool {
	if len(line) == 0 || line[len(line)-1] != '\n' {
		return false
	}
	h, ok := Cut(line[:len(line)-1])
	return ok && h.Vouched()
}

// Judge says what a log's end is, from the first bad line, its offset in the file,
// the bytes from there to the end of the file, and whether any later line Stands.
//
// A crash stops a write in the middle, so nothing good follows: torn. A power loss
// may also lose one block of the last commit and keep a later one; a lost block
// reads as zeros to its very edges, which no edit looks like, and it is within the
// last commit. Everything else is broken, and cutting it off would lose records
// that were acknowledged (law log_chain_detects).
func Judge(bad []byte, offset, behind int64, stands bool) Tail {
	switch {
	case behind == 0:
		return Whole
	case !stands:
		return Torn
	case behind <= MaxCommit && lostBlock(bad, offset):
		return Torn
	}
	return Broken
}

// block is the smallest unit that a disk loses or keeps.
const block = 512

// lostBlock reports whether a run of zeros in a line reaches from the line's start
// or a block's edge to a block's edge. JSON text holds no zero byte.
func lostBlock(line []byte, offset int64) bool {
	from := bytes.IndexByte(line, 0)
	if from < 0 {
		return false
	}
	to := from
	for to < len(line) && line[to] == 0 {
		to++
	}
	edge := func(i int) bool { return (offset+int64(i))%block == 0 }
	return (from == 0 || edge(from)) && edge(to)
}
