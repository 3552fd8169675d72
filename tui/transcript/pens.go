package transcript

import (
	"strings"

	"tenet/tui/text"
	"tenet/tui/theme"
)

// pens are the inks of a theme.
type pens struct {
	text, muted, strong, accent, good, warn, bad, user, code, border, match, heading theme.Ink
}

func newPens(th *theme.Theme) pens {
	return pens{
		text: theme.InkOf(th.Text), muted: theme.InkOf(th.Muted), strong: theme.InkOf(th.Strong), accent: theme.InkOf(th.Accent), good: theme.InkOf(th.Good),
		warn: theme.InkOf(th.Warn), bad: theme.InkOf(th.Bad), user: theme.InkOf(th.User), code: theme.InkOf(th.Code), border: theme.InkOf(th.Border),
		match: theme.InkOf(th.Match), heading: theme.InkOf(th.Heading),
	}
}

// Below roomy cells there is no column for the selection and none for signs.
const roomy = 12

// frame is what stands left of an item's lines: its sign, then blanks.
type frame struct{ first, rest string }

// frameOf is the frame of an item whose sign is not its state's.
func (t *Transcript) frameOf(it *item) frame {
	if t.w < roomy {
		return frame{}
	}
	sign := " "
	switch it.kind {
	case asked:
		sign = t.pens.user.Paint("›")
	case thought:
		sign = t.pens.muted.Paint("∴")
	case failed:
		sign = t.pens.bad.Paint("✗")
	case inquired:
		sign = t.pens.warn.Paint("?")
	case noted, missing:
		sign = t.pens.muted.Paint("·")
	case changed:
		sign = t.pens.accent.Paint("±")
	case said, called, grouped, settled, ended, banner:
	}
	return frame{sign + " ", "  "}
}

// framed is lines in their frame.
func (p *pens) framed(f frame, lines []string) []string {
	if f.rest == "" {
		return lines
	}
	out := make([]string, len(lines))
	for i, l := range lines {
		lead := f.rest
		if i == 0 {
			lead = f.first
		}
		if l == "" && i > 0 {
			continue
		}
		out[i] = lead + l
	}
	return out
}

// room is how many cells the lines of an item have beside its frame.
func (t *Transcript) room(*item) int {
	if t.w < roomy {
		return max(t.w, 1)
	}
	return t.w - 3
}

// sheet collects lines of at most w cells, behind a bar where there is room.
type sheet struct {
	p     *pens
	w     int
	bar   string
	label int // how wide the column of names is; 0 for none
	out   []string
}

func (t *Transcript) sheet(w int) *sheet {
	s := &sheet{p: &t.pens, w: max(w, 1)}
	if w >= roomy {
		s.bar, s.w = t.pens.border.Paint("│")+" ", w-2
	}
	if s.w >= 40 {
		s.label = 9
	}
	return s
}

func (s *sheet) add(lines ...string) {
	for _, l := range lines {
		s.out = append(s.out, s.bar+l)
	}
}

// lines adds the lines of a plain text, wrapped.
func (s *sheet) lines(k theme.Ink, txt string) {
	for line := range strings.SplitSeq(strings.TrimRight(txt, "\n"), "\n") {
		s.add(text.Wrap(k.Paint(line), s.w)...)
	}
}

// cut adds one line, cut.
func (s *sheet) cut(k theme.Ink, line string) { s.add(k.Paint(text.Cut(line, s.w))) }

// pair adds a name and a text beside it, or below it where there is no room.
func (s *sheet) pair(name string, k theme.Ink, txt string) {
	if strings.TrimSpace(txt) == "" {
		return
	}
	if s.label == 0 {
		if name != "" {
			name += ": "
		}
		for line := range strings.SplitSeq(strings.TrimRight(txt, "\n"), "\n") {
			s.add(text.Wrap(s.p.muted.Paint(name)+k.Paint(line), s.w)...)
			name = ""
		}
		return
	}
	first := true
	for line := range strings.SplitSeq(strings.TrimRight(txt, "\n"), "\n") {
		for _, l := range text.Wrap(k.Paint(line), s.w-s.label) {
			lead := strings.Repeat(" ", s.label)
			if first {
				lead, first = s.p.muted.Paint(text.Pad(name, s.label)), false
			}
			s.add(lead + l)
		}
	}
}

// clipped adds a text whose middle may be gone.
func (s *sheet) clipped(k theme.Ink, c clipped, clean func(string) string) {
	s.lines(k, clean(c.head))
	if c.bytes > 0 {
		s.lines(s.p.muted, gone(c))
		s.lines(k, clean(c.tail))
	}
}
