// Package law is the form every law takes: a named, documented, executable
// property over a model, that the same value states for production.
package law

import (
	"fmt"
	"reflect"
)

// Verdict is what a law says about one observation. The zero value is Idle.
type Verdict struct {
	// Applies is true when the law's premise held, so that it said something.
	Applies bool
	// Err says how the conclusion failed; nil when it held.
	Err error
}

// Idle: the premise did not hold, so the law says nothing here.
var Idle = Verdict{}

// Holds: the premise held, and so did the conclusion.
var Holds = Verdict{Applies: true}

// Broken: the premise held and the conclusion did not. The text says what was seen.
func Broken(format string, a ...any) Verdict {
	return Verdict{Applies: true, Err: fmt.Errorf(format, a...)}
}

// Check is Holds when ok, else Broken with the text.
func Check(ok bool, format string, a ...any) Verdict {
	if ok {
		return Holds
	}
	return Broken(format, a...)
}

// Kind is what a law looks at.
type Kind uint8

// The kinds of laws.
const (
	State Kind = iota // one state
	Step              // one step: state before, operation, answer, state after
	Func              // one input and the answer to it
	Pair              // two inputs and the answers to them (metamorphic)
	Trace             // a whole history
	Rank              // a measure that the system's own steps lower
)

var kindNames = [...]string{"state", "step", "func", "pair", "trace", "rank"}

// String names the kind as the tables do.
func (k Kind) String() string { return kindNames[k] }

// Did is one operation of a history with its answer and the state after it.
type Did[S, O, R any] struct {
	Op    O
	Out   R
	After S
}

// Law is one property of runs of a machine with states S, operations O and
// answers R. Exactly one of the functions is set.
type Law[S, O, R any] struct {
	Info
	// State judges one state.
	State func(S) Verdict
	// Step judges one step.
	Step func(before S, op O, out R, after S) Verdict
	// Func judges one answer of a function; such a machine has one state.
	Func func(in O, out R) Verdict
	// Pair judges two answers of a function against each other.
	Pair func(in1 O, out1 R, in2 O, out2 R) Verdict
	// Trace judges a history from the initial state.
	Trace func(init S, run []Did[S, O, R]) Verdict
	// Rank is a measure: Step laws of this kind say how far each step lowers it.
	Rank func(before S, op O, out R, after S) Verdict
}

// Info is how tables and messages name a law.
type Info struct {
	// Area is the room's name for the subject: "lease".
	Area string
	// Name is the Go name: "FIFO".
	Name string
	// ID is the catalogue's name: "lease_fifo".
	ID string
	// Rule is the number of the source rule: "H6.2".
	Rule string
	// Kind is what the law looks at.
	Kind Kind
}

// kind reports which function is set; ok is false unless exactly one is.
func (l Law[S, O, R]) kind() (k Kind, ok bool) {
	n := 0
	for i, set := range []bool{l.State != nil, l.Step != nil, l.Func != nil, l.Pair != nil, l.Trace != nil, l.Rank != nil} {
		if set {
			k = Kind(i)
			n++
		}
	}
	return k, n == 1
}

// Book fills in the Info of every law in a struct of laws and lists them in field
// order. The field's name is the law's name, its tags are the catalogue's name and
// the rule, so that no name is written twice. A law with no function or with two
// panics at start: a mistake of the author, not of the input.
func Book[S, O, R any](area string, laws any) []Law[S, O, R] {
	v := reflect.ValueOf(laws).Elem()
	out := make([]Law[S, O, R], v.NumField())
	for i := range out {
		l := v.Field(i).Addr().Interface().(*Law[S, O, R])
		f := v.Type().Field(i)
		k, ok := l.kind()
		if !ok {
			panic("law " + area + "." + f.Name + ": set exactly one function")
		}
		l.Info = Info{Area: area, Name: f.Name, ID: f.Tag.Get("law"), Rule: f.Tag.Get("rule"), Kind: k}
		out[i] = *l
	}
	return out
}

// Infos is the names of a book's laws.
func Infos[S, O, R any](book []Law[S, O, R]) []Info {
	out := make([]Info, len(book))
	for i, l := range book {
		out[i] = l.Info
	}
	return out
}
