// Package runners is the registry of a session and the gate of one call that runs code,
// as plainly as they can be said (G4). Nothing here is shared with production; its
// relation to it is reference.
package runners

import (
	"iter"

	"tenet/core/call"
)

// Gate is how a tool's code is gated.
type Gate uint8

// The gates.
const (
	None Gate = iota // it runs no code
	EachStep
	EachCall
)

var gateNames = [...]string{"none", "each step", "each call"}

// String names the gate.
func (g Gate) String() string { return gateNames[g] }

// Tool is one entry of the registry. Caps is what its code can do, nothing for a tool
// that runs none.
type Tool struct {
	Name string
	Caps call.Effects
	Gate Gate
}

// Registry is the whole roster of a session.
func Registry() []Tool {
	return []Tool{
		{Name: "read"}, {Name: "write"}, {Name: "edit"}, {Name: "search_replace"},
		{Name: "grep"}, {Name: "glob"}, {Name: "list_dir"},
		{Name: "bash", Caps: call.All, Gate: EachStep},
		{Name: "run", Caps: call.All, Gate: EachCall},
		{Name: "ipython", Caps: call.Of(call.Exec), Gate: EachCall},
		{Name: "job"}, {Name: "ask"}, {Name: "finish"}, {Name: "use_skill"}, {Name: "dyn"},
	}
}

// Answer is how the question about a call ended.
type Answer uint8

// The answers. Nobody means that no client was there to ask.
const (
	Yes Answer = iota
	No
	Silence
	PhoneNo
	Nobody
)

var answerNames = [...]string{"yes", "no", "silence", "phone-no", "nobody"}

// String names the answer.
func (a Answer) String() string { return answerNames[a] }

// In is what is looked at: an entry of the registry when Entry is set, else a call.
type In struct {
	Entry bool
	Index int
	// Caps is what the call's code can do, Auto the auto set, Answer what the person says
	// if asked.
	Caps, Auto call.Effects
	Answer     Answer
}

// Out is the entry, or what became of the call.
type Out struct {
	Tool       Tool
	Asks, Runs bool
}

// Step is the model as a machine of one state.
func Step(s struct{}, in In) (struct{}, Out) {
	if in.Entry {
		return s, Out{Tool: Registry()[in.Index]}
	}
	out := Out{Asks: !covered(in.Caps, in.Auto)}
	out.Runs = !out.Asks || in.Answer == Yes
	return s, out
}

// covered is true when every effect is one that the auto set names and that may be
// named.
func covered(caps, auto call.Effects) bool {
	for e := call.Read; e <= call.Secret; e++ {
		if caps.Has(e) && (e == call.Secret || !auto.Has(e)) {
			return false
		}
	}
	return true
}

// Ops is every entry of the registry, then every call under every auto set, those with
// a secret smuggled in among them, with every answer.
func Ops(struct{}) iter.Seq[In] {
	return func(yield func(In) bool) {
		for i := range Registry() {
			if !yield(In{Entry: true, Index: i}) {
				return
			}
		}
		for caps := range call.All + 1 {
			for auto := range call.All + 1 {
				for a := Yes; a <= Nobody; a++ {
					if !yield(In{Caps: caps, Auto: auto, Answer: a}) {
						return
					}
				}
			}
		}
	}
}
