package agenthook

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"tenet/core/call"
)

// Deadline is how long the guard takes at most, from its start to its answer. Every
// agent lets the call run when its hook is over time, so this stays far below the 20
// seconds that an installed hook is given.
const Deadline = 4 * time.Second

// logWait is how long the process stays for its own record after the answer was given.
const logWait = 500 * time.Millisecond

// Options say how one call is answered.
type Options struct {
	Agent Agent
	// Headless makes an ask a block also where the agent has a question of its own.
	Headless bool
	In       io.Reader
	Out, Err io.Writer
	// Around is what the agent gives the hook beside its input.
	Around Surroundings
	// Home is the user's home directory, empty when it is not known.
	Home string
	// Open makes the judge of a request's project. Its error is the reason to block:
	// settings that cannot be read allow nothing.
	Open func(Request) (Judge, error)
	// Deadline replaces the package's own; zero is that one.
	Deadline time.Duration
	// Log keeps the record of the verdict; nil keeps none. It runs after the answer.
	Log func(Record)
	// Now is the clock of the records.
	Now func() time.Time
}

// outcome is an answer with what it is about.
type outcome struct {
	answer Answer
	req    Request
	what   string
}

// Serve reads one call, judges it and writes the answer; it returns the exit code. It
// always answers: a panic, an unreadable input and a judge that does not come back are
// blocks with a reason. What it cannot answer (a killed process, a fatal error of the
// runtime) ends with another code or with exit 2 and a text, and the installed command
// line turns the former into a block too.
//
// The work runs beside the clock, so that the answer is given in time whatever the
// work does. When the work does not end it is left behind: the process ends now.
func Serve(ctx context.Context, o Options) int {
	start := time.Now()
	limit := o.Deadline
	if limit <= 0 {
		limit = Deadline
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	done := make(chan outcome, 1)
	go func() { done <- decide(ctx, o) }()
	var out outcome
	select {
	case out = <-done:
	case <-ctx.Done():
		out = outcome{answer: late(ctx, limit), req: Request{Agent: o.Agent}}
	}
	return finish(o, out, time.Since(start))
}

func late(ctx context.Context, limit time.Duration) Answer {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return block("deadline", fmt.Sprintf("no verdict was found within %v", limit), "try again; when it happens often, run `tenet guard doctor`")
	}
	return block("cancelled", "the guard was stopped before it had a verdict", "try again")
}

// decide never panics: a panic of any part below it is a block.
func decide(ctx context.Context, o Options) (out outcome) {
	out.req.Agent = o.Agent
	defer func() {
		if p := recover(); p != nil {
			out.answer = block("panic", fmt.Sprintf("the guard failed on this call: %v", p), "report it with the call; until it is mended the call cannot be judged")
		}
	}()
	data, err := io.ReadAll(io.LimitReader(o.In, MaxInput+1))
	if err != nil {
		out.answer = block("input", "the description of the call could not be read: "+err.Error(), "")
		return out
	}
	if out.req, err = Decode(o.Agent, data, o.Around); err != nil {
		out.answer = unreadable(err)
		return out
	}
	calls, err := out.req.Calls(o.Home)
	if err != nil {
		out.answer = unreadable(err)
		return out
	}
	if len(calls) > 0 {
		out.what = calls[0].What()
	}
	out.answer = o.ask(ctx, out.req, calls)
	return out
}

// ask opens the judge only when there is something to judge.
func (o Options) ask(ctx context.Context, r Request, calls []Call) Answer {
	if len(calls) == 0 {
		return judged(ctx, nil, r, nil)
	}
	j, err := o.Open(r)
	if err != nil {
		return block("settings", err.Error(), "a person has to mend this; until then no call is allowed")
	}
	return judged(ctx, j, r, calls)
}

func unreadable(err error) Answer {
	return block("input", "the call cannot be judged: "+err.Error(), "make the call again in a plain form")
}

// finish writes the answer, then keeps the record. An answer on standard output that
// could not be written would read as an allow, so it becomes a block.
func finish(o Options, out outcome, took time.Duration) int {
	tool := orElse(out.req.Tool, "a call")
	r := o.Agent.Reply(out.answer, tool, out.what, o.Headless)
	if _, err := io.WriteString(o.Out, r.Stdout); err != nil && r.Code != exitBlock {
		r = Reply{Code: exitBlock, Stderr: "tenet blocks " + call.OneLine(tool, 80) + ": the answer could not be written: " + call.OneLine(err.Error(), 200) + "\n"}
	}
	if r.Stderr != "" {
		_, _ = io.WriteString(o.Err, r.Stderr) // nobody is left to tell
	}
	if o.Log != nil {
		o.record(out, r, took)
	}
	return r.Code
}

// record keeps the verdict, and waits for it only so long: the answer is given.
func (o Options) record(out outcome, r Reply, took time.Duration) {
	rec := Record{
		Agent: o.Agent.String(), Session: out.req.Session, Call: out.req.Call, Tool: out.req.Tool, Dir: out.req.Cwd,
		What: out.what, Verdict: out.answer.Verdict.String(), Rule: out.answer.Rule, Blocked: r.Code == exitBlock, Micros: took.Microseconds(),
	}
	if o.Now != nil {
		rec.Time = o.Now()
	}
	kept := make(chan struct{})
	go func() {
		defer close(kept)
		defer func() { _ = recover() }() // a record is no reason to change an answer
		o.Log(rec)
	}()
	t := time.NewTimer(logWait)
	defer t.Stop()
	select {
	case <-kept:
	case <-t.C:
	}
}
