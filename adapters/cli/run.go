package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"tenet/adapters/approvals"
	"tenet/adapters/session"
	"tenet/adapters/settings"
	core "tenet/core/approvals"
	"tenet/core/call"
	"tenet/core/event"
	"tenet/core/turn"
)

// Options is what a person asked for on the command line.
type Options struct {
	Version, Dir, Prompt string
	// Script is a rehearsal file; Model the model of a live endpoint.
	Script, Model string
	// Profile names the default layer; empty is what the settings say.
	Profile string
	// Auto overrides the auto set of the settings and the profile when it is not nil.
	Auto []string
	// Yes and No answer every question; both false asks on the terminal.
	Yes, No bool
	JSON    bool
	// MaxRounds caps the tool rounds of the turn; 0 is the default.
	MaxRounds int
	// Allow are rules that allow for this run alone.
	Allow []string
	// Continue takes up the newest session of the directory, Resume the one it names.
	Continue bool
	Resume   string
	// desk takes the place of the terminal for a program that leads the session.
	desk func(id string, p *approvals.Policies) (approvals.Asker, session.Inquirer, func())
	// path is the log of the session that is taken up, past what it tells.
	path string
	past event.State
	// OutputSchema is a file with the JSON schema that the answer must fit.
	OutputSchema string
	// Timeout ends the run as a signal does; 0 is none.
	Timeout  time.Duration
	In       *os.File
	Out, Err io.Writer
}

// auto is the auto set of --auto, nil when it was not given.
func (o Options) auto() (*call.Effects, error) {
	if o.Auto == nil {
		return nil, nil
	}
	set, err := call.ParseEffects(o.Auto)
	if err != nil {
		return nil, Usage("--auto: %w", err)
	}
	return &set, nil
}

// checked refuses what contradicts itself before anything is opened.
func (o Options) checked() error {
	switch {
	case o.Yes && o.No:
		return Usage("--yes and --no contradict each other; give one of them, or neither to be asked")
	case o.Timeout < 0:
		return Usage("--timeout takes a time such as 90s or 10m, got %s", o.Timeout)
	case len(o.Prompt) > MaxPrompt:
		return Usage("the prompt is longer than %d KiB; put it into a file and let the model read that", MaxPrompt>>10)
	}
	if strings.TrimSpace(o.Prompt) == "" && !o.resumes() {
		return Usage("the prompt is empty; say what the model should do")
	}
	if o.Continue && o.Resume != "" {
		return Usage("--continue and --resume contradict each other; give one of them")
	}
	return nil
}

// asker is who answers the gate's questions, who the model's own, and what ends that. A
// terminal is a client of the session's broker, as any other would be. A run without one
// has nobody: each question ends at once as unanswered, so that it never hangs and never
// runs what nobody allowed.
func (o Options) asker(id string, policies *approvals.Policies) (approvals.Asker, session.Inquirer, func()) {
	switch {
	case o.desk != nil:
		return o.desk(id, policies)
	case o.Yes:
		return approvals.Standing{Yes: true, Flag: "--yes"}, nil, func() {}
	case o.No:
		return approvals.Standing{Flag: "--no"}, nil, func() {}
	}
	b := approvals.NewBroker(approvals.BrokerOptions{Session: id, Policies: policies})
	if !interactive(o.In) {
		return b, nil, b.Close
	}
	client, err := b.Attach(core.Interactive, "terminal")
	if err != nil { // a new broker takes its first client
		return b, nil, b.Close
	}
	t := NewTerminal(o.In, o.Err)
	go t.Attend(context.Background(), client)
	return b, t, func() { b.Close(); <-t.left }
}

func (o Options) limits(run settings.Run) (turn.Config, error) {
	if o.MaxRounds < 0 || o.MaxRounds > 10_000 {
		return turn.Config{}, Usage("--max-rounds takes a number from 0 to 10000 (0 is what the settings say, else %d), got %d", turn.DefaultRounds, o.MaxRounds)
	}
	return turn.Limits(cmp.Or(o.MaxRounds, run.MaxToolRounds), run.Retry.MaxRetries, run.Retry.Enabled, run.Compaction.Enabled), nil
}

// Run opens a session in the workspace, or takes one up, runs one turn and prints it.
func Run(ctx context.Context, o Options) error {
	if err := o.usable(); err != nil {
		return err
	}
	workspace, err := o.site()
	if err == nil && o.goesOn() && !o.past.InTurn { // or the log would tell of a start that did nothing
		err = Usage("%w", errNothingOpen)
	}
	if err != nil {
		return err
	}
	return o.play(ctx, scene{workspace: workspace})
}

// usable refuses wrong options before anything is opened.
func (o Options) usable() error {
	err := o.checked()
	if err == nil {
		_, err = o.auto()
	}
	if err == nil {
		_, err = o.allowed()
	}
	if err == nil {
		_, err = o.limits(settings.DefaultRun())
	}
	if err == nil {
		_, err = o.shape()
	}
	return err
}

// scene is where a turn plays and with whom.
type scene struct {
	workspace string
	// userHome is the home directory that commands see.
	userHome string
	// model is played when it is given, else what the options name.
	model *model
	// shielded refuses what is guarded without asking.
	shielded bool
}

func (o Options) play(ctx context.Context, sc scene) error {
	view, flush := o.view()
	st, err := o.open(ctx, sc, view)
	if err != nil {
		return err
	}
	ending, answer, err := o.turn(ctx, st.session)
	st.leave()
	o.endWork(st)
	if closeErr := st.log.Close(); err == nil {
		err = closeErr
	}
	if err == nil && !o.JSON && ending.How == turn.Answered.String() && view.answers {
		if _, werr := fmt.Fprintln(o.Out, answer); werr != nil {
			err = fmt.Errorf("the answer could not be written (it stands in the log %s): %w", st.log.Path(), werr)
		}
	}
	view.close(st.log.Path())
	if ferr := flush(); err == nil {
		err = ferr
	}
	switch {
	case errors.Is(context.Cause(ctx), ErrReader):
		return &Error{Code: ExitReader, Err: ErrReader, Said: true}
	case err != nil:
		return err
	}
	return Ended(ctx, ending, !o.JSON)
}

// endWithin is how long the end of a session may take: the grace time of the shell, and
// what a killed process needs.
const endWithin = 5 * time.Second

// turn runs the prompt, or goes on with the turn that was left open, and answers with how
// it ended and what came of it.
func (o Options) turn(ctx context.Context, s *session.Session) (e event.Ending, answer string, err error) {
	want, err := o.shape()
	if err != nil {
		return e, "", err
	}
	if o.goesOn() {
		e, err = s.Continue(ctx)
	} else {
		e, err = s.Prompt(ctx, shaped(o.Prompt, want))
	}
	if errors.Is(err, session.ErrNothingOpen) {
		return e, "", Usage("%w", errNothingOpen)
	}
	if err != nil {
		return e, "", err
	}
	return o.fitted(ctx, s, e, want)
}

// endWork ends the jobs of the session and what else its commands left running: nobody
// would be there to stop it (case run-009). Each job has its end in the log first.
func (o Options) endWork(st started) {
	ctx, stop := context.WithTimeout(context.Background(), endWithin)
	defer stop()
	for _, j := range st.jobs.Close(ctx) {
		fmt.Fprintf(o.Err, "ended with the session: %s (%s)\n", j.ID, call.OneLine(j.Command, 100))
	}
	ended, left := st.shell.Close(ctx)
	for _, e := range ended {
		fmt.Fprintf(o.Err, "ended with the session: process group %d (%s)\n", e.Group, call.OneLine(e.Name, 100))
	}
	for _, s := range left {
		fmt.Fprintf(o.Err, "still running: process %d (%s) left its group\n", s.PID, call.OneLine(s.Name, 100))
	}
}

// waitingEvery is how often a person who waits is told so.
const waitingEvery = 10 * time.Second

// progress tells a person that the provider is alive and has not begun: a queue of minutes
// must not look like a hang. What is tried again stands in the transcript.
func (o Options) progress() func(event.Live) {
	var began, told time.Time
	return func(l event.Live) {
		now := time.Now()
		switch {
		case l.Kind == event.LiveOutput: // of a job: it says nothing of the provider
		case l.Kind != event.LiveWaiting:
			began, told = time.Time{}, time.Time{}
		case began.IsZero():
			began, told = now, now
			fmt.Fprintf(o.Err, "… %s (Ctrl+C stops)\n", cmp.Or(call.OneLine(l.Cause, 300), "the provider is queueing the request"))
		case now.Sub(told) >= waitingEvery:
			told = now
			fmt.Fprintf(o.Err, "… still waiting after %d s\n", int(now.Sub(began).Seconds()))
		}
	}
}

// view is what a run shows: records as JSON lines, or a transcript.
type view struct {
	// opened is told the session and its log before anything is recorded.
	opened func(session, log string)
	record func(event.Record)
	live   func(event.Live)
	close  func(log string)
	// answers is true when the answer alone goes to standard output.
	answers bool
}

func (o Options) view() (view, func() error) {
	if o.JSON {
		st := NewStream(o.Out)
		return view{opened: st.Head, record: st.Record, live: st.Live, close: func(string) {}}, st.Err
	}
	t := NewTranscript(o.Err)
	return view{
		opened: func(string, string) {},
		record: t.Show,
		live:   o.progress(),
		close: func(log string) {
			t.Summary()
			fmt.Fprintf(o.Err, "\nLog: %s\n     tenet log show, tenet log verify\n", log)
		},
		answers: o.Out != o.Err && !sameTerminal(o.Out, o.Err),
	}, func() error { return nil }
}
