// Package recovery closes core/recovery and core/turn with a stuck model and its
// adversary: replies at the output limit, leaked calls, the same calls again and
// again, people and the harness speaking in between (H4.8). What was noted and what
// ran is counted here from what happened, not from what core says.
package recovery

import (
	"iter"
	"sync"

	"tenet/core/recovery"
	"tenet/core/turn"
)

// Limits are the turn's: enough rounds and notes that every recovery reaches its cap.
var Limits = turn.Config{Rounds: 7, Retries: 1, Notes: 5}

// Caps are production's.
var Caps = recovery.Production

// State is a turn, what the recoveries remember, and the end of the context.
type State struct {
	Turn turn.State
	Row  recovery.Row
	// Noted is the cause of the last notes and how many there were in a row, as they were
	// sent: the model's own count of what Row says.
	Noted Notes
	// Last is the round that ends the context, 0 for none, and Same how often it stands
	// there in a row; Murmur is true when the harness spoke after it.
	Last   Round
	Same   uint8
	Murmur bool
	// Runs are the calls that run now, 0 for none.
	Runs uint8
}

// Notes are notes in a row.
type Notes struct {
	Cause recovery.Cause
	Row   uint8
}

// Of is how many of the cause came in a row.
func (n Notes) Of(c recovery.Cause) uint8 {
	if n.Cause != c {
		return 0
	}
	return n.Row
}

// Round is calls with their results: 1 and 2 are the calls A with two results, 3 and 4 the
// calls B.
type Round uint8

// RoundOf is the round of calls (1 or 2) that gave results (0 or 1).
func RoundOf(calls, results uint8) Round { return Round(calls*2 - 1 + results) }

// Calls are the calls of the round.
func (r Round) Calls() uint8 { return uint8(r+1) / 2 }

// most bounds Same, so that a broken core still has finitely many states.
const most = 7

// Kind is what happens.
type Kind uint8

// The kinds.
const (
	Ready    Kind = iota // the request is built
	AtLimit              // no text and no call, at the output limit
	Leak                 // text with calls that cannot be read
	Leaked               // text with calls that can: Calls
	Made                 // calls
	Answered             // text
	Silent               // no text and no call, not at the limit
	Cut                  // the reply was cut for repeating itself
	Stalled              // nothing came
	Failed               // a failure that passes
	Results              // the calls that run have results
	Spoke                // a person's message comes into the context
	Murmured             // the harness says something there
	Look                 // Context: how many rounds in a row end it with the calls
	Scan                 // Text: what of it is a leak
)

var kindNames = [...]string{"ready", "at limit", "leak", "leaked", "made", "answered", "silent", "cut", "stalled", "failed", "results", "spoke", "murmured", "look", "scan"}

// String names the kind.
func (k Kind) String() string { return kindNames[k] }

// Op is one thing that happens.
type Op struct {
	Kind Kind
	// Calls are 1 or 2 (3 in a Look: both in one round), Results 0 or 1.
	Calls, Results uint8
	// Length is true for calls at the output limit.
	Length  bool
	Context Context
	Text    string
	// Cut is true for the text of one leak that was cut somewhere.
	Cut bool
}

// Out is what core says of it.
type Out struct {
	Act  recovery.Act
	Turn turn.Act
	// Looked is the rounds in a row of a Look.
	Looked int
	// Leak is what core reads of a Scan's text, Want what the plainest reading is.
	Leak recovery.Leak
	Want Reading
}

// Step asks core: the relation is same.
func Step(s State, op Op) (State, Out) {
	switch op.Kind {
	case Look:
		n := recovery.Rounds(op.Context.messages(), calls(op.Calls))
		act, _ := Caps.Decide(recovery.Row{}, recovery.Calls, n)
		return s, Out{Looked: n, Act: act}
	case Scan:
		return s, Out{Leak: recovery.Scan(op.Text, Offered), Want: Read(op.Text)}
	case Ready:
		return s.tell(turn.Input{Kind: turn.Ready}, recovery.Pass)
	case Results:
		return s.round(op)
	case Spoke:
		s.Last, s.Same, s.Murmur = 0, 0, false
		return s, Out{}
	case Murmured:
		s.Murmur = s.Same > 0
		return s, Out{}
	case AtLimit, Leak, Leaked, Made, Answered, Silent, Cut, Stalled, Failed:
	}
	return s.reply(op)
}

// reply is what the driver does with what came of a request.
func (s State) reply(op Op) (State, Out) {
	if s.Turn.Phase != turn.Calling {
		return s, Out{}
	}
	switch op.Kind {
	case Failed:
		return s.tell(turn.Input{Kind: turn.Failure, Transient: true}, recovery.Pass)
	case Cut:
		s.Row = s.Row.Next(recovery.Repeated)
		return s.tell(turn.Input{Kind: turn.Noted}, recovery.Pass)
	case Stalled:
		s.Row = s.Row.Next(recovery.Stall)
		return s.tell(turn.Input{Kind: turn.Stalled}, recovery.Pass)
	case Ready, AtLimit, Leak, Leaked, Made, Answered, Silent, Results, Spoke, Murmured, Look, Scan:
	}
	what := seen(op.Kind)
	same := 0
	if what == recovery.Calls {
		same = inContext(s, op.Calls)
	}
	var act recovery.Act
	act, s.Row = Caps.Decide(s.Row, what, same)
	text := op.Kind == Answered || op.Kind == Leak
	to, out := s.tell(act.Input(text, what == recovery.Calls, op.Length), act)
	if to.Turn.Phase == turn.Tooling {
		to.Runs = op.Calls
	}
	return to, out
}

// seen is what a reply is in the eyes of the recoveries.
func seen(k Kind) recovery.What {
	switch k {
	case AtLimit:
		return recovery.AtLimit
	case Leak:
		return recovery.LeakedOut
	case Leaked, Made:
		return recovery.Calls
	case Answered:
		return recovery.Answer
	case Ready, Silent, Cut, Stalled, Failed, Results, Spoke, Murmured, Look, Scan:
	}
	return recovery.Other
}

// tell moves the turn, and counts the note that it leads to.
func (s State) tell(in turn.Input, act recovery.Act) (State, Out) {
	to := s
	var does turn.Act
	to.Turn, does = Limits.Step(s.Turn, in)
	switch {
	case does == turn.Redo:
		to.Noted = Notes{to.Row.Cause, s.Noted.Of(to.Row.Cause) + 1}
	case does == turn.Run, does == turn.Truncate, does.Ends():
		to.Noted = Notes{}
	}
	if does.Ends() {
		to = State{Turn: to.Turn}
	}
	return to, Out{Act: act, Turn: does}
}

// round: the calls have their results, and stand in the context with them.
func (s State) round(op Op) (State, Out) {
	if s.Turn.Phase != turn.Tooling {
		return s, Out{}
	}
	r := RoundOf(s.Runs, op.Results)
	if r != s.Last {
		s.Last, s.Same = r, 0
	}
	s.Same, s.Runs, s.Murmur = min(s.Same+1, most), 0, false
	return s.tell(turn.Input{Kind: turn.RoundDone}, recovery.Pass)
}

// Ops is everything that can happen. The looks at contexts and at texts need no state and
// are asked for once: contexts in the first, texts, which are many, in the one that comes
// last.
func Ops(s State) iter.Seq[Op] {
	return func(yield func(Op) bool) {
		for _, op := range moves() {
			if !yield(op) {
				return
			}
		}
		switch s {
		case State{}:
			looks(yield)
		case State{Turn: turn.State{Phase: turn.Over, End: turn.Failed, Cause: turn.RoundLimit, Rounds: Limits.Rounds}}:
			scans(yield)
		}
	}
}

var moves = sync.OnceValue(everyMove)

func everyMove() (out []Op) {
	for _, k := range []Kind{Ready, AtLimit, Leak, Answered, Silent, Cut, Stalled, Failed, Spoke, Murmured} {
		out = append(out, Op{Kind: k})
	}
	for c := uint8(1); c <= 2; c++ {
		out = append(out, Op{Kind: Made, Calls: c}, Op{Kind: Made, Calls: c, Length: true}, Op{Kind: Leaked, Calls: c}, Op{Kind: Results, Results: c - 1})
	}
	return out
}

// SameAs is how many rounds in a row end the context with the calls, as the model counts.
func (s State) SameAs(calls uint8) int {
	if s.Last.Calls() != calls {
		return 0
	}
	return int(s.Same)
}
