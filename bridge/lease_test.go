package bridge

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	production "tenet/adapters/lease"
	"tenet/bridge/engine"
	"tenet/bridge/engine/trial"
	core "tenet/core/lease"
	"tenet/laws"
	"tenet/models/lease"
)

// Every state of five clients of two origins: each law holds, and each law's premise
// held somewhere.
func TestLeaseModel(t *testing.T) {
	defer report.Time("lease")()
	r, err := leaseArea().Exhaust()
	if err != nil {
		t.Fatal(err)
	}
	if idle := engine.Unapplied(laws.LeaseBook, r.Premises); idle != nil {
		t.Errorf("laws that never said anything: %v", idle)
	}
	if r.States != 27_904 || r.Steps != 415_488 || r.Depth != 10 {
		t.Errorf("the model is not the one that was pinned: %v", r)
	}
	t.Log(r)
}

// The check that the shipped binary and the mutants run.
func TestLeaseQuick(t *testing.T) {
	defer report.Time("lease")()
	if err := leaseQuick(); err != nil {
		t.Fatal(err)
	}
}

// Production beside the model on every history of four events.
func TestLeaseShortHistories(t *testing.T) {
	defer report.Time("lease")()
	n := engine.Premises{}
	count, err := engine.Every(4, func(src engine.Source) error {
		return engine.Drive(src, leaseMachine, newLeased(), laws.LeaseBook, n)
	})
	if err != nil {
		t.Fatal(err)
	}
	if idle := engine.Unapplied(laws.LeaseBook, n); idle != nil {
		t.Errorf("laws that production never met: %v", idle)
	}
	report.Histories("lease", count)
}

// Production beside the model on histories beyond that, which shrink.
func TestLeaseRapid(t *testing.T) {
	defer report.Time("lease")()
	report.Histories("lease", trial.Check(t, 60, func(src engine.Source) error {
		return engine.Drive(src, leaseMachine, newLeased(), laws.LeaseBook, engine.Premises{})
	}))
}

// leaseCall is an operation of a concurrent history: an event of the model, or a
// read of one client's status.
type leaseCall struct {
	lease.Op
	Read bool
}

// leaseCalls is the model of such histories. An ask has no answer there: what the
// place is right afterwards is another read, and others may come between.
var leaseCalls = engine.Machine[lease.State, leaseCall, lease.Out]{
	Step: func(s lease.State, c leaseCall) (lease.State, lease.Out) {
		if c.Read {
			return s, lease.Out{Status: s[c.Client].Status}
		}
		s, out := s.Step(c.Op)
		if c.Kind == lease.Ask {
			out = lease.Out{}
		}
		return s, out
	},
}

// leaseHistory is one lease that goroutines use at the same time, and what they were
// told.
type leaseHistory struct {
	trial.History[lease.State, leaseCall, lease.Out]
	lease   *production.Lease
	tickets [lease.Clients]*production.Ticket // each written by its own client
}

func newLeaseHistory(options ...production.Option) *leaseHistory {
	h := &leaseHistory{lease: production.New(options...)}
	h.Machine, h.Name = leaseCalls, "lease"
	return h
}

func (h *leaseHistory) ask(client, origin uint8) {
	op := lease.Op{Kind: lease.Ask, Client: client, Origin: origin}
	h.Do(int(client), leaseCall{Op: op}, func() lease.Out {
		h.tickets[client] = h.lease.Ask(leaseOrigin(origin))
		return lease.Out{}
	})
}

// wait records a wait as what it turned out to be: a read that was answered
// "holding" or how the place had ended, or the stop of who asked.
func (h *leaseHistory) wait(ctx context.Context, client uint8) {
	t := h.tickets[client]
	h.Call(int(client), func() (leaseCall, lease.Out) {
		read := leaseCall{Op: lease.Op{Client: client}, Read: true}
		var ended *production.Ended
		switch err := t.Wait(ctx); {
		case err == nil:
			return read, lease.Out{Status: core.Holding}
		case errors.As(err, &ended):
			return read, lease.Out{Status: ended.Status}
		default: // an end is final, so this is what the stop answered
			return leaseCall{Op: lease.Op{Kind: lease.Stop, Client: client}}, lease.Out{Status: t.Status()}
		}
	})
}

func (h *leaseHistory) release(client uint8) {
	h.Do(int(client), leaseCall{Op: lease.Op{Kind: lease.Release, Client: client}}, func() lease.Out {
		return lease.Out{Status: h.tickets[client].Release()}
	})
}

func (h *leaseHistory) stop(client uint8) {
	h.Do(int(client), leaseCall{Op: lease.Op{Kind: lease.Stop, Client: client}}, func() lease.Out {
		return lease.Out{Status: h.tickets[client].Stop()}
	})
}

// crash is an event of the origin, recorded under a client of its own.
func (h *leaseHistory) crash(origin uint8) {
	h.Do(lease.Clients, leaseCall{Op: lease.Op{Kind: lease.Crash, Origin: origin}}, func() lease.Out {
		return lease.Out{Ended: uint8(h.lease.Crash(leaseOrigin(origin)))}
	})
}

func (h *leaseHistory) read(client uint8) lease.Out {
	return lease.Out{Status: h.tickets[client].Status()}
}

// turn is what a client does: ask, wait, release.
func (h *leaseHistory) turn(ctx context.Context, client, origin uint8) {
	h.ask(client, origin)
	h.wait(ctx, client)
	h.release(client)
}

// judge reads everybody at rest and judges the history. All have ended by then, so
// the line must be empty.
func (h *leaseHistory) judge() error {
	for client, t := range h.tickets {
		if t != nil {
			h.Quiet(leaseCall{Op: lease.Op{Client: uint8(client)}, Read: true}, func() lease.Out { return h.read(uint8(client)) })
		}
	}
	if n := len(h.lease.Line()); n > 0 {
		return fmt.Errorf("%d places are left in the line after everybody ended", n)
	}
	return h.Check(trial.Pictures())
}

// leaseScenarios are small enough to run every schedule of them. Production parks
// before each critical section and after each wake-up; who has asked before the
// schedule begins need not be scheduled to ask.
var leaseScenarios = []struct {
	name      string
	schedules int
	play      func(s *trial.Sched, h *leaseHistory)
}{
	{"three turns, one after the other", 2070, func(s *trial.Sched, h *leaseHistory) {
		for client := range uint8(3) {
			s.Go(fmt.Sprint("client ", client), func(ctx context.Context) { h.turn(ctx, client, 0) })
		}
	}},
	{"a wait is cancelled while the lease is handed on", 744, func(s *trial.Sched, h *leaseHistory) {
		h.asked(0, 0, 0)
		cancelled, cancel := context.WithCancel(context.Background())
		s.Go("holder", func(context.Context) { h.release(0) })
		s.Go("cancelled", func(context.Context) { h.wait(cancelled, 1); h.release(1) })
		s.Go("cancel", func(context.Context) { cancel() })
		s.Go("next", func(ctx context.Context) { h.wait(ctx, 2); h.release(2) })
	}},
	{"an origin crashes that holds and waits", 5100, func(s *trial.Sched, h *leaseHistory) {
		h.asked(0, 0, 1)
		s.Go("holder", func(context.Context) { h.release(0) })
		s.Go("its second", func(ctx context.Context) { h.wait(ctx, 1); h.release(1) })
		s.Go("the other", func(ctx context.Context) { h.wait(ctx, 2); h.release(2) })
		s.Go("crash", func(context.Context) { h.crash(0) })
	}},
	{"a stop meets a grant and a crash", 1530, func(s *trial.Sched, h *leaseHistory) {
		h.asked(0, 1, 1)
		s.Go("holder", func(context.Context) { h.release(0) })
		s.Go("stop", func(context.Context) { h.stop(1) })
		s.Go("crash", func(context.Context) { h.crash(0) })
		s.Go("next", func(ctx context.Context) { h.wait(ctx, 2); h.release(2) })
	}},
}

// asked lets clients ask before the schedule begins, each for one of the origins.
func (h *leaseHistory) asked(origins ...uint8) {
	for client, origin := range origins {
		h.ask(uint8(client), origin)
	}
}

func TestLeaseSchedules(t *testing.T) {
	defer report.Time("lease")()
	for _, c := range leaseScenarios {
		t.Run(c.name, func(t *testing.T) {
			n, err := trial.Schedules(t, 20_000, func(s *trial.Sched) error {
				h := newLeaseHistory(production.WithPause(s.Pause))
				c.play(s, h)
				if err := s.Run(); err != nil {
					return err
				}
				return h.judge()
			})
			if err != nil || n != c.schedules {
				t.Errorf("%d schedules, want %d: %v", n, c.schedules, err)
			}
			report.Schedules("lease", n)
		})
	}
}

// Goroutines on every core, in an order that nobody chose.
func TestLeaseHistories(t *testing.T) {
	defer report.Time("lease")()
	const histories, clients, turns = 1000, 4, 3
	operations := 0
	for seed := range uint64(histories) {
		h := newLeaseHistory()
		var all sync.WaitGroup
		for client := range uint8(clients) {
			all.Go(func() {
				r := rand.New(rand.NewPCG(seed, uint64(client)))
				for range turns {
					h.randomTurn(r, client)
				}
			})
		}
		all.Go(func() { h.crash(0); h.crash(1) })
		all.Wait()
		if err := h.judge(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		operations += h.Len()
	}
	report.Histories("lease", histories)
	t.Logf("%d histories of %d clients, %d operations on average", histories, clients+1, operations/histories)
}

func (h *leaseHistory) randomTurn(r *rand.Rand, client uint8) {
	h.ask(client, uint8(r.IntN(lease.Origins)))
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	switch r.IntN(4) {
	case 0:
		h.stop(client)
	case 1:
		go cancel()
		h.wait(ctx, client)
	default:
		h.wait(ctx, client)
	}
	h.release(client)
}

func FuzzLease(f *testing.F) {
	f.Add([]byte{0, 2, 4, 1, 6, 3, 0, 5})
	f.Add([]byte{0, 1, 2, 3, 4, 8, 9, 10, 11})
	f.Fuzz(func(t *testing.T, b []byte) {
		if err := engine.Drive(&engine.Bytes{B: b}, leaseMachine, newLeased(), laws.LeaseBook, engine.Premises{}); err != nil {
			t.Fatal(err)
		}
	})
}
