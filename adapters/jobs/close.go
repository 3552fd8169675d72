package jobs

import (
	"context"
	"fmt"

	"tenet/core/event"
	core "tenet/core/jobs"
)

// Close ends every job and every call that is waited for, and settles each job: when its
// processes are gone, or when ctx ends, with those named that are still there. It returns
// the jobs that it ended. Nothing starts afterwards.
func (t *Table) Close(ctx context.Context) []View {
	t.mu.Lock()
	t.closed = true
	var open []*entry
	for _, e := range t.calls {
		if !e.job.Over() {
			open = append(open, e)
		}
	}
	t.mu.Unlock()
	for _, e := range open {
		t.stop(e, core.BySession)
	}
	var ended []*entry
	for _, e := range open {
		if t.ends(ctx, e) {
			ended = append(ended, e)
		}
	}
	return t.views(ended)
}

// ends waits for the end of a call or a job; it is true for a job, which has settled then.
func (t *Table) ends(ctx context.Context, e *entry) bool {
	t.mu.Lock()
	script := e.script
	t.mu.Unlock()
	if script != nil {
		select {
		case <-script.Done():
		case <-ctx.Done():
			t.give(e, script)
		}
	}
	if !t.isJob(e) {
		return false
	}
	select {
	case <-e.over:
		return true
	case <-ctx.Done():
		return is(e.over)
	}
}

func (t *Table) isJob(e *entry) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return e.id != ""
}

// give settles a job whose processes did not end in time: the groups that it has are
// named.
func (t *Table) give(e *entry, script Script) {
	if !is(e.recorded) {
		return // a call without a job has nothing to settle
	}
	end := event.Settlement{Exit: -1, Text: fmt.Sprintf("%s[its processes did not end in time]\n", script.SoFar().SoFarText())}
	for _, g := range script.Groups(nil) {
		end.Survivors = append(end.Survivors, fmt.Sprintf("%s (process group %d)", g.Name, g.PID))
	}
	t.finish(e, core.Killed, end)
}
