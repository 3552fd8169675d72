package text_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"tenet/tui/text"

	"github.com/charmbracelet/x/ansi"
)

func TestCleanLeavesWhatEveryTerminalDrawsAlike(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"plain", "go test\nok", "go test\nok"},
		{"colours", "\x1b[31mred\x1b[0m", "red"},
		{"clipboard", "a\x1b]52;c;aGk=\ab", "ab"},
		{"title, ended by ST", "a\x1b]0;x\x1b\\b", "ab"},
		{"device string", "a\x1bPq#0\x1b\\b", "ab"},
		{"8-bit controls", "a\u009b31mb\u009d0;x\u009cc", "abc"},
		{"a string that never ends hides nothing", "a\x1b]0;rm -rf\nnext", "a0;rm -rf\nnext"},
		{"charset", "a\x1b(Bb\x1bcd", "abd"},
		{"cut sequence", "a\x1b[31", "a"},
		{"escape at the end", "a\x1b", "a"},
		{"progress", "10%\r20%\r100%\ndone", "100%\ndone"},
		{"CRLF", "a\r\nb\r\r\n", "a\nb\n"},
		{"overstrike", "b\bbo\bo", "bo"},
		{"tab", "a\tb\n\tc", "a   b\n    c"},
		{"tab after a wide rune", "日本語\tb", "日本語  b"},
		{"flag", "🇺🇸 🇪", "[US] [E]"},
		{"keycap", "1️⃣", "1"},
		{"skin tone", "👍🏽", "👍"},
		{"joined", "👩‍💻", "👩💻"},
		{"presentation", "⚠️❤️", "⚠❤"},
		{"bidi override", "a\u202eb\u2066c\u200f", "abc"},
		{"zero width", "a\u200bb\ufeffc\u00ad", "abc"},
		{"other spaces", "a\u00a0b\u2003c\u3000d", "a b c  d"},
		{"line ends of others", "a\u2028b\u0085c\fd", "a\nb\nc d"},
		{"mark on nothing", "\u0301a", "◌\u0301a"},
		{"too many marks", "a" + strings.Repeat("\u0301", 100), "a" + strings.Repeat("\u0301", 4)},
		{"Korean that was taken apart", "\u1100\u1161\u11a8", "각"},
		{"right to left stays", "שלום مرحبا", "שלום مرحبا"},
		{"no UTF-8", "a\xffb", "a\ufffdb"},
		{"unassigned and private", "\U000e0fff\U0010ffff\U000f0000\ue0b0", "\ufffd\ufffd\ue0b0"},
		{"NUL and bell", "a\x00\a\x7fb", "ab"},
	} {
		if got := text.Clean(c.in); got != c.want {
			t.Errorf("%s: Clean(%q) = %q, want %q", c.name, c.in, got, c.want)
		}
	}
}

// Texts that a scan which starts again at each character would take hours for.
func TestLongTextsAreLinear(t *testing.T) {
	if got := text.Clean(strings.Repeat("\x1b]", 200_000)); got != "" {
		t.Errorf("%d bytes are left of introducers alone", len(got))
	}
	if got := text.Clean(strings.Repeat("x", 200_000) + strings.Repeat("\b", 200_000)); got != "" {
		t.Errorf("%d bytes are left that backspaces took away", len(got))
	}
	for _, s := range []string{"\u1100", "a\u0301", "\u0915\u094d", "\u0600", "\u0d4e", "日", "\u0903", "x "} {
		long := text.Clean(strings.Repeat(s, 200_000))
		for _, line := range text.Wrap(long, 80) {
			fits(t, line, 80)
		}
		fits(t, text.Pad(long, 80), 80)
	}
}

// Every character that Clean keeps has one width: the emulator's, the renderer's and ours.
func TestEveryKeptRuneHasOneWidth(t *testing.T) {
	for r := rune(' '); r <= unicode.MaxRune; r++ {
		if !utf8.ValidRune(r) {
			continue
		}
		s := text.Clean("x" + string(r) + "y")
		w := text.Width(s)
		if strings.Contains(s, "\n") || unicode.Is(unicode.Mc, r) || prepended(r) {
			continue
		}
		if joins := r == 0xe33 || r == 0xeb3 || r == 0xff9e || r == 0xff9f; joins && w == 3 {
			continue // vowels and marks that some terminals draw in a cell of their own
		}
		if w != ansi.StringWidth(s) || w > 6 {
			t.Errorf("%U: %q has %d cells, the renderer counts %d", r, s, w, ansi.StringWidth(s))
		}
	}
}

// prepended are letters that join the one after them: terminals differ, we take the sum.
func prepended(r rune) bool {
	return ansi.StringWidth(string(r)+"y") != ansi.StringWidth(string(r))+1
}

func TestWidth(t *testing.T) {
	for s, want := range map[string]int{
		"": 0, "abc": 3, "日本": 4, "e\u0301": 1, "\x1b[1mab\x1b[0m": 2, "👍": 2, "кириллица": 9, "नमस्ते": 4, "नि": 2, "ำ": 1,
	} {
		if got := text.Width(s); got != want {
			t.Errorf("Width(%q) = %d, want %d", s, got, want)
		}
	}
}

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		in   string
		w    int
		want []string
	}{
		{"", 5, []string{""}},
		{"one two three", 7, []string{"one two", "three"}},
		{"one two three", 8, []string{"one two", "three"}},
		{"one  two", 4, []string{"one", "two"}},
		{"abcdefgh", 3, []string{"abc", "def", "gh"}},
		{"a abcdefgh", 4, []string{"a", "abcd", "efgh"}},
		{"a\n\nb", 4, []string{"a", "", "b"}},
		{"  indented words here", 11, []string{"  indented", "words here"}},
		{"日本語です", 4, []string{"日本", "語で", "す"}},
		{"ab日本", 5, []string{"ab日", "本"}},
		{"日", 1, []string{"…"}},
		{"x", 0, []string{""}},
		{"\x1b[1mone two\x1b[0m", 3, []string{"\x1b[1mone\x1b[0m", "\x1b[1mtwo\x1b[0m"}},
		{"a \x1b[1mbcd\x1b[0me", 4, []string{"a", "\x1b[1mbcd\x1b[0me"}},
	} {
		if got := text.Wrap(c.in, c.w); !slices.Equal(got, c.want) {
			t.Errorf("Wrap(%q, %d) = %q, want %q", c.in, c.w, got, c.want)
		}
	}
}

func TestCutPadBlock(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{text.Cut("abcdef", 4), "abc…"},
		{text.Cut("abcd", 4), "abcd"},
		{text.Cut("ab\ncd", 4), "ab…"},
		{text.Cut("abcd\ne", 4), "abc…"},
		{text.Cut("日本語", 4), "日…"},
		{text.Cut("日本", 4), "日本"},
		{text.Cut("日本語", 1), "…"},
		{text.Cut("x", 0), ""},
		{text.Cut("\x1b[1mabcdef\x1b[0m", 3), "\x1b[1mab…\x1b[0m"},
		{text.CutFront("/a/long/path", 6), "…/path"},
		{text.CutFront("abc", 3), "abc"},
		{text.CutFront("日本語", 4), "…語"},
		{text.Pad("ab", 4), "ab  "},
		{text.Pad("日本語", 4), "日… "},
		{text.Block("a\nbcd\ne", 2, 2), "a \nb…"},
		{text.Block("a", 2, 3), "a \n  \n  "},
		{text.Block("a", 0, 2), "\n"},
		{text.Block("a", 3, 0), ""},
		{text.Line("  a\n\t b \x1b[1mc "), "a b c"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}
