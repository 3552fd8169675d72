package doc

import (
	"testing"

	"pgregory.net/rapid"
)

func TestCutMiddle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sizes := rapid.SliceOfN(rapid.IntRange(1, 12), 0, 30).Draw(t, "sizes")
		maxBytes, maxLines := rapid.IntRange(1, 60).Draw(t, "bytes"), rapid.IntRange(1, 20).Draw(t, "lines")
		m := CutMiddle(sizes, maxBytes, maxLines)
		kept, gone := 0, 0
		for i, n := range sizes {
			if i < m.Head || i >= len(sizes)-m.Tail {
				kept += n
			} else {
				gone += n
			}
		}
		if m.Head+m.Tail+m.Lines != len(sizes) || gone != m.Bytes {
			t.Fatalf("%v: the account does not add up: %+v", sizes, m)
		}
		if kept > maxBytes || m.Head+m.Tail > maxLines {
			t.Fatalf("%v within %d bytes and %d lines: %+v keeps %d bytes", sizes, maxBytes, maxLines, m, kept)
		}
		if m.Lines > 0 && kept+gone <= maxBytes && len(sizes) <= maxLines {
			t.Fatalf("%v fits but is cut: %+v", sizes, m)
		}
	})
}
