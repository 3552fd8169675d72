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

// Sessions in which a person writes, asks, stops and takes back at every place of a turn,
// beside the model; and commands that are cancelled.
func TestTurnQueueQuick(t *testing.T) {
	defer report.Time("turn")()
	if err := queueQuick(); err != nil {
		t.Fatal(err)
	}
}

// Longer lives of such sessions.
func TestTurnQueueStories(t *testing.T) {
	defer report.Time("turn")()
	if err := engine.Many(600, 80, 4711, deskStory); err != nil {
		t.Fatal(err)
	}
}
