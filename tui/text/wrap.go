package text

import "strings"

// tooWide stands for a character that has more cells than there are.
const tooWide = "…"

const styleOff = "\x1b[0m"

// Wrap breaks s, plain or styled, into lines of at most w cells: between words, and
// within a word that is longer than a line. Every line has its styles to itself: those
// that go on are ended at its end and begun again on the next. A line end in s is one
// here too; there is always at least one line. With w below 1 it is one empty line.
func Wrap(s string, w int) []string {
	if w < 1 {
		return []string{""}
	}
	p := wrapper{w: w}
	for {
		line, rest, more := strings.Cut(s, "\n")
		if p.pen == "" && len(line) <= w && isPlain(line) {
			p.lines = append(p.lines, line)
		} else {
			p.add(line)
			p.flush(len(p.line), p.pen)
		}
		if !more {
			return p.lines
		}
		s = rest
	}
}

// wrapper fills a line. mark is where it may be broken, after the blank there, with the
// style that was on; 0 for nowhere.
type wrapper struct {
	w     int
	lines []string
	line  []byte
	cells int
	ink   bool   // the line has more than blanks and styles
	pen   string // the styles that are on
	mark  int
	were  struct {
		cells int
		pen   string
	}
	skip bool // blanks go: the line was broken just before
}

func (p *wrapper) add(s string) {
	p.skip = false
	for len(s) > 0 {
		n, cells := next(s)
		switch {
		case s[0] == 0x1b:
			p.style(s[:n])
		case cells > p.w:
			p.put(tooWide, 1)
		case cells > 0:
			p.put(s[:n], cells)
		}
		s = s[n:]
	}
}

func (p *wrapper) style(seq string) {
	p.line = append(p.line, seq...)
	p.pen = turn(p.pen, seq)
}

// turn is what is on after seq.
func turn(pen, seq string) string {
	if seq == styleOff || seq == "\x1b[m" {
		return ""
	}
	return pen + seq
}

func (p *wrapper) put(s string, cells int) {
	blank := s == " "
	if blank && p.skip {
		return
	}
	if p.cells+cells > p.w {
		if blank {
			p.flush(len(p.line), p.pen)
			p.skip = true
			return
		}
		p.breakLine(cells > 1)
	}
	if cells > 1 && p.ink {
		p.chance()
	}
	p.line = append(p.line, s...)
	p.cells += cells
	p.ink = p.ink || !blank
	p.skip = false
	if p.ink && (blank || cells > 1) {
		p.chance()
	}
}

// chance remembers that the line may be broken here.
func (p *wrapper) chance() {
	p.mark, p.were.cells, p.were.pen = len(p.line), p.cells, p.pen
}

// breakLine makes room: at the last chance, or here when there was none; before a wide
// character here is a chance.
func (p *wrapper) breakLine(here bool) {
	if p.mark == 0 || here {
		p.flush(len(p.line), p.pen)
		return
	}
	tail, cells, pen := string(p.line[p.mark:]), p.cells-p.were.cells, p.pen
	p.flush(p.mark, p.were.pen)
	p.line = append(p.line, tail...)
	p.cells, p.pen, p.ink = cells, pen, cells > 0
}

// flush ends the line at n, where pen is on, and begins the next one with it.
func (p *wrapper) flush(n int, pen string) {
	line := p.line[:n]
	if n < len(p.line) || p.cells >= p.w {
		for len(line) > 0 && line[len(line)-1] == ' ' && p.ink {
			line = line[:len(line)-1]
		}
	}
	s := string(line)
	if pen != "" {
		s += styleOff
	}
	p.lines = append(p.lines, s)
	p.line = append(p.line[:0], pen...)
	p.cells, p.ink, p.mark, p.pen = 0, false, 0, pen
}
