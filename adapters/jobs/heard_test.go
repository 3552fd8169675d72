package jobs

import (
	"testing"

	"tenet/core/event"
)

// What a call writes is told in its own name, and once it is a job in the job's as well.
func TestWhatACallWritesIsToldAlsoOnceItIsAJob(t *testing.T) {
	r := newRig(t)
	signs := make(chan event.Live, 9)
	r.table.OnLive(func(l event.Live) { signs <- l })
	gate := r.fifo("gate")
	a := r.run("echo at once; sh -c 'read x < gate; echo later'")
	if l := <-signs; l.Kind != event.LiveOutput || l.Call != "call_1" || l.Text != "at once\n" {
		t.Errorf("while it ran: %+v", l)
	}
	r.let(gate)
	if l := <-signs; l.Job != a.Job || l.Call != "call_1" || l.Text != "later\n" || a.Job == "" {
		t.Errorf("of the job %q: %+v", a.Job, l)
	}
}
