package doc

import (
	"bytes"
	"fmt"
	"strings"

	"tenet/core/call"
)

// The bounds of a diff on a card (seed 5, "Diffs").
const (
	// DiffBytes is how large a diff is shown whole.
	DiffBytes = 64 << 10
	// DiffLines is how many lines are shown of a larger one.
	DiffLines = 400
)

// Diff is the change of a file as a card shows it: a unified diff, whole up to
// DiffBytes, else its first DiffLines with the path, the sizes and how much is left
// out. What could hide or move characters is escaped, so that no two diffs look the same
// (call.Exact). Nothing changed is empty.
func Diff(path string, existed bool, old, next []byte) string {
	from := "a/" + path
	if !existed {
		from = "/dev/null"
	}
	d := unified(from, old, "b/"+path, next)
	if len(d) == 0 && !existed {
		return fmt.Sprintf("--- /dev/null\n+++ b/%s\n(an empty file)\n", call.Exact(path))
	}
	return CardDiff(path, d, len(old), len(next))
}

// Removal is the change of a file that goes, bounded as Diff is.
func Removal(path string, old []byte) string {
	d := unified("a/"+path, old, "/dev/null", nil)
	if len(d) == 0 {
		return fmt.Sprintf("--- a/%s\n+++ /dev/null\n(an empty file)\n", call.Exact(path))
	}
	return CardDiff(path, d, len(old), 0)
}

// CardDiff bounds a diff (law diff_bounds): the log keeps every byte of what was
// proposed in the call's own arguments.
func CardDiff(path string, d []byte, oldSize, newSize int) string {
	if len(d) <= DiffBytes {
		return call.Exact(string(d))
	}
	kept, lines := firstLines(d, DiffLines)
	all := lines + bytes.Count(d[len(kept):], []byte("\n"))
	return call.Exact(string(kept)) + fmt.Sprintf("… %d of %d"+leftOut+"%s, %d bytes before, %d bytes after\n", all-lines, all, call.Exact(path), oldSize, newSize)
}

// LeavesOut reports whether a diff of a card leaves a part of the change out.
func LeavesOut(d string) bool { return strings.Contains(d, leftOut) }

const leftOut = " lines of this diff are not shown: "

// firstLines is the first n lines of a text, within DiffBytes: a line may be long.
func firstLines(d []byte, n int) (kept []byte, lines int) {
	end := 0
	for lines < n {
		i := bytes.IndexByte(d[end:], '\n')
		if i < 0 || end+i+1 > DiffBytes {
			break
		}
		end += i + 1
		lines++
	}
	return d[:end], lines
}
