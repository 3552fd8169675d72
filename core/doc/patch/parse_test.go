package patch

import (
	"errors"
	"reflect"
	"strings"
	"testing"
)

const header = "[f.go#1A2B]\n"

// What a patch means, and what it says of the liberties it takes.
func TestParse(t *testing.T) {
	for _, c := range []struct{ name, in, canonical, warning string }{
		{"replace", "PUT 3.=4:\n+a\n+\n", "PUT 3.=4:\n+a\n+\n", ""},
		{"one line", "PUT 3:\n+a\n", "PUT 3.=3:\n+a\n", ""},
		{"inserts", "PUT <3:\n+a\nPUT >3:\n+b\nPUT <1:\n+c\nPUT >$:\n+d\n", "PUT <3:\n+a\nPUT >3:\n+b\nPUT <1:\n+c\nPUT >$:\n+d\n", ""},
		{"blocks", "PUT 3*:\n+a\nPUT >9*:\n+b\nCUT 20* @x\n", "PUT 3*:\n+a\nPUT >9*:\n+b\nCUT 20* @x\n", ""},
		{"registers", "CUT 1.=2\nCUT 4 @r\nPUT >9\nPUT <12 @r\nPUT 14.=15 @r\n", "CUT 1.=2\nCUT 4.=4 @r\nPUT >9\nPUT <12 @r\nPUT 14.=15 @r\n", ""},
		{"rows verbatim", "PUT 1:\n+  indented \n++plus\n+-minus\n", "PUT 1.=1:\n+  indented \n++plus\n+-minus\n", ""},
		{"move", "PUT 1:\n+a\nMV dir/g.go\n", "PUT 1.=1:\n+a\nMV dir/g.go\n", ""},
		{"move with blanks", "MV \"a b.go\"\n", "MV \"a b.go\"\n", ""},
		{"remove", "REM\n", "REM\n", ""},
		{"bare rows", "PUT 1:\nfoo\n\tbar\n", "PUT 1.=1:\n+foo\n+\tbar\n", "without +"},
		{"bare header in a body", "PUT 1:\n[dependencies]\n", "PUT 1.=1:\n+[dependencies]\n", "without +"},
		{"bare range", "3.=4:\n+a\n", "PUT 3.=4:\n+a\n", "taken as PUT 3.=4:"},
		{"separators", "PUT 3-4:\n+a\nPUT 6..7:\n+b\nPUT 9…10:\n+c\n", "PUT 3.=4:\n+a\nPUT 6.=7:\n+b\nPUT 9.=10:\n+c\n", "taken as 9.=10"},
		{"pasted rows", "3:foo\n*4:bar\n 5:\tbaz\n", "PUT 3.=3:\n+foo\nPUT 4.=4:\n+bar\nPUT 5.=5:\n+\tbaz\n", "N:text"},
		{"empty body", "PUT 3.=4:\nCUT 6\n", "CUT 3.=4 @_\nCUT 6.=6\n", "taken as CUT"},
		{"colon after CUT", "CUT 3.=4:\n", "CUT 3.=4\n", "colon behind CUT"},
		{"old rows of a diff", "PUT 3:\n-old\n+new\n", "PUT 3.=3:\n+new\n", "left out"},
		{"a list", "PUT 3:\n- one\n- two\n", "PUT 3.=3:\n+- one\n+- two\n", "taken as text"},
		{"elision", "PUT 3:\n+a\n...\nCUT 9\n", "PUT 3.=3:\n+a\nCUT 9.=9\n", "left out lines"},
		{"comment", "# first the imports\nPUT 3:\n+a\n", "PUT 3.=3:\n+a\n", "comment"},
		{"envelope", "*** Begin Patch\nPUT 3:\n+a\n*** End Patch\n", "PUT 3.=3:\n+a\n", "another patch language"},
		{"abort", "PUT 3:\n+a\n*** Abort\nnonsense", "PUT 3.=3:\n+a\n", ""},
		{"fence", "PUT 3:\n+a\n```\n", "PUT 3.=3:\n+a\n", "fence"},
		{"an operation as text", "PUT 3:\n+PUT 4:\n", "PUT 3.=3:\n+PUT 4:\n", "reads like an operation"},
		{"duplicates", "CUT 3\nCUT 3\n", "CUT 3.=3\n", "stands twice"},
		{"empty rows", "\nPUT 3:\n\n+a\n\n+b\n\n\nCUT 5\n", "PUT 3.=3:\n+\n+a\n+\n+b\nCUT 5.=5\n", "empty row"},
		{"lower case", "put 3:\n+a\n", "PUT 3.=3:\n+a\n", "taken as PUT"},
		{"carriage returns", "PUT 3:\r\n+a\r\n", "PUT 3.=3:\n+a\n", "carriage"},
	} {
		p, err := Parse(header+c.in, "/w")
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := p.String(); got != header+c.canonical {
			t.Errorf("%s: got\n%swant\n%s", c.name, got, header+c.canonical)
		}
		if warned := strings.Join(p.Warnings, "\n"); (c.warning == "") != (warned == "") || !strings.Contains(warned, c.warning) {
			t.Errorf("%s: the warnings are %q", c.name, warned)
		}
	}
}

func TestHeaders(t *testing.T) {
	for in, want := range map[string]string{
		"[a/b.go#00FF]":                   "a/b.go",
		"[./a/b.go#00FF]":                 "a/b.go",
		"[/w/a/b.go#00FF]":                "a/b.go",
		"[/elsewhere/b.go#00FF]":          "/elsewhere/b.go",
		"[`a b.go`#00ff]":                 "a b.go",
		"*** Update File: [a/b.go#00FF]":  "a/b.go",
		"## [a/b.go#00FF]":                "a/b.go",
		"[app/[id]/page.tsx#00FF]":        "app/[id]/page.tsx",
		"[with#hash.md#00FF]":             "with#hash.md",
		"[\"quoted.go\"#00FF]":            "quoted.go",
		"\ufeff[a/b.go#00FF]":             "a/b.go",
		"  [a/b.go#00FF]  ":               "a/b.go",
		"*** Begin Patch\n[a/b.go#00FF]":  "a/b.go",
		"# what follows\n[a/b.go#00FF]\n": "a/b.go",
	} {
		p, err := Parse(in+"\nCUT 1\n", "/w")
		if err != nil {
			t.Errorf("%q: %v", in, err)
			continue
		}
		if s := p.Sections[0]; s.Path != want || s.Tag != "00FF" {
			t.Errorf("%q is %q with tag %q, want %q", in, s.Path, s.Tag, want)
		}
	}
}

// Every refusal says what is wrong and what to write.
func TestParseFaults(t *testing.T) {
	for _, c := range []struct{ in, what string }{
		{"", "names no file"},
		{"PUT 3:\n+a\n", "before any header"},
		{"foo\n", "not with the header"},
		{"[f.go]\nCUT 3\n", "has no tag"},
		{"[f.go#12]\nCUT 3\n", "has no tag"},
		{"[f.go#XYZW]\nCUT 3\n", "has no tag"},
		{header, "no operation"},
		{header + "+a\n", "no PUT is open"},
		{header + "PUT 5.=3:\n+a\n", "For 3 lines from line 5 write 5.=7"},
		{header + "PUT 1.=200000:\n+a\n", "100000 lines"},
		{header + "PUT 0:\n+a\n", "counted from 1"},
		{header + "PUT 99999999999999999999:\n+a\n", "no line of any file"},
		{header + "PUT 3 @r:\n+a\n", "without a colon"},
		{header + "PUT 3\n", "neither a colon nor a register"},
		{header + "PUT >3\n+a\n", "no PUT is open"},
		{header + "CUT >3\n", "CUT takes lines"},
		{header + "CUT 3\n+a\n", "no PUT is open"},
		{header + "PUT >3:\n", "inserts nothing"},
		{header + "PUT 3: a\n", "behind the colon"},
		{header + "PUT 3 quickly\n", "not understood"},
		{header + "PUT $:\n+a\n", "only in >$"},
		{header + "PUT 3.=$:\n+a\n", "not at $"},
		{header + "PUT <3*:\n+a\n", "no <N*"},
		{header + "PUT >3.=4:\n+a\n", "one line"},
		{header + "PUT 3*.=4:\n+a\n", "range and a block"},
		{header + "REM\nCUT 3\n", "REM removes"},
		{header + "REM\nMV g.go\n", "two operations on the file"},
		{header + "MV f.go\n", "the file itself"},
		{header + "MV\n", "no destination"},
		{header + "MV a b.go\n", "has blanks"},
		{header + "REM f.go\n", "behind REM"},
		{header + "PUT 3.=5:\n+a\nCUT 5.=6\n", "the same lines"},
		{header + "PUT 3.=5:\n+a\nPUT >4:\n+b\n", "takes away"},
		{header + "3:a\n3:b\n", "given twice"},
		{header + "PUT 3:\n4:foo\n", "numbered row"},
		{header + "PUT 3:\n-foo\n", "not clear"},
		{header + "hello\n", "no operation"},
		{header + "@@ -1,2 +1,2 @@\n", "unified diff"},
		{"*** Update File: f.go\n", "apply_patch"},
		{"--- a/f.go\n+++ b/f.go\n", "unified diff"},
		{header + "CUT 3\n[f.go#0000]\nCUT 9\n", "tags 1A2B and 0000"},
		{header + "CUT 3 @r\n[g.go#0000]\nPUT >1 @r\n[f.go#1A2B]\nPUT >9 @r\n", "alternate"},
	} {
		_, err := Parse(c.in, "/w")
		var f *Fault
		if !errors.As(err, &f) || !strings.Contains(err.Error(), c.what) {
			t.Errorf("%q: the fault %v does not say %q", c.in, err, c.what)
		} else if f.Instead == "" {
			t.Errorf("%q: the fault %v says nothing to write instead", c.in, err)
		}
	}
}

// Two sections of one file are one.
func TestSectionsOfOneFileJoin(t *testing.T) {
	p, err := Parse(header+"CUT 3\n[g.go#0000]\nCUT 1 @_\n[./f.go#1A2B]\nCUT 9 @_\n", "/w")
	if err == nil {
		t.Fatalf("an anonymous cut between alternating sections: %v", p)
	}
	p, err = Parse(header+"PUT 3:\n+a\n[g.go#0000]\nREM\n[./f.go#1A2B]\nPUT 9:\n+b\nMV h.go\n", "/w")
	if err != nil {
		t.Fatal(err)
	}
	want := header + "PUT 3.=3:\n+a\nPUT 9.=9:\n+b\nMV h.go\n[g.go#0000]\nREM\n"
	if got := p.String(); got != want {
		t.Errorf("got\n%s", got)
	}
}

func TestAnchors(t *testing.T) {
	p, err := Parse(header+"PUT 7.=9:\n+a\nPUT >3:\n+b\nPUT <1:\n+c\nPUT >$:\n+d\nCUT 9.=9 @_\n", "/w")
	if err == nil {
		t.Fatal("overlap was taken")
	}
	p, err = Parse(header+"PUT 7.=9:\n+a\nPUT >3:\n+b\nPUT <1:\n+c\nPUT >$:\n+d\n", "/w")
	if err != nil {
		t.Fatal(err)
	}
	s := p.Sections[0]
	if got := s.Anchors(); !reflect.DeepEqual(got, []int64{3, 7, 8, 9}) || s.OnlyEnds() {
		t.Errorf("anchors %v", got)
	}
	if got := s.Shift(2).Anchors(); !reflect.DeepEqual(got, []int64{5, 9, 10, 11}) {
		t.Errorf("shifted anchors %v", got)
	}
}

// The description teaches a patch that is one.
func TestTheDescriptionIsAPatch(t *testing.T) {
	_, example, _ := strings.Cut(Description, "Example:\n")
	p, err := Parse(example, "")
	if err != nil || len(p.Warnings) > 0 || len(p.Sections) != 2 {
		t.Errorf("%v, %v", err, p.Warnings)
	}
	if len(Description) > 2500 {
		t.Errorf("the description has %d bytes", len(Description))
	}
}
