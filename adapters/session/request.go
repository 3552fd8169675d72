package session

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"tenet/adapters/provider"
	"tenet/core/admission"
	"tenet/core/event"
	"tenet/core/recovery"
	"tenet/core/turn"
)

// The waits between tries of one request: they double from the base and a server's
// own wish is a lower bound; a wish beyond the longest wait fails the turn with its
// reason instead of keeping a person waiting in silence.
const (
	retryBase    = 2 * time.Second
	longestRetry = time.Minute
)

// send records that a request goes out, and waits for its reply.
func (d *driver) send(e epoch) turn.Input {
	r := event.Request{Round: int(d.state.Rounds), Attempt: int(d.state.Retries+d.state.Notes) + 1, Messages: len(d.rec.messages())}
	if err := d.rec.in(e).Record(r); err != nil {
		return d.broken(err)
	}
	return d.await(e)
}

// await waits for a slot, sends, and records the whole reply or its failure.
func (d *driver) await(e epoch) turn.Input {
	reply, err := d.ask()
	if d.ctx.Err() != nil {
		return turn.Input{Kind: turn.Abort}
	}
	if err != nil {
		return d.failed(err, e)
	}
	if !hasText(reply.Text) && len(reply.Calls) == 0 {
		return d.silent(reply, e)
	}
	reply.Calls = slices.Clone(reply.Calls) // a provider may hand out the same reply again
	for i, made := 0, d.rec.made(); i < len(reply.Calls); i++ {
		reply.Calls[i].ID = fmt.Sprintf("call_%d", made+i+1)
	}
	if err := d.rec.in(e).Record(reply); err != nil {
		return d.broken(err)
	}
	d.reply = reply
	return turn.Input{Kind: turn.Replied, Text: hasText(reply.Text), Calls: len(reply.Calls) > 0, Length: reply.Stop == "length"}
}

// ask holds a slot for as long as the request is out. A person waits for this turn,
// so it is interactive: it preempts background work of the same provider (H3.1).
func (d *driver) ask() (event.Reply, error) {
	permit, err := d.o.Slots.Admit(d.ctx, d.o.Provider.Name(), admission.Interactive)
	if err != nil {
		return event.Reply{}, err
	}
	defer permit.Release()
	req := provider.Request{Messages: d.messages(), Tools: roster(d.o.Tools), Idle: d.idle}
	return d.o.Provider.Reply(d.ctx, req, d.o.Progress)
}

// failed records a failed reply; it is not part of the next request's context.
func (d *driver) failed(err error, e epoch) turn.Input {
	f := event.Failure{Class: "unknown", Message: err.Error(), RetryMS: -1}
	var pe *provider.Error
	if errors.As(err, &pe) {
		f = event.Failure{Class: string(pe.Class), Message: pe.Error(), Status: pe.Status, Body: pe.Body, RetryMS: -1}
	}
	in := turn.Input{Kind: turn.Failure, Transient: pe != nil && pe.Transient()}
	d.fault = f.Message
	if pe != nil && pe.Class == provider.Stalled {
		return d.stalled(f, pe.Silent, e)
	}
	if pe != nil && pe.Class == provider.Overflow {
		in = turn.Input{Kind: turn.TooLarge}
	}
	if in.Transient && d.state.Retries < d.o.Limits.Retries {
		d.wait = max(retryBase<<d.state.Retries, pe.RetryAfter)
		if d.wait > longestRetry {
			in.Transient = false
			d.fault = fmt.Sprintf("%s; the server asks to wait %s, longer than tenet waits by itself (%s): try again later", f.Message, d.wait.Round(time.Second), longestRetry)
		} else {
			f.RetryMS = d.wait.Milliseconds()
		}
	}
	if err := d.rec.in(e).Record(f); err != nil {
		return d.broken(err)
	}
	return in
}

// silent records a reply without text and call: it is a failed one, and no part of
// the next request's context (H4.7).
func (d *driver) silent(reply event.Reply, e epoch) turn.Input {
	d.fault = recovery.NoAnswerFault(reply.Stop, reply.Thinking)
	d.note = recovery.NoAnswerNote
	f := event.Failure{Class: "no_answer", Message: d.fault, RetryMS: -1, Thinking: reply.Thinking}
	return d.asksAgain(f, recovery.NoAnswer, turn.Input{Kind: turn.Replied}, e)
}

// stalled: a slow model gets twice the time it stalled under (H4.5).
func (d *driver) stalled(f event.Failure, silent time.Duration, e epoch) turn.Input {
	d.idle = turn.Patience(silent)
	d.note = func(attempt int) string { return recovery.StallNote(attempt, silent) }
	return d.asksAgain(f, recovery.Stall, turn.Input{Kind: turn.Stalled}, e)
}

// asksAgain records a noted failure.
func (d *driver) asksAgain(f event.Failure, c recovery.Cause, in turn.Input, e epoch) turn.Input {
	d.row = d.row.Next(c)
	if f.Noted = d.state.Notes < d.o.Limits.Notes; f.Noted {
		f.RetryMS, f.Cause, f.Row, f.Spent = 0, c.String(), int(d.row.Notes), int(d.state.Notes)+1
	}
	if err := d.rec.in(e).Record(f); err != nil {
		return d.broken(err)
	}
	return in
}

// messages is the context of the next request: the system prompt, then the fold of
// the log, then the harness's note, which goes with the request only. The prompt holds
// no date and no state, so that a prompt cache stays valid.
func (d *driver) messages() []provider.Message {
	out := append([]provider.Message{{Role: provider.System, Text: d.system()}}, d.rec.messages()...)
	if d.state.Note > 0 && d.note != nil {
		out = append(out, provider.Message{Role: provider.User, Text: d.note(int(d.state.Note))})
	}
	return out
}

func (d *driver) system() string {
	return fmt.Sprintf(systemPrompt, d.o.Workspace)
}

const systemPrompt = `You are tenet, a coding agent in a terminal. You work in the directory %s and act only through your tools.

- Look before you change: list, grep and read first. Read a file before you write over it.
- Make the smallest change that does the job, then check it by running the project's own tests.
- Prefer read, grep, glob, list_dir, write, edit and search_replace to shell commands for files.
- A call is judged whole before anything of it runs, by what each of its steps may do. A refusal is final: do what it says next; never try the same thing another way.
- When you are done, answer in a few plain sentences: what was wrong, what you changed, how you know that it works. If something could not be done, say so.`
