package bridge

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	production "tenet/adapters/lease"
	"tenet/bridge/engine"
	core "tenet/core/lease"
	"tenet/laws"
	"tenet/laws/law"
	"tenet/models/lease"
)

// leaseMachine is the model. An area needs four things, and this file is the pattern
// for them: the machine; the entry of the table; production behind the model's
// operations (leased); and the quick check, which needs no testing machinery.
var leaseMachine = engine.Machine[lease.State, lease.Op, lease.Out]{Step: lease.State.Step, Ops: lease.Ops}

func leaseArea() Area {
	return Area{
		Name:     "lease",
		Relation: Reference,
		Bound:    fmt.Sprintf("%d clients of %d origins that ask, release, stop and crash in any order and ask again", lease.Clients, lease.Origins),
		Laws:     law.Infos(laws.LeaseBook),
		Production: []any{
			core.Status.On, (*production.Lease).Ask, (*production.Lease).Crash,
			(*production.Ticket).Wait, (*production.Ticket).Release, (*production.Ticket).Stop,
		},
		Exhaust: func(names ...string) (engine.Report, error) {
			return engine.Exhaust(leaseMachine, Pick(laws.LeaseBook, names))
		},
		Quick: leaseQuick,
	}
}

// leaseQuick drives every history of three events and seeded longer ones beside the
// model, then lets goroutines wait.
func leaseQuick() error {
	run := func(src engine.Source) error {
		return engine.Drive(src, leaseMachine, newLeased(), laws.LeaseBook, engine.Premises{})
	}
	if _, err := engine.Every(3, run); err != nil {
		return err
	}
	if err := engine.Many(400, 30, 1, run); err != nil {
		return err
	}
	return leaseWaits()
}

// leased is production under the model's operations. It remembers which ticket each
// client has, nothing else: statuses and order are read from production.
type leased struct {
	lease   *production.Lease
	tickets [lease.Clients]*production.Ticket
	stops   int
}

func newLeased(options ...production.Option) *leased {
	return &leased{lease: production.New(options...)}
}

func (l *leased) Do(op lease.Op) (out lease.Out) {
	switch op.Kind {
	case lease.Ask:
		l.tickets[op.Client] = l.lease.Ask(leaseOrigin(op.Origin))
		out.Status = leaseStatus(l.tickets[op.Client])
	case lease.Release:
		out.Status = l.tickets[op.Client].Release()
	case lease.Stop:
		out.Status = l.stop(l.tickets[op.Client])
	case lease.Crash:
		out.Ended = uint8(l.lease.Crash(leaseOrigin(op.Origin)))
	}
	return out
}

// stop takes the two ways that a ticket is stopped in turn: the call, and a wait
// whose context has ended. A wait that already holds is not stopped by it.
func (l *leased) stop(t *production.Ticket) core.Status {
	l.stops++
	if l.stops%2 == 0 && leaseStatus(t) == core.Waiting {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if err := t.Wait(ctx); !errors.Is(err, context.Canceled) {
			return core.Waiting // no answer of a stop: the comparison shows it
		}
		return t.Status()
	}
	return t.Stop()
}

// View reads each client's status as one who waits is told, and the order of the
// line. A place in the line of a ticket that is not live, and a live ticket without
// one, show as numbers that no model has.
func (l *leased) View() (s lease.State) {
	const nowhere = 100
	for i, t := range l.tickets {
		if t == nil {
			continue
		}
		s[i] = lease.Client{Asked: true, Status: leaseStatus(t)}
		if s[i].Live() {
			s[i].Number = nowhere
		}
	}
	for number, t := range l.lease.Line() {
		for i := range l.tickets {
			if l.tickets[i] == t {
				s[i].Number, s[i].Origin = uint8(number), leaseOriginNumber(t.Origin())
			}
		}
	}
	return s
}

// leaseStatus is the status as a waiter sees it: as long as nothing woke it, it waits.
func leaseStatus(t *production.Ticket) core.Status {
	status := t.Status()
	select {
	case <-t.Settled():
		if status == core.Waiting {
			return core.Holding // woken for nothing
		}
		return status
	default:
		return core.Waiting
	}
}

func leaseOrigin(o uint8) string { return strconv.Itoa(int(o)) }

// leaseOriginNumber is the model's number of an origin; a name that no origin of the model
// has shows as a number that none has.
func leaseOriginNumber(name string) uint8 {
	n, err := strconv.ParseUint(name, 10, 8)
	if err != nil {
		return 255
	}
	return uint8(n)
}

// leaseWaits lets goroutines wait on a lease that is handed on in each of the ways
// there are.
func leaseWaits() error {
	for name, hand := range map[string]func(*production.Lease, *production.Ticket){
		"release": func(_ *production.Lease, t *production.Ticket) { t.Release() },
		"stop":    func(_ *production.Lease, t *production.Ticket) { t.Stop() },
		"crash":   func(l *production.Lease, t *production.Ticket) { l.Crash(t.Origin()) },
	} {
		if err := leaseWait(hand); err != nil {
			return fmt.Errorf("lease handed on by %s: %w", name, err)
		}
	}
	return leaseCameTooLate()
}

// leaseWait has a holder and three who wait: the first is cancelled, the second is
// handed the lease, the third crashes.
func leaseWait(hand func(*production.Lease, *production.Ticket)) error {
	l := production.New()
	holder := l.Ask("holder")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	cancelled := waitFor(ctx, l.Ask("cancelled"))
	next := l.Ask("next")
	handed := waitFor(context.Background(), next)
	crashed := waitFor(context.Background(), l.Ask("crashed"))
	cancel()
	if err := <-cancelled; !errors.Is(err, context.Canceled) {
		return fmt.Errorf("a wait whose context ended was answered %v", err)
	}
	hand(l, holder)
	if err := <-handed; err != nil || next.Status() != core.Holding {
		return fmt.Errorf("the next in the line is %v and was answered %v", next.Status(), err)
	}
	l.Crash("crashed")
	var ended *production.Ended
	if err := <-crashed; !errors.As(err, &ended) || ended.Status != core.Crashed {
		return fmt.Errorf("a wait whose origin crashed was answered %v", err)
	}
	if line := l.Line(); len(line) != 1 || line[0] != next {
		return fmt.Errorf("%d places are left in the line, want the holder's", len(line))
	}
	return nil
}

// leaseCameTooLate hands the lease to a wait between the end of its context and its
// stop: it must go on to the next, or it is lost for everybody.
func leaseCameTooLate() error {
	var holder *production.Ticket
	l := production.New(production.WithPause(func(point string) {
		if point == "woken" {
			holder.Release()
		}
	}))
	holder = l.Ask("holder")
	late, next := l.Ask("late"), l.Ask("next")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := late.Wait(ctx); !errors.Is(err, context.Canceled) {
		return fmt.Errorf("a wait whose context had ended was answered %v", err)
	}
	if late.Status() != core.Stopped || next.Status() != core.Holding {
		return fmt.Errorf("the lease came to a cancelled wait: it is %v and the next is %v", late.Status(), next.Status())
	}
	return nil
}

// errAsleep is what a wait is told to have answered that did not in time.
var errAsleep = errors.New("still asleep")

// waitFor waits on a goroutine of its own, and only for so long.
func waitFor(ctx context.Context, t *production.Ticket) <-chan error {
	answer, out := make(chan error, 1), make(chan error, 1)
	go func() { answer <- t.Wait(ctx) }()
	go func() {
		select {
		case err := <-answer:
			out <- err
		case <-time.After(patience):
			out <- errAsleep
		}
	}()
	return out
}
