package cli

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"tenet/adapters/store"
	"tenet/core/call"
	"tenet/core/event"
)

// ShowSession prints a session for a person: what it is, its transcript, and what is
// open in it. A damaged log is shown up to the damage, which is then an error.
func ShowSession(o SessionsOptions, path string) error {
	records, report, err := store.Read(path)
	if err != nil {
		return err
	}
	s, _ := event.Fold(records) // the report has what cannot be read
	var b strings.Builder
	o.heading(&b, path, s, report)
	t := NewTranscript(&b)
	for _, r := range records {
		if r.Kind != event.Opened {
			t.Show(r)
		}
	}
	t.Summary()
	if s.Last.Answer != "" && !s.InTurn {
		t.block("» ", s.Last.Answer)
	}
	open(&b, s, report)
	if flaw := flawOf(report); flaw != "" {
		fmt.Fprintf(&b, "\nDamaged: %s\n", call.OneLine(flaw, 500))
	}
	if _, err := io.WriteString(o.Out, b.String()); err != nil {
		return err
	}
	return soundly(report, "going on with it")
}

// idOf is the id of the session whose log is at a path.
func idOf(path string) string { return strings.TrimSuffix(filepath.Base(path), store.Extension) }

func (o SessionsOptions) heading(b *strings.Builder, path string, s event.State, r store.Report) {
	fmt.Fprintf(b, "session %s", idOf(path))
	if name := nameIn(s); name != "" {
		fmt.Fprintf(b, " · %s", call.OneLine(name, 200))
	}
	fmt.Fprintf(b, "\nworkspace %s · model %s · profile %s\n", call.OneLine(s.Opening.Workspace, 400), call.OneLine(modelIn(s), 200), call.OneLine(s.Opening.Profile, 60))
	fmt.Fprintf(b, "%s · %s · %s", s.Standing(r.Holder != nil), plural(s.Turns, "turn"), plural(int(r.Records), "record"))
	if r.Holder != nil {
		fmt.Fprintf(b, " · held by process %d", r.Holder.PID)
	}
	if s.Resumptions > 0 {
		fmt.Fprintf(b, " · taken up again %s", plural(s.Resumptions, "time"))
	}
	b.WriteString("\n")
	if f := s.Forked; f != nil {
		fmt.Fprintf(b, "forked from %s after record %d\n", call.OneLine(f.From, 100), f.Seq)
	}
}

// open says what a session still has under way; nothing when that is nothing.
func open(b *strings.Builder, s event.State, r store.Report) {
	var rows []string
	row := func(format string, a ...any) { rows = append(rows, fmt.Sprintf(format, a...)) }
	for _, c := range s.Calls {
		row("call %s: %s %s, %s", c.ID, c.Tool, summary(c.Args), fateOf(c, r.Holder != nil))
	}
	for _, q := range s.Questions {
		row("question about call %s: %s", q.Call, strings.Join(stepsOf(q.Steps), "; "))
	}
	for _, q := range s.Inquiries {
		row("question of the model: %s", q.Text)
	}
	for _, j := range s.Jobs {
		row("job %s (%s): %s", j.Job, j.Kind, j.Command)
	}
	for _, q := range s.Queue {
		row("waiting message %s (%s): %s", q.ID, q.How, q.Text)
	}
	if s.Deferred != nil {
		row("an answer that the provider gives later: %s, until %s", s.Deferred.Job, s.Deferred.Deadline)
	}
	if len(rows) == 0 {
		return
	}
	b.WriteString("\nOpen:\n")
	for _, r := range rows {
		fmt.Fprintf(b, "  %s\n", call.OneLine(r, 300))
	}
}

// fateOf is what can be said of a call that has no result.
func fateOf(c event.OpenCall, held bool) string {
	switch {
	case held && c.Started:
		return "running"
	case c.Started:
		return "outcome unknown: it may have partially run, and is never run again by itself"
	case held:
		return "not started yet"
	}
	return "interrupted before it started"
}

func stepsOf(steps []event.JudgedStep) []string {
	out := make([]string, len(steps))
	for i, s := range steps {
		out[i] = s.Text
	}
	return out
}
