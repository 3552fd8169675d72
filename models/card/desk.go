// Package card closes core's desk of questions with everything that may happen to it, and
// says by the letter what the lines of a card say that runs.
package card

import (
	"fmt"
	"iter"
	"time"

	"tenet/core/approvals"
	core "tenet/core/card"
)

// Room is how many questions lie on the desk at once.
const Room = 3

// Now is the time of every step: what passes makes the card in front older instead, so
// that there are few states.
const Now = 10 * time.Second

// Cards are the questions that may come: one with every answer and two standing patterns,
// one that offers once only, one that cannot show everything and whose maker offers a
// standing yes in spite of it, the first one when it shows something else, and one of the
// model.
var Cards = [...]core.Card{
	{ID: "a", Digest: "1", Whole: true, Answers: append(all[:len(all):len(all)], core.Answer{Choice: approvals.AllowAlways, Pattern: "go *"})},
	{ID: "b", Digest: "1", Whole: true, Answers: all[:2]},
	{ID: "c", Digest: "1", Answers: all},
	{ID: "a", Digest: "2", Whole: true, Answers: all[:2]},
	{ID: "a", Model: true, Options: []string{"left", "right"}},
}

var all = []core.Answer{
	{Choice: approvals.Deny}, {Choice: approvals.AllowOnce}, {Choice: approvals.AllowSession, Pattern: "go test ./a"}, {Choice: approvals.AllowAlways, Pattern: "go test *"},
}

// State is the desk, each question by its place in Cards from 1.
type State struct {
	Open  [Room]uint8
	Front core.Front
}

// Init is the empty desk.
var Init = State{}.aged()

// Kind is what happens.
type Kind uint8

// What may happen.
const (
	Asks   Kind = iota // a question comes
	Ends               // a question was settled elsewhere
	Misses             // frames were missed: the questions of the gate are these
	Moves              // the card has another place
	Shows              // more of the card is on the screen
	Passes             // half of the quiet period passes
	Types              // a key is pressed
)

// Op is one thing that happens.
type Op struct {
	Kind Kind
	// Card is a place in Cards from 1.
	Card uint8
	// Held are the questions of the gate after Misses, by their places from 1.
	Held  [2]uint8
	Sight core.Sight
	Key   core.Key
	Text  string
}

// String is the operation as a run shows it.
func (o Op) String() string {
	switch o.Kind {
	case Asks:
		return fmt.Sprintf("ask %d", o.Card)
	case Ends:
		return fmt.Sprintf("end %d", o.Card)
	case Misses:
		return fmt.Sprintf("missed, held are %v", o.Held)
	case Moves:
		return "move"
	case Shows:
		return fmt.Sprintf("see %d", o.Sight)
	case Passes:
		return "wait"
	case Types:
	}
	return fmt.Sprintf("key %d %q", o.Key, o.Text)
}

// Cards is the questions on the desk, the first of them shown.
func (s State) Cards() (out []core.Card) {
	for _, c := range s.Open {
		if c > 0 {
			out = append(out, Cards[c-1])
		}
	}
	return out
}

// First is the question that is shown; ok is false without one.
func (s State) First() (c core.Card, ok bool) {
	if s.Open[0] == 0 {
		return c, false
	}
	return Cards[s.Open[0]-1], true
}

// Choices are the answers that the card in front shows.
func (s State) Choices() []core.Choice { return s.desk().Choices() }

// Still reports whether the keyboard was still for long enough since the card was last
// disturbed.
func (s State) Still() bool { return Now-s.Front.Since >= core.Quiet }

func (s State) desk() core.Desk { return core.Desk{Open: s.Cards(), Front: s.Front} }

// packed is the state of a desk.
func packed(d core.Desk) State {
	s := State{Front: d.Front}
	for i, c := range d.Open {
		s.Open[i] = place(c)
	}
	return s.aged()
}

func place(c core.Card) uint8 {
	for i, k := range Cards {
		if k.ID == c.ID && k.Model == c.Model && k.Digest == c.Digest {
			return uint8(i + 1)
		}
	}
	panic("core made up the question " + c.ID)
}

// aged forgets how old a card is once its keys count; an empty desk has no age.
func (s State) aged() State {
	s.Front.Since = max(s.Front.Since, Now-core.Quiet)
	if s.Open[0] == 0 {
		s.Front.Since = Now - core.Quiet
	}
	return s
}

// Step asks core: the relation is same.
func Step(s State, o Op) (State, core.Act) {
	d, act := s.desk(), core.Act{}
	switch o.Kind {
	case Asks:
		d = d.Ask(Cards[o.Card-1], Now)
	case Ends:
		d, act = d.Gone(Cards[o.Card-1].ID, Cards[o.Card-1].Model, Now)
	case Misses:
		d, act = d.Reset(o.held(), Now)
	case Moves:
		d = d.Moved(Now)
	case Shows:
		d = d.Saw(o.Sight)
	case Passes:
		d.Front.Since -= core.Quiet / 2
	case Types:
		d, act = d.Press(core.Press{Key: o.Key, Text: o.Text, At: Now})
	}
	return packed(d), act
}

func (o Op) held() (out []core.Card) {
	for _, c := range o.Held {
		if c > 0 {
			out = append(out, Cards[c-1])
		}
	}
	return out
}

// Holds reports whether a question is among those that Misses leaves.
func (o Op) Holds(c core.Card) bool {
	for _, h := range o.held() {
		if h.ID == c.ID && h.Digest == c.Digest {
			return true
		}
	}
	return false
}

// Ops is everything that may happen. Words are at most one character long.
func Ops(s State) iter.Seq[Op] {
	return func(yield func(Op) bool) {
		for i := range Cards {
			n := uint8(i + 1)
			if (s.Open[Room-1] == 0 || s.has(Cards[i])) && !yield(Op{Kind: Asks, Card: n}) || !yield(Op{Kind: Ends, Card: n}) {
				return
			}
		}
		for _, held := range [][2]uint8{{}, {1}, {2, 1}, {4, 3}} {
			if s.roomFor(held) && !yield(Op{Kind: Misses, Held: held}) {
				return
			}
		}
		_ = yield(Op{Kind: Moves}) && yield(Op{Kind: Passes}) && yield(Op{Kind: Shows, Sight: core.Part}) && yield(Op{Kind: Shows, Sight: core.All}) && s.keys(yield)
	}
}

// has reports whether a question of the same name is on the desk.
func (s State) has(c core.Card) bool {
	for _, k := range s.Cards() {
		if k.ID == c.ID && k.Model == c.Model {
			return true
		}
	}
	return false
}

// roomFor reports whether the desk has room for what is held, beside the model's.
func (s State) roomFor(held [2]uint8) bool {
	n := 0
	for _, c := range s.Cards() {
		if c.Model {
			n++
		}
	}
	for _, c := range held {
		if c > 0 {
			n++
		}
	}
	return n <= Room
}

// keys is every key: those that are letters write one.
func (s State) keys(yield func(Op) bool) bool {
	for k := core.Other; k <= core.EraseAll; k++ {
		texts := []string{""}
		switch k {
		case core.Other:
			texts = []string{"", "r", "2"}
		case core.Once, core.Session, core.Always, core.Deny, core.Explain:
			texts = []string{"r"}
		case core.Enter, core.Escape, core.Next, core.Previous, core.Erase, core.EraseAll:
		}
		for _, t := range texts {
			if (t == "" || s.Front.Words == "") && !yield(Op{Kind: Types, Key: k, Text: t}) {
				return false
			}
		}
	}
	return true
}
