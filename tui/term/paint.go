package term

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// painter turns frames into the bytes that change the screen from the last frame to
// this one: only lines that differ are written, each at its place.
type painter struct {
	lines  []string // what stands on the screen
	next   []string
	w, h   int
	cursor spot
	buf    []byte
}

// spot is where the cursor stands; shown is false while it is hidden.
type spot struct {
	x, y  int
	shown bool
}

// synchronized frames are shown whole by terminals that know how; others ignore it.
const (
	frameBegin = "\x1b[?2026h"
	frameEnd   = "\x1b[?2026l"
	cursorOff  = "\x1b[?25l"
	cursorOn   = "\x1b[?25h"
)

// forget makes the next frame paint every line: the screen may hold anything.
func (p *painter) forget() { p.w, p.h, p.cursor = 0, 0, spot{} }

// paint is the bytes that show view on a screen of w by h; none when nothing differs.
// They hold until the next call.
func (p *painter) paint(view string, w, h int, at spot) []byte {
	whole := w != p.w || h != p.h
	p.buf = append(p.buf[:0], frameBegin...)
	p.buf = append(p.buf, cursorOff...)
	empty := len(p.buf)
	p.next = p.next[:0]
	for y := range h {
		line, rest, _ := strings.Cut(view, "\n")
		view = rest
		if whole || p.lines[y] != line {
			p.line(y, line, w)
		}
		p.next = append(p.next, line)
	}
	same := len(p.buf) == empty && at == p.cursor && !whole
	p.lines, p.next = p.next, p.lines
	p.w, p.h, p.cursor = w, h, at
	if same {
		return nil
	}
	p.place(at)
	p.buf = append(p.buf, frameEnd...)
	return p.buf
}

// line writes one line at its place, cut to the width, and clears what is right of it.
func (p *painter) line(y int, line string, w int) {
	p.move(0, y)
	width := ansi.StringWidth(line)
	if width > w {
		line = ansi.Truncate(line, w, "")
		width = ansi.StringWidth(line) // a wide rune may not fit the last cell
	}
	p.buf = appendSafe(p.buf, line)
	if strings.IndexByte(line, esc) >= 0 {
		p.buf = append(p.buf, "\x1b[m"...)
	}
	if width < w {
		p.buf = append(p.buf, "\x1b[K"...)
	}
}

func (p *painter) place(at spot) {
	if !at.shown || at.x < 0 || at.x >= p.w || at.y < 0 || at.y >= p.h {
		return
	}
	p.move(at.x, at.y)
	p.buf = append(p.buf, cursorOn...)
}

func (p *painter) move(x, y int) {
	p.buf = append(p.buf, "\x1b["...)
	p.buf = strconv.AppendInt(p.buf, int64(y+1), 10)
	p.buf = append(p.buf, ';')
	p.buf = strconv.AppendInt(p.buf, int64(x+1), 10)
	p.buf = append(p.buf, 'H')
}

// appendSafe appends a line without control bytes other than the ESC of styles: one
// that slipped through must not move the cursor.
func appendSafe(buf []byte, line string) []byte {
	for i := range len(line) {
		if c := line[i]; c >= 0x20 && c != 0x7f || c == esc {
			buf = append(buf, c)
		}
	}
	return buf
}
