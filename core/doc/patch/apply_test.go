package patch

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tenet/core/doc"
)

func TestApply(t *testing.T) {
	const file = "one\ntwo\nthree\nfour\nfive\n"
	for _, c := range []struct{ patch, want, changed string }{
		{"PUT 2.=3:\n+x\n", "one\nx\nfour\nfive\n", "[2]"},
		{"PUT 1:\n+x\n+y\n", "x\ny\ntwo\nthree\nfour\nfive\n", "[1-2]"},
		{"PUT <1:\n+x\nPUT >$:\n+y\n", "x\none\ntwo\nthree\nfour\nfive\ny\n", "[1 7]"},
		{"PUT >2:\n+x\nPUT <3:\n+y\n", "one\ntwo\nx\ny\nthree\nfour\nfive\n", "[3-4]"},
		{"PUT <2:\n+x\nPUT 2:\n+y\nPUT >2:\n+z\n", "one\nx\ny\nz\nthree\nfour\nfive\n", "[2-4]"},
		{"CUT 1.=2\nPUT >5\n", "three\nfour\nfive\none\ntwo\n", "[1 4-5]"},
		{"CUT 4.=5 @a\nPUT <1 @a\nPUT 2.=3 @a\n", "four\nfive\none\nfour\nfive\n", "[1-2 4-5]"},
		{"CUT 1.=5 @_\n", "", "[1]"},
		{"CUT 5 @_\n", "one\ntwo\nthree\nfour\n", "[4]"},
	} {
		r, err := applyOne(t, c.patch, file)
		if err != nil {
			t.Errorf("%q: %v", c.patch, err)
			continue
		}
		if string(r.Bytes) != c.want || fmt.Sprint(r.Changed) != c.changed {
			t.Errorf("%q gives %q changed %v, want %q %v", c.patch, r.Bytes, r.Changed, c.want, c.changed)
		}
	}
}

func TestApplyFaults(t *testing.T) {
	for _, c := range []struct{ patch, what string }{
		{"PUT 9:\n+x\n", "past the end: the file has 2 lines"},
		{"PUT >3:\n+x\n", "past the end"},
		{"PUT 1:\n+one\n", "no-op"},
		{"PUT >1\n", "nothing was cut"},
		{"PUT >1 @a\n", "@a is empty"},
		{"CUT 1\nCUT 2\nPUT >$\n", "2 cuts"},
		{"CUT 1 @a\nPUT >2 @b\n", "@b is empty"},
	} {
		if _, err := applyOne(t, c.patch, "one\ntwo\n"); err == nil || !strings.Contains(err.Error(), c.what) {
			t.Errorf("%q: the fault %v does not say %q", c.patch, err, c.what)
		}
	}
}

func applyOne(t *testing.T, patch, file string) (Result, error) {
	t.Helper()
	p, err := Parse(header+patch, "")
	if err != nil {
		t.Fatalf("%q: %v", patch, err)
	}
	out, err := Apply(p, [][]byte{[]byte(file)})
	if err != nil {
		return Result{}, err
	}
	return out[0], nil
}

// Lines that go from one file come in another.
func TestRegistersCrossFiles(t *testing.T) {
	p, err := Parse("[a#0000]\nCUT 2 @r\n[b#0000]\nPUT <1 @r\n", "")
	if err != nil {
		t.Fatal(err)
	}
	out, err := Apply(p, [][]byte{[]byte("1\n2\n"), []byte("x\r\n")})
	if err != nil || string(out[0].Bytes) != "1\n" || string(out[1].Bytes) != "2\r\nx\r\n" {
		t.Errorf("%v %v", err, out)
	}
}

func TestABoundaryThatStandsTwiceIsTold(t *testing.T) {
	r, err := applyOne(t, "PUT 2:\n+func main() {\n+x\n", "func main() {\ny\n}\n")
	if err != nil || len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "line 1 stays") {
		t.Errorf("%v %v", err, r.Warnings)
	}
}

func TestBlocksAreResolved(t *testing.T) {
	p, err := Parse(header+"PUT 2*:\n+x\nPUT >2*:\n+y\n", "")
	if err != nil {
		t.Fatal(err)
	}
	s, err := p.Sections[0].Resolve(func(line int64) (doc.Span, error) { return doc.Span{From: line, To: line + 2}, nil })
	if err != nil || s.Ops[0].place() != "2.=4" || s.Ops[1].place() != ">4" {
		t.Errorf("%v %v", err, s.Ops)
	}
	p, _ = Parse(header+"PUT 2*:\n+x\nPUT 3:\n+y\n", "")
	if _, err = p.Sections[0].Resolve(func(line int64) (doc.Span, error) { return doc.Span{From: 2, To: 4}, nil }); err == nil {
		t.Error("a block that covers another range was taken")
	}
}

func TestAlreadyThere(t *testing.T) {
	for _, c := range []struct {
		patch, file string
		want        bool
	}{
		{"PUT <1:\n+a\n+b\n", "a\nb\nc\n", true},
		{"PUT <1:\n+a\n+b\n", "a\nc\nb\n", false},
		{"PUT >$:\n+c\n", "a\nb\r\nc", true},
		{"PUT <1:\n+a\nPUT >$:\n+a\n", "a\n", false},
		{"PUT <1:\n+a\nPUT >$:\n+a\n", "a\na\n", true},
		{"PUT 1:\n+a\n", "a\n", false},
	} {
		p, err := Parse(header+c.patch, "")
		if err != nil {
			t.Fatal(err)
		}
		if got := AlreadyThere([]byte(c.file), p.Sections[0]); got != c.want {
			t.Errorf("%q in %q: %v", c.patch, c.file, got)
		}
	}
}

// anyPatch draws a section over a file of n lines: operations on lines, in any order,
// that do not meet, with registers.
func anyPatch(t *rapid.T, path string, n int64, regs []string) Section {
	s := Section{Path: path, Tag: "0000"}
	text := rapid.SampledFrom([]string{"", "x", "é", "  y", "\x00", "+", "-", "PUT 3:", "a\rb", "[f#0000]"})
	body := func() []string { return rapid.SliceOfN(text, 1, 3).Draw(t, "body") }
	for line := int64(1); line <= n; line += 1 + rapid.Int64Range(0, 2).Draw(t, "step") {
		to := min(n, line+rapid.Int64Range(0, 2).Draw(t, "more"))
		o := Op{From: line}
		switch rapid.IntRange(0, 5).Draw(t, "kind") {
		case 0:
			o.At, o.To, o.Body = Lines, to, body()
			line = to
		case 1:
			o.Verb, o.At, o.To, o.Register = Cut, Lines, to, rapid.SampledFrom(regs).Draw(t, "register")
			line = to
		case 2:
			o.At, o.Body = After, body()
		case 3:
			if o.At, o.Body = Before, body(); line == 1 {
				o.At, o.From = Top, 0
			}
		case 4:
			o = Op{At: Bottom, Body: body()}
		case 5:
			o.Verb, o.At, o.Register = Paste, After, rapid.SampledFrom(regs).Draw(t, "register")
		}
		s.Ops = append(s.Ops, o)
	}
	perm := rapid.Permutation(s.Ops).Draw(t, "order")
	s.Ops = perm
	return s
}

// naive applies a section to a list of lines: each operation goes to the slot of its line
// or of the gap behind it, and the slots are put together at the end.
func naive(s Section, lines []string, regs map[string][]string) []string {
	n := len(lines)
	gaps, slots := make([][]string, n+1), make([][]string, n+1)
	for i, l := range lines {
		slots[i+1] = []string{l}
	}
	take := func(o Op, with []string) {
		for i := o.From; i <= o.To; i++ {
			slots[i] = nil
		}
		slots[o.From] = with
	}
	for _, o := range s.Ops {
		body := o.Body
		if o.Verb == Paste {
			body = regs[o.Register]
		}
		if o.Verb == Cut {
			regs[o.Register] = lines[o.From-1 : o.To]
			body = nil
		}
		switch o.At {
		case Lines:
			take(o, body)
		case After:
			gaps[o.From] = append(gaps[o.From], body...)
		case Before:
			gaps[o.From-1] = append(gaps[o.From-1], body...)
		case Top:
			gaps[0] = append(gaps[0], body...)
		case Bottom:
			gaps[n] = append(gaps[n], body...)
		}
	}
	out := gaps[0]
	for i := 1; i <= n; i++ {
		out = append(append(out, slots[i]...), gaps[i]...)
	}
	return out
}

func texts(file []byte) (out []string) {
	for _, l := range doc.Lines(file) {
		out = append(out, string(l.Text))
	}
	return out
}

// Applying is the naive thing, over two files that share registers; what is outside the
// operations keeps its bytes, which is doc.Weave's part.
func TestApplyIsTheNaiveThing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		piece := rapid.SampledFrom([]string{"\n", "\r\n", "\rq", "a", "b", "\x00", "é", "𝄞"})
		start := rapid.SampledFrom([]string{"", "\xef\xbb\xbf"})
		var p Patch
		var files [][]byte
		for i := range 2 {
			file := []byte(start.Draw(t, "bom") + strings.Join(rapid.SliceOfN(piece, 1, 30).Draw(t, "file"), "") + "z")
			files = append(files, file)
			p.Sections = append(p.Sections, anyPatch(t, fmt.Sprint("f", i), int64(doc.CountLines(file)), []string{"a", "b"}))
		}
		got, err := Apply(p, files)
		if err != nil {
			if !strings.Contains(err.Error(), "no-op") && !strings.Contains(err.Error(), "is empty here") {
				t.Fatalf("%v\n%s", err, p)
			}
			return
		}
		regs := map[string][]string{}
		for i, s := range p.Sections {
			want := naive(s, texts(files[i]), regs)
			if len(want) > 0 && want[len(want)-1] == "" {
				want = append(want, "")[:len(want)]
			}
			if have := texts(got[i].Bytes); !slices.Equal(have, want) {
				t.Fatalf("%q\n%sgives\n%q, want\n%q", files[i], p, have, want)
			}
			checkChanged(t, got[i], files[i])
		}
	})
}

// checkChanged: a line outside the named spans is a line of the old file.
func checkChanged(t *rapid.T, r Result, old []byte) {
	was := texts(old)
	for n, l := range doc.Lines(r.Bytes) {
		in := slices.ContainsFunc(r.Changed, func(s doc.Span) bool { return s.From <= int64(n) && int64(n) <= s.To })
		if !in && !slices.Contains(was, string(l.Text)) {
			t.Fatalf("line %d %q is new and not named in %v", n, l.Text, r.Changed)
		}
	}
}

// What String writes, Parse reads as the same.
func TestPatchesRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := anyPatch(t, rapid.SampledFrom([]string{"f.go", "a b.go", "x/[y]/z", "h#i"}).Draw(t, "path"), 12, []string{"", "r"})
		if len(s.Ops) == 0 {
			return
		}
		if rapid.Bool().Draw(t, "moves") {
			s.File, s.Dest = Move, rapid.SampledFrom([]string{"g", "a b", `q"q`, "d/e"}).Draw(t, "dest")
		}
		p := Patch{Sections: []Section{s}}
		back, err := Parse(p.String(), "")
		if err != nil {
			t.Fatalf("%v\n%s", err, p)
		}
		if back.String() != p.String() {
			t.Fatalf("got\n%swant\n%s", back, p)
		}
	})
}

// Whatever a model writes is refused or understood; what is understood reads back.
func FuzzParse(f *testing.F) {
	_, example, _ := strings.Cut(Description, "Example:\n")
	f.Add(example)
	for _, s := range []string{"3.=4:\n+a", "PUT 3-4:\nfoo\n- x\n", "CUT 1\nPUT >4\n3:x\n", "REM", "MV \"a b\"", "*** Begin Patch\n@@ -1 +1 @@\n", "PUT 2*:\n...\n```\n+x\n", "PUT <$:\n", "[g#ab12]\nPUT <1:\n+"} {
		f.Add(header + s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Parse(text, "/w")
		if err != nil {
			return
		}
		back, err := Parse(p.String(), "/w")
		if err != nil {
			t.Fatalf("%q is read as\n%s which is refused: %v", text, p, err)
		}
		if back.String() != p.String() {
			t.Fatalf("%q is read as\n%swhich is read as\n%s", text, p, back)
		}
	})
}

// BenchmarkOneLineOfFourMiB changes one line in the middle of a large file; B/op is the
// copy of the file and little else.
func BenchmarkOneLineOfFourMiB(b *testing.B) {
	file := []byte(strings.Repeat("a line of some sixty characters, as they are in many programs\n", 4<<20/62))
	p, err := Parse(header+"PUT 30000:\n+new\n", "")
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(file)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Apply(p, [][]byte{file}); err != nil {
			b.Fatal(err)
		}
	}
}
