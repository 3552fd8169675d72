package laws

import (
	"tenet/laws/law"
	"tenet/models/log"
)

type callsLaw = law.Law[log.History, log.Event, struct{}]

// LogCalls: what the log says of calls, and what a new process makes of it (H7.4).
var LogCalls = struct {
	// DispatchedFirst: an effect of a call happens only after a dispatched record of it, in the same process.
	DispatchedFirst callsLaw `law:"log_dispatched_first" rule:"DESIGN flow"`
	// OneResult: a result follows its call, and no call has two.
	OneResult callsLaw `law:"log_one_result" rule:"DESIGN flow"`
	// UnresolvedNamed: a process that takes a session up names each call without a result, no other, and gives each its one result.
	UnresolvedNamed callsLaw `law:"log_unresolved_named" rule:"H7.4"`
	// NeverRunAgain: a call that a crash interrupted is neither taken up nor dispatched again, and has no effect again.
	NeverRunAgain callsLaw `law:"log_never_run_again" rule:"H7.4"`
}{
	DispatchedFirst: callsLaw{State: func(h log.History) law.Verdict {
		v := law.Idle
		var started [2]bool
		for i, e := range h {
			switch {
			case e.What == log.Died:
				started = [2]bool{}
			case e.What == log.Started:
				started[e.Call] = true
			case e.What == log.Effect && !started[e.Call]:
				return law.Broken("event %d is an effect of call %d that no record announces", i+1, e.Call+1)
			case e.What == log.Effect:
				v = law.Holds
			}
		}
		return v
	}},
	OneResult: callsLaw{State: func(h log.History) law.Verdict {
		v := law.Idle
		made := false
		var results [2]int
		for i, e := range h {
			made = made || e.What == log.Made || e.What == log.Own
			if e.What != log.Answered {
				continue
			}
			v = law.Holds
			if results[e.Call]++; !made || results[e.Call] > 1 {
				return law.Broken("event %d is result %d of call %d", i+1, results[e.Call], e.Call+1)
			}
		}
		return v
	}},
	UnresolvedNamed: callsLaw{Step: func(b log.History, e log.Event, _ struct{}, a log.History) law.Verdict {
		if e.What != log.TakenUp {
			return law.Idle
		}
		open := waiting(b)
		at := b.Len()
		if a[at] != (log.Event{What: log.TakenUp, Call: open}) {
			return law.Broken("calls %02b have no result and the resumption is %+v", open, a[at])
		}
		return law.Check(waiting(a) == 0 && a.Len() == at+1+int(open&1+open>>1), "after the resumption calls %02b have no result: %+v", waiting(a), a[at:])
	}},
	NeverRunAgain: callsLaw{State: func(h log.History) law.Verdict {
		v := law.Idle
		var over uint8
		for i, e := range h {
			if e.What == log.Died {
				over |= waiting(h.Before(i))
			}
			running := e.What == log.Taken || e.What == log.Own || e.What == log.Started || e.What == log.Effect
			if running && over&(1<<e.Call) != 0 {
				return law.Broken("event %d runs call %d, which a crash interrupted", i+1, e.Call+1)
			}
			if over != 0 {
				v = law.Holds
			}
		}
		return v
	}},
}

// waiting is the set of calls that were made and have no result.
func waiting(h log.History) (set uint8) {
	for _, e := range h {
		switch e.What {
		case log.Made:
			set = 3
		case log.Own:
			set |= 1 << e.Call
		case log.Answered:
			set &^= 1 << e.Call
		case log.Nothing, log.Effect, log.Died, log.Taken, log.Allowed, log.Denied, log.Started, log.TakenUp, log.Detached, log.Settled:
		}
	}
	return set
}

// LogCallsBook is the laws of calls in a log.
var LogCallsBook = law.Book[log.History, log.Event, struct{}]("log", &LogCalls)

type auditLaw = law.Law[log.Story, log.Event, int]

// LogAudit: what the fold says of a log that keeps no order.
var LogAudit = struct {
	// AuditExact: the fold names a contradiction exactly when a record speaks of a call that neither waits for a result nor goes on as a job, or of a job that does not run, dispatches a step that was not let through, makes or judges a call or detaches a job twice, runs an interrupted one, or resumes without naming one.
	AuditExact auditLaw `law:"log_audit_exact" rule:"DESIGN flow"`
}{
	AuditExact: auditLaw{Step: func(_ log.Story, _ log.Event, found int, s log.Story) law.Verdict {
		bad := contradiction(s)
		return law.Check((found > 0) == (bad > 0), "%d contradictions found, event %d is one (0 for none): %+v", found, bad, s)
	}},
}

// contradiction is the place of the first event that contradicts the earlier ones,
// counted from 1; 0 for none. Records of a story are about the first call; only
// replies and resumptions are about both.
func contradiction(s log.Story) int {
	var open, interrupted uint8
	allowed, judged := false, false
	var j job
	for i, e := range s {
		bad := false
		switch e.What {
		case log.Made:
			bad, open, allowed, judged = open != 0, 3, false, false
		case log.Taken, log.Answered:
			bad = open&1 == 0 || e.What == log.Taken && interrupted&1 != 0
			if e.What == log.Answered {
				open, interrupted = open&^1, interrupted&^1
			}
		case log.Allowed, log.Denied:
			bad, allowed, judged = open&1 == 0 && !j.runs || judged, e.What == log.Allowed, true
		case log.Started:
			bad = !allowed || (open&1 == 0 && !j.runs) || (open&1 != 0 && interrupted&1 != 0) || (open&1 == 0 && j.old)
		case log.TakenUp:
			bad, interrupted, j.old = open&^e.Call != 0, open, j.runs
		case log.Detached:
			bad, j = open&1 == 0 || interrupted&1 != 0 || j.runs, job{runs: true}
		case log.Settled:
			bad, j = !j.runs, job{}
		case log.Own:
			bad, open, allowed, judged = open&1 != 0 || j.runs, open|1, false, false
		case log.Nothing, log.Effect, log.Died:
		}
		if bad {
			return i + 1
		}
	}
	return 0
}

// job is the one that the first call may go on as: whether it runs, and whether a
// process that ended left it behind.
type job struct{ runs, old bool }

// LogAuditBook is the laws of an audit.
var LogAuditBook = law.Book[log.Story, log.Event, int]("log", &LogAudit)
