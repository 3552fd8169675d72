package event

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// later folds the records of what goes on beside the requests of a turn.
func (s *State) later(b Body) {
	switch b := b.(type) {
	case Submission:
		s.submission(b)
	case Withdrawal:
		s.unqueue(b.ID)
	case Deferral:
		s.Deferred = &b
	case Compaction:
		s.compaction(b)
	case Detachment:
		s.detachment(b)
	case Spawn:
		s.spawn(b)
	case Settlement:
		s.settlement(b)
	case Inquiry:
		s.Inquiries = append(s.Inquiries, b)
	case Answer:
		s.Inquiries = slices.DeleteFunc(s.Inquiries, func(q Inquiry) bool { return q.ID == b.ID })
	case Setting:
		s.setting(b)
	case Fork: // one session's allows are that session's
		s.Forked, s.Grants = &b, nil
	}
}

// submission: an edited message keeps its place.
func (s *State) submission(b Submission) {
	if i := slices.IndexFunc(s.Queue, func(q Submission) bool { return q.ID == b.ID }); i >= 0 {
		s.Queue = slices.Clone(s.Queue)
		s.Queue[i] = b
		return
	}
	s.Submitted++
	s.Queue = append(s.Queue, b)
}

func (s *State) unqueue(id string) {
	if id != "" {
		s.Queue = slices.DeleteFunc(s.Queue, func(q Submission) bool { return q.ID == id })
	}
}

func (s *State) setting(b Setting) {
	if s.Settings == nil {
		s.Settings = map[string]json.RawMessage{}
	}
	s.Settings[b.Key] = b.Value
}

// SummaryTitle begins the message that stands for what was compacted.
const SummaryTitle = "Summary of the conversation so far (the older messages are not in the context any more):"

// compaction: what stays begins at a record, and the summary stands before it.
func (s *State) compaction(b Compaction) {
	s.Compactions++
	summary := Message{Seq: s.Seq, Role: User, Harness: true, Text: SummaryTitle + "\n\n" + b.Summary}
	kept := []Message{summary}
	for _, m := range s.Messages {
		if m.Seq >= b.Kept {
			kept = append(kept, m)
		}
	}
	s.Messages, s.Measured = kept, Measure{}
}

func (s *State) job(id string) int {
	return slices.IndexFunc(s.Jobs, func(j OpenJob) bool { return j.Job == id })
}

// jobOf is the job that a call goes on as, -1 for none.
func (s *State) jobOf(call string) int {
	return slices.IndexFunc(s.Jobs, func(j OpenJob) bool { return j.Call == call })
}

// detachment: the job inherits what its call may run.
func (s *State) detachment(b Detachment) {
	s.Detached++
	i := s.find(b.Call)
	switch {
	case i < 0:
		s.disorder(NotWaiting, b.Call)
		return
	case s.job(b.Job) >= 0:
		s.disorder(MadeTwice, b.Job)
		return
	case s.Calls[i].interrupted:
		s.disorder(RunAgain, b.Call)
	}
	s.Jobs = append(s.Jobs, OpenJob{Detachment: b})
}

// dispatchJob: a step of a call that has its result may start only while the call's
// job runs.
func (s *State) dispatchJob(b Dispatch) {
	i := s.jobOf(b.Call)
	if i < 0 {
		s.disorder(NotWaiting, b.Call)
		return
	}
	if s.Jobs[i].interrupted {
		s.disorder(RunAgain, b.Call)
	}
	s.within(s.Jobs[i].allowed, b)
}

func (s *State) spawn(b Spawn) {
	i := s.job(b.Job)
	if i < 0 {
		s.disorder(NotRunning, b.Job)
		return
	}
	s.Jobs[i].Groups = append(s.Jobs[i].Groups, b.Group)
}

// settlement: a job ends once; its row is what the model learns of it (S7.7).
func (s *State) settlement(b Settlement) {
	i := s.job(b.Job)
	if i < 0 {
		s.disorder(NotRunning, b.Job)
		return
	}
	s.Jobs = slices.Delete(s.Jobs, i, i+1)
	s.aside(Message{Seq: s.Seq, Role: User, Harness: true, Text: b.Row()})
}

// aside adds a message that may come at any time. It waits for the next request: between
// a call and its result no provider takes it, and before a reply that was under way it
// would seem to have been read.
func (s *State) aside(m Message) { s.held = append(s.held, m) }

// release puts what waited into the context, unless a call waits for its result.
func (s *State) release() {
	if len(s.Calls) > 0 {
		return
	}
	for _, m := range s.held {
		s.say(m) // it comes with this record, so that messages stand in the order of theirs
	}
	s.held = nil
}

// Coming is how many messages the context of the next request has.
func (s State) Coming() int { return len(s.Messages) + len(s.held) }

// Row is the settlement as the model reads it.
func (b Settlement) Row() string {
	return strings.TrimRight(fmt.Sprintf("[job-settled job:%s status:%s]\n%s", b.Job, b.Status, b.Text), "\n")
}
