package event

import "fmt"

// Still reports whether nothing is under way: no turn runs and no call waits for its
// result. Only there may another session begin with the records so far, since it would
// otherwise wait for what happens elsewhere.
func (s State) Still() bool { return s.Seq > 0 && !s.InTurn && len(s.Calls) == 0 }

// Fork is what a session appends that begins with the records of another: where they
// come from, and that what the other still has under way is not its own. Its jobs end
// for this session as lost, once each, its waiting messages are taken back, and its
// grants are the other's alone (law allow_session_is_exact). sum is the sum of the last
// record, from is the other session's id.
func (s State) Fork(from, sum string) []Body {
	out := []Body{Fork{From: from, Seq: s.Seq, Sum: sum}}
	for _, j := range s.Jobs {
		out = append(out, Settlement{
			Job: j.Job, Status: "lost", Exit: -1,
			Text: fmt.Sprintf("The job belongs to session %s, which this one was forked from. It was not stopped, and how it ends is not known here.", from),
		})
	}
	for _, q := range s.Queue {
		out = append(out, Withdrawal{ID: q.ID})
	}
	return out
}
