package term

import tea "github.com/charmbracelet/bubbletea"

// csi is a control sequence taken apart: CSI private params intermediates final. A
// parameter may have parts of its own, divided by colons.
type csi struct {
	private byte // one of < = > ?, or 0
	params  [][]int
	middle  bool // it has intermediates: no key has, but one of rxvt
	final   byte
}

// paramMax bounds a number, so that a long one cannot overflow.
const paramMax = 1 << 24

// parseCSI takes a whole sequence apart; b begins with ESC [.
func parseCSI(b []byte) csi {
	q := csi{final: b[len(b)-1]}
	body := b[2 : len(b)-1]
	if len(body) > 0 && body[0] >= '<' && body[0] <= '?' {
		q.private, body = body[0], body[1:]
	}
	part, open := []int{-1}, len(body) > 0
	for _, c := range body {
		last := &part[len(part)-1]
		switch {
		case c >= '0' && c <= '9':
			*last = min(max(*last, 0)*10+int(c-'0'), paramMax)
		case c == ':':
			part = append(part, -1)
		case c == ';':
			q.params, part = append(q.params, part), []int{-1}
		default:
			q.middle = true
		}
	}
	if open {
		q.params = append(q.params, part)
	}
	return q
}

// at is part j of parameter i, or else when it is not given.
func (q csi) at(i, j, otherwise int) int {
	if i < len(q.params) && j < len(q.params[i]) && q.params[i][j] >= 0 {
		return q.params[i][j]
	}
	return otherwise
}

func (q csi) first(i, otherwise int) int { return q.at(i, 0, otherwise) }

// modifiers are the keys held with another one.
type modifiers struct{ shift, alt, ctrl, other bool }

// modifiersOf reads xterm's number: 1 and 1 for shift, 2 alt, 4 ctrl, 8 super, 16 hyper,
// 32 meta; 64 and 128 are locks and change nothing.
func modifiersOf(n int) modifiers {
	n--
	return modifiers{shift: n&1 != 0, alt: n&(2|32) != 0, ctrl: n&4 != 0, other: n&(8|16) != 0}
}

// sequenceMessage is the meaning of CSI or SS3; nil: none here.
func sequenceMessage(b []byte) tea.Msg {
	if b[1] == 'O' {
		return ss3Key(b)
	}
	if b[2] == '[' {
		return functionKey(int(b[3]-'A'), 5)
	}
	q := parseCSI(b)
	if q.private != 0 || q.middle {
		return nil
	}
	mods := modifiersOf(q.first(1, 1))
	if q.at(1, 1, 1) == 3 || mods.other {
		return nil // a key that was let go, or one of the desktop
	}
	return csiMessage(q, mods)
}

func csiMessage(q csi, mods modifiers) tea.Msg {
	n := q.first(0, 1)
	switch q.final {
	case '~':
		if n == 27 {
			return unicodeKey(q.first(2, 0), 0, modifiersOf(q.first(1, 1)))
		}
		return numbered(n, mods)
	case '^': // rxvt marks modifiers in the final byte
		return numbered(n, modifiers{ctrl: true})
	case '$':
		return numbered(n, modifiers{shift: true})
	case '@':
		return numbered(n, modifiers{shift: true, ctrl: true})
	case 'u':
		return kittyKey(q, mods)
	}
	if len(q.params) == 0 {
		return bareKey(q.final)
	}
	if n != 1 || q.first(1, 1) > 16 {
		return nil // a report of the cursor's position, perhaps
	}
	return lettered(q.final, mods)
}

// bareKey is CSI and a letter.
func bareKey(final byte) tea.Msg {
	switch final {
	case 'I':
		return tea.FocusMsg{}
	case 'O':
		return tea.BlurMsg{}
	case 'Z':
		return tea.KeyMsg{Type: tea.KeyShiftTab}
	case 'a', 'b', 'c', 'd': // rxvt, with shift
		return lettered(final-'a'+'A', modifiers{shift: true})
	}
	return lettered(final, modifiers{})
}

// ss3Key is ESC O, perhaps a digit for the modifiers, a letter.
func ss3Key(b []byte) tea.Msg {
	final, mods := b[len(b)-1], modifiers{}
	if len(b) == 4 {
		mods = modifiersOf(int(b[2] - '0'))
	}
	switch {
	case final == 'M':
		return tea.KeyMsg{Type: tea.KeyEnter}
	case final >= 'a' && final <= 'd': // rxvt, with ctrl
		return lettered(final-'a'+'A', modifiers{ctrl: true})
	case final >= 'j' && final <= 'y': // the keypad: * + , - . / 0 to 9
		return runeKey(rune(final-'j')+'*', false)
	}
	return lettered(final, mods)
}
