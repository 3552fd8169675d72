// Package status tells a person what a session does right now: what it waits for, since
// when, and what that costs. Everything it says comes from the records and the live signs.
package status

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"tenet/core/call"
	"tenet/core/event"
)

// Phase is what a session does. The set is closed.
type Phase uint8

// The phases.
const (
	Idle      Phase = iota // no turn runs
	Preparing              // between two requests or calls
	Queued                 // the provider, or a slot of it, is awaited
	Waiting                // the request is out, and no byte of the reply came
	Thinking               // the model thinks
	Streaming              // the model writes
	Retrying               // the request goes out again later
	Polling                // the answer comes later and is asked for
	Judging                // a call is planned and judged
	Asking                 // a person is asked
	Running                // a call runs
	Stopping               // a person stopped the turn, and it has not ended yet
)

// Activity is the fold of a stream into what goes on now. It is used by one goroutine.
type Activity struct {
	Phase Phase
	// Since is when the phase began, Turn when the turn did.
	Since, Turn time.Time
	// Heard is when the last byte of the reply or of the command came; zero for none yet.
	Heard time.Time
	// Tool and What are the call that is judged, asked about or runs.
	Tool, What string
	// Cause is why it is waited, Until when a wait ends, Try of Tries the coming try.
	Cause      string
	Until      time.Time
	Try, Tries int
	// Queue and Jobs count the messages that wait and the jobs that run.
	Queue, Jobs int
	// Input and Output are the tokens of all replies, Cached those of Input that the
	// provider had; Context is the size of the last request and its reply.
	Input, Output, Cached, Context int

	queue map[string]bool
	jobs  map[string]bool
	open  map[string]bool // questions and inquiries that wait for a person
	call  string
	own   string // a call of the person's own, beside any turn
}

// Busy reports whether a turn runs.
func (a *Activity) Busy() bool { return a.Phase != Idle }

// Stop says that a person stopped the turn; the record of its end is still to come.
func (a *Activity) Stop(now time.Time) {
	if a.Busy() {
		a.enter(Stopping, now)
	}
}

func (a *Activity) enter(p Phase, now time.Time) {
	if a.Phase == Stopping && p != Idle {
		return // only its end ends that
	}
	a.Phase, a.Since, a.Cause, a.Until, a.Try, a.Tries = p, now, "", time.Time{}, 0, 0
}

// Record takes a record; a body that this version does not know says nothing here.
func (a *Activity) Record(r event.Record) {
	b, err := event.Decode(r)
	if err != nil {
		return
	}
	at, err := time.Parse(time.RFC3339Nano, r.At)
	if err != nil {
		at = a.Since
	}
	a.take(b, at)
}

func (a *Activity) take(b event.Body, at time.Time) {
	switch b := b.(type) {
	case event.Prompt:
		a.prompted(b, at)
	case event.Request:
		a.Heard = time.Time{}
		a.enter(Waiting, at)
	case event.Reply:
		a.Input, a.Output, a.Cached = a.Input+b.Input, a.Output+b.Output, a.Cached+b.Cached
		if b.Input > 0 {
			a.Context = b.Input + b.Output
		}
		a.enter(Preparing, at)
	case event.Failure:
		a.failed(b, at)
	case event.Call:
		if b.By == event.Person && a.Phase == Idle {
			a.own = b.Call
		}
		a.call, a.Tool, a.What, a.Heard = b.Call, b.Tool, Summary(b.Args), time.Time{}
		a.enter(Judging, at)
	case event.Question:
		a.mark(&a.open, b.ID, true)
		a.enter(Asking, at)
	case event.Inquiry:
		a.mark(&a.open, b.ID, true)
		a.enter(Asking, at)
	case event.Answer:
		delete(a.open, b.ID)
		a.enter(Running, at)
	case event.Judgement:
		if b.Call == a.call {
			a.enter(Judging, at)
		}
	case event.Dispatch:
		if b.Call == a.call {
			a.enter(Running, at)
		}
	case event.Result:
		if b.Call == a.call {
			a.call, a.Tool, a.What = "", "", ""
			a.returned(b.Call, at)
		}
	case event.Ending:
		a.open, a.call, a.Tool, a.What, a.Heard = nil, "", "", "", time.Time{}
		a.enter(Idle, at)
	case event.Resumption: // what a dead process did, nobody does any more
		a.open, a.call, a.own, a.Tool, a.What = nil, "", "", "", ""
		a.enter(Idle, at)
	case event.Deferral:
		a.enter(Polling, at)
	case event.Submission, event.Withdrawal, event.Detachment, event.Settlement:
		a.beside(b)
	}
}

// returned: the result of a call of the person's own is the end of it; after one of the
// turn's, or one that a dead process left, the turn goes on or nothing does.
func (a *Activity) returned(call string, at time.Time) {
	switch {
	case call == a.own:
		a.own = ""
		a.enter(Idle, at)
	case a.Phase != Idle:
		a.enter(Preparing, at)
	}
}

func (a *Activity) prompted(b event.Prompt, at time.Time) {
	a.mark(&a.queue, b.Submission, false)
	a.Queue = len(a.queue)
	if !b.Steer {
		a.Turn = at
		a.enter(Preparing, at)
	}
}

// failed: a reply that is not asked for again ends the turn, which its own record says.
func (a *Activity) failed(b event.Failure, at time.Time) {
	a.enter(Preparing, at)
	if b.RetryMS > 0 && a.Phase != Stopping {
		a.enter(Retrying, at)
		a.Cause, a.Until = b.Message, at.Add(time.Duration(b.RetryMS)*time.Millisecond)
	}
}

// beside counts what waits and what runs beside the turn.
func (a *Activity) beside(b event.Body) {
	switch b := b.(type) {
	case event.Submission:
		a.mark(&a.queue, b.ID, true)
	case event.Withdrawal:
		a.mark(&a.queue, b.ID, false)
	case event.Detachment:
		a.mark(&a.jobs, b.Job, true)
	case event.Settlement:
		a.mark(&a.jobs, b.Job, false)
	}
	a.Queue, a.Jobs = len(a.queue), len(a.jobs)
}

func (a *Activity) mark(set *map[string]bool, id string, there bool) {
	if *set == nil {
		*set = map[string]bool{}
	}
	if delete(*set, id); there && id != "" {
		(*set)[id] = true
	}
}

// Live takes a sign. Signs that come without a turn, late ones, change nothing.
func (a *Activity) Live(l event.Live, now time.Time) {
	if !a.Busy() || a.Phase == Stopping {
		return
	}
	switch l.Kind {
	case event.LiveDelta:
		p := Streaming
		if l.Text == "" {
			p = Thinking
		}
		if a.Heard = now; a.Phase != p {
			a.enter(p, now)
		}
	case event.LiveWaiting:
		if a.Phase != Queued {
			a.enter(Queued, now)
		}
		a.Cause = l.Cause
	case event.LiveRetry:
		a.enter(Retrying, now)
		a.Cause, a.Try, a.Tries, a.Until = l.Cause, l.Try, l.Tries, now.Add(time.Duration(l.InMS)*time.Millisecond)
	case event.LivePoll:
		a.enter(Polling, now)
		a.Until = now.Add(time.Duration(l.InMS) * time.Millisecond)
	case event.LiveOutput:
		if l.Call == a.call {
			a.Heard = now
		}
	}
}

// Summary is the part of a call's arguments that a person knows it by.
func Summary(args string) string {
	var m map[string]any
	if json.Unmarshal([]byte(args), &m) != nil {
		return call.OneLine(args, 200)
	}
	for _, name := range []string{"command", "argv", "path", "pattern", "question", "name", "id", "verb"} {
		switch v := m[name].(type) {
		case string:
			return call.OneLine(v, 200)
		case []any:
			words := make([]string, len(v))
			for i, w := range v {
				words[i] = fmt.Sprint(w)
			}
			return call.OneLine(strings.Join(words, " "), 200)
		}
	}
	return ""
}
