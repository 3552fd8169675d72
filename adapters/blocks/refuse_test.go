package blocks

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tenet/core/doc"
)

// TestRefusals: no block, the reason, and which line to name instead.
func TestRefusals(t *testing.T) {
	goText := "package a\n\nfunc f() {\n\tx := 1\n\tif x > 0 {\n\t\tx++\n\t}\n}\n\nfunc g() {\n\treturn\n}\n"
	for _, c := range []struct {
		name, path, text string
		line             int64
		says             []string
	}{
		{"closing line", "a.go", goText, 7, []string{"line 7 closes", "opens on line 5 (5 to 7)", "next opens on line 10 (10 to 12)"}},
		{"bare line", "a.go", goText, 4, []string{"line 4 is a whole statement", "around it opens on line 3 (3 to 8)", "next opens on line 5 (5 to 7)"}},
		{"blank line", "a.go", goText, 9, []string{"line 9 is blank", "next opens on line 10"}},
		{"past the end", "a.go", goText, 99, []string{"line 99 is not in a.go, which has 12 lines"}},
		{"before the start", "a.go", goText, 0, []string{"line 0 is not in a.go"}},
		{"empty file", "a.go", "", 1, []string{"line 1 is not in a.go, which has 0 lines"}},
		{"half-typed Go", "a.go", "package a\n\nfunc f() {\n\tif x {\n}\n", 3, []string{"a.go does not read as Go (line 5:", "give the lines as a range"}},
		{"open bracket", "a.js", "f(\ng()\n", 1, []string{"does not read as JavaScript (line 1: ( is never closed)"}},
		{"wrong bracket", "a.js", "f({\n)}\n", 1, []string{"line 2: ) does not close { of line 1"}},
		{"stray bracket", "a.js", "f()\n}\n", 1, []string{"line 2: } closes nothing"}},
		{"open string", "a.js", "x = 'a\nf(() => {\n})\n", 2, []string{"the string that ' opens is never closed"}},
		{"open comment", "a.c", "int f() {\n}\n/* x\n", 1, []string{"a comment is never closed"}},
		{"in a string", "a.js", "x = `\nfunction f() {\n}\n`\n", 2, []string{"line 2 lies inside a string that begins on line 1"}},
		{"mid line", "a.js", "x = [\n  {\n    a\n  }, {\n    b\n  }\n]\n", 2, []string{"ends in the middle of line 4", "around it opens on line 1 (1 to 7)"}},
		{"goes on", "a.js", "const a =\n  b(\n    1,\n  )\n", 2, []string{"line 2 goes on with the statement that begins on line 1", "belongs to opens on line 1 (1 to 4)"}},
		{"else", "a.rb", "if x\n  1\nelse\n  2\nend\n", 3, []string{"line 3 goes on with a block", "line 1 (1 to 5)"}},
		{"missing end", "a.rb", "class A\n  def f\n  end\n", 1, []string{"class is never closed"}},
		{"missing end in lua", "a.lua", "if x then\n  f()\n", 1, []string{"if is never closed"}},
		{"shell fi", "a.sh", "if x; then\n  y\nfi\n", 3, []string{"line 3 closes or goes on", "line 1 (1 to 3)"}},
		{"shell without fi", "a.sh", "if x; then\n  y\n", 1, []string{"does not read as shell (line 1:"}},
		{"python body", "a.py", "def f():\nx = 1\n", 1, []string{"line 2: an indented body was expected after line 1"}},
		{"python dedent", "a.py", "if x:\n        a\n    b\n", 1, []string{"line 3: the indentation fits no line above"}},
		{"python indent", "a.py", "a\n    b\n", 1, []string{"line 2: the indentation goes deeper"}},
		{"python end", "a.py", "def f():\n", 1, []string{"the body of the last line is missing"}},
		{"yaml tab", "a.yaml", "a:\n\tb: 1\n", 1, []string{"line 2: a tab indents it"}},
		{"html", "a.html", "<div>\n<p>x</p>\n", 1, []string{"<div> is never closed"}},
		{"html order", "a.html", "<div>\n<b>\n</div>\n</b>\n", 1, []string{"</div> does not close <b> of line 2"}},
		{"fence", "a.md", "```\nx\n", 1, []string{"the fence of line 1 is never closed"}},
		{"branches", "a.c", "#if A\nif (x) {\n#else\nif (y) {\n#endif\n}\n", 2, []string{"the conditional of lines 1 to 5 holds only a part"}},
		{"NUL", "a.js", "f(\x00)\n", 1, []string{"NUL"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, _, err := Of(c.path, []byte(c.text), c.line)
			if err == nil {
				t.Fatalf("%+v, want a refusal", s)
			}
			for _, say := range c.says {
				if !strings.Contains(err.Error(), say) {
					t.Errorf("it says\n%v\nwithout\n%s", err, say)
				}
			}
		})
	}
}

// TestNotes: an answer by indentation alone says so, and so does one whose brackets
// disagree with the indentation.
func TestNotes(t *testing.T) {
	for _, c := range []struct{ path, text, note string }{
		{"a.go", "package a\n\nfunc f() {\n}\n", ""},
		{"a.unknown", "x\n\nhead\n  body\n", "indentation only"},
		{"a.js", "x\n\nf(() => {\n  if (a) {\n  }\n    })\n", "indented otherwise"},
	} {
		if _, note, err := Of(c.path, []byte(c.text), 3); err != nil || (c.note == "") != (note == "") || !strings.Contains(note, c.note) {
			t.Errorf("%s: note %q, error %v; want %q", c.path, note, err, c.note)
		}
	}
}

func TestParses(t *testing.T) {
	for _, c := range []struct {
		path, text string
		ok, known  bool
	}{
		{"a.go", "package a\n", true, true},
		{"a.go", "package a\nfunc {", false, true},
		{"a.py", "def f():\n  pass\n", true, true},
		{"a.py", "def f():\npass\n", false, true},
		{"a.json", "{\"a\": [1]}\n", true, true},
		{"a.json", "{\"a\": [1}\n", false, true},
		{"a.sh", "if x; then y; fi\n", true, true},
		{"a.sh", "if x; then y\n", false, true},
		{"a.rs", "fn f<'a>() { let c = '}'; }\n", true, true},
		{"a.rs", "fn f() { \n", false, true},
		{"script", "#!/usr/bin/env python3\nif x:\n", false, true},
		{"a.txt", "(((", false, false},
		{"a.md", "(((", false, false},
		{"a.go", "package a\x00", false, false},
	} {
		if ok, known := Parses(c.path, []byte(c.text)); known != c.known || known && ok != c.ok {
			t.Errorf("Parses(%s, %q) = %v, %v, want %v, %v", c.path, c.text, ok, known, c.ok, c.known)
		}
	}
}

// paths has a name for each way of reading.
var paths = func() (out []string) {
	for ext := range extensions() {
		out = append(out, "f."+ext)
	}
	return append(out, "f.unknown", "f.go", "go.mod")
}()

var pieces = []string{
	"{", "}", "(", ")", "[", "]", "\n", "\n\n", "\n  ", "\n\t", "\n    ", "if (x) {", "} else {", "else", "x = 1;", "x", ",", ";", "'", "\"", "`",
	"/* ", " */", "// c", "# c", "#if A", "#else", "#endif", "#if 0", "def f():", "class A:", "class A", "end", "do", "if x", "while x", "<<~EOT", "EOT",
	"<div>", "</div>", "<br/>", "<p", ">", "<?php ", "?>", "${", "#{", "\\(", "\\", "case 1:", "default:", "@a", "template <T>", "- a", "key:", "  - b",
	"# H", "## H", "```", "> q", "| t |", "[a]", "'''", "\"\"\"", "R\"x(", ")x\"", "r#\"", "\"#", "[[", "]]", "--[[", "%w[", "/re/", ".then(", "=>", "for x in y; do",
	"done", "fi", "then", "case x in", "esac", "fn ->", "é", "\xff", "\r\n", "\x0c", "func f() {", "package a\n", "=begin", "=end", "__END__", "try:", "except:",
}

// anyText is a text of pieces that mean something to some language.
func anyText(rt *rapid.T) []byte {
	return []byte(strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 40).Draw(rt, "pieces"), rapid.SampledFrom([]string{"", " ", "\n"}).Draw(rt, "between")))
}

// TestBlocksNest: on any text in any language, a block begins on its line and ends in
// the text, two blocks are apart or one holds the other, and a block replaced by itself
// changes nothing.
func TestBlocksNest(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) { nests(rt, rapid.SampledFrom(paths).Draw(rt, "path"), anyText(rt)) })
}

// nests also says how many blocks it saw.
func nests(t rapid.TB, path string, text []byte) (seen int) {
	var all []doc.Span
	lines := doc.CountLines(text)
	tx, err := newText(path, text)
	if err != nil {
		return 0
	}
	g, err := languageOf(path, text).read(tx)
	if err != nil {
		return 0
	}
	for n := 1; n <= lines; n++ {
		s, err := g.block(n)
		if err != nil {
			continue
		}
		if s.From != int64(n) || s.To < s.From || s.To > int64(lines) {
			t.Fatalf("%s: the block of line %d is %+v of %d lines", path, n, s, lines)
		}
		all = append(all, s)
	}
	for i, a := range all {
		for _, b := range all[i+1:] {
			if b.From <= a.To && b.To > a.To {
				t.Fatalf("%s: %+v and %+v overlap\n%s", path, a, b, text)
			}
		}
	}
	return len(all)
}

// TestNestingInLanguages holds the same on every text of testdata.
func TestNestingInLanguages(t *testing.T) {
	for name, src := range sources(t) {
		if nests(t, name, src) == 0 {
			t.Errorf("%s has no block", name)
		}
	}
}

// TestNestingInBrokenTexts holds the same on texts of testdata that lost a line, got one
// twice or out of its place, or were cut off.
func TestNestingInBrokenTexts(t *testing.T) {
	all := sources(t)
	names := slices.Sorted(maps.Keys(all))
	rapid.Check(t, func(rt *rapid.T) {
		name := rapid.SampledFrom(names).Draw(rt, "name")
		lines := bytes.SplitAfter(all[name], []byte{'\n'})
		for range rapid.IntRange(1, 3).Draw(rt, "edits") {
			at, to := rapid.IntRange(0, len(lines)-1).Draw(rt, "at"), rapid.IntRange(0, len(lines)-1).Draw(rt, "to")
			switch rapid.IntRange(0, 2).Draw(rt, "edit") {
			case 0:
				lines = slices.Delete(slices.Clone(lines), at, at+1)
			case 1:
				lines = slices.Insert(slices.Clone(lines), to, lines[at])
			case 2:
				lines = lines[:max(1, to)]
			}
			if len(lines) == 0 {
				return
			}
		}
		nests(rt, name, bytes.Join(lines, nil))
	})
}

// FuzzOf: no text in any language panics or takes a wrong line.
func FuzzOf(f *testing.F) {
	for name, src := range sources(f) {
		f.Add(name, src)
	}
	f.Fuzz(func(t *testing.T, path string, text []byte) {
		if len(text) > 1<<12 {
			return
		}
		nests(t, path, text)
	})
}

// TestBoundedWork: texts made to be looked through again and again take no longer than
// work that grows with them can; the limit is what only work of another order passes.
func TestBoundedWork(t *testing.T) {
	const size, limit = 96 << 10, 4 * time.Second
	for _, piece := range []string{"(", "{", "'\\", "/[", "/*", "do ", "do end ", "\"'", "x,\n", "a\n", "<<A\n", "#if\n", "<a ", "<p>", "- a\n", " \n", "`${", "''", "|\n", "@a\n", "case 1:\n", "{\n}\n", "```\n", "if x:\n", "r#"} {
		text := bytes.Repeat([]byte(piece), size/len(piece))
		for _, path := range []string{"a.js", "a.tsx", "a.rs", "a.cpp", "a.rb", "a.py", "a.php", "a.html", "a.md", "a.yaml", "a.sh", "a.go", "a.lua", "a.x"} {
			begin := time.Now()
			Of(path, text, int64(doc.CountLines(text)/2+1))
			if d := time.Since(begin); d > limit {
				t.Errorf("%s of %q took %v", path, piece, d)
			} else if d > time.Second/2 {
				t.Logf("%s of %q took %v", path, piece, d)
			}
		}
	}
}
