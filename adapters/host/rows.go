package host

import (
	"context"
	"errors"
	"time"
)

// errLater is what a method answers before it is there.
var errLater = errors.New("not here yet")

// Job is a call that goes on beside the turn.
type Job struct {
	// ID names it, Call is the call it came from, Kind shell or run.
	ID, Call, Kind, Command string
	// Status is running, finished, failed, killed, refused or lost.
	Status string
	// For is how long it has run, 0 when that is not known; Written the bytes that it wrote.
	For     time.Duration
	Written int64
}

// Jobs are the jobs that run and the last ones that ended, the oldest first.
func (h *Host) Jobs() []Job { return nil }

// Tail is the last lines of what a job has written until now.
func (h *Host) Tail(job string, lines int) (string, error) { return "", errLater }

// Kill stops a job for the person, and says how it ended.
func (h *Host) Kill(ctx context.Context, job string) (string, error) { return "", errLater }

// FileChange is what the session made of one file.
type FileChange struct {
	// Path is from the workspace where it lies in it; Was is the path that it had before the
	// session moved it, empty otherwise.
	Path, Was string
	// Kind is created, changed, deleted or moved.
	Kind string
	// Added and Removed count lines.
	Added, Removed int
	// Diff is the unified diff of the last change, bounded.
	Diff string
	// Changes counts the changes that undo can take back, one after the other.
	Changes int
	// Stands is false when something else changed the file since: undo would refuse.
	Stands bool
}

// Changes are the files that the session changed, in the order of their last changes.
func (h *Host) Changes() []FileChange { return nil }

// Done is what an undo did.
type Done struct {
	// Path is the file, Text a sentence of what became of it.
	Path, Text string
	// Diff is the change that the undo made.
	Diff string
}

// Undo takes back the session's last change of a path, if the file still is what the
// session left.
func (h *Host) Undo(path string) (Done, error) { return Done{}, errLater }

// ContextReport is what the model's window holds.
type ContextReport struct {
	// Window is the size in tokens, 0 when nobody knows it; Used what is in it.
	Window, Used int
	// Measured is true when Used is the provider's own count.
	Measured bool
	Parts    []ContextPart
	// Freed is about what a compaction now would free.
	Freed int
}

// ContextPart is one part of the context.
type ContextPart struct {
	// Name is system, tools, messages, results, summary and so on.
	Name string
	// Tokens is about its size, Count how many messages it has.
	Tokens, Count int
}

// Context says what the next request would carry.
func (h *Host) Context() ContextReport { return ContextReport{} }

// Why is the output of tenet why for a recorded call.
func (h *Host) Why(call string) (string, error) { return "", errLater }

// Audit is the output of tenet audit for this session.
func (h *Host) Audit(ctx context.Context) (string, error) { return "", errLater }

// Export writes the session as markdown or json to a new file and returns its path.
func (h *Host) Export(format string) (path string, err error) { return "", errLater }

// Rule is one rule in force.
type Rule struct {
	// Source is default, user, project or session; File where it stands, empty for a shipped
	// one; Position counts from 1 in its source.
	Source, File string
	Position     int
	Name         string
	// Capability, Pattern and Action are the rule, Exact when the pattern is no pattern.
	Capability, Pattern, Action string
	Exact                       bool
}

// Rules are the rules in force, in their order: the last that matches decides.
func (h *Host) Rules() ([]Rule, error) { return nil, errLater }

// RulesText is the output of tenet rules list.
func (h *Host) RulesText() (string, error) { return "", errLater }

// TestRule says what the gate would make of a shell line, or of another tool's argument.
func (h *Host) TestRule(ctx context.Context, tool, argument string) (string, error) {
	return "", errLater
}

// AddRule adds a rule at the end of a scope, user or project.
func (h *Host) AddRule(ctx context.Context, scope, capability, pattern, action string) (string, error) {
	return "", errLater
}

// MoveRule moves a rule of a scope to another position.
func (h *Host) MoveRule(ctx context.Context, scope string, from, to int) (string, error) {
	return "", errLater
}

// RemoveRule removes a rule of a scope.
func (h *Host) RemoveRule(ctx context.Context, scope string, at int) (string, error) {
	return "", errLater
}

// TrustOffer is what trusting the project's settings would let count: text to show before
// the person says yes. Trusted is true when it counts already.
func (h *Host) TrustOffer() (text string, trusted bool, err error) { return "", false, errLater }

// Trust trusts the project's settings file as TrustOffer showed it last, or takes the trust
// away.
func (h *Host) Trust(ctx context.Context, yes bool) (string, error) { return "", errLater }

// SessionRow is a recorded session.
type SessionRow struct {
	ID, Name, Workspace, Model string
	// State is new, running, open question, interrupted, answered, failed or stopped.
	State   string
	Turns   int
	Records uint64
	Used    time.Time
	// Prompt is the first thing that was asked; Flaw what is wrong with the log.
	Prompt, Flaw string
	// Current is true for the session of this host.
	Current bool
}

// Sessions are the recorded sessions of the workspace, or of every one, the newest first.
func (h *Host) Sessions(all bool) ([]SessionRow, error) { return nil, errLater }

// ModelRow is a model that tenet knows by name.
type ModelRow struct {
	// Selector names it; one that ends with /* takes any name that the server knows.
	Selector, Name, Wire string
	Context              int
	// Key says how the key stands, never the key; Ready is true when it may be used now.
	Key   string
	Ready bool
	// Current is true for the model of this session.
	Current bool
}

// Models are the models that are known.
func (h *Host) Models() ([]ModelRow, error) { return nil, errLater }

// Probe asks the server of a model live and says what works. It ends within its deadline.
func (h *Host) Probe(ctx context.Context, selector string) (text string, ok bool, err error) {
	return "", false, errLater
}

// Profiles are the names of the default layers.
func (h *Host) Profiles() []string { return nil }

// Skill is a skill that the model, or the person, may use.
type Skill struct{ Name, Description string }

// Skills are the skills of the session.
func (h *Host) Skills() []Skill { return nil }

// Switch opens another session, or this one with another model or profile, and closes
// this one. On an error this one is still open, unless it had to be closed first to be
// taken up again: then it is opened again as it was.
func (h *Host) Switch(ctx context.Context, o Options) (*Host, error) { return nil, errLater }

// Rename gives the session a name; an empty one takes it away.
func (h *Host) Rename(name string) error { return errLater }

// Files are the paths that a person may mean, best first, at most max of them.
func (h *Host) Files(ctx context.Context, query string, max int) []string { return nil }
