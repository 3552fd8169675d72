package run

import "tenet/core/turn"

// Bound is how many inputs a run takes at the most (law run_ends). It is the source's
// max(cap,1)·(2 + (retries + notes + 2)·(polls + 2)), with two things that it leaves
// out: the compactions of a generation, and the polls that may fail between two
// still-deferred answers.
func Bound(c turn.Config) int { return int(c.Cap()) * generation(c) }

// generation is the most inputs from a round's end to the next one's: passes through
// a request, and the round itself.
func generation(c turn.Config) int { return 1 + (passes(c)+1)*pass(c) }

// passes is how often a generation may come back to its request.
func passes(c turn.Config) int { return int(c.Retries) + int(c.Notes) + int(c.Compactions) }

// pass is the most inputs of one request: built, nothing found to leave out, replied, a
// compaction's end, and its polls.
func pass(c turn.Config) int { return 4 + polls(c) }

func polls(c turn.Config) int { return int(c.Polls) * (int(c.Retries) + 1) }

// Measure falls with every input that moves a live turn, and is Bound for a new one:
// rounds left, then passes left, then what is left of the pass, as one number.
func Measure(c turn.Config, s turn.State) int {
	rounds := int(c.Cap()) - int(s.Rounds)
	switch s.Phase {
	case turn.Over:
		return 0
	case turn.Tooling:
		return (rounds-1)*generation(c) + 1
	case turn.Preparing, turn.Calling, turn.Polling, turn.Compacting:
	}
	left := passes(c) - int(s.Retries) - int(s.Notes) - int(s.Compactions)
	return (rounds-1)*generation(c) + 1 + left*pass(c) + within(c, s)
}

// within is what is left of the pass.
func within(c turn.Config, s turn.State) int {
	switch {
	case s.Phase == turn.Preparing:
		return pass(c)
	case s.Phase == turn.Compacting && s.Reason == turn.Threshold:
		return pass(c) - 1
	case s.Phase == turn.Calling:
		return 2 + polls(c)
	case s.Phase == turn.Polling:
		return 1 + (int(c.Polls)-int(s.Polls))*(int(c.Retries)+1) + int(c.Retries) - int(s.Failures)
	}
	return 1
}
