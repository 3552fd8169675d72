package laws

import (
	core "tenet/core/turn"
	"tenet/laws/law"
	"tenet/models/turn"
)

type queueLaw = law.Law[turn.Queue, turn.QueueOp, turn.QueueOut]

// Queue: who may speak to a session when, and how a turn ends by finish or by a person
// (seed 5, the turn loop).
var Queue = struct {
	// QueueOneTask: one task runs per turn: a message that comes during a turn waits, enters it only between rounds, or begins the next turn in its order, once; a job's settlement wakes an idle session once, and none whose request has said it.
	QueueOneTask queueLaw `law:"queue_one_task" rule:"3"`
	// OpenQuestionBlocksMessages: while a question or a permission is open, a new message is refused and no waiting one begins a turn.
	OpenQuestionBlocksMessages queueLaw `law:"open_question_blocks_messages" rule:"3"`
	// FinishPassesStopHooks: finish ends the turn only after every stop hook passed; one that fails sends the turn on.
	FinishPassesStopHooks queueLaw `law:"finish_passes_stop_hooks" rule:"3"`
	// CancelAtToolBoundary: a cancel ends the turn at the next tool boundary and no call starts after it; a running command gets TERM, and KILL two seconds later.
	CancelAtToolBoundary queueLaw `law:"cancel_at_tool_boundary" rule:"3"`
}{
	QueueOneTask:               queueLaw{Step: oneTask},
	OpenQuestionBlocksMessages: queueLaw{Step: openQuestionBlocks},
	FinishPassesStopHooks:      queueLaw{Step: finishPasses},
	CancelAtToolBoundary:       queueLaw{Step: cancelAtBoundary},
}

// QueueBook lists them.
var QueueBook = law.Book[turn.Queue, turn.QueueOp, turn.QueueOut]("turn", &Queue)

func oneTask(b turn.Queue, op turn.QueueOp, out turn.QueueOut, a turn.Queue) law.Verdict {
	written := spoken(op) && b.Desk.Stage != core.Idle && b.Desk.Open == 0
	began := out.Order == core.DoBegin || out.Order == core.DoWake
	entered := false
	for i, f := range a.Fate {
		if b.Fate[i].Final() && f != b.Fate[i] {
			return law.Broken("message %d was %v and became %v", i+1, b.Fate[i], f)
		}
		if f == turn.Went && b.Fate[i] != turn.Went {
			entered = true
			if b.Desk.Stage != core.Thinking || op.Move != core.OnRequest {
				return law.Broken("message %d went into the turn while it was %v, on %v", i+1, b.Desk.Stage, op.Move)
			}
		}
	}
	switch {
	case written:
		return keptInLine(b, op, out, a)
	case op.World == turn.AtDesk && op.Move == core.OnNext && out.Order != core.DoBegin:
		return wakesOnce(b, out, a)
	case began && op.Move == core.OnNext:
		return law.Check(b.Desk.Stage == core.Idle && a.Runs != 0 && a.Runs == first(b), "on %+v the turn of message %d began", b, a.Runs)
	case began:
		return law.Check(b.Desk.Stage == core.Idle && (first(b) == 0 || !spoken(op)), "a turn began while another was %v, before message %d", b.Desk.Stage, first(b))
	case op.Move == core.OnRequest && op.World == turn.AtDesk && b.Desk.Stage == core.Thinking:
		return law.Check(a.Desk.Stage == core.Thinking && a.Runs == b.Runs && entered == steering(b) && !steering(a), "before a request %+v became %+v", b, a)
	}
	return law.Idle
}

// wakesOnce: where no message may begin, news begins a turn, and is none after it.
func wakesOnce(b turn.Queue, out turn.QueueOut, a turn.Queue) law.Verdict {
	wakes := b.News && b.Desk.Stage == core.Idle
	ok := (out.Order == core.DoWake) == wakes && a.Desk.Wake == a.News && (!wakes || !a.News && a.Runs == 0)
	return law.Check(ok, "with news %v a session that is %v came to %v, and will wake: %v", b.News, b.Desk.Stage, out.Order, a.Desk.Wake)
}

// keptInLine: a message that comes during a turn stands last in the line, unless it is full.
func keptInLine(b turn.Queue, op turn.QueueOp, out turn.QueueOut, a turn.Queue) law.Verdict {
	if inLine(b) >= turn.Room {
		return law.Check(out.Order == core.DoTurnAway && a == b, "with %d waiting, message %d was not turned away: %v", inLine(b), op.Message, out.Order)
	}
	last := a.Line[inLine(b)]
	how := map[core.Move]turn.Fate{core.OnMessage: turn.Queues, core.OnSteer: turn.Steers}[op.Move]
	ok := out.Order == core.DoKeep && last == op.Message && a.Fate[op.Message-1] == how && a.Runs == b.Runs && a.Desk.Stage == b.Desk.Stage
	return law.Check(ok, "during a turn message %d led to %v and %+v", op.Message, out.Order, a)
}

func openQuestionBlocks(b turn.Queue, op turn.QueueOp, out turn.QueueOut, a turn.Queue) law.Verdict {
	switch {
	case spoken(op) && b.Desk.Open > 0:
		return law.Check(out.Order == core.DoBlock && a == b, "with %d questions open, a message led to %v", b.Desk.Open, out.Order)
	case spoken(op):
		return law.Check(out.Order != core.DoBlock, "no question is open, and a message was blocked")
	case op.Move == core.OnNext && b.Desk.Open > 0:
		return law.Check(out.Order != core.DoBegin && a.Fate == b.Fate, "with %d questions open, message %d began a turn", b.Desk.Open, a.Runs)
	}
	return law.Idle
}

func finishPasses(b turn.Queue, op turn.QueueOp, out turn.QueueOut, a turn.Queue) law.Verdict {
	at := op.World == turn.AtDesk
	switch {
	case out.Order == core.DoEnd:
		return law.Check(b.Finished && b.Done == b.Total, "the turn ended by finish with %d of %d hooks passed (finish called: %v)", b.Done, b.Total, b.Finished)
	case at && op.Move == core.OnFinish && b.Desk.Stage == core.Acting && !b.Finished:
		return law.Check((out.Order == core.DoHook) == (op.N > 0) && a.Desk.Stage != core.Leaving && a.Desk.Stage != core.Idle, "finish with %d hooks led to %v", op.N, out.Order)
	case at && op.Move == core.OnFail && b.Desk.Stage == core.Finishing:
		return law.Check(out.Order == core.DoGoBack && a.Desk.Stage == core.Acting && !a.Finished && !a.Desk.Passed, "a failed hook led to %v and %+v", out.Order, a.Desk)
	case at && op.Move == core.OnReturn && b.Desk.Stage == core.Acting && b.Finished && !b.Desk.Cancelled:
		return law.Check(out.Order == core.DoEnd && a.Desk.Stage == core.Leaving, "every hook passed, and finish led to %v", out.Order)
	}
	return law.Idle
}

func cancelAtBoundary(b turn.Queue, op turn.QueueOp, out turn.QueueOut, a turn.Queue) law.Verdict {
	live, at := b.Desk.Stage != core.Idle && b.Desk.Stage != core.Leaving, op.World == turn.AtDesk
	switch {
	case at && op.Move == core.OnCancel && b.Desk.Stage == core.Thinking:
		return law.Check(out.Order == core.DoHalt && a.Desk.Stage == core.Leaving, "a cancel between calls led to %v and %v", out.Order, a.Desk.Stage)
	case at && op.Move == core.OnCancel && live && !b.Desk.Cancelled:
		return law.Check(a.Desk.Cancelled && a.Desk.Stage == b.Desk.Stage && a.Got == core.Term, "a cancel during a call led to %v, the command got %v", out.Order, a.Got)
	case !b.Desk.Cancelled || at && op.Move == core.OnLeave:
		return law.Idle
	case at && op.Move == core.OnReturn:
		return law.Check(out.Order == core.DoHalt && a.Desk.Stage == core.Leaving, "at the boundary a cancelled turn led to %v and %v", out.Order, a.Desk.Stage)
	case op.World == turn.Tick:
		return law.Check(!b.Alive || a.Alive == (a.Since < 2) && (a.Got == core.Kill) == (a.Since >= 2), "%d s after TERM the command lives: %v, and got %v", a.Since, a.Alive, a.Got)
	}
	return law.Check(a.Desk.Cancelled && (b.Alive || !a.Alive), "a cancelled turn became %+v on %+v", a, op)
}

func spoken(op turn.QueueOp) bool {
	return op.World == turn.AtDesk && (op.Move == core.OnMessage || op.Move == core.OnSteer)
}

func inLine(s turn.Queue) (n int) {
	for _, m := range s.Line {
		if m != 0 {
			n++
		}
	}
	return n
}

// first is the oldest message that waits for a turn.
func first(s turn.Queue) uint8 {
	for _, m := range s.Line {
		if m != 0 && s.Fate[m-1] == turn.Queues {
			return m
		}
	}
	return 0
}

func steering(s turn.Queue) bool {
	for _, f := range s.Fate {
		if f == turn.Steers {
			return true
		}
	}
	return false
}
