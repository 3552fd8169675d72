package jobs

// Sight is what a later process sees under the number of a process group that a job
// once started. The machine gives numbers again: a number alone says nothing.
type Sight struct {
	// Boot is true when the machine has not been started anew since: process numbers and
	// start times both begin again then.
	Boot bool
	// Members is true when a process that has not ended is in the group of that number.
	Members bool
	// Leader is true when a process has the very number, and Same when it started at the
	// recorded time.
	Leader, Same bool
	// Marked is true when a process of the group has the job's own mark in its
	// environment. It stays false where environments cannot be read.
	Marked bool
}

// Ours reports whether the group is the job's, so that it may be signalled. The mark is
// proof. Without it, number and start time of the first process are; a group that has
// lost its first process may be a stranger's, and is left alone.
func (s Sight) Ours() bool {
	if !s.Boot || !s.Members {
		return false
	}
	return s.Marked || s.Leader && s.Same
}
