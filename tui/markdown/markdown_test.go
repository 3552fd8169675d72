package markdown_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tenet/tui/markdown"
	"tenet/tui/text"
	"tenet/tui/theme"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
	"pgregory.net/rapid"
)

func draw(s string, w int) []string {
	th, _ := theme.Named("mono")
	p := markdown.New(th, w)
	p.Set(s)
	return p.Lines()
}

// The tests have no terminal: styles paint nothing, and what a style would say is said
// by the signs of the source.
func TestBlocks(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"paragraphs", "one two\nthree\n\nfour", "one two\nthree\n\nfour"},
		{"wrapped", "one two three four five", "one two three four\nfive"},
		{"headings", "# One\ntext\n## *Two*\nmore", "# One\ntext\n\n## *Two*\nmore"},
		{"underlined heading", "One\n===\ntext", "# One\ntext"},
		{"emphasis keeps its signs without styles", "a **b** *c* ~~d~~ `e f`", "a **b** *c* ~~d~~ `e\nf`"},
		{"list", "- a\n- b\n  - c\n  - d\n- e", "• a\n• b\n  • c\n  • d\n• e"},
		{"loose list", "- a\n\n- b", "• a\n\n• b"},
		{"numbers go on", "1. a\n1. b\n1. c", "1. a\n2. b\n3. c"},
		{"numbers begin where they say", "4) a\n5) b", "4) a\n5) b"},
		{"numbers go on after what belongs to an item", "1. a\n\n   more\n2. b", "1. a\n\n   more\n2. b"},
		{"numbers begin anew", "1. a\n\ntext\n\n1. b", "1. a\n\ntext\n\n1. b"},
		{"a year begins no list", "born in\n1984. What", "born in\n1984. What"},
		{"tasks", "- [ ] a\n- [x] **b** c\n1. [X] d", "☐ a\n☑ **b** c\n1. ☑ d"},
		{"item wraps under its text", "- one two three four five", "• one two three four\n  five"},
		{"quote", "> one two three four five\n> - six", "│ one two three four\n│ five\n│ • six"},
		{"fence", "```go\nfunc main() {}\n\n\tx := \"a\" // b\n```\nend", "  func main() {}\n\n      x := \"a\" // b\n\nend"},
		{"fence in a list", "- a\n  ```sh\n  ls -l\n  ```\n- b", "• a\n    ls -l\n• b"},
		{"open fence", "~~~\ncode\n- x", "  code\n  - x"},
		{"indented code", "a\n\n    code  here", "a\n\n  code  here"},
		{"link", "see [the docs](https://a.b/c) now", "see the docs\n(https://a.b/c) now"},
		{"bare link once", "<https://a.b/c> [https://a.b](https://a.b)", "https://a.b/c\nhttps://a.b"},
		{"image", "![a cat](c.png)", "[image: a cat] c.png"},
		{"definition is shown", "[a]: http://x.y\n\n[a]", "[a]: http://x.y\n\n[a]"},
		{"rule", "a\n\n---\n\nb", "a\n\n────────────────────\n\nb"},
		{"html is text", "<b>x</b> y\n\n<div>\nz\n</div>", "<b>x</b> y\n\n<div>\nz\n</div>"},
		{"entities and escapes", `a &amp; \*b\* &lt;`, "a & *b* <"},
		{"hard break", "a  \nb", "a\nb"},
		{"table", "| a | b |\n|---|--:|\n| one | 2 |\n| x |", "a   │ b\n────┼──\none │ 2\nx   │  "},
		{"table that must shrink", "|name|what\n|-|-\n|a|one two three four five six", "name │ what\n─────┼──────────────\na    │ one two three\n     │ four five six"},
		{"table without room", "a|b|c|d|e|f\n-|-|-|-|-|-\none|two|three|four|five|six", "a: one\nb: two\nc: three\nd: four\ne: five\nf: six"},
		{"bar in a cell", "a|b\n-|-\n`x|y`|p\\|q", "a     │ b\n──────┼────\n`x|y` │ p|q"},
		{"too many cells", "a|b\n-|-\n1|2|3", "a │ b\n──┼──────\n1 │ 2 | 3"},
		{"no table", "a | b\nc | d", "a | b\nc | d"},
		{"hostile", "\x1b[31ma\x1b]52;c;x\a &#27;[2J &#8238;b", "a [2J b"},
		{"hostile address", "[x](http://a&#10;b&#x202e;c)", "x (http://a bc)"},
	} {
		if got := strings.Join(draw(c.in, 20), "\n"); got != c.want {
			t.Errorf("%s:\n%s\n--- want\n%s", c.name, got, c.want)
		}
	}
}

const sample = `# Plan

Here is what I **found**, and what *to do*:

1. Read ` + "`core/gate`" + ` and [the page](https://example.org/a).
2. Change it:
   - first this
   - then that

` + "```go\n// Gate says it.\nfunc Gate(s string) error {\n\tif s == \"\" {\n\t\treturn fmt.Errorf(`no %d`, 12)\n\t}\n\t/* more\n\tlines */\n\treturn nil\n}\n```" + `

| file | lines | why |
|:-----|------:|-----|
| core/gate/gate.go | 120 | the pipeline, which asks in the order of the stages |
| core/rules | 4 | 日本語 |

> A quotation of *two*
> lines.

- [x] done
- [ ] open

The end & so on.
`

// However a text arrives it has the same lines.
func TestStreamingGivesTheSameLines(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		src := sample
		if rapid.Bool().Draw(r, "random") {
			src = strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 40).Draw(r, "pieces"), "")
		}
		w := rapid.IntRange(1, 100).Draw(r, "width")
		whole := draw(src, w)
		th, _ := theme.Named("dark")
		p := markdown.New(th, w)
		for at := 0; at < len(src); {
			n := min(rapid.IntRange(1, 60).Draw(r, "delta"), len(src)-at)
			p.Append(src[at : at+n])
			at += n
			if rapid.Bool().Draw(r, "look") {
				p.Lines()
			}
		}
		if got := p.Lines(); !slices.Equal(got, whole) {
			r.Fatalf("of %q at %d, streamed:\n%s\n--- at once\n%s", src, w, strings.Join(got, "\n"), strings.Join(whole, "\n"))
		}
		for _, l := range whole {
			if text.Width(l) > w || strings.ContainsAny(ansi.Strip(l), "\n\x1b\r\t") {
				r.Fatalf("a line for %d cells: %q", w, l)
			}
		}
	})
}

var pieces = []string{
	"# t\n", "text ", "\n", "\n\n", "- a\n", "  - b\n", "1. c\n", "    code\n", "```go\n", "```\n", "~~~\n", "> q\n", "| a | b |\n", "|---|---|\n", "---\n", "**b** ", "*", "`", "[x](y) ",
	"<div>\n", "日本語", "🇺🇸", "\x1b[31m", "\r", "\t", "e\u0301", "   ", "-", "10) d\n", "long words in a line that goes on and on and on and on\n", "\xff", "&#27;", "~~s~~", "\\", "===\n",
}

// The work for a stream grows with its length: of 50-byte deltas, each drawn, every byte
// is parsed a bounded number of times (case tui-008).
func TestTheWorkForAStreamIsLinear(t *testing.T) {
	fence := "```go\n" + strings.Repeat("\tx := f(y) // note\n", 1200) + "```\n"
	for name, unit := range map[string]string{
		"mixed": sample, "one fence": fence, "one paragraph": strings.Repeat("words without an end ", 200), "lines": strings.Repeat("a line of words\n", 200),
		"one list": strings.Repeat("- an item of a list with some words\n", 100), "one table": "|a|b|\n|-|-|\n" + strings.Repeat("| cell | another |\n", 300), "quote": strings.Repeat("> quoted words\n", 300),
	} {
		work := func(size int) float64 {
			src := strings.Repeat(unit, size/len(unit)+1)[:size]
			th, _ := theme.Named("dark")
			p := markdown.New(th, 80)
			for at := 0; at < len(src); at += 50 {
				p.Append(src[at:min(at+50, len(src))])
				p.Lines()
			}
			return float64(p.Parsed()) / float64(size)
		}
		one, four := work(20<<10), work(60<<10)
		if four > 1.5*one+1 || four > 140 {
			t.Errorf("%s: each byte is parsed %.1f times of 20 KiB and %.1f times of 60 KiB", name, one, four)
		}
		t.Logf("%s: %.1f, %.1f", name, one, four)
	}
}

func TestSetGoesOnFromWhatWasThere(t *testing.T) {
	th, _ := theme.Named("mono")
	p := markdown.New(th, 40)
	p.Set(sample[:200])
	p.Lines()
	before := p.Parsed()
	p.Set(sample[:210])
	if did := p.Parsed() - before; did > 100 {
		t.Errorf("ten more bytes took parsing %d", did)
	}
	p.Set("other")
	if got := p.Lines(); !slices.Equal(got, []string{"other"}) {
		t.Errorf("a new text drew %q", got)
	}
}

// With colours, a line has its styles to itself and what is told apart has other ones.
func TestCodeIsHighlighted(t *testing.T) {
	lipgloss.SetColorProfile(termenv.TrueColor)
	defer lipgloss.SetColorProfile(termenv.Ascii)
	th, _ := theme.Named("dark")
	for _, c := range []struct{ lang, in, word, str, number, comment string }{
		{"go", "return \"a\\\"b\" + 12 // c", "return", `"a\"b"`, "12", "// c"},
		{"python", "if x == 'a': # c 1.5", "if", "'a'", "", "# c 1.5"},
		{"ts", "const a = `x` /* c */ + 0x1f", "const", "`x`", "0x1f", "/* c */"},
		{"bash", "for i in a; do echo \"b\" 3; done # c", "for", `"b"`, "3", "# c"},
		{"rust", "let a: &'static str = \"b\"; // c", "let", `"b"`, "", "// c"},
		{"c", "int a = 'b' + 7; /* c */", "int", "'b'", "7", "/* c */"},
		{"json", `{"a": true, "b": 1.5}`, "true", `"a"`, "1.5", ""},
		{"yaml", "key: 'v' # c", "key", "'v'", "", "# c"},
	} {
		p := markdown.New(th, 80)
		p.Set("```" + c.lang + "\n" + c.in + "\n```\n")
		got := strings.Join(p.Lines(), "\n")
		if ansi.Strip(got) != "  "+c.in {
			t.Errorf("%s: the text became %q", c.lang, ansi.Strip(got))
		}
		for part, style := range map[string]lipgloss.Style{c.word: th.Keyword, c.str: th.String, c.number: th.Number, c.comment: th.Comment} {
			if part != "" && !strings.Contains(got, theme.InkOf(style).Paint(part)) {
				t.Errorf("%s: %s is not painted in %q", c.lang, part, got)
			}
		}
	}
	p := markdown.New(th, 80)
	p.Set("```go\n/* a\nfunc b */ func\n```")
	if l := p.Lines(); !strings.Contains(l[1], theme.InkOf(th.Comment).Paint("func b */")) {
		t.Errorf("a comment over lines: %q", l)
	}
}

// Nothing of these takes long or breaks a line: nested without end, open signs, one sign.
func TestHostileShapes(t *testing.T) {
	for _, s := range []string{
		strings.Repeat(">", 3000) + " x", strings.Repeat("- ", 2000) + "x", strings.Repeat("[", 5000), strings.Repeat("*a ", 3000), strings.Repeat("`", 5001) + "a",
		strings.Repeat("|", 4000) + "\n" + strings.Repeat("|-", 2000), strings.Repeat("<", 5000), strings.Repeat("![", 3000), strings.Repeat("~~", 3000),
		"```go\n" + strings.Repeat(`"\"`, 3000), strings.Repeat("a\u0301", 5000), strings.Repeat("#", 5000), strings.Repeat("1. ", 2000), strings.Repeat("<a ", 2000), strings.Repeat("&", 9000),
		strings.Repeat("  - a\n    - b\n", 1000), strings.Repeat("\\", 9000), strings.Repeat("<!--", 2000), strings.Repeat("***", 3000) + "x", strings.Repeat("_a", 4000),
	} {
		for _, w := range []int{1, 7, 80} {
			for _, l := range draw(s, w) {
				if text.Width(l) > w {
					t.Fatalf("%.20q at %d: %q", s, w, l)
				}
			}
		}
	}
}

func BenchmarkCold10K(b *testing.B) {
	src := strings.Repeat(sample, 10<<10/len(sample)+1)[:10<<10]
	th, _ := theme.Named("dark")
	lipgloss.SetColorProfile(termenv.TrueColor)
	defer lipgloss.SetColorProfile(termenv.Ascii)
	b.ReportAllocs()
	for b.Loop() {
		p := markdown.New(th, 100)
		p.Set(src)
		p.Lines()
	}
}

func BenchmarkStream20K(b *testing.B) {
	src := strings.Repeat(sample, 20<<10/len(sample)+1)[:20<<10]
	th, _ := theme.Named("dark")
	b.ReportAllocs()
	for b.Loop() {
		p := markdown.New(th, 100)
		for at := 0; at < len(src); at += 50 {
			p.Append(src[at:min(at+50, len(src))])
			p.Lines()
		}
	}
}

func ExamplePage() {
	th, _ := theme.Named("mono")
	p := markdown.New(th, 30)
	p.Append("Two *things*:\n- one\n- tw")
	p.Append("o\n")
	fmt.Println(strings.Join(p.Lines(), "\n"))
	// Output:
	// Two *things*:
	// • one
	// • two
}
