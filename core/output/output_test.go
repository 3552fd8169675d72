package output_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"tenet/core/output"
)

func collect(l output.Limits, pieces ...string) (*output.Bound, string) {
	b, spill := output.New(l), ""
	for _, p := range pieces {
		spill += string(b.Write([]byte(p)))
	}
	return b, spill + string(b.Close())
}

// What stays, by direction and limit.
func TestBound(t *testing.T) {
	head, tail := output.Head, output.Tail
	for _, c := range []struct {
		in, want string
		l        output.Limits
	}{
		{"a\nb\nc\n", "a\nb\nc\n", output.Limits{Bytes: 6}},
		{"a\nb\nc\n", "b\nc\n", output.Limits{Bytes: 5}},
		{"a\nb\nc\n", "a\nb\n", output.Limits{Bytes: 5, Direction: head}},
		{"a\nb\nc\n", "c\n", output.Limits{Lines: 1}},
		{"a\nb\nc", "b\nc", output.Limits{Lines: 2}},
		{"a\nb\nc", "a\nb\n", output.Limits{Lines: 2, Direction: head}},
		{"abcdef", "cdef", output.Limits{Bytes: 4}},
		{"abcdef", "abcd", output.Limits{Bytes: 4, Direction: head}},
		{"abcdef\n", "def\n", output.Limits{Bytes: 4}},
		{"abcdef\nx\n", "x\n", output.Limits{Bytes: 4}},
		{"abcdef\nx\n", "abcd", output.Limits{Bytes: 4, Direction: head}},
		{"x\nabcdef\n", "x\n", output.Limits{Bytes: 4, Direction: head}},
		{"ääää", "ää", output.Limits{Bytes: 5}},
		{"ääää", "ää", output.Limits{Bytes: 5, Direction: head}},
		{"\ufeffa\ufeff\x00\x1b[1m\r\n\tb\ufffa", "a\ufeff[1m\n\tb", output.Limits{}},
		{"a\xff\xe2\x82", "a\ufffd\ufffd\ufffd", output.Limits{}},
		{"abcdef", "abcdef", output.Limits{Bytes: 1, Off: true, Direction: tail}},
		{"\n\n\n\n", "\n\n", output.Limits{Lines: 2}},
	} {
		b, _ := collect(c.l, c.in)
		if got := b.Text(); got != c.want {
			t.Errorf("%q within %+v: %q, want %q", c.in, c.l, got, c.want)
		}
	}
}

// However the bytes are cut into pieces, the text, the account and the spilled whole
// are those of one piece; kept and dropped are what was produced.
func TestConserved(t *testing.T) {
	piece := rapid.OneOf(
		rapid.StringMatching("[a-c\n]{0,9}"),
		rapid.SampledFrom([]string{"\xc3", "\xa4", "ä", "€", "\xf0\x9f", "\x00\x1b", "\ufeff", "\r\n", "\n", "\ufff9"}),
	)
	rapid.Check(t, func(rt *rapid.T) {
		pieces := rapid.SliceOfN(piece, 0, 30).Draw(rt, "pieces")
		l := output.Limits{Bytes: rapid.IntRange(1, 24).Draw(rt, "bytes"), Lines: rapid.IntRange(1, 9).Draw(rt, "lines"),
			Direction: output.Direction(rapid.IntRange(0, 1).Draw(rt, "direction"))}
		all := strings.Join(pieces, "")
		one, spill1 := collect(l, all)
		many, spill := collect(l, pieces...)
		if one.Text() != many.Text() || one.Count() != many.Count() || spill1 != spill {
			rt.Fatalf("%q in pieces: %q %+v, whole: %q %+v", pieces, many.Text(), many.Count(), one.Text(), one.Count())
		}
		whole, _ := collect(output.Limits{Off: true}, all)
		if err := conserved(many, whole.Text(), all, spill, l); err != nil {
			rt.Fatalf("%q within %+v: %v", pieces, l, err)
		}
	})
}

func conserved(b *output.Bound, whole, raw, spill string, l output.Limits) error {
	c, text := b.Count(), b.Text()
	lines := int64(strings.Count(whole, "\n"))
	if whole != "" && !strings.HasSuffix(whole, "\n") {
		lines++
	}
	switch {
	case c.Kept+c.Dropped != int64(len(whole)) || c.KeptLines+c.DroppedLines != lines || c.Kept != int64(len(text)):
		return fmt.Errorf("produced %d bytes in %d lines, account %+v", len(whole), lines, c)
	case c.Written != int64(len(raw)) || c.Written != c.Kept+c.Dropped+c.Stripped-2*c.Replaced:
		return fmt.Errorf("written %d, account %+v", len(raw), c)
	case len(text) > l.Bytes || c.KeptLines > int64(l.Lines) || !utf8.ValidString(text):
		return fmt.Errorf("kept %q", text)
	case b.Over() && spill != whole || !b.Over() && (spill != "" || text != whole):
		return fmt.Errorf("kept %q, spilled %q of %q", text, spill, whole)
	case l.Direction == output.Head && !strings.HasPrefix(whole, text), l.Direction == output.Tail && !strings.HasSuffix(whole, text):
		return fmt.Errorf("kept %q of %q", text, whole)
	case !b.Cut() && text != "" && l.Direction == output.Tail && len(text) < len(whole) && whole[len(whole)-len(text)-1] != '\n':
		return fmt.Errorf("kept %q, which starts inside a line of %q", text, whole)
	}
	return nil
}

// Memory is bounded by the window, whatever streams through.
func TestBoundedMemory(t *testing.T) {
	b, p := output.New(output.Limits{}), []byte(strings.Repeat("0123456789abcde\n", 4096))
	n := testing.AllocsPerRun(200, func() { b.Write(p) })
	if c := b.Count(); n > 1 || c.Kept > output.DefaultBytes || c.Kept < output.DefaultBytes/2 {
		t.Errorf("%v allocations a write, %+v", n, c)
	}
}

func BenchmarkWrite(b *testing.B) {
	o, p := output.New(output.Limits{}), []byte(strings.Repeat("0123456789abcde\n", 4096))
	b.SetBytes(int64(len(p)))
	for b.Loop() {
		o.Write(p)
	}
}

// What is behind any place, piece by piece, is the text; of what was missed it is the end.
func TestAfterGivesWhatIsNew(t *testing.T) {
	const line = "aé\n"
	want := strings.Repeat(line, 10)
	for _, l := range []output.Limits{{}, {Bytes: 8}, {Bytes: 8, Direction: output.Head}, {Off: true}} {
		b, told, all := output.New(l), int64(0), ""
		for i := range len(want) {
			b.Write([]byte(want[i : i+1]))
			text := ""
			text, told = b.After(told, 100)
			all += text
		}
		if l.Direction == output.Tail && all != want || !strings.HasPrefix(want, all) || told != int64(len(want)) {
			t.Errorf("%+v: %q, %d", l, all, told)
		}
	}
	b := output.New(output.Limits{})
	b.Write([]byte(strings.Repeat("é", 50)))
	if text, total := b.After(3, 5); text != "éé" || total != 100 {
		t.Errorf("%q of %d", text, total)
	}
}
