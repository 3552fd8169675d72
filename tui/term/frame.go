package term

import (
	"time"
	"unicode/utf8"
)

const esc = 0x1b

// kind says what an event is made of.
type kind int

const (
	letter   kind = iota // one rune
	control              // one control byte: Enter, Ctrl+C, Esc
	alted                // ESC and a rune or a control byte: Alt and that key
	sequence             // CSI or SS3: arrows, functions, reports
	metaed               // ESC and a sequence: Alt and that key, as rxvt sends it
	oldMouse             // CSI M and three bytes
	reply                // OSC, DCS, APC, PM, SOS: an answer that nobody asked for
	junk                 // what cannot be any of these
	endless              // the start of a sequence or reply that is too long to keep
)

// framed is one event at the front of the input: n bytes, or 0 when more must come,
// for which wait is the longest.
type framed struct {
	n    int
	kind kind
	wait time.Duration
}

// frame finds where the first event of b ends.
func frame(b []byte) framed {
	if b[0] == esc {
		return frameEscape(b)
	}
	if b[0] < 0x20 || b[0] == 0x7f {
		return framed{n: 1, kind: control}
	}
	return frameRune(b, 0, letter)
}

// frameRune finds the end of a rune that begins at i.
func frameRune(b []byte, i int, k kind) framed {
	if !utf8.FullRune(b[i:]) {
		return framed{wait: restWait}
	}
	if r, n := utf8.DecodeRune(b[i:]); r != utf8.RuneError || n > 1 {
		return framed{n: i + n, kind: k}
	}
	return framed{n: i + 1, kind: junk}
}

func frameEscape(b []byte) framed {
	if len(b) == 1 {
		return framed{wait: escWait}
	}
	switch b[1] {
	case '[':
		return frameCSI(b)
	case 'O':
		return frameSS3(b)
	case ']', 'P', '_', '^', 'X':
		return frameString(b)
	case esc:
		return frameMeta(b)
	}
	if b[1] < 0x20 || b[1] == 0x7f {
		return framed{n: 2, kind: alted}
	}
	return frameRune(b, 1, alted)
}

// frameMeta is ESC ESC: Esc twice, unless a sequence follows the second one.
func frameMeta(b []byte) framed {
	if len(b) == 2 {
		return framed{wait: escWait}
	}
	if b[2] != '[' && b[2] != 'O' {
		return framed{n: 1, kind: control}
	}
	f := frameEscape(b[1:])
	switch {
	case f.n == 0:
		return f
	case f.kind == sequence && string(b[1:1+f.n]) != pasteStart:
		return framed{n: f.n + 1, kind: metaed}
	default:
		return framed{n: 1, kind: control}
	}
}

// frameCSI is ESC [, parameters, intermediates, a final byte. Whatever else stands in
// it ends it, so that a broken one takes nothing that came after.
func frameCSI(b []byte) framed {
	if len(b) == 2 {
		return framed{wait: restWait}
	}
	switch b[2] {
	case 'M':
		return fixed(b, 6, oldMouse)
	case '[':
		return fixed(b, 4, sequence) // function keys of the Linux console
	}
	for i := 2; i < len(b); i++ {
		switch c := b[i]; {
		case i == sequenceMax:
			return framed{n: i, kind: endless}
		case c >= 0x40 && c <= 0x7e, c == '$' && i == 3: // ESC [ 7 $ is a key of rxvt
			return framed{n: i + 1, kind: sequence}
		case c < 0x20 || c > 0x7e:
			return framed{n: i, kind: junk}
		}
	}
	return framed{wait: restWait}
}

// fixed is an event of n bytes, unless a control byte cuts it short.
func fixed(b []byte, n int, k kind) framed {
	for i := 3; i < n && i < len(b); i++ {
		if b[i] < 0x20 {
			return framed{n: i, kind: junk}
		}
	}
	if len(b) < n {
		return framed{wait: restWait}
	}
	return framed{n: n, kind: k}
}

// frameSS3 is ESC O, perhaps a digit for the modifiers, and a letter. Alone it is Alt+O.
func frameSS3(b []byte) framed {
	if len(b) == 2 {
		return framed{wait: escWait}
	}
	i := 2
	if b[i] >= '0' && b[i] <= '9' {
		i++
	}
	if i == len(b) {
		return framed{wait: restWait}
	}
	if b[i] >= 0x40 && b[i] <= 0x7e {
		return framed{n: i + 1, kind: sequence}
	}
	return framed{n: 2, kind: alted}
}

// frameString is a reply up to BEL or ST. Any other control byte ends it: a reply that
// never ends gives the keyboard back with Enter or Ctrl+C at the latest.
func frameString(b []byte) framed {
	if len(b) == 2 {
		return framed{wait: escWait}
	}
	for i := 2; i < len(b); i++ {
		switch c := b[i]; {
		case c == 0x07:
			return framed{n: i + 1, kind: reply}
		case c == esc && i+1 == len(b):
			return framed{wait: restWait}
		case c == esc && b[i+1] == '\\':
			return framed{n: i + 2, kind: reply}
		case i == sequenceMax:
			return framed{n: i, kind: endless}
		case c < 0x20:
			return framed{n: i, kind: reply}
		}
	}
	return framed{wait: restWait}
}

// skip is how much of b still belongs to a sequence that is too long, and whether it
// ends there.
func skip(b []byte) (n int, end bool) {
	for i, c := range b {
		switch {
		case c == 0x07:
			return i + 1, true
		case c == esc && i+1 == len(b):
			return i, false
		case c == esc && b[i+1] == '\\':
			return i + 2, true
		case c < 0x20:
			return i, true
		}
	}
	return len(b), false
}
