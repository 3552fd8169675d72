package jobs

import "time"

// Limits bound the jobs of a session.
type Limits struct {
	// Budget is how long a call may block, and a wait for jobs as well (J5).
	Budget time.Duration
	// Live is how many jobs may run at once.
	Live int
	// Kept is how many ended ones can still be looked at.
	Kept int
}

// The limits of a session that sets none. The budget is the setting
// toolBlockingBudgetMs.
const (
	DefaultBudget = 30 * time.Second
	DefaultLive   = 32
	DefaultKept   = 64
)

// Filled is the limits with the defaults where nothing is set.
func (l Limits) Filled() Limits {
	if l.Budget <= 0 {
		l.Budget = DefaultBudget
	}
	if l.Live <= 0 {
		l.Live = DefaultLive
	}
	if l.Kept <= 0 {
		l.Kept = DefaultKept
	}
	return l
}

// Blocks is how long a call blocks that asks for at most some time: never longer than
// the budget; what asks for nothing gets all of it.
func (l Limits) Blocks(asked time.Duration) time.Duration {
	if asked <= 0 {
		return l.Budget
	}
	return min(asked, l.Budget)
}

// TooMany reports whether a job that has just begun is one more than may run, when
// live run with it. It is that one that is stopped; the others go on (law
// job_cap_drops_only_excess).
func (l Limits) TooMany(live int) bool { return live > l.Live }

// Forget is how many of the oldest of ended jobs are forgotten. What runs is never
// forgotten.
func (l Limits) Forget(ended int) int { return max(ended-l.Kept, 0) }
