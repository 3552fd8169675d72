package doc

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// Encoding is what the bytes of a file seem to be. Only UTF8 is shown and changed:
// a tool that guesses writes two encodings into one file.
type Encoding uint8

// The encodings that are told apart.
const (
	UTF8     Encoding = iota
	Binary            // valid UTF-8 that holds a NUL byte
	UTF16LE           // by its byte order mark
	UTF16BE           // by its byte order mark
	ShiftJIS          // every byte fits, and there is kana
	EUCJP             // every byte fits, and there is kana
	EightBit          // anything else: Latin-1, Windows-1252, ...
)

var encodingNames = [...]string{"UTF-8", "binary", "UTF-16LE", "UTF-16BE", "Shift_JIS", "EUC-JP", "Latin-1 or another 8-bit encoding"}

// String is the encoding as messages name it.
func (e Encoding) String() string { return encodingNames[e] }

// Content is what Sniff saw.
type Content struct {
	Encoding Encoding
	// At is the offset of the first byte that is no UTF-8, or of the first NUL;
	// -1 for UTF8.
	At int
}

// Sniff says what the bytes are. Not being UTF-8 comes before being binary (S8.10).
// With more, the bytes are the start of a longer file and may end inside a character.
func Sniff(b []byte, more bool) Content {
	if at := invalid(b, more); at >= 0 {
		return Content{Encoding: name(b), At: at}
	}
	if at := bytes.IndexByte(b, 0); at >= 0 {
		return Content{Encoding: Binary, At: at}
	}
	return Content{Encoding: UTF8, At: -1}
}

// Fault says in a message why the content is not shown or changed.
func (c Content) Fault() string {
	if c.Encoding == Binary {
		return fmt.Sprintf("is a binary file (NUL byte at offset %d)", c.At)
	}
	return fmt.Sprintf("is not UTF-8 (byte offset %d; it looks like %s)", c.At, c.Encoding)
}

// invalid is the offset of the first byte that is no UTF-8, or -1.
func invalid(b []byte, more bool) int {
	if utf8.Valid(b) {
		return -1
	}
	for at := 0; at < len(b); {
		r, n := utf8.DecodeRune(b[at:])
		if r == utf8.RuneError && n == 1 {
			if more && !utf8.FullRune(b[at:]) {
				return -1
			}
			return at
		}
		at += n
	}
	return -1
}

func name(b []byte) Encoding {
	switch {
	case bytes.HasPrefix(b, []byte{0xff, 0xfe}):
		return UTF16LE
	case bytes.HasPrefix(b, []byte{0xfe, 0xff}):
		return UTF16BE
	case eucJP.fits(b):
		return EUCJP
	case shiftJIS.fits(b):
		return ShiftJIS
	default:
		return EightBit
	}
}

// pairs describes an encoding of two-byte characters well enough to name it: which
// bytes lead a pair, which may follow, which stand alone, and which pairs are kana.
// Text without kana is not named, for Latin-1 text often fits by chance.
type pairs struct {
	lead, trail, alone func(byte) bool
	kana               func(lead, trail byte) bool
}

func (p pairs) fits(b []byte) bool {
	kana := false
	for i := 0; i < len(b); i++ {
		switch {
		case b[i] < utf8.RuneSelf || p.alone(b[i]):
		case p.lead(b[i]) && i+1 < len(b) && p.trail(b[i+1]):
			kana = kana || p.kana(b[i], b[i+1])
			i++
		case i+1 == len(b) && p.lead(b[i]): // cut inside a pair
		default:
			return false
		}
	}
	return kana
}

func between(c, lo, hi byte) bool { return lo <= c && c <= hi }

var shiftJIS = pairs{
	lead:  func(c byte) bool { return between(c, 0x81, 0x9f) || between(c, 0xe0, 0xfc) },
	trail: func(c byte) bool { return between(c, 0x40, 0xfc) && c != 0x7f },
	alone: func(c byte) bool { return between(c, 0xa1, 0xdf) },
	kana: func(l, t byte) bool {
		return l == 0x82 && between(t, 0x9f, 0xf1) || l == 0x83 && between(t, 0x40, 0x96)
	},
}

var eucJP = pairs{
	lead:  func(c byte) bool { return between(c, 0xa1, 0xfe) || c == 0x8e },
	trail: func(c byte) bool { return between(c, 0xa1, 0xfe) },
	alone: func(byte) bool { return false },
	kana:  func(l, t byte) bool { return (l == 0xa4 || l == 0xa5) && between(t, 0xa1, 0xf6) },
}
