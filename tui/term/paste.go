package term

import (
	"bytes"
	"strings"
	"time"
)

// A paste is bracketed by the terminal. It ends by its end mark, or when nothing came
// for pasteGap: a mark that got lost must not take the keyboard away (tui-002).
const (
	pasteStart = "\x1b[200~"
	pasteEnd   = "\x1b[201~"
	pasteGap   = 500 * time.Millisecond
	pasteMax   = 4 << 20
)

// Paste is a text that was pasted, whole. Each line ends with LF, however the terminal
// marked the ends; bytes that are no UTF-8 are replaced.
type Paste struct {
	Text string
	// Cut counts the bytes beyond the bound of 4 MiB, which were dropped.
	Cut int
}

// pasting is a paste that has begun. It takes each byte once, so a paste costs what its
// length is and no more (tui-003).
type pasting struct {
	text strings.Builder
	cut  int
	cr   bool // the last byte was a CR: an LF that follows belongs to it
}

// take takes the paste's bytes off the front of b and says how many, and whether the
// paste ended. What may be the start of the end mark stays.
func (p *pasting) take(b []byte) (n int, done bool) {
	if i := bytes.Index(b, []byte(pasteEnd)); i >= 0 {
		p.add(b[:i])
		return i + len(pasteEnd), true
	}
	n = len(b) - overlap(b)
	p.add(b[:n])
	return n, false
}

// giveUp takes what was kept as the possible start of the end mark.
func (p *pasting) giveUp(b []byte) int {
	p.add(b)
	return len(b)
}

// overlap is how many bytes at the end of b begin the end mark.
func overlap(b []byte) int {
	for n := min(len(b), len(pasteEnd)-1); n > 0; n-- {
		if strings.HasPrefix(pasteEnd, string(b[len(b)-n:])) {
			return n
		}
	}
	return 0
}

// add appends bytes with each CRLF and CR as one LF (tui-018).
func (p *pasting) add(b []byte) {
	for len(b) > 0 {
		if p.cr && b[0] == '\n' {
			b = b[1:]
		}
		p.cr = false
		i := bytes.IndexByte(b, '\r')
		if i < 0 {
			p.keep(b)
			return
		}
		p.keep(b[:i])
		p.keep([]byte{'\n'})
		p.cr, b = true, b[i+1:]
	}
}

func (p *pasting) keep(b []byte) {
	room := max(0, pasteMax-p.text.Len())
	if len(b) > room {
		p.cut += len(b) - room
		b = b[:room]
	}
	p.text.Write(b)
}

func (p *pasting) message() Paste {
	return Paste{Text: strings.ToValidUTF8(p.text.String(), "\uFFFD"), Cut: p.cut}
}
