package bridge

import (
	"testing"

	"tenet/bridge/engine"
	"tenet/laws"
)

// Every order of messages, questions, calls, hooks and cancels at a session's desk.
func TestTurnQueueModel(t *testing.T) {
	defer report.Time("turn")()
	r, err := engine.Exhaust(queueMachine, laws.QueueBook)
	if err != nil {
		t.Fatal(err)
	}
	if idle := engine.Unapplied(laws.QueueBook, r.Premises); idle != nil {
		t.Errorf("laws that never said anything: %v", idle)
	}
	t.Log(r)
}
