package engine

import (
	"errors"
	"fmt"
	"math/rand/v2"
)

// Source makes choices, so that one driver runs every short history, random
// histories that shrink (trial.Rapid), and the fuzzer's bytes.
type Source interface {
	// Pick returns a number from 0 to n-1; n is at least 1. what names the choice.
	Pick(n int, what string) int
	// More reports whether the history has another step.
	More() bool
}

// Every runs a driver once for every sequence of choices of histories of depth
// steps and says how many there were. It stops at the first failure, which then
// names the history's number.
func Every(depth int, run func(Source) error) (int, error) {
	o := &Odometer{Depth: depth}
	for n := 1; ; n++ {
		if err := run(o); err != nil {
			return n, fmt.Errorf("history %d: %w", n, err)
		}
		if !o.Next() {
			return n, o.Err()
		}
	}
}

// Many runs a driver on count pseudo-random histories of at most steps steps, the
// same ones for the same seed. It stops at the first failure, which then names the
// seed that repeats it with NewRandom.
func Many(count, steps int, seed uint64, run func(Source) error) error {
	for i := range uint64(count) {
		if err := run(NewRandom(seed+i, 1+int(i)%steps)); err != nil {
			return fmt.Errorf("seed %d, %d steps: %w", seed+i, 1+int(i)%steps, err)
		}
	}
	return nil
}

// ErrUnsteady is returned when the same choices led a driver to other choices than
// before: then an enumeration is none, and a failure cannot be repeated.
var ErrUnsteady = errors.New("the same choices did not lead to the same run: the driver depends on something that is not chosen")

// Odometer is a Source that enumerates every sequence of choices of histories of
// Depth steps: run the driver, then Next, until Next is false; then ask Err.
type Odometer struct {
	// Depth is the number of steps of each history.
	Depth int

	value, bound []int
	at, step     int
	err          error
}

// Pick returns the odometer's digit at this choice.
func (o *Odometer) Pick(n int, _ string) int {
	if n <= 1 {
		return 0
	}
	if o.at == len(o.value) {
		o.value, o.bound = append(o.value, 0), append(o.bound, n)
	}
	o.at++
	if o.bound[o.at-1] != n {
		o.err = ErrUnsteady
	}
	return min(o.value[o.at-1], n-1)
}

// More counts the steps of this history.
func (o *Odometer) More() bool { o.step++; return o.step <= o.Depth }

// Next turns to the next history; false when all were seen, or when the driver is
// not a function of its choices.
func (o *Odometer) Next() bool {
	if o.at != len(o.value) {
		o.err = ErrUnsteady
	}
	o.at, o.step = 0, 0
	for i := len(o.value) - 1; i >= 0 && o.err == nil; i-- {
		if o.value[i]+1 < o.bound[i] {
			o.value[i]++
			o.value, o.bound = o.value[:i+1], o.bound[:i+1]
			return true
		}
	}
	return false
}

// Again goes back to the start of the same history.
func (o *Odometer) Again() { o.at, o.step = 0, 0 }

// Err is ErrUnsteady when the histories seen were not all there are, else nil.
func (o *Odometer) Err() error { return o.err }

// Choices is the current history's choices, for a message that lets one repeat it.
func (o *Odometer) Choices() []int { return append([]int(nil), o.value[:o.at]...) }

// Bytes is a Source over fuzz input, one byte a choice; it ends with the input.
type Bytes struct{ B []byte }

// Pick takes the next byte; without one it is 0.
func (s *Bytes) Pick(n int, _ string) int {
	if n <= 1 || len(s.B) == 0 {
		return 0
	}
	v := int(s.B[0]) % n
	s.B = s.B[1:]
	return v
}

// More reports whether a byte is left.
func (s *Bytes) More() bool { return len(s.B) > 0 }

// Random is a Source of Steps pseudo-random steps, the same for the same seed.
type Random struct {
	Rand  *rand.Rand
	Steps int
}

// NewRandom is a Random of the given number of steps from a seed.
func NewRandom(seed uint64, steps int) *Random {
	return &Random{Rand: rand.New(rand.NewPCG(seed, seed)), Steps: steps}
}

// Pick draws a number.
func (s *Random) Pick(n int, _ string) int { return s.Rand.IntN(max(n, 1)) }

// More counts the steps down.
func (s *Random) More() bool { s.Steps--; return s.Steps >= 0 }
