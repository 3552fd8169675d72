package jobs

import (
	"context"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"tenet/adapters/shell"
	core "tenet/core/jobs"
)

// Some hundred jobs, several at once, that end, fail, are killed or are one too many:
// every one has its one row, and no process, descriptor or goroutine stays (goleak looks
// at the end of the tests).
func TestSoak(t *testing.T) {
	const workers, each = 5, 40
	r := newRig(t, func(o *Options) { o.Limits = core.Limits{Budget: time.Millisecond, Live: 4, Kept: 8} })
	r.run("true")
	before := descriptors()
	calls := make([]Call, workers*each)
	scripts := []string{"sleep 0.02; echo a", "sh -c 'sleep 0.02; exit 3'", "sleep 987", "sh -c 'sleep 987 & sleep 986'", "yes | head -c 300000 | sh -c 'sleep 0.02; cat'"}
	for i := range calls {
		calls[i] = r.call(scripts[i%len(scripts)])
	}
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := w * each; i < (w+1)*each; i++ {
				a, err := r.table.Run(t.Context(), calls[i])
				if err != nil {
					t.Error(err)
				}
				if a.Job != "" && i%len(scripts) >= 2 {
					if _, _, err := r.table.Kill(t.Context(), a.Job, core.ByAgent); err != nil && len(r.table.List()) < 8 {
						t.Error(err)
					}
				}
			}
		})
	}
	wg.Wait()
	ctx, stop := context.WithTimeout(t.Context(), 30*time.Second)
	defer stop()
	r.table.Close(ctx)
	rows := map[string]int{}
	for _, s := range r.log.settlements() {
		rows[s.Job]++
	}
	for job, n := range rows {
		if n != 1 {
			t.Errorf("%s has %d rows", job, n)
		}
	}
	if len(rows) != r.table.made || r.table.made < workers*each/2 || len(r.table.List()) > 8 {
		t.Errorf("%d jobs, %d with a row, %d listed", r.table.made, len(rows), len(r.table.List()))
	}
	for i := 0; i < len(calls); i += 7 { // each look reads the environment of every process
		if left := (shell.Orphans{}).Find(shell.Mark(r.id, calls[i].ID)); len(left) != 0 {
			t.Errorf("%s left %v", calls[i].Command, left)
		}
	}
	if after := descriptors(); after > before+2 {
		t.Errorf("%d descriptors were open, now %d are", before, after)
	}
}

// descriptors counts the open ones of this process, 0 where nobody can tell.
func descriptors() int {
	for _, dir := range []string{"/proc/self/fd", "/dev/fd"} {
		if names, err := os.ReadDir(dir); err == nil {
			return len(names)
		}
	}
	return 0
}

// BenchmarkRun is what the table adds to a call that ends in time.
func BenchmarkRun(b *testing.B) {
	for _, how := range []string{"shell", "table"} {
		b.Run(how, func(b *testing.B) {
			sh := shell.New(shell.Config{Dir: b.TempDir(), Env: []string{"PATH=/usr/bin:/bin"}, Session: "s", Judge: open{}})
			table, log := New(Options{Session: "s"}), &log{}
			for i := range b.N {
				start := func(ctx context.Context) Script {
					return sh.Start(ctx, open{}, shell.Call{Name: fmt.Sprintf("s.call_%d", i), Script: "/bin/true"})
				}
				if how == "shell" {
					sh.Run(b.Context(), open{}, "/bin/true")
				} else if _, err := table.Run(b.Context(), Call{ID: "c", Log: log, Start: start}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
