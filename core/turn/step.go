package turn

// Step is the whole rule. An input that does not belong to the phase changes
// nothing, and an ended turn never changes (laws run_end_stays, run_abort_ends_now).
func (c Config) Step(s State, in Input) (State, Act) {
	switch {
	case s.Phase == Over:
		return s, Ignore
	case in.Kind == Abort:
		return end(s, Aborted, None)
	case in.Kind == Break:
		return end(s, Failed, Broken)
	}
	switch s.Phase {
	case Preparing:
		return c.prepare(s, in)
	case Calling:
		return c.reply(s, in)
	case Polling:
		return c.poll(s, in)
	case Compacting:
		return c.compact(s, in)
	case Tooling:
		return c.round(s, in)
	case Over:
	}
	return s, Ignore
}

// prepare: one summary for want of room comes before the requests of a generation,
// never a second: what it left is what there is (no loop of summaries).
func (c Config) prepare(s State, in Input) (State, Act) {
	if in.Kind != Ready {
		return s, Ignore
	}
	if in.Full && s.Compactions == 0 && c.Compactions > 0 {
		s.Phase, s.Reason = Compacting, Threshold
		return s, Compact
	}
	s.Phase = Calling
	return s, Send
}

// compact: a request that did not fit needs the entry; one that only may not fit is
// sent when nothing could be left out, and the provider says.
func (c Config) compact(s State, in Input) (State, Act) {
	if in.Kind != Compacted {
		return s, Ignore
	}
	why := s.Reason
	s.Reason = NoReason
	switch {
	case in.Found == Shorter:
		s.Compactions++
		s.Phase = Preparing
		return s, Prepare
	case in.Found == Nothing && why == Threshold:
		s.Phase = Calling
		return s, Send
	}
	return end(s, Failed, TooLong)
}

// reply is what becomes of the request that is out.
func (c Config) reply(s State, in Input) (State, Act) {
	switch in.Kind {
	case Replied:
		return c.replied(s, in)
	case Noted, Stalled:
		return c.note(s, Stuck)
	case GaveUp:
		return end(s, Failed, Stuck)
	case Failure:
		return c.failure(s, in)
	case TooLarge:
		if s.Compactions >= c.Compactions {
			return end(s, Failed, TooLong)
		}
		s.Phase, s.Reason = Compacting, Overflow
		return s, Compact
	case Deferred:
		return c.deferred(s, in)
	case Ready, Compacted, RoundDone, Abort, Break:
	}
	return s, Ignore
}

// poll is what becomes of a job that was asked for its answer. A failed poll never
// leads to a new request, since the job can still run: the same job is polled again,
// or it is dropped and the turn fails (law run_failed_poll_never_resends). Silence of
// a poll is such a failure; a request that stalled has no job, and is asked again.
func (c Config) poll(s State, in Input) (State, Act) {
	switch in.Kind {
	case Replied, Noted, GaveUp: // the job is over, and this is a reply like any other
		s.Phase, s.Polls, s.Failures = Calling, 0, 0
		return c.reply(s, in)
	case Deferred:
		return c.deferred(s, in)
	case Failure, Stalled, TooLarge:
		return c.failedPoll(s, in)
	case Ready, Compacted, RoundDone, Abort, Break:
	}
	return s, Ignore
}

// replied: calls go to a round whatever text or stop reason comes with them (H4.1);
// calls of a cut reply are not run; nothing at all is no answer (H4.7).
func (c Config) replied(s State, in Input) (State, Act) {
	switch {
	case in.Calls && in.Length:
		return tools(s), Truncate
	case in.Calls:
		return tools(s), Run
	case in.Text:
		return end(s, Answered, None)
	}
	return c.note(s, NoAnswer)
}

// tools starts a round, and ends the generation: what it spent is spent.
func tools(s State) State { return State{Phase: Tooling, Rounds: s.Rounds} }

// note: the reply is not taken, and the same request would decode the same, so the
// next one is another: it ends with a note that names its attempt (H4.7). A note spends
// no retry and asks no retry policy (H4.5).
func (c Config) note(s State, out Cause) (State, Act) {
	if s.Notes >= c.Notes {
		return end(s, Failed, out)
	}
	s.Note = s.Attempt() + 1
	s.Notes++
	s.Phase = Preparing
	return s, Redo
}

// failure: a transient one is tried again with the note that the request had.
func (c Config) failure(s State, in Input) (State, Act) {
	if !in.Transient || s.Retries >= c.Retries {
		return end(s, Failed, ModelError)
	}
	s.Retries++
	s.Phase = Preparing
	return s, Retry
}

// deferred: the provider works on it still. Its word ends a row of failed polls.
func (c Config) deferred(s State, in Input) (State, Act) {
	s.Phase, s.Failures = Polling, 0
	s.Polls++
	if in.Late || s.Polls > c.Polls {
		return end(s, Failed, Late)
	}
	return s, Poll
}

func (c Config) failedPoll(s State, in Input) (State, Act) {
	transient := in.Kind == Stalled || in.Kind == Failure && in.Transient
	switch {
	case in.Late:
		return end(s, Failed, Late)
	case !transient || s.Failures >= c.Retries:
		return end(s, Failed, ModelError)
	}
	s.Failures++
	return s, Poll
}

// round: the cap is looked at once the round counted; the next generation starts with
// its budgets whole and without a note.
func (c Config) round(s State, in Input) (State, Act) {
	if in.Kind != RoundDone {
		return s, Ignore
	}
	if in.Ends {
		return end(s, Answered, None)
	}
	s.Rounds++
	if s.Rounds >= c.Cap() {
		return end(s, Failed, RoundLimit)
	}
	s.Phase = Preparing
	return s, Prepare
}

// end keeps of a turn what its ending says. A job that may still run is dropped with
// the turn: nobody would ask for its answer.
func end(s State, e End, c Cause) (State, Act) {
	act := Stop
	if s.Phase == Polling {
		act = Cancel
	}
	return State{Phase: Over, End: e, Cause: c, Rounds: s.Rounds}, act
}
