package lease

import "testing"

// The whole table: what becomes of a place in each status on each event.
func TestOn(t *testing.T) {
	for before, after := range map[Status][4]Status{
		//         grant    release   stop     crash
		Waiting:  {Holding, Released, Stopped, Crashed},
		Holding:  {Holding, Released, Stopped, Crashed},
		Released: {Released, Released, Released, Released},
		Stopped:  {Stopped, Stopped, Stopped, Stopped},
		Crashed:  {Crashed, Crashed, Crashed, Crashed},
	} {
		for e := Grant; e <= Crash; e++ {
			if got := before.On(e); got != after[e] {
				t.Errorf("%v on event %d: %v, want %v", before, e, got, after[e])
			}
		}
	}
}

func TestStatusNames(t *testing.T) {
	for s, want := range map[Status]string{Waiting: "waiting", Holding: "holding", Released: "released", Stopped: "stopped", Crashed: "crashed"} {
		if s.String() != want {
			t.Errorf("%d is %q, want %q", s, s, want)
		}
	}
}
