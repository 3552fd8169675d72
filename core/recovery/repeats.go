package recovery

import (
	"bytes"

	"github.com/cespare/xxhash/v2"
)

// The thresholds from which a reply repeats itself for no good reason. A table, a list
// of test results or a block of generated code has lines that differ, if only by a
// number; what comes this often word for word is a model that cannot stop.
const (
	repeatedLine  = 150     // times one line in a row
	repeatedCycle = 50      // times a cycle of lines in a row
	repeatedLines = 200     // lines at the least, whatever the cycle
	repeatedBytes = 1 << 10 // bytes at the least, so that short lists of short words pass
	longCycle     = 10      // times a cycle that already fills
	longBytes     = 32 << 10
	longestCycle  = 64      // lines of the longest cycle that is looked for
	blankLines    = 2000    // empty lines in a row
	endlessBlock  = 4 << 10 // bytes of a line without an end that are looked at together
	endlessCycle  = 512     // bytes of the longest cycle within such a line
	endlessBlocks = 8       // blocks in a row with the same cycle
)

// Repetition is what a reply repeated.
type Repetition struct {
	// Lines is how many lines the cycle has, 1 for one line again and again; 0 for a
	// cycle within one line that does not end.
	Lines int
	// Last is the last line of the cycle, or the cycle within the line.
	Last string
}

// Repeats watches a reply as it streams and says when it repeats a line or a cycle of
// lines so often that it must be cut (H4.7). Feed it the pieces of one text; the zero
// value is a text that has not begun. It holds a bounded part of the text, and its work
// is linear in it.
type Repeats struct {
	line    []byte // of the line that has not ended, at most a block
	long    bool   // the line was longer than a block
	bytes   int    // of all lines that ended
	lines   int    // that ended and were not empty
	blanks  int    // empty lines since the last other one
	past    [longestCycle]uint64
	runs    [longestCycle + 1]run
	endless endless
}

// run is how many lines in a row were the same as the one a cycle before, and the
// bytes before the first of them.
type run struct{ lines, from int }

// Feed reads the next piece. ok is true when the text must be cut now.
func (r *Repeats) Feed(text string) (found Repetition, ok bool) {
	for i := range len(text) {
		if text[i] == '\n' {
			found, ok = r.ended()
		} else {
			found, ok = r.more(text[i])
		}
		if ok {
			return found, true
		}
	}
	return Repetition{}, false
}

// more reads a byte of a line. A line that does not end is looked at block by block.
func (r *Repeats) more(c byte) (Repetition, bool) {
	r.line = append(r.line, c)
	if len(r.line) < endlessBlock {
		return Repetition{}, false
	}
	cycle, ok := r.endless.block(r.line)
	r.line, r.long = r.line[:0], true
	return Repetition{Last: cycle}, ok
}

// ended reads the end of a line.
func (r *Repeats) ended() (Repetition, bool) {
	line, long := bytes.Trim(r.line, " \t\r"), r.long // indentation makes no other line
	r.line, r.long, r.endless = r.line[:0], false, endless{}
	if len(line) == 0 && !long {
		r.blanks++
		return Repetition{Lines: 1}, r.blanks >= blankLines
	}
	r.blanks = 0
	if long { // only its end is here; it is like no other line
		r.runs, r.lines = [longestCycle + 1]run{}, 0
		return Repetition{}, false
	}
	return r.compare(line)
}

// compare looks for the line one, two, three and more lines before.
func (r *Repeats) compare(line []byte) (Repetition, bool) {
	h, before := xxhash.Sum64(line), r.bytes // two lines that share one would only be counted as the same
	r.bytes += len(line) + 1
	cycle := 0
	for p := 1; p <= min(longestCycle, r.lines); p++ {
		if r.past[(r.lines-p)%longestCycle] != h {
			r.runs[p] = run{}
			continue
		}
		if r.runs[p].lines == 0 {
			r.runs[p].from = before
		}
		r.runs[p].lines++
		if cycle == 0 && tooOften(p, r.runs[p].lines/p+1, r.bytes-r.runs[p].from) {
			cycle = p
		}
	}
	r.past[r.lines%longestCycle] = h
	r.lines++
	return Repetition{Lines: cycle, Last: string(line)}, cycle > 0
}

func tooOften(cycle, times, bytes int) bool {
	if times >= longCycle && bytes >= longBytes {
		return true
	}
	most := repeatedCycle
	if cycle == 1 {
		most = repeatedLine
	}
	return times >= most && times*cycle >= min(repeatedLines, repeatedLine*cycle) && bytes >= repeatedBytes
}

// endless is the blocks so far of a line that does not end.
type endless struct{ cycle, blocks int }

// block looks at a whole block: ok when it and those before it have one short cycle.
func (e *endless) block(b []byte) (cycle string, ok bool) {
	p := period(b)
	switch {
	case p > endlessCycle:
		*e = endless{}
	case p == e.cycle:
		e.blocks++
	default:
		*e = endless{cycle: p, blocks: 1}
	}
	return string(b[:min(p, endlessCycle)]), e.blocks >= endlessBlocks
}

// period is the length of the shortest cycle that the block is made of, its last turn
// perhaps cut: the block's length less its longest border.
func period(b []byte) int {
	border := make([]int, len(b))
	for i := 1; i < len(b); i++ {
		k := border[i-1]
		for k > 0 && b[i] != b[k] {
			k = border[k-1]
		}
		if b[i] == b[k] {
			k++
		}
		border[i] = k
	}
	return len(b) - border[len(b)-1]
}
