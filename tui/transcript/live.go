package transcript

import (
	"tenet/tui/markdown"
)

// delta adds a piece of the reply to the item that still arrives.
func (t *Transcript) delta(k kind, s string) {
	if s == "" {
		return
	}
	it := t.arriving(k)
	if it.live.text.Len()+len(s) > maxStream {
		it.count += len(s) // the record will have it
		return
	}
	it.live.text.WriteString(s)
	if it.live.page != nil {
		it.live.page.Append(s)
	}
}

// maxStream bounds what is kept of a reply that still arrives.
const maxStream = 4 << 20

// arriving is the item of a kind that still arrives, new when there is none. What a
// model thinks stands above what it says.
func (t *Transcript) arriving(k kind) *item {
	for _, it := range t.list.live {
		if it.kind == k {
			return it
		}
	}
	it := &item{kind: k, live: &stream{era: -1}}
	t.list.made++
	if k == thought && len(t.list.live) > 0 {
		t.list.live = append([]*item{it}, t.list.live...)
		if t.view.at.item >= len(t.list.items) {
			t.view.at.item++
		}
		return it
	}
	t.list.live = append(t.list.live, it)
	return it
}

// settleLive ends what still arrives and puts the items of the record in its place. The
// place where a person reads stays: of a text at its line, since it is the same text.
func (t *Transcript) settleLive(items []*item) {
	live := t.list.live
	reading, was := -1, kind(0)
	if n := t.view.at.item - len(t.list.items); n >= 0 && n < len(live) {
		reading, was = t.view.at.item, live[n].kind
	}
	t.list.live = nil
	t.list.made -= min(len(live), len(items))
	first := len(t.list.items)
	for _, it := range items {
		t.append(it)
		for _, l := range live {
			t.inherit(it, l)
		}
	}
	if reading < 0 {
		return
	}
	for i, it := range items {
		if it.kind == was {
			t.view.at.item = first + i
			return
		}
	}
	t.view.at = place{item: max(0, min(t.view.at.item, t.list.len()-1))}
}

// inherit takes over what was laid out of the same text while it arrived.
func (t *Transcript) inherit(it, live *item) {
	s := live.live
	if it.kind != said || live.kind != said || s.page == nil || s.era != t.list.drawn.era || it.body.bytes > 0 || s.text.String() != it.body.head {
		return
	}
	t.list.drawn.put(it, t.pens.framed(t.frameOf(it), s.page.Lines()))
}

// streams reports the model's words while they arrive: their lines have no frame yet, so
// that a frame costs what is seen of them and not all there is.
func (it *item) streams() bool { return it.live != nil && it.kind == said }

// page is the laid out text of an item that still arrives, at the width there is now.
func (t *Transcript) page(it *item) *markdown.Page {
	s := it.live
	if s.page == nil || s.era != t.list.drawn.era {
		s.page, s.era = markdown.New(t.o.Theme, t.room(it)), t.list.drawn.era
		s.page.Append(s.text.String())
	}
	return s.page
}
