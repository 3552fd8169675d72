package bridge

import (
	"errors"
	"fmt"
	"strings"

	production "tenet/adapters/approvals"
	core "tenet/core/approvals"
)

// approvalsMoments are what no history of whole steps shows: a question between two
// sessions, frames that pile up, what a terminal would obey.
func approvalsMoments() error {
	for name, moment := range map[string]func() error{
		"a question on its way back":       onTheWayBack,
		"an answer while it is taken back": answeredOnTheWay,
		"an end while it is above":         endedAbove,
		"a trip that is over":              olderTrip,
		"a withdrawal before the arrival":  withdrawnEarly,
		"frames in order":                  framesInOrder,
		"a client that sleeps":             sleepingClient,
		"text that a terminal obeys":       escaped,
		"an answer for other bytes":        otherBytes,
		"the end of a wait":                waitEnds,
		"the answers of a call":            callAnswers,
		"a standing yes to another call":   callCovered,
		"a call after a restart":           callResumed,
	} {
		if err := moment(); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// slowAbove is a session above that answers when it is told to.
type slowAbove struct {
	posed  []production.Posed
	backs  []core.Cause
	before func() // called while a question arrives
}

// Relay keeps the question.
func (s *slowAbove) Relay(p production.Posed) func(core.Cause) {
	s.posed = append(s.posed, p)
	if s.before != nil {
		s.before()
	}
	return func(why core.Cause) { s.backs = append(s.backs, why) }
}

// moment is a child session below such a one, and the verdicts of its question.
type moment struct {
	above  slowAbove
	broker *production.Broker
	back   func(core.Cause)
	got    []core.Verdict
}

func newMoment() *moment {
	m := &moment{}
	m.broker = production.NewBroker(production.BrokerOptions{Session: "child", Agent: "scout", Above: &m.above})
	return m
}

func (m *moment) ask(id string) {
	m.back = m.broker.Relay(production.Posed{
		Card:     production.Approval{ID: id, Digest: "shown"},
		Question: core.Question{ID: id, Session: "child", Turn: "1", Call: id, Offers: []core.Offer{{Choice: core.AllowOnce}}},
		Done:     func(v core.Verdict) { m.got = append(m.got, v) },
	})
}

func (m *moment) attach() *production.Client {
	c, err := m.broker.Attach(core.Interactive, "terminal")
	if err != nil {
		panic(err) // the first client of a session is never too many
	}
	return c
}

func gone(err error) bool {
	var refused *production.AnswerError
	return errors.As(err, &refused) && refused.Code == production.CodeGone
}

var (
	yes = core.Verdict{Fate: core.Approved, Cause: core.Answered, Choice: core.AllowOnce, By: "above"}
	no  = core.Verdict{Fate: core.Denied, Cause: core.Answered, By: "above"}
)

func allowOnce(id string) production.AnswerApproval {
	return production.AnswerApproval{ID: id, Answer: core.AllowOnce.String()}
}

// onTheWayBack: a client attaches while the question is above. Until it is back, nobody
// here has it; then the client does.
func onTheWayBack() error {
	m := newMoment()
	m.ask("q")
	c := m.attach()
	m.attach()
	switch {
	case len(m.above.backs) != 1 || m.above.backs[0] != core.Moved:
		return fmt.Errorf("it was taken back %v", m.above.backs)
	case len(c.Pending()) != 0 || !gone(c.Answer(allowOnce("q"))):
		return fmt.Errorf("the client has it while it is above: %v", c.Pending())
	}
	m.above.posed[0].Done(core.Verdict{Cause: core.Moved})
	if len(c.Pending()) != 1 || len(m.got) != 0 {
		return fmt.Errorf("it came back, the client has %v and it ended as %+v", c.Pending(), m.got)
	}
	if err := c.Answer(allowOnce("q")); err != nil || len(m.got) != 1 || m.got[0].By != "terminal" {
		return fmt.Errorf("it was answered, %w, and ended as %+v", err, m.got)
	}
	return nil
}

// answeredOnTheWay: a client above answers before the withdrawal gets there. It was
// told that its answer counts.
func answeredOnTheWay() error {
	m := newMoment()
	m.ask("q")
	c := m.attach()
	m.above.posed[0].Done(yes)
	if len(m.got) != 1 || m.got[0] != yes || len(c.Pending()) != 0 {
		return fmt.Errorf("it ended as %+v, the client here has %v", m.got, c.Pending())
	}
	return nil
}

// endedAbove: a question that stands above is cancelled, or its turn is denied. It ends
// once it is back, as what ended it first, or as it was answered meanwhile.
func endedAbove() error {
	for _, late := range []core.Verdict{{Cause: core.Cancelled}, yes} {
		m := newMoment()
		m.ask("q")
		cancel := m.back
		m.ask("r")
		m.above.posed[1].Done(no) // takes q of the same turn with it
		cancel(core.Cancelled)
		want := core.Verdict{Fate: core.Denied, Cause: core.WithTurn, By: "above"}
		if late == yes {
			want = yes
		}
		if len(m.got) != 1 || len(m.above.backs) != 1 || m.above.backs[0] != core.WithTurn {
			return fmt.Errorf("before it is back: ended %+v, taken back %v", m.got, m.above.backs)
		}
		m.above.posed[0].Done(late)
		if len(m.got) != 2 || m.got[1] != want {
			return fmt.Errorf("it ended as %+v, want %+v", m.got, want)
		}
	}
	return nil
}

// olderTrip: a question goes up, comes back and goes up again. What ends the first trip
// says nothing of the second.
func olderTrip() error {
	m := newMoment()
	m.ask("q")
	c := m.attach()
	m.above.posed[0].Done(core.Verdict{Cause: core.Moved})
	c.Detach()
	if len(m.above.posed) != 2 {
		return fmt.Errorf("it went up %d times", len(m.above.posed))
	}
	m.above.posed[0].Done(yes)
	if len(m.got) != 0 {
		return fmt.Errorf("the first trip ended the second as %+v", m.got)
	}
	m.above.posed[1].Done(no)
	old := m.back
	m.ask("q") // as after a restart
	old(core.Cancelled)
	if len(m.got) != 1 || m.got[0] != no || len(m.above.backs) != 1 {
		return fmt.Errorf("it ended as %+v and was taken back %v", m.got, m.above.backs)
	}
	return nil
}

// withdrawnEarly: a client attaches while the question is being handed up, before there
// is anything to take it back with.
func withdrawnEarly() error {
	m := newMoment()
	m.above.before = func() { m.attach() }
	m.ask("q")
	if len(m.above.backs) != 1 {
		return fmt.Errorf("it was taken back %v", m.above.backs)
	}
	return nil
}

func framesInOrder() error {
	m := newMoment()
	c := m.attach()
	m.ask("q")
	m.ask("r")
	m.back(core.Cancelled)
	var got []string
	for {
		f, err := c.Next(ended)
		if err != nil {
			break
		}
		switch f := f.(type) {
		case *production.Approval:
			got = append(got, "+"+f.ID)
		case *production.Settled:
			got = append(got, "-"+f.ID, f.How, f.Why)
		case *production.Missed:
			got = append(got, "missed")
		}
	}
	if s := strings.Join(got, " "); s != "+q +r -r unanswered cancelled" {
		return fmt.Errorf("the client got %s", s)
	}
	return nil
}

// sleepingClient: a client that takes no frame is told how many it lost, and asks.
func sleepingClient() error {
	m := newMoment()
	c := m.attach()
	m.ask("first")
	for i := range production.MaxFrames {
		m.ask(fmt.Sprint("q", i))
		m.back(core.Cancelled)
	}
	frames, missed, last := 0, 0, 0
	for {
		f, err := c.Next(ended)
		if err != nil {
			break
		}
		if lost, ok := f.(*production.Missed); ok {
			missed += lost.Frames
			last = frames
		}
		frames++
	}
	total := 1 + 2*production.MaxFrames
	if frames-1+missed != total || frames > production.MaxFrames+1 || last != 0 {
		return fmt.Errorf("%d frames, %d of them missed, the notice in place %d; %d were sent", frames, missed, last, total)
	}
	if p := c.Pending(); len(p) != 1 || p[0].ID != "first" {
		return fmt.Errorf("the client has %v", p)
	}
	return nil
}

// escaped: no text of a frame can move or hide another, the subagent's name included.
func escaped() error {
	const evil = "a\x1b[2Jb\rc\u202ed"
	root := production.NewBroker(production.BrokerOptions{})
	child := production.NewBroker(production.BrokerOptions{Agent: evil, Above: root})
	c, err := root.Attach(core.Interactive, "terminal")
	if err != nil {
		return err
	}
	child.Relay(production.Posed{
		Card: production.Approval{
			ID: "q", Session: evil, Call: evil, Tool: evil, Dir: evil, Diff: evil, Digest: evil, Notes: []string{evil},
			Steps:    []production.ApprovalStep{{Text: evil, Dir: evil, Class: evil, Notes: []string{evil}, Effects: []string{evil}}},
			Requests: []production.ApprovalRequest{{Capability: evil, Subject: evil, Notes: []string{evil}}},
			Answers:  []production.ApprovalAnswer{{Key: "deny", Pattern: evil, Means: evil}},
		},
		Question: core.Question{ID: "q"},
		Done:     func(core.Verdict) {},
	})
	for _, a := range c.Pending() {
		text := fmt.Sprintf("%+v", a)
		if strings.ContainsAny(text, "\x1b\r\u202e") || strings.Count(text, `\u{202e}`) != 17 || strings.Count(text, `Agent:a⟨x1b⟩[2Jb⟨x0d⟩c⟨u202e⟩d`) != 1 {
			return fmt.Errorf("%q", text)
		}
	}
	return nil
}

func otherBytes() error {
	m := newMoment()
	c := m.attach()
	m.ask("q")
	a := allowOnce("q")
	a.Digest = "others"
	if err := c.Answer(a); !gone(err) || len(m.got) != 0 {
		return fmt.Errorf("the answer was met with %w, and it ended as %+v", err, m.got)
	}
	a.Digest = "shown"
	return c.Answer(a)
}
