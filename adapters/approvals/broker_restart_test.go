package approvals_test

import (
	"testing"
	"testing/synctest"

	"tenet/adapters/approvals"
	core "tenet/core/approvals"
	"tenet/core/call"
	"tenet/core/event"
	"tenet/core/gate"
	"tenet/core/rules"
)

// process is one life of a session: a broker and the gate of one call, over a log that
// outlives it.
func process(log *tape) (*approvals.Broker, *approvals.Gate) {
	policies := approvals.NewPolicies(&gate.Policy{Auto: call.Of(call.Read), Place: rules.Place{Root: "/w"}}, nil)
	b := approvals.NewBroker(approvals.BrokerOptions{Session: "s1", Policies: policies})
	return b, &approvals.Gate{Call: "call_1", Tool: "bash", Dir: "/w", Policies: policies, Asker: b, Log: log}
}

// folded is what a new process reads in the log.
func folded(log *tape) (s event.State) {
	for i, b := range log.bodies {
		s = s.With(uint64(i+1), b)
	}
	return s
}

// The process dies while a question is before a person. The next one finds it in the
// log without a verdict, judges the call again, and the same question waits for the
// person to come back; the yes is to what is shown now.
func TestAQuestionWithoutAVerdictIsAskedAgainAfterARestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := &tape{}
		dead, g := process(log)
		c := attach(t, dead, core.Interactive)
		run := plan(step(1, call.Exec))
		dies := &tape{fail: event.Judged} // its verdict never reaches the disk
		g.Log = recorders{log, dies}
		go g.Permit(t.Context(), run)
		before := shown(t, c)
		left := folded(log)
		dead.Close()
		synctest.Wait()
		if len(left.Questions) != 1 || left.Questions[0].Digest != before.Digest {
			t.Fatalf("the log has %+v", left.Questions)
		}

		alive, again := process(log)
		again.Asker = alive.Resumed()
		outcome := make(chan gate.Outcome, 1)
		go func() { outcome <- again.Permit(t.Context(), run) }()
		synctest.Wait()
		back := attach(t, alive, core.Interactive)
		after := shown(t, back)
		if after.ID != before.ID || after.Digest != before.Digest {
			t.Errorf("asked %s about %s, and now %s about %s", before.ID, before.Digest, after.ID, after.Digest)
		}
		if err := back.Answer(approvals.AnswerApproval{ID: before.ID, Answer: "allow_once", Digest: before.Digest}); err != nil {
			t.Fatal(err)
		}
		if o := <-outcome; !o.Runs || len(folded(log).Questions) != 0 {
			t.Errorf("%+v, still open: %+v", o, folded(log).Questions)
		}
	})
}

// recorders is a log that dies at one record: what comes after it is not written.
type recorders struct{ disk, dies *tape }

func (r recorders) Record(b event.Body) error {
	if err := r.dies.Record(b); err != nil {
		return err
	}
	return r.disk.Record(b)
}
