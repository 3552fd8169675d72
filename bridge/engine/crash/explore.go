package crash

import (
	"errors"
	"fmt"

	"tenet/bridge/engine"
)

// MaxCases bounds an exploration; past it the exploration fails, since a part of
// the cases proves nothing about the rest.
const MaxCases = 1_000_000

// ErrTruncated is returned when an exploration has more than MaxCases cases.
var ErrTruncated = errors.New("more cases than the exploration tries: write less between two syncs, or explore a shorter piece of work")

// Exploration runs a piece of work once for every call it makes, with the crash
// during that call, and judges every disk that may survive. A law may start
// another Exploration from the survivor: a recovery can crash as well.
type Exploration[A any] struct {
	// Start is the disk before the work; nil is an empty one. It is not changed.
	Start *Mem
	// Loss is what stops.
	Loss Loss
	// Work does the work and says what it had acknowledged when it ended, well or at
	// ErrCrash. It must be a function of the disk.
	Work func(FS) A
	// Law judges a surviving disk against what was acknowledged.
	Law func(after *Mem, acked A) error
}

// Seen counts an exploration. The counts are worth pinning: fewer calls mean that
// the work does less, fewer cases that it syncs more.
type Seen struct {
	// Calls is the number of crash points, the one after the last call included.
	Calls int
	// Cases is the number of surviving disks judged.
	Cases int
}

// Run tries every case and stops at the first that breaks the law.
func (e Exploration[A]) Run() (Seen, error) {
	clean := e.start()
	e.Work(clean)
	seen := Seen{Calls: clean.Calls() + 1}
	for at := 1; at <= seen.Calls; at++ {
		if err := e.at(at, &seen); err != nil {
			return seen, err
		}
	}
	return seen, nil
}

func (e Exploration[A]) start() *Mem {
	if e.Start == nil {
		return NewMem()
	}
	return e.Start.Clone()
}

// at judges every disk that a crash during call number at may leave.
func (e Exploration[A]) at(at int, seen *Seen) error {
	for o := (&engine.Odometer{}); ; {
		m := e.start()
		m.CrashAt, m.Fate = at, o
		acked := e.Work(m)
		after := m.Survivor(o, e.Loss)
		if seen.Cases++; seen.Cases > MaxCases {
			return ErrTruncated
		}
		if err := e.Law(after, acked); err != nil {
			return fmt.Errorf("%v during call %d, choices %v, %v acknowledged: %w", e.Loss, at, o.Choices(), acked, err)
		}
		if !o.Next() {
			return o.Err()
		}
	}
}
