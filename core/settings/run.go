package settings

import "time"

// Run is what the settings say of a run: which model works, and how long, how often
// and how much. It decides nothing about the gate.
type Run struct {
	// Model is the selector of the model that works, "provider/id" or an id; empty when
	// the settings name none.
	Model string
	// AuxiliaryModel is the selector of the model that writes summaries; empty is Model.
	AuxiliaryModel string
	// Thinking is how much the model is asked to think: one of ThinkingLevels, or empty
	// for what its server does by itself.
	Thinking string
	// Allowed are the models that may be used at all.
	Allowed Allowed
	// Retry is how failed requests are tried again.
	Retry Retry
	// MaxToolRounds caps the tool rounds of a turn, 1 to 10,000.
	MaxToolRounds int
	// ToolBlockingBudget is how long one tool call may hold up the turn before it goes on
	// as a job.
	ToolBlockingBudget time.Duration
	// Compaction is when a context is summarised.
	Compaction Compaction
	// StopHooks are the commands that must succeed before the model's finish counts, each
	// a script for the gate.
	StopHooks []string
	// Skills are directories with skills beside those that are looked for anyway, as they
	// are written.
	Skills []string
	// Instructions bounds what of AGENTS.md and CLAUDE.md goes into the system prompt.
	Instructions Instructions
	// Interface is how the terminal interface looks.
	Interface Interface
}

// Interface is how the terminal interface looks; it decides nothing.
type Interface struct {
	// Theme is one of Themes, or empty for what suits the terminal.
	Theme string
	// Mouse is true when the interface takes the mouse, ReducedMotion when nothing moves
	// while it is waited, Sidebar when a wide terminal shows what stands beside the turn.
	Mouse, ReducedMotion, Sidebar bool
}

// Themes are the values of interface.theme.
func Themes() []string { return []string{"dark", "light", "high-contrast", "mono"} }

// Retry is how failed requests are tried again (H4.5).
type Retry struct {
	// Enabled is false when nothing is tried again.
	Enabled bool
	// MaxRetries is how often, 0 to 20.
	MaxRetries int
	// BaseDelay is the wait before the first retry; each further one waits twice as long.
	BaseDelay time.Duration
	// StreamIdle is how long a stream may be silent.
	StreamIdle time.Duration
	// MaxDelay is the longest wait between two tries, and the longest that a server may
	// ask for before the turn is given up.
	MaxDelay time.Duration
	// Timeout bounds one whole request; 0 is no bound beside those of its parts.
	Timeout time.Duration
}

// Compaction is when and how far a context is summarised.
type Compaction struct {
	// Enabled is false when no summary is made before the model's context is full.
	Enabled bool
	// ReserveTokens is the room that is kept free for the reply, KeepRecentTokens how much
	// of the newest messages stays word for word.
	ReserveTokens, KeepRecentTokens int
}

// Instructions bounds the project's own instructions.
type Instructions struct {
	// Enabled is false when AGENTS.md and CLAUDE.md are not read.
	Enabled bool
	// MaxFileBytes caps one file, MaxTotalBytes all of them together.
	MaxFileBytes, MaxTotalBytes int
}

// DefaultRun is a run without any setting.
func DefaultRun() Run {
	r := Run{
		Retry:        Retry{Enabled: true},
		Compaction:   Compaction{Enabled: true},
		Instructions: Instructions{Enabled: true},
		Interface:    Interface{Sidebar: true},
	}
	for _, k := range keys {
		if k.num != nil {
			k.num(&r, k.Default)
		}
	}
	return r
}

// Retries is how often a failed request is tried again; 0 when retrying is off.
func (r Retry) Retries() int {
	if !r.Enabled {
		return 0
	}
	return r.MaxRetries
}

// ThinkingLevels are the values of thinking, from none to the most.
func ThinkingLevels() []string {
	return []string{"off", "minimal", "low", "medium", "high", "max"}
}

// Over is this run with what a project that may say so adds: each key of the project's
// holds in place of the user's, but for the models that are allowed, which a project
// can only make fewer.
func (r Run) over(project Node, trusted bool, read *reader) Run {
	mine := r.Allowed
	read.run(project, OfProject(trusted), &r)
	r.Allowed = mine.and(r.Allowed)
	return r
}
