package store_test

import (
	"errors"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"

	"tenet/adapters/store"
	"tenet/core/event"
)

// faulty is the real disk with a write or a sync that does what a test says.
type faulty struct {
	store.Disk
	write  func(f store.File, b []byte) (int, error)
	sync   func(f store.File) error
	writes atomic.Int32
}

func (d *faulty) Create(name string) (store.File, error) {
	f, err := d.Disk.Create(name)
	return &faultyFile{f, d}, err
}

type faultyFile struct {
	store.File
	d *faulty
}

func (f *faultyFile) Write(b []byte) (int, error) {
	f.d.writes.Add(1)
	if f.d.write != nil {
		return f.d.write(f.File, b)
	}
	return f.File.Write(b)
}

func (f *faultyFile) Sync() error {
	if f.d.sync != nil {
		return f.d.sync(f.File)
	}
	return f.File.Sync()
}

func createOn(t *testing.T, d *faulty) *store.Log {
	t.Helper()
	l, err := store.Create(t.TempDir(), "s", store.Options{FS: d, Now: clock()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

func TestAFullDiskStopsTheLogAndLeavesItValid(t *testing.T) {
	d := &faulty{}
	l := createOn(t, d)
	appendAll(t, l, event.Prompt{Text: "kept"})
	d.write = func(f store.File, b []byte) (int, error) {
		n, _ := f.Write(b[:len(b)/2])
		return n, syscall.ENOSPC
	}
	_, first := l.Commit(event.Prompt{Text: "lost"})
	if !errors.Is(first, syscall.ENOSPC) || !strings.Contains(first.Error(), "is the disk full?") {
		t.Fatalf("a full disk: %v", first)
	}
	d.write = nil
	if _, err := l.Commit(event.Prompt{Text: "late"}); !errors.Is(err, first) {
		t.Errorf("an append after it: %v, want the first cause", err)
	}
	if r, err := store.Verify(l.Path()); err != nil || !r.OK() || r.Records != 1 {
		t.Errorf("the file: %v\n%s", err, r.Text())
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	again, repairs, err := store.Open(l.Path())
	if err != nil || len(repairs) != 0 {
		t.Fatalf("open again: %v, %v", err, repairs)
	}
	defer again.Close()
	appendAll(t, again, event.Prompt{Text: "goes on"})
}

// A sync that failed is never tried again: it could succeed without the bytes.
func TestAFailedSyncIsNeverTriedAgain(t *testing.T) {
	d := &faulty{}
	l := createOn(t, d)
	syncs := 0
	d.sync = func(store.File) error { syncs++; return syscall.EIO }
	for range 3 {
		if _, err := l.Commit(event.Prompt{Text: "x"}); !errors.Is(err, syscall.EIO) {
			t.Fatalf("append: %v", err)
		}
	}
	if syncs != 1 {
		t.Errorf("%d syncs after a failure", syncs-1)
	}
	if r, err := store.Verify(l.Path()); err != nil || r.Records != 0 || !r.OK() {
		t.Errorf("what was not acknowledged must not stay for a later process to build on: %v\n%s", err, r.Text())
	}
}

// While one write is on its way, everybody who comes waits and shares the next.
func TestCommitsThatComeTogetherShareAWrite(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := make(chan struct{})
		d := &faulty{}
		d.sync = func(f store.File) error { <-gate; return f.Sync() }
		l := createOn(t, d)
		var seqs [8]uint64
		done := make(chan struct{})
		for i := range seqs {
			go func() {
				r, err := l.Commit(event.Prompt{Text: "x"})
				if err != nil {
					t.Error(err)
				} else {
					seqs[i] = r[0].Seq
				}
				done <- struct{}{}
			}()
			if i == 0 {
				synctest.Wait() // the first is in its sync
			}
		}
		synctest.Wait() // the others wait for it
		gate <- struct{}{}
		<-done
		gate <- struct{}{}
		for range len(seqs) - 1 {
			<-done
		}
		if w := d.writes.Load(); w != 2 {
			t.Errorf("%d writes for 8 appends, want 2", w)
		}
		seen := map[uint64]bool{}
		for _, n := range seqs {
			seen[n] = true
		}
		if len(seen) != len(seqs) || seqs[0] != 1 {
			t.Errorf("numbers %v", seqs)
		}
		l.Close()
	})
}

// The write that fails is somebody else's: who waited behind it gets the same cause,
// and nothing of theirs is written.
func TestWhoWaitsBehindAFailureGetsItsCause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := make(chan struct{})
		d := &faulty{}
		d.sync = func(store.File) error { <-gate; return syscall.EIO }
		l := createOn(t, d)
		errs := make(chan error)
		for i := range 5 {
			go func() {
				_, err := l.Commit(event.Prompt{Text: "x"})
				errs <- err
			}()
			if i == 0 {
				synctest.Wait()
			}
		}
		synctest.Wait()
		close(gate)
		for range 5 {
			if err := <-errs; !errors.Is(err, syscall.EIO) {
				t.Errorf("a caller got %v", err)
			}
		}
		if w := d.writes.Load(); w != 1 {
			t.Errorf("%d writes after the failure", w-1)
		}
		l.Close()
	})
}

// A batch never grows past what a crash may tear: who does not fit waits.
func TestABatchIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := make(chan struct{})
		largest := 0
		d := &faulty{}
		d.sync = func(f store.File) error { <-gate; return f.Sync() }
		d.write = func(f store.File, b []byte) (int, error) { largest = max(largest, len(b)); return f.Write(b) }
		l := createOn(t, d)
		text := strings.Repeat("x", event.MaxCommit/2-1000)
		errs := make(chan error)
		for range 6 {
			go func() {
				_, err := l.Commit(event.Prompt{Text: text})
				errs <- err
			}()
		}
		synctest.Wait()
		close(gate)
		for range 6 {
			if err := <-errs; err != nil {
				t.Error(err)
			}
		}
		if largest > event.MaxCommit {
			t.Errorf("a write of %d bytes", largest)
		}
		if r, err := store.Verify(l.Path()); err != nil || r.Records != 6 || !r.OK() {
			t.Errorf("%v\n%s", err, r.Text())
		}
		l.Close()
	})
}

func TestAClosedLogTakesNothing(t *testing.T) {
	l := create(t, "s1")
	for range 2 {
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := l.Commit(event.Prompt{}); !errors.Is(err, store.ErrClosed) {
		t.Errorf("append after close: %v", err)
	}
}
