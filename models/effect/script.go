// Package effect says what must happen to a gated script (S7.8, G2): core's join of
// parts and core's gate, closed with an adversary who writes any script, sets any
// auto set and gives any answers.
package effect

import (
	"fmt"
	"iter"

	"tenet/core/call"
	core "tenet/core/effect"
	"tenet/core/gate"
)

// Steps is the longest script of the machine.
const Steps = 4

// Fate is what the gate made of one step of the plan.
type Fate struct {
	// Held is true when it needs a yes.
	Held bool
	// First is true for the first step of a pipeline.
	First bool
}

// State is one call under way. It is comparable.
type State struct {
	Script gate.Script
	// Auto is the auto set that the plan is judged by; it is dropped with the plan's end.
	Auto call.Effects
	// Fates is what was made of each planned step.
	Fates [Steps]Fate
	// Order is the steps that ran, from 1, in the order in which they did.
	Order [Steps]uint8
	// At is the step that was refused when its turn came, from 1; 0 for none.
	At uint8
}

// Kind is what an operation does.
type Kind uint8

// The operations.
const (
	Plan    Kind = iota // the next step is put before the gate
	Settle              // the plan is complete
	Answer              // whoever was asked answers
	Spend               // what was shown has changed when the answer comes
	Confirm             // a step's turn comes
	Skip                // the script leaves the next step out
	Start               // the shell starts every step it may
	Finish              // the script has no further step
)

var kindNames = [...]string{"plan", "settle", "answer", "spend", "confirm", "skip", "start", "finish"}

// String is the operation's name in runs.
func (k Kind) String() string { return kindNames[k] }

// Op is one operation. A step has one part or two; the second is empty for one.
type Op struct {
	Kind   Kind
	Parts  [2]core.Part
	Auto   call.Effects
	Piped  bool
	Answer gate.Answer
	// Same is true when a step whose turn comes is still what was judged.
	Same bool
}

// Out is the answer to an operation.
type Out struct {
	// Effects is the planned step's, Verdict what the gate said about it.
	Effects call.Effects
	Verdict gate.Verdict
	// OK is false when the gate did not take the operation.
	OK bool
}

// String is the operation as a run shows it.
func (o Op) String() string {
	switch o.Kind {
	case Plan:
		return fmt.Sprintf("plan %+v under %v, piped %v", o.Parts, o.Auto, o.Piped)
	case Answer:
		return "answer " + o.Answer.String()
	case Confirm:
		return fmt.Sprintf("confirm, same %v", o.Same)
	case Settle, Spend, Skip, Start, Finish:
		return o.Kind.String()
	}
	return "?"
}

// Step is the call after one operation.
func (s State) Step(o Op) (State, Out) {
	var out Out
	before := s.Script
	switch o.Kind {
	case Plan:
		return s.plan(o)
	case Settle:
		s.Script, out.OK = s.Script.Settle()
		s.Auto = 0
	case Answer:
		s.Script, out.OK = s.Script.Answer(o.Answer)
	case Spend:
		if s.Script, out.OK = s.Script.Spend(); out.OK {
			s.Fates = [Steps]Fate{}
		}
	case Confirm:
		s.Script, out.OK = s.Script.Confirm(o.Same)
		if out.OK && !o.Same {
			s.At = uint8(before.Passed) + 1
		}
	case Skip:
		s.Script, out.OK = s.Script.Skip()
	case Start:
		s.Script, out.OK = s.Script.Start()
		s.ran(before)
	case Finish:
		s.Script, out.OK = s.Script.Finish()
	}
	return s, out
}

func (s State) plan(o Op) (State, Out) {
	effects := core.Join(o.Parts[:]...)
	d := gate.ByAuto(o.Auto, effects)
	out := Out{Effects: effects, Verdict: d.Verdict}
	n := s.Script.Planned
	if s.Script, out.OK = s.Script.Plan(d.Verdict); out.OK {
		s.Fates[n] = Fate{Held: d.Verdict == gate.Ask, First: !o.Piped}
		s.Auto = o.Auto
	}
	return s, out
}

// ran adds the steps that started to the order: those that passed last.
func (s *State) ran(before gate.Script) {
	n := s.Script.Ran - before.Ran
	for i := range n {
		if at := int(before.Ran + i); at < Steps {
			s.Order[at] = uint8(s.Script.Passed - n + i + 1)
		}
	}
}

// Ops is what may happen next. The script may also break off, and ask for a start or an
// end that is not due. The shell confirms every stage of a pipeline before it starts any.
func Ops(s State) iter.Seq[Op] {
	return func(yield func(Op) bool) {
		for _, op := range always {
			if s.due(op.Kind) && !yield(op) {
				return
			}
		}
		if s.Script.Planned == Steps || s.Script.Phase != gate.Planning {
			return
		}
		for p := range stepParts {
			if s.Script.Planned > 0 && p.auto != s.Auto {
				continue
			}
			for _, piped := range joins[:min(int(s.Script.Planned)+1, len(joins))] {
				if !yield(Op{Kind: Plan, Parts: p.parts, Auto: p.auto, Piped: piped}) {
					return
				}
			}
		}
	}
}

// due leaves out what nobody does: an empty plan, a third card, and a start between two
// stages of a pipeline.
func (s State) due(k Kind) bool {
	switch k {
	case Settle:
		return s.Script.Planned > 0
	case Spend:
		return s.Script.Spent == 0
	case Start:
		n := s.Script.Passed
		return s.Script.Phase != gate.Ready || n >= s.Script.Planned || n == 0 || s.Fates[n].First
	case Plan, Answer, Confirm, Skip, Finish:
	}
	return true
}

// joins are how a step follows the one before it: as its own pipeline, or piped. The
// first step is never piped.
var joins = [...]bool{false, true}

// always may happen at any time.
var always = buildAlways()

func buildAlways() []Op {
	out := []Op{{Kind: Settle}, {Kind: Spend}, {Kind: Confirm}, {Kind: Confirm, Same: true}, {Kind: Skip}, {Kind: Start}, {Kind: Finish}}
	for a := gate.Unanswered; a <= gate.GatewayRefused; a++ {
		out = append(out, Op{Kind: Answer, Answer: a})
	}
	return out
}

// Few is Ops with a handful of steps in place of all, for histories taken at random:
// there a start is as likely as a step.
func Few(s State) iter.Seq[Op] {
	return func(yield func(Op) bool) {
		n := 0
		for op := range Ops(s) {
			if op.Kind == Plan {
				if n++; n%few != 1 && s.Script.Planned == 0 || n%few2 != 1 {
					continue
				}
			}
			if !yield(op) {
				return
			}
		}
	}
}

// few takes one first step in so many, few2 one of the later ones, which are fewer.
const (
	few  = 911
	few2 = 61
)

type parted struct {
	parts [2]core.Part
	auto  call.Effects
}

// autos are the auto sets in force: none, each effect alone, all but each, all, and
// the same with secret smuggled in.
var autos = buildAutos()

func buildAutos() []call.Effects {
	out := []call.Effects{0, call.Grantable, call.All, call.Of(call.Secret)}
	for _, e := range call.Grantable.List() {
		out = append(out, call.Of(e), call.Grantable.Minus(call.Of(e)), call.All.Minus(call.Of(e)))
	}
	return out
}

// stepParts is every step: one part with any effects of its own, secret or not; and
// two parts of a few effects each; under every auto set.
func stepParts(yield func(parted) bool) {
	for own := range call.All + 1 {
		for _, auto := range autos {
			for _, secret := range []bool{false, true} {
				if !yield(parted{parts: [2]core.Part{{Own: own, Secret: secret}}, auto: auto}) {
					return
				}
			}
		}
	}
	some := [...]call.Effects{0, call.Of(call.Read), call.Of(call.Write, call.Outside), call.Of(call.Secret)}
	for _, a := range some {
		for _, b := range some {
			for secret := range 4 {
				for _, auto := range autos {
					if !yield(parted{parts: [2]core.Part{{Own: a, Secret: secret&1 > 0}, {Own: b, Secret: secret&2 > 0}}, auto: auto}) {
						return
					}
				}
			}
		}
	}
}
