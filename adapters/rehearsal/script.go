// Package rehearsal is a scripted model: its replies are data, and everything
// around it is real. Demos, stories and tests play one where a live model would
// make each run different. docs/rehearsal.md describes the format.
package rehearsal

import (
	"bytes"
	"fmt"
	"io"
	"time"
	"unicode/utf8"

	"tenet/adapters/provider"
	"tenet/core/event"
)

// MaxScript is the most bytes a script may have.
const MaxScript = 16 << 20

// Script is a checked rehearsal: at least one reply, each of them playable.
type Script struct {
	name    string
	replies []reply
}

// reply is one entry of a script.
type reply struct {
	line   int // where it stands in the file, for messages
	reply  event.Reply
	fail   *provider.Error // the failure to play instead of the reply, nil without one
	expect []string        // texts that what came since the last reply must hold
	pieces int             // characters of a delta, 0 for everything at once
	wait   time.Duration   // how long the model thinks
}

// Error is a script that cannot be played.
type Error struct {
	// Script is the name the script was parsed under, as a rule its path.
	Script string
	// Line is where the mistake stands, counted from 1.
	Line int
	// Message says what is wrong and what to write instead.
	Message string
}

// Error is "script:line: message", which editors turn into a link.
func (e *Error) Error() string { return fmt.Sprintf("%s:%d: %s", e.Script, e.Line, e.Message) }

// Name is the name the script was parsed under.
func (s *Script) Name() string { return s.name }

// Len is the number of replies, at least 1.
func (s *Script) Len() int { return len(s.replies) }

// Parse reads a script: JSON objects one after the other, one for each reply, with
// // comments. name stands in messages. The error is an *Error with a line, or r's own.
func Parse(r io.Reader, name string) (*Script, error) {
	b, err := io.ReadAll(io.LimitReader(r, MaxScript+1))
	if err != nil {
		return nil, fmt.Errorf("read the rehearsal %s: %w", name, err)
	}
	p := &parser{script: name, text: bytes.TrimPrefix(b, []byte("\ufeff"))}
	if len(b) > MaxScript {
		return nil, p.errorAt(0, "a rehearsal has at most %d MiB", MaxScript>>20)
	}
	if n := invalidUTF8(p.text); n >= 0 {
		return nil, p.errorAt(n, "this is not UTF-8; save the file as UTF-8")
	}
	if err := p.comments(); err != nil {
		return nil, err
	}
	replies, err := p.replies()
	if err != nil {
		return nil, err
	}
	return &Script{name: name, replies: replies}, nil
}

// invalidUTF8 is the place of the first byte that is none, -1 without one.
func invalidUTF8(b []byte) int {
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return -1
}
