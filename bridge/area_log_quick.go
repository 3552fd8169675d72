package bridge

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"tenet/adapters/store"
	"tenet/bridge/engine"
	"tenet/bridge/engine/crash"
	"tenet/core/event"
	"tenet/laws"
	"tenet/models/log"
)

// logQuick drives the store through what its laws speak about: seeded histories of
// commits, faults, kills and power losses beside the machine; every crash point of
// a session's start; a part of the edits; and the real disk's lock.
func logQuick() error {
	for seed := range uint64(100) {
		src := engine.NewRandom(seed, 25)
		if err := engine.Drive(src, diskMachine, newLogSystem(), laws.LogDiskBook, engine.Premises{}); err != nil {
			return fmt.Errorf("history of seed %d: %w", seed, err)
		}
	}
	for _, loss := range []crash.Loss{crash.Kill, crash.PowerLoss} {
		if _, err := logCrashes(loss, true); err != nil {
			return err
		}
	}
	for round := range 60 {
		if err := logTogether(round % 6); err != nil {
			return err
		}
	}
	if err := logTwin(); err != nil {
		return err
	}
	if err := engine.Many(150, 24, 1, logKept); err != nil {
		return err
	}
	n := 0
	for e := range log.Edits(struct{}{}) {
		if n++; e.Kind >= log.DropRecord && e.Kind != log.Truncate && e.Kind != log.ZeroTail || n%97 == 0 {
			if err := logEdited(e); err != nil {
				return err
			}
		}
	}
	return inOrder(logInPieces, logOnDisk, logPoisonedOnDisk)
}

// logEdited gives an edited log to the store and compares what it finds, reading
// and opening, with what the chain's machine says.
func logEdited(e log.Edit) error {
	disk := crash.NewMem()
	put(disk, logName, e.Bytes())
	o := store.Options{FS: newLogFS(disk)}
	want := log.Inspect(e.Bytes())
	records, r, err := o.Read(logPath)
	if err != nil || r.Tail != want.Tail || r.Records != want.Good || uint64(len(records)) != want.Good {
		return fmt.Errorf("%+v: production reads %d records, the tail %v (%v), the machine %+v", e, r.Records, r.Tail, err, want)
	}
	l, repairs, err := o.Open(logPath)
	var broken *store.BrokenError
	switch {
	case want.Tail == event.Broken:
		after, _ := disk.ReadFile(logName)
		if !errors.As(err, &broken) || broken.Seq != want.Good+1 || string(after) != string(e.Bytes()) {
			return fmt.Errorf("%+v: a broken log was opened or changed: %v", e, err)
		}
		return nil
	case err != nil:
		return fmt.Errorf("%+v: %w", e, err)
	case (want.Tail == event.Torn) != (len(repairs) == 1):
		return fmt.Errorf("%+v: the tail is %v and the repairs are %v", e, want.Tail, repairs)
	}
	return l.Close()
}

// logInPieces reads a log that is longer than one read of it, with lines that cross
// from one into the next.
func logInPieces() error {
	var all []byte
	sum, text := event.NoSum, strings.Repeat("x", 150_000)
	for i := range 5 {
		all, sum = event.Encode(all, sum, uint64(i+1), logTime, event.Prompt{Text: text})
	}
	disk := crash.NewMem()
	put(disk, logName, all)
	_, r, err := store.Options{FS: newLogFS(disk)}.Read(logPath)
	if err != nil || r.Records != 5 || !r.OK() {
		return fmt.Errorf("of five long records %d are read (%v)", r.Records, err)
	}
	return nil
}

// logOnDisk opens a log twice on the real disk: the second is refused until the
// first lets go, and the files are their owner's only.
func logOnDisk() error {
	return inTempDir(func(dir string) error {
		l, err := store.Create(dir, "s", store.Options{})
		if err != nil {
			return err
		}
		var busy *store.Busy
		if _, _, err := store.Open(l.Path()); !errors.As(err, &busy) || busy.PID != os.Getpid() {
			return fmt.Errorf("a held log was opened, or its holder not named: %v", err)
		}
		if info, err := os.Stat(l.Path()); err != nil || info.Mode() != 0o600 {
			return fmt.Errorf("the log is %v (%v)", info.Mode(), err)
		}
		if err := l.Close(); err != nil {
			return err
		}
		if _, err := store.Create(dir, "s", store.Options{}); !errors.Is(err, store.ErrExists) {
			return fmt.Errorf("a session was created over another: %v", err)
		}
		return logOfReusedNumber(l.Path())
	})
}

// logOfReusedNumber leaves the name of a process in the lock file whose number another
// one has now, ours: it holds nothing and is not said to.
func logOfReusedNumber(path string) error {
	l, _, err := store.Open(path)
	if err != nil {
		return fmt.Errorf("a log that was let go does not open: %w", err)
	}
	text, err := os.ReadFile(path + ".lock")
	if err = errors.Join(err, l.Close()); err != nil {
		return err
	}
	earlier := strings.Replace(string(text), "start ", "start 1", 1)
	if err := os.WriteFile(path+".lock", []byte(earlier), 0o600); err != nil {
		return err
	}
	if h := (store.Disk{}).Holder(path); h != nil {
		return fmt.Errorf("a number that was used again is believed: %+v of %q", h, earlier)
	}
	again, _, err := store.Open(path)
	if err != nil {
		return fmt.Errorf("a text in the lock file blocks: %w", err)
	}
	return again.Close()
}

// logPoisonedOnDisk writes to a log behind its back: it must notice and stop.
func logPoisonedOnDisk() error {
	return inTempDir(func(dir string) error {
		l, err := store.Create(dir, "s", store.Options{})
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, "s.jsonl"), []byte("{"), 0o600); err != nil {
			return err
		}
		for range 2 {
			if _, err := l.Commit(plain(1)); err == nil {
				return errors.New("an append after a foreign write was acknowledged")
			}
		}
		return l.Close()
	})
}

// tempDir makes a fresh directory and gives its real path. Its owner removes it.
func tempDir() (string, error) {
	dir, err := os.MkdirTemp("", "tenet-")
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(dir)
}

func inTempDir(f func(dir string) error) error {
	dir, err := tempDir()
	if err != nil {
		return err
	}
	return errors.Join(f(dir), os.RemoveAll(dir))
}
