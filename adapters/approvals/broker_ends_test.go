package approvals_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"tenet/adapters/approvals"
	core "tenet/core/approvals"
	"tenet/core/call"
	"tenet/core/gate"
)

func TestABrokerIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := approvals.NewBroker(approvals.BrokerOptions{Session: "s1"})
		c := attach(t, b, core.Interactive)
		for range core.MaxClients - 1 {
			attach(t, b, core.Gateway)
		}
		if _, err := b.Attach(core.Interactive, "one more"); !errors.Is(err, approvals.ErrTooManyClients) {
			t.Errorf("one client more: %v", err)
		}
		for i := range core.MaxOpen {
			asking(t.Context(), b, question(fmt.Sprint("call_", i), call.Exec))
		}
		synctest.Wait()
		if r := b.Ask(t.Context(), question("call_x", call.Exec)); r.Answer != gate.Unanswered || !strings.Contains(r.By, "256 questions are open") {
			t.Errorf("one question more: %+v", r)
		}
		if n := len(c.Pending()); n != core.MaxOpen {
			t.Errorf("%d questions are before the client", n)
		}
		if r := b.Ask(t.Context(), question("call_1", call.Exec)); r.Answer != gate.Unanswered || !strings.Contains(r.By, "open question") {
			t.Errorf("a second question of a call: %+v", r)
		}
		b.Close()
	})
}

func TestASessionThatEndsLetsGoOfEverybody(t *testing.T) {
	b := approvals.NewBroker(approvals.BrokerOptions{Session: "s1"})
	c := attach(t, b, core.Interactive)
	reply := asking(t.Context(), b, question("call_1", call.Exec))
	shown(t, c)
	b.Close()
	b.Close()
	if r := <-reply; r.Answer != gate.Unanswered {
		t.Errorf("replied %+v", r)
	}
	if _, err := c.Next(t.Context()); !errors.Is(err, approvals.ErrClosed) {
		t.Errorf("the client was told %v", err)
	}
	c.Detach()
	if _, err := b.Attach(core.Interactive, "late"); !errors.Is(err, approvals.ErrClosed) {
		t.Errorf("a client came to a session that has ended: %v", err)
	}
	if r := b.Ask(t.Context(), question("call_2", call.Exec)); r.Answer != gate.Unanswered {
		t.Errorf("a question of it: %+v", r)
	}
}

func TestAClientThatLeftAnswersNothing(t *testing.T) {
	b := approvals.NewBroker(approvals.BrokerOptions{Session: "s1"})
	c, stays := attach(t, b, core.Interactive), attach(t, b, core.Interactive)
	reply := asking(t.Context(), b, question("call_1", call.Exec))
	id := shown(t, c).ID
	c.Detach()
	c.Detach()
	if err := c.Answer(approvals.AnswerApproval{ID: id, Answer: "allow_once"}); err == nil || len(c.Pending()) != 0 {
		t.Errorf("a client that left answered: %v, and has %v", err, c.Pending())
	}
	if _, err := c.Next(t.Context()); !errors.Is(err, approvals.ErrClosed) {
		t.Errorf("it was told %v", err)
	}
	if err := stays.Answer(approvals.AnswerApproval{ID: id, Answer: "deny"}); err != nil {
		t.Fatal(err)
	}
	<-reply
}

func TestAWaitForAFrameEndsWithItsContext(t *testing.T) {
	c := attach(t, approvals.NewBroker(approvals.BrokerOptions{}), core.Interactive)
	why := errors.New("the link is gone")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	if _, err := c.Next(ctx); !errors.Is(err, why) {
		t.Errorf("told %v", err)
	}
}
