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
	Judged     Kind = "judged"     // the gate judged a call: Judgement
	Asked      Kind = "asked"      // a question about a call is open: Question
	Dispatched Kind = "dispatched" // these steps start now: Dispatch
	Resulted   Kind = "resulted"   // the call has its one result: Result
	Ended      Kind = "ended"      // the turn is over: Ending
	Repaired   Kind = "repaired"   // a torn tail was cut off when the log was opened: Repair
	Resumed    Kind = "resumed"    // a later process took the session up: Resumption
	Submitted  Kind = "submitted"  // a message came while a turn ran, or was edited: Submission
	Withdrawn  Kind = "withdrawn"  // a waiting message was taken back: Withdrawal
	Deferred   Kind = "deferred"   // the provider answers later and is polled: Deferral
	Compacted  Kind = "compacted"  // a summary took the place of older messages: Compaction
	Detached   Kind = "detached"   // a call goes on as a job: Detachment
	Spawned    Kind = "spawned"    // a job started a process group: Spawn
	Settled    Kind = "settled"    // a job has its one end: Settlement
	Inquired   Kind = "inquired"   // the model asks a person something: Inquiry
	Answered   Kind = "answered"   // how such a question ended: Answer
	Set        Kind = "set"        // a setting of the session changed: Setting
	Noticed    Kind = "noticed"    // something for people that the model does not see: Notice
	Forked     Kind = "forked"     // the records before are those of another session: Fork
	Changed    Kind = "changed"    // a call changed a file: Change
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

// Prompt is a person's message as the model gets it.
type Prompt struct {
	Text   string  `json:"text"`
	Images []Image `json:"images,omitempty"`
	// Submission is the message that waited, empty for one that did not.
	Submission string `json:"submission,omitempty"`
	// Steer is true for a message that goes into the running turn; it begins none.
	Steer bool `json:"steer,omitempty"`
	// Woken is true for a turn that nobody's words begin: a job settled while the session
	// was idle. It adds nothing to the context.
	Woken bool `json:"woken,omitempty"`
}

// Image is a picture in a prompt.
type Image struct {
	// Media is its type, such as image/png.
	Media string `json:"media"`
	Data  []byte `json:"data"`
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
	// Cached counts the input tokens that the provider read from its cache.
	Cached int `json:"cached_tokens,omitempty"`
	// Thoughts are the provider's opaque thinking blocks, in their order.
	Thoughts []Thought `json:"thoughts,omitempty"`
	// Model is who replied, where it may be another than the session's.
	Model string `json:"model,omitempty"`
	// Rebuilt is the markup that the calls were read from, empty for real calls (H4.8).
	Rebuilt string `json:"rebuilt,omitempty"`
}

// Thought is a thinking block that goes back to its own wire and model unchanged, and
// to no other: a signature is good for nobody else.
type Thought struct {
	Wire  string          `json:"wire"`
	Model string          `json:"model"`
	Raw   json.RawMessage `json:"raw"`
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
	// Noted is true when the next request ends with a note about this failure. Cause is
	// the note's, Row how many notes of that cause came in a row, Spent how many notes
	// this generation has spent: with this one in both counts (H4.5, H4.8).
	Noted bool   `json:"noted,omitempty"`
	Cause string `json:"cause,omitempty"`
	Row   int    `json:"row,omitempty"`
	Spent int    `json:"spent,omitempty"`
	// Text and Thinking are what the failed reply said, bounded, for people.
	Text     string `json:"text,omitempty"`
	Thinking string `json:"thinking,omitempty"`
}

// Call is one tool call that the turn took up, or that a person made themselves.
type Call struct {
	Call string `json:"call"`
	Tool string `json:"tool"`
	Args string `json:"args"`
	// By is person for a call of the person's own: no reply made it, and its result is in
	// the context as a row beside their words.
	By string `json:"by,omitempty"`
}

// Rule names what decided: the rule, where it comes from, and its place there.
type Rule struct {
	Name string `json:"name"`
	// Source is the layer or the document that the rule belongs to: floor, guard, default,
	// user, project, session, auto.
	Source string `json:"source,omitempty"`
	// Position counts the rules of the source from 1; 0 where rules have no order.
	Position int `json:"position,omitempty"`
}

// Ruling is what the gate says of a call: the verdict, what decided it, and the same
// for each step. It is the stable form of tenet why --json.
type Ruling struct {
	// Verdict is allow, ask or deny; Stage is the stage of the pipeline that decided.
	Verdict string `json:"verdict"`
	Stage   string `json:"stage"`
	Rule    Rule   `json:"rule"`
	// Law is the catalogue's name of the law that the stage obeys.
	Law string `json:"law"`
	// Why is one sentence for a person, Next what to do instead; Next may be empty.
	Why  string `json:"why"`
	Next string `json:"next,omitempty"`
	// Effects is the union over the steps, sorted by name.
	Effects []string `json:"effects"`
	// Over is what neither a rule nor the auto set allows.
	Over []string `json:"over,omitempty"`
	// Floor is true when the hardline floor denied.
	Floor bool         `json:"floor"`
	Steps []JudgedStep `json:"steps"`
}

// JudgedStep is one step with its own verdict.
type JudgedStep struct {
	N    int    `json:"n"`
	Text string `json:"text"`
	// Dir is where the step runs; empty is the workspace.
	Dir      string          `json:"dir,omitempty"`
	Effects  []string        `json:"effects"`
	Class    string          `json:"class"`
	Requests []JudgedRequest `json:"requests"`
	Verdict  string          `json:"verdict"`
	Stage    string          `json:"stage"`
	Rule     Rule            `json:"rule"`
	Why      string          `json:"why"`
	Notes    []string        `json:"notes,omitempty"`
}

// JudgedRequest is one capability that a step asks for, and what the rules say of it.
type JudgedRequest struct {
	Capability string `json:"capability"`
	Subject    string `json:"subject"`
	// Verdict is silent when no rule speaks of it.
	Verdict string `json:"verdict"`
	Rule    *Rule  `json:"rule,omitempty"`
}

// Grant is a rule that an answer made.
type Grant struct {
	Capability string `json:"capability"`
	Pattern    string `json:"pattern"`
	// Exact is true when the pattern stands for itself alone, whatever signs it holds.
	Exact bool `json:"exact,omitempty"`
	// Scope is session or project.
	Scope string `json:"scope"`
}

// The scopes of a grant.
const (
	ScopeSession = "session" // dies with the session
	ScopeProject = "project" // stands in the project's settings
)

// Judgement is the one verdict record of a call, with the answer where one was needed.
type Judgement struct {
	Call string `json:"call"`
	Tool string `json:"tool"`
	Ruling
	// Digest names what was judged and shown; the answer counts for nothing else.
	Digest string `json:"digest"`
	// Answer and By are empty when nobody was asked.
	Answer string `json:"answer,omitempty"`
	By     string `json:"by,omitempty"`
	Reason string `json:"reason,omitempty"`
	// Grants are the rules that the answer made, and Unsaved why a standing one could
	// not be written to its file; it then holds for the session only.
	Grants  []Grant `json:"grants,omitempty"`
	Unsaved string  `json:"unsaved,omitempty"`
}

// Question is a call that waits for a person. A call that is asked about again, because
// what it would change was changed meanwhile, has a new question with a new digest.
type Question struct {
	ID   string `json:"id"`
	Call string `json:"call"`
	Tool string `json:"tool"`
	Dir  string `json:"dir"`
	Ruling
	Digest string `json:"digest"`
	// Diffs are the whole changes of the steps that write a file.
	Diffs []string `json:"diffs,omitempty"`
	// Again is why the last answer was spent, empty for a first question.
	Again string `json:"again,omitempty"`
}

// Dispatch names the steps whose effects may happen from now on.
type Dispatch struct {
	Call  string `json:"call"`
	Steps []int  `json:"steps"`
	// Texts are the steps as they run, where a pattern was expanded since they were
	// judged; empty when all run as judged.
	Texts []string `json:"texts,omitempty"`
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
	// Answer is the result that finish gave, empty when the last reply is the answer.
	Answer string `json:"answer,omitempty"`
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
