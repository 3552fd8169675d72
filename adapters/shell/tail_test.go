package shell

import (
	"bytes"
	"strings"
	"testing"
)

// The last lines of a file begin where counting from its start says, also where lines
// are longer than what is read at once.
func TestTheLastLinesBeginWhereCountingSays(t *testing.T) {
	long := strings.Repeat("x", chunk-1)
	for _, text := range []string{
		"", "\n", "\n\n", "a", "a\n", "a\nb", "a\nb\n", "\na\n\n", long, long + "\n", long + "\n" + long, "a\n" + long + "\nb\n",
		long + "x\n" + long + "xx\n\n" + long, strings.Repeat("\n", chunk+1), strings.Repeat("ab\n", chunk),
	} {
		for n := int64(1); n < 5; n++ {
			e := &ends{n: n}
			got, err := e.lineStart(bytes.NewReader([]byte(text)), int64(len(text)))
			if want := naiveStart(text, int(n)); err != nil || got != int64(want) {
				t.Errorf("last %d lines of %d bytes (%.20q...) begin at %d, %v; want %d", n, len(text), text, got, err, want)
			}
		}
	}
}

func naiveStart(text string, n int) int {
	lines := strings.SplitAfter(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return len(text) - len(strings.Join(lines[max(0, len(lines)-n):], ""))
}
