package turn_test

import (
	"testing"
	"time"

	"tenet/core/turn"
)

func TestARetryWaitsLongerEachTimeAndNeverLessThanTheServerAsks(t *testing.T) {
	const s = time.Second
	for _, c := range []struct {
		spent                 uint16
		base, server, longest time.Duration
		spread                float64
		wait                  time.Duration
		ok                    bool
	}{
		{0, 0, 0, 0, 0, 2 * s, true},
		{1, 0, 0, 0, 0, 4 * s, true},
		{2, 0, 0, 0, 0, 8 * s, true},
		{9, 0, 0, 0, 0, 60 * s, true},
		{65_535, 0, 0, 0, 1, 60 * s, true},
		{0, 0, 0, 0, 1, 3 * s, true},
		{0, 0, 0, 0, 7, 3 * s, true},
		{0, 0, 30 * s, 0, 1, 30 * s, true},
		{0, 0, 60 * s, 0, 0, 60 * s, true},
		{0, 0, 61 * s, 0, 0, 61 * s, false},
		{0, s / 2, 0, 0, 0, s / 2, true},
		{3, s, 0, 5 * s, 0, 5 * s, true},
		{0, 10 * s, 0, 5 * s, 0, 5 * s, true},
	} {
		if wait, ok := turn.RetryPause(c.spent, c.base, c.server, c.longest, c.spread); wait != c.wait || ok != c.ok {
			t.Errorf("%+v: waits %v, %v", c, wait, ok)
		}
	}
}

func TestPollsAreCloseAtFirstAndNeverPastTheDeadline(t *testing.T) {
	const s = time.Second
	for _, c := range []struct {
		polls, failures    uint16
		server, left, wait time.Duration
	}{
		{1, 0, 0, time.Hour, 5 * s},
		{2, 0, 0, time.Hour, 10 * s},
		{1, 2, 0, time.Hour, 20 * s},
		{65_535, 0, 0, time.Hour, 60 * s},
		{1, 0, 5 * time.Minute, time.Hour, 5 * time.Minute},
		{9, 0, 0, 7 * s, 7 * s},
		{9, 0, time.Hour, 7 * s, 7 * s},
		{1, 0, 0, -s, 0},
		{0, 0, 0, time.Hour, 5 * s},
	} {
		if got := turn.PollPause(turn.State{Polls: c.polls, Failures: c.failures}, c.server, c.left); got != c.wait {
			t.Errorf("%+v: waits %v", c, got)
		}
	}
}

func TestADeferredAnswerHasADeadline(t *testing.T) {
	sent := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		expiry time.Time
		window time.Duration
		want   time.Time
	}{
		{time.Time{}, 0, sent.Add(24 * time.Hour)},
		{time.Time{}, 15 * time.Minute, sent.Add(15 * time.Minute)},
		{sent.Add(time.Minute), time.Hour, sent.Add(time.Minute)},
	} {
		if got := turn.Deadline(sent, c.expiry, c.window); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
	if turn.Overdue(sent, sent.Add(1)) || !turn.Overdue(sent, sent) {
		t.Error("a deadline has passed from its own instant on, and not before")
	}
}

func TestAStalledModelGetsTwiceTheTimeUpToAnHour(t *testing.T) {
	for under, want := range map[time.Duration]time.Duration{0: 0, time.Minute: 2 * time.Minute, 40 * time.Minute: time.Hour, 1<<63 - 1: time.Hour, -1: 0} {
		if got := turn.Patience(under); got != want {
			t.Errorf("after %v: %v, want %v", under, got, want)
		}
	}
}

// A restart keeps what was spent, and asks for a deferred answer instead of sending again.
func TestATurnIsTakenUpAsItWasLeft(t *testing.T) {
	got := turn.Resume(turn.Kept{Rounds: 7, Retries: 2, Notes: 3, Compactions: 1})
	if want := (turn.State{Rounds: 7, Retries: 2, Notes: 3, Compactions: 1, Note: 4}); got != want || got.First() != turn.Prepare {
		t.Errorf("resumed as %+v, first %v", got, got.First())
	}
	got = turn.Resume(turn.Kept{Deferred: true, Polls: 9, Failures: 1})
	if want := (turn.State{Phase: turn.Polling, Polls: 9, Failures: 1}); got != want || got.First() != turn.Poll {
		t.Errorf("resumed as %+v, first %v", got, got.First())
	}
}

func TestLimitsFollowTheSettings(t *testing.T) {
	if got, want := turn.Limits(0, 3, true, true), turn.Default(); got != want {
		t.Errorf("%+v, want the defaults %+v", got, want)
	}
	got := turn.Limits(7, 5, false, false)
	if got.Rounds != 7 || got.Retries != 0 || got.Compactions != 0 || got.Notes != turn.MaxNotes {
		t.Errorf("%+v: the retry policy and compaction are off, and notes ask neither", got)
	}
	if got := turn.Limits(1<<20, -1, true, true); got.Rounds != 1<<16-1 || got.Retries != 0 {
		t.Errorf("%+v", got)
	}
}
