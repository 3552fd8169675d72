package bridge

import (
	"tenet/core/call"
	"tenet/core/event"
	"tenet/core/gate"
	"tenet/models/turn"
)

// View is the session as its log, its project's file and its disk show it.
func (p *turnRig) View() turn.State {
	s := turn.State{Loaded: p.loaded}
	for of := range turn.Subject(turn.Subjects) {
		if granted(p.state.Grants, p.step(of), true) {
			s.Granted = s.Granted.With(of)
		}
		if granted(p.saved, p.exact(of), false) || granted(p.saved, p.step(of), true) {
			s.Standing = s.Standing.With(of)
		}
	}
	if p.call.made {
		s.Call = p.callView()
	}
	return s
}

// step is what an allow for the session spells: the step in words.
func (p *turnRig) step(of turn.Subject) string {
	if s := of.Step(p.place, 0); of.Runs() || len(s.Paths) == 0 || s.Paths[len(s.Paths)-1].Use == call.Reads && s.Effects == call.Of(call.Read) {
		return s.Text
	}
	return "write " + of.Path(p.place)
}

// exact is what an allow of the subject spells.
func (p *turnRig) exact(of turn.Subject) string {
	if of.Runs() {
		return of.Step(p.place, 0).Text
	}
	return of.Path(p.place)
}

func granted(in []event.Grant, subject string, exact bool) bool {
	for _, g := range in {
		if g.Pattern == subject && g.Exact == exact {
			return true
		}
	}
	return false
}

// callView is the open call by its records; where it stands by what its tool does.
func (p *turnRig) callView() turn.Call {
	c := &p.call
	v := turn.Call{Made: true, Subject: c.subject, Elsewhere: c.elsewhere, Now: p.now()}
	s := &v.Script
	s.Planned = 1
	for _, r := range c.records {
		switch r := r.(type) {
		case event.Question:
			v.Shown, v.Verdict = c.digests[r.Digest], gate.Ask
			s.Held = 1
			s.Asked++
			if r.Again != "" {
				s.Spent++
			}
		case event.Judgement:
			v.Shown, v.Answer = c.digests[r.Digest], answerOf(r.Answer)
			v.Verdict, s.Held = gate.Allow, 0
			switch r.Verdict {
			case gate.Ask.String():
				v.Verdict, s.Held = gate.Ask, 1
			case gate.Deny.String():
				v.Verdict, s.Denied = gate.Deny, true
			}
			if v.Answer.Yes() {
				s.Yes = 1
			}
			if s.Asked > 0 && v.Verdict != gate.Ask {
				s.Spent++ // what changed while it was asked about needs no answer now
			}
		case event.Dispatch:
			s.Passed += uint16(len(r.Steps))
			s.Ran += uint16(len(r.Steps))
		}
	}
	s.Phase = p.phase(s.Ran)
	return v
}

func (p *turnRig) phase(ran uint16) gate.Phase {
	switch c := &p.call; {
	case c.open:
		return gate.Asking
	case c.parked:
		return gate.Ready
	case ran > 0:
		return gate.Finished
	}
	return gate.Refused
}
