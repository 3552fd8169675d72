package transcript

import (
	"fmt"
	"strings"

	"tenet/tui/diffview"
	"tenet/tui/markdown"
	"tenet/tui/text"
)

// noteLines is how many lines of a note are seen while it is folded.
const noteLines = 6

func (t *Transcript) drawNote(it *item, w int) []string {
	f, ink, whole := t.frameOf(it), t.pens.muted, it.open
	switch it.label {
	case "warning", "warn":
		f.first, ink = sign(f, t.pens.warn, "!"), t.pens.warn
	case "error":
		f.first, ink = sign(f, t.pens.bad, "✗"), t.pens.bad
	case "help", "why":
		ink, whole = t.pens.text, true
	}
	var out []string
	if it.head != "" {
		out = wrapped(ink, text.Clean(it.head), w)
	}
	for _, m := range it.more {
		out = append(out, wrapped(ink, text.Clean(m), w)...)
	}
	if it.label == "summary" {
		out = append(out, t.summary(it, w)...)
	} else if !it.body.empty() {
		out = append(out, t.noteBody(it, w, whole, wrapped(ink, text.Clean(strings.TrimRight(it.body.all(), "\n")), w))...)
	}
	if it.count > 0 {
		out = append(out, t.pens.muted.Paint(text.Cut(fmt.Sprintf("(%d times)", it.count+1), w)))
	}
	return t.pens.framed(f, out)
}

func (t *Transcript) noteBody(_ *item, w int, whole bool, body []string) []string {
	if n := len(body) - noteLines; !whole && n > 1 {
		return append(body[:noteLines:noteLines], t.pens.muted.Paint(text.Cut("… "+plural(n, "line more", "lines more"), w)))
	}
	return body
}

// summary is what took the place of older messages.
func (t *Transcript) summary(it *item, w int) []string {
	if !it.open {
		return nil
	}
	s := t.sheet(w)
	p := markdown.New(t.o.Theme, s.w)
	p.Set(it.body.all())
	s.add(p.Lines()...)
	return s.out
}

// drawSettled is the end of a job, with the last lines of its output.
func (t *Transcript) drawSettled(it *item, w int) []string {
	f, ink := t.frameOf(it), t.pens.muted
	switch it.label {
	case "finished":
		f.first = sign(f, t.pens.good, "✓")
	case "killed":
		f.first, ink = sign(f, t.pens.warn, "■"), t.pens.warn
	default:
		f.first, ink = sign(f, t.pens.bad, "✗"), t.pens.bad
	}
	out := wrapped(ink, text.Clean(it.head), w)
	for _, m := range it.more {
		out = append(out, wrapped(t.pens.warn, text.Line(m), w)...)
	}
	s := t.sheet(w)
	if it.open {
		s.clipped(t.pens.muted, it.body, text.Clean)
	} else {
		s.preview(it.body, previewLines)
	}
	return t.pens.framed(f, append(out, s.out...))
}

// previewLines is how many lines of an output are seen while its call is folded.
const previewLines = 3

// preview adds the last lines of an output, and counts those above.
func (s *sheet) preview(c clipped, most int) {
	end := c.head
	if c.bytes > 0 {
		end = c.tail
	}
	all := strings.Split(strings.TrimRight(text.Clean(lastBytes(end, maxArg)), "\n"), "\n")
	if len(all) == 1 && all[0] == "" {
		return
	}
	total := lines(strings.TrimRight(c.head, "\n")) + c.lines + lines(strings.TrimRight(c.tail, "\n"))
	show := all[max(0, len(all)-most):]
	if n := total - len(show); n > 0 {
		s.cut(s.p.muted, "… "+plural(n, "line above", "lines above"))
	}
	for _, l := range show {
		s.cut(s.p.muted, l)
	}
}

// drawChanged is a change of a file with its diff, the beginning of it while folded.
func (t *Transcript) drawChanged(it *item, w int) []string {
	out := wrapped(t.pens.strong, text.Clean(it.head), w)
	most := diffPreview
	if it.open {
		most = maxShownDiff
	}
	s := t.sheet(w)
	if !it.body.empty() {
		s.add(diff.Bounded(diff.Lines(headless(it.body.all()), s.w, t.o.Theme), most, s.w, t.o.Theme)...)
	}
	return append(out, s.out...)
}
