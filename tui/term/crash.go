package term

import (
	"fmt"
	"runtime/debug"
	"sync/atomic"
)

// Crash is a panic inside the interface. The terminal was given back before anybody
// sees it.
type Crash struct {
	// Value is what was panicked with, Stack where.
	Value any
	Stack string
}

// Error is the value and where it came from, and that the session's log is not touched by it.
func (c *Crash) Error() string {
	return fmt.Sprintf("the interface failed: %v\nWhat the session did stands in its log.\n\n%s", c.Value, c.Stack)
}

// running is the program on the terminal, if any.
var running atomic.Pointer[program]

// Guard runs f. A panic in it ends the interface with a Crash, after the terminal is
// given back; without an interface it panics on. Every goroutine that is started while
// the interface runs, and that is not bubbletea's, runs under it: go term.Guard(f).
func Guard(f func()) {
	defer func() {
		v := recover()
		if v == nil {
			return
		}
		p := running.Load()
		if p == nil {
			panic(v)
		}
		p.crashed(v)
	}()
	f()
}

// crashed ends the program because of a panic.
func (p *program) crashed(v any) {
	p.end(&Crash{Value: v, Stack: string(debug.Stack())})
}
