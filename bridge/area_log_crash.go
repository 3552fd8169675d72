package bridge

import (
	"errors"
	"fmt"
	"io/fs"

	"tenet/adapters/store"
	"tenet/bridge/engine/crash"
	"tenet/core/event"
)

// wrote is what a process was told before it was stopped: whether its session was
// there, and how many records were acknowledged.
type wrote struct {
	created bool
	acked   int
}

// logWork creates a log and commits three times: six records in all.
func logWork(disk crash.FS) (w wrote) {
	o := store.Options{FS: newLogFS(disk)}
	l, err := store.Create("/sessions", "s", o)
	if err != nil {
		return w
	}
	w.created = true
	for n := 1; n <= 6; n += 2 {
		if _, err := l.Commit(plain(n), plain(n+1)); err != nil {
			return w
		}
		w.acked += 2
	}
	// What a close may fail at is after the last promise.
	_ = l.Close()
	return w
}

func plain(n int) event.Prompt { return event.Prompt{Text: fmt.Sprint(n)} }

// logCrashes stops that work at every call and judges every disk that may survive:
// the next process must find what was acknowledged, tell of what it cut off, and go
// on. With again, that next process is stopped at every call of its own as well.
func logCrashes(loss crash.Loss, again bool) (crash.Seen, error) {
	inner := crash.Seen{}
	seen, err := crash.Exploration[wrote]{Loss: loss, Work: logWork, Law: func(after *crash.Mem, w wrote) error {
		torn, err := tornEnd(after)
		if err != nil || !again {
			return errors.Join(err, logRecovers(after, w, torn))
		}
		n, err := crash.Exploration[wrote]{Start: after, Loss: loss, Work: logResume(w), Law: func(after *crash.Mem, w wrote) error {
			return logRecovers(after, w, torn)
		}}.Run()
		inner.Cases += n.Cases
		return err
	}}.Run()
	seen.Cases += inner.Cases
	return seen, err
}

// logResume opens the log and appends one more record to what there is.
func logResume(before wrote) func(crash.FS) wrote {
	return func(disk crash.FS) wrote {
		w := before
		o := store.Options{FS: newLogFS(disk)}
		l, _, err := o.Open(logPath)
		if err != nil {
			return w
		}
		records, _, err := o.Read(logPath)
		if err != nil {
			return w
		}
		n := len(prompts(records)) + 1
		if _, err := l.Commit(plain(n)); err == nil {
			w.acked = n
		}
		return w
	}
}

// tornEnd is the bytes behind the last sound record of the log on a disk; a log
// that is not there or is whole has none.
func tornEnd(disk *crash.Mem) (int64, error) {
	_, r, err := store.Options{FS: newLogFS(disk)}.Read(logPath)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	return r.Behind, err
}

// logRecovers opens what survived and judges it: laws log_acked_survives, log_prefix
// and log_torn_is_reported on a disk where any call may have been the last one. torn
// is how many bytes the first of the recovering processes found behind the log.
func logRecovers(disk *crash.Mem, w wrote, torn int64) error {
	o := store.Options{FS: newLogFS(disk)}
	l, _, err := o.Open(logPath)
	if errors.Is(err, fs.ErrNotExist) && !w.created {
		return nil
	}
	if err != nil {
		return fmt.Errorf("the log does not open: %w", err)
	}
	if _, err := l.Commit(event.Ending{How: "answered"}); err != nil {
		return fmt.Errorf("the log takes nothing: %w", err)
	}
	records, r, err := o.Read(logPath)
	if err != nil || r.Tail != event.Whole {
		return fmt.Errorf("after a recovery the log is %v (%v)", r.Tail, err)
	}
	for i, text := range prompts(records) {
		if text != fmt.Sprint(i+1) {
			return fmt.Errorf("record %d is %q", i+1, text)
		}
	}
	if n := len(prompts(records)); n < w.acked {
		return fmt.Errorf("%d records were acknowledged, %d are there", w.acked, n)
	}
	return logTold(disk, r.Repairs, torn)
}

// logTold compares the kept tails with the log's own words, both ways.
func logTold(disk *crash.Mem, told store.Repairs, torn int64) error {
	names, err := disk.List()
	if err != nil {
		return err
	}
	kept, largest := 0, int64(0)
	for _, n := range names {
		if n != logName {
			kept++
		}
	}
	for _, r := range told {
		b, err := disk.ReadFile(r.Kept)
		if err != nil || int64(len(b)) != r.LostBytes {
			return fmt.Errorf("the log tells of %d bytes in %s, and there are %d (%v)", r.LostBytes, r.Kept, len(b), err)
		}
		largest = max(largest, r.LostBytes)
	}
	if kept != len(told) {
		return fmt.Errorf("%d files beside the log, and it tells of %d: %v", kept, len(told), names)
	}
	if largest < torn {
		return fmt.Errorf("%d bytes were cut off and %d are told of", torn, largest)
	}
	return nil
}

// prompts are the texts of the prompts among records.
func prompts(records []event.Record) (out []string) {
	for _, r := range records {
		if b, err := event.Decode(r); err == nil {
			if p, ok := b.(event.Prompt); ok {
				out = append(out, p.Text)
			}
		}
	}
	return out
}
