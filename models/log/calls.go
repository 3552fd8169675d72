package log

import (
	"iter"

	"tenet/core/event"
)

// Length is how many things may happen in one history of calls.
const Length = 11

// CallIDs are the calls of a history; a reply makes both.
var CallIDs = [...]string{"c1", "c2"}

// What is one thing that happens while a reply's calls are worked through. All but
// the first three are records of the log.
type What uint8

// The things.
const (
	Nothing  What = iota
	Effect        // a dispatched step of the call changes the world
	Died          // the process is killed; the log stays as it is
	Made          // a reply makes both calls
	Taken         // the turn takes the call up
	Allowed       // the gate lets its step through
	Denied        // the gate does not
	Started       // its step is dispatched
	Answered      // the call gets its result
	TakenUp       // a new process names the calls without a result: Call is the set of them
	Detached      // the call goes on as a job
	Settled       // the job has its end
	Own           // a person makes the call themselves
)

// Event is a thing and the call it is about.
type Event struct {
	What What
	Call uint8
}

// History is everything that happened, in order; the zero event fills the rest.
type History [Length]Event

// Len counts the events.
func (h History) Len() int {
	for i, e := range h {
		if e.What == Nothing {
			return i
		}
	}
	return Length
}

// with is the history with one more event.
func (h History) with(e Event) History {
	h[h.Len()] = e
	return h
}

// Bodies are the records of an event: none for what the log cannot see.
func (e Event) Bodies() []event.Body {
	id := CallIDs[e.Call&1]
	switch e.What {
	case Made:
		var calls []event.ToolCall
		for _, id := range CallIDs {
			calls = append(calls, event.ToolCall{ID: id, Tool: "bash"})
		}
		return []event.Body{event.Reply{Calls: calls}}
	case Taken:
		return []event.Body{event.Call{Call: id, Tool: "bash"}}
	case Allowed:
		return []event.Body{judgement(id, event.Ruling{Verdict: "allow", Steps: []event.JudgedStep{{N: 1}}})}
	case Denied:
		return []event.Body{declined(id)}
	case Started:
		return []event.Body{event.Dispatch{Call: id, Steps: []int{1}}}
	case Answered:
		return []event.Body{event.Result{Call: id}}
	case TakenUp:
		return []event.Body{event.Resumption{Interrupted: named(e.Call)}}
	case Detached:
		return []event.Body{event.Detachment{Job: "j" + id, Call: id}}
	case Settled:
		return []event.Body{event.Settlement{Job: "j" + id}}
	case Own:
		return []event.Body{event.Call{Call: id, Tool: "bash", By: event.Person}}
	case Nothing, Effect, Died:
	}
	return nil
}

func judgement(id string, r event.Ruling) event.Judgement {
	return event.Judgement{Call: id, Tool: "bash", Ruling: r}
}

// declined is a call that was asked about and answered no.
func declined(id string) event.Judgement {
	j := judgement(id, event.Ruling{Verdict: "ask", Steps: []event.JudgedStep{{N: 1}}})
	j.Answer = "denied"
	return j
}

func named(set uint8) []string {
	var out []string
	for i, id := range CallIDs {
		if set&(1<<i) != 0 {
			out = append(out, id)
		}
	}
	return out
}

// Fold is core's own fold of the records of the history.
func (h History) Fold() event.State {
	var s event.State
	for i, e := range h[:h.Len()] {
		for _, b := range e.Bodies() {
			s = s.With(uint64(i+1), b)
		}
	}
	return s
}

// Calls is the machine of a session: core's fold says what waits for a result and
// what was dispatched, core's resumption what a new process appends; the adversary
// kills the process between any two of them.
func (h History) Calls() iter.Seq[Event] {
	return func(yield func(Event) bool) {
		for _, e := range h.next() {
			if !yield(e) {
				return
			}
		}
	}
}

func (h History) next() []Event {
	n := h.Len()
	switch {
	case n == 0:
		return []Event{{What: Made}, {What: Own}}
	case h[n-1].What == Died:
		if n+1+len(CallIDs) > Length {
			return nil
		}
		return []Event{{What: TakenUp}}
	case n == Length:
		return nil
	}
	out := []Event{{What: Died}}
	for _, c := range h.Fold().Calls {
		out = append(out, moves(h, c)...)
	}
	return out
}

// moves are what a driver that asks the fold may do next about a call.
func moves(h History, c event.OpenCall) []Event {
	i := index(c.ID)
	switch {
	case !c.Taken:
		return []Event{{Taken, i}}
	case c.Started:
		return []Event{{Effect, i}, {Answered, i}}
	case h.last(i).What == Allowed:
		return []Event{{Started, i}}
	case h.last(i).What == Denied:
		return []Event{{Answered, i}}
	}
	return []Event{{Allowed, i}, {Denied, i}, {Answered, i}}
}

// last is the last event about a call.
func (h History) last(call uint8) Event {
	for i := h.Len() - 1; i >= 0; i-- {
		if e := h[i]; e.Call == call && e.What != Died && e.What != Made && e.What != TakenUp {
			return e
		}
	}
	return Event{}
}

func index(id string) uint8 {
	for i, c := range CallIDs {
		if c == id {
			return uint8(i)
		}
	}
	return uint8(len(CallIDs))
}

// CallsStep adds the event; a process that takes the session up appends what core's
// Resume says, whatever the operation asks for.
func CallsStep(h History, e Event) (History, struct{}) {
	if e.What != TakenUp {
		return h.with(e), struct{}{}
	}
	for _, b := range event.Resume(h.Fold()) {
		h = h.with(eventOf(b))
	}
	return h, struct{}{}
}

// eventOf is the event that a body of a resumption stands for.
func eventOf(b event.Body) Event {
	switch b := b.(type) {
	case event.Resumption:
		var set uint8
		for _, id := range b.Interrupted {
			set |= 1 << index(id)
		}
		return Event{TakenUp, set}
	case event.Call:
		if b.By != "" {
			return Event{Own, index(b.Call)}
		}
		return Event{Taken, index(b.Call)}
	case event.Dispatch:
		return Event{Started, index(b.Call)}
	case event.Result:
		return Event{Answered, index(b.Call)}
	}
	return Event{}
}

// Before is the history's first n events.
func (h History) Before(n int) History {
	clear(h[n:])
	return h
}
