package event

import "slices"

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
	Role Role
	Text string
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
	// Judged is true once the call has its verdict.
	Judged bool
	// allowed are the steps that the verdict lets run.
	allowed []int
	// interrupted is true when a process that ended left the call behind.
	interrupted bool
}

// State is a session as its records tell it. The zero value is a session before
// its first record.
type State struct {
	// Opening is what the session said of itself when it began.
	Opening Opening
	// Seq is the number of the last record.
	Seq uint64
	// Messages is the context, without the system's own prompt. Failed replies are not
	// part of it.
	Messages []Message
	// Calls have no result yet, in the order the model made them. A context with such
	// a call is refused by every provider.
	Calls []OpenCall
	// Questions are open, oldest first.
	Questions []Question
	// Grants are the allows of this session, in the order they were given; they die with
	// it (law allow_session_is_exact).
	Grants []Grant
	// Turns counts the prompts. InTurn is true from a prompt until its turn ended.
	Turns  int
	InTurn bool
	// Rounds counts the replies with calls in this turn, or in the last one.
	Rounds int
	// Last is how the last turn ended; the zero value before the first end.
	Last Ending
	// Made counts the calls that the model ever made in this session.
	Made int
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
		s.InTurn, s.Last, s.Questions = false, b, nil
	case Repair:
		s.Repairs = append(s.Repairs, b)
	case Resumption:
		s.resumption(b)
	case Request, Failure: // what was tried is not part of the context
	}
	return s
}

// question: a newer question about a call takes the place of the one whose answer was
// spent.
func (s *State) question(b Question) {
	s.Questions = slices.DeleteFunc(s.Questions, func(q Question) bool { return q.Call == b.Call })
	s.Questions = append(s.Questions, b)
}

func (s *State) prompt(b Prompt) {
	s.Turns++
	s.InTurn, s.Rounds = true, 0
	s.Messages = append(s.Messages, Message{Role: User, Text: b.Text})
}

func (s *State) reply(b Reply) {
	s.Messages = append(s.Messages, Message{Role: Assistant, Text: b.Text, Calls: b.Calls})
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
	i := s.find(b.Call)
	if i < 0 {
		s.disorder(NotWaiting, b.Call)
		return
	}
	c := &s.Calls[i]
	if c.Judged {
		s.disorder(JudgedTwice, b.Call)
		c.allowed = nil
		return
	}
	c.Judged = true
	if !Permits(b.Verdict, b.Answer) {
		return
	}
	for _, step := range b.Steps {
		c.allowed = append(c.allowed, step.N)
	}
	s.grant(b.Grants)
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
		s.disorder(NotWaiting, b.Call)
		return
	}
	c := &s.Calls[i]
	if c.interrupted {
		s.disorder(RunAgain, b.Call)
	}
	for _, step := range b.Steps {
		if !slices.Contains(c.allowed, step) {
			s.disorder(NotAllowed, b.Call)
			break
		}
	}
	c.Started = true
}

func (s *State) result(b Result) {
	i := s.find(b.Call)
	if i < 0 {
		s.disorder(NotWaiting, b.Call)
		return
	}
	c := s.Calls[i].ToolCall
	s.Messages = append(s.Messages, Message{Role: Tool, Text: b.Text, Call: c, Error: b.Error})
	s.Calls = slices.Delete(s.Calls, i, i+1)
	s.Questions = slices.DeleteFunc(s.Questions, func(q Question) bool { return q.Call == b.Call })
}

func (s *State) resumption(b Resumption) {
	s.Resumptions++
	for i, c := range s.Calls {
		if !slices.Contains(b.Interrupted, c.ID) {
			s.disorder(NotNamed, c.ID)
		}
		s.Calls[i].interrupted = true
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

// Answer is the text of the last whole reply, empty before the first.
func (s State) Answer() string {
	for _, m := range slices.Backward(s.Messages) {
		if m.Role == Assistant {
			return m.Text
		}
	}
	return ""
}
