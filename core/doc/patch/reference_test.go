package patch

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tenet/core/doc"
)

// naiveLine is a line of a file as the naive applier has it; an old line has its own
// ending, which is empty for the last line of a file without a final one.
type naiveLine struct {
	text, ending string
	old          bool
}

// naiveRead parts a file by hand: it shares nothing with doc.Lines.
func naiveRead(file string) (mark string, lines []naiveLine) {
	if strings.HasPrefix(file, "\ufeff") {
		mark, file = "\ufeff", file[3:]
	}
	for _, l := range strings.SplitAfter(file, "\n") {
		switch {
		case strings.HasSuffix(l, "\r\n"):
			lines = append(lines, naiveLine{l[:len(l)-2], "\r\n", true})
		case strings.HasSuffix(l, "\n"):
			lines = append(lines, naiveLine{l[:len(l)-1], "\n", true})
		case l != "":
			lines = append(lines, naiveLine{l, "", true})
		}
	}
	return mark, lines
}

// naiveWrite puts lines together: a new line, and an old one without an ending that is not
// the last any more, take the ending before them.
func naiveWrite(mark string, was, lines []naiveLine) string {
	carry := "\n"
	if len(was) > 0 && was[0].ending != "" {
		carry = was[0].ending
	}
	out := mark
	for i, l := range lines {
		if l.ending == "" {
			l.ending = carry
		}
		carry = l.ending
		if n := len(was); i == len(lines)-1 && n > 0 && was[n-1].ending == "" && l.text != "" {
			l.ending = "" // the file had no ending at its end, and an empty line needs one
		}
		out += l.text + l.ending
	}
	return out
}

// naiveApply puts what each operation brings into the slot of its place and reads the
// slots from the top. regs is what was cut so far.
func naiveApply(s Section, file string, regs map[string][]string) string {
	mark, old := naiveRead(file)
	n := len(old)
	var top, bottom []naiveLine
	before, at, after := make([][]naiveLine, n+2), make([][]naiveLine, n+2), make([][]naiveLine, n+2)
	for i, l := range old {
		at[i+1] = []naiveLine{l}
	}
	for _, op := range s.Ops {
		body := op.Body
		switch op.Verb {
		case Cut:
			regs[op.Register] = nil
			for _, l := range old[op.From-1 : op.To] {
				regs[op.Register] = append(regs[op.Register], l.text)
			}
		case Paste:
			body = regs[op.Register]
		case Put:
		}
		var lines []naiveLine
		for _, text := range body {
			lines = append(lines, naiveLine{text: text})
		}
		switch op.At {
		case Lines:
			for i := op.From; i <= op.To; i++ {
				at[i] = nil
			}
			at[op.From] = naiveReplace(old[op.From-1:op.To], lines)
		case Before:
			before[op.From] = append(before[op.From], lines...)
		case After:
			after[op.From] = append(after[op.From], lines...)
		case AfterBlock:
			after[op.To] = append(after[op.To], lines...)
		case Top:
			top = append(top, lines...)
		case Bottom:
			bottom = append(bottom, lines...)
		case Block:
		}
	}
	out := top
	for i := 1; i <= n; i++ {
		out = slices.Concat(out, before[i], at[i], after[i])
	}
	return naiveWrite(mark, old, append(out, bottom...))
}

// naiveReplace is the new lines, of which those at both ends that are the old ones stay
// the old ones.
func naiveReplace(old, lines []naiveLine) []naiveLine {
	if len(old) == 0 || len(lines) == 0 {
		return lines
	}
	if old[0].text == lines[0].text {
		return append([]naiveLine{old[0]}, naiveReplace(old[1:], lines[1:])...)
	}
	return naiveTail(old, lines)
}

func naiveTail(old, lines []naiveLine) []naiveLine {
	o, l := len(old)-1, len(lines)-1
	if o < 0 || l < 0 || old[o].text != lines[l].text {
		return lines
	}
	return append(naiveTail(old[:o], lines[:l]), old[o])
}

var (
	filePieces = rapid.SliceOfN(rapid.SampledFrom([]string{"\n", "\r\n", "\r", "a", "b", "\x00", "é", "𝄞", "\xff", " "}), 0, 24)
	lineTexts  = rapid.SampledFrom([]string{"", "a", "b", "é", "  y", "\x00", "+", "-", "...", "#", "PUT 3:", "REM", "a\rb", "a\r", "[f#0000]", "1:x", "*** Abort", "@@", "```"})
)

func anyFile(t *rapid.T) string {
	return rapid.SampledFrom([]string{"", "\ufeff"}).Draw(t, "mark") + strings.Join(filePieces.Draw(t, "file"), "")
}

// pen draws the operations of a patch in its order, so that each paste has something to
// paste.
type pen struct {
	t       *rapid.T
	pending int
	filled  map[string]bool
	unread  map[string]bool
}

// places draws places of a file of n lines that do not meet.
func (p *pen) places(n int64) (ops []Op) {
	for line := int64(1); line <= n; line += 1 + rapid.Int64Range(0, 2).Draw(p.t, "step") {
		op := Op{From: line}
		switch op.At = rapid.SampledFrom([]Where{Lines, Lines, Lines, Before, After, AfterBlock}).Draw(p.t, "at"); op.At {
		case Lines:
			op.To = min(n, line+rapid.Int64Range(0, 2).Draw(p.t, "more"))
			line = op.To
		case AfterBlock:
			op.To = min(n, line+rapid.Int64Range(0, 1).Draw(p.t, "more"))
			line = op.To
		case Before:
			if line == 1 {
				op.At, op.From = Top, 0
			}
		case After, Block, Top, Bottom:
		}
		ops = append(ops, op)
	}
	for range rapid.IntRange(0, 2).Draw(p.t, "ends") {
		ops = append(ops, Op{At: rapid.SampledFrom([]Where{Top, Bottom}).Draw(p.t, "end")})
	}
	if len(ops) == 0 {
		return nil
	}
	return rapid.Permutation(ops).Draw(p.t, "order")
}

// verb draws what an operation does at its place.
func (p *pen) verb(op *Op) {
	var names []string
	for name := range p.filled {
		names = append(names, name)
	}
	slices.Sort(names)
	if p.pending == 1 && op.At != Lines {
		names = append(names, "")
	}
	switch k := rapid.IntRange(0, 3).Draw(p.t, "verb"); {
	case k == 0 && len(names) > 0:
		op.Verb, op.Register = Paste, rapid.SampledFrom(names).Draw(p.t, "paste")
		p.unread[op.Register] = false
		if op.Register == "" {
			p.pending = 0
		}
	case k == 1 && op.At == Lines:
		op.Verb, op.Register = Cut, rapid.SampledFrom([]string{"", "a", "b", Discard}).Draw(p.t, "cut")
		switch {
		case op.Register == "":
			p.pending++
		case op.Register == Discard || p.unread[op.Register]:
			op.Register = Discard
		default:
			p.filled[op.Register], p.unread[op.Register] = true, true
		}
	default:
		op.Body = rapid.SliceOfN(lineTexts, 1, 4).Draw(p.t, "body")
	}
}

// anyPatch draws a patch for files.
func anyPatch(t *rapid.T, files []string) (p Patch) {
	pen := pen{t: t, filled: map[string]bool{}, unread: map[string]bool{}}
	for i, file := range files {
		_, old := naiveRead(file)
		s := Section{Path: fmt.Sprint("f", i), Tag: "00AF", Ops: pen.places(int64(len(old)))}
		for j := range s.Ops {
			pen.verb(&s.Ops[j])
		}
		if rapid.IntRange(0, 5).Draw(t, "move") == 0 || len(s.Ops) == 0 {
			s.File, s.Dest = Move, rapid.SampledFrom([]string{"g", "a b", `q"q`, "d/e#0000"}).Draw(t, "dest")+fmt.Sprint(i)
		}
		p.Sections = append(p.Sections, s)
	}
	return p
}

// bare is a patch without what its rows looked like: the places in the text, and the
// blocks that were resolved.
func bare(p Patch) Patch {
	p.Warnings, p.Sections = nil, slices.Clone(p.Sections)
	for i := range p.Sections {
		s := &p.Sections[i]
		s.Row, s.fileRow, s.Ops = 0, 0, slices.Clone(s.Ops)
		for j := range s.Ops {
			op := &s.Ops[j]
			op.Row, op.Removed, op.copied = 0, nil, false
			if op.At == AfterBlock {
				op.To = 0
			}
		}
	}
	return p
}

// distinct reports whether no two writes of a section are the same, for those are read as
// one.
func distinct(p Patch) bool {
	for _, s := range p.Sections {
		seen := map[string]bool{}
		for _, op := range s.Ops {
			key := fmt.Sprintf("%s%q", op.Header(), op.Body)
			if op.Verb != Paste && seen[key] {
				return false
			}
			seen[key] = true
		}
	}
	return true
}

// Applying is the naive thing, byte for byte, over files that share registers.
func applyIsNaive(t *rapid.T) {
	files := rapid.SliceOfN(rapid.Custom(anyFile), 1, 3).Draw(t, "files")
	p := anyPatch(t, files)
	var texts [][]byte
	for _, f := range files {
		texts = append(texts, []byte(f))
	}
	got, err := Apply(p, texts)
	regs := map[string][]string{}
	for i, s := range p.Sections {
		want := naiveApply(s, files[i], regs)
		if want == files[i] && s.File == KeepFile {
			if f, ok := err.(*Fault); !ok || f.Reason != NoOp || f.Path != s.Path {
				t.Fatalf("%q\n%sis %v, want a no-op of %s", files, p, err, s.Path)
			}
			return
		}
		if err != nil && regs == nil {
			return
		}
		if err == nil && string(got[i].Bytes) != want {
			t.Fatalf("%q\n%sgives\n%q, want\n%q", files[i], p, got[i].Bytes, want)
		}
		if err == nil {
			checkChanged(t, got[i], texts[i])
		}
	}
	if err != nil {
		t.Fatalf("%q\n%sis refused: %v", files, p, err)
	}
}

// checkChanged: what the pieces bring is named, spans are in order, apart and in the file.
func checkChanged(t *rapid.T, r Result, old []byte) {
	if !bytes.Equal(doc.Weave(old, r.Pieces), r.Bytes) {
		t.Fatalf("the pieces %v of %q are not the bytes %q", r.Pieces, old, r.Bytes)
	}
	line, last := int64(0), int64(-1)
	for _, p := range r.Pieces {
		if p.Keep.From > 0 {
			line += p.Keep.To - p.Keep.From + 1
			continue
		}
		for range p.New {
			line++
			if !slices.ContainsFunc(r.Changed, func(s doc.Span) bool { return s.From <= line && line <= s.To }) {
				t.Fatalf("line %d of %q is new and not named in %v", line, r.Bytes, r.Changed)
			}
		}
	}
	for _, s := range r.Changed {
		if s.From <= last+1 && last >= 0 || s.To < s.From || s.From < 1 || s.To > line {
			t.Fatalf("the spans %v of %d lines", r.Changed, line)
		}
		last = s.To
	}
}

func TestApplyIsTheNaiveThing(t *testing.T) { rapid.Check(t, applyIsNaive) }

func FuzzApply(f *testing.F) { f.Fuzz(rapid.MakeFuzz(applyIsNaive)) }

// What String writes, Parse reads as the same, without a warning but for texts that read
// like operations.
func TestPatchesRoundTrip(t *testing.T) {
	paths := rapid.SampledFrom([]string{"f.go", "a b.go", "x/[y]/z", "h#i", `"q"`, "'q'", "*** x", "File: x", "# x", "../up", "/abs", "a\nb", " pad ", "`", "é", "\xff", "[x]"})
	rapid.Check(t, func(t *rapid.T) {
		p := anyPatch(t, []string{"1\n2\n3\n4\n5\n6\n7\n8\n", "1\n2\n3\n"})
		p.Sections[0].Path = paths.Draw(t, "path")
		if rapid.Bool().Draw(t, "moves") && p.Sections[0].File == KeepFile {
			p.Sections[0].File, p.Sections[0].Dest = Move, paths.Filter(func(d string) bool { return d != p.Sections[0].Path }).Draw(t, "to")
		}
		if !distinct(p) {
			return
		}
		back, err := Parse(p.String(), "/w")
		if err != nil {
			t.Fatalf("%v\n%s", err, p)
		}
		if got, want := bare(back), bare(p); !reflect.DeepEqual(got, want) {
			t.Fatalf("%q\nis read as\n%v, want\n%v", p.String(), got, want)
		}
	})
}
