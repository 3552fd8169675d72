package laws

import (
	core "tenet/core/approvals"
	"tenet/laws/law"
	"tenet/models/approvals"
)

type askingLaw = law.Law[approvals.State, approvals.Op, approvals.Out]

// Settled: what the clients of a chain have before them (S7.8 "The question").
var Settled = struct {
	// QuestionSettlesEveryClient: once a question is settled or stands at another session, every client drops it; a late answer is told that it is gone, and changes nothing.
	QuestionSettlesEveryClient askingLaw `law:"question_settles_every_client" rule:"S7.8"`
}{
	QuestionSettlesEveryClient: askingLaw{Step: func(b approvals.State, op approvals.Op, out approvals.Out, a approvals.State) law.Verdict {
		if op.Kind == approvals.Answer && b.Has[op.Client]&(1<<op.Question) == 0 {
			return law.Check(out.Outcome == core.Gone && a == b, "client %d answered what it did not have in %+v: %+v, %+v", op.Client, b, out, a)
		}
		v := law.Idle
		for q := range a.Places {
			if b.Places[q] == a.Places[q] || b.Places[q] >= approvals.Sessions {
				continue // it neither ended nor moved from clients that had it
			}
			v = law.Holds
			for c, has := range a.Has {
				if has&(1<<q) != 0 && a.Places[q] != approvals.Place(approvals.Home[c]) {
					return law.Broken("question %d is at %d and client %d still has it after %+v", q, a.Places[q], c, op)
				}
			}
		}
		return v
	}},
}

// SettledBook lists them.
var SettledBook = law.Book[approvals.State, approvals.Op, approvals.Out]("approvals", &Settled)
