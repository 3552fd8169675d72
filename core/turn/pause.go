package turn

import "time"

// The waits of the retry policy.
const (
	// RetryBase is the wait before the first retry; it doubles with each (H4.5).
	RetryBase = 2 * time.Second
	// LongestRetry is the longest wait that tenet waits by itself. A server that asks for
	// more ends the turn with its reason: nobody should watch a clock in silence.
	LongestRetry = time.Minute
)

// The waits between the polls of a deferred answer: short at first, since many jobs
// are done soon, and a minute at most, so that a finished answer never lies there long.
const (
	FirstPoll   = 5 * time.Second
	LongestPoll = time.Minute
)

// DefaultWindow is how long a deferred answer may take when neither the provider nor
// the request says (H4.4).
const DefaultWindow = 24 * time.Hour

// RetryPause is how long to wait before the retry that follows `spent` others: the
// base doubled for each, stretched by spread (0 to 1, a random part, so that many
// sessions do not come back in step) up to a half more, and never less than the
// server asked for. ok is false when that is longer than longest: then the failure is
// not one to wait for, and the turn fails with the server's own words (Input.Transient
// false). A base or longest of 0 or less is the default.
func RetryPause(spent uint16, base, server, longest time.Duration, spread float64) (wait time.Duration, ok bool) {
	if base <= 0 {
		base = RetryBase
	}
	if longest <= 0 {
		longest = LongestRetry
	}
	own := min(doubled(base, spent, longest), longest)
	own = min(own+time.Duration(float64(own)*min(max(spread, 0), 1)/2), longest)
	return max(own, server), server <= longest
}

// doubled is base·2^times without overflow: it stops once it passes limit.
func doubled(base time.Duration, times uint16, limit time.Duration) time.Duration {
	for ; times > 0 && base < limit; times-- {
		base *= 2
	}
	return base
}

// PollPause is how long to wait before the next poll of a job with this many
// still-deferred answers and failed polls in a row: never less than the server asked
// for, and never past the deadline, since an answer that is ready then still counts.
func PollPause(s State, server, left time.Duration) time.Duration {
	own := doubled(FirstPoll, max(s.Polls, 1)-1+s.Failures, LongestPoll)
	return max(min(max(min(own, LongestPoll), server), left), 0)
}

// Overdue reports whether a job's deadline has passed (Input.Late).
func Overdue(now, deadline time.Time) bool { return !now.Before(deadline) }

// Deadline is until when a deferred answer is polled: the provider's own expiry, else
// the window that the request asked for, else DefaultWindow, counted from when it was
// sent (H4.4). A zero expiry or window says nothing.
func Deadline(sent, expiry time.Time, window time.Duration) time.Time {
	switch {
	case !expiry.IsZero():
		return expiry
	case window > 0:
		return sent.Add(window)
	}
	return sent.Add(DefaultWindow)
}

// Patience is the idle deadline of the request after one that stalled: twice what it
// stalled under (H4.5), an hour at most. Zero stays zero, the provider's own default.
func Patience(stalledUnder time.Duration) time.Duration {
	const most = time.Hour
	return max(min(2*min(stalledUnder, most), most), 0)
}
