// Package run closes core/turn with its adversary: a model, a provider, a clock and a
// person who may do anything at any time (H4). Beside the turn it keeps what the log
// and the provider saw, counted from what happened and not from what the turn says.
package run

import (
	"iter"

	"tenet/core/turn"
)

// Limits are the configurations that are searched whole. The first is production's but
// for the polls, where a step of the model is a longer stretch of the window; the second
// has production's polls and few of the rest; the third is every budget empty, where
// the cap on rounds still lets one be made.
var Limits = [...]turn.Config{
	{Rounds: turn.DefaultRounds, Retries: turn.DefaultRetries, Notes: turn.MaxNotes, Compactions: turn.MaxCompactions, Polls: 1},
	{Rounds: 2, Retries: turn.DefaultRetries, Notes: 1, Compactions: 1, Polls: turn.MaxPolls},
	{},
}

// Version names one context: the log only grows, by a round's calls and results and
// by the entry of a compaction.
type Version struct{ Rounds, Summaries uint16 }

// State is a turn with what stands beside it.
type State struct {
	// Limits counts the configurations from 1; 0 until one is chosen.
	Limits uint8
	Turn   turn.State
	// Context is what the log holds for the model now; summaries count anew after each
	// round, which by itself makes a new context.
	Context Version
	// Sent is the attempt of the request that is out, 0 without one. A request is the
	// context and the attempt that its note names.
	Sent uint16
	// Cut is the latest attempt of this generation whose reply was not taken, 0 without.
	Cut uint16
	// Defers counts the still-deferred answers of the job that is out.
	Defers uint16
}

// Config is the configuration that was chosen.
func (s State) Config() turn.Config { return Limits[max(s.Limits, 1)-1] }

// Op chooses the limits, then is what happens.
type Op struct {
	Limits uint8
	In     turn.Input
}

// Step is core's own rule: the relation is same.
func Step(s State, op Op) (State, turn.Act) {
	if s.Limits == 0 {
		s.Limits = op.Limits
		return s, s.Turn.First()
	}
	before := s.Turn
	var act turn.Act
	s.Turn, act = s.Config().Step(before, op.In)
	if act != turn.Ignore {
		s.follow(before, op.In, act)
	}
	return s, act
}

// follow keeps the book of the log and the provider.
func (s *State) follow(before turn.State, in turn.Input, act turn.Act) {
	if in.Kind == turn.Deferred {
		s.Defers++
	} else if act != turn.Poll {
		s.Defers = 0
	}
	switch {
	case act.Ends():
		s.Sent, s.Cut, s.Defers, s.Context = 0, 0, 0, Version{}
	case act == turn.Send:
		s.Sent = s.Turn.Attempt()
	case Refused(before, in):
		s.Cut, s.Sent = s.Sent, 0
	case act == turn.Run || act == turn.Truncate:
		s.Sent, s.Cut, s.Context.Summaries = 0, 0, 0
	case in.Kind == turn.RoundDone:
		s.Context.Rounds++
	case in.Kind == turn.Compacted && in.Found == turn.Shorter:
		s.Context.Summaries++
	case act != turn.Poll:
		s.Sent = 0
	}
}

// Out reports whether a request is out, or the job that it became.
func Out(s turn.State) bool { return s.Phase == turn.Calling || s.Phase == turn.Polling }

// Refused reports whether the input is a reply that is not taken and is asked for again
// with a note: no text and no call, one that was cut, or silence. A poll's silence is
// none: it says nothing of the reply.
func Refused(s turn.State, in turn.Input) bool {
	switch in.Kind {
	case turn.Replied:
		return Out(s) && !in.Text && !in.Calls
	case turn.Noted:
		return Out(s)
	case turn.Stalled:
		return s.Phase == turn.Calling
	case turn.Ready, turn.GaveUp, turn.Failure, turn.TooLarge, turn.Deferred, turn.Compacted, turn.RoundDone, turn.Abort, turn.Break:
	}
	return false
}

// FailedPoll reports whether the input is a poll that brought no answer, of the job or
// about it.
func FailedPoll(s turn.State, in turn.Input) bool {
	return s.Phase == turn.Polling && (in.Kind == turn.Failure || in.Kind == turn.Stalled || in.Kind == turn.TooLarge)
}

// Ops is everything that can happen: each reply, each failure, each hour, each
// person's act.
func Ops(s State) iter.Seq[Op] {
	if s.Limits == 0 {
		return choices
	}
	return happenings
}

func choices(yield func(Op) bool) {
	for i := range Limits {
		if !yield(Op{Limits: uint8(i + 1)}) {
			return
		}
	}
}

func happenings(yield func(Op) bool) {
	for _, in := range Inputs {
		if !yield(Op{In: in}) {
			return
		}
	}
}

// Inputs lists every input that differs from another in what its kind reads.
var Inputs = inputs()

func inputs() (out []turn.Input) {
	for _, k := range []turn.Kind{turn.Noted, turn.Stalled, turn.GaveUp, turn.TooLarge, turn.Abort, turn.Break} {
		out = append(out, turn.Input{Kind: k})
	}
	for bits := range 8 {
		out = append(out, turn.Input{Kind: turn.Replied, Text: bits&1 != 0, Calls: bits&2 != 0, Length: bits&4 != 0})
	}
	for bits := range 4 {
		out = append(out, turn.Input{Kind: turn.Failure, Transient: bits&1 != 0, Late: bits&2 != 0})
	}
	for _, f := range []turn.Found{turn.Shorter, turn.Nothing, turn.Unfinished} {
		out = append(out, turn.Input{Kind: turn.Compacted, Found: f})
	}
	for _, yes := range []bool{false, true} {
		out = append(out, turn.Input{Kind: turn.Ready, Full: yes}, turn.Input{Kind: turn.Deferred, Late: yes}, turn.Input{Kind: turn.RoundDone, Ends: yes})
	}
	return out
}
