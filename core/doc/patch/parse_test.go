package patch

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tenet/core/doc"
)

const header = "[f.go#1A2B]\n"

// What each row of the language means, in its canonical form, which reads as it is
// written and without a warning.
func TestParse(t *testing.T) {
	for _, ops := range []string{
		"PUT 3.=4:\n+a\n+\n",
		"PUT 3:\n+a\n",
		"PUT <3:\n+a\nPUT >3:\n+b\nPUT <1:\n+c\nPUT >$:\n+d\n",
		"PUT 3*:\n+a\nPUT >9*:\n+b\nCUT 20* @x\n",
		"CUT 1.=2\nCUT 4 @r\nPUT >9\nPUT <12 @r\nPUT 14.=15 @r\nPUT 20* @r\nPUT >$ @r\nPUT <1 @r\nPUT >30* @r\n",
		"CUT 3 @_\nCUT 5 @_\n",
		"PUT 1:\n+  indented \n++plus\n+-minus\n+\t\n",
		"PUT 1:\n+a\nMV dir/g.go\n",
		"MV \"a b.go\"\n",
		"REM\n",
	} {
		p, err := Parse(header+ops, "/w")
		if err != nil || len(p.Warnings) > 0 || p.String() != header+ops {
			t.Errorf("%q: %v, %q, read as\n%s", ops, err, p.Warnings, p)
		}
	}
}

// What is written in another way and can mean one thing only: what it is read as, and the
// warning that says so.
func TestLiberties(t *testing.T) {
	for _, c := range []struct{ name, in, canonical, warning string }{
		{"one line as a range", "PUT 3.=3:\n+a\n", "PUT 3:\n+a\n", ""},
		{"blanks in an operation", "PUT  3 .= 4 :\n+a\nPUT > 9 :\n+b", "PUT 3.=4:\n+a\nPUT >9:\n+b\n", ""},
		{"rows below each other", "\nPUT 3:\n+a\n\n\nCUT 5\n\n", "PUT 3:\n+a\nCUT 5\n", ""},
		{"bare rows", "PUT 1:\nfoo\n\tbar\n", "PUT 1:\n+foo\n+\tbar\n", "without a +"},
		{"a bare row among rows", "PUT 1:\n+foo\nbar\n", "PUT 1:\n+foo\n+bar\n", "without a +"},
		{"bare brackets", "PUT 1:\n[dependencies]\n", "PUT 1:\n+[dependencies]\n", "without a +"},
		{"a bare operation that is set in", "PUT 1:\nfoo\n  CUT 3\n", "PUT 1:\n+foo\n+  CUT 3\n", "without a +"},
		{"bare words", "PUT 1:\nPUT the milk back\nMVP\nREMARK\n", "PUT 1:\n+PUT the milk back\n+MVP\n+REMARK\n", "without a +"},
		{"bare range", "3.=4:\n+a\n", "PUT 3.=4:\n+a\n", "was read as PUT 3.=4:"},
		{"bare range below a body", "PUT 1:\n+x\n3.=4:\n+a\n", "PUT 1:\n+x\nPUT 3.=4:\n+a\n", "was read as PUT 3.=4:"},
		{"bare range with another separator", "3..4:\n+a\n", "PUT 3.=4:\n+a\n", "was read as PUT 3.=4:"},
		{"bare line", "3:\n+a\n+b\n", "PUT 3:\n+a\n+b\n", "was read as PUT 3:"},
		{"separator -", "PUT 3-4:\n+a\n", "PUT 3.=4:\n+a\n", "3-4 was read as 3.=4"},
		{"separator ..", "PUT 3..4:\n+a\n", "PUT 3.=4:\n+a\n", "3..4 was read as 3.=4"},
		{"separator ...", "CUT 3...4\n", "CUT 3.=4\n", "3...4 was read as 3.=4"},
		{"separator ..=", "CUT 3..=4\n", "CUT 3.=4\n", "3..=4 was read as 3.=4"},
		{"separator …", "PUT 3…4:\n+a\n", "PUT 3.=4:\n+a\n", "3…4 was read as 3.=4"},
		{"separator –", "PUT 3–4:\n+a\n", "PUT 3.=4:\n+a\n", "3–4 was read as 3.=4"},
		{"copied rows", "3:foo\n*4:bar\n 5:\tbaz\n", "PUT 3:\n+foo\nPUT 4:\n+bar\nPUT 5:\n+\tbaz\n", "a copied row N:TEXT was read as the new text of line N (and in 2 more places)"},
		{"empty body", "PUT 3.=4:\nCUT 6\n", "CUT 3.=4 @_\nCUT 6\n", "without lines was read as a deletion, CUT 3.=4"},
		{"empty body of a block", "PUT 3*:\n", "CUT 3* @_\n", "without lines was read as a deletion, CUT 3*"},
		{"colon after CUT", "CUT 3.=4:\n", "CUT 3.=4\n", "colon after CUT"},
		{"colon after CUT with a register", "CUT 3.=4 @r:\nCUT 6: @s\n", "CUT 3.=4 @r\nCUT 6 @s\n", "colon after CUT"},
		{"old rows of a diff", "PUT 3:\n-old\n+new\n", "PUT 3:\n+new\n", "rows that begin with - were ignored"},
		{"an insert of bullets", "PUT >3:\n- one\n- two\n", "PUT >3:\n+- one\n+- two\n", "rows that begin with - were read as new lines"},
		{"a mark of a gap below a body", "PUT 3:\n+a\n...\nCUT 9\n", "PUT 3:\n+a\nCUT 9\n", "stands for lines that are not shown"},
		{"a mark of a gap between operations", "CUT 3\n... (12 more lines)\nCUT 9\n", "CUT 3\nCUT 9\n", "stands for lines that are not shown"},
		{"a mark of a gap in an insert", "PUT >3:\n+a\n…\n+b\n", "PUT >3:\n+a\n+b\n", "stands for lines that are not shown"},
		{"comment", "# first the imports\nPUT 3:\n+a\n", "PUT 3:\n+a\n", "comment"},
		{"comment below a CUT", "CUT 3\n# and then\nPUT 4:\n+a\n", "CUT 3\nPUT 4:\n+a\n", "comment"},
		{"envelope", "*** Begin Patch\nPUT 3:\n+a\n*** End of File\n*** End Patch\n", "PUT 3:\n+a\n", "*** Begin Patch was ignored"},
		{"abort", "PUT 3:\n+a\n*** Abort\nnonsense", "PUT 3:\n+a\n", ""},
		{"abort before the lines of a PUT", "CUT 9\nPUT 3.=50:\n*** Abort", "CUT 9\n", "broken off by *** Abort"},
		{"abort below a header", "CUT 9\n[g.go#0000]\n*** Abort", "CUT 9\n", "broken off by *** Abort"},
		{"fence that closes", "PUT 3:\n+a\n```\n", "PUT 3:\n+a\n", "fence"},
		{"fences that are text", "PUT >3:\n```go\nx\n```\n", "PUT >3:\n+```go\n+x\n+```\n", "without a +"},
		{"an operation as text", "PUT 3:\n+PUT 4:\n", "PUT 3:\n+PUT 4:\n", "written into the file as text"},
		{"a header as text", "PUT 3:\n+[x#1A2B]\n", "PUT 3:\n+[x#1A2B]\n", "written into the file as text"},
		{"a move as text", "PUT 3:\n+MV x\n", "PUT 3:\n+MV x\n", "written into the file as text"},
		{"a faulty operation as text", "PUT 3:\n+PUT 5.=4:\n", "PUT 3:\n+PUT 5.=4:\n", ""},
		{"same deletions", "CUT 3\nPUT 9:\n+x\nCUT 3\n", "CUT 3\nPUT 9:\n+x\n", "stands twice"},
		{"same replacements", "PUT 3:\n+a\nCUT 5\nPUT 3.=3:\n+a\n", "CUT 5\nPUT 3:\n+a\n", "stands twice"},
		{"same inserts", "PUT >3:\n+a\nPUT >3:\n+a\n", "PUT >3:\n+a\n", "stands twice"},
		{"pastes at one place are two", "CUT 1 @r\nPUT >3 @r\nPUT >3 @r\n", "CUT 1 @r\nPUT >3 @r\nPUT >3 @r\n", ""},
		{"empty rows", "PUT 3:\n\n+a\n\n+b\n\n\nCUT 5\n", "PUT 3:\n+\n+a\n+\n+b\nCUT 5\n", "blank row"},
		{"lower case", "put 3:\n+a\n", "PUT 3:\n+a\n", "read as PUT"},
		{"before a block", "PUT <3*:\n+a\n", "PUT <3:\n+a\n", "<3* was read as <3"},
		{"after line 0", "PUT >0:\n+a\n", "PUT <1:\n+a\n", "read as <1"},
		{"carriage returns", "PUT 3:\r\n+a\r\n", "PUT 3:\n+a\n", "carriage return"},
		{"a move with quotes", "MV 'g.go'\n", "MV g.go\n", ""},
		{"a move below the workspace", "MV /w/x/g.go\n", "MV x/g.go\n", "/w/x/g.go was taken as x/g.go"},
	} {
		p, err := Parse(header+c.in, "/w")
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := p.String(); got != header+c.canonical {
			t.Errorf("%s: got\n%swant\n%s", c.name, got, header+c.canonical)
		}
		if warned := strings.Join(p.Warnings, "\n"); (c.warning == "") != (warned == "") || !strings.Contains(plainly(warned), c.warning) {
			t.Errorf("%s: the warnings are %q", c.name, warned)
		}
	}
}

func TestHeaders(t *testing.T) {
	for _, c := range []struct{ in, path, warning string }{
		{"[a/b.go#00FF]", "a/b.go", ""},
		{"[./a//b.go#00FF]", "a/b.go", ""},
		{"  [a/b.go#00FF]  ", "a/b.go", ""},
		{"\ufeff[a/b.go#00FF]", "a/b.go", ""},
		{"[app/[id]/page.tsx#00FF]", "app/[id]/page.tsx", ""},
		{"[with#hash.md#00FF]", "with#hash.md", ""},
		{"[a b.go#00FF]", "a b.go", ""},
		{"[/elsewhere/b.go#00FF]", "/elsewhere/b.go", ""},
		{"[/wide/b.go#00FF]", "/wide/b.go", ""},
		{"[\"\\\"odd\\\"\"#00FF]", `"odd"`, ""},
		{"[/w/a/b.go#00FF]", "a/b.go", "/w/a/b.go was taken as a/b.go"},
		{"[a/b.go#00ff]", "a/b.go", "read as 00FF"},
		{"[`a b.go`#00FF]", "a b.go", "quotes"},
		{"[\"quoted.go\"#00FF]", "quoted.go", "quotes"},
		{"['quoted.go#00FF']", "quoted.go", "quotes"},
		{"*** Update File: [a/b.go#00FF]", "a/b.go", "what stands before it was ignored"},
		{"*** Update File: a/b.go#00FF", "a/b.go", "what stands before it was ignored"},
		{"*** [a/b.go#00FF]", "a/b.go", "what stands before it was ignored"},
		{"## [a/b.go#00FF]", "a/b.go", "what stands before it was ignored"},
		{"[*** Update File: a/b.go#00FF]", "a/b.go", "words before the header's path"},
		{"[Update File: \"a b\"#00FF]", "a b", "words before the header's path"},
		{"*** Begin Patch\n[a/b.go#00FF]", "a/b.go", "*** Begin Patch was ignored"},
		{"# what follows\n[a/b.go#00FF]\n", "a/b.go", "comment"},
		{"```\n[a/b.go#00FF]\nCUT 9\n", "", ""},
	} {
		p, err := Parse(c.in+"\nCUT 1\n", "/w")
		if (err != nil) != (c.path == "") {
			t.Errorf("%q: %v", c.in, err)
			continue
		}
		if err != nil {
			continue
		}
		if s := p.Sections[0]; s.Path != c.path || s.Tag != "00FF" {
			t.Errorf("%q is %q with tag %q, want %q", c.in, s.Path, s.Tag, c.path)
		}
		if warned := strings.Join(p.Warnings, "\n"); (c.warning == "") != (warned == "") || !strings.Contains(plainly(warned), c.warning) {
			t.Errorf("%q: the warnings are %q", c.in, warned)
		}
	}
}

// A whole patch in a fence is a patch.
func TestAFenceAroundAPatch(t *testing.T) {
	p, err := Parse("```text\n"+header+"PUT 3:\n+a\n```\n", "")
	if err != nil || p.String() != header+"PUT 3:\n+a\n" || len(p.Warnings) != 1 {
		t.Errorf("%v %q\n%s", err, p.Warnings, p)
	}
}

// A carriage return at the end of a line is text when the row has one more of its own.
func TestACarriageReturnAsText(t *testing.T) {
	p := Patch{Sections: []Section{{Path: "f", Tag: "0000", Ops: []Op{{At: Top, Body: []string{"a\r", "b"}}}}}}
	back, err := Parse(p.String(), "")
	if err != nil || !slices.Equal(back.Sections[0].Ops[0].Body, []string{"a\r", "b"}) {
		t.Errorf("%v %v", err, back.Sections)
	}
}

// Two sections of one file are one.
func TestSectionsOfOneFileJoin(t *testing.T) {
	p, err := Parse(header+"PUT 3:\n+a\n[g.go#0000]\nREM\n[./f.go#1A2B]\nPUT 9:\n+b\nCUT 4\nMV h.go\n", "/w")
	if err != nil {
		t.Fatal(err)
	}
	want := header + "PUT 3:\n+a\nPUT 9:\n+b\nCUT 4\nMV h.go\n[g.go#0000]\nREM\n"
	if got := p.String(); got != want {
		t.Errorf("got\n%s", got)
	}
}

func TestAnchors(t *testing.T) {
	p, err := Parse(header+"PUT 7.=9:\n+a\nPUT >3:\n+b\nPUT <1:\n+c\nPUT >$:\n+d\nPUT 20*:\n+x\n", "/w")
	if err != nil {
		t.Fatal(err)
	}
	s := p.Sections[0]
	if got := s.Anchors(); !reflect.DeepEqual(got, []int64{3, 7, 8, 9, 20}) || s.OnlyEnds() || !s.HasBlocks() {
		t.Errorf("anchors %v", got)
	}
	if got := s.Shift(2).Anchors(); !reflect.DeepEqual(got, []int64{5, 9, 10, 11, 22}) {
		t.Errorf("shifted anchors %v", got)
	}
}

func TestOnlyEnds(t *testing.T) {
	for ops, want := range map[string]bool{
		"PUT <1:\n+a\n":              true,
		"PUT >$:\n+a\nPUT <1:\n+b\n": true,
		"PUT >$:\n+a\nMV g\n":        true,
		"PUT >$:\n+a\nPUT >3:\n+b\n": false,
		"PUT 1:\n+a\n":               false,
		"MV g\n":                     false,
		"REM\n":                      false,
		"CUT 1 @r\nPUT >$ @r\n":      false,
		"PUT <2:\n+a\nPUT >$:\n+a\n": false,
	} {
		p, err := Parse(header+ops, "")
		if err != nil || p.Sections[0].OnlyEnds() != want {
			t.Errorf("%q: %v, want %v", ops, err, want)
		}
	}
}

func TestBlocksAreResolved(t *testing.T) {
	block := func(line int64) (doc.Span, error) { return doc.Span{From: line, To: line + 2}, nil }
	p, err := Parse(header+"PUT 2*:\n+x\nPUT >2*:\n+y\n", "")
	if err != nil {
		t.Fatal(err)
	}
	s, err := p.Sections[0].Resolve(block)
	if err != nil || s.Ops[0].target() != "2.=4" || s.HasBlocks() || !slices.Equal(s.Anchors(), []int64{2, 3, 4}) || !p.Sections[0].HasBlocks() {
		t.Errorf("%v %v", err, s.Ops)
	}
	r, err := Apply(Patch{Sections: []Section{s}}, [][]byte{[]byte("1\n2\n3\n4\n5\n")})
	if err != nil || string(r[0].Bytes) != "1\nx\ny\n5\n" {
		t.Errorf("%v %v", err, r)
	}
}

// The example of the description is a patch, and the rows above it are those it changes.
func TestTheDescriptionIsAPatch(t *testing.T) {
	_, example, _ := strings.Cut(Description, "at its end:\n")
	p, err := Parse(example, "")
	if err != nil || len(p.Warnings) > 0 || len(p.Sections) != 2 || p.String() != example+"\n" {
		t.Fatalf("%v, %v\n%s", err, p.Warnings, p)
	}
	file := "package main\n\nimport \"fmt\"\n\nfunc main() {\n\tfmt.Println(\"helo\")\n}\n"
	for n, l := range doc.Lines([]byte(file)) {
		if row := fmt.Sprintf("%d:%s\n", n, l.Text); n > 2 && !strings.Contains(Description, row) {
			t.Errorf("the description does not show %q", row)
		}
	}
	p.Sections[0], err = p.Sections[0].Resolve(func(int64) (doc.Span, error) { return doc.Span{From: 5, To: 7}, nil })
	if err != nil {
		t.Fatal(err)
	}
	r, err := Apply(p, [][]byte{[]byte(file), []byte("Old.\n")})
	want := "package main\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n\nfunc main() {\n\tfmt.Fprintln(os.Stderr, \"hello\")\n}\n\nfunc two() int { return 2 }\n"
	if err != nil || string(r[0].Bytes) != want || string(r[1].Bytes) != "Old.\nThe end.\n" {
		t.Errorf("%v %q", err, r)
	}
	if len(Description) > 2500 {
		t.Errorf("the description has %d bytes", len(Description))
	}
}
