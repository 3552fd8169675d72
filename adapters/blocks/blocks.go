// Package blocks finds the syntactic block that opens on a line, for the edits that
// name a block by its first line, and tells whether a text parses, for the warning
// that an edit broke it (documents.md 7.3, 7.4).
//
// Go and shell are parsed by their parsers, the other languages by a scanner that
// knows their strings, comments, brackets and words; a language that is not known
// goes by its indentation, and the answer says so. A text whose brackets do not pair
// has no blocks: a wrong block would cost lines, a refusal costs one more call.
// Nothing here opens a file, and the work grows with the text and no faster.
package blocks

import (
	"fmt"

	"tenet/core/doc"
)

// MaxBytes is the longest text that is looked at, in bytes: the longest that an edit
// takes (documents.md 7.2).
const MaxBytes = 4 << 20

// grammar is a text that was read as some language: it knows its blocks.
type grammar interface {
	// block is the block that opens on a line, which is in the text; a *refusal
	// says why there is none.
	block(line int) (doc.Span, error)
}

// refusal is why no block opens on a line.
type refusal struct {
	why string
	// closes is true for a line that belongs to a block which opened before it.
	closes bool
}

func (r *refusal) Error() string { return r.why }

func refuse(format string, args ...any) error {
	return &refusal{why: fmt.Sprintf(format, args...)}
}

func closing(format string, args ...any) error {
	return &refusal{why: fmt.Sprintf(format, args...), closes: true}
}

// broken is a text that cannot be read as its language.
type broken struct {
	line int
	why  string
}

func (b *broken) Error() string { return fmt.Sprintf("line %d: %s", b.line, b.why) }

// Of is the block that opens on a line, counted from 1: a function with its body, a
// statement with its branches, a list, a section, an element. The path tells the
// language and is not opened. The note, when not empty, says how sure the answer is.
// The error says why no block opens there, and names the nearest one around the line
// and the next one after it.
func Of(path string, text []byte, line int64) (s doc.Span, note string, err error) {
	t, err := newText(path, text)
	if err != nil {
		return s, "", err
	}
	if line < 1 || line > int64(t.count()) {
		return s, "", fmt.Errorf("line %d is not in %s, which has %d lines", line, path, t.count())
	}
	l := languageOf(path, text)
	g, err := l.read(t)
	if err != nil {
		return s, "", fmt.Errorf("%s does not read as %s (%w), so where a block ends cannot be told; give the lines as a range instead", path, l.name, err)
	}
	s, err = g.block(int(line))
	if err != nil {
		return s, "", fmt.Errorf("%w%s", err, neighbours(g, t, int(line), err))
	}
	return s, l.note(t, s), nil
}

// Parses tells whether a text reads as the language of its path: ok is meaningless
// unless known is true. Brackets that pair, and parsers where there is one, are all
// that is looked at: ok is no promise that a compiler agrees.
func Parses(path string, text []byte) (ok, known bool) {
	l := languageOf(path, text)
	t, err := newText(path, text)
	if err != nil || !l.checks {
		return false, false
	}
	_, err = l.read(t)
	return err == nil, true
}
