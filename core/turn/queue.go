package turn

import "time"

// MostWaiting bounds the messages that wait in one session; a person who writes more
// is told so, and nothing is lost.
const MostWaiting = 100

// KillAfter is how long a running command of a cancelled turn has between TERM and KILL
// (law cancel_at_tool_boundary).
const KillAfter = 2 * time.Second

// Desk is what a session knows of the messages that come to it, the questions that are
// open and the turn that runs. It decides who may speak when; it performs nothing. The
// zero value is an idle session that nobody wrote to.
type Desk struct {
	Stage Stage
	// Open counts the questions and permissions that wait for a person.
	Open uint8
	// Queued and Steers count the messages that wait: for a turn of their own, and for the
	// next request of this one.
	Queued, Steers uint8
	// Wake is true when a job settled, and neither a request has said so yet nor a turn
	// begun for it.
	Wake bool
	// Hooks counts the stop hooks that the running finish has yet to pass.
	Hooks uint8
	// Passed is true once a finish passed its stop hooks: the turn ends at the boundary.
	Passed bool
	// Cancelled is true once a person stopped the turn: it ends at the boundary.
	Cancelled bool
}

// Stage is what a session does.
type Stage uint8

// The stages.
const (
	Idle      Stage = iota // no turn runs
	Thinking               // a turn runs, and no call of it does
	Acting                 // a call of the turn runs
	Finishing              // the call is finish, and its stop hooks run
	Leaving                // the turn is decided; its end is not recorded yet
)

var stageNames = [...]string{"idle", "thinking", "acting", "finishing", "leaving"}

// String names the stage.
func (s Stage) String() string { return stageNames[s] }

// Move is what happens at a desk.
type Move uint8

// The moves.
const (
	OnMessage       Move = iota // a person's message, to begin a turn or to wait for one
	OnSteer                     // a person's message for the running turn
	OnWithdraw                  // a message that waited for a turn was withdrawn
	OnWithdrawSteer             // a message that waited for a request was withdrawn
	OnQuestion                  // a question or a permission waits for a person
	OnAnswer                    // it has its answer, or its end
	OnCall                      // the turn is about to take up a call
	OnReturn                    // the call has its result
	OnRequest                   // the next request is about to be built: every call has its result
	OnFinish                    // finish was called; N stop hooks are to pass
	OnPass                      // a stop hook passed
	OnFail                      // a stop hook failed
	OnCancel                    // a person stops the turn
	OnLeave                     // the turn is over
	OnSettled                   // a job settled; its row is in the context of the next request
	OnContinue                  // a turn that a crash left open goes on
	OnNext                      // somebody is ready to run a turn
)

var moveNames = [...]string{"message", "steer", "withdraw", "withdraw steer", "question", "answer", "call", "return", "request", "finish", "pass", "fail", "cancel", "leave", "settled", "continue", "next"}

// String names the move.
func (m Move) String() string { return moveNames[m] }

// Order is what the session does about a move.
type Order uint8

// The orders.
const (
	DoNothing   Order = iota // the move changes nothing
	DoNote                   // taken down, nothing to do
	DoBegin                  // begin a turn with the message
	DoKeep                   // write the message down, where it waits
	DoBlock                  // refuse the message: a question is open
	DoTurnAway               // refuse the message: too many wait
	DoProceed                // run the call, or build the request
	DoDeliver                // put every message that steers into the context, then build the request
	DoHook                   // run the next stop hook
	DoGoBack                 // give the hook's output to the model and go on
	DoTerminate              // ask the running call to stop: TERM now, KILL after KillAfter
	DoEnd                    // the turn ends answered, with what finish said
	DoHalt                   // the turn ends as aborted
	DoWake                   // begin a turn without a message: a job settled
	DoWait                   // there is nothing to run, or a question is open
)

var orderNames = [...]string{"nothing", "note", "begin", "keep", "block", "turn away", "proceed", "deliver", "run hook", "go back", "terminate", "end", "halt", "wake", "wait"}

// String names the order.
func (o Order) String() string { return orderNames[o] }

// Step is the whole rule; most bounds the messages that wait and n is the number of
// stop hooks of an OnFinish. A move that does not belong to the stage changes nothing.
func (d Desk) Step(m Move, n, most uint8) (Desk, Order) {
	switch m {
	case OnMessage, OnSteer:
		return d.message(m, most)
	case OnWithdraw, OnWithdrawSteer:
		return d.withdraw(m)
	case OnQuestion:
		d.Open++
		return d, DoNote
	case OnAnswer:
		if d.Open > 0 {
			d.Open--
			return d, DoNote
		}
	case OnCall, OnReturn:
		return d.call(m)
	case OnRequest:
		return d.between()
	case OnFinish, OnPass, OnFail:
		return d.finish(m, n)
	case OnCancel:
		return d.cancel()
	case OnLeave:
		return d.leave()
	case OnSettled:
		d.Wake = true
		return d, DoNote
	case OnContinue, OnNext:
		return d.next(m)
	}
	return d, DoNothing
}

// message: an open question is answered first; a message during a turn waits, and one
// behind waiting messages waits behind them (laws open_question_blocks_messages,
// queue_one_task). One that steers no running turn begins a turn, as any other.
func (d Desk) message(m Move, most uint8) (Desk, Order) {
	switch {
	case d.Open > 0:
		return d, DoBlock
	case d.Stage == Idle && d.Queued == 0:
		d.Stage = Thinking
		return d, DoBegin
	case d.Queued+d.Steers >= most:
		return d, DoTurnAway
	case m == OnSteer && d.Stage != Idle:
		d.Steers++
	default:
		d.Queued++
	}
	return d, DoKeep
}

func (d Desk) withdraw(m Move) (Desk, Order) {
	switch {
	case m == OnWithdraw && d.Queued > 0:
		d.Queued--
	case m == OnWithdrawSteer && d.Steers > 0:
		d.Steers--
	default:
		return d, DoNothing
	}
	return d, DoNote
}

// call: a tool boundary stands before and after each call. A cancel, or a finish that
// passed, ends the turn there.
func (d Desk) call(m Move) (Desk, Order) {
	in := d.Stage == Acting || d.Stage == Finishing // a finish whose hooks were stopped returns too
	switch {
	case m == OnCall && d.Stage != Thinking, m == OnReturn && !in:
		return d, DoNothing
	case d.Cancelled:
		return d.stop(), DoHalt
	case m == OnCall:
		d.Stage = Acting
		return d, DoProceed
	case d.Passed:
		return d.stop(), DoEnd
	}
	d.Stage, d.Hooks = Thinking, 0
	return d, DoProceed
}

// between is the only place where a message enters a running turn: there every call
// has its result.
func (d Desk) between() (Desk, Order) {
	if d.Stage != Thinking {
		return d, DoNothing
	}
	d.Wake = false
	if d.Steers == 0 {
		return d, DoProceed
	}
	d.Steers = 0
	return d, DoDeliver
}

// finish runs the stop hooks in order; the first that fails sends the turn on (law
// finish_passes_stop_hooks).
func (d Desk) finish(m Move, n uint8) (Desk, Order) {
	switch {
	case m == OnFinish && d.Stage == Acting && !d.Passed:
		d.Stage, d.Hooks = Finishing, n
	case m == OnPass && d.Stage == Finishing && d.Hooks > 0:
		d.Hooks--
	case m == OnFail && d.Stage == Finishing && d.Hooks > 0:
		d.Stage, d.Hooks = Acting, 0
		return d, DoGoBack
	default:
		return d, DoNothing
	}
	if d.Hooks > 0 {
		return d, DoHook
	}
	d.Stage, d.Passed = Acting, true
	return d, DoNote
}

func (d Desk) cancel() (Desk, Order) {
	switch d.Stage {
	case Thinking:
		return d.stop(), DoHalt
	case Acting, Finishing:
		if d.Cancelled {
			return d, DoNothing
		}
		d.Cancelled = true
		return d, DoTerminate
	case Idle, Leaving:
	}
	return d, DoNothing
}

// stop decides the turn; until its end is recorded no other begins.
func (d Desk) stop() Desk {
	return Desk{Stage: Leaving, Open: d.Open, Queued: d.Queued, Steers: d.Steers, Wake: d.Wake}
}

// leave: what steered and came too late for a request begins a turn of its own.
func (d Desk) leave() (Desk, Order) {
	if d.Stage == Idle {
		return d, DoNothing
	}
	return Desk{Open: d.Open, Queued: d.Queued + d.Steers, Wake: d.Wake}, DoNote
}

// next: the oldest message that waits begins a turn, unless a question is open; a job
// that settled wakes a session that nobody wrote to. It wakes it once: a woken turn that a
// person stops before its request would else be woken again and again, for ever. A turn
// that a crash left open goes on before either.
func (d Desk) next(m Move) (Desk, Order) {
	order := DoBegin
	switch {
	case d.Stage != Idle:
		return d, DoWait
	case m == OnContinue:
	case d.Queued > 0 && d.Open == 0:
		d.Queued--
	case d.Wake:
		d.Wake, order = false, DoWake
	default:
		return d, DoWait
	}
	d.Stage = Thinking
	return d, order
}

// Signal is what a running command gets.
type Signal uint8

// The signals.
const (
	NoSignal Signal = iota
	Term
	Kill
)

var signalNames = [...]string{"none", "TERM", "KILL"}

// String names the signal.
func (s Signal) String() string { return signalNames[s] }

// SignalAt is the signal of a running command whose turn was cancelled since ago; last
// is what it already got.
func SignalAt(since time.Duration, last Signal) Signal {
	switch {
	case last == NoSignal:
		return Term
	case last == Term && since >= KillAfter:
		return Kill
	}
	return NoSignal
}
