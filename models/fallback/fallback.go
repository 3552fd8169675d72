// Package fallback is the machine of summaries: a session with an auxiliary model, in
// which anything may speak against that model at any summary, and whose settings may
// name another one in between.
package fallback

import (
	"iter"
	"math/bits"

	"tenet/core/fallback"
)

// Secret is the key that no notice may hold; it stands in the texts of what failed, and
// people paste it where a model's name belongs.
const Secret = "mellon-q7-swordfish"

// Session is the selector of the session's own model.
const Session = "home/large"

// Selectors are what the settings may name: nothing, the session's own model, two
// others, and what holds a key: the one that is known, one of a vendor's, one in an
// address, and one that only its length gives away.
var Selectors = []string{
	"", Session, "home/small", "away/small", "home/" + Secret, "sk-live-41bdc0ffee", "https://me:" + Vendor + "@host/v1", "home/" + Long,
}

// Vendor and Long are keys that no catalog knows.
const (
	Vendor = "hunter22"
	Long   = "Zk9Qx72mPw8LtRv3Bn6Yc"
)

// Keys are the texts that no notice may hold.
var Keys = []string{Secret, "sk-live-41bdc0ffee", Vendor, Long}

// reasons are all of them in the order in which they are looked for, said once more by
// the model.
var reasons = []fallback.Reason{fallback.NotAllowed, fallback.Unreadable, fallback.Unnamed, fallback.NoKey, fallback.NotListed, fallback.TooSmall}

// Op is one summary, or the session is opened again.
type Op struct {
	// Reopen is true when the session is closed and opened; the rest says nothing then.
	Reopen  bool
	Purpose fallback.Purpose
	// Selector is an index of Selectors.
	Selector int
	// Not holds the reasons that speak against the model, one bit each.
	Not uint8
}

// Facts are the facts of a summary.
func (o Op) Facts() fallback.Facts {
	f := fallback.Facts{Selector: Selectors[o.Selector], Same: Selectors[o.Selector] == Session, Not: map[fallback.Reason]bool{}}
	for i, r := range reasons {
		f.Not[r] = o.Not&(1<<i) != 0
	}
	return f
}

// Out is what came of it.
type Out struct {
	// Used is true when the auxiliary model writes the summary.
	Used bool
	// Noticed is true when a row is shown; Text and Key are the row's.
	Noticed   bool
	Text, Key string
}

// State is which rows the session has shown: one bit for each purpose, selector and
// reason.
type State struct{ Lo, Hi uint64 }

// Row is the index of a row.
func Row(p fallback.Purpose, selector int, why fallback.Reason) int {
	return (int(p)*len(Selectors)+selector)*len(reasons) + int(why) - 1
}

// Has reports whether a row was shown.
func (s State) Has(row int) bool {
	if row < 64 {
		return s.Lo&(1<<row) != 0
	}
	return s.Hi&(1<<(row-64)) != 0
}

// With is the state with a row more.
func (s State) With(row int) State {
	if row < 64 {
		s.Lo |= 1 << row
	} else {
		s.Hi |= 1 << (row - 64)
	}
	return s
}

// Shown is how many rows were shown.
func (s State) Shown() int { return bits.OnesCount64(s.Lo) + bits.OnesCount64(s.Hi) }

// Step asks core: the relation is same.
func Step(s State, o Op) (State, Out) {
	if o.Reopen {
		return State{}, Out{}
	}
	told := s.told()
	f := o.Facts()
	_, used := fallback.Decide(f)
	n, due := told.Due(o.Purpose, f, []string{Secret})
	for row, shown := range told {
		if shown {
			s = s.With(index(row))
		}
	}
	return s, Out{Used: used, Noticed: due, Text: n.Text, Key: n.Key}
}

// told is the state as core keeps it.
func (s State) told() fallback.Told {
	out := fallback.Told{}
	for lo := s.Lo; lo != 0; lo &= lo - 1 {
		out[rows[bits.TrailingZeros64(lo)]] = true
	}
	for hi := s.Hi; hi != 0; hi &= hi - 1 {
		out[rows[64+bits.TrailingZeros64(hi)]] = true
	}
	return out
}

// rows are all rows by their index.
var rows = func() []fallback.Row {
	out := make([]fallback.Row, 2*len(Selectors)*len(reasons))
	for _, p := range fallback.Purposes() {
		for at, selector := range Selectors {
			for _, why := range reasons {
				out[Row(p, at, why)] = fallback.Row{Purpose: p, Selector: selector, Reason: why}
			}
		}
	}
	return out
}()

func index(r fallback.Row) int {
	for at, selector := range Selectors {
		if selector == r.Selector {
			return Row(r.Purpose, at, r.Reason)
		}
	}
	panic("fallback: a row of a model that nobody named")
}

// Most is how many rows a session of the exhaustive search shows.
const Most = 2

// Ops are all summaries, until the session has shown Most rows, and a new opening.
func Ops(s State) iter.Seq[Op] {
	return func(yield func(Op) bool) {
		if !yield(Op{Reopen: true}) {
			return
		}
		for _, p := range fallback.Purposes() {
			for selector := range Selectors {
				for _, not := range against(selector) {
					o := Op{Purpose: p, Selector: selector, Not: not}
					if s.Shown() >= Most && grows(s, o) {
						continue
					}
					if !yield(o) {
						return
					}
				}
			}
		}
	}
}

// plain is how many of the selectors hold no key.
const plain = 4

// against is what may speak against a model: every set of reasons, and for the names
// that hold a key each reason alone.
func against(selector int) (out []uint8) {
	for not := range uint8(1 << len(reasons)) {
		if selector < plain || bits.OnesCount8(not) < 2 {
			out = append(out, not)
		}
	}
	return out
}

// grows reports whether a summary would show one row more.
func grows(s State, o Op) bool {
	why, _ := fallback.Decide(o.Facts())
	return why != fallback.None && !s.Has(Row(o.Purpose, o.Selector, why))
}
