package snapshot

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tenet/core/doc"
)

// places is every offset at which the anchors of one file stand in another: the
// reference of Drift, which tries them all.
func places(stored, live []byte, anchors []int64) (out []int64) {
	text := func(file []byte) (t []string) {
		for _, l := range doc.Lines(file) {
			t = append(t, string(l.Text))
		}
		return t
	}
	have, there := text(stored), text(live)
	for by := -int64(len(have)); by <= int64(len(there)); by++ {
		fits := len(anchors) > 0
		for _, a := range anchors {
			fits = fits && a >= 1 && a <= int64(len(have)) && a+by >= 1 && a+by <= int64(len(there)) && have[a-1] == there[a+by-1]
		}
		if fits {
			out = append(out, by)
		}
	}
	return out
}

// besideMoved is whether one of the lines beside the anchors moved along, or there is none.
func besideMoved(stored, live []byte, anchors []int64, by int64) bool {
	line := func(file []byte, n int64) string {
		for at, l := range doc.Lines(file) {
			if int64(at) == n {
				return "line " + string(l.Text)
			}
		}
		return ""
	}
	before, after := slices.Min(anchors)-1, slices.Max(anchors)+1
	first, last := line(stored, before), line(stored, after)
	return by == 0 || first == "" && last == "" || first == line(live, before+by) || last == line(live, after+by)
}

// Drift is certain exactly when one place fits in the live text, and no other than
// their own in the stored one.
func TestDriftRapid(t *testing.T) {
	file := rapid.Custom(func(t *rapid.T) []byte {
		var b strings.Builder
		for range rapid.IntRange(0, 7).Draw(t, "lines") {
			b.WriteString(rapid.SampledFrom([]string{"a", "b", "c", "d", "", "}"}).Draw(t, "line"))
			b.WriteString(rapid.SampledFrom([]string{"\n", "\n", "\r\n", "\r"}).Draw(t, "ending"))
		}
		return []byte(b.String())
	})
	rapid.Check(t, func(t *rapid.T) {
		stored := file.Draw(t, "stored")
		live := file.Draw(t, "live")
		if rapid.Bool().Draw(t, "near") {
			cut := rapid.IntRange(0, len(stored)).Draw(t, "cut")
			live = slices.Concat(stored[:cut], file.Draw(t, "between"), stored[cut:])
		}
		anchors := rapid.SliceOfN(rapid.Int64Range(1, 8), 0, 4).Draw(t, "anchors")
		own, there := places(stored, stored, anchors), places(stored, live, anchors)
		want := len(own) == 1 && len(there) == 1 && besideMoved(stored, live, anchors, there[0])
		offset, ok := Drift(stored, live, anchors)
		if ok != want || ok && offset != there[0] {
			t.Fatalf("%d, %v; in stored %v, in live %v", offset, ok, own, there)
		}
	})
}

// The cases by name.
func TestDrift(t *testing.T) {
	for _, c := range []struct {
		name, stored, live string
		anchors            []int64
		offset             int64
		ok                 bool
	}{
		{"a line above", "a\nb\nc\n", "x\na\nb\nc\n", []int64{2}, 1, true},
		{"a line above went", "a\nb\nc\n", "b\nc\n", []int64{2, 3}, -1, true},
		{"changed elsewhere", "a\nb\nc\n", "a\nb\nC\n", []int64{1, 2}, 0, true},
		{"the anchor changed", "a\nb\nc\n", "a\nB\nc\n", []int64{2}, 0, false},
		{"a line of the range changed", "a\nb\nc\nd\n", "x\na\nb\nC\nd\n", []int64{2, 3, 4}, 0, false},
		{"a line came into the range", "a\nb\nc\n", "a\nb\nx\nc\n", []int64{2, 3}, 0, false},
		{"two places in live", "a\nb\n", "b\na\nb\n", []int64{2}, 0, false},
		{"one of two went", "b\na\nb\n", "a\nb\n", []int64{1}, 0, false},
		{"only the endings changed", "a\r\nb\r\n", "a\nb\n", []int64{2}, 0, true},
		{"the anchor is past the end", "a\n", "a\nb\n", []int64{2}, 0, false},
		{"no anchor has no place", "a\n", "a\nb\n", nil, 0, false},
	} {
		if offset, ok := Drift([]byte(c.stored), []byte(c.live), c.anchors); ok != c.ok || offset != c.offset && ok {
			t.Errorf("%s: %d, %v", c.name, offset, ok)
		}
	}
}

// The search ends on files made to keep it busy: every line an anchor, and each place
// wrong only at its last line.
func TestDriftWorkIsBounded(t *testing.T) {
	stored := append(bytes.Repeat([]byte("a\n"), 100_000), "b\n"...)
	live := append(bytes.Repeat([]byte("a\n"), 300_000), bytes.Repeat([]byte("b\nc\n"), 2)...)
	anchors := make([]int64, 100_000)
	for i := range anchors {
		anchors[i] = int64(i + 1)
	}
	if _, ok := Drift(stored, live, anchors); ok {
		t.Error("a place that is not certain")
	}
}

func BenchmarkDrift(b *testing.B) {
	var stored bytes.Buffer
	for i := range 100_000 {
		fmt.Fprintf(&stored, "line %d of a file of four MiB, of which most is here\n", i)
	}
	live := append([]byte("a line above\n"), stored.Bytes()...)
	b.SetBytes(int64(len(live)))
	for b.Loop() {
		if _, ok := Drift(stored.Bytes(), live, []int64{50_000, 50_001}); !ok {
			b.Fatal("no place")
		}
	}
}

// A line that was changed where it stood is not found again in another function.
func TestDriftStaysInItsFunction(t *testing.T) {
	stored := []byte("def a():\n    limit = 10\n    return 1\n")
	live := []byte("def a():\n    limit = 20\n    return 1\ndef b():\n    limit = 10\n    return 2\n")
	if by, ok := Drift(stored, live, []int64{2}); ok {
		t.Errorf("the edit goes on %d lines further down", by)
	}
}
