package bridge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"testing"

	production "tenet/adapters/admission"
	"tenet/bridge/engine/trial"
	core "tenet/core/admission"
)

// admissionStage is one provider under a scheduler: every client pauses before each
// of its calls, and inside of the blocking ones wherever another may come between.
type admissionStage struct {
	*admissionCalls
	s *trial.Sched
	// lies is what permits said wrongly about their end.
	lies *[]error
}

// user waits for a slot, uses it and gives it back.
func (st admissionStage) user(client int) {
	st.visitor(client, core.Interactive)
}

// work does the same in the background. When it is preempted it stops and asks once
// more, as a compaction does.
func (st admissionStage) work(client int) {
	st.s.Go(fmt.Sprint("work ", client), func(ctx context.Context) {
		if p := st.visit(ctx, client, core.Background); p != nil && p.Cause() == production.ErrPreempted {
			st.visit(ctx, client, core.Background)
		}
	})
}

func (st admissionStage) visitor(client int, class core.Class) {
	st.s.Go(fmt.Sprint(class, " ", client), func(ctx context.Context) { st.visit(ctx, client, class) })
}

// visit returns the permit it had, nil when it had none.
func (st admissionStage) visit(ctx context.Context, client int, class core.Class) *production.Permit {
	if !st.enter(client, class) {
		return nil
	}
	p := st.wait(ctx, client)
	if p == nil {
		return nil
	}
	st.s.Pause("working")
	want := cmp.Or(p.Cause(), production.ErrReleased)
	st.end(client)
	if p.Cause() != want {
		*st.lies = append(*st.lies, fmt.Errorf("the permit of %d says %w, not %w", client, p.Cause(), want))
	}
	return p
}

// quitter is a visitor whose user goes away at any time.
func (st admissionStage) quitter(client int, class core.Class) {
	ctx, cancel := context.WithCancelCause(context.Background())
	st.s.Go(fmt.Sprint("quitter ", client), func(context.Context) { st.visit(ctx, client, class) })
	st.s.Go("the user goes", func(context.Context) { cancel(errGone) })
}

// limits changes the number of slots, one after the other.
func (st admissionStage) limits(client int, slots ...int) {
	st.s.Go("limits", func(context.Context) {
		for _, n := range slots {
			st.limit(client, core.Limits{Slots: n, Queue: 8})
			st.s.Pause("limited")
		}
	})
}

// admissionSchedules is every meeting of a few clients.
var admissionSchedules = []struct {
	name  string
	slots int
	cast  func(admissionStage)
}{
	{"users in line", 1, func(st admissionStage) { st.user(0); st.user(1); st.user(2) }},
	{"a user preempts work", 1, func(st admissionStage) { st.work(0); st.user(1) }},
	{"a user among works", 2, func(st admissionStage) { st.work(0); st.visitor(1, core.Background); st.user(2) }},
	{"a user goes while a slot comes", 1, func(st admissionStage) { st.user(0); st.quitter(1, core.Interactive) }},
	{"work goes while a user comes", 1, func(st admissionStage) { st.quitter(0, core.Background); st.user(1) }},
	{"one of three goes", 1, func(st admissionStage) { st.user(0); st.quitter(1, core.Interactive); st.user(2) }},
	{"the limit falls and rises", 2, func(st admissionStage) { st.user(0); st.user(1); st.limits(2, 1, 2) }},
	{"the limit rises beside work", 1, func(st admissionStage) { st.work(0); st.visitor(1, core.Background); st.limits(2, 2) }},
}

// stage plays one cast under one schedule, and judges the history of its calls.
func stage(slots int, dir string, cast func(admissionStage)) trial.Scenario {
	return func(s *trial.Sched) error {
		st := admissionStage{s: s, lies: new([]error)}
		st.admissionCalls = newAdmissionCalls("admission-schedule", core.Limits{Slots: slots, Queue: 8}, production.WithPause(s.Pause))
		cast(st)
		if err := s.Run(); err != nil {
			return err
		}
		return errors.Join(errors.Join(*st.lies...), st.settle(dir))
	}
}

// Every schedule of every cast: nobody waits for ever, every permit says why it
// ended, the calls are answered as if one after another, and nothing is left.
func TestAdmissionSchedules(t *testing.T) {
	defer report.Time("admission")()
	for _, sc := range admissionSchedules {
		t.Run(sc.name, func(t *testing.T) {
			n, err := trial.Schedules(t, 60_000, stage(sc.slots, t.TempDir(), sc.cast))
			if err != nil {
				t.Fatal(err)
			}
			report.Schedules("admission", n)
			t.Logf("%d schedules", n)
		})
	}
}

// Five clients have more schedules than can be run; these are drawn.
func TestAdmissionCrowd(t *testing.T) {
	defer report.Time("admission")()
	const schedules = 2000
	err := trial.SomeSchedules(t, schedules, 11, stage(2, t.TempDir(), func(st admissionStage) {
		st.work(0)
		st.quitter(1, core.Background)
		st.user(2)
		st.quitter(3, core.Interactive)
		st.limits(4, 1, 3)
	}))
	if err != nil {
		t.Fatal(err)
	}
	report.Schedules("admission", schedules)
}
