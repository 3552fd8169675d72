package jobs

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"tenet/adapters/shell"
	"tenet/core/event"
	core "tenet/core/jobs"
	"tenet/core/output"
)

// Recover takes over from a process that is gone: past is the session as its log tells
// it. What still lives of its jobs, and of the calls that it was waiting for, is ended;
// a group counts for theirs only by the rules of core/jobs.Sight. Each job without an
// end gets one, which goes to OnSettle. It returns those ends, and the groups that were
// ended for calls that never became a job. It takes the grace time and a second at most,
// or until ctx ends. Call it before the session goes on.
func (t *Table) Recover(ctx context.Context, past event.State) (ends []event.Settlement, strays []event.Group) {
	t.mu.Lock()
	t.made = max(t.made, past.Detached)
	t.mu.Unlock()
	hunts := t.hunts(past)
	t.end(ctx, hunts)
	for _, h := range hunts {
		if h.job == nil {
			strays = append(strays, h.found...)
			continue
		}
		if s, ok := t.found(h); ok {
			ends = append(ends, s)
		}
	}
	return ends, strays
}

// hunt is what is looked for on behalf of one job, or of one call without a result.
type hunt struct {
	job  *event.OpenJob // nil for a call that never became one
	boot string
	mark string
	// groups are to be looked at, found those that were the job's.
	groups, found []event.Group
}

func (t *Table) hunts(past event.State) []*hunt {
	var out []*hunt
	for i := range past.Jobs {
		j := &past.Jobs[i]
		h := &hunt{job: j, boot: j.Boot, mark: shell.Mark(t.o.Session, j.Call), groups: slices.Clone(j.Groups)}
		out = append(out, h)
	}
	for _, c := range past.Calls {
		known := slices.ContainsFunc(past.Jobs, func(j event.OpenJob) bool { return j.Call == c.ID })
		if c.Started && !known {
			out = append(out, &hunt{boot: t.o.Boot(), mark: shell.Mark(t.o.Session, c.ID)})
		}
	}
	for _, h := range out {
		h.widen(t.o)
	}
	return out
}

// widen adds the groups that the log does not name and the mark finds: one that had
// started when the process died before it could write it down.
func (h *hunt) widen(o Options) {
	for _, g := range o.Orphans.Find(h.mark) {
		if !slices.ContainsFunc(h.groups, func(k event.Group) bool { return k.PID == g.PID }) {
			h.groups = append(h.groups, g)
		}
	}
	for _, g := range h.groups {
		if h.ours(o, g) {
			h.found = append(h.found, g)
		}
	}
}

// ours asks core about a group as it is now. It is asked again before each signal.
func (h *hunt) ours(o Options, g event.Group) bool {
	return o.Orphans.Look(h.boot, g, h.mark).Ours()
}

// end asks every group to end, and makes those that have not when the grace is over.
func (t *Table) end(ctx context.Context, hunts []*hunt) {
	if !t.signal(hunts, false) {
		return
	}
	if !t.gone(ctx, hunts, t.o.Grace) {
		t.signal(hunts, true)
		t.gone(context.WithoutCancel(ctx), hunts, killed)
	}
}

// killed is how long a killed group has to be gone; only a process inside the kernel
// takes longer, and no wait would help it.
const killed = time.Second

// signal sends to every group that is still there; false when none is.
func (t *Table) signal(hunts []*hunt, kill bool) (some bool) {
	for _, h := range hunts {
		for _, g := range h.found {
			if h.ours(t.o, g) {
				t.o.Orphans.Signal(g.PID, kill)
				some = true
			}
		}
	}
	return some
}

// gone waits until no group is left, for at most d; false when some is.
func (t *Table) gone(ctx context.Context, hunts []*hunt, d time.Duration) bool {
	passed, drop := t.o.After(d)
	defer drop()
	for pause := time.Millisecond; ; pause = min(2*pause, 50*time.Millisecond) {
		if len(t.left(hunts)) == 0 {
			return true
		}
		look, stop := t.o.After(pause)
		select {
		case <-look:
			stop()
		case <-passed:
			stop()
			return false
		case <-ctx.Done():
			stop()
			return false
		}
	}
}

// left are the groups that are still there.
func (t *Table) left(hunts []*hunt) (out []event.Group) {
	for _, h := range hunts {
		for _, g := range h.found {
			if h.ours(t.o, g) {
				out = append(out, g)
			}
		}
	}
	return out
}

// found settles a job by what was found of it, and lists it among the ended ones.
func (t *Table) found(h *hunt) (event.Settlement, bool) {
	e := &entry{id: h.job.Job, job: core.Job{Phase: core.Detached}, ended: time.Now(), recorded: make(chan struct{}), over: make(chan struct{}),
		call: Call{ID: h.job.Call, Kind: h.job.Kind, Command: h.job.Command}}
	close(e.recorded)
	after, act := e.job.Found(len(h.found) > 0)
	if act != core.Settle {
		return event.Settlement{}, false
	}
	e.job.Stopper = after.Stopper
	t.mu.Lock()
	t.calls = append(t.calls, e)
	t.mu.Unlock()
	end := event.Settlement{Exit: -1, Text: h.text(after.Status)}
	for _, g := range t.left([]*hunt{h}) {
		end.Survivors = append(end.Survivors, fmt.Sprintf("%s (process group %d)", g.Name, g.PID))
	}
	t.finish(e, after.Status, end)
	return e.end, true
}

// text is what the model reads of a job that nobody saw end.
func (h *hunt) text(s core.Status) string {
	var b strings.Builder
	b.WriteString(h.output())
	if s == core.Lost {
		b.WriteString("[lost: the tenet process that watched this job is gone, and nothing of the job runs any more; nobody saw how it ended. Check what it should have done before you run it again]\n")
		return b.String()
	}
	names := make([]string, len(h.found))
	for i, g := range h.found {
		names[i] = fmt.Sprintf("%d (%s)", g.PID, g.Name)
	}
	fmt.Fprintf(&b, "[killed: the tenet process that watched this job is gone; what still ran of it, process groups %s, was ended. It may have done only a part: check before you run it again]\n", strings.Join(names, ", "))
	return b.String()
}

// output is what is left of the job's output: the end of its file, or what the call was
// answered with.
func (h *hunt) output() string {
	text := h.job.Output
	if f, err := os.Open(h.job.Artifact); err == nil && h.job.Artifact != "" {
		defer f.Close()
		b := output.New(output.Limits{})
		if n, err := f.Seek(-2*output.DefaultBytes, io.SeekEnd); err != nil || n < 0 {
			_, _ = f.Seek(0, io.SeekStart)
		}
		if _, err := io.Copy(writer{b}, io.LimitReader(f, 4*output.DefaultBytes)); err == nil {
			b.Close()
			text = b.Text() + "[the whole output is in " + h.job.Artifact + "]\n"
		}
	}
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text
}

// writer hands bytes to a bound.
type writer struct{ to *output.Bound }

// Write never fails: what does not fit is counted.
func (w writer) Write(p []byte) (int, error) {
	w.to.Write(p)
	return len(p), nil
}
