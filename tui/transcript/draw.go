package transcript

import (
	"strings"

	"tenet/tui/markdown"
	"tenet/tui/text"
	"tenet/tui/theme"
)

// rows are the lines of an item at the width there is. They are laid out once, and again
// when the item, the width or the look changed; what moves is laid out each time.
func (t *Transcript) rows(it *item) []string {
	c := &t.list.drawn
	if it.lines != nil && it.era == c.era {
		it.frame = c.frame
		return it.lines
	}
	if it.live != nil {
		return t.drawLive(it)
	}
	lines := t.draw(it)
	if !it.moves() {
		c.put(it, lines)
	}
	return lines
}

// moves reports whether time alone changes how an item looks.
func (it *item) moves() bool {
	return it.kind == called && it.tool.state == running || it.kind == grouped && it.state() == running
}

func (t *Transcript) draw(it *item) []string {
	w := t.room(it)
	p := &t.pens
	switch it.kind {
	case asked:
		return p.framed(t.frameOf(it), t.drawAsked(it, w))
	case said:
		return p.framed(t.frameOf(it), t.drawSaid(it, w))
	case thought:
		return p.framed(t.frameOf(it), t.drawThought(it, w))
	case called:
		return t.drawCall(it, w)
	case grouped:
		return t.drawGroup(it, w)
	case noted:
		return t.drawNote(it, w)
	case failed:
		return p.framed(t.frameOf(it), t.drawFailed(it, w))
	case inquired:
		return p.framed(t.frameOf(it), t.drawInquired(it, w))
	case settled:
		return t.drawSettled(it, w)
	case changed:
		return p.framed(t.frameOf(it), t.drawChanged(it, w))
	case ended:
		return t.drawEnded(it, w)
	case banner:
		return p.framed(t.frameOf(it), t.drawBanner(it, w))
	case missing:
		s := plural(it.count, "older row is not kept here; the log has it", "older rows are not kept here; the log has them")
		return p.framed(t.frameOf(it), text.Wrap(p.muted.Paint(s), w))
	}
	return nil
}

// foldLines is how many lines of a person's long message are seen while it is folded.
const foldLines = 12

func (t *Transcript) drawAsked(it *item, w int) []string {
	var out []string
	if it.label != "" {
		out = append(out, t.pens.muted.Paint(text.Cut("("+it.label+")", w)))
	}
	body := wrapped(t.pens.user, text.Clean(strings.TrimRight(it.body.all(), "\n")), w)
	if n := len(body) - foldLines; !it.open && n > 4 {
		body = append(body[:foldLines:foldLines], t.pens.muted.Paint(text.Cut("… "+plural(n, "line more", "lines more"), w)))
	}
	out = append(out, body...)
	for _, m := range it.more {
		out = append(out, t.pens.muted.Paint(text.Cut(text.Line(m), w)))
	}
	return out
}

// wrapped is a plain text in lines, each painted.
func wrapped(k theme.Ink, s string, w int) []string {
	lines := text.Wrap(s, w)
	for i, l := range lines {
		lines[i] = k.Paint(l)
	}
	return lines
}

func (t *Transcript) drawSaid(it *item, w int) []string {
	p := markdown.New(t.o.Theme, w)
	p.Set(it.body.all())
	if lines := p.Lines(); len(lines) > 0 {
		return lines
	}
	return []string{""}
}

// drawThought shows the first line of what the model thought, or all of it.
func (t *Transcript) drawThought(it *item, w int) []string {
	label := "thought"
	if it.label != "" {
		label += " (" + it.label + ")"
	}
	s := strings.TrimSpace(text.Clean(it.body.all()))
	if it.open {
		return append([]string{t.pens.muted.Paint(text.Cut(label, w))}, wrapped(t.pens.muted, s, w)...)
	}
	first, rest, _ := strings.Cut(s, "\n")
	more := ""
	if n := lines(strings.TrimSpace(rest)) + it.body.lines; n > 0 {
		more = " … " + plural(n, "line more", "lines more")
	}
	room := w - text.Width(label) - 2 - text.Width(more)
	if room < 8 {
		return []string{t.pens.muted.Paint(text.Cut(label+more, w))}
	}
	return []string{t.pens.muted.Paint(label + ": " + text.Cut(first, room) + more)}
}

// liveThought is how many lines of what the model thinks are seen while it does.
const liveThought = 4

func (t *Transcript) drawLive(it *item) []string {
	if it.kind == said {
		return t.page(it).Lines()
	}
	w := t.room(it)
	all := wrapped(t.pens.muted, strings.TrimSpace(text.Clean(lastBytes(it.live.text.String(), maxLive/2))), w)
	all = all[max(0, len(all)-liveThought):]
	return t.pens.framed(t.frameOf(it), append([]string{t.pens.muted.Paint(text.Cut("thinking", w))}, all...))
}

func (t *Transcript) drawFailed(it *item, w int) []string {
	head := it.head
	if it.label != "" {
		head += " (" + it.label + ")"
	}
	out := wrapped(t.pens.bad, text.Clean(head), w)
	for _, m := range it.more {
		out = append(out, wrapped(t.pens.muted, text.Line(m), w)...)
	}
	if !it.body.empty() {
		out = append(out, t.folded(it, w, "what came")...)
	}
	return out
}

// folded is a body behind a bar when the item is open, else a row that says it is there.
func (t *Transcript) folded(it *item, w int, name string) []string {
	n := lines(it.body.head) + it.body.lines + lines(it.body.tail)
	if !it.open {
		return []string{t.pens.muted.Paint(text.Cut("… "+name+": "+plural(n, "line", "lines"), w))}
	}
	s := t.sheet(w)
	s.clipped(t.pens.muted, it.body, text.Clean)
	return s.out
}

func (t *Transcript) drawInquired(it *item, w int) []string {
	out := wrapped(t.pens.strong, text.Clean(strings.TrimSpace(it.body.all())), w)
	for _, m := range it.more {
		out = append(out, text.Wrap("  "+text.Line(m), w)...)
	}
	if it.label != "" {
		out = append(out, wrapped(t.pens.user, text.Line(it.label), w)...)
	}
	return out
}

func (t *Transcript) drawBanner(it *item, w int) []string {
	out := []string{t.pens.heading.Paint(text.Cut(text.Line(it.head), w))}
	for _, m := range it.more {
		out = append(out, t.pens.muted.Paint(text.Cut(text.Line(m), w)))
	}
	return out
}

func (t *Transcript) drawEnded(it *item, w int) []string {
	f := t.frameOf(it)
	words, ink := "", t.pens.muted
	switch it.label {
	case "answered":
	case "aborted":
		words, ink = "stopped", t.pens.warn
		f.first = sign(f, t.pens.warn, "■")
	default:
		words, ink = "the turn failed", t.pens.bad
		f.first = sign(f, t.pens.bad, "✗")
	}
	if cause := text.Line(it.body.all()); cause != "" {
		words += ": " + cause
	}
	if words == "" && it.head == "" {
		words = "done"
	}
	out := text.Wrap(join(" · ", ink.Paint(words), t.pens.muted.Paint(it.head)), w)
	return t.pens.framed(f, out)
}

// sign is the first part of a frame with another sign.
func sign(f frame, k theme.Ink, s string) string {
	if f.rest == "" {
		return ""
	}
	return k.Paint(s) + " "
}
