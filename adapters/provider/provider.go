// Package provider talks to model servers: one request in, one whole reply out, or
// an error that says what was wrong. A stream that ends without its terminal event
// is never taken for an answer.
package provider

import (
	"context"
	"fmt"
	"time"

	"tenet/core/event"
	"tenet/core/surface"
)

// Role says whose words a message is.
type Role string

// The roles of a chat.
const (
	System    Role = "system"
	User      Role = "user"
	Assistant Role = "assistant"
	Tool      Role = "tool" // the result of one call
)

// Message is one entry of the context that a request carries.
type Message struct {
	Role Role
	Text string
	// Images are the pictures of a user's message.
	Images []event.Image
	// Thinking and Thoughts are what an assistant's message thought: as text, and as the
	// provider's own blocks, which go back to the same wire and model unchanged.
	Thinking string
	Thoughts []event.Thought
	// Calls are the tool calls of an assistant message.
	Calls []event.ToolCall
	// Call is the call that a tool message answers, Error how the model should read it.
	Call  event.ToolCall
	Error bool
}

// Request is everything a reply depends on.
type Request struct {
	Messages []Message
	// Tools is the roster, built; the same in every request of a session (S7.1).
	Tools []surface.Tool
	// Idle is how long the stream may be silent in this request; 0 is the provider's
	// own deadline. A retry after a stall allows twice what it stalled under (H4.5).
	Idle time.Duration
}

// Delta is a piece of a reply as it arrives, for people who watch; no rule reads it.
type Delta struct {
	Text     string
	Thinking string
	// Waiting is true for a sign of life without content: the server queues the
	// request or loads a model.
	Waiting bool
}

// Provider turns a request into a whole reply.
type Provider interface {
	// Reply sends the request and waits for the end of the reply. on, when not nil,
	// gets the pieces as they arrive. The error is an *Error, or ctx's own cause.
	Reply(ctx context.Context, r Request, on func(Delta)) (event.Reply, error)
	// Name is the model's name for records.
	Name() string
}

// Deferrer is a provider that may answer later. Its Reply then fails with a *Deferred,
// and the answer is asked for by its job (H4.4).
type Deferrer interface {
	Provider
	// Poll asks once for the answer of a job. The error is a *Deferred while it is not
	// ready, else as Reply's; a failed poll says nothing about the job.
	Poll(ctx context.Context, job string, on func(Delta)) (event.Reply, error)
	// Drop cancels a job; its answer is not wanted any more.
	Drop(ctx context.Context, job string) error
}

// Deferred is the error of a reply that is not ready.
type Deferred struct {
	// Job is the provider's name for the answer.
	Job string
	// Expires is when the provider gives the job up, zero when it does not say.
	Expires time.Time
}

// Error names the job.
func (d *Deferred) Error() string { return "the answer is not ready yet: job " + d.Job }

// Class sorts the ways in which a reply fails. The set is closed; Classes lists it.
type Class string

// The classes of failure.
const (
	Cut       Class = "cut"       // the stream ended without its terminal event
	Stalled   Class = "stalled"   // no event within the deadline
	Malformed Class = "malformed" // the server answered something that is no stream of replies
	Auth      Class = "auth"      // 401, 403: the key
	Limited   Class = "limited"   // 429: too many requests
	Overload  Class = "overload"  // 5xx: the server cannot now
	Rejected  Class = "rejected"  // other 4xx: the request
	Unreached Class = "unreached" // no connection
	TooLarge  Class = "too_large" // the reply passed a cap
	Overflow  Class = "overflow"  // the request is longer than the model's context
	Quota     Class = "quota"     // the account's limit: waiting seconds does not help
	Exhausted Class = "exhausted" // a rehearsal has no reply that fits what came
)

var classes = [...]Class{Cut, Stalled, Malformed, Auth, Limited, Overload, Rejected, Unreached, TooLarge, Overflow, Quota, Exhausted}

// Classes lists every class, in the order of their declaration.
func Classes() []Class { return classes[:] }

// Error is a failed reply.
type Error struct {
	Class   Class
	Message string
	// Status is the HTTP status, 0 without one.
	Status int
	// RetryAfter is the server's own lower bound for the next try, 0 without one.
	RetryAfter time.Duration
	// Body is the start of what came, and its end when it was long: at most MaxBody
	// bytes and a line that says how much was left out. It is for the log.
	Body string
	// Silent is the silence that a stalled reply ended under, 0 for other classes.
	Silent time.Duration
	// Err is the cause, when there is one.
	Err error
}

// Error says what failed and what to do next.
func (e *Error) Error() string {
	if e.Status != 0 {
		return fmt.Sprintf("%s (HTTP %d)", e.Message, e.Status)
	}
	return e.Message
}

// Unwrap is the cause.
func (e *Error) Unwrap() error { return e.Err }

// Transient reports whether the same request may succeed later (H4.5).
func (e *Error) Transient() bool {
	switch e.Class {
	case Cut, Stalled, Limited, Overload, Unreached:
		return true
	case Malformed, Auth, Rejected, TooLarge, Overflow, Quota, Exhausted:
		return false
	}
	return false
}
