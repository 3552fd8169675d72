package approvals

import (
	"slices"

	"tenet/core/call"
)

// Outcome is what became of an answer.
type Outcome uint8

// The outcomes.
const (
	Taken      Outcome = iota // it is the verdict
	Gone                      // the client has no such question before it, or no longer
	NotOffered                // the question does not offer that; it stays open
)

var outcomeNames = [...]string{"taken", "gone", "not_offered"}

// String names the outcome.
func (o Outcome) String() string { return outcomeNames[o] }

// Answer is a client's answer to a question that stands before it. The first one
// settles the question; covers are the other open questions that its grant covers, as
// the gate judges them.
func (s Session) Answer(id ClientID, question string, a Answer, covers []string) (next Session, o Outcome, acts []Act) {
	i := s.find(question)
	switch {
	case i < 0 || s.open[i].at != Shown || !s.interactive(id):
		return s, Gone, nil
	case !s.open[i].offers(a):
		return s, NotOffered, nil
	}
	s = s.copied()
	return s, Taken, s.decide(i, s.verdict(id, a), covers)
}

// offers: a no is always there, and a yes only as it was offered. A pattern that the
// client made up would be a rule that nobody checked.
func (q Question) offers(a Answer) bool {
	return a.Choice == Deny && a.Pattern == "" || slices.Contains(q.Offers, Offer{a.Choice, a.Pattern}) && a.Choice != Deny
}

func (s Session) verdict(id ClientID, a Answer) Verdict {
	c := s.clients[slices.IndexFunc(s.clients, func(c client) bool { return c.id == id })]
	v := Verdict{Fate: Approved, Cause: Answered, Choice: a.Choice, Pattern: a.Pattern, By: c.name}
	if a.Choice == Deny {
		v.Fate, v.Reason = Denied, bounded(a.Reason)
	}
	return v
}

// decide settles a question by a verdict that somebody gave, and the others that it
// settles with it.
func (s *Session) decide(i int, v Verdict, covers []string) []Act {
	q := s.open[i].Question
	return append(s.settle(i, v), s.spread(q, v, covers)...)
}

// Granted is a standing grant that a client of another session gave: it settles the
// questions here that it covers.
func (s Session) Granted(v Verdict, covers []string) (next Session, acts []Act) {
	s = s.copied()
	return s, s.spread(Question{}, v, covers)
}

// spread ends the other questions that the verdict of one settles.
func (s *Session) spread(q Question, v Verdict, covers []string) (acts []Act) {
	for _, id := range s.ids() {
		if with, ok := settles(q, v, s.open[s.find(id)].Question, covers); ok {
			acts = append(acts, s.endNow(id, with)...)
		}
	}
	return acts
}

// settles says whether the verdict of one question ends another, and how. A denial by
// a person takes the other questions of the turn with it (law
// deny_settles_turn_siblings). A grant takes those that it covers; never one about a
// secret, which always asks, and a session's grant none of another session.
func settles(q Question, v Verdict, other Question, covers []string) (Verdict, bool) {
	switch {
	case v.Cause != Answered: // what settled this one settled the others, where it happened
		return Verdict{}, false
	case v.Fate == Denied:
		with := Verdict{Fate: Denied, Cause: WithTurn, By: v.By}
		return with, other.Session == q.Session && other.Turn == q.Turn
	case v.Fate != Approved || other.Effects.Has(call.Secret) || !slices.Contains(covers, other.ID):
		return Verdict{}, false
	}
	with := Verdict{Fate: Approved, Cause: Covered, Choice: v.Choice, Pattern: v.Pattern, By: v.By}
	return with, v.Choice == AllowAlways || v.Choice == AllowSession && other.Session == q.Session
}

// endNow ends a question by something that happened here. One that stands above ends
// there first: a client may be answering it at this moment, and whoever was told that
// the answer counts must be right.
func (s *Session) endNow(id string, v Verdict) []Act {
	i := s.find(id)
	if i < 0 {
		return nil
	}
	e := &s.open[i]
	if e.at != Above {
		return s.settle(i, v)
	}
	before := e.returns
	if before != endsAs {
		e.returns, e.end = endsAs, v
	}
	if before == endsUnanswered {
		return []Act{{Do: Withdraw, Question: id, Verdict: Verdict{Cause: v.Cause}}}
	}
	return nil
}

// settle takes a question off the list: every client that has it drops it, and whoever
// asked is told (law question_settles_every_client).
func (s *Session) settle(i int, v Verdict) (acts []Act) {
	e := s.open[i]
	s.open = slices.Delete(s.open, i, i+1)
	if e.at == Shown {
		acts = s.tell(Act{Do: Drop, Question: e.ID, Verdict: v})
	}
	return append(acts, Act{Do: Finish, Question: e.ID, Verdict: v})
}

// route sends a question where the clients attached now make it go.
func (s *Session) route(i int) []Act {
	e := &s.open[i]
	e.returns, e.end = endsUnanswered, Verdict{}
	switch Next(s.attached(), s.root, e.Patient) {
	case Show:
		e.at, e.Patient = Shown, false
		return s.tell(Act{Do: Present, Question: e.ID})
	case Rule:
		e.at = Parked // nobody has it to drop
		return s.settle(i, ByGateway(e.Effects))
	case Hand:
		e.at = Above
		return []Act{{Do: Relay, Question: e.ID, Patient: e.Patient}}
	case Hold:
		e.at = Parked
		return nil
	case End:
		e.at = Parked
		return s.settle(i, Verdict{Cause: Quiet})
	}
	return nil
}

// tell makes the act one for each interactive client.
func (s *Session) tell(a Act) (acts []Act) {
	for _, c := range s.clients {
		if c.kind == Interactive {
			a.Client = c.id
			acts = append(acts, a)
		}
	}
	return acts
}
