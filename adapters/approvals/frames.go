package approvals

import (
	"encoding/json"
	"fmt"

	"tenet/core/call"
)

// The types of the frames between a broker and its clients.
const (
	TypeApproval = "shell_approval"
	TypeSettled  = "shell_approval_settled"
	TypeMissed   = "shell_approval_missed"
	TypeAnswer   = "answer_shell_approval"
)

// The codes of an answer that was refused.
const (
	CodeGone       = "shell_approval_gone"        // the question is no longer before this client
	CodeNotOffered = "shell_approval_not_offered" // the question does not offer that; it stays open
	CodeMalformed  = "shell_approval_malformed"   // the answer says nothing that an answer may say
)

// Frame is what a broker sends to a client: *Approval, *Settled or *Missed.
type Frame interface{ frame() string }

func (*Approval) frame() string { return TypeApproval }
func (*Settled) frame() string  { return TypeSettled }
func (*Missed) frame() string   { return TypeMissed }

// Approval is a question as a person is shown it. Every text in it is escaped: what a
// terminal obeys, hides or moves text with stands there as an escape, and nothing else
// looks like one (call.Exact), so that two questions never look the same.
type Approval struct {
	// ID names the question; an answer repeats it.
	ID string `json:"id"`
	// Session is whose call asks. Agent is the subagent's name, empty when the question
	// is the session's own.
	Session string `json:"session"`
	Agent   string `json:"agent,omitempty"`
	Call    string `json:"call"`
	Tool    string `json:"tool"`
	// Dir is the directory of the call.
	Dir      string            `json:"dir"`
	Steps    []ApprovalStep    `json:"steps"`
	Requests []ApprovalRequest `json:"requests"`
	// Notes say why it asks and what is unusual, one sentence each.
	Notes []string `json:"notes"`
	// Diff is what a write changes; empty for everything else.
	Diff string `json:"diff,omitempty"`
	// Cut is true when Diff leaves a part of the change out.
	Cut bool `json:"cut,omitempty"`
	// Answers are what a client may answer, a denial first.
	Answers []ApprovalAnswer `json:"answers"`
	// Digest names exactly what is shown; an answer counts for nothing else.
	Digest string `json:"digest"`
}

// ApprovalStep is one step of the call, exactly as it runs.
type ApprovalStep struct {
	N       int      `json:"n"`
	Text    string   `json:"text"`
	Dir     string   `json:"dir,omitempty"`
	Effects []string `json:"effects"`
	Notes   []string `json:"notes,omitempty"`
	// Class is how far the analyzer could read the step: simple, compound, obfuscated.
	Class string `json:"class"`
	// Asks is true for a step that the question is about; the others of the call are
	// allowed already.
	Asks bool `json:"asks"`
	// Places are where the step's paths lead.
	Places []string `json:"places,omitempty"`
}

// ApprovalRequest is one capability that the call asks for.
type ApprovalRequest struct {
	Capability string   `json:"capability"`
	Subject    string   `json:"subject"`
	Notes      []string `json:"notes,omitempty"`
	// Verdict is what the rules say of it, "silent" where none speaks of it; "allow" is
	// nothing that the question is about. Rule is the one that decided, with where it comes
	// from and its place there from 1.
	Verdict  string `json:"verdict"`
	Rule     string `json:"rule,omitempty"`
	Source   string `json:"source,omitempty"`
	Position int    `json:"position,omitempty"`
}

// ApprovalAnswer is one answer that a client may give: Key and Pattern go into the
// answer as they stand here, Means is the sentence for the person.
type ApprovalAnswer struct {
	Key     string `json:"key"`
	Pattern string `json:"pattern,omitempty"`
	Means   string `json:"means"`
}

// Settled says that a question is no longer before this client: it drops it, shown or
// queued.
type Settled struct {
	ID string `json:"id"`
	// How is the fate: approved, denied, unanswered or gateway_refused. Why is what
	// brought it about: answered, moved, cancelled, turn_denied, covered and so on.
	How string `json:"how"`
	Why string `json:"why"`
	// By names who answered, empty when nobody did.
	By string `json:"by,omitempty"`
}

// Missed says that a client was too slow for Frames frames, which it will not get. It
// asks for what is open now and goes on from there.
type Missed struct {
	Frames int `json:"frames"`
}

// AnswerApproval is a client's answer.
type AnswerApproval struct {
	ID string `json:"id"`
	// Answer is the key of one of the answers, Pattern its pattern.
	Answer  string `json:"answer"`
	Pattern string `json:"pattern,omitempty"`
	// Reason is the person's own words to a denial; 2,000 bytes of it are kept.
	Reason string `json:"reason,omitempty"`
	// Digest may repeat the question's; when it is another one, the answer is about
	// something else and counts for nothing.
	Digest string `json:"digest,omitempty"`
}

// AnswerError says why an answer was refused.
type AnswerError struct{ Code, ID string }

// Error says what happened and what to do.
func (e *AnswerError) Error() string {
	id := call.OneLine(e.ID, 100)
	switch e.Code {
	case CodeGone:
		return fmt.Sprintf("question %s is settled already; drop it (%s)", id, e.Code)
	case CodeNotOffered:
		return fmt.Sprintf("question %s offers no such answer; choose one of its answers as they stand (%s)", id, e.Code)
	default:
		return fmt.Sprintf("the answer to question %s cannot be read; send the key of one of its answers (%s)", id, e.Code)
	}
}

// EncodeFrame is a frame as a link carries it: one JSON object with its type.
func EncodeFrame(f Frame) ([]byte, error) {
	body, err := json.Marshal(f)
	if err != nil {
		return nil, fmt.Errorf("encode a %s frame: %w", f.frame(), err)
	}
	head := fmt.Sprintf(`{"type":%q`, f.frame())
	if string(body) == "{}" {
		return []byte(head + "}"), nil
	}
	return append([]byte(head+","), body[1:]...), nil
}

// DecodeFrame reads what EncodeFrame wrote. A type that is none of ours is an error.
func DecodeFrame(b []byte) (Frame, error) {
	var head struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal(b, &head); err != nil {
		return nil, fmt.Errorf("decode a frame: %w", err)
	}
	var f Frame
	switch head.Type {
	case TypeApproval:
		f = new(Approval)
	case TypeSettled:
		f = new(Settled)
	case TypeMissed:
		f = new(Missed)
	default:
		return nil, fmt.Errorf("a frame of the type %q is not for a client of approvals", call.OneLine(head.Type, 100))
	}
	if err := json.Unmarshal(b, f); err != nil {
		return nil, fmt.Errorf("decode a %s frame: %w", head.Type, err)
	}
	return f, nil
}

// visible is the question with every text escaped: the net where a question enters a
// broker, so that no client, no link and no parent can forget it. Text that its maker
// escaped already, as card does, stays as it is.
func (a Approval) visible() Approval {
	line := func(s string) string { return call.OneLine(s, maxLine) }
	a.Session, a.Agent, a.Call, a.Tool, a.Dir = line(a.Session), line(a.Agent), line(a.Call), line(a.Tool), line(a.Dir)
	a.Diff, a.Digest = call.Visible(a.Diff), line(a.Digest)
	a.Notes = each(a.Notes, line)
	a.Steps = each(a.Steps, func(s ApprovalStep) ApprovalStep {
		s.Text, s.Dir, s.Class = call.Visible(s.Text), line(s.Dir), line(s.Class)
		s.Notes, s.Effects, s.Places = each(s.Notes, line), each(s.Effects, line), each(s.Places, line)
		return s
	})
	a.Requests = each(a.Requests, func(r ApprovalRequest) ApprovalRequest {
		r.Capability, r.Subject, r.Notes = line(r.Capability), call.Visible(r.Subject), each(r.Notes, line)
		r.Verdict, r.Rule, r.Source = line(r.Verdict), line(r.Rule), line(r.Source)
		return r
	})
	a.Answers = each(a.Answers, func(x ApprovalAnswer) ApprovalAnswer {
		x.Pattern, x.Means = call.Visible(x.Pattern), line(x.Means)
		return x
	})
	return a
}

// maxLine bounds what is shown in one line: names, directories, notes. The step's
// text, a request's subject and the diff are shown whole.
const maxLine = 4000

// each is a new slice; a nil one becomes empty, so that a frame says [] and not null.
func each[T any](in []T, f func(T) T) []T {
	out := make([]T, len(in))
	for i, x := range in {
		out[i] = f(x)
	}
	return out
}
