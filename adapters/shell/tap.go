package shell

import (
	"strings"
	"sync"
	"time"
)

// The bounds of what is told of an output while it grows: a command that writes without
// end tells no more of it than somebody can read.
const (
	// HeardEvery is the shortest time between two tellings.
	HeardEvery = 50 * time.Millisecond
	// HeardMost is the most bytes of one output that one of them has: its end.
	HeardMost = 4 << 10
)

// tap tells of what the outputs of a call get, as they get it. It never holds a writer up:
// whoever listens is called on a goroutine of its own, one at a time. A nil tap tells
// nobody.
type tap struct {
	to    func(text string)
	sinks []*sink

	saying chan struct{} // has room while nobody tells
	mu     sync.Mutex
	armed  bool // it will tell
	closed bool
	next   time.Time // not before
}

// newTap listens to sinks; to is nil when nobody does.
func newTap(to func(string), sinks ...*sink) *tap {
	if to == nil {
		return nil
	}
	t := &tap{to: to, saying: make(chan struct{}, 1)}
	for _, s := range sinks {
		if s != nil {
			s.tap, t.sinks = t, append(t.sinks, s)
		}
	}
	return t
}

// wrote says that there is more.
func (t *tap) wrote() {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.armed && !t.closed {
		t.armed = true
		time.AfterFunc(time.Until(t.next), t.say)
	}
}

// say tells what is new. What comes meanwhile arms it again.
func (t *tap) say() { t.tell(false) }

// close tells the last of it; nothing is told after it returned.
func (t *tap) close() {
	if t != nil {
		t.tell(true)
	}
}

func (t *tap) tell(last bool) {
	t.saying <- struct{}{}
	defer func() { <-t.saying }()
	t.mu.Lock()
	over := t.closed
	t.armed, t.closed, t.next = false, over || last, time.Now().Add(HeardEvery)
	t.mu.Unlock()
	if over {
		return
	}
	var b strings.Builder
	for _, s := range t.sinks {
		b.WriteString(s.news())
	}
	if b.Len() > 0 {
		t.to(b.String())
	}
}
