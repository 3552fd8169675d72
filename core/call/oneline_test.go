package call_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"tenet/core/call"
)

// Each text, how many characters of it are wanted, and the line that it is.
func TestOneLine(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		max  int
		want string
	}{
		"short":                         {"ls -l", 10, "ls -l"},
		"as long as it may be":          {"12345", 5, "12345"},
		"longer":                        {"123456", 5, "12345…"},
		"wide characters count once":    {"日本語です", 3, "日本語…"},
		"line ends":                     {"a\nb\r\nc", 10, "a↵b↵c"},
		"a line end at the end":         {"a\n", 10, "a↵"},
		"a carriage return hides":       {"rm -rf /\rls", 20, `rm -rf /\x0dls`},
		"an escape sequence":            {"\x1b[2Jx", 20, `\x1b[2Jx`},
		"a line end that is no newline": {"a\u2028b\u0085c", 20, `a\u{2028}b\u{85}c`},
		"a bidi override":               {"a\u202eb", 20, `a\u{202e}b`},
		"no UTF-8":                      {"a\xff\xfeb", 3, `a\xff\xfe…`},
		"tabs stay":                     {"a\tb", 10, "a\tb"},
		"nothing":                       {"", 3, ""},
		"no room":                       {"abc", 0, "…"},
		"less than no room":             {"abc", -1, "…"},
	} {
		if got := call.OneLine(c.text, c.max); got != c.want {
			t.Errorf("%s: OneLine(%q, %d) is %q, want %q", name, c.text, c.max, got, c.want)
		}
	}
}

// Whatever the text and wherever it is cut, the line is one line of whole
// characters, and making it again changes nothing.
func TestOneLineIsOneLine(t *testing.T) {
	text := "a\r\n日\x1b[31m\u2028\u202e\xe6\x97b\r\u0085😀\x00\n"
	for max := range len(text) + 2 {
		got := call.OneLine(text, max)
		if strings.ContainsAny(got, "\r\n\x1b\u2028\u0085\u202e") || !utf8.ValidString(got) || call.OneLine(got, 1000) != got {
			t.Errorf("with %d: %q", max, got)
		}
	}
}
