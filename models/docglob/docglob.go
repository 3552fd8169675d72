// Package docglob is every small walk of a glob: paths that match, told in any order,
// some of them twice because they changed meanwhile (S8.9). The page is core's.
package docglob

import (
	"fmt"
	"iter"
	"slices"

	"tenet/core/doc"
)

// In is one walk and the page that is asked for.
type In struct {
	// Told are the paths that the walk tells, in one order.
	Told []doc.Found
	// Limit and Skip are the page's, as a call gives them.
	Limit, Skip int
}

// Run is the walk in one order: its page, and what was declined on the way.
type Run struct {
	Page     doc.Listing
	Declined []doc.Found
}

// Out is the walk in every order that is tried, the first as it is told.
type Out []Run

// Step makes the page of a walk, in each order. There is one state: a glob remembers
// nothing.
func Step(s struct{}, in In) (struct{}, Out) {
	var out Out
	for told := range orders(slices.Clone(in.Told)) {
		out = append(out, run(in, told))
	}
	return s, out
}

func run(in In, told []doc.Found) (r Run) {
	n := doc.NewNewest(doc.GlobPage(in.Limit, in.Skip))
	for _, f := range told {
		if n.Asks(f.Time) {
			n.Add(f)
		} else {
			r.Declined = append(r.Declined, f)
		}
	}
	r.Page = n.Page()
	return r
}

// orders are every order of a short walk; of a long one the order as told, the
// reverse, and both from the middle on.
func orders(told []doc.Found) iter.Seq[[]doc.Found] {
	return func(yield func([]doc.Found) bool) {
		if len(told) <= MaxTold {
			permute(told, 0, yield)
			return
		}
		half := append(slices.Clone(told[len(told)/2:]), told[:len(told)/2]...)
		for _, order := range [][]doc.Found{told, half} {
			back := slices.Clone(order)
			slices.Reverse(back)
			if !yield(order) || !yield(back) {
				return
			}
		}
	}
}

func permute(told []doc.Found, from int, yield func([]doc.Found) bool) bool {
	if from >= len(told)-1 {
		return yield(told)
	}
	for i := from; i < len(told); i++ {
		told[from], told[i] = told[i], told[from]
		if !permute(told, from+1, yield) {
			return false
		}
		told[from], told[i] = told[i], told[from]
	}
	return true
}

// The bounds of the short walks.
const (
	Paths   = 3 // different paths
	Times   = 3 // different times
	MaxTold = 4 // paths told
)

// Ops is every walk that tells up to MaxTold paths, with every page of up to two paths
// that skips up to three, and long walks around the largest page.
func Ops(struct{}) iter.Seq[In] {
	return func(yield func(In) bool) {
		for limit := 1; limit <= 2; limit++ {
			for skip := range 4 {
				if !short(In{Limit: limit, Skip: skip}, 0, yield) {
					return
				}
			}
		}
		long(yield)
	}
}

// short is every walk that tells more, from one kind on: Step tries the orders.
func short(in In, from int, yield func(In) bool) bool {
	if !yield(in) {
		return false
	}
	if len(in.Told) == MaxTold {
		return true
	}
	for kind := from; kind < Paths*Times; kind++ {
		next := in
		next.Told = append(slices.Clip(in.Told), doc.Found{Path: string(rune('a' + kind%Paths)), Time: int64(1 + kind/Paths)})
		if !short(next, kind, yield) {
			return false
		}
	}
	return true
}

func long(yield func(In) bool) {
	for _, limit := range []int{-1, 0, 199, 200, 201, 1000} {
		for _, skip := range []int{0, 1, 199, 201, 402} {
			for _, n := range []int{199, 201, 401} {
				if !yield(In{Told: crowd(n), Limit: limit, Skip: skip}) {
					return
				}
			}
		}
	}
}

// crowd is n paths of few times, one of them told again when it is newer.
func crowd(n int) []doc.Found {
	var told []doc.Found
	for i := range n {
		told = append(told, doc.Found{Path: fmt.Sprintf("p%03d", i), Time: int64(i % 7)})
	}
	return append(told, doc.Found{Path: "p000", Time: 9})
}
