package transcript

import (
	"strings"
	"unicode/utf8"

	"tenet/tui/text"
	"tenet/tui/theme"

	"github.com/charmbracelet/x/ansi"
)

// finding is a search and what it found.
type finding struct {
	query string // in small letters; empty for none
	hits  []hit
	at    int  // the one that was gone to, -1 for none
	dirty bool // items came or changed since
}

// hit is the n-th place in an item, from 0.
type hit struct {
	item *item
	n    int
}

// maxHits bounds what a search keeps.
const maxHits = 10_000

// Search looks for a text, in whatever letters, in all that items say, also where they
// are folded, and says how often it is there. An empty text ends the search.
func (t *Transcript) Search(query string) int {
	t.find = finding{query: strings.ToLower(text.Line(query)), at: -1, dirty: true}
	t.look()
	return len(t.find.hits)
}

// ClearSearch ends the search.
func (t *Transcript) ClearSearch() { t.find = finding{at: -1} }

// look finds what is there now, and keeps the place that was gone to.
func (t *Transcript) look() {
	f := &t.find
	if f.query == "" || !f.dirty {
		return
	}
	var was hit
	if f.at >= 0 && f.at < len(f.hits) {
		was = f.hits[f.at]
	}
	f.hits, f.at, f.dirty = f.hits[:0], -1, false
	for _, it := range t.list.items {
		for n := range strings.Count(strings.ToLower(it.text()), f.query) {
			if len(f.hits) == maxHits {
				return
			}
			if h := (hit{it, n}); h == was {
				f.at = len(f.hits)
			}
			f.hits = append(f.hits, hit{it, n})
		}
	}
}

// Match goes to the next place that the search found, or the one before when n is
// negative; the first time to the last one there is.
func (t *Transcript) Match(n int) {
	t.look()
	f := &t.find
	if len(f.hits) == 0 || t.w < 1 {
		return
	}
	switch {
	case f.at < 0:
		f.at = len(f.hits) - 1
	default:
		f.at = ((f.at+n)%len(f.hits) + len(f.hits)) % len(f.hits)
	}
	t.show(f.hits[f.at])
}

// show puts a place of the search into the upper third of the view; an item that hides
// it while it is folded is opened.
func (t *Transcript) show(h hit) {
	i := t.list.index(h.item)
	if i < 0 {
		return
	}
	line := t.lineWith(h)
	if line < 0 && !h.item.open {
		h.item.open = true
		for _, s := range h.item.subs {
			s.open = true
		}
		t.stale(h.item)
		line = t.lineWith(h)
	}
	t.chosen = h.item
	t.leave()
	t.goTo(place{i, t.gap(i) + max(line, 0)})
	if up := t.h / 3; up > 0 {
		t.Scroll(-up)
	}
}

// lineWith is the line of an item with the n-th place, or the last one with any: lines
// that are cut have fewer. It is -1 when no line has one.
func (t *Transcript) lineWith(h hit) int {
	last, n := -1, h.n
	for i, r := range t.rows(h.item) {
		here := strings.Count(strings.ToLower(ansi.Strip(r)), t.find.query)
		if here > 0 {
			last = i
		}
		if n -= here; n < 0 {
			return i
		}
	}
	return last
}

// mark paints the places of the query in a line that may have styles: theirs end at the
// place and begin again after it.
func mark(line, query string, k theme.Ink) string {
	plain := ansi.Strip(line)
	low := strings.ToLower(plain)
	if !strings.Contains(low, query) || len(low) != len(plain) {
		return line
	}
	var out []byte
	pen, at := "", 0 // at counts bytes of the plain text
	end := 0         // of the place that is being painted
	for i := 0; i < len(line); {
		if line[i] == 0x1b {
			n := sequence(line[i:])
			pen = styled(pen, line[i:i+n])
			if at >= end {
				out = append(out, line[i:i+n]...)
			}
			i += n
			continue
		}
		if at >= end && strings.HasPrefix(low[at:], query) {
			end = at + len(query)
			if pen != "" {
				out = append(out, styleOff...)
			}
			out = k.Append(out, plain[at:end])
		}
		_, n := utf8.DecodeRuneInString(line[i:])
		if at >= end {
			out = append(out, line[i:i+n]...)
		}
		if i, at = i+n, at+n; at == end {
			out = append(out, pen...)
		}
	}
	return string(out)
}

const styleOff = "\x1b[0m"

func styled(pen, seq string) string {
	if seq == styleOff || seq == "\x1b[m" {
		return ""
	}
	return pen + seq
}

// sequence is the length of the style that s begins with.
func sequence(s string) int {
	if i := strings.IndexByte(s, 'm'); i >= 0 {
		return i + 1
	}
	return len(s)
}
