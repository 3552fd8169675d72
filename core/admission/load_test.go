package admission

import "testing"

// load is counts in the order of a line: limit and queue, who has a slot, who waits.
func load(slots, queue, interactive, background, interactiveWait, backgroundWait int) Load {
	return Load{Limits: Limits{Slots: slots, Queue: queue}, Slots: [classes]int{interactive, background}, Waiting: [classes]int{interactiveWait, backgroundWait}}
}

func TestArrive(t *testing.T) {
	for _, c := range []struct {
		name  string
		load  Load
		class Class
		want  Arrival
	}{
		{"a free slot", load(1, 1, 0, 0, 0, 0), Background, Arrival{Fate: Hold}},
		{"a background slot is free for a user", load(2, 1, 0, 2, 0, 3), Interactive, Arrival{Preempts: true, Fate: Hold}},
		{"all background slots go, also when one is free", load(3, 1, 0, 1, 0, 0), Interactive, Arrival{Preempts: true, Fate: Hold}},
		{"a user waits for users", load(1, 1, 1, 0, 0, 0), Interactive, Arrival{Fate: Wait}},
		{"background waits while a user works, beside a free slot", load(2, 1, 1, 0, 0, 0), Background, Arrival{Fate: Wait}},
		{"background waits while a user waits", load(2, 9, 0, 0, 1, 0), Background, Arrival{Fate: Wait}},
		{"nobody overtakes an older one of the class", load(2, 9, 1, 0, 1, 0), Interactive, Arrival{Fate: Wait}},
		{"a full queue", load(1, 2, 1, 0, 2, 0), Interactive, Arrival{Fate: Refuse}},
		{"background's full queue does not concern a user", load(1, 2, 1, 0, 0, 2), Interactive, Arrival{Fate: Wait}},
		{"no queue at all", load(1, 0, 0, 1, 0, 0), Background, Arrival{Fate: Refuse}},
		{"a lowered limit drains first", load(1, 1, 3, 0, 0, 0), Interactive, Arrival{Fate: Wait}},
	} {
		if got := c.load.Arrive(c.class); got != c.want {
			t.Errorf("%s: preempts %v, %v; want %v, %v", c.name, got.Preempts, got.Fate, c.want.Preempts, c.want.Fate)
		}
	}
}

func TestNext(t *testing.T) {
	for _, c := range []struct {
		name  string
		load  Load
		class Class
		ok    bool
	}{
		{"nobody waits", load(1, 1, 0, 0, 0, 0), 0, false},
		{"users first", load(1, 1, 0, 0, 1, 1), Interactive, true},
		{"no slot is free", load(1, 1, 1, 0, 1, 0), Interactive, false},
		{"background when no user is there", load(2, 1, 0, 1, 0, 1), Background, true},
		{"background not beside a user", load(2, 1, 1, 0, 0, 1), Background, false},
		{"above a lowered limit", load(1, 1, 2, 0, 1, 0), Interactive, false},
	} {
		if class, ok := c.load.Next(); ok != c.ok || ok && class != c.class {
			t.Errorf("%s: %v, %v", c.name, class, ok)
		}
	}
}

// What a look and a preemption make of each status.
func TestStatusMoves(t *testing.T) {
	for _, c := range []struct{ from, collected, preempted Status }{
		{Ended, Ended, Ended},
		{Queued, Queued, Queued},
		{Granted, Held, Queued},
		{Held, Held, Preempted},
		{Preempted, Preempted, Preempted},
		{99, 99, 99}, // no status at all moves nowhere
	} {
		if got := Collect(c.from); got != c.collected {
			t.Errorf("a look makes %v of %v, not %v", got, c.from, c.collected)
		}
		if got := Preempt(c.from); got != c.preempted {
			t.Errorf("a preemption makes %v of %v, not %v", got, c.from, c.preempted)
		}
		if has := c.from == Granted || c.from == Held; c.from.HasSlot() != has {
			t.Errorf("%v has a slot: %v", c.from, !has)
		}
	}
}

func TestLimitsValid(t *testing.T) {
	for l, want := range map[Limits]bool{{1, 0}: true, {8, 64}: true, {0, 1}: false, {-1, 1}: false, {1, -1}: false} {
		if l.Valid() != want {
			t.Errorf("%+v: valid is %v", l, !want)
		}
	}
}

func TestNames(t *testing.T) {
	for got, want := range map[string]string{
		Background.String(): "background", Preempted.String(): "preempted", Refuse.String(): "refuse",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
