package bridge

import (
	"context"
	"fmt"
	"time"

	production "tenet/adapters/approvals"
	core "tenet/core/approvals"
	"tenet/core/call"
	"tenet/core/gate"
	"tenet/core/rules"
)

// callQuestion is a call of one asking step as the gate asks about it.
func callQuestion(id, program string, e call.Effect) production.Question {
	s := call.Step{N: 1, Text: program, Effects: call.Of(e), Commands: []call.Command{{Words: []call.Word{{Text: program}}, Dir: "/w"}}}
	asks := gate.Decision{Verdict: gate.Ask}
	return production.Question{
		ID: id, Call: id, Tool: "bash",
		Ruling: gate.Ruling{Decision: asks, Effects: s.Effects, Steps: []gate.StepRuling{{Step: s, Decision: asks}}},
		Offers: []gate.Offer{
			{Answer: gate.AllowSession, Pattern: "make", Rules: makeRules(rules.FromSession)},
			{Answer: gate.AllowAlways, Pattern: "make *", Rules: makeRules(rules.FromProject)},
		},
	}
}

func makeRules(from rules.Source) []rules.Rule {
	return []rules.Rule{{Capability: call.ProcessExecute.String(), Pattern: "make", Action: rules.Allow, Source: from}}
}

// callAsked asks on a goroutine of its own and returns once the question is before the
// client.
func callAsked(ctx context.Context, b *production.Broker, c *production.Client, q production.Question) (<-chan production.Reply, error) {
	reply := make(chan production.Reply, 1)
	go func() { reply <- b.Ask(ctx, q) }()
	soon, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	_, err := c.Next(soon)
	return reply, err
}

// callReply waits for a reply, and only for so long.
func callReply(reply <-chan production.Reply) production.Reply {
	select {
	case r := <-reply:
		return r
	case <-time.After(patience):
		return production.Reply{By: "still asking"}
	}
}

func callSession() (*production.Broker, *production.Client, error) {
	policies := production.NewPolicies(&gate.Policy{Place: rules.Place{Root: "/w"}}, nil)
	b := production.NewBroker(production.BrokerOptions{Session: "s", Policies: policies})
	c, err := b.Attach(core.Interactive, "terminal")
	return b, c, err
}

// waitEnds: the end of a wait is no answer, and the question is gone with it.
func waitEnds() error {
	b, c, err := callSession()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	reply, err := callAsked(ctx, b, c, callQuestion("c", "make", call.Exec))
	cancel()
	if err != nil {
		return err
	}
	if r := callReply(reply); r.Answer != gate.Unanswered || len(c.Pending()) != 0 {
		return fmt.Errorf("the wait ended, replied %+v, still before the client: %v", r, c.Pending())
	}
	return nil
}

// callAnswers: each answer is the reply that it names, and what it is called.
func callAnswers() error {
	for _, x := range []struct {
		choice  core.Choice
		pattern string
		want    production.Reply
	}{
		{core.Deny, "", production.Reply{Answer: gate.Denied, By: "terminal", Reason: "because"}},
		{core.AllowOnce, "", production.Reply{Answer: gate.AllowOnce, By: "terminal"}},
		{core.AllowSession, "make", production.Reply{Answer: gate.AllowSession, By: "terminal", Pattern: "make"}},
		{core.AllowAlways, "make *", production.Reply{Answer: gate.AllowAlways, By: "terminal", Pattern: "make *"}},
	} {
		b, c, err := callSession()
		if err != nil {
			return err
		}
		reply, err := callAsked(context.Background(), b, c, callQuestion("c", "make", call.Exec))
		if err != nil {
			return err
		}
		if err := c.Answer(production.AnswerApproval{ID: "s/c", Answer: x.choice.String(), Pattern: x.pattern, Reason: "because"}); err != nil {
			return err
		}
		if r := callReply(reply); r != x.want {
			return fmt.Errorf("%v: replied %+v, want %+v", x.choice, r, x.want)
		}
	}
	return nil
}

// callCovered: a standing yes lets another call run once where the gate says that it
// covers it, and leaves the others open. The gateway rule sees every effect of a call.
func callCovered() error {
	b, c, err := callSession()
	if err != nil {
		return err
	}
	var replies []<-chan production.Reply
	for _, q := range []production.Question{
		callQuestion("first", "make", call.Exec), callQuestion("alike", "make", call.Exec),
		callQuestion("guarded", "make", call.Secret), callQuestion("apart", "cc", call.Exec),
	} {
		reply, err := callAsked(context.Background(), b, c, q)
		if err != nil {
			return err
		}
		replies = append(replies, reply)
	}
	defer b.Close()
	if err := c.Answer(production.AnswerApproval{ID: "s/first", Answer: core.AllowAlways.String(), Pattern: "make *"}); err != nil {
		return err
	}
	first, alike := callReply(replies[0]), callReply(replies[1])
	if first.Answer != gate.AllowAlways || alike.Answer != gate.AllowOnce || len(c.Pending()) != 2 {
		return fmt.Errorf("replied %+v and %+v, still open: %v", first, alike, c.Pending())
	}
	return callOfGateway()
}

func callOfGateway() error {
	b, c, err := callSession()
	if err != nil {
		return err
	}
	c.Detach()
	if _, err := b.Attach(core.Gateway, "phone"); err != nil {
		return err
	}
	for e, want := range map[call.Effect]gate.Answer{call.Exec: gate.AllowOnce, call.Secret: gate.GatewayRefused, call.Protected: gate.GatewayRefused} {
		if r := b.Ask(context.Background(), callQuestion("c", "make", e)); r.Answer != want || r.By != "gateway rule" {
			return fmt.Errorf("the gateway rule on %v: %+v", e, r)
		}
	}
	return nil
}

// callResumed: questions from before a restart wait for a client, in their order; one
// of now does not.
func callResumed() error {
	b := production.NewBroker(production.BrokerOptions{Session: "s"})
	first, second := callQuestion("first", "make", call.Exec), callQuestion("second", "make", call.Exec)
	waiting := b.Restore([]production.Question{first, second})
	if r := b.Ask(context.Background(), callQuestion("now", "make", call.Exec)); r.Answer != gate.Unanswered {
		return fmt.Errorf("a question of now with nobody there: %+v", r)
	}
	c, err := b.Attach(core.Interactive, "terminal")
	if err != nil {
		return err
	}
	if p := c.Pending(); len(p) != 2 || p[0].Call != "first" || p[1].Call != "second" {
		return fmt.Errorf("before the client that came back: %v", p)
	}
	if err := c.Answer(allowOnce("s/second")); err != nil {
		return err
	}
	c.Detach()
	soon, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if a, b := waiting[0].Wait(soon), waiting[1].Wait(soon); a.Answer != gate.Unanswered || a.By != "nobody" || b.Answer != gate.AllowOnce {
		return fmt.Errorf("replied %+v and %+v", a, b)
	}
	return nil
}
