package bridge

import (
	"context"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"

	"go.uber.org/goleak"

	core "tenet/core/admission"
	"tenet/models/admission"
)

// Clients that run at the same time, on real goroutines, are answered as if one
// after another: 3 to 5 of them with 4 to 9 calls each, and reads at rest.
func TestAdmissionHistories(t *testing.T) {
	defer report.Time("admission")()
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	const histories = 3000
	shortest, longest, dir := 1<<30, 0, t.TempDir()
	for seed := range uint64(histories) {
		r := rand.New(rand.NewPCG(seed, 3))
		a := newAdmissionCalls("admission", admission.Settings[r.IntN(len(admission.Settings))])
		together(3+r.IntN(admission.Places-2), func(client int) {
			busyClient(a, client, rand.New(rand.NewPCG(seed, uint64(client))), 4+int(seed)%6)
		})
		if err := a.settle(dir); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		shortest, longest = min(shortest, a.h.Len()), max(longest, a.h.Len())
	}
	report.Histories("admission", histories)
	t.Logf("%d histories of %d to %d operations", histories, shortest, longest)
}

// Waiters that block and are cancelled by others at any time, on real goroutines.
func TestAdmissionBlockingHistories(t *testing.T) {
	defer report.Time("admission")()
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	const histories = 1500
	dir := t.TempDir()
	for seed := range uint64(histories) {
		r := rand.New(rand.NewPCG(seed, 5))
		a := newAdmissionCalls("admission-blocking", core.Limits{Slots: 1 + r.IntN(2), Queue: 8})
		clients := 3 + r.IntN(admission.Places-2)
		gone := make([]context.CancelFunc, clients)
		ctx := make([]context.Context, clients)
		for i := range gone {
			ctx[i], gone[i] = context.WithCancel(t.Context())
		}
		together(clients, func(client int) {
			r := rand.New(rand.NewPCG(seed, uint64(client)))
			for range 2 + seed%3 {
				visit(ctx[client], a, client, core.Class(r.IntN(2)))
				if r.IntN(3) == 0 {
					gone[r.IntN(clients)]()
				}
			}
		})
		for _, cancel := range gone {
			cancel()
		}
		if err := a.settle(dir); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
	report.Histories("admission", histories)
}

// visit is a whole request: it waits for the slot, uses it and gives it back, or is
// cancelled while it waits.
func visit(ctx context.Context, a *admissionCalls, client int, class core.Class) {
	if !a.enter(client, class) {
		return
	}
	runtime.Gosched()
	if a.wait(ctx, client) != nil {
		runtime.Gosched()
		a.end(client)
	}
}

// busyClient makes calls at random on one ticket after another, at most one of them
// live.
func busyClient(a *admissionCalls, client int, r *rand.Rand, calls int) {
	live := false
	for range calls {
		runtime.Gosched()
		switch n := r.IntN(10); {
		case n == 0:
			a.limit(client, admission.Settings[r.IntN(len(admission.Settings))])
		case n == 1:
			a.endAgain(client)
		case !live:
			live = a.enter(client, core.Class(r.IntN(2)))
		case n < 6:
			a.poll(client)
		default:
			a.end(client)
			live = false
		}
	}
}

// together runs n clients that start at the same time.
func together(n int, client func(int)) {
	var all sync.WaitGroup
	start := make(chan struct{})
	for i := range n {
		all.Go(func() {
			<-start
			client(i)
		})
	}
	close(start)
	all.Wait()
}
