package term

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// mouseGap is the least time between two messages of a wheel that turns or a mouse that
// is dragged: a burst of reports costs one message, not hundreds (tui-001).
const mouseGap = time.Second / 60

// Wheel is the turn of a mouse wheel. Turns that follow each other quickly come as one:
// no step is lost.
type Wheel struct {
	// X and Y are the cell under the mouse, from 0.
	X, Y int
	// Steps is how far it was turned: positive is down, negative is up.
	Steps int
	// Sideways is the same for a wheel that tilts: positive is right.
	Sideways int
}

// mouseOf reads a report of the mouse: SGR (CSI < button ; x ; y M or m), or the old
// form of three bytes from a terminal that knows no other.
func mouseOf(b []byte) (tea.Msg, bool) {
	if len(b) == 6 && b[2] == 'M' {
		return mouseMessage(int(b[3])-32, int(b[4])-33, int(b[5])-33, 'M'), true
	}
	q := parseCSI(b)
	if q.private != '<' || (q.final != 'M' && q.final != 'm') || len(q.params) != 3 {
		return nil, false
	}
	return mouseMessage(q.first(0, 0), q.first(1, 1)-1, q.first(2, 1)-1, q.final), true
}

// mouseMessage is what button bits mean: 0 to 3 the button, 4 shift, 8 alt, 16 ctrl,
// 32 motion, 64 wheel, 128 further buttons.
func mouseMessage(bits, x, y int, final byte) tea.Msg {
	if bits&64 != 0 {
		return [4]Wheel{{x, y, -1, 0}, {x, y, 1, 0}, {x, y, 0, -1}, {x, y, 0, 1}}[bits&3]
	}
	m := tea.MouseMsg{X: x, Y: y, Shift: bits&4 != 0, Alt: bits&8 != 0, Ctrl: bits&16 != 0}
	m.Button = [4]tea.MouseButton{tea.MouseButtonLeft, tea.MouseButtonMiddle, tea.MouseButtonRight, tea.MouseButtonNone}[bits&3]
	if bits&128 != 0 {
		m.Button = tea.MouseButtonBackward + tea.MouseButton(bits&3)
	}
	switch {
	case bits&32 != 0:
		m.Action = tea.MouseActionMotion
	case final == 'm' || m.Button == tea.MouseButtonNone:
		m.Action = tea.MouseActionRelease
	}
	return m
}

// throttle merges turns of the wheel and moves of the mouse that come within mouseGap
// of the last one that went out.
type throttle struct {
	held tea.Msg
	last time.Time
}

// due is when what is held must go out.
func (t *throttle) due() (time.Time, bool) { return t.last.Add(mouseGap), t.held != nil }

// add takes a message of the mouse and appends to out what may go now.
func (t *throttle) add(out []tea.Msg, m tea.Msg, now time.Time) []tea.Msg {
	merged, ok := merge(t.held, m)
	if !ok {
		out = t.release(out, now)
		merged = m
	}
	if click(m) || now.Sub(t.last) >= mouseGap {
		t.held, t.last = nil, now
		return append(out, merged)
	}
	t.held = merged
	return out
}

// release appends what is held.
func (t *throttle) release(out []tea.Msg, now time.Time) []tea.Msg {
	if t.held == nil {
		return out
	}
	out = append(out, t.held)
	t.held, t.last = nil, now
	return out
}

// click says whether a message is one of its own: a press or a release.
func click(m tea.Msg) bool {
	e, ok := m.(tea.MouseMsg)
	return ok && e.Action != tea.MouseActionMotion
}

// merge makes one message of two of a kind.
func merge(a, b tea.Msg) (tea.Msg, bool) {
	switch b := b.(type) {
	case Wheel:
		if a, ok := a.(Wheel); ok {
			b.Steps += a.Steps
			b.Sideways += a.Sideways
			return b, true
		}
	case tea.MouseMsg:
		if a, ok := a.(tea.MouseMsg); ok && !click(a) && !click(b) && a.Button == b.Button {
			return b, true
		}
	}
	return b, a == nil
}
