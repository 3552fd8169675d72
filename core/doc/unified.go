package doc

import (
	"bytes"
	"fmt"

	"github.com/rogpeppe/go-internal/diff"
)

// around is how many unchanged lines a unified diff shows beside a change.
const around = 3

// unified is the unified diff of two texts without the line that repeats both names. An
// edit leaves most of a file as it is, and comparing that line by line costs a hundred
// times the edit: what both texts begin and end with is cut off first.
func unified(from string, old []byte, to string, next []byte) []byte {
	head := beginning(old, next)
	tail := ending(old[head:], next[head:])
	cut := bytes.Count(old[:head], []byte{'\n'})
	d := diff.Diff(from, old[head:len(old)-tail], to, next[head:len(next)-tail])
	if i := bytes.IndexByte(d, '\n'); i >= 0 {
		d = d[i+1:]
	}
	return shifted(d, cut)
}

// beginning is how many bytes of whole lines both texts begin with, but for the lines
// that a diff shows above a change.
func beginning(a, b []byte) int {
	n := same(a, b)
	n = bytes.LastIndexByte(a[:n], '\n') + 1
	for range around {
		if n == 0 {
			return 0
		}
		n = bytes.LastIndexByte(a[:n-1], '\n') + 1
	}
	return n
}

// block is how much is compared at once.
const block = 4 << 10

// same is how many bytes two texts begin with together.
func same(a, b []byte) int {
	n, end := 0, min(len(a), len(b))
	for n+block <= end && bytes.Equal(a[n:n+block], b[n:n+block]) {
		n += block
	}
	for n < end && a[n] == b[n] {
		n++
	}
	return n
}

// ending is how many bytes of whole lines both texts end with, but for the lines that a
// diff shows below a change. What it cuts off begins a line in both.
func ending(a, b []byte) int {
	n, end := 0, min(len(a), len(b))
	for n+block <= end && bytes.Equal(a[len(a)-n-block:len(a)-n], b[len(b)-n-block:len(b)-n]) {
		n += block
	}
	for n < end && a[len(a)-n-1] == b[len(b)-n-1] {
		n++
	}
	shared := a[len(a)-n:]
	for range around + 1 { // the first may be the rest of a line that changed
		i := bytes.IndexByte(shared, '\n')
		if i < 0 {
			return 0
		}
		shared = shared[i+1:]
	}
	return len(shared)
}

// shifted moves the hunks of a diff down by the lines that were cut off above. Each line
// of a hunk begins with a sign, so a line that begins with @@ is a hunk's head.
func shifted(d []byte, cut int) []byte {
	if cut == 0 {
		return d
	}
	out := make([]byte, 0, len(d)+16)
	for line := range bytes.Lines(d) {
		var a, an, b, bn int
		if n, _ := fmt.Sscanf(string(line[:min(len(line), 64)]), "@@ -%d,%d +%d,%d @@", &a, &an, &b, &bn); n == 4 {
			line = fmt.Appendf(nil, "@@ -%d,%d +%d,%d @@\n", a+cut, an, b+cut, bn)
		}
		out = append(out, line...)
	}
	return out
}
