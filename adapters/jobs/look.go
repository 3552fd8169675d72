package jobs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"tenet/core/event"
	core "tenet/core/jobs"
	"tenet/core/output"
)

// View is a job as it stands.
type View struct {
	ID, Call, Kind, Command string
	// Status is running, or how it ended.
	Status core.Status
	// Stopper is who asked for its end; nobody while it goes on, or when it ended by
	// itself.
	Stopper core.By
	// For is how long it has run, 0 when that is not known.
	For time.Duration
	// Written is the bytes that it has written, as far as that is known.
	Written int64
	// End is its settlement, the zero value while it runs.
	End event.Settlement
	// Unsaved is why the log does not hold the settlement.
	Unsaved error
}

// List is every job that runs and the last ones that ended, the oldest first.
func (t *Table) List() []View {
	t.mu.Lock()
	defer t.mu.Unlock()
	var out []View
	for _, e := range t.calls {
		if e.id != "" {
			out = append(out, e.view())
		}
	}
	return out
}

func (e *entry) view() View {
	v := View{ID: e.id, Call: e.call.ID, Kind: e.call.Kind, Command: e.call.Command, Status: e.job.Status,
		Stopper: e.job.Stopper, Written: e.bytes(), End: e.end, Unsaved: e.unsaved}
	until := e.ended
	if until.IsZero() {
		until = time.Now()
	}
	if !e.began.IsZero() {
		v.For = until.Sub(e.began)
	}
	return v
}

// find is a job by its id; the error lists the ids there are.
func (t *Table) find(id string) (*entry, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	var ids []string
	for _, e := range t.calls {
		if e.id == id && id != "" {
			return e, nil
		}
		if e.id != "" {
			ids = append(ids, e.id)
		}
	}
	if len(ids) == 0 {
		return nil, fmt.Errorf("there is no job %q: no call of this session has become one", id)
	}
	return nil, fmt.Errorf("there is no job %q; there are %s", id, strings.Join(ids, ", "))
}

// Wait waits until the job has settled, or any that runs when id is empty, for as long as
// is asked and never longer than the blocking budget (J5). It answers how the jobs stand
// that it waited for.
func (t *Table) Wait(ctx context.Context, id string, asked time.Duration) ([]View, error) {
	over, waited, err := t.awaited(id)
	if err != nil {
		return nil, err
	}
	passed, drop := t.o.After(t.o.Limits.Blocks(asked))
	defer drop()
	select {
	case <-over:
	case <-passed:
	case <-ctx.Done():
	}
	return t.views(waited), nil
}

// awaited is what a wait waits for, and the jobs that it is about.
func (t *Table) awaited(id string) (<-chan struct{}, []*entry, error) {
	if id != "" {
		e, err := t.find(id)
		if err != nil {
			return nil, nil, err
		}
		return e.over, []*entry{e}, nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	live := slices.DeleteFunc(slices.Clone(t.calls), func(e *entry) bool { return !e.job.Live() })
	if len(live) == 0 {
		return nil, nil, errors.New("no job runs, so there is nothing to wait for")
	}
	return t.changed, live, nil
}

func (t *Table) views(of []*entry) []View {
	t.mu.Lock()
	defer t.mu.Unlock()
	out := make([]View, len(of))
	for i, e := range of {
		out[i] = e.view()
	}
	return out
}

// The bounds of a tail.
const (
	TailLines = 50
	TailMost  = 200
	TailBytes = 16 << 10
)

// Tail is the last lines of what a job has written until now, at most TailBytes of them.
func (t *Table) Tail(id string, lines int) (string, View, error) {
	if lines < 1 || lines > TailMost {
		return "", View{}, fmt.Errorf("lines is %d; it may be 1 to %d", lines, TailMost)
	}
	e, err := t.find(id)
	if err != nil {
		return "", View{}, err
	}
	t.mu.Lock()
	script, v := e.script, e.view()
	t.mu.Unlock()
	text := v.End.Text
	if script != nil {
		text = script.SoFar().SoFarText()
	}
	return tail(text, lines), v, nil
}

// tail is the last lines of a text, within TailBytes.
func tail(text string, lines int) string {
	b := output.New(output.Limits{Bytes: TailBytes, Lines: lines})
	b.Write([]byte(text))
	b.Close()
	return b.Text()
}

// Kill stops a job for somebody, and waits for its end within the blocking budget. took
// is false when it had ended, or somebody had stopped it before; the view says who.
func (t *Table) Kill(ctx context.Context, id string, by core.By) (v View, took bool, err error) {
	e, err := t.find(id)
	if err != nil {
		return View{}, false, err
	}
	took = t.stop(e, by)
	passed, drop := t.o.After(t.o.Limits.Budget)
	defer drop()
	select {
	case <-e.over:
	case <-passed:
	case <-ctx.Done():
	}
	return t.views([]*entry{e})[0], took, nil
}
