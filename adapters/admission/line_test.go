package admission

import (
	"slices"
	"testing"
)

// Whatever the order in which tickets come, a line is in the order of their
// numbers, from both ends, also after some have left.
func TestLineKeepsTheOrderOfNumbers(t *testing.T) {
	for _, order := range permutations([]uint64{1, 2, 3, 4, 5}) {
		for gone := range uint64(32) {
			var l line
			tickets := map[uint64]*Ticket{}
			for _, n := range order {
				tickets[n] = &Ticket{number: n}
				l.insert(tickets[n])
			}
			var want []uint64
			for n := uint64(1); n <= 5; n++ {
				if gone>>(n-1)&1 == 1 {
					l.remove(tickets[n])
				} else {
					want = append(want, n)
				}
			}
			forth, back := numbers(&l)
			if !slices.Equal(forth, want) || !slices.Equal(back, want) || l.n != len(want) {
				t.Fatalf("inserted %v, kept %v: the line is %v, %v from behind, and counts %d", order, want, forth, back, l.n)
			}
		}
	}
}

func numbers(l *line) (forth, back []uint64) {
	for t := l.first; t != nil; t = t.after {
		forth = append(forth, t.number)
	}
	for t := l.last; t != nil; t = t.before {
		back = append(back, t.number)
	}
	slices.Reverse(back)
	return forth, back
}

func permutations(of []uint64) [][]uint64 {
	if len(of) == 0 {
		return [][]uint64{nil}
	}
	var out [][]uint64
	for i, first := range of {
		for _, rest := range permutations(slices.Concat(of[:i], of[i+1:])) {
			out = append(out, append([]uint64{first}, rest...))
		}
	}
	return out
}
