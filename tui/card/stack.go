// Package card draws the questions that wait for a person, and turns keys into answers.
// What a key does, and what a card shows, core/card decides; here it gets its place on the
// screen. A Stack does no input or output and starts nothing.
package card

import (
	"time"

	"tenet/adapters/approvals"
	core "tenet/core/card"
	"tenet/core/event"
	"tenet/tui/keys"
	"tenet/tui/theme"
)

// Options are what a stack is drawn with.
type Options struct {
	// Theme is the look; nil is the one without colours.
	Theme *theme.Theme
	// Keys are a person's keys; nil is the default.
	Keys *keys.Map
	// Now is the clock; nil is the system's.
	Now func() time.Time
}

// Stack is the questions that wait, the first of them shown.
type Stack struct {
	theme *theme.Theme
	ink   inks
	keys  *keys.Map
	now   func() time.Time
	start time.Time

	desk      core.Desk
	questions map[string]core.Content
	inquiries map[string]event.Inquiry
	screen    screen
	hint      string
	typed     time.Duration // when a character was last typed while a card was up, 0 for never
	showed    bool          // it was the key that shows patterns
}

// screen is how the card in front stands on the screen. It begins anew with each card.
type screen struct {
	id, digest string
	model      bool
	// details, full and single are what the person switched on: single is a change in one
	// column.
	details, full, single bool
	width, height         int  // the place it was last given
	brief                 bool // the answers have no lines of their own
	lines                 []core.Line
	beside                []string // the change, where it stands in two columns
	drawn                 drawn    // what both were made for
	top, room             int      // the first line shown, and how many are
	seen                  int      // how many lines, from the first, were shown so far
}

type drawn struct {
	width                      int
	details, patterns, columns bool
	theme                      string
}

// Reply is an answer to a question of the model. An empty text is no answer.
type Reply struct{ ID, Text string }

// Act is what follows from a key: at most one of its fields is set.
type Act struct {
	// Answer answers a question of the gate.
	Answer *approvals.AnswerApproval
	// Reply answers a question of the model.
	Reply *Reply
	// Explain is the call that the person asks about.
	Explain string
	// Note is something to be told in the transcript: words written to a question that was
	// settled elsewhere, which are not lost.
	Note string
}

// New is an empty stack.
func New(o Options) *Stack {
	s := &Stack{theme: o.Theme, keys: o.Keys, now: o.Now, questions: map[string]core.Content{}, inquiries: map[string]event.Inquiry{}}
	if s.theme == nil {
		s.theme, _ = theme.Named("mono")
	}
	s.SetTheme(s.theme)
	if s.keys == nil {
		s.keys = keys.Default()
	}
	if s.now == nil {
		s.now = time.Now
	}
	s.start = s.now()
	return s
}

// at is the time on the desk's clock.
func (s *Stack) at() time.Duration { return s.now().Sub(s.start) }

// SetTheme changes the look.
func (s *Stack) SetTheme(t *theme.Theme) {
	s.theme = t
	s.ink = inks{
		border: theme.InkOf(t.Border), strong: theme.InkOf(t.Strong), muted: theme.InkOf(t.Muted), warn: theme.InkOf(t.Warn), text: theme.InkOf(t.Text),
		selected: theme.InkOf(t.Selected), user: theme.InkOf(t.User), added: theme.InkOf(t.Added), removed: theme.InkOf(t.Removed), hunk: theme.InkOf(t.Hunk),
	}
}

// inks are the looks that a card is drawn with.
type inks struct{ border, strong, muted, warn, text, selected, user, added, removed, hunk theme.Ink }

// SetKeys changes the keys.
func (s *Stack) SetKeys(m *keys.Map) { s.keys = m }

// Add puts a question of the gate on the stack. One that is there already is not doubled.
func (s *Stack) Add(a approvals.Approval) {
	c := a.Content()
	s.questions[c.ID] = c
	s.put(s.desk.Ask(c.Card(), s.at()))
}

// Drop takes a question away that was settled, shown or waiting. Words that were being
// written to it come back as a note.
func (s *Stack) Drop(f approvals.Settled) Act {
	d, act := s.desk.Gone(f.ID, false, s.at())
	s.put(d)
	return s.noted(act, f.How)
}

// Reset makes these the questions of the gate, the oldest first: after frames were missed,
// or after an answer was not taken.
func (s *Stack) Reset(all []approvals.Approval) Act {
	var cards []core.Card
	for _, a := range all {
		c := a.Content()
		s.questions[c.ID] = c
		cards = append(cards, c.Card())
	}
	d, act := s.desk.Reset(cards, s.at())
	s.put(d)
	return s.noted(act, "settled")
}

// Inquire puts a question of the model on the stack, behind those of the gate.
func (s *Stack) Inquire(q event.Inquiry) {
	s.inquiries[q.ID] = q
	s.put(s.desk.Ask(core.Card{ID: q.ID, Model: true, Options: q.Options}, s.at()))
}

// Told takes a question of the model away that has its answer, or will have none.
func (s *Stack) Told(a event.Answer) Act {
	d, act := s.desk.Gone(a.ID, true, s.at())
	s.put(d)
	return s.noted(act, "answered")
}

func (s *Stack) noted(a core.Act, how string) Act {
	if a.Do != core.Keep {
		return Act{}
	}
	return Act{Note: "the question was " + how + " elsewhere; you had written: " + a.Text}
}

// put takes the next state of the desk. What is no longer on it is forgotten.
func (s *Stack) put(d core.Desk) {
	s.desk = d
	var here, asked = map[string]core.Content{}, map[string]event.Inquiry{}
	for _, c := range d.Open {
		if c.Model {
			asked[c.ID] = s.inquiries[c.ID]
		} else {
			here[c.ID] = s.questions[c.ID]
		}
	}
	s.questions, s.inquiries = here, asked
	c, _ := d.First()
	if c.ID != s.screen.id || c.Digest != s.screen.digest || c.Model != s.screen.model {
		s.screen = screen{id: c.ID, digest: c.Digest, model: c.Model, width: s.screen.width, height: s.screen.height}
		s.hint = ""
	}
}

// Up reports whether a card is shown: the keyboard is its then.
func (s *Stack) Up() bool { return len(s.desk.Open) > 0 }

// Count is how many questions wait, the one that is shown among them.
func (s *Stack) Count() int { return len(s.desk.Open) }

// Full reports whether the card in front wants the whole screen.
func (s *Stack) Full() bool { return s.Up() && s.screen.full }

// Quiet is how long it takes until keys count, 0 when they do: when to draw again.
func (s *Stack) Quiet() time.Duration { return s.desk.Wait(s.at()) }
