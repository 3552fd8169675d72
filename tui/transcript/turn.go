package transcript

import (
	"fmt"
	"strings"
	"time"

	"tenet/core/event"
	"tenet/core/turn"
)

// failure is a reply that failed: what was wrong and what comes of it.
func (t *Transcript) failure(f event.Failure) {
	t.settleLive(nil)
	it := &item{kind: failed, head: row(f.Message), body: clip(strings.TrimSpace(f.Text+"\n"+f.Body), maxOutput)}
	if f.Status != 0 {
		it.label = fmt.Sprintf("status %d", f.Status)
	}
	switch {
	case f.Noted:
		it.more = append(it.more, fmt.Sprintf("asked again with a note (%d of %d)", f.Spent, turn.MaxNotes))
	case f.RetryMS >= 0:
		it.more = append(it.more, fmt.Sprintf("tried again after %ss", trimZero(float64(f.RetryMS)/1000)))
	}
	t.append(it)
	if strings.TrimSpace(f.Thinking) != "" {
		t.append(&item{kind: thought, label: "no answer came of it", body: clip(f.Thinking, maxText)})
	}
}

// ended is the end of a turn: how, and what it took.
func (t *Transcript) ended(e event.Ending, at time.Time) {
	t.book.running = false
	t.settleLive(nil)
	if strings.TrimSpace(e.Answer) != "" {
		t.append(&item{kind: said, body: clip(e.Answer, maxText)})
	}
	it := &item{kind: ended, label: e.How}
	if e.Cause != "" {
		it.body = clip(e.Cause, maxOutput)
	}
	took := ""
	if b := t.book.turn; !b.began.IsZero() && !at.IsZero() {
		took = span(at.Sub(b.began))
	}
	it.head = join(" · ", took, rounds(e.Rounds), t.book.turn.tokens())
	t.book.turn = turnSoFar{}
	t.append(it)
}

func rounds(n int) string {
	if n == 0 {
		return ""
	}
	return plural(n, "tool round", "tool rounds")
}

// tokens is what a turn's replies took, empty when the provider did not say.
func (s turnSoFar) tokens() string {
	if s.input+s.output == 0 {
		return ""
	}
	in := amount(s.input) + " in"
	if s.cached > 0 {
		in += " (" + amount(s.cached) + " cached)"
	}
	return in + ", " + amount(s.output) + " out"
}

// detached is a call that goes on as a job.
func (t *Transcript) detached(d event.Detachment) {
	it := t.book.calls[d.Call]
	if it == nil {
		it = t.begin(d.Call, d.Kind, "", time.Time{})
	}
	t.weigh(it, func() {
		it.tool.state, it.tool.job, it.tool.artifact = detached, row(d.Job), row(d.Artifact)
		if it.tool.title == "" {
			it.tool.title = oneLine(d.Command)
		}
		if d.Output != "" {
			it.tool.result = clip(d.Output, maxOutput)
		}
	})
	t.book.jobs[d.Job] = it
}

// settled is the one end of a job: its call's row says it, and a row of its own, since
// the call's may be far above.
func (t *Transcript) settled(b event.Settlement, at time.Time) {
	name, took := row(b.Job), ""
	if it := t.book.jobs[b.Job]; it != nil {
		delete(t.book.jobs, b.Job)
		t.weigh(it, func() { it.tool.finish(b, at) })
		name += " · " + it.tool.title
		took = span(it.tool.took())
	}
	exit := ""
	if b.Exit > 0 {
		exit = fmt.Sprintf("exit %d", b.Exit)
	}
	by := ""
	if b.By != "" {
		by = "by " + row(b.By)
	}
	row := &item{kind: settled, label: b.Status, head: join(" · ", "job "+name, b.Status, exit, by, took), body: clip(b.Text, maxOutput)}
	if b.Dropped > 0 {
		row.more = append(row.more, fmt.Sprintf("%s of its output were not kept", bytes(int(b.Dropped))))
	}
	for _, s := range b.Survivors {
		row.more = append(row.more, "still runs: "+oneLine(s))
	}
	t.append(row)
}
