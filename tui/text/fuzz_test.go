package text_test

import (
	"strings"
	"testing"
	"unicode"

	"tenet/tui/text"

	"github.com/charmbracelet/x/ansi"
)

// hostile are texts that broke frames of others.
var hostile = []string{
	"", "plain", "a\tb\r\nc", "\x1b[31mred\x1b[0m \x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "日本語 العربية עברית", "🇺🇸👩‍👩‍👧‍👦👍🏽1️⃣⚠️",
	"\u202e\u2066\u200b\ufeff\u0301\u0301", "\x00\x07\b\b\x9b31m\xff\xc3", "नमस्ते க்ஷ ນ້ຳ ﷽", strings.Repeat("\u0301", 50), "각ᅡᆨ", "\u0600\u06dd1\U000110bd2", "a\x1b[0m b\x1b[1mc",
}

func FuzzClean(f *testing.F) {
	for _, s := range hostile {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		c := text.Clean(s)
		if again := text.Clean(c); again != c {
			t.Fatalf("Clean(%q) = %q, and again %q", s, c, again)
		}
		for _, r := range c {
			if r != '\n' && unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || unicode.Is(unicode.Variation_Selector, r) {
				t.Fatalf("Clean(%q) holds %U", s, r)
			}
		}
		if l := text.Line(s); strings.Contains(l, "\n") || text.Line(l) != l {
			t.Fatalf("Line(%q) = %q", s, l)
		}
	})
}

func FuzzLayout(f *testing.F) {
	for i, s := range hostile {
		f.Add(s, i*3%17, i%5)
	}
	f.Fuzz(func(t *testing.T, s string, w, h int) {
		w, h = min(max(w, -2), 300), min(max(h, -2), 50)
		for _, styled := range []string{text.Clean(s), "\x1b[1;31m" + strings.ReplaceAll(text.Clean(s), "\n", "\x1b[0m\n\x1b[4m") + "\x1b[0m"} {
			for _, line := range text.Wrap(styled, w) {
				fits(t, line, w)
			}
			fits(t, text.Cut(styled, w), w)
			block := text.Block(styled, w, h)
			if h < 1 {
				continue
			}
			lines := strings.Split(block, "\n")
			if len(lines) != h {
				t.Fatalf("a block of %d lines has %d", h, len(lines))
			}
			for _, line := range lines {
				fits(t, line, w)
				if text.Width(line) != max(w, 0) {
					t.Fatalf("a line of a block of %d cells has %d: %q", w, text.Width(line), line)
				}
			}
		}
		if got := ansi.Strip(strings.Join(text.Wrap(text.Clean(s), max(w, 4)), "")); letters(got) != letters(text.Clean(s)) {
			t.Fatalf("Wrap(%q, %d) lost something: %q", text.Clean(s), w, got)
		}
	})
}

func letters(s string) string {
	return strings.NewReplacer(" ", "", "\n", "").Replace(s)
}

// fits: within w by our measure and by the renderer's, one line, no style left on.
func fits(t *testing.T, line string, w int) {
	t.Helper()
	if strings.Contains(line, "\n") || text.Width(line) > max(w, 0) || ansi.StringWidth(line) > max(w, 0) {
		t.Fatalf("a line for %d cells has %d: %q", w, text.Width(line), line)
	}
	if i := strings.LastIndex(line, "\x1b["); i >= 0 && !strings.HasPrefix(line[i:], "\x1b[0m") {
		t.Fatalf("a style stays on after %q", line)
	}
}

func BenchmarkClean(b *testing.B) {
	s := strings.Repeat("\x1b[32mok\x1b[0m  \ttenet/core/gate\t0.31s 日本\n", 100)
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		text.Clean(s)
	}
}

func BenchmarkWrap(b *testing.B) {
	s := strings.Repeat("some words of a sentence, \x1b[1mbold\x1b[0m and längér ones, ", 100)
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		text.Wrap(s, 78)
	}
}
