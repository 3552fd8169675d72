package host

import (
	"context"
	"fmt"
	"strings"
	"time"

	"tenet/adapters/cli"
	core "tenet/core/jobs"
	"tenet/core/rules"
	"tenet/core/skills"
)

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
func (h *Host) Jobs() []Job {
	var out []Job
	for _, v := range h.held.Jobs.List() {
		out = append(out, Job{ID: v.ID, Call: v.Call, Kind: v.Kind, Command: v.Command, Status: v.Status.String(), For: v.For, Written: v.Written})
	}
	return out
}

// Tail is the last lines of what a job has written until now.
func (h *Host) Tail(job string, lines int) (string, error) {
	text, _, err := h.held.Jobs.Tail(job, lines)
	return text, err
}

// Kill stops a job for the person, and says how it ended.
func (h *Host) Kill(ctx context.Context, job string) (string, error) {
	v, took, err := h.held.Jobs.Kill(ctx, job, core.ByUser)
	switch {
	case err != nil:
		return "", err
	case v.Status == core.Running:
		return fmt.Sprintf("%s is being stopped", v.ID), nil
	case !took:
		return fmt.Sprintf("%s had ended already: %s", v.ID, v.Status), nil
	}
	return fmt.Sprintf("%s was stopped: %s", v.ID, v.Status), nil
}

// ContextReport is what the model's window holds.
type ContextReport struct {
	// Window is the size in tokens, 0 when nobody knows it; Used what is in it.
	Window, Used int
	// Measured is true when Used is the provider's own count.
	Measured bool
	// Parts are about what takes how much, by estimate.
	Parts []ContextPart
	// Freed is about what a compaction now would free.
	Freed int
}

// ContextPart is one part of the context.
type ContextPart struct {
	// Name is system, tools, messages, replies, results or summaries.
	Name string
	// Tokens is about its size, Count how many messages or tools it has.
	Tokens, Count int
}

// Context says what the next request would carry.
func (h *Host) Context() ContextReport {
	w := h.held.Session.Weigh()
	r := ContextReport{Window: w.Window, Used: w.Used, Measured: w.Measured, Freed: w.Freed}
	if r.Window == 0 {
		r.Window = h.held.Context
	}
	r.Parts = []ContextPart{
		{"system", w.System.Tokens, w.System.Count}, {"tools", w.Tools.Tokens, w.Tools.Count}, {"messages", w.Said.Tokens, w.Said.Count},
		{"replies", w.Replies.Tokens, w.Replies.Count}, {"results", w.Results.Tokens, w.Results.Count}, {"summaries", w.Harness.Tokens, w.Harness.Count},
	}
	return r
}

// Why is the output of tenet why for a recorded call.
func (h *Host) Why(call string) (string, error) {
	var b strings.Builder
	err := h.held.WhyCall(h.ctx, &b, call, h.o.Sentence)
	return b.String(), err
}

// Audit is the output of tenet audit for this session.
func (h *Host) Audit(ctx context.Context) (string, error) {
	var b strings.Builder
	err := cli.BriefAudit(ctx, &b, h.held.Log.Path(), h.held.Profile)
	return b.String(), err
}

// Export writes the session as markdown or json to a new file and returns its path.
func (h *Host) Export(format string) (path string, err error) {
	return cli.ExportTo(h.held.Log.Path(), format, time.Now())
}

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
func (h *Host) Sessions(all bool) ([]SessionRow, error) {
	rows, err := cli.SessionRows(h.held.Workspace, all)
	if err != nil {
		return nil, err
	}
	var out []SessionRow
	for _, l := range rows {
		used, _ := time.Parse(time.RFC3339, l.Used)
		out = append(out, SessionRow{
			ID: l.Session, Name: l.Name, Workspace: l.Workspace, Model: l.Model, State: l.State, Turns: l.Turns, Records: l.Records,
			Used: used, Prompt: l.Prompt, Flaw: l.Flaw, Current: l.Session == h.held.ID,
		})
	}
	return out, nil
}

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
func (h *Host) Models() ([]ModelRow, error) {
	rows, err := Models()
	for i := range rows {
		rows[i].Current = rows[i].Selector == h.held.Model
	}
	return rows, err
}

// Models are the models that are known, before any session is open.
func Models() ([]ModelRow, error) {
	rows, _, err := cli.ModelRows()
	var out []ModelRow
	for _, m := range rows {
		out = append(out, ModelRow{Selector: m.Model, Name: m.Name, Wire: m.Wire, Context: m.Context, Key: m.Key, Ready: m.Ready})
	}
	return out, err
}

// Probe asks the server of a model live and says what works. It ends within its deadline.
func (h *Host) Probe(ctx context.Context, selector string) (text string, ok bool, err error) {
	return ProbeModel(ctx, h.held.Workspace, selector)
}

// ProbeModel asks the server of a model before any session is open, as the start screen
// does.
func ProbeModel(ctx context.Context, dir, selector string) (text string, ok bool, err error) {
	var b strings.Builder
	ok, err = cli.ProbeModel(ctx, &b, dir, selector)
	return b.String(), ok, err
}

// Profiles are the names of the default layers.
func (h *Host) Profiles() []string { return rules.Profiles() }

// Skill is a skill that the model, or the person, may use.
type Skill struct{ Name, Description string }

// Skills are the skills of the session.
func (h *Host) Skills() []Skill {
	var out []Skill
	for _, l := range h.held.Skills.Set().Loaded {
		if l.Kind == skills.Skill {
			out = append(out, Skill{l.Name, l.Description})
		}
	}
	return out
}
