package session

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"tenet/adapters/provider"
	"tenet/core/event"
	"tenet/core/recovery"
	"tenet/core/turn"
)

// arrived is what came of a request or a poll: a whole reply, or why there is none.
func (d *driver) arrived(reply event.Reply, err error, sent time.Time, p *phase) turn.Input {
	if d.ctx.Err() != nil {
		return turn.Input{Kind: turn.Abort}
	}
	var rep *repetitive
	var later *provider.Deferred
	switch {
	case err == nil:
		return d.replied(reply, p)
	case errors.As(err, &rep):
		if d.state.Phase == turn.Polling {
			d.dropJob() // the provider would work on an answer that nobody takes
		}
		d.note = func(n int) string { return recovery.RepetitionNote(n, rep.Repetition) }
		return d.again(failure("repetition", rep.Error(), reply), recovery.Repeated, turn.Noted, p)
	case errors.As(err, &later):
		return d.deferred(later, sent, p)
	}
	return d.failed(err, p)
}

// replied looks at a whole reply the way H4.8 does: calls that were written as text are
// calls when they can be read, and a stuck reply gets a recovery.
func (d *driver) replied(reply event.Reply, p *phase) turn.Input {
	reply.Calls = slices.Clone(reply.Calls) // a provider may hand out the same reply again
	found := d.rebuild(&reply)
	what := seen(reply, found)
	same := d.same(reply.Calls)
	act, row := recovery.Production.Decide(d.row, what, same)
	in := act.Input(hasText(reply.Text), len(reply.Calls) > 0, reply.Stop == "length")
	switch act {
	case recovery.Redo, recovery.Quit:
		return d.stuck(reply, what, found, same+1, row, in, p)
	case recovery.Pass, recovery.Exec, recovery.Stand:
	}
	if !in.Text && !in.Calls {
		d.note = recovery.NoAnswerNote
		return d.again(failure("no_answer", recovery.NoAnswerFault(reply.Stop, reply.Thinking), reply), recovery.NoAnswer, in.Kind, p)
	}
	return d.take(reply, in, p)
}

// seen is what a reply is in the eyes of the recoveries.
func seen(r event.Reply, l recovery.Leak) recovery.What {
	switch {
	case len(r.Calls) > 0:
		return recovery.Calls
	case l.Markup != recovery.NoMarkup:
		return recovery.LeakedOut
	case hasText(r.Text):
		return recovery.Answer
	case r.Stop == "length":
		return recovery.AtLimit
	}
	return recovery.Other
}

// same counts the rounds in a row that ended the context with these calls.
func (d *driver) same(calls []event.ToolCall) int {
	d.rec.mu.Lock()
	defer d.rec.mu.Unlock()
	return recovery.Rounds(d.rec.state.Messages, calls)
}

// stuck records a reply that a recovery does not take, and makes the note of the next
// request.
func (d *driver) stuck(r event.Reply, what recovery.What, l recovery.Leak, rounds int, row recovery.Row, in turn.Input, p *phase) turn.Input {
	n, gaveUp := int(row.Notes), in.Kind == turn.GaveUp
	f := failure(row.Cause.String(), "", r)
	switch what {
	case recovery.AtLimit:
		f.Class, f.Message = "length", recovery.NoAnswerFault(r.Stop, r.Thinking)
		if gaveUp {
			f.Message = recovery.LengthFault(r.Thinking)
		}
		d.note = func(at int) string { return recovery.LengthNote(at, r.Output, n) }
	case recovery.LeakedOut:
		f.Class, f.Message = "leak", recovery.LeakFault(l.Markup, l.Reason)
		d.note = func(at int) string { return recovery.LeakNote(at, l.Markup, l.Reason, n) }
	case recovery.Calls:
		f.Class, f.Message = "redirect", recovery.RedirectFault(r.Calls, rounds)
		if gaveUp {
			f.Message = recovery.RepeatFault(r.Calls, rounds)
		}
		d.note = func(at int) string { return recovery.RedirectNote(at, rounds, r.Calls, n) }
	case recovery.Other, recovery.Answer:
	}
	return d.noted(f, row, in, p)
}

// take records the reply and makes it the turn's.
func (d *driver) take(r event.Reply, in turn.Input, p *phase) turn.Input {
	d.rec.mu.Lock()
	defer d.rec.mu.Unlock()
	if p.dropped || d.ctx.Err() != nil { // nothing after the cancel is recorded
		return turn.Input{Kind: turn.Abort}
	}
	for i, made := 0, d.rec.state.Made; i < len(r.Calls); i++ {
		r.Calls[i].ID = fmt.Sprintf("call_%d", made+i+1)
	}
	if err := d.rec.append(r); err != nil {
		return d.broken(err)
	}
	d.reply, d.note, d.row, d.job, d.idle = r, nil, recovery.Row{}, nil, 0
	return in
}

// failure is the record of a reply that is not taken.
func failure(class, message string, r event.Reply) event.Failure {
	return event.Failure{Class: class, Message: message, RetryMS: -1, Text: r.Text[:min(len(r.Text), kept)], Thinking: r.Thinking[:min(len(r.Thinking), kept)]}
}
