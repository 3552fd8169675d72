package composer

import (
	"slices"
	"strings"
)

// piece is a part of what was cut: a text, or a chip. A chip is taken along, since it may be
// put into another text than it was cut from.
type piece struct {
	text string
	chip *chip
}

// ring holds what was cut, the last at the end.
type ring struct {
	cut [][]piece
	// at is which one was put in last; from where to where it stands.
	at       int
	from, to pos
	// growing is true while cuts join: nothing else happened between them. yanked is true
	// right after one was put in.
	growing, yanked bool
}

const maxCuts = 16

// pieces parts a text from its chips.
func (b *buffer) pieces(s string) (out []piece) {
	for at := strings.IndexByte(s, chipLead); at >= 0; at = strings.IndexByte(s, chipLead) {
		c, ok := b.chipOf(s[at:])
		if !ok {
			out = append(out, piece{text: s[:at+1]})
			s = s[at+1:]
			continue
		}
		out = append(out, piece{text: s[:at]}, piece{chip: &c})
		s = s[at+chipLen:]
	}
	return append(out, piece{text: s})
}

// joined is what was cut as a text of this buffer. A chip that there is no room for is left
// out.
func (b *buffer) joined(cut []piece) string {
	var out strings.Builder
	for _, p := range cut {
		if p.chip == nil {
			out.WriteString(p.text)
		} else {
			out.WriteString(b.same(*p.chip))
		}
	}
	return out.String()
}

// same is the character of a chip: of the one that it was, or of a new one.
func (b *buffer) same(c chip) string {
	i := slices.IndexFunc(b.chips, func(o chip) bool { return o.number == c.number && o.odd == c.odd && o.text == c.text })
	if i >= 0 {
		return string(rune(firstChip + i))
	}
	return b.add(c)
}

// kill cuts what stands between two places.
func (b *buffer) kill(r *ring, from, to pos, forward bool) {
	s := b.edit(from, to, "", editOther)
	if s == "" {
		return
	}
	switch n := len(r.cut); {
	case r.growing && n > 0 && forward:
		r.cut[n-1] = append(r.cut[n-1], b.pieces(s)...)
	case r.growing && n > 0:
		r.cut[n-1] = append(b.pieces(s), r.cut[n-1]...)
	default:
		r.cut = append(r.cut, b.pieces(s))
		r.cut = r.cut[max(0, len(r.cut)-maxCuts):]
	}
}

// yank puts in what was cut last; false when there is nothing, or no room for it.
func (b *buffer) yank(r *ring) bool {
	if len(r.cut) == 0 {
		return false
	}
	r.at = len(r.cut) - 1
	r.from = b.cur
	s := b.joined(r.cut[r.at])
	if b.size+len(s) > maxTyped {
		return false
	}
	b.insert(s, editOther)
	r.to = after(r.from, s)
	return true
}

// yankPop puts what was cut before in the place of what was just put in.
func (b *buffer) yankPop(r *ring) bool {
	if !r.yanked || len(r.cut) == 0 {
		return false
	}
	r.at = (r.at + len(r.cut) - 1) % len(r.cut)
	s := b.joined(r.cut[r.at])
	b.edit(r.from, r.to, s, editOther)
	r.to = after(r.from, s)
	return true
}
