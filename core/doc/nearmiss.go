package doc

import (
	"bytes"
	"strings"
)

// Near is the place of a file that is most like a text that does not occur in it.
type Near struct {
	// Lines are the lines of the place; From 0 when nothing is alike.
	Lines Span
	// Differs is the first line of the place that differs from the wanted one, as
	// the file has it (Have) and as it was wanted (Want).
	Differs    int64
	Have, Want string
	// Blank is true when the place differs only in white space.
	Blank bool
}

// nearLines bounds how many lines of the wanted text take part in the search.
const nearLines = 200

// Nearest finds the place that a failed replacement most likely meant, to be shown
// and never to be changed. It is a place where as many lines as possible are equal
// but for white space; without one, the single line that is most alike.
func Nearest(file []byte, old string) Near {
	want := trimmedLines([]byte(old), nearLines)
	have := trimmedLines(file, -1)
	start, votes := align(have, want)
	if votes == 0 {
		start = alike(have, want)
	}
	if start < 0 {
		return Near{}
	}
	n := Near{Lines: Span{From: int64(start + 1), To: int64(min(start+len(want), len(have)))}}
	n.compare(file, old)
	return n
}

func trimmedLines(b []byte, limit int) []string {
	var out []string
	for _, l := range Lines(b) {
		if out = append(out, string(squeeze(l.Text))); len(out) == limit {
			break
		}
	}
	return out
}

// squeeze drops the white space at both ends and makes each run inside one blank.
func squeeze(b []byte) []byte { return bytes.Join(bytes.Fields(b), []byte{' '}) }

// align lets every wanted line vote for the start at which it would meet an equal
// line of the file, by its length, so that a brace weighs little. A line that the
// wanted text repeats often votes only for its first places.
func align(have, want []string) (start, votes int) {
	at := map[string][]int{}
	for j, w := range want {
		if w != "" && len(at[w]) < 4 {
			at[w] = append(at[w], j)
		}
	}
	tally := map[int]int{}
	for i, h := range have {
		for _, j := range at[h] {
			if s := i - j; s >= 0 {
				tally[s] += len(h)
				if tally[s] > votes || tally[s] == votes && s < start {
					start, votes = s, tally[s]
				}
			}
		}
	}
	return start, votes
}

// alike is where the text would start if its longest line stood at the line of the
// file that shares most pairs of neighbouring bytes with it; -1 when none shares half.
func alike(have, want []string) int {
	longest := 0
	for j, w := range want {
		if len(w) > len(want[longest]) {
			longest = j
		}
	}
	if len(want) == 0 || len(want[longest]) < 3 {
		return -1
	}
	p := newPairSet(want[longest])
	best, most := -1, 0
	for i, h := range have {
		if s := p.shared(h); s > most && s*2 >= p.n && s*3 >= len(h)-1 {
			best, most = i, s
		}
	}
	if best < 0 {
		return -1
	}
	return max(0, best-longest)
}

// pairSet is the pairs of neighbouring bytes of one line: in holds 0 for a pair that
// is not there, else the number of the last line in which it was counted.
type pairSet struct {
	in   [1 << 16]int32
	n    int
	turn int32
}

func newPairSet(line string) *pairSet {
	p := &pairSet{turn: 1}
	for k := 0; k+1 < len(line); k++ {
		if i := pairIndex(line, k); p.in[i] == 0 {
			p.in[i] = p.turn
			p.n++
		}
	}
	return p
}

func pairIndex(line string, k int) int { return int(line[k])<<8 | int(line[k+1]) }

// shared counts the pairs that the line has too, each once.
func (p *pairSet) shared(line string) int {
	p.turn++
	n := 0
	for k := 0; k+1 < len(line); k++ {
		if i := pairIndex(line, k); p.in[i] != 0 && p.in[i] != p.turn {
			p.in[i] = p.turn
			n++
		}
	}
	return n
}

// compare finds the first line that differs and whether only white space does.
func (n *Near) compare(file []byte, old string) {
	var wanted []string
	for _, l := range Lines([]byte(old)) {
		wanted = append(wanted, string(l.Text))
	}
	n.Blank = true
	for no, l := range Lines(file) {
		j := no - int(n.Lines.From)
		if j < 0 {
			continue
		}
		if j >= len(wanted) {
			break
		}
		have := string(l.Text)
		if have != wanted[j] && n.Differs == 0 {
			n.Differs, n.Have, n.Want = int64(no), have, wanted[j]
		}
		n.Blank = n.Blank && strings.Join(strings.Fields(have), " ") == strings.Join(strings.Fields(wanted[j]), " ")
	}
	n.Blank = n.Blank && n.Differs != 0
}
