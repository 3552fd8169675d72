package diff_test

import (
	"strings"
	"testing"

	diff "tenet/tui/diffview"
	"tenet/tui/text"
	"tenet/tui/theme"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
	"pgregory.net/rapid"
)

const sample = `--- a/src/slug.sh
+++ b/src/slug.sh
@@ -5,4 +5,5 @@
 	printf '%s' "$*" |
-	tr -c '[:alnum:]' '-'
+	tr -cs '[:alnum:]' '-' |
+	sed 's/^-//; s/-$//'
 }
 
@@ -20,2 +21,2 @@
--- a comment
+-- the comment
 end
\ No newline at end of file
`

func mono() *theme.Theme {
	th, _ := theme.Named("mono")
	return th
}

func TestUnified(t *testing.T) {
	want := `--- a/src/slug.sh
+++ b/src/slug.sh
@@ -5,4 +5,5 @@
 5       printf '%s' "$*" |
 6 -     tr -c '[:alnum:]' '-'
 6 +     tr -cs '[:alnum:]' '-' |
 7 +     sed 's/^-//; s/-$//'
 8   }
 9   
@@ -20,2 +21,2 @@
20 - -- a comment
21 + -- the comment
22   end
\ No newline at end of file`
	if got := strings.Join(diff.Unified(sample, 60, mono()), "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestSideBySide(t *testing.T) {
	got := diff.SideBySide(sample, 69, mono())
	want := []string{
		" 5       printf '%s' \"$*\" |       │  5       printf '%s' \"$*\" |",
		" 6 -     tr -c '[:alnum:]' '-'    │  6 +     tr -cs '[:alnum:]' '-' |",
		"                                  │  7 +     sed 's/^-//; s/-$//'",
		" 7   }                            │  8   }",
	}
	if s := strings.Join(got[3:7], "\n"); s != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", s, strings.Join(want, "\n"))
	}
	if wide := diff.Lines(sample, diff.SideWidth, mono()); !strings.Contains(wide[4], "│") {
		t.Errorf("at %d cells it is not side by side: %q", diff.SideWidth, wide[4])
	}
	if thin := diff.Lines(sample, diff.SideWidth-1, mono()); strings.Contains(thin[4], "│") {
		t.Errorf("below %d cells it is side by side: %q", diff.SideWidth, thin[4])
	}
}

// A head that says line 0 of lines that are there tells that nobody knows where they are.
func TestLinesWithoutAPlaceHaveNoNumbers(t *testing.T) {
	got := diff.Unified("@@ -0,1 +0,2 @@\n-a\n+b\n+c\n", 40, mono())
	if want := "  - a\n  + b\n  + c"; strings.Join(got, "\n") != want {
		t.Errorf("%q", got)
	}
}

func TestCountsAndNames(t *testing.T) {
	if plus, minus := diff.Count(sample); plus != 3 || minus != 2 {
		t.Errorf("+%d -%d", plus, minus)
	}
	for d, want := range map[string]string{sample: "src/slug.sh", "--- a/x\n+++ /dev/null\n(an empty file)\n": "x", "--- /dev/null\n+++ b/y\n@@ -0,0 +1 @@\n+a\n": "y", "no diff": ""} {
		if got := diff.Path(d); got != want {
			t.Errorf("Path(%q) = %q", d, got)
		}
	}
}

func TestWhatIsLeftOutIsCounted(t *testing.T) {
	lines := diff.Unified(sample, 60, mono())
	got := diff.Bounded(lines, 5, 60, mono())
	if len(got) != 5 || got[4] != "… 10 lines more" || lines[4] == got[4] {
		t.Errorf("%q", got)
	}
	if all := diff.Bounded(lines, len(lines), 60, mono()); len(all) != len(lines) {
		t.Errorf("%d of %d lines", len(all), len(lines))
	}
}

// Within a changed line the words that differ are marked, whole, and only where the
// lines have the rest in common.
func TestChangedWordsAreMarked(t *testing.T) {
	lipgloss.SetColorProfile(termenv.TrueColor)
	defer lipgloss.SetColorProfile(termenv.Ascii)
	th, _ := theme.Named("dark")
	word := theme.InkOf(th.AddedWord)
	for _, c := range []struct{ old, next, mark string }{
		{"return oldName(a)", "return newName(a)", "newName"},
		{"a b c", "a bb c", "bb"},
		{"größe = 1", "großer = 1", "großer"},
		{"completely other", "nothing shared", ""},
		{"same text, end", "same text, end and more", " and more"},
	} {
		d := "@@ -1 +1 @@\n-" + c.old + "\n+" + c.next + "\n"
		lines := diff.Unified(d, 80, th)
		last := lines[len(lines)-1]
		if c.mark != "" && !strings.Contains(last, word.Paint(c.mark)) {
			t.Errorf("%q to %q: %q is not marked in %q", c.old, c.next, c.mark, last)
		}
		if c.mark == "" && strings.Contains(last, strings.TrimSuffix(word.Paint("x"), "x\x1b[0m")) {
			t.Errorf("%q to %q: something is marked in %q", c.old, c.next, last)
		}
		if ansi.Strip(last) != "1 + "+c.next {
			t.Errorf("the line became %q", ansi.Strip(last))
		}
	}
}

// Any text at any width keeps the geometry and loses no line.
func TestAnyDiffAtAnyWidth(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		d := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{
			"--- a/x\n", "+++ b/x\n", "@@ -1,3 +1,4 @@\n", "@@ -9999999 +1,0 @@\n", "@@ x @@\n", "@@ -1,99999999999999999999 +1 @@\n", "+new line of words\n", "-old line of words\n", " same\n", "\n",
			"\\ No newline\n", "+日本語\x1b[31m\u202e\n", "-\ttab\n", "--- -\n", "… 5 of 9\n", "+" + strings.Repeat("x", 300) + "\n",
		}), 0, 30).Draw(r, "lines"), "")
		w := rapid.IntRange(1, 200).Draw(r, "width")
		for _, lines := range [][]string{diff.Unified(d, w, mono()), diff.SideBySide(d, w, mono()), diff.Lines(d, w, mono())} {
			for _, l := range lines {
				if text.Width(l) > w || strings.ContainsAny(l, "\n\x1b\t") {
					r.Fatalf("of %q at %d: %q", d, w, l)
				}
			}
		}
	})
}

func BenchmarkUnified1000(b *testing.B) {
	d := "@@ -1,1000 +1,1000 @@\n" + strings.Repeat(" same line\n-return oldName(a)\n+return newName(a)\n", 334)
	for b.Loop() {
		diff.Unified(d, 100, mono())
	}
}
