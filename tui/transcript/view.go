package transcript

import (
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"
)

// place is a line of the list: of an item, counted from the blank line above it where
// there is one.
type place struct{ item, line int }

// view is what is seen of the list.
type view struct {
	follow bool  // it shows the end and what comes
	at     place // the line at the top, when it does not follow
	// origin is where a person put the line at the top, and at which width: widths that
	// come and go lead back to the same line.
	origin struct {
		item  *item
		line  int
		ink   int // letters of the item above the line
		width int // 0 for none
	}
	bottom int // the last item that was seen
	rows   []string
	marks  []bool // which of them are of the selected item
}

// gap is how many blank lines stand above the i-th row.
func (t *Transcript) gap(i int) int {
	if i == 0 {
		return 0
	}
	if close(t.list.at(i-1)) && close(t.list.at(i)) {
		return 0
	}
	return 1
}

// close reports whether an item stands close to others of its sort.
func close(it *item) bool {
	switch it.kind {
	case called, grouped, settled, thought, failed, changed:
		return true
	case noted:
		return it.body.empty()
	case asked, said, inquired, ended, banner, missing:
	}
	return false
}

// height is how many lines the i-th row takes with the blank one above it.
func (t *Transcript) height(i int) int { return t.gap(i) + len(t.rows(t.list.at(i))) }

// last is the place at the top of a view of the end.
func (t *Transcript) last() place {
	left := t.h
	for i := t.list.len() - 1; i >= 0; i-- {
		n := t.height(i)
		if n >= left {
			return place{i, n - left}
		}
		left -= n
	}
	return place{}
}

func (p place) before(o place) bool {
	return p.item < o.item || p.item == o.item && p.line < o.line
}

// top is the place at the top of the view: never so far down that lines below are empty
// while some above are not seen.
func (t *Transcript) top() place {
	end := t.last()
	if t.view.follow || end.before(t.view.at) {
		return end
	}
	return t.view.at
}

// View is what is seen: exactly the height's lines, each of at most the width, without a
// line end after the last.
func (t *Transcript) View() string {
	if t.h < 1 {
		return ""
	}
	c := &t.list.drawn
	c.frame++
	v := &t.view
	v.rows, v.marks = v.rows[:0], v.marks[:0]
	if t.w > 0 {
		t.fill(t.top())
	}
	out := t.compose()
	c.evict()
	return out
}

// fill takes the rows from a place on, as many as there is room for.
func (t *Transcript) fill(p place) {
	v := &t.view
	for i, skip := p.item, p.line; i < t.list.len() && len(v.rows) < t.h; i, skip = i+1, 0 {
		it := t.list.at(i)
		rows, gap := t.rows(it), t.gap(i)
		from, to := t.chosenLines(it)
		for n := skip; n < gap+len(rows) && len(v.rows) < t.h; n++ {
			line := ""
			if n >= gap {
				line = rows[n-gap]
			}
			v.rows = append(v.rows, line)
			v.marks = append(v.marks, n-gap >= from && n-gap < to)
			if line != "" && it.streams() && t.w >= roomy {
				v.rows[len(v.rows)-1] = "  " + line
			}
		}
		v.bottom = i
	}
}

// compose joins the rows, with the column of the selection before them.
func (t *Transcript) compose() string {
	v := &t.view
	bar, blank := t.pens.accent.Paint("▌"), " "
	if t.w < roomy {
		bar, blank = "", ""
	}
	size := t.h
	for i, r := range v.rows {
		if t.find.query != "" {
			v.rows[i] = mark(r, t.find.query, t.pens.match)
		}
		size += len(v.rows[i]) + len(blank)
		if v.marks[i] {
			size += len(bar)
		}
	}
	var b strings.Builder
	b.Grow(size)
	for i := range t.h {
		if i > 0 {
			b.WriteByte('\n')
		}
		switch {
		case i >= len(v.rows):
		case v.marks[i]:
			b.WriteString(bar)
			b.WriteString(v.rows[i])
		case v.rows[i] != "":
			b.WriteString(blank)
			b.WriteString(v.rows[i])
		}
	}
	return b.String()
}

// Scroll moves the view by lines, down when positive. At the end it follows again.
func (t *Transcript) Scroll(lines int) {
	if lines == 0 || t.w < 1 || t.list.len() == 0 {
		return
	}
	at := t.top()
	t.leave()
	for ; lines < 0 && (at.item > 0 || at.line > 0); lines++ {
		if at.line--; at.line < 0 {
			at.item--
			at.line = t.height(at.item) - 1
		}
	}
	for ; lines > 0 && at.item < t.list.len(); lines-- {
		if at.line++; at.line >= t.height(at.item) {
			at = place{item: at.item + 1}
		}
	}
	t.goTo(at)
}

// leave ends following: from here on what comes below is counted.
func (t *Transcript) leave() {
	if t.view.follow {
		t.view.follow = false
		t.list.seen = t.list.made
	}
}

// goTo puts a place at the top.
func (t *Transcript) goTo(at place) {
	t.view.at = at
	t.view.origin.width = 0
	if !at.before(t.last()) {
		t.view.follow = true
	}
}

// Page moves the view by n pages, with a line or two of the last one.
func (t *Transcript) Page(n int) { t.Scroll(n * max(1, t.h-2)) }

// Home shows the first line.
func (t *Transcript) Home() {
	t.leave()
	t.goTo(place{})
}

// End shows the last line, follows what comes, and ends the selection.
func (t *Transcript) End() {
	t.view.follow, t.view.origin.width = true, 0
	t.chosen = nil
}

// Following is true while the view shows the end and what comes.
func (t *Transcript) Following() bool { return t.view.follow }

// Unseen counts the items that came below since the view left the end, and that it did
// not show since.
func (t *Transcript) Unseen() int {
	if t.view.follow {
		return 0
	}
	return max(0, min(t.list.made-t.list.seen, t.list.len()-1-t.view.bottom))
}

// keepPlace does what lays everything out anew, and finds the line again that was at the
// top: by the letters above it in its item.
func (t *Transcript) keepPlace(change func()) {
	o := &t.view.origin
	if t.view.follow || t.w < 1 || t.list.len() == 0 {
		change()
		return
	}
	if o.width == 0 || t.list.index(o.item) < 0 {
		at := t.top()
		it := t.list.at(at.item)
		o.item, o.line, o.width = it, at.line, t.w
		o.ink = letters(t.rows(it), at.line-t.gap(at.item))
	}
	change()
	i := t.list.index(o.item)
	switch {
	case i < 0 || t.w < 1:
	case t.w == o.width:
		t.view.at = place{i, min(o.line, t.height(i)-1)}
	default:
		t.view.at = place{i, t.lineOf(i)}
	}
}

// lineOf is the line of the i-th row above which the origin's letters stand.
func (t *Transcript) lineOf(i int) int {
	rows, gap, ink := t.rows(t.list.at(i)), t.gap(i), t.view.origin.ink
	if ink == 0 {
		return min(t.view.origin.line, gap)
	}
	for n := range rows {
		if ink -= lettersOf(rows[n]); ink < 0 {
			return gap + n
		}
	}
	return gap + max(0, len(rows)-1)
}

// letters counts the letters of the first n lines.
func letters(rows []string, n int) (sum int) {
	for _, r := range rows[:max(0, min(n, len(rows)))] {
		sum += lettersOf(r)
	}
	return sum
}

func lettersOf(row string) (n int) {
	for _, r := range ansi.Strip(row) {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			n++
		}
	}
	return n
}
