// Package approvals says what must become of a question, as plainly as it can be said:
// Route for one question that goes up a chain in which everybody's mind is made up, and
// State for questions and clients that come and go. Neither knows of frames, relays or
// locks; their relation to production is reference.
package approvals

import (
	"iter"

	"tenet/core/approvals"
	"tenet/core/call"
)

// Seat is who is attached to one session of a chain, and what becomes of the question
// there.
type Seat uint8

// The seats.
const (
	Empty       Seat = iota // nobody is attached
	Leaves                  // a client sees the question and goes without an answer
	SaysYes                 // a client says yes
	SaysNo                  // a client says no
	Phone                   // only a gateway
	LeavesPhone             // a client goes without an answer, a gateway stays
	YesPhone                // a client says yes beside a gateway
	NoPhone                 // a client says no beside a gateway
	numSeats    = iota
)

var seatNames = [...]string{"empty", "leaves", "yes", "no", "phone", "leaves+phone", "yes+phone", "no+phone"}

// String names the seat.
func (s Seat) String() string { return seatNames[s] }

// Quiet is true when nobody decides there: neither a client nor the gateway rule.
func (s Seat) Quiet() bool { return s == Empty || s == Leaves }

// Says is the answer that a client gives there.
func (s Seat) Says() (yes, answers bool) {
	switch s {
	case SaysYes, YesPhone:
		return true, true
	case SaysNo, NoPhone:
		return false, true
	case Empty, Leaves, Phone, LeavesPhone:
	}
	return false, false
}

// Longest is the longest chain of the model.
const Longest = 3

// Asked is one step with the chain that its question would take: Seats[0] is the
// session that asks, Seats[Len-1] the root.
type Asked struct {
	Seats   [Longest]Seat
	Len     uint8
	Effects call.Effects
	// Auto is the user's own auto set; Set is false when there is none.
	Auto call.Effects
	Set  bool
}

// Fared is what became of it. Sessions are bits, the one that asks is bit 0.
type Fared struct {
	// Unasked is true when the step ran without a question.
	Unasked bool
	Fate    approvals.Fate
	Cause   approvals.Cause
	// Reached are the sessions that the question came to, Shown those whose clients got
	// a frame, Named those of them whose frame names a subagent.
	Reached, Shown, Named uint8
}

// RouteStep is the model as a machine of one state.
func RouteStep(s struct{}, a Asked) (struct{}, Fared) { return s, a.fares() }

// fares walks up the chain, one session after another.
func (a Asked) fares() (f Fared) {
	if a.unasked() {
		return Fared{Unasked: true, Fate: approvals.Approved}
	}
	for i := range a.Len {
		here, seat := uint8(1)<<i, a.Seats[i]
		f.Reached |= here
		if seat != Empty && seat != Phone {
			f.Shown |= here
			if i > 0 {
				f.Named |= here
			}
		}
		switch seat {
		case SaysYes, YesPhone:
			f.Fate, f.Cause = approvals.Approved, approvals.Answered
			return f
		case SaysNo, NoPhone:
			f.Fate, f.Cause = approvals.Denied, approvals.Answered
			return f
		case Phone, LeavesPhone:
			f.Fate, f.Cause = gateway(a.Effects), approvals.Ruled
			return f
		case Empty, Leaves:
		}
	}
	return f // unanswered, because it is quiet
}

func (a Asked) unasked() bool {
	for e := call.Read; e <= call.Secret; e++ {
		allowed := !a.Set || a.Auto.Has(e)
		if a.Effects.Has(e) && (e == call.Secret || !allowed) {
			return false
		}
	}
	return true
}

func gateway(e call.Effects) approvals.Fate {
	if e.Has(call.Protected) || e.Has(call.Secret) {
		return approvals.GatewayRefused
	}
	return approvals.Approved
}

// RouteEffects are the effects of the steps: nothing, a program run, and every mix of
// a write, outside, protected and secret.
func RouteEffects() []call.Effects {
	out := []call.Effects{call.Of(call.Exec)}
	for mix := range call.Effects(16) {
		var e call.Effects
		for i, one := range []call.Effect{call.Write, call.Outside, call.Protected, call.Secret} {
			if mix&(1<<i) != 0 {
				e |= call.Of(one)
			}
		}
		out = append(out, e)
	}
	return out
}

// autos are the user's sets that are tried: none set, nothing allowed, all that may be
// allowed, all but outside, and one with a secret in it that nobody may allow.
var autos = []struct {
	set  bool
	auto call.Effects
}{
	{false, 0}, {true, 0}, {true, call.Grantable}, {true, call.Grantable.Minus(call.Of(call.Outside))}, {true, call.All},
}

// Routes is every chain of up to three sessions with every seat at each, every step and
// every auto set.
func Routes(struct{}) iter.Seq[Asked] {
	return func(yield func(Asked) bool) {
		for chain := range Chains() {
			for _, effects := range RouteEffects() {
				for _, a := range autos {
					chain.Effects, chain.Auto, chain.Set = effects, a.auto, a.set
					if !yield(chain) {
						return
					}
				}
			}
		}
	}
}

// Chains is every chain alone.
func Chains() iter.Seq[Asked] {
	return func(yield func(Asked) bool) {
		n := 1
		for length := uint8(1); length <= Longest; length++ {
			n *= numSeats
			for code := range n {
				a := Asked{Len: length}
				for i := range length {
					a.Seats[i], code = Seat(code%numSeats), code/numSeats
				}
				if !yield(a) {
					return
				}
			}
		}
	}
}
