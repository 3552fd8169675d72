package term

import (
	"unicode"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"
)

// variants are the forms of one key that the framework tells apart.
type variants struct{ plain, shift, ctrl, both tea.KeyType }

func (v variants) with(m modifiers) tea.Msg {
	t := v.plain
	switch {
	case m.shift && m.ctrl:
		t = v.both
	case m.shift:
		t = v.shift
	case m.ctrl:
		t = v.ctrl
	}
	return tea.KeyMsg{Type: t, Alt: m.alt}
}

var (
	keyUp    = variants{tea.KeyUp, tea.KeyShiftUp, tea.KeyCtrlUp, tea.KeyCtrlShiftUp}
	keyDown  = variants{tea.KeyDown, tea.KeyShiftDown, tea.KeyCtrlDown, tea.KeyCtrlShiftDown}
	keyRight = variants{tea.KeyRight, tea.KeyShiftRight, tea.KeyCtrlRight, tea.KeyCtrlShiftRight}
	keyLeft  = variants{tea.KeyLeft, tea.KeyShiftLeft, tea.KeyCtrlLeft, tea.KeyCtrlShiftLeft}
	keyHome  = variants{tea.KeyHome, tea.KeyShiftHome, tea.KeyCtrlHome, tea.KeyCtrlShiftHome}
	keyEnd   = variants{tea.KeyEnd, tea.KeyShiftEnd, tea.KeyCtrlEnd, tea.KeyCtrlShiftEnd}
	keyPgUp  = variants{tea.KeyPgUp, tea.KeyPgUp, tea.KeyCtrlPgUp, tea.KeyCtrlPgUp}
	keyPgDn  = variants{tea.KeyPgDown, tea.KeyPgDown, tea.KeyCtrlPgDown, tea.KeyCtrlPgDown}
)

// lettered is a key that a letter names: arrows, Home, End, F1 to F4.
func lettered(final byte, m modifiers) tea.Msg {
	switch final {
	case 'A':
		return keyUp.with(m)
	case 'B':
		return keyDown.with(m)
	case 'C':
		return keyRight.with(m)
	case 'D':
		return keyLeft.with(m)
	case 'H':
		return keyHome.with(m)
	case 'F':
		return keyEnd.with(m)
	case 'P', 'Q', 'R', 'S':
		return shiftedFunction(int(final-'P'), m)
	}
	return nil
}

// numbered is a key that a number names (CSI number ~).
func numbered(n int, m modifiers) tea.Msg {
	switch n {
	case 1, 7:
		return keyHome.with(m)
	case 4, 8:
		return keyEnd.with(m)
	case 2:
		return tea.KeyMsg{Type: tea.KeyInsert, Alt: m.alt}
	case 3:
		return tea.KeyMsg{Type: tea.KeyDelete, Alt: m.alt || m.ctrl} // Ctrl and Alt: a word
	case 5:
		return keyPgUp.with(m)
	case 6:
		return keyPgDn.with(m)
	}
	if i, ok := functionNumbers[n]; ok {
		return shiftedFunction(i, m)
	}
	return nil
}

// functionNumbers are F1 to F20, from 0: the numbers have gaps.
var functionNumbers = map[int]int{
	11: 0, 12: 1, 13: 2, 14: 3, 15: 4, 17: 5, 18: 6, 19: 7, 20: 8, 21: 9,
	23: 10, 24: 11, 25: 12, 26: 13, 28: 14, 29: 15, 31: 16, 32: 17, 33: 18, 34: 19,
}

// shiftedFunction is a function key; Shift and F1 is F13, as terminals count.
func shiftedFunction(i int, m modifiers) tea.Msg {
	if m.shift && i < 8 {
		i += 12
	}
	return withModifier(functionKey(i, 20), m)
}

// functionKey is F1 for 0; nil beyond the last.
func functionKey(i, last int) tea.Msg {
	if i < 0 || i >= last {
		return nil
	}
	return tea.KeyMsg{Type: tea.KeyF1 - tea.KeyType(i)} // the framework counts down
}

func withModifier(m tea.Msg, mods modifiers) tea.Msg {
	if mods.alt {
		return withAlt(m)
	}
	return m
}

// kittyKey is CSI code : shifted : base ; modifiers u. The base is the key's place on
// a Latin keyboard: Ctrl with a Cyrillic letter is the key that stands there.
func kittyKey(q csi, m modifiers) tea.Msg {
	code := q.first(0, 0)
	if base := q.at(0, 2, 0); base > 0 && (m.ctrl || m.alt) {
		code = base
	}
	return unicodeKey(code, q.at(0, 1, 0), m)
}

// unicodeKey is a key named by its code. Shift and Enter has no key of its own in the
// framework: it is Ctrl+J, which is a new line wherever Enter sends.
func unicodeKey(code, shifted int, m modifiers) tea.Msg {
	switch code {
	case '\r', 57414:
		if m.shift || m.ctrl {
			return tea.KeyMsg{Type: tea.KeyCtrlJ}
		}
		return tea.KeyMsg{Type: tea.KeyEnter, Alt: m.alt}
	case '\t':
		return tabKey(m)
	case esc:
		return tea.KeyMsg{Type: tea.KeyEsc, Alt: m.alt}
	case 0x7f, '\b':
		return tea.KeyMsg{Type: tea.KeyBackspace, Alt: m.alt || m.ctrl}
	}
	if k, ok := keypad(code, m); ok {
		return k
	}
	if code < 0x20 || code > unicode.MaxRune || code >= 0xe000 && code <= 0xf8ff || !utf8.ValidRune(rune(code)) {
		return nil
	}
	return characterKey(rune(code), rune(shifted), m)
}

func tabKey(m modifiers) tea.Msg {
	switch {
	case m.ctrl:
		return nil
	case m.shift:
		return tea.KeyMsg{Type: tea.KeyShiftTab, Alt: m.alt}
	}
	return tea.KeyMsg{Type: tea.KeyTab, Alt: m.alt}
}

// keypad reads the codes that the keypad has in kitty's protocol.
func keypad(code int, m modifiers) (tea.Msg, bool) {
	const zero, dot, left = 57399, 57409, 57417
	switch {
	case code >= zero && code < dot:
		return runeKey('0'+rune(code-zero), m.alt), true
	case code >= dot && code <= dot+6 && code != 57414:
		return runeKey([]rune("./*-+\r=")[code-dot], m.alt), true
	case code >= left && code < left+8:
		return []variants{keyLeft, keyRight, keyUp, keyDown, keyPgUp, keyPgDn, keyHome, keyEnd}[code-left].with(m), true
	case code == left+8:
		return numbered(2, m), true
	case code == left+9:
		return numbered(3, m), true
	}
	return nil, false
}

// characterKey is a key that prints something when it is pressed alone.
func characterKey(r, shifted rune, m modifiers) tea.Msg {
	if m.ctrl {
		return ctrlKey(r, m)
	}
	if m.shift && shifted > 0 {
		r = shifted
	} else if m.shift {
		r = unicode.ToUpper(r)
	}
	return runeKey(r, m.alt)
}

// ctrlKey is Ctrl and a character. With Shift as well it is another key, which must
// not act as the one without: Ctrl+Shift+C copies in many terminals.
func ctrlKey(r rune, m modifiers) tea.Msg {
	code, ok := rune(0), true
	switch {
	case r >= 'a' && r <= 'z' && !m.shift:
		code = r - 'a' + 1
	case r == ' ' || r == '@' || r == '2':
		code = 0
	case r >= '[' && r <= '_':
		code = r - '@'
	case r == '/' || r == '-':
		code = 0x1f
	default:
		ok = false
	}
	if !ok {
		return nil
	}
	return tea.KeyMsg{Type: tea.KeyType(code), Alt: m.alt}
}
