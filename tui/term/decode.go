package term

import (
	"time"
	"unicode"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"
)

// How long the reader waits for the rest of an event. A key that a person can press
// alone waits little: Esc must act at once, yet the ESC of an arrow key may come 30 ms
// before its rest over a slow line. What no key begins with may wait longer.
const (
	escWait  = 50 * time.Millisecond
	restWait = 500 * time.Millisecond
)

// sequenceMax bounds what is kept of a control sequence or of a reply of the terminal
// (OSC, DCS); what is longer is swallowed as it comes.
const sequenceMax = 4096

// decoder turns the bytes of a terminal into messages: keys, turns of the wheel,
// pastes, focus. It is pure: bytes and the time go in, messages come out. However the
// bytes are split over reads, the same events come out, and every byte belongs to an
// event or is counted as swallowed: a report that nobody understands never becomes keys.
type decoder struct {
	pend  []byte // the start of an event that is not whole
	due   time.Time
	paste *pasting
	skips bool // inside a sequence that is too long to keep
	mouse throttle
	tally tally
	out   []tea.Msg
}

// tally says what became of the bytes that came in.
type tally struct {
	keys, mouse, paste, focus int // bytes
	swallowed                 int // bytes of sequences that mean nothing here
	sequences                 int // how many such sequences
}

// feed takes what was read at the time now and returns the events that are whole. The
// result holds until the next call.
func (d *decoder) feed(b []byte, now time.Time) []tea.Msg {
	d.out = d.out[:0]
	d.pend = append(d.pend, b...)
	rest := d.pend
	for len(rest) > 0 {
		n := d.step(rest, now)
		if n == 0 {
			break
		}
		rest = rest[n:]
	}
	d.pend = append(d.pend[:0], rest...)
	return d.out
}

// step takes one event off the front, and says how many bytes it had; 0 when it is not
// whole yet.
func (d *decoder) step(b []byte, now time.Time) int {
	if d.paste != nil {
		n, done := d.paste.take(b)
		d.tally.paste += n
		d.due = now.Add(pasteGap)
		if done {
			d.pasted()
		}
		return n
	}
	if d.skips {
		n, end := skip(b)
		d.skips = !end
		d.tally.swallowed += n
		d.due = now.Add(restWait)
		if n > 0 || !end {
			return n
		}
	}
	f := frame(b)
	if f.n == 0 {
		d.due = now.Add(f.wait)
		return 0
	}
	d.event(f.kind, b[:f.n], now)
	return f.n
}

// deadline is when expire has something to do; false when nothing waits.
func (d *decoder) deadline() (time.Time, bool) {
	at, ok := d.mouse.due()
	if d.paste != nil || d.skips || len(d.pend) > 0 {
		if !ok || d.due.Before(at) {
			at, ok = d.due, true
		}
	}
	return at, ok
}

// expire returns what has waited long enough: a lone ESC is the key, a paste without
// its end ends, half a sequence is swallowed.
func (d *decoder) expire(now time.Time) []tea.Msg {
	d.out = d.out[:0]
	if at, ok := d.mouse.due(); ok && !now.Before(at) {
		d.flush(now)
	}
	if now.Before(d.due) {
		return d.out
	}
	switch {
	case d.paste != nil:
		d.tally.paste += d.paste.giveUp(d.pend)
		d.pend = d.pend[:0]
		d.pasted()
	case len(d.pend) > 0:
		d.giveUp(now)
	}
	d.skips = false
	return d.out
}

// giveUp takes what waits as it is.
func (d *decoder) giveUp(now time.Time) {
	b := d.pend
	for len(b) > 1 && b[0] == esc && b[1] == esc {
		d.event(control, b[:1], now)
		b = b[1:]
	}
	switch {
	case len(b) == 1 && b[0] == esc:
		d.event(control, b, now)
	case len(b) == 2 && b[0] == esc && b[1] < utf8.RuneSelf:
		d.event(alted, b, now)
	default:
		d.event(junk, b, now)
	}
	d.pend = d.pend[:0]
}

// event adds the message of one whole event. A mouse that waits goes first: order holds.
func (d *decoder) event(k kind, b []byte, now time.Time) {
	if k == sequence || k == oldMouse {
		if m, ok := mouseOf(b); ok {
			d.tally.mouse += len(b)
			d.out = d.mouse.add(d.out, m, now)
			return
		}
	}
	d.flush(now)
	if k == sequence && string(b) == pasteStart {
		d.paste, d.due = &pasting{}, now.Add(pasteGap)
		d.tally.paste += len(b)
		return
	}
	d.skips = k == endless
	d.plain(k, b)
}

// plain adds a key or a change of focus, or swallows.
func (d *decoder) plain(k kind, b []byte) {
	switch m := message(k, b).(type) {
	case nil:
		d.tally.swallowed += len(b)
		d.tally.sequences++
	case tea.FocusMsg, tea.BlurMsg:
		d.tally.focus += len(b)
		d.out = append(d.out, m)
	default:
		d.tally.keys += len(b)
		d.out = append(d.out, m)
	}
}

// flush adds what the mouse did that was held back.
func (d *decoder) flush(now time.Time) { d.out = d.mouse.release(d.out, now) }

// pasted ends a paste.
func (d *decoder) pasted() {
	d.out = append(d.out, d.paste.message())
	d.paste = nil
}

// message is the meaning of an event that is neither mouse nor paste; nil: none.
func message(k kind, b []byte) tea.Msg {
	switch k {
	case letter:
		r, _ := utf8.DecodeRune(b)
		return runeKey(r, false)
	case control:
		return tea.KeyMsg{Type: tea.KeyType(b[0])}
	case alted:
		return altKey(b[1:])
	case metaed:
		return withAlt(message(sequence, b[1:]))
	case sequence:
		return sequenceMessage(b)
	case reply, oldMouse, junk, endless:
		return nil
	}
	return nil
}

func runeKey(r rune, alt bool) tea.Msg {
	switch {
	case r == ' ':
		return tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}, Alt: alt}
	case unicode.IsControl(r): // C1: no key sends one
		return nil
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}, Alt: alt}
}

// altKey is a key that came with ESC before it.
func altKey(b []byte) tea.Msg {
	if b[0] < 0x20 || b[0] == 0x7f {
		return tea.KeyMsg{Type: tea.KeyType(b[0]), Alt: true}
	}
	r, _ := utf8.DecodeRune(b)
	return runeKey(r, true)
}

func withAlt(m tea.Msg) tea.Msg {
	k, ok := m.(tea.KeyMsg)
	if !ok {
		return nil
	}
	k.Alt = true
	return k
}
