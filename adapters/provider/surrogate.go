package provider

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// A server that cuts its text by UTF-16 units sends one half of a character at the
// end of a piece and the other at the start of the next, each as an escape. A
// decoder that looks at one piece turns both into U+FFFD, and then a file that the
// model writes loses a character in silence. So halves are kept as they are, three
// bytes each that no text holds, until all pieces are there.

// unquote decodes a JSON string and keeps lone halves of characters.
func unquote(b []byte) (string, error) {
	var whole string
	if err := json.Unmarshal(b, &whole); err != nil || !mayHoldHalf(b) {
		return whole, err
	}
	var out strings.Builder
	from := 1
	for i := 1; i < len(b)-1; {
		unit, n := escape(b[i:])
		next, _ := escape(b[min(i+n, len(b)):])
		switch {
		case isHigh(unit) && isLow(next):
			i += 2 * n
		case isHigh(unit) || isLow(unit):
			out.WriteString(plain(b[from:i]))
			out.WriteString(half(unit))
			i += n
			from = i
		default:
			i += n
		}
	}
	out.WriteString(plain(b[from : len(b)-1]))
	return out.String(), nil
}

func mayHoldHalf(b []byte) bool {
	return bytes.Contains(b, []byte(`\ud`)) || bytes.Contains(b, []byte(`\uD`))
}

// escape is the UTF-16 unit that a text starts with as an escape, 0 without one,
// and the bytes to go on by.
func escape(b []byte) (unit rune, n int) {
	if len(b) < 2 || b[0] != '\\' {
		return 0, 1
	}
	if b[1] != 'u' || len(b) < 6 {
		return 0, 2
	}
	v, err := strconv.ParseUint(string(b[2:6]), 16, 16)
	if err != nil {
		return 0, 2
	}
	return rune(v), 6
}

func isHigh(r rune) bool { return r >= 0xD800 && r < 0xDC00 }
func isLow(r rune) bool  { return r >= 0xDC00 && r < 0xE000 }

// plain decodes a part of a string that was decoded once, so that it cannot fail.
func plain(part []byte) string {
	var s string
	_ = json.Unmarshal(append(append([]byte{'"'}, part...), '"'), &s)
	return s
}

// half is a lone half in the three bytes that UTF-8 would give its number.
func half(r rune) string {
	return string([]byte{0xE0 | byte(r>>12), 0x80 | byte(r>>6)&0x3F, 0x80 | byte(r)&0x3F})
}

// joined puts halves that met together; one that stayed alone is U+FFFD.
func joined(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	var out strings.Builder
	for s != "" {
		first, n := halfAt(s)
		if n == 0 {
			_, size := utf8.DecodeRuneInString(s)
			out.WriteString(s[:size])
			s = s[size:]
			continue
		}
		second, m := halfAt(s[n:])
		r := utf16.DecodeRune(first, second)
		if r == utf8.RuneError {
			m = 0
		}
		out.WriteRune(r)
		s = s[n+m:]
	}
	return out.String()
}

// halfAt is the half that s starts with, and its length, 0 without one.
func halfAt(s string) (rune, int) {
	if len(s) < 3 || s[0] != 0xED || s[1] < 0xA0 {
		return 0, 0
	}
	return 0xD000 | rune(s[1]&0x3F)<<6 | rune(s[2]&0x3F), 3
}

// held is the first half of a character that a watcher is not shown before the
// second came.
type held string

// show is the text to show for the next piece.
func (h *held) show(s string) string {
	s = string(*h) + s
	*h = ""
	if n := len(s) - 3; n >= 0 {
		if r, _ := halfAt(s[n:]); isHigh(r) {
			s, *h = s[:n], held(s[n:])
		}
	}
	return joined(s)
}

// wellFormed replaces what a strict reader of JSON refuses in a text that Go takes:
// escapes that are half a character, and bytes that are no UTF-8.
func wellFormed(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if !mayHoldHalf([]byte(s)) {
		return s
	}
	b, from := []byte(s), 0
	var out strings.Builder
	for i := 0; i < len(b); {
		unit, n := escape(b[i:])
		next, _ := escape(b[min(i+n, len(b)):])
		switch {
		case isHigh(unit) && isLow(next):
			i += 2 * n
		case isHigh(unit) || isLow(unit):
			out.WriteString(s[from:i] + `\ufffd`)
			i += n
			from = i
		default:
			i += n
		}
	}
	return out.String() + s[from:]
}
