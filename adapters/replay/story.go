// Package replay runs a recorded session again: with the replies, the answers and the
// prompts that its log has, in a copy of its workspace, and says where what happens
// differs from what the log tells.
package replay

import (
	"errors"
	"fmt"
	"slices"

	"tenet/core/call"
	"tenet/core/event"
)

// Story is what of a session's log can happen again.
type Story struct {
	// Opening is what the session said of itself; Turns are its prompts in order.
	Opening event.Opening
	Turns   []event.Prompt
	// Compared are the records that a replay must make again, in order. Until says why
	// nothing after the last of them is compared, empty when all of the session is.
	Compared []event.Record
	Until    string
	// Aside counts the records that are not compared, because they depend on when somebody
	// or something else acted.
	Aside int

	heard []heard
	calls map[string]*told
	// summaries are what stood for older messages, inquiries the answers to the model's own
	// questions, both in order.
	summaries []event.Compaction
	inquiries []event.Answer
}

// heard is one thing that the model was heard to say: a reply, or a failure; and what
// people submitted while it spoke.
type heard struct {
	reply   *event.Reply
	failure *event.Failure
	said    []event.Submission
}

// told is what the log tells of one call.
type told struct {
	call    event.Call
	between []event.Body // its questions, verdict and dispatches, in order
	answers []event.Judgement
	effects []string
	started bool
	result  event.Result
}

// leftHere are effects that reach beyond the copy of the workspace: what has them is not
// done again.
var leftHere = []string{call.Outside.String(), call.Net.String(), call.Protected.String()}

// beyond reports whether the call did something that a copy cannot hold.
func (t *told) beyond() bool {
	return t.started && slices.ContainsFunc(t.effects, func(e string) bool { return slices.Contains(leftHere, e) })
}

// aside reports whether records of a kind depend on more than the session itself.
func aside(k event.Kind) bool {
	switch k {
	case event.Repaired, event.Resumed, event.Submitted, event.Withdrawn, event.Deferred, event.Detached, event.Spawned, event.Settled, event.Set, event.Noticed, event.Forked, event.Changed:
		return true
	case event.Opened, event.Prompted, event.Requested, event.Replied, event.Failed, event.Called, event.Judged, event.Asked, event.Dispatched,
		event.Resulted, event.Ended, event.Compacted, event.Inquired, event.Answered:
	}
	return false
}

// Read takes a session's records apart. The error is the first that cannot be read, or
// that there is nothing that could be run again.
func Read(records []event.Record) (*Story, error) {
	s := &Story{calls: map[string]*told{}}
	for _, r := range records {
		b, err := event.Decode(r)
		if err != nil {
			return nil, err
		}
		if _, ok := b.(event.Resumption); ok && s.Until == "" {
			s.Until = fmt.Sprintf("another process took the session up in record %d, after it was interrupted or ended", r.Seq)
		}
		if c, ok := b.(event.Call); ok && c.By != "" && s.Until == "" {
			s.Until = fmt.Sprintf("a person ran a command themselves in record %d, and what follows depends on it", r.Seq)
		}
		s.take(b)
		switch {
		case s.Until != "":
		case aside(r.Kind):
			s.Aside++
		default:
			s.Compared = append(s.Compared, r)
		}
	}
	if len(s.Turns) == 0 {
		return nil, errors.New("the session has no prompt, so there is nothing to run again")
	}
	return s, nil
}

func (s *Story) take(b event.Body) {
	switch b := b.(type) {
	case event.Opening:
		s.Opening = b
	case event.Prompt:
		if !b.Steer && s.Until == "" {
			s.Turns = append(s.Turns, b)
		}
	case event.Submission:
		s.submitted(b)
	case event.Reply:
		s.heard = append(s.heard, heard{reply: &b})
	case event.Failure:
		s.heard = append(s.heard, heard{failure: &b})
	case event.Compaction:
		s.summaries = append(s.summaries, b)
	case event.Answer:
		s.inquiries = append(s.inquiries, b)
	case event.Call:
		s.calls[b.Call] = &told{call: b}
	case event.Question, event.Judgement, event.Dispatch, event.Result:
		s.ofCall(b)
	default:
	}
}

// submitted: a message that came before a reply was whole is submitted while that reply
// is on its way again, which is before the next request in both cases.
func (s *Story) submitted(b event.Submission) {
	if n := len(s.heard); n > 0 {
		s.heard[n-1].said = append(s.heard[n-1].said, b)
	}
}

func (s *Story) ofCall(b event.Body) {
	of := func(id string) *told {
		if s.calls[id] == nil {
			s.calls[id] = &told{}
		}
		return s.calls[id]
	}
	switch b := b.(type) {
	case event.Question:
		t := of(b.Call)
		t.between = append(t.between, b)
	case event.Judgement:
		t := of(b.Call)
		t.between, t.effects = append(t.between, b), b.Effects
		t.answers = append(t.answers, b)
	case event.Dispatch:
		t := of(b.Call)
		t.between, t.started = append(t.between, b), true
	case event.Result:
		of(b.Call).result = b
	}
}

// Beyond counts the calls that are not run again, since they reached beyond the workspace.
func (s *Story) Beyond() (n int) {
	for _, t := range s.calls {
		if t.beyond() {
			n++
		}
	}
	return n
}
