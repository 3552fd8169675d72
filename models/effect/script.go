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

// Fate is what became of one judged step.
type Fate struct {
	// Held is true when the gate asked about the step, Yes when that was answered so.
	Held, Yes bool
	// First is true for the first step of a pipeline.
	First bool
}

// State is one script under way. It is comparable.
type State struct {
	Script gate.Script
	// Seen is how many steps were judged; Fates is what became of each.
	Seen  uint8
	Fates [Steps]Fate
	// Order is the steps that ran, from 1, in the order in which they did.
	Order [Steps]uint8
	// Refused is the step that was refused, from 1; 0 for none.
	Refused uint8
}

// Kind is what an operation does.
type Kind uint8

// The operations.
const (
	Judge  Kind = iota // the shell puts the next step before the gate
	Answer             // whoever was asked answers
	Start              // the shell starts every step it may
	Finish             // the script has no further step
)

var kindNames = [...]string{"judge", "answer", "start", "finish"}

// String is the operation's name in runs.
func (k Kind) String() string { return kindNames[k] }

// Op is one operation. A step has one part or two; the second is empty for one.
type Op struct {
	Kind   Kind
	Parts  [2]core.Part
	Auto   call.Effects
	Piped  bool
	Answer gate.Answer
}

// Out is the answer to an operation.
type Out struct {
	// Effects is the judged step's, Verdict what the gate said about it.
	Effects call.Effects
	Verdict gate.Verdict
	// OK is false when the gate did not take the operation.
	OK bool
}

// String is the operation as a run shows it.
func (o Op) String() string {
	switch o.Kind {
	case Judge:
		return fmt.Sprintf("judge %+v under %v, piped %v", o.Parts, o.Auto, o.Piped)
	case Answer:
		return "answer " + o.Answer.String()
	case Start, Finish:
		return o.Kind.String()
	}
	return "?"
}

// Step is the script after one operation.
func (s State) Step(o Op) (State, Out) {
	switch o.Kind {
	case Judge:
		return s.judge(o)
	case Answer:
		return s.answer(o.Answer)
	case Start:
		next, ok := s.Script.Start()
		for n := int(s.Script.Ran); ok && n < min(int(next.Ran), Steps); n++ {
			s.Order[n] = uint8(n + 1)
		}
		s.Script = next
		return s, Out{OK: ok}
	case Finish:
		next, ok := s.Script.Finish()
		s.Script = next
		return s, Out{OK: ok}
	}
	return s, Out{}
}

func (s State) judge(o Op) (State, Out) {
	effects := core.Join(o.Parts[:]...)
	next, d, ok := s.Script.Judge(o.Auto, effects)
	if ok {
		s.Fates[s.Seen] = Fate{Held: d.Verdict == gate.Ask, First: !o.Piped}
		s.Seen++
	}
	s.Script = next
	return s, Out{Effects: effects, Verdict: d.Verdict, OK: ok}
}

func (s State) answer(a gate.Answer) (State, Out) {
	next, ok := s.Script.Answer(a)
	if ok && s.Seen > 0 {
		s.Fates[s.Seen-1].Yes = a == gate.Approved
	}
	if ok && a != gate.Approved {
		s.Refused = s.Seen
	}
	s.Script = next
	return s, Out{OK: ok}
}

// Ops is what may happen next. The shell puts every step of a pipeline before the
// gate and only then starts them; it may also break off, and ask for a start or an
// end that is not due.
func Ops(s State) iter.Seq[Op] {
	return func(yield func(Op) bool) {
		for _, k := range []Kind{Start, Finish} {
			if !yield(Op{Kind: k}) {
				return
			}
		}
		for a := gate.Unanswered; a <= gate.GatewayRefused; a++ {
			if !yield(Op{Kind: Answer, Answer: a}) {
				return
			}
		}
		if s.Seen == Steps {
			return
		}
		for p := range stepParts {
			if !yield(Op{Kind: Judge, Parts: p.parts, Auto: p.auto, Piped: s.Script.Judged > s.Script.Ran}) {
				return
			}
		}
	}
}

// Few is Ops with a handful of steps in place of all, for histories taken at random:
// there a start is as likely as a step.
func Few(s State) iter.Seq[Op] {
	return func(yield func(Op) bool) {
		n := 0
		for op := range Ops(s) {
			if op.Kind == Judge {
				if n++; n%few != 1 {
					continue
				}
			}
			if !yield(op) {
				return
			}
		}
	}
}

// few takes one step in so many; it shares no factor with the number of auto sets.
const few = 911

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
