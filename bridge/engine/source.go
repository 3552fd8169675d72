package engine

import "math/rand/v2"

// Source makes choices, so that one driver runs every short history, random
// histories that shrink, and the fuzzer's bytes.
type Source interface {
	// Pick returns a number from 0 to n-1; n is at least 1. what names the choice.
	Pick(n int, what string) int
	// More reports whether the history has another step.
	More() bool
}

// Odometer is a Source that enumerates every sequence of choices of histories of
// Depth steps: run the driver, then Next, until Next is false.
type Odometer struct {
	// Depth is the number of steps of each history.
	Depth int

	value, bound []int
	at, step     int
}

// Pick returns the odometer's digit at this choice.
func (o *Odometer) Pick(n int, _ string) int {
	if n <= 1 {
		return 0
	}
	if o.at == len(o.value) {
		o.value, o.bound = append(o.value, 0), append(o.bound, 0)
	}
	o.bound[o.at] = n
	o.at++
	return o.value[o.at-1]
}

// More counts the steps of this history.
func (o *Odometer) More() bool { o.step++; return o.step <= o.Depth }

// Next turns to the next history; false when all were seen.
func (o *Odometer) Next() bool {
	o.at, o.step = 0, 0
	for i := len(o.value) - 1; i >= 0; i-- {
		if o.value[i]+1 < o.bound[i] {
			o.value[i]++
			o.value, o.bound = o.value[:i+1], o.bound[:i+1]
			return true
		}
	}
	return false
}

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
