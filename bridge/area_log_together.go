package bridge

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"syscall"

	"tenet/adapters/store"
	"tenet/bridge/engine/crash"
	"tenet/core/event"
)

// Clients that append at the same time, and how often each does.
const (
	logClients = 6
	logEach    = 5
)

// logTogether has clients append at the same time to one log, on a disk whose write
// number fails, 0 for none: every commit that was acknowledged is there, together,
// under the number that its client was told, in the order of that client; after the
// failure nobody is acknowledged.
func logTogether(fails int) error {
	disk := crash.NewMem()
	fs := newLogFS(disk)
	writes := 0
	fs.plan = func(call string) fate { // the store makes one call at a time
		if call == "write" {
			for range 20 { // the others come while it is on its way
				runtime.Gosched()
			}
			if writes++; writes == fails {
				return fate{bytes: 100, err: syscall.ENOSPC}
			}
		}
		return goesWell
	}
	l, err := store.Create("/sessions", "s", store.Options{FS: fs})
	if err != nil {
		return err
	}
	acked, err := appendTogether(l)
	if err != nil {
		return err
	}
	fs.plan = nil
	records, r, err := store.Options{FS: fs}.Read(logPath)
	if err != nil || !r.OK() {
		return fmt.Errorf("after appends of %d clients: %v\n%s", logClients, err, r.Text())
	}
	if fails == 0 && len(records) != 2*logClients*logEach {
		return fmt.Errorf("%d records of %d are there", len(records), 2*logClients*logEach)
	}
	if fails > 0 && writes > fails {
		return fmt.Errorf("%d writes after the failed one", writes-fails)
	}
	return errors.Join(ackedTogether(records, acked), l.Close())
}

// ackedTogether finds each acknowledged commit under its numbers.
func ackedTogether(records []event.Record, acked [logClients][]uint64) error {
	for c, seqs := range acked {
		if !slices.IsSorted(seqs) {
			return fmt.Errorf("client %d was told the numbers %v", c, seqs)
		}
		for i, n := range seqs {
			if n+1 > uint64(len(records)) {
				return fmt.Errorf("client %d was told of record %d and there are %d", c, n+1, len(records))
			}
			got := prompts(records[n-1 : n+1])
			if want := []string{fmt.Sprint(c, i, "a"), fmt.Sprint(c, i, "b")}; !slices.Equal(got, want) {
				return fmt.Errorf("records %d and %d are %v, client %d was told of %v", n, n+1, got, c, want)
			}
		}
	}
	return nil
}

// appendTogether lets the clients run and gives the first numbers of the commits
// that each was told of.
func appendTogether(l *store.Log) (acked [logClients][]uint64, err error) {
	var wg sync.WaitGroup
	var errs [logClients]error
	for c := range logClients {
		wg.Go(func() {
			for i := range logEach {
				r, err := l.Commit(event.Prompt{Text: fmt.Sprint(c, i, "a")}, event.Prompt{Text: fmt.Sprint(c, i, "b")})
				switch {
				case errors.Is(err, syscall.ENOSPC):
				case err != nil:
					errs[c] = err
				case len(acked[c]) < i:
					errs[c] = fmt.Errorf("client %d was acknowledged after a failure", c)
				default:
					acked[c] = append(acked[c], r[0].Seq)
				}
			}
		})
	}
	wg.Wait()
	return acked, errors.Join(errs[:]...)
}
