package cli

import (
	"encoding/json"
	"io"
	"sync"

	"tenet/core/event"
)

// Stream writes a session as JSON, one object a line: the head, each record once it is
// durable, and the live signs between them (docs/events.md). It may be used by several
// goroutines; after the first failed write it writes nothing more.
type Stream struct {
	mu     sync.Mutex
	enc    *json.Encoder
	failed error
}

// NewStream writes to out.
func NewStream(out io.Writer) *Stream {
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	return &Stream{enc: enc}
}

// Head writes the first line.
func (s *Stream) Head(session, log string) {
	s.line(event.StreamHead{Stream: event.Version, Session: session, Log: log})
}

// Record writes a record, as the log has it.
func (s *Stream) Record(r event.Record) { s.line(r) }

// Live writes a sign of what goes on.
func (s *Stream) Live(l event.Live) { s.line(l) }

// Err is why writing stopped, nil when all was written.
func (s *Stream) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.failed
}

func (s *Stream) line(v any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failed == nil {
		s.failed = s.enc.Encode(v)
	}
}
