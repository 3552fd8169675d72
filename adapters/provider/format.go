package provider

import (
	"net/http"

	"tenet/adapters/provider/sse"
	"tenet/core/event"
)

// format is one wire format: how a request is spelled and how the events of its
// answer become one reply. Everything else of an exchange (deadlines, caps, secrets,
// the raw bytes that are kept, what is no stream) is the client's, the same for all.
type format interface {
	// path leads from the base URL to where requests are posted.
	path() string
	// encode is the request's body. The error is an *Error of class Rejected.
	encode(r Request) ([]byte, error)
	// authorize sets the headers that the format wants beside the common ones; key is
	// empty when none is configured.
	authorize(h http.Header, key string)
	// assembler is a new, empty one for one reply.
	assembler() assembler
}

// assembler puts the events of one stream together: a pure state machine from
// events to one whole reply, or to none.
type assembler interface {
	// Take reads one event. progress is true when it held a piece of the reply; an
	// error ends the reply.
	Take(e sse.Event) (d Delta, progress bool, err error)
	// Done reports whether the terminal event came, and the reply stands.
	Done() bool
	// Closed reports whether the server said that nothing follows.
	Closed() bool
	// Reply is the whole reply, or the *Error that there is none.
	Reply() (event.Reply, error)
}
