// Package event holds the records of a session's log and their fold. The log is
// the truth: a view, a resume, a replay and an audit are the same fold over it.
package event

import "encoding/json"

// Kind is what a record says happened. The set is closed; a reader of an older
// tenet meets an unknown kind with an error, never with silence.
type Kind string

// The kinds of records.
const (
	Opened     Kind = "opened"     // the session began: Opening
	Prompted   Kind = "prompted"   // a person's words: Prompt
	Requested  Kind = "requested"  // a request goes to the provider: Request
	Replied    Kind = "replied"    // a whole reply arrived: Reply
	Failed     Kind = "failed"     // a reply failed and is not part of the context: Failure
	Called     Kind = "called"     // the turn took up one tool call: Call
	Judged     Kind = "judged"     // the gate judged one step: Judgement
	Asked      Kind = "asked"      // a question about a step is open: Question
	Dispatched Kind = "dispatched" // these steps start now: Dispatch
	Resulted   Kind = "resulted"   // the call has its one result: Result
	Ended      Kind = "ended"      // the turn is over: Ending
	Repaired   Kind = "repaired"   // a torn tail was cut off when the log was opened: Repair
	Resumed    Kind = "resumed"    // a later process took the session up: Resumption
)

// Record is one line of the log.
type Record struct {
	// Seq counts the records of a log from 1 without a gap.
	Seq uint64 `json:"seq"`
	// Prev is the Sum of the record before, in hex; zeros for the first.
	Prev string `json:"prev"`
	// At is when the record was made, RFC 3339 with nanoseconds, UTC. It is for
	// people: no rule reads it.
	At   string `json:"at"`
	Kind Kind   `json:"kind"`
	// Body is the value that belongs to Kind, as JSON.
	Body json.RawMessage `json:"body"`
	// Sum is the SHA-256 over the record's line up to the Sum member, in hex.
	Sum string `json:"sum"`
}

// Opening says what session this is.
type Opening struct {
	Session   string   `json:"session"`
	Version   string   `json:"version"`
	Workspace string   `json:"workspace"`
	Model     string   `json:"model"`
	Profile   string   `json:"profile"`
	Auto      []string `json:"auto"`
	Tools     []string `json:"tools"`
}

// Prompt is a person's message.
type Prompt struct {
	Text string `json:"text"`
}

// Request is one request to the provider. Round counts the tool rounds before it.
type Request struct {
	Round    int `json:"round"`
	Attempt  int `json:"attempt"`
	Messages int `json:"messages"`
}

// ToolCall is a call as the model made it. ID is ours; Provider is the provider's
// own id, which is only echoed back to it.
type ToolCall struct {
	ID       string `json:"id"`
	Provider string `json:"provider_id,omitempty"`
	Tool     string `json:"tool"`
	// Args is the exact text of the arguments as they arrived; it may be no JSON.
	Args string `json:"args"`
}

// Reply is a whole reply of the model.
type Reply struct {
	Text     string     `json:"text"`
	Thinking string     `json:"thinking,omitempty"`
	Calls    []ToolCall `json:"calls,omitempty"`
	// Stop is why the model stopped: stop, length or toolUse.
	Stop   string `json:"stop"`
	Input  int    `json:"input_tokens,omitempty"`
	Output int    `json:"output_tokens,omitempty"`
}

// Failure is a reply that failed: what was wrong, and the bounded bytes that came.
type Failure struct {
	Class   string `json:"class"`
	Message string `json:"message"`
	Status  int    `json:"status,omitempty"`
	Body    string `json:"body,omitempty"`
	// RetryMS is how long the turn waits before it sends again, in milliseconds;
	// -1 when it does not.
	RetryMS int64 `json:"retry_ms"`
}

// Call is one tool call that the turn took up.
type Call struct {
	Call string `json:"call"`
	Tool string `json:"tool"`
	Args string `json:"args"`
}

// Judgement is the gate's verdict on one step, with the answer where one was needed.
type Judgement struct {
	Call string `json:"call"`
	Step int    `json:"step"`
	Text string `json:"text"`
	// Dir is where the step runs; empty is the workspace.
	Dir     string   `json:"dir,omitempty"`
	Effects []string `json:"effects"`
	Verdict string   `json:"verdict"`
	Rule    string   `json:"rule"`
	Over    []string `json:"over,omitempty"`
	// Answer and By are empty when nobody was asked.
	Answer string   `json:"answer,omitempty"`
	By     string   `json:"by,omitempty"`
	Reason string   `json:"reason,omitempty"`
	Notes  []string `json:"notes,omitempty"`
}

// Question is a step that waits for a person.
type Question struct {
	Call    string   `json:"call"`
	Step    int      `json:"step"`
	Text    string   `json:"text"`
	Dir     string   `json:"dir,omitempty"`
	Effects []string `json:"effects"`
	Rule    string   `json:"rule"`
	Notes   []string `json:"notes,omitempty"`
}

// Dispatch names the steps whose effects may happen from now on.
type Dispatch struct {
	Call  string `json:"call"`
	Steps []int  `json:"steps"`
}

// Result is the one result of a call.
type Result struct {
	Call string `json:"call"`
	// Error is true when the model sees the result as an error: a refusal, a bad
	// argument, a tool that failed.
	Error bool   `json:"error"`
	Text  string `json:"text"`
	// Dropped counts the output bytes that the bound left out.
	Dropped int64 `json:"dropped,omitempty"`
}

// Ending is how a turn ended: answered, aborted or failed.
type Ending struct {
	How   string `json:"how"`
	Cause string `json:"cause,omitempty"`
	// Rounds is how many tool rounds the turn made.
	Rounds int `json:"rounds"`
}

// Repair says what was cut off a torn log and where the bytes are kept.
type Repair struct {
	LostBytes int64  `json:"lost_bytes"`
	Kept      string `json:"kept"`
}

// Resumption says which calls the last process left without a result. They may
// have partially run and are never run again.
type Resumption struct {
	Interrupted []string `json:"interrupted,omitempty"`
}
