package laws

import (
	core "tenet/core/lease"
	"tenet/laws/law"
	"tenet/models/lease"
)

type leaseLaw = law.Law[lease.State, lease.Op, lease.Out]

// Lease: the root turn's lease, first come, first served (H6.2).
var Lease = struct {
	// FIFO: the holder asked before every waiter, and waiters stand in asking order: who asks comes last and nobody overtakes.
	FIFO leaseLaw `law:"lease_fifo" rule:"H6.2"`
	// NeverIdle: exactly one holds, or nobody is live: a release, a stop and a crash hand on at once.
	NeverIdle leaseLaw `law:"lease_never_idle" rule:"H6.2"`
	// KeepsWaiters: an event that does not end a live place (its release, its stop, its origin's crash) leaves it waiting or holding; none is skipped, and a holder keeps holding.
	KeepsWaiters leaseLaw `law:"lease_keeps_waiters" rule:"H6.2"`
	// StopNeverHolds: a stopped place never holds.
	StopNeverHolds leaseLaw `law:"lease_stop_never_holds" rule:"H6.2"`
	// CrashFrees: a crash ends every place of its origin, held or awaited.
	CrashFrees leaseLaw `law:"lease_crash_frees" rule:"H6.2"`
}{
	FIFO: leaseLaw{Step: func(b lease.State, op lease.Op, _ lease.Out, a lease.State) law.Verdict {
		v := law.Idle
		for i := range a {
			for j := range a {
				if !a[i].Live() || !a[j].Live() || i == j || a[i].Number > a[j].Number {
					continue
				}
				v = law.Holds // i is before j
				overtook := b[i].Live() && b[j].Live() && b[i].Number > b[j].Number
				if overtook || !b[i].Live() && b[j].Live() || a[j].Status == core.Holding {
					return law.Broken("client %d stands before %d after %+v on %+v", i, j, b, op)
				}
			}
		}
		return v
	}},
	NeverIdle: leaseLaw{State: func(s lease.State) law.Verdict {
		live, holders := 0, 0
		for _, c := range s {
			if c.Live() {
				live++
			}
			if c.Live() && c.Status == core.Holding {
				holders++
			}
		}
		if live == 0 {
			return law.Idle
		}
		return law.Check(holders == 1, "%d live and %d holding", live, holders)
	}},
	KeepsWaiters: leaseLaw{Step: func(b lease.State, op lease.Op, _ lease.Out, a lease.State) law.Verdict {
		v := law.Idle
		for i, c := range b {
			if !c.Live() || ends(op, i, c) {
				continue
			}
			v = law.Holds
			if !a[i].Live() || a[i].Origin != c.Origin || c.Status == core.Holding && a[i].Status != core.Holding {
				return law.Broken("client %d was %+v and is %+v on %+v", i, c, a[i], op)
			}
		}
		return v
	}},
	StopNeverHolds: leaseLaw{Step: func(b lease.State, op lease.Op, _ lease.Out, a lease.State) law.Verdict {
		v := law.Idle
		for i, c := range b {
			own := int(op.Client) == i
			stopped := c.Asked && c.Status == core.Stopped && !(op.Kind == lease.Ask && own)
			stops := c.Live() && op.Kind == lease.Stop && own
			if !stopped && !stops {
				continue
			}
			v = law.Holds
			if a[i].Status != core.Stopped {
				return law.Broken("client %d stopped and is %+v on %+v", i, a[i], op)
			}
		}
		return v
	}},
	CrashFrees: leaseLaw{Step: func(b lease.State, op lease.Op, out lease.Out, a lease.State) law.Verdict {
		ended := uint8(0)
		for i, c := range b {
			if op.Kind != lease.Crash || !c.Live() || c.Origin != op.Origin {
				continue
			}
			ended++
			if a[i].Status != core.Crashed {
				return law.Broken("origin %d crashed and its client %d is %+v", op.Origin, i, a[i])
			}
		}
		if ended == 0 {
			return law.Idle
		}
		return law.Check(out.Ended == ended, "%d places ended, %d were told", ended, out.Ended)
	}},
}

// ends is true when the event ends client i's place.
func ends(op lease.Op, i int, c lease.Client) bool {
	switch op.Kind {
	case lease.Release, lease.Stop:
		return int(op.Client) == i
	case lease.Crash:
		return c.Origin == op.Origin
	case lease.Ask:
	}
	return false
}

// LeaseBook lists the laws of the lease.
var LeaseBook = law.Book[lease.State, lease.Op, lease.Out]("lease", &Lease)
