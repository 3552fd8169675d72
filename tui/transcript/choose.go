package transcript

import (
	"strings"

	"tenet/tui/text"

	"github.com/charmbracelet/x/ansi"
)

// Move selects the next item, n times, or the one before when n is negative. Without a
// selection it begins at the last item that is seen. The calls of a group that is open
// are items too.
func (t *Transcript) Move(n int) {
	if t.w < 1 || len(t.list.items) == 0 || n == 0 {
		return
	}
	if t.chosen == nil {
		t.chosen = t.list.items[min(max(t.view.bottom, 0), len(t.list.items)-1)]
		if t.view.follow {
			t.chosen = t.list.items[len(t.list.items)-1]
		}
		n -= max(-1, min(n, 1))
	}
	for ; n > 0; n-- {
		t.chosen = t.neighbour(t.chosen, 1)
	}
	for ; n < 0; n++ {
		t.chosen = t.neighbour(t.chosen, -1)
	}
	t.reveal()
}

// neighbour is the item beside one, or itself at an end.
func (t *Transcript) neighbour(it *item, step int) *item {
	if g := it.group; g != nil && g.open {
		for k, s := range g.subs {
			if s != it {
				continue
			}
			if k += step; k >= 0 && k < len(g.subs) {
				return g.subs[k]
			}
			if step < 0 {
				return g
			}
			it = g
		}
	} else if it.kind == grouped && it.open && step > 0 {
		return it.subs[0]
	}
	i := t.list.index(it) + step
	if i < 0 || i >= len(t.list.items) {
		return it
	}
	next := t.list.items[i]
	if next.kind == grouped && next.open && step < 0 {
		return next.subs[len(next.subs)-1]
	}
	return next
}

// outer is the item of the list that shows an item.
func outer(it *item) *item {
	if it.group != nil {
		return it.group
	}
	return it
}

// chosenLines are the lines of an item that the selection marks: from and to, equal for
// none.
func (t *Transcript) chosenLines(it *item) (from, to int) {
	switch {
	case t.chosen == nil || outer(t.chosen) != it:
		return 0, 0
	case t.chosen == it:
		return 0, len(t.rows(it))
	}
	t.rows(it)
	for k, s := range it.subs {
		if s == t.chosen && k+1 < len(it.subAt) {
			return it.subAt[k], it.subAt[k+1]
		}
	}
	return 0, 0
}

// reveal moves the view so that the selection is seen: its beginning, where it is longer
// than the view.
func (t *Transcript) reveal() {
	i := t.list.index(outer(t.chosen))
	if i < 0 || t.h < 1 {
		return
	}
	from, to := t.chosenLines(outer(t.chosen))
	first, end := place{i, t.gap(i) + from}, place{i, t.gap(i) + to}
	top := t.top()
	if first.before(top) {
		t.leave()
		t.goTo(first)
		return
	}
	if below := t.distance(top, end) - t.h; below > 0 {
		t.Scroll(min(below, t.distance(top, first)))
	}
}

// distance is how many lines b is below a, at most a screen and the item's own.
func (t *Transcript) distance(a, b place) int {
	n := -a.line
	for i := a.item; i < b.item; i++ {
		n += t.height(i)
	}
	return n + b.line
}

// Toggle shows the selected item in full, or folds it; without a selection the last item
// that folds. Its first line stays where it is.
func (t *Transcript) Toggle() {
	it := t.chosen
	if it == nil {
		it = t.lastFolding()
	}
	if it == nil || t.w < 1 {
		return
	}
	top := t.top()
	t.leave()
	it.open = !it.open
	t.stale(it)
	if it.kind == grouped && !it.open && t.chosen != nil && t.chosen.group == it {
		t.chosen = it
	}
	t.goTo(t.clamp(top))
}

// clamp is a place that is there.
func (t *Transcript) clamp(p place) place {
	if p.item >= t.list.len() {
		return t.last()
	}
	p.line = min(p.line, t.height(p.item)-1)
	return p
}

func (t *Transcript) lastFolding() *item {
	for i := len(t.list.items) - 1; i >= 0 && i > len(t.list.items)-200; i-- {
		switch it := t.list.items[i]; it.kind {
		case called, grouped, thought, settled, failed, changed:
			return it
		case asked, said, noted, inquired, ended, banner, missing:
		}
	}
	return nil
}

// ExpandAll shows every item in full, those that come too, or folds all.
func (t *Transcript) ExpandAll(on bool) {
	t.keepPlace(func() {
		t.open = on
		for _, it := range t.list.items {
			it.open = on
			for _, s := range it.subs {
				s.open = on
			}
		}
		t.list.drawn.forget()
	})
	t.view.origin.width = 0
}

// Selected is the call of the selected item; false when that is none.
func (t *Transcript) Selected() (call string, ok bool) {
	switch it := t.chosen; {
	case it == nil:
		return "", false
	case it.tool != nil:
		return it.tool.call, true
	case it.kind == grouped:
		return it.subs[len(it.subs)-1].tool.call, true
	}
	return "", false
}

// Copy is the text of the selected item as it was written, without what would harm a
// terminal; without a selection the model's last words.
func (t *Transcript) Copy() string {
	it := t.chosen
	for i := len(t.list.items) - 1; it == nil && i >= 0; i-- {
		if t.list.items[i].kind == said {
			it = t.list.items[i]
		}
	}
	if it == nil {
		return ""
	}
	return strings.TrimRight(it.text(), "\n")
}

// text is what an item says, plain: for copies and for the search.
func (it *item) text() string {
	var parts []string
	switch it.kind {
	case called:
		return it.tool.text()
	case grouped:
		for _, s := range it.subs {
			parts = append(parts, s.tool.text())
		}
	case asked, said, thought, noted, failed, inquired, settled, ended, banner, missing, changed:
		parts = append(parts, text.Clean(it.head))
		for _, m := range it.more {
			parts = append(parts, text.Clean(m))
		}
		parts = append(parts, text.Clean(it.body.all()))
		if it.kind == inquired {
			parts = append(parts, text.Clean(it.label))
		}
	}
	return join("\n", parts...)
}

// text is the call, what was decided about it, and what it gave.
func (c *tool) text() string {
	parts := []string{c.verb + " " + c.title}
	for _, f := range c.fields {
		if v := shown(f.value.all()); oneLine(v) != c.title {
			parts = append(parts, text.Line(f.name)+": "+v)
		}
	}
	if c.state == refused {
		parts = append(parts, text.Clean(c.answer), text.Clean(c.ruling.Why), text.Clean(c.ruling.Next))
	}
	parts = append(parts, text.Clean(strings.Join(c.diffs, "\n")), text.Clean(strings.TrimRight(c.result.all(), "\n")))
	return join("\n", parts...)
}

// Tail is the last lines as plain text, for the normal screen after the interface ended.
func (t *Transcript) Tail(lines int) string {
	if t.w < 1 || lines < 1 {
		return ""
	}
	var blocks [][]string
	for i := t.list.len() - 1; i >= 0 && lines > 0; i-- {
		it := t.list.at(i)
		rows := append(make([]string, t.gap(i)), t.rows(it)...)
		if it.streams() {
			rows = append(make([]string, t.gap(i)), t.pens.framed(t.frameOf(it), t.rows(it))...)
		}
		rows = rows[max(0, len(rows)-lines):]
		lines -= len(rows)
		blocks = append(blocks, rows)
	}
	var out []string
	for i := len(blocks) - 1; i >= 0; i-- {
		for _, r := range blocks[i] {
			out = append(out, strings.TrimRight(ansi.Strip(r), " "))
		}
	}
	return strings.Join(out, "\n")
}
