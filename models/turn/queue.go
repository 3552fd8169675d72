package turn

import (
	"iter"
	"slices"
	"time"

	core "tenet/core/turn"
)

// The bounds of the search of a session's messages.
const (
	Messages   = 3 // messages that are ever written
	Room       = 2 // messages that may wait at once
	OpenAtOnce = 2 // questions open at once
	Hooks      = 2 // stop hooks of a finish
	Seconds    = 3 // of a cancelled call
)

// Fate is what became of a message.
type Fate uint8

// The fates.
const (
	Unwritten Fate = iota
	Queues         // waits for a turn of its own
	Steers         // waits for the next request of the running turn
	Withdrawn      // taken back while it waited
	Ran            // began a turn
	Went           // went into a running turn
)

// Final reports whether the fate never changes again.
func (f Fate) Final() bool { return f >= Withdrawn }

// Queue is core's desk with what a session keeps beside it: the messages, the command
// that a call runs, and the hooks of a finish.
type Queue struct {
	Desk core.Desk
	Fate [Messages]Fate
	// Line is the waiting messages in the order they came, counted from 1; 0 is none.
	Line [Messages]uint8
	// Runs is the message whose turn runs, 0 for none or for a turn that a job woke.
	Runs uint8
	// News is true while a job's settlement is neither in a request nor has woken a turn.
	News bool
	// Finished is true while a finish stands that called Total hooks, of which Done passed.
	Finished    bool
	Total, Done uint8
	// Alive is true while the command of a call runs; Got is the last signal it got, Since
	// the seconds after the first.
	Alive bool
	Got   core.Signal
	Since uint8
}

// QueueOp is one thing that happens: a move at the desk, or what only the world does.
type QueueOp struct {
	World World
	Move  core.Move
	// Message is the message of a message's move, N the hooks of a finish.
	Message, N uint8
}

// World is what happens outside the desk.
type World uint8

// What happens outside.
const (
	AtDesk World = iota // nothing: the move is made at the desk
	Exits               // the running command ends
	Tick                // a second of a cancelled call passes
	Edits               // a waiting message gets other words
)

// QueueOut is the desk's order.
type QueueOut struct{ Order core.Order }

// StepQueue does what core says.
func StepQueue(s Queue, op QueueOp) (Queue, QueueOut) {
	switch op.World {
	case Exits:
		s.Alive = false
		return s, QueueOut{}
	case Tick:
		return s.tick(), QueueOut{}
	case Edits:
		return s, QueueOut{}
	case AtDesk:
	}
	desk, order := s.Desk.Step(op.Move, op.N, Room)
	next := s.hear(op.Move)
	next.Desk = desk
	return next.obey(op, order), QueueOut{Order: order}
}

// hear keeps what the model has yet to learn of its jobs: a settlement is news until a
// request is built.
func (s Queue) hear(m core.Move) Queue {
	switch {
	case m == core.OnSettled:
		s.News = true
	case m == core.OnRequest && s.Desk.Stage == core.Thinking:
		s.News = false
	}
	return s
}

func (s Queue) tick() Queue {
	s.Since++
	if g := core.SignalAt(time.Duration(s.Since)*time.Second, s.Got); s.Alive && g != core.NoSignal {
		s.Got, s.Alive = g, g != core.Kill
	}
	return s
}

// obey is the driver: it does what the order says and nothing else.
func (s Queue) obey(op QueueOp, o core.Order) Queue {
	switch o {
	case core.DoBegin:
		s = s.begin(op)
	case core.DoKeep:
		s = s.keep(op)
	case core.DoDeliver:
		s = s.take(Steers, Went)
	case core.DoNote:
		s = s.note(op)
	case core.DoHook:
		s.Finished, s.Total, s.Done = true, max(s.Total, op.N), s.passed(op)
	case core.DoGoBack:
		s.Finished, s.Total, s.Done = false, 0, 0
	case core.DoProceed:
		s.Alive = op.Move == core.OnCall
		if op.Move == core.OnReturn {
			s.Finished, s.Total, s.Done = false, 0, 0
		}
	case core.DoTerminate:
		s.Got, s.Since = core.SignalAt(0, core.NoSignal), 0
	case core.DoEnd, core.DoHalt:
		s = s.still()
	case core.DoWake:
		s.News = false
	case core.DoNothing, core.DoBlock, core.DoTurnAway, core.DoWait:
	}
	return s
}

func (s Queue) passed(op QueueOp) uint8 {
	if op.Move == core.OnPass {
		return s.Done + 1
	}
	return 0
}

func (s Queue) note(op QueueOp) Queue {
	if op.Move == core.OnWithdraw || op.Move == core.OnWithdrawSteer {
		s.Fate[op.Message-1] = Withdrawn
		return s.drop(op.Message)
	}
	if op.Move == core.OnFinish || op.Move == core.OnPass {
		s.Finished, s.Done = true, s.passed(op)
	}
	if op.Move == core.OnLeave {
		return s.over()
	}
	return s
}

// begin: a message that comes to an idle session, or the oldest that waits. A turn that
// goes on after a crash has had its message.
func (s Queue) begin(op QueueOp) Queue {
	if op.Move == core.OnMessage || op.Move == core.OnSteer {
		s.Fate[op.Message-1], s.Runs = Ran, op.Message
	}
	if op.Move == core.OnNext {
		m := s.oldest(Queues)
		s.Fate[m-1], s.Runs = Ran, m
		s = s.drop(m)
	}
	return s
}

func (s Queue) keep(op QueueOp) Queue {
	f := Queues
	if op.Move == core.OnSteer && s.Desk.Stage != core.Idle {
		f = Steers
	}
	s.Fate[op.Message-1] = f
	s.Line[slices.Index(s.Line[:], 0)] = op.Message
	return s
}

// take gives every waiting message of one fate the other.
func (s Queue) take(from, to Fate) Queue {
	for i := range s.Fate {
		if s.Fate[i] == from {
			s.Fate[i] = to
			if to.Final() {
				s = s.drop(uint8(i + 1))
			}
		}
	}
	return s
}

func (s Queue) oldest(f Fate) uint8 {
	for _, m := range s.Line {
		if m != 0 && s.Fate[m-1] == f {
			return m
		}
	}
	return 0
}

func (s Queue) drop(m uint8) Queue {
	kept := [Messages]uint8{}
	n := 0
	for _, l := range s.Line {
		if l != 0 && l != m {
			kept[n] = l
			n++
		}
	}
	s.Line = kept
	return s
}

// still: the turn is decided; its call, its finish and its command are gone.
func (s Queue) still() Queue {
	return Queue{Desk: s.Desk, Fate: s.Fate, Line: s.Line, Runs: s.Runs, News: s.News}
}

// over: the turn is gone; what still steered waits for a turn of its own.
func (s Queue) over() Queue {
	s = s.take(Steers, Queues).still()
	s.Runs = 0
	return s
}

// QueueOps is everything that may happen next.
func QueueOps(s Queue) iter.Seq[QueueOp] {
	return func(yield func(QueueOp) bool) {
		for _, op := range s.ops() {
			if !yield(op) {
				return
			}
		}
	}
}

func (s Queue) ops() []QueueOp {
	out := append(s.messages(), s.world()...)
	for _, m := range []core.Move{core.OnCall, core.OnRequest, core.OnPass, core.OnFail, core.OnCancel, core.OnLeave, core.OnSettled, core.OnContinue, core.OnNext} {
		out = append(out, QueueOp{Move: m})
	}
	if !s.Alive { // a call returns when its command is gone
		out = append(out, QueueOp{Move: core.OnReturn})
	}
	if s.Desk.Open < OpenAtOnce {
		out = append(out, QueueOp{Move: core.OnQuestion})
	}
	if s.Desk.Open > 0 {
		out = append(out, QueueOp{Move: core.OnAnswer})
	}
	for n := range uint8(Hooks + 1) {
		out = append(out, QueueOp{Move: core.OnFinish, N: n})
	}
	return out
}

// messages: the next message that nobody wrote yet is written, and each that waits may be
// edited or taken back.
func (s Queue) messages() (out []QueueOp) {
	if i := slices.Index(s.Fate[:], Unwritten); i >= 0 {
		out = append(out, QueueOp{Move: core.OnMessage, Message: uint8(i + 1)}, QueueOp{Move: core.OnSteer, Message: uint8(i + 1)})
	}
	for i, f := range s.Fate {
		switch m := uint8(i + 1); f {
		case Queues:
			out = append(out, QueueOp{Move: core.OnWithdraw, Message: m}, QueueOp{World: Edits, Message: m})
		case Steers:
			out = append(out, QueueOp{Move: core.OnWithdrawSteer, Message: m}, QueueOp{World: Edits, Message: m})
		case Unwritten, Withdrawn, Ran, Went:
		}
	}
	return out
}

func (s Queue) world() (out []QueueOp) {
	if s.Alive {
		out = append(out, QueueOp{World: Exits})
	}
	if s.Got != core.NoSignal && s.Since < Seconds {
		out = append(out, QueueOp{World: Tick})
	}
	return out
}
