package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tenet/adapters/admission"
	"tenet/adapters/approvals"
	"tenet/adapters/provider"
	"tenet/adapters/replay"
	"tenet/adapters/session"
	"tenet/adapters/store"
	"tenet/core/call"
	"tenet/core/event"
	"tenet/core/turn"
)

// ReplayOptions is a session that is to be run again.
type ReplayOptions struct {
	Options
	// Session names it; Workspace is a directory to copy in place of what its workspace
	// was, as it is.
	Session, Workspace string
	// AsScript writes a rehearsal instead, of one turn when Turn is not 0.
	AsScript bool
	Turn     int
	// UserHome is the home directory that commands see, empty is this process's own.
	UserHome string
	// Keep leaves the copy where it is.
	Keep bool
}

// ReplayCommand is 'tenet replay'.
func ReplayCommand(version string) *cobra.Command {
	var o ReplayOptions
	c := &cobra.Command{
		Use:   "replay SESSION",
		Short: "Run a session again with its recorded replies and report the first difference",
		Long: `Run a session again: the model says what it said, questions are answered as they were,
and the tools work in a copy of the workspace, never in the workspace itself. The
first record that differs is reported, and ends it.

The workspace at the time is not in a log. The copy has what git tracks as in the last
commit before the session began, and untracked files that did not change since; without
a repository every file is as it is now. --workspace copies another directory, as it is.

A call that wrote outside the workspace, used the network or changed what is protected
is not run again: its recorded result stands in for it. docs/replay.md says the rest.

Exit codes: 0 the same, 1 it differs, 2 usage.`,
		Example: `  tenet replay 20260102-150405-a1b2c3
  tenet replay --workspace ./as-it-was 20260102-150405-a1b2c3
  tenet replay --as-script 2026 > story.rehearsal`,
		Args:              takes(1, "one session"),
		ValidArgsFunction: completeSessions,
		RunE: func(c *cobra.Command, args []string) error {
			o.Version, o.Session, o.Out, o.Err = version, args[0], c.OutOrStdout(), c.ErrOrStderr()
			return Replay(c.Context(), o)
		},
	}
	f := c.Flags()
	f.StringVar(&o.Workspace, "workspace", "", "copy this directory, as it is, in place of the session's own")
	f.StringVar(&o.UserHome, "home", "", "the home directory that commands see (a demo's is beside its project)")
	f.BoolVar(&o.AsScript, "as-script", false, "write the replies as a rehearsal for tenet run --script")
	f.IntVar(&o.Turn, "turn", 0, "with --as-script: only this turn, counted from 1")
	f.BoolVar(&o.Keep, "keep", false, "leave the copy and say where it is")
	f.BoolVar(&o.JSON, "json", false, "print the result as one JSON object")
	return c
}

// replayed is the result as JSON.
type replayed struct {
	Session string `json:"session"`
	// Same is true when every record that is compared is the same.
	Same bool `json:"same"`
	// Compared counts the records that are the same, Aside those that are not compared,
	// Beyond the calls whose recorded result stood in for them.
	Compared int `json:"compared"`
	Aside    int `json:"aside"`
	Beyond   int `json:"stood_in"`
	// Until says why nothing after the last compared record was.
	Until      string             `json:"until,omitempty"`
	Difference *replay.Difference `json:"difference,omitempty"`
	Copy       string             `json:"copy"`
}

// Replay runs a session again and prints the first difference, or that it is the same.
func Replay(ctx context.Context, o ReplayOptions) error {
	path, err := sessionOf(o.Session)
	if err != nil {
		return err
	}
	records, report, err := store.Read(path)
	if err != nil {
		return err
	}
	if err := soundly(report, "a replay"); err != nil {
		return err
	}
	if o.UserHome != "" {
		if o.UserHome, err = Workspace(o.UserHome); err != nil {
			return err
		}
	}
	if o.AsScript {
		return o.script(idOf(path), records)
	}
	story, err := replay.Read(records)
	if err != nil {
		return Usage("replay %s: %w", idOf(path), err)
	}
	return o.stage(ctx, idOf(path), story, records[0].At)
}

func (o ReplayOptions) script(id string, records []event.Record) error {
	script, err := replay.Script(id, records, o.Turn)
	if err != nil {
		return Usage("%w", err)
	}
	_, err = o.Out.Write(script)
	return err
}

// stage makes the copy and runs the story in it.
func (o ReplayOptions) stage(ctx context.Context, id string, story *replay.Story, began string) error {
	from, since, err := o.origin(story, began)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "tenet-replay-")
	if err != nil {
		return fmt.Errorf("make a directory for the replay: %w", err)
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return err
	}
	if !o.Keep {
		defer func() { _ = os.RemoveAll(dir) }() // what is left is in the temporary directory
	}
	scratch, err := replay.Copy(ctx, from, filepath.Join(dir, "at"), since)
	if err != nil {
		return err
	}
	if o.Keep {
		fmt.Fprintf(o.Err, "the copy: %s\n", scratch.Dir)
	}
	if !o.JSON {
		fmt.Fprintf(o.Err, "a copy of %s: %s\n", call.OneLine(from, 400), scratch)
	}
	c, err := o.play(ctx, id, story, scratch.Dir, dir)
	if err != nil {
		return err
	}
	return o.tell(id, story, c, scratch)
}

// origin is what is copied, and the time that it is set back to.
func (o ReplayOptions) origin(story *replay.Story, began string) (string, time.Time, error) {
	if o.Workspace != "" {
		dir, err := Workspace(o.Workspace)
		return dir, time.Time{}, err
	}
	since, err := time.Parse(time.RFC3339Nano, began)
	if err != nil {
		return "", since, fmt.Errorf("the session's first record has no time: %w", err)
	}
	dir, err := Workspace(story.Opening.Workspace)
	if err != nil {
		return "", since, Usage("%w; the session's workspace is gone, so name a directory like it by --workspace", err)
	}
	return dir, since, nil
}

// play runs the turns in the copy.
func (o ReplayOptions) play(ctx context.Context, id string, story *replay.Story, workspace, dir string) (*replay.Comparison, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	home, err := Home()
	if err != nil {
		return nil, err
	}
	in := replay.Renaming{}.Rename(story.Opening.Workspace, workspace).
		Rename(filepath.Dir(story.Opening.Workspace)+"/", filepath.Dir(workspace)+"/").Rename(home, filepath.Join(dir, "tenet-home"))
	c := story.Compare(in, stop)
	st, err := o.rig(ctx, id, story, in, workspace, filepath.Join(dir, "tenet-home"), home, c.Watch)
	if err != nil {
		return nil, err
	}
	for _, p := range story.Turns {
		if err == nil && ctx.Err() == nil && !c.Reached() {
			err = again(ctx, st.session, p, in)
		}
	}
	o.endWork(st)
	if err = errors.Join(err, st.log.Close()); err != nil && !c.Reached() {
		return nil, fmt.Errorf("replay %s: %w", id, err)
	}
	return c, nil
}

// again runs one turn: the next message that waited, or a new one.
func again(ctx context.Context, s *session.Session, p event.Prompt, in replay.Renaming) error {
	if p.Submission != "" {
		if _, ok, err := s.Begin(ctx); ok || err != nil {
			return err
		}
	}
	_, err := s.Say(ctx, event.Prompt{Text: in.There(p.Text), Images: p.Images})
	return err
}

// rig wires a session whose model, answers and clients are the story's, in a home of its
// own. It is judged by the rules that are in force now.
func (o ReplayOptions) rig(ctx context.Context, id string, story *replay.Story, in replay.Renaming, workspace, home, rulesOf string, watch func(event.Record)) (started, error) {
	o.Profile, o.Auto = story.Opening.Profile, append([]string{}, story.Opening.Auto...)
	sc := scene{workspace: workspace, userHome: o.UserHome}
	policy, _, err := o.policy(sc, rulesOf)
	if err != nil {
		return started{}, err
	}
	slots, err := admission.New(requests)
	if err != nil {
		return started{}, err
	}
	log, err := store.Create(Sessions(home), id, store.Options{})
	if err != nil {
		return started{}, err
	}
	e, err := sc.equip(spot{id: id, home: home, log: log}, policy)
	if err != nil {
		return started{}, errors.Join(err, log.Close())
	}
	var s *session.Session
	model := story.Model(in, func(b event.Submission) { _, _ = s.Submit(b.Text, b.How) }) // it is compared where it is delivered
	answers := story.Answers(in)
	limits := turn.Default()
	s, err = session.Open(session.Options{
		ID: id, Version: o.Version, Workspace: workspace, Profile: policy.Profile, Policies: approvals.NewPolicies(policy.Policy, nil), Limits: limits,
		Provider: model, Slots: slots, Asker: answers, Inquirer: answers, Log: log, Tools: story.Tools(e.tools, in), Watch: watch,
		Waits:      session.Waits{Base: time.Millisecond},
		Summariser: func(string, int) (provider.Provider, *event.Notice) { return story.Summariser(), nil },
	})
	if err == nil {
		err = e.jobs.OnSettle(s.Settle)
	}
	return started{session: s, log: log, shell: e.shell, jobs: e.jobs, leave: func() {}}, err
}

// tell prints the result.
func (o ReplayOptions) tell(id string, story *replay.Story, c *replay.Comparison, scratch replay.Scratch) error {
	same, diff := c.Result()
	r := replayed{Session: id, Same: diff == nil, Compared: same, Aside: story.Aside, Beyond: story.Beyond(), Until: story.Until, Difference: diff, Copy: scratch.String()}
	if o.JSON {
		if err := writeLine(o.Out, r); err != nil {
			return err
		}
	} else if _, err := io.WriteString(o.Out, r.text()); err != nil {
		return err
	}
	if diff == nil {
		return nil
	}
	return &Error{Code: ExitFailed, Err: fmt.Errorf("session %s differs", id), Said: true}
}

func (r replayed) text() string {
	var b strings.Builder
	if r.Difference != nil {
		fmt.Fprintf(&b, "different after %s: %s", plural(r.Compared, "record"), r.Difference.Text())
	} else {
		fmt.Fprintf(&b, "the same: %s\n", plural(r.Compared, "record"))
	}
	if r.Beyond > 0 {
		fmt.Fprintf(&b, "not run again, since they reached beyond the workspace: %s\n", plural(r.Beyond, "call"))
	}
	if r.Aside > 0 {
		fmt.Fprintf(&b, "not compared, since they depend on when somebody or something acted: %s\n", plural(r.Aside, "record"))
	}
	if r.Until != "" && r.Difference == nil {
		fmt.Fprintf(&b, "compared up to there: %s\n", r.Until)
	}
	return b.String()
}
