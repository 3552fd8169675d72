package patch

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tenet/core/doc"
)

// What each operation does to a file.
func TestApply(t *testing.T) {
	for _, tt := range []struct{ about, ops, file, want string }{
		{"a range is replaced by any number of lines", "PUT 2.=3:\n+x\n+y\n+z", "a\nb\nc\nd\n", "a\nx\ny\nz\nd\n"},
		{"one line", "PUT 2:\n+x", "a\nb\nc\n", "a\nx\nc\n"},
		{"one line, as a range", "PUT 2.=2:\n+x", "a\nb\nc\n", "a\nx\nc\n"},
		{"before a line", "PUT <2:\n+x", "a\nb\n", "a\nx\nb\n"},
		{"after a line", "PUT >1:\n+x", "a\nb\n", "a\nx\nb\n"},
		{"at the start", "PUT <1:\n+x", "a\n", "x\na\n"},
		{"at the end", "PUT >$:\n+x", "a\n", "a\nx\n"},
		{"into an empty file", "PUT >$:\n+x", "", "x\n"},
		{"both ends of an empty file", "PUT >$:\n+b\nPUT <1:\n+a", "", "a\nb\n"},
		{"a blank line and leading blanks", "PUT >1:\n+\n+\t  x", "a\n", "a\n\n\t  x\n"},
		{"lines that begin with signs", "PUT >1:\n+- x\n++ y", "a\n", "a\n- x\n+ y\n"},
		{"deletion", "CUT 2.=3", "a\nb\nc\nd\n", "a\nd\n"},
		{"deletion of all", "CUT 1.=2", "a\nb\n", ""},
		{"numbers are of the old file, in any order", "PUT 4:\n+D\nCUT 2\nPUT <1:\n+0\nPUT >2:\n+B", "a\nb\nc\nd\n", "0\na\nB\nc\nD\n"},
		{"after a line stands before before the next", "PUT <2:\n+y\nPUT >1:\n+x", "a\nb\n", "a\nx\ny\nb\n"},
		{"two inserts at one place keep their order", "PUT >1:\n+x\nPUT >1:\n+y", "a\nb\n", "a\nx\ny\nb\n"},
		{"inserts on both sides of a replacement", "PUT 2.=3:\n+b\n+c\n+X\nPUT <2:\n+v\nPUT >3:\n+w", "a\nb\nc\nd\n", "a\nv\nb\nc\nX\nw\nd\n"},
		{"cut and paste", "CUT 1\nPUT >3", "a\nb\nc\n", "b\nc\na\n"},
		{"the cut may be read twice by its name", "CUT 1 @r\nPUT >2 @r\nPUT >$ @r", "a\nb\nc\n", "b\na\nc\na\n"},
		{"two lines trade places", "CUT 1 @a\nCUT 3 @c\nPUT <1 @c\nPUT >3 @a", "a\nb\nc\n", "c\nb\na\n"},
		{"paste over lines", "CUT 1 @r\nPUT 3 @r", "a\nb\nc\nd\n", "b\na\nd\n"},
		{"cuts between pastes", "CUT 1\nPUT >2\nCUT 3\nPUT >4", "a\nb\nc\nd\n", "b\na\nd\nc\n"},
		{"a new line takes the ending before it", "PUT >1:\n+x\nPUT >2:\n+y", "a\r\nb\nc\r\n", "a\r\nx\r\nb\ny\nc\r\n"},
		{"a line that stays in a replacement keeps its bytes", "PUT 1.=3:\n+a\n+x\n+c", "a\r\nb\nc\r\n", "a\r\nx\r\nc\r\n"},
		{"no ending at the end stays none", "PUT >$:\n+x", "a\nb", "a\nb\nx"},
		{"the mark stays", "PUT <1:\n+x", "\ufeffa\n", "\ufeffx\na\n"},
		{"a move with edits", "PUT 1:\n+x\nMV b.go", "a\n", "x\n"},
	} {
		r, p, err := apply(t, "[a.go#1A2B]\n"+tt.ops+"\n", tt.file)
		switch {
		case err != nil:
			t.Errorf("%s: %v", tt.about, err)
		case string(r[0].Bytes) != tt.want:
			t.Errorf("%s: %q, want %q", tt.about, r[0].Bytes, tt.want)
		case len(p.Warnings)+len(r[0].Warnings) > 0:
			t.Errorf("%s: %q %q", tt.about, p.Warnings, r[0].Warnings)
		}
	}
}

// Which lines of the new file a result names as changed.
func TestChanged(t *testing.T) {
	const file = "one\ntwo\nthree\nfour\nfive\n"
	for _, c := range []struct {
		ops, want string
		changed   []doc.Span
	}{
		{"PUT 2.=3:\n+x\n", "one\nx\nfour\nfive\n", []doc.Span{{From: 2, To: 2}}},
		{"PUT 1:\n+x\n+y\n", "x\ny\ntwo\nthree\nfour\nfive\n", []doc.Span{{From: 1, To: 2}}},
		{"PUT <1:\n+x\nPUT >$:\n+y\n", "x\none\ntwo\nthree\nfour\nfive\ny\n", []doc.Span{{From: 1, To: 1}, {From: 7, To: 7}}},
		{"PUT >2:\n+x\nPUT <3:\n+y\n", "one\ntwo\nx\ny\nthree\nfour\nfive\n", []doc.Span{{From: 3, To: 4}}},
		{"PUT <2:\n+x\nPUT 2:\n+y\nPUT >2:\n+z\n", "one\nx\ny\nz\nthree\nfour\nfive\n", []doc.Span{{From: 2, To: 4}}},
		{"CUT 1.=2\nPUT >5\n", "three\nfour\nfive\none\ntwo\n", []doc.Span{{From: 1, To: 1}, {From: 4, To: 5}}},
		{"CUT 4.=5 @a\nPUT <1 @a\nPUT 2.=3 @a\n", "four\nfive\none\nfour\nfive\n", []doc.Span{{From: 1, To: 2}, {From: 4, To: 5}}},
		{"PUT 2.=4:\n+two\n+x\n+four\n", "one\ntwo\nx\nfour\nfive\n", []doc.Span{{From: 3, To: 3}}},
		{"PUT 1:\n+x\nCUT 2.=5\n", "x\n", []doc.Span{{From: 1, To: 1}}},
		{"CUT 1.=5\n", "", nil},
		{"CUT 5\n", "one\ntwo\nthree\nfour\n", []doc.Span{{From: 4, To: 4}}},
	} {
		r, err := applyOne(t, c.ops, file)
		if err != nil || string(r.Bytes) != c.want || !slices.Equal(r.Changed, c.changed) {
			t.Errorf("%q gives %q changed %v (%v), want %q %v", c.ops, r.Bytes, r.Changed, err, c.want, c.changed)
		}
	}
}

// apply parses a patch and applies it to one file for each section.
func apply(t *testing.T, text string, files ...string) ([]Result, Patch, error) {
	t.Helper()
	p, err := Parse(text, "")
	if err != nil {
		return nil, p, err
	}
	texts := make([][]byte, len(files))
	for i, f := range files {
		texts[i] = []byte(f)
	}
	r, err := Apply(p, texts)
	return r, p, err
}

func applyOne(t *testing.T, ops, file string) (Result, error) {
	t.Helper()
	r, _, err := apply(t, header+ops, file)
	if err != nil {
		return Result{}, err
	}
	return r[0], nil
}

// Registers reach from file to file.
func TestApplyFiles(t *testing.T) {
	r, _, err := apply(t, "[a.go#0000]\nCUT 2 @r\n[b.go#0000]\nPUT >1 @r\n[c.go#0000]\nREM\n[d.go#0000]\nMV e.go\n", "1\n2\n", "x\n", "c", "d")
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"1\n", "x\n2\n", "", "d"} {
		if got := string(r[i].Bytes); got != want {
			t.Errorf("file %d is %q, want %q", i, got, want)
		}
	}
}

// One section that changes nothing refuses all.
func TestNoOp(t *testing.T) {
	_, _, err := apply(t, "[a.go#0000]\nPUT 1:\n+x\n[b.go#0000]\nPUT 1:\n+b\n", "a\n", "b\n")
	if f, ok := err.(*Fault); !ok || f.Reason != NoOp || f.Path != "b.go" || !strings.Contains(f.Error(), "no-op") {
		t.Fatalf("%v", err)
	}
}

// A -row that says what goes is ignored, in the order of the lines and but for blanks at
// their ends; see TestFaults for one that does not.
func TestRowsThatSayWhatGoes(t *testing.T) {
	r, err := applyOne(t, "PUT 1.=3:\n-a\n-c \n+x\n", "a\nb\nc\n")
	if err != nil || string(r.Bytes) != "x\n" {
		t.Errorf("%v %q", err, r.Bytes)
	}
	if _, err = applyOne(t, "PUT 1.=3:\n-c\n-a\n+x\n", "a\nb\nc\n"); err == nil {
		t.Error("rows in another order were taken for the old lines")
	}
}

// New lines that repeat both neighbours of the range lose them; one neighbour is told, and
// what is met twice by chance is left alone.
func TestNeighboursInTheBody(t *testing.T) {
	const file = "func main() {\n\tone()\n\treturn nil\n}\n}\n"
	for _, c := range []struct{ name, ops, file, want, warning string }{
		{"both", "PUT 2:\n+func main() {\n+\ttwo()\n+\treturn nil\n", file, "func main() {\n\ttwo()\n\treturn nil\n}\n}\n", "were left out"},
		{"before", "PUT 2:\n+func main() {\n+\ttwo()\n", file, "func main() {\nfunc main() {\n\ttwo()\n\treturn nil\n}\n}\n", "the first new line is the line 1"},
		{"after", "PUT 2:\n+\ttwo()\n+\treturn nil\n", file, "func main() {\n\ttwo()\n\treturn nil\n\treturn nil\n}\n}\n", "the last new line is the line 3"},
		{"a brace", "PUT 4:\n+\t}\n+}\n", file, "func main() {\n\tone()\n\treturn nil\n\t}\n}\n}\n", ""},
		{"lines that stood doubled", "PUT 2:\n+same line\n+x\n+same line\n", "same line\nsame line\nsame line\n", "same line\nsame line\nx\nsame line\nsame line\n", ""},
		{"another operation beside it", "PUT 2:\n+func main() {\n+\ttwo()\n+\treturn nil\nCUT 3\n", file, "func main() {\nfunc main() {\n\ttwo()\n\treturn nil\n}\n}\n", ""},
	} {
		r, err := applyOne(t, c.ops, c.file)
		if warned := strings.Join(r.Warnings, "\n"); err != nil || string(r.Bytes) != c.want || (c.warning == "") != (warned == "") || !strings.Contains(warned, c.warning) {
			t.Errorf("%s: %v %q %q", c.name, err, r.Bytes, warned)
		}
	}
}

// A move whose operations change nothing still moves, and says so.
func TestAMoveThatChangesNothing(t *testing.T) {
	r, err := applyOne(t, "PUT 1:\n+a\nMV g.go\n", "a\n")
	if err != nil || string(r.Bytes) != "a\n" || len(r.Warnings) != 1 {
		t.Errorf("%v %v", err, r)
	}
}

func TestLanded(t *testing.T) {
	for _, c := range []struct {
		ops, before, live string
		want              bool
	}{
		{"PUT <1:\n+a\n+b\n", "", "a\nb\nc\n", true},
		{"PUT <1:\n+a\n+b\n", "", "a\nc\nb\n", false},
		{"PUT >$:\n+c\n", "", "a\nb\r\nc", true},
		{"PUT <1:\n+a\n", "", "\ufeffa\r\n", true},
		{"PUT <1:\n+a\nPUT >$:\n+a\n", "", "a\n", false},
		{"PUT <1:\n+a\nPUT >$:\n+a\n", "", "a\na\n", true},
		{"PUT 1:\n+a\n", "", "a\n", false},
		{"CUT 1 @r\nPUT >$ @r\n", "", "a\n", false},
		{"PUT >$:\n+}\n", "{\n}\n", "x\n{\n}\n", false},
		{"PUT >$:\n+}\n", "{\n}\n", "x\n{\n}\n}\n", true},
		{"PUT >$:\n+b\n+a\n", "b\na\n", "x\nb\na\nb\na\n", true},
		{"PUT <1:\n+a\n", "a\n", "a\na\n", true},
		{"PUT <1:\n+a\nPUT >$:\n+z\n", "m\n", "a\nm\n", false},
	} {
		p, err := Parse(header+c.ops, "")
		if err != nil {
			t.Fatal(err)
		}
		if got := Landed([]byte(c.before), []byte(c.live), p.Sections[0]); got != c.want {
			t.Errorf("%q on %q in %q: %v", c.ops, c.before, c.live, got)
		}
	}
}

// BenchmarkApplyOneLine changes one line in the middle of a file; B/op is the copy of the
// file and little else.
func BenchmarkApplyOneLine(b *testing.B) {
	for _, size := range []int{4 << 10, 4 << 20} {
		file := []byte(strings.Repeat("a line of some sixty characters, as they are in many programs\n", size/62))
		p, err := Parse(fmt.Sprintf("%sPUT %d:\n+new\n", header, size/124), "")
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			b.SetBytes(int64(len(file)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Apply(p, [][]byte{file}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkCopy is what a one-line edit cannot be faster than.
func BenchmarkCopy(b *testing.B) {
	file := make([]byte, 4<<20)
	b.SetBytes(int64(len(file)))
	for b.Loop() {
		_ = append([]byte(nil), file...)
	}
}
