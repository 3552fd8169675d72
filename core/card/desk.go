package card

import (
	"slices"
	"time"

	"tenet/core/approvals"
)

// Quiet is how long a card waits for the keyboard to be still before a key counts: what
// somebody was typing when it appeared is no answer (case appr-005). A key that is pressed
// before that begins the wait anew, so that a key that is held down answers nothing.
const Quiet = 300 * time.Millisecond

// Card is a question as the desk knows it: one of the gate, or one of the model.
type Card struct {
	// ID names the question, Digest what is shown of it; an answer carries both.
	ID, Digest string
	// Answers are what may be answered, the denial first; empty for the model's question.
	Answers []Answer
	// Whole is false when the card leaves out a part of what would run.
	Whole bool
	// Model is true for a question of the model, by the tool ask: Options are its answers,
	// and any words are one too. Nothing runs because of it.
	Model   bool
	Options []string
}

// same reports whether the card shows the same question.
func (c Card) same(d Card) bool {
	return c.ID == d.ID && c.Model == d.Model && c.Digest == d.Digest
}

// Sight is how much of a card was on the screen.
type Sight uint8

// The sights, each more than the one before.
const (
	Unseen Sight = iota // nothing of what would run
	Part
	All
)

// Mode is what keys mean to a card.
type Mode uint8

// The modes.
const (
	Choosing Mode = iota // they choose an answer
	Reason               // no was said; they write the reason
	Writing              // they write the answer to the model
)

// Front is the card before the person: what they did to it so far. A card begins with
// the zero value of all but Since: no card inherits anything from another.
type Front struct {
	// Since is when the card appeared, moved, or was last disturbed, on the desk's clock.
	Since time.Duration
	// Focus is the choice moved to, an index into Choices; 0 is the denial. For the model's
	// question 0 is the written words, and the others its options from 1.
	Focus int
	// Pattern is which of the standing patterns is meant.
	Pattern int
	Mode    Mode
	Sight   Sight
	// Words are what was written so far, at most approvals.MaxReason bytes.
	Words string
}

// Desk is the questions that lie before a person, the first of them shown. Times are on
// one clock that only goes forward. A desk is a value: its methods make new ones.
type Desk struct {
	Open  []Card
	Front Front
}

// First is the card that is shown, if there is one.
func (d Desk) First() (Card, bool) {
	if len(d.Open) == 0 {
		return Card{}, false
	}
	return d.Open[0], true
}

// Wait is how long keys do not count yet, 0 when they do.
func (d Desk) Wait(now time.Duration) time.Duration {
	if len(d.Open) == 0 {
		return 0
	}
	return max(0, d.Front.Since+Quiet-now)
}

// show puts the first card up anew.
func (d Desk) show(now time.Duration) Desk {
	d.Front = Front{Since: now}
	if c, ok := d.First(); ok && c.Model {
		d.Front.Mode = Writing
	}
	return d
}

// Ask adds a question behind those that wait: of the gate before those of the model, and
// none in front of the card that is shown, which somebody may be answering. One that is
// here already stays where it is; when it shows something else now, it is shown anew.
func (d Desk) Ask(c Card, now time.Duration) Desk {
	open := slices.Clone(d.Open)
	if i := d.find(c.ID, c.Model); i >= 0 {
		before := open[i]
		open[i] = c
		d.Open = open
		if i == 0 && !before.same(c) {
			return d.show(now)
		}
		return d
	}
	at := len(open)
	for !c.Model && at > 1 && open[at-1].Model {
		at--
	}
	d.Open = slices.Insert(open, at, c)
	if len(d.Open) == 1 {
		return d.show(now)
	}
	return d
}

// Gone takes a question away that was settled elsewhere. Words that were being written to
// it are handed back: they were meant for that question alone.
func (d Desk) Gone(id string, model bool, now time.Duration) (Desk, Act) {
	i := d.find(id, model)
	if i < 0 {
		return d, Act{}
	}
	d.Open = slices.Delete(slices.Clone(d.Open), i, i+1)
	if i > 0 {
		return d, Act{}
	}
	var act Act
	if d.Front.Words != "" {
		act = Act{Do: Keep, ID: id, Text: d.Front.Words}
	}
	return d.show(now), act
}

// Reset makes these the questions of the gate, after frames were missed: those of the
// model stay, and so does the card that is shown when it is among them.
func (d Desk) Reset(cards []Card, now time.Duration) (Desk, Act) {
	var kept Act
	for _, c := range slices.Clone(d.Open) {
		if c.Model || slices.ContainsFunc(cards, c.same) {
			continue
		}
		var act Act
		if d, act = d.Gone(c.ID, false, now); act.Do != Nothing {
			kept = act
		}
	}
	for _, c := range cards {
		d = d.Ask(c, now)
	}
	return d, kept
}

// Moved says that the card changed its place on the screen: keys wait again, unless
// somebody writes words, which answer nothing by themselves.
func (d Desk) Moved(now time.Duration) Desk {
	if d.Front.Mode == Choosing {
		d.Front.Since = now
	}
	return d
}

// Saw says how much of the card was on the screen so far.
func (d Desk) Saw(s Sight) Desk {
	if len(d.Open) > 0 {
		d.Front.Sight = max(d.Front.Sight, s)
	}
	return d
}

func (d Desk) find(id string, model bool) int {
	return slices.IndexFunc(d.Open, func(c Card) bool { return c.ID == id && c.Model == model })
}

// Choice is one line of the answers of a card.
type Choice struct {
	approvals.Choice
	// Answer is what it would answer now: with several standing patterns the one meant.
	Answer Answer
	// Pattern of Patterns is meant, from 1; both 0 for an answer without a pattern.
	Pattern, Patterns int
	// Open is false while it may not be chosen: too little of the card was seen.
	Open bool
}

// Choices are the answers that the card in front shows, the denial first. A card that
// cannot show everything has no standing one (case appr-011).
func (d Desk) Choices() (out []Choice) {
	c, _ := d.First()
	out = []Choice{{Choice: approvals.Deny, Open: true}}
	for _, a := range c.Answers {
		have := slices.IndexFunc(out, func(x Choice) bool { return x.Choice == a.Choice })
		switch {
		case a.Choice == approvals.Deny:
			out[0].Answer = a
		case a.Choice != approvals.AllowAlways && have < 0:
			out = append(out, Choice{Choice: a.Choice, Answer: a, Open: d.Front.Sight >= Part})
		case a.Choice == approvals.AllowAlways && c.Whole && have < 0:
			out = append(out, Choice{Choice: a.Choice, Answer: a, Pattern: 1, Patterns: 1, Open: d.Front.Sight >= All})
		case a.Choice == approvals.AllowAlways && c.Whole:
			out[have].more(a, d.Front.Pattern)
		}
	}
	return out
}

// more counts one more standing pattern, which may be the one that is meant.
func (c *Choice) more(a Answer, meant int) {
	if c.Patterns++; c.Patterns == meant+1 {
		c.Answer, c.Pattern = a, c.Patterns
	}
}
