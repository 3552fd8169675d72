package event

import "encoding/json"

// Submission is a message that came while a turn ran. It is on the disk before anybody
// is told that it was taken. A later one of the same ID takes its place: the message was
// edited.
type Submission struct {
	ID   string `json:"id"`
	Text string `json:"text"`
	// How is queue or steer.
	How    string  `json:"how"`
	Images []Image `json:"images,omitempty"`
}

// The ways of a submission.
const (
	Queue = "queue" // begins a turn of its own when this one is over
	Steer = "steer" // goes into this turn before its next request
)

// Withdrawal takes a waiting message back.
type Withdrawal struct {
	ID string `json:"id"`
}

// Deferral is the checkpoint of an answer that comes later: a restart polls the same
// job until the same deadline (H4.4).
type Deferral struct {
	// Job is the provider's own name for the answer.
	Job string `json:"job"`
	// Sent and Deadline are RFC 3339 times.
	Sent     string `json:"sent"`
	Deadline string `json:"deadline"`
	// Failures counts the failed polls in a row.
	Failures int `json:"failures"`
}

// Compaction puts a summary in the place of the messages before Kept. The log keeps
// every record; only the model's context gets shorter.
type Compaction struct {
	// Reason is overflow, threshold or asked.
	Reason  string `json:"reason"`
	Summary string `json:"summary"`
	// Kept is the first record whose message stays.
	Kept uint64 `json:"kept"`
	// Tokens is the size of the context before, as far as it is known.
	Tokens int `json:"tokens,omitempty"`
	// Model is who wrote the summary.
	Model string `json:"model,omitempty"`
}

// Group is a process group: its first process, and when that started in the system's
// own unit. A number alone is used again; the two together are not.
type Group struct {
	PID   int    `json:"pid"`
	Start int64  `json:"start"`
	Name  string `json:"name,omitempty"`
}

// Detachment says that a call took longer than it may block and goes on as a job. It
// stands before the call's result; the call's steps may be dispatched until the job
// settles (S7.7).
type Detachment struct {
	Job  string `json:"job"`
	Call string `json:"call"`
	// Kind is shell or run.
	Kind    string `json:"kind"`
	Command string `json:"command"`
	// Output is what it wrote until then, bounded; Artifact the file with all of it.
	Output   string  `json:"output,omitempty"`
	Artifact string  `json:"artifact,omitempty"`
	Groups   []Group `json:"groups,omitempty"`
	// Boot names the run of the machine that the groups' numbers belong to.
	Boot string `json:"boot,omitempty"`
}

// Spawn is a process group that a job started, so that a later process finds it.
type Spawn struct {
	Job   string `json:"job"`
	Group Group  `json:"group"`
}

// Settlement is the one end of a job.
type Settlement struct {
	Job string `json:"job"`
	// Status is finished, failed, refused, killed or lost.
	Status string `json:"status"`
	// Exit is the exit status, -1 without one.
	Exit    int    `json:"exit"`
	Text    string `json:"text"`
	Dropped int64  `json:"dropped,omitempty"`
	// By says who stopped it, empty when it ended by itself.
	By        string   `json:"by,omitempty"`
	Survivors []string `json:"survivors,omitempty"`
}

// Inquiry is a question of the model to a person, by the tool ask. No rule hangs on its
// answer: what may run is asked by Question.
type Inquiry struct {
	ID      string   `json:"id"`
	Call    string   `json:"call"`
	Text    string   `json:"text"`
	Options []string `json:"options,omitempty"`
}

// Answer is how an inquiry ended.
type Answer struct {
	ID   string `json:"id"`
	Text string `json:"text"`
	By   string `json:"by,omitempty"`
	// Unanswered is true when nobody could answer, or nobody did.
	Unanswered bool `json:"unanswered,omitempty"`
}

// Setting is a setting of this session that changed: model, profile, name.
type Setting struct {
	Key   string          `json:"key"`
	Value json.RawMessage `json:"value"`
}

// Notice is a row for people. The model's context never holds it (S7.4).
type Notice struct {
	// Type is tenet.tool_issue, tenet.fallback and so on.
	Type string `json:"type"`
	Text string `json:"text"`
	// Key tells notices of one type apart, so that one is shown once.
	Key string `json:"key,omitempty"`
}

// Fork says where the records before it come from: a record of another session and its
// sum.
type Fork struct {
	From string `json:"from"`
	Seq  uint64 `json:"seq"`
	Sum  string `json:"sum"`
}
