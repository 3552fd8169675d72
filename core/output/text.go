package output

import (
	"bytes"
	"unicode/utf8"
)

// Over reports whether the text passed a limit, so that a part of it does not stay.
func (b *Bound) Over() bool { return b.over }

// Cut reports whether the text is one line, longer than the limit, of which a part
// stays.
func (b *Bound) Cut() bool {
	if b.limits.Direction == Head || !b.over {
		return b.cut
	}
	_, cut := b.window()
	return cut
}

// Text is what stays.
func (b *Bound) Text() string {
	if !b.over || b.limits.Direction == Head {
		return string(b.kept)
	}
	from, _ := b.window()
	return string(b.kept[from:])
}

// window is where the whole lines at the end that fit begin; cut is true when the
// last line alone is too long and begins in its middle.
func (b *Bound) window() (from int, cut bool) {
	from = len(b.kept)
	for lines := 0; from > 0 && lines < b.limits.Lines; lines++ {
		start := bytes.LastIndexByte(b.kept[:from-1], '\n') + 1
		if start == 0 && b.gone > 0 || len(b.kept)-start > b.limits.Bytes {
			break
		}
		from = start
	}
	if from < len(b.kept) {
		return from, false
	}
	from = max(0, len(b.kept)-b.limits.Bytes)
	for from < len(b.kept) && !utf8.RuneStart(b.kept[from]) {
		from++
	}
	return from, true
}

// Count is the account so far; after Close it is the account of the whole output.
func (b *Bound) Count() Count {
	text := b.Text()
	c := Count{Written: b.clean.written - int64(len(b.clean.rest)), Stripped: b.clean.stripped, Replaced: b.clean.replaced}
	c.Kept = int64(len(text))
	c.Dropped = b.gone + int64(len(b.kept)-len(text))
	c.KeptLines = int64(bytes.Count([]byte(text), newline))
	if len(text) > 0 && text[len(text)-1] != '\n' {
		c.KeptLines++
	}
	c.DroppedLines = b.allLines() - c.KeptLines
	return c
}

// allLines counts the lines of the text; a line feed at its end starts no other.
func (b *Bound) allLines() int64 {
	if b.last != '\n' && b.total > 0 {
		return b.lines + 1
	}
	return b.lines
}
