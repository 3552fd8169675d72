package event

import (
	"encoding/json"
	"slices"
)

// Role says whose words a message of the context is.
type Role string

// The roles.
const (
	User      Role = "user"
	Assistant Role = "assistant"
	Tool      Role = "tool" // the result of one call
)

// Message is one entry of the context that the next request carries.
type Message struct {
	// Seq is the record that it comes from.
	Seq  uint64
	Role Role
	// Harness is true for words of tenet in a user's place: a summary, a settled job. They
	// are no user's message and break no row (H4.8).
	Harness bool
	Text    string
	Images  []Image
	// Thinking and Thoughts are what an assistant's message thought, for the providers that
	// want it back.
	Thinking string
	Thoughts []Thought
	// Calls are the tool calls of an assistant's message.
	Calls []ToolCall
	// Call is the call that a tool's message answers, Error how the model should read it.
	Call  ToolCall
	Error bool
}

// OpenCall is a call that has no result yet.
type OpenCall struct {
	ToolCall
	// Taken is true once the turn took the call up, Started once any step of it was
	// dispatched: from then on its effects may have happened.
	Taken, Started bool
	// By is who made it, empty for the model.
	By string
	verdict
	// interrupted is true when a process that ended left the call behind.
	interrupted bool
}

// OpenJob is a job without a settlement.
type OpenJob struct {
	Detachment
	// verdict is that of its call, once the call has its result.
	verdict
	// interrupted is true when a process that ended left the job behind.
	interrupted bool
}

// verdict is what a call's one judgement said.
type verdict struct {
	// Judged is true once there is one.
	Judged bool
	// allowed are the steps that it lets run.
	allowed []int
}

// Notes is what a generation has spent on noted retries: how many, and the last one's
// cause with its place in the row of that cause. A restart keeps it (H4.5).
type Notes struct {
	Spent, Row int
	Cause      string
	// Says is what was wrong with the last reply, in words.
	Says string
}

// Measure is the size of the context as the provider counted it last.
type Measure struct {
	// Tokens are the input and the output of the reply, Messages how many messages of the
	// context they cover.
	Tokens, Messages int
}

// State is a session as its records tell it. The zero value is a session before
// its first record.
type State struct {
	// Opening is what the session said of itself when it began.
	Opening Opening
	// Seq is the number of the last record.
	Seq uint64
	// Messages is the context, without the system's own prompt. Failed replies are not
	// part of it, nor what a compaction put a summary in the place of.
	Messages []Message
	// held are messages that wait for the next request: see aside.
	held []Message
	// Measured is what the last reply said of its size.
	Measured Measure
	// Calls have no result yet, in the order the model made them. A context with such
	// a call is refused by every provider.
	Calls []OpenCall
	// Questions are open, oldest first.
	Questions []Question
	// Inquiries are the model's own questions that are open.
	Inquiries []Inquiry
	// Queue is the messages that wait, in the order they came.
	Queue []Submission
	// Jobs have no settlement yet, in the order they were detached.
	Jobs []OpenJob
	// Deferred is the answer that is polled for, nil without one.
	Deferred *Deferral
	// Grants are the allows of this session, in the order they were given; they die with
	// it (law allow_session_is_exact).
	Grants []Grant
	// Settings are the session's own, the last value of each key.
	Settings map[string]json.RawMessage
	// Turns counts the prompts that began one. InTurn is true from a prompt until its turn
	// ended.
	Turns  int
	InTurn bool
	// Rounds counts the replies with calls in this turn, or in the last one. Compactions,
	// Retries and Notes are what this generation has spent.
	Rounds, Compactions, Retries int
	Notes                        Notes
	// Last is how the last turn ended; the zero value before the first end.
	Last Ending
	// Made counts the calls that the model ever made in this session, and Submitted and
	// Detached the messages that ever waited and the jobs, so that ids never repeat.
	Made, Submitted, Detached int
	// Forked is where the session comes from, nil when it began by itself.
	Forked *Fork
	// Repairs and Resumptions are what happened to the log between processes.
	Repairs     []Repair
	Resumptions int
	// Disorders are the records that contradict earlier ones.
	Disorders []Disorder
}

// Fold is the state after the records, in order. The error is the first record
// whose body cannot be read; the state is the one before it.
func Fold(records []Record) (State, error) {
	var s State
	for _, r := range records {
		next, err := s.Apply(r)
		if err != nil {
			return s, err
		}
		s = next
	}
	return s, nil
}

// Apply is the state after one more record. It uses s up, as append does its first
// argument: go on with the result only.
func (s State) Apply(r Record) (State, error) {
	b, err := Decode(r)
	if err != nil {
		return s, err
	}
	return s.With(r.Seq, b), nil
}

// With is Apply for a body that is at hand: record number seq has it.
func (s State) With(seq uint64, b Body) State {
	s.Seq = seq
	switch b := b.(type) {
	case Opening:
		s.Opening = b
	case Prompt:
		s.prompt(b)
	case Reply:
		s.reply(b)
	case Failure:
		s.failure(b)
	case Call:
		s.call(b)
	case Judgement:
		s.judgement(b)
	case Question:
		s.question(b)
	case Dispatch:
		s.dispatch(b)
	case Result:
		s.result(b)
	case Ending:
		s.ending(b)
	case Repair:
		s.Repairs = append(s.Repairs, b)
	case Resumption:
		s.resumption(b)
	case Submission, Withdrawal, Deferral, Compaction, Detachment, Spawn, Settlement, Inquiry, Answer, Setting, Fork:
		s.later(b)
	case Request:
		s.release()
	case Notice, Change: // what only people see is no part of the context
	}
	return s
}

// question: a newer question about a call takes the place of the one whose answer was
// spent.
func (s *State) question(b Question) {
	s.Questions = slices.DeleteFunc(s.Questions, func(q Question) bool { return q.Call == b.Call })
	s.Questions = append(s.Questions, b)
}

// say adds a message of this record to the context.
func (s *State) say(m Message) {
	m.Seq = s.Seq
	s.Messages = append(s.Messages, m)
}

// prompt begins a turn; a steering one goes into the turn that runs.
func (s *State) prompt(b Prompt) {
	s.unqueue(b.Submission)
	s.release()
	if !b.Steer {
		s.Turns++
		s.InTurn, s.Rounds = true, 0
		s.fresh()
	}
	if !b.Woken {
		s.say(Message{Role: User, Text: b.Text, Images: b.Images})
	}
}

// fresh begins a generation: its budgets are whole again.
func (s *State) fresh() { s.Retries, s.Compactions, s.Notes, s.Deferred = 0, 0, Notes{}, nil }

func (s *State) failure(b Failure) {
	s.Deferred = nil
	switch {
	case b.Noted:
		s.Notes = Notes{Spent: b.Spent, Row: b.Row, Cause: b.Cause, Says: b.Message}
	case b.RetryMS >= 0:
		s.Retries++
	}
}

func (s *State) ending(b Ending) {
	s.InTurn, s.Last, s.Questions, s.Inquiries = false, b, nil, nil
	s.fresh()
}

func (s *State) reply(b Reply) {
	s.fresh()
	s.say(Message{Role: Assistant, Text: b.Text, Thinking: b.Thinking, Thoughts: b.Thoughts, Calls: b.Calls})
	s.Measured = Measure{Tokens: b.Input + b.Output, Messages: len(s.Messages)}
	if len(b.Calls) > 0 {
		s.Rounds++
	}
	for _, c := range b.Calls {
		s.add(c)
	}
}

func (s *State) add(c ToolCall) *OpenCall {
	if s.find(c.ID) >= 0 {
		s.disorder(MadeTwice, c.ID)
	}
	s.Made++
	s.Calls = append(s.Calls, OpenCall{ToolCall: c})
	return &s.Calls[len(s.Calls)-1]
}

// call: a call that no reply made is kept as one that waits for its result, so that
// nothing that may run is ever without a name.
func (s *State) call(b Call) {
	if b.By != "" {
		s.own(b)
		return
	}
	i := s.find(b.Call)
	if i < 0 {
		s.disorder(NotMade, b.Call)
		s.add(ToolCall{ID: b.Call, Tool: b.Tool, Args: b.Args})
		i = len(s.Calls) - 1
	}
	if s.Calls[i].interrupted {
		s.disorder(RunAgain, b.Call)
	}
	s.Calls[i].Taken = true
}

// judgement: the call's one verdict. A second one is a contradiction, and what it lets
// through is not let through (law every_verdict_recorded).
func (s *State) judgement(b Judgement) {
	s.Questions = slices.DeleteFunc(s.Questions, func(q Question) bool { return q.Call == b.Call })
	v := s.verdictOf(b.Call)
	switch {
	case v == nil:
		s.disorder(NotWaiting, b.Call)
		return
	case v.Judged:
		s.disorder(JudgedTwice, b.Call)
		v.allowed = nil
		return
	}
	v.Judged = true
	if !Permits(b.Verdict, b.Answer) {
		return
	}
	for _, step := range b.Steps {
		v.allowed = append(v.allowed, step.N)
	}
	s.grant(b.Grants)
}

// verdictOf is the verdict of a call that waits for its result, or whose job runs: a
// question may outlast the time that a call blocks (S7.7). Nil for any other.
func (s *State) verdictOf(id string) *verdict {
	if i := s.find(id); i >= 0 {
		return &s.Calls[i].verdict
	}
	if i := s.jobOf(id); i >= 0 {
		return &s.Jobs[i].verdict
	}
	return nil
}

// grant keeps the session's own grants; a project's stand in its file.
func (s *State) grant(grants []Grant) {
	for _, g := range grants {
		if g.Scope == ScopeSession {
			s.Grants = append(s.Grants, g)
		}
	}
}

func (s *State) dispatch(b Dispatch) {
	i := s.find(b.Call)
	if i < 0 {
		s.dispatchJob(b)
		return
	}
	c := &s.Calls[i]
	if c.interrupted {
		s.disorder(RunAgain, b.Call)
	}
	s.within(c.allowed, b)
	c.Started = true
}

// within: no step starts that the verdict does not let run.
func (s *State) within(allowed []int, b Dispatch) {
	for _, step := range b.Steps {
		if !slices.Contains(allowed, step) {
			s.disorder(NotAllowed, b.Call)
			return
		}
	}
}

func (s *State) result(b Result) {
	i := s.find(b.Call)
	if i < 0 {
		s.disorder(NotWaiting, b.Call)
		return
	}
	s.give(s.Calls[i], b)
	if j := s.jobOf(b.Call); j >= 0 {
		s.Jobs[j].verdict = s.Calls[i].verdict
	}
	s.Calls = slices.Delete(s.Calls, i, i+1)
	s.Questions = slices.DeleteFunc(s.Questions, func(q Question) bool { return q.Call == b.Call })
	s.Inquiries = slices.DeleteFunc(s.Inquiries, func(q Inquiry) bool { return q.Call == b.Call })
}

func (s *State) resumption(b Resumption) {
	s.Resumptions++
	for i, c := range s.Calls {
		if !slices.Contains(b.Interrupted, c.ID) {
			s.disorder(NotNamed, c.ID)
		}
		s.Calls[i].interrupted = true
	}
	for i := range s.Jobs {
		s.Jobs[i].interrupted = true
	}
}

// find is the index of a call without a result, -1 for none.
func (s *State) find(call string) int {
	return slices.IndexFunc(s.Calls, func(c OpenCall) bool { return c.ID == call })
}

// Unresolved lists the calls without a result, in the order the model made them.
func (s State) Unresolved() []string {
	out := make([]string, len(s.Calls))
	for i, c := range s.Calls {
		out[i] = c.ID
	}
	return out
}

// Answer is what the last turn came to: the result of finish, or else the text of the
// last whole reply; empty before the first.
func (s State) Answer() string {
	if !s.InTurn && s.Last.Answer != "" {
		return s.Last.Answer
	}
	for _, m := range slices.Backward(s.Messages) {
		if m.Role == Assistant {
			return m.Text
		}
	}
	return ""
}
