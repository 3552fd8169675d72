package snapshot

import (
	"bytes"
	"slices"

	"tenet/core/doc"
)

// driftWork bounds the comparisons of a search for a place, beside one look at every
// line. A pattern that takes more occurs nearly everywhere, which is no place at all.
const driftWork = 1 << 24

// Drift finds where the anchors of an edit, lines of stored, stand in live. They all
// move by one offset, in lines, onto lines with the same text. ok is false, and nothing
// may be written, when an anchor's line changed, when no offset fits all of them, and
// when the place is not certain: more than one offset fits in live, the anchors fit
// elsewhere in stored too, so that what is left in live may be another place, or no
// line beside them moved along (7.4).
func Drift(stored, live []byte, anchors []int64) (offset int64, ok bool) {
	p, ok := newPattern(stored, anchors)
	if !ok {
		return 0, false
	}
	if at, ok := p.only(stored); !ok || at != 0 {
		return 0, false
	}
	offset, ok = p.only(live)
	return offset, ok && (offset == 0 || p.moved(stored, live, offset))
}

// moved reports whether a line beside the anchors moved with them, where there is one. A
// line that was changed where it stood, while another like it is new elsewhere, did not
// move.
func (p *pattern) moved(stored, live []byte, by int64) bool {
	beside := 0
	for _, n := range []int64{p.lines[0] - 1, p.lines[len(p.lines)-1] + 1} {
		was, there := lineAt(stored, n)
		if is, now := lineAt(live, n+by); there == now && bytes.Equal(is, was) {
			return true // also where both files end
		}
		if there {
			beside++
		}
	}
	return beside == 0
}

// lineAt is the text of a line; there is none past the ends.
func lineAt(file []byte, line int64) (text []byte, ok bool) {
	if line < 1 {
		return nil, false
	}
	for n, l := range doc.Lines(file) {
		if int64(n) == line {
			return l.Text, true
		}
	}
	return nil, false
}

// pattern is the lines of the anchors, each by a number for its text.
type pattern struct {
	lines []int64 // in order, each once
	texts []int32
	ids   map[string]int32
}

func newPattern(stored []byte, anchors []int64) (*pattern, bool) {
	p := &pattern{lines: inOrder(anchors), ids: map[string]int32{}}
	if len(p.lines) == 0 || p.lines[0] < 1 {
		return nil, false
	}
	for n, l := range doc.Lines(stored) {
		if len(p.texts) == len(p.lines) {
			break
		}
		if int64(n) == p.lines[len(p.texts)] {
			p.texts = append(p.texts, p.id(l.Text))
		}
	}
	return p, len(p.texts) == len(p.lines)
}

func (p *pattern) id(text []byte) int32 {
	id, ok := p.ids[string(text)]
	if !ok {
		id = int32(len(p.ids)) + 1
		p.ids[string(text)] = id
	}
	return id
}

// only is the one offset at which the pattern fits a file.
func (p *pattern) only(file []byte) (offset int64, ok bool) {
	have, rare := p.occurrences(file)
	work := driftWork
	found := 0
	for i, id := range have {
		if id != p.texts[rare] {
			continue
		}
		by := int64(i) + 1 - p.lines[rare]
		fits := p.fits(have, by, &work)
		if work < 0 {
			return 0, false
		}
		if fits {
			offset = by
			found++
		}
		if found > 1 {
			break
		}
	}
	return offset, found == 1
}

// occurrences numbers each line of a file by its text, 0 for one that is no anchor's,
// and picks the anchor whose text occurs least.
func (p *pattern) occurrences(file []byte) (have []int32, rare int) {
	counts := make([]int, len(p.ids)+1)
	have = make([]int32, 0, bytes.Count(file, []byte{'\n'})+1)
	for _, l := range doc.Lines(file) {
		id := p.ids[string(l.Text)]
		counts[id]++
		have = append(have, id)
	}
	for i, id := range p.texts {
		if counts[id] < counts[p.texts[rare]] {
			rare = i
		}
	}
	return have, rare
}

func (p *pattern) fits(have []int32, by int64, work *int) bool {
	if p.lines[0]+by < 1 || p.lines[len(p.lines)-1]+by > int64(len(have)) {
		return false
	}
	for i, line := range p.lines {
		*work--
		if have[line+by-1] != p.texts[i] {
			return false
		}
	}
	return true
}

// inOrder is the lines from the first to the last, each once.
func inOrder(lines []int64) []int64 {
	out := slices.Clone(lines)
	slices.Sort(out)
	return slices.Compact(out)
}
