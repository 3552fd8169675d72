package log

import (
	"bytes"
	"iter"
	"slices"
	"strings"
	"sync"
	"time"

	"tenet/core/event"
)

// EditKind is a way to change the file of a log.
type EditKind uint8

// The kinds of edits: by a person, by a program, by a disk.
const (
	Leave      EditKind = iota // nothing
	Flip                       // other bits in the byte At
	Delete                     // without the byte At
	Insert                     // one more byte at At
	DropRecord                 // without record At
	SwapRecord                 // records At and Arg in each other's place
	CopyRecord                 // a copy of record At before record Arg
	Foreign                    // a record of another log instead of record At
	Reseal                     // another body in record At, with a sum that fits it
	Skip                       // a number left out before record At, every sum and link made to fit
	Truncate                   // only the first At bytes: a write that was cut short
	ZeroTail                   // zeros from byte At on: a length without its bytes
	LostBlocks                 // block At of the last commit is zeros, and Arg blocks after it
)

// Edit is one edited log.
type Edit struct {
	Kind EditKind
	At   int
	Arg  int
}

// Found is what a full check of a log says.
type Found struct {
	// Good counts the sound records, Tail is what follows them.
	Good uint64
	Tail event.Tail
}

// Lines gives the records of the log that is edited: one commit of two, then the
// last one of four, long enough that a lost block is inside of a record.
var Lines = sync.OnceValue(func() [][]byte { return lines("a", len(sizes)) })

// LastCommit is the index of the first record of the last commit.
const LastCommit = 2

// Block is what a disk loses or keeps as one.
const Block = 512

// sizes are the lengths of the records' texts.
var sizes = [...]int{150, 90, 700, 40, 900, 30}

// lines are a log of prompts that begin with a mark. From record skip on, one number
// is left out; len(sizes) leaves out none.
func lines(mark string, skip int) [][]byte {
	out := make([][]byte, len(sizes))
	sum := event.NoSum
	for i, size := range sizes {
		seq := uint64(i + 1)
		if i >= skip {
			seq++
		}
		body := event.Prompt{Text: mark + strings.Repeat("x", size)}
		out[i], sum = event.Encode(nil, sum, seq, time.Unix(int64(i), 0), body)
	}
	return out
}

// others gives the records of another session's log.
var others = sync.OnceValue(func() [][]byte { return lines("b", len(sizes)) })

// Bytes is the log after the edit.
func (e Edit) Bytes() []byte {
	whole := slices.Concat(Lines()...)
	switch e.Kind {
	case Leave:
		return whole
	case Flip:
		whole[e.At] ^= byte(e.Arg)
		return whole
	case Delete:
		return slices.Delete(whole, e.At, e.At+1)
	case Insert:
		return slices.Insert(whole, e.At, byte(e.Arg))
	case Truncate:
		return whole[:e.At]
	case ZeroTail:
		clear(whole[e.At:])
		return whole
	case LostBlocks:
		from := max(e.At*Block, len(slices.Concat(Lines()[:LastCommit]...)))
		clear(whole[from:min(len(whole), (e.At+e.Arg+1)*Block)])
		return whole
	case DropRecord, SwapRecord, CopyRecord, Foreign, Reseal, Skip:
		return slices.Concat(e.records()...)
	}
	return nil
}

func (e Edit) records() [][]byte {
	out := slices.Clone(Lines())
	switch e.Kind {
	case DropRecord:
		return slices.Delete(out, e.At, e.At+1)
	case SwapRecord:
		out[e.At], out[e.Arg] = out[e.Arg], out[e.At]
	case CopyRecord:
		return slices.Insert(out, e.Arg, Lines()[e.At])
	case Foreign:
		out[e.At] = others()[e.At]
	case Reseal:
		h, _ := event.Cut(bytes.TrimSuffix(Lines()[e.At], []byte("\n")))
		out[e.At], _ = event.Encode(nil, event.Sum(h.Prev), h.Seq, time.Unix(int64(e.At), 0), event.Prompt{Text: "forged"})
	case Skip:
		return lines("a", e.At)
	case Leave, Flip, Delete, Insert, Truncate, ZeroTail, LostBlocks:
	}
	return out
}

// Inspect checks a whole log with core's own rules: every line until one is bad,
// then what it and the lines behind it are.
func Inspect(log []byte) Found {
	c := event.Begin()
	rest := log
	for len(rest) > 0 {
		line := first(rest)
		if _, flaw := c.Follow(line, true); flaw != event.Sound {
			break
		}
		rest = rest[len(line):]
	}
	bad := first(rest)
	stands := false
	for later := rest; len(later) > 0; later = later[len(first(later)):] {
		stands = stands || event.Stands(first(later))
	}
	return Found{c.Seq, event.Judge(bad, int64(len(log)-len(rest)), int64(len(rest)), stands)}
}

// first is the first line of b with its newline, or all of b.
func first(b []byte) []byte {
	if i := bytes.IndexByte(b, '\n'); i >= 0 {
		return b[:i+1]
	}
	return b
}

// EditStep is the function as a machine of one state.
func EditStep(s struct{}, e Edit) (struct{}, Found) { return s, Inspect(e.Bytes()) }

// Edits lists every edit.
func Edits(struct{}) iter.Seq[Edit] {
	return func(yield func(Edit) bool) {
		size := len(slices.Concat(Lines()...))
		for _, part := range []iter.Seq[Edit]{byteEdits(size), recordEdits, diskEdits(size)} {
			for e := range part {
				if !yield(e) {
					return
				}
			}
		}
	}
}

func byteEdits(size int) iter.Seq[Edit] {
	kinds := []Edit{
		{Flip, 0, 1}, {Flip, 0, 2}, {Flip, 0, 0x20}, {Flip, 0, 0x80}, {Flip, 0, 0xff},
		{Insert, 0, '0'}, {Insert, 0, '\n'}, {Insert, 0, 0}, {Delete, 0, 0}, {Truncate, 0, 0},
	}
	return func(yield func(Edit) bool) {
		for at := range size {
			for _, e := range kinds {
				e.At = at
				if !yield(e) {
					return
				}
			}
		}
	}
}

// recordEdits are the edits of whole records, and none.
func recordEdits(yield func(Edit) bool) {
	all := []Edit{{Kind: Leave}}
	for i := range Lines() {
		all = append(all, Edit{Kind: DropRecord, At: i}, Edit{Kind: Foreign, At: i}, Edit{Kind: Reseal, At: i}, Edit{Kind: Skip, At: i})
		for j := range Lines() {
			if i != j {
				all = append(all, Edit{SwapRecord, i, j})
			}
			all = append(all, Edit{CopyRecord, i, j})
		}
	}
	slices.Values(all)(yield)
}

// diskEdits are the ways in which a power loss damages the last commit.
func diskEdits(size int) iter.Seq[Edit] {
	var all []Edit
	last := len(slices.Concat(Lines()[:LastCommit]...))
	for at := last; at < size; at++ {
		all = append(all, Edit{Kind: ZeroTail, At: at})
	}
	for b := last / Block; b <= size/Block; b++ {
		for more := range size/Block - b + 1 {
			all = append(all, Edit{LostBlocks, b, more})
		}
	}
	return slices.Values(all)
}
