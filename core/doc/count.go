package doc

import "bytes"

// Counts is how many lines a change adds to a file and removes from it, as its diff shows
// them. Bytes that are no text count as no lines.
func Counts(old, next []byte) (added, removed int) {
	if bytes.IndexByte(old, 0) >= 0 || bytes.IndexByte(next, 0) >= 0 {
		return 0, 0
	}
	inside := false
	for line := range bytes.Lines(unified("a", old, "b", next)) {
		switch {
		case bytes.HasPrefix(line, []byte("@@ ")):
			inside = true
		case inside && line[0] == '+':
			added++
		case inside && line[0] == '-':
			removed++
		}
	}
	return added, removed
}
