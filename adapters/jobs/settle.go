package jobs

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"tenet/adapters/shell"
	"tenet/core/event"
	core "tenet/core/jobs"
)

// settle is the end of a job whose script has ended.
func (t *Table) settle(e *entry, r shell.Result) {
	end := event.Settlement{Exit: r.Status, Text: r.Text(), Dropped: r.Dropped()}
	for _, s := range r.Survivors {
		end.Survivors = append(end.Survivors, fmt.Sprintf("%s (process %d)", s.Name, s.PID))
	}
	t.mu.Lock()
	if limited(r) && e.job.Stopper == core.Nobody {
		e.job, _ = e.job.Stop(core.ByTimeout)
	}
	t.mu.Unlock()
	t.finish(e, statusOf(r), end)
}

// finish settles a job with a status, unless it has settled (law job_end_is_final). Who
// waits for the job is woken when its end stands in the log.
func (t *Table) finish(e *entry, status core.Status, end event.Settlement) {
	t.mu.Lock()
	var act core.Act
	e.job, act = e.job.End(status)
	if act != core.Settle {
		t.mu.Unlock()
		return
	}
	end.Job, end.Status = e.id, status.String()
	if status == core.Killed {
		end.By = e.job.Stopper.String()
	}
	e.written, e.end, e.ended, e.script = e.bytes(), end, time.Now(), nil
	t.forget()
	t.mu.Unlock()

	err := t.tell(end)
	t.mu.Lock()
	e.unsaved = err
	close(e.over)
	close(t.changed)
	t.changed = make(chan struct{})
	t.mu.Unlock()
}

// bytes is what a job has written.
func (e *entry) bytes() int64 {
	if e.script == nil {
		return e.written
	}
	so := e.script.SoFar()
	return so.Bounded.Written + so.ErrorsBounded.Written
}

// forget drops the oldest ended jobs past the bound (law job_cap_drops_only_excess).
func (t *Table) forget() {
	var ended []*entry
	for _, e := range t.calls {
		if e.job.Phase == core.Settled {
			ended = append(ended, e)
		}
	}
	slices.SortStableFunc(ended, func(a, b *entry) int { return a.ended.Compare(b.ended) })
	for _, e := range ended[:t.o.Limits.Forget(len(ended))] {
		t.drop(e)
	}
}

// statusOf is how a script's end counts for its job.
func statusOf(r shell.Result) core.Status {
	switch r.End.Kind {
	case shell.Finished, shell.Exited:
		return core.Finished
	case shell.Refused:
		return core.Refused
	case shell.Cancelled:
		return core.Killed
	case shell.Failed:
	}
	return core.Failed
}

// limited reports whether a script ended because the time limit of its call was over.
func limited(r shell.Result) bool {
	var limit *shell.TimeLimit
	return errors.As(r.End.Err, &limit)
}
