package bridge

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"tenet/adapters/store"
	"tenet/bridge/engine"
	"tenet/bridge/engine/crash"
	"tenet/bridge/engine/trial"
	"tenet/core/event"
	"tenet/laws"
	"tenet/laws/law"
	"tenet/models/log"
)

// Every state of the five machines: each law holds, and each law's premise held
// somewhere.
func TestLogModel(t *testing.T) {
	defer report.Time("log")()
	t.Run("a disk under a log", searches(diskMachine, laws.LogDiskBook, engine.Report{States: 1874, Steps: 9851, Depth: 14}))
	t.Run("a chain under every edit", searches(chainMachine, laws.LogChainBook, engine.Report{States: 1, Steps: 35794, Depth: 0}))
	t.Run("calls that a crash interrupts", searches(callsMachine, laws.LogCallsBook, engine.Report{States: 14077, Steps: 14076, Depth: 11}))
	t.Run("records in any order", searches(auditMachine, laws.LogAuditBook, engine.Report{States: 271453, Steps: 271452, Depth: 5}))
	t.Run("a state that was kept", searches(snapshotMachine, laws.LogSnapshotBook, engine.Report{States: 177156, Steps: 177155, Depth: 5}))
}

func searches[S comparable, O, R any](m engine.Machine[S, O, R], book []law.Law[S, O, R], want engine.Report) func(*testing.T) {
	return func(t *testing.T) {
		r, err := engine.Exhaust(m, book)
		if err != nil {
			t.Fatal(err)
		}
		if idle := engine.Unapplied(book, r.Premises); idle != nil {
			t.Errorf("laws that never said anything: %v", idle)
		}
		if r.States != want.States || r.Steps != want.Steps || r.Depth != want.Depth {
			t.Errorf("%d states, %d steps, depth %d: the model is not the one that was pinned (%d, %d, %d)", r.States, r.Steps, r.Depth, want.States, want.Steps, want.Depth)
		}
	}
}

// Sessions of any records that keep checkpoints and are opened again, shrunk when one
// opens as something that the log does not fold to.
func TestLogKept(t *testing.T) {
	defer report.Time("log")()
	report.Histories("log", trial.Check(t, 30, logKept))
}

// The check that the shipped binary and the mutants run.
func TestLogQuick(t *testing.T) {
	defer report.Time("log")()
	if err := logQuick(); err != nil {
		t.Fatal(err)
	}
}

// The store beside the machine on every history of five operations: a commit with
// each fault, a kill, a power loss with each disk that may survive.
func TestLogShortHistories(t *testing.T) {
	defer report.Time("log")()
	o, n, histories := &engine.Odometer{Depth: 5}, engine.Premises{}, 0
	for more := true; more; more = o.Next() {
		histories++
		if err := engine.Drive(o, diskMachine, newLogSystem(), laws.LogDiskBook, n); err != nil {
			t.Fatalf("history %d: %v", histories, err)
		}
	}
	if idle := engine.Unapplied(laws.LogDiskBook, n); idle != nil {
		t.Errorf("laws that never said anything: %v", idle)
	}
	report.Histories("log", histories)
	t.Logf("%d histories, premises %v", histories, n)
}

// Long histories, shrunk when one fails.
func TestLogLongHistories(t *testing.T) {
	defer report.Time("log")()
	n := trial.Check(t, 30, func(src engine.Source) error {
		return engine.Drive(src, diskMachine, newLogSystem(), laws.LogDiskBook, engine.Premises{})
	})
	report.Histories("log", n)
}

// Every crash point of a session's start, every disk that may survive it, and then
// every crash point of the process that takes the session up.
func TestLogCrashes(t *testing.T) {
	defer report.Time("log")()
	for _, c := range []struct {
		loss crash.Loss
		want crash.Seen
	}{
		{crash.Kill, crash.Seen{Calls: 9, Cases: 135}},
		{crash.PowerLoss, crash.Seen{Calls: 9, Cases: 1351}},
	} {
		seen, err := logCrashes(c.loss, true)
		if err != nil {
			t.Fatal(err)
		}
		if seen != c.want {
			t.Errorf("%v: %+v, pinned %+v: the store makes other calls, or the engine tries other disks", c.loss, seen, c.want)
		}
		report.Histories("log", seen.Cases)
	}
}

// Edits of a log, given to the store: it reads, refuses or repairs what the chain's
// machine says. Every edit of whole records and every damaged disk; of the edits of
// one byte, which the machine tries all, every fifth.
func TestLogEdits(t *testing.T) {
	defer report.Time("log")()
	n, tried := 0, 0
	for e := range log.Edits(struct{}{}) {
		if n++; e.Kind <= log.Insert && n%5 != 0 {
			continue
		}
		tried++
		if err := logEdited(e); err != nil {
			t.Fatal(err)
		}
	}
	report.Histories("log", tried)
}

// Two windows: a check of heads that reaches the window agrees with a check of all
// of a log that nobody edited, and a log too long for one window still opens.
func TestLogLongerThanTheWindow(t *testing.T) {
	defer report.Time("log")()
	var all []byte
	sum, text := event.NoSum, strings.Repeat("x", 1<<20)
	for i := range 6 {
		all, sum = event.Encode(all, sum, uint64(i+1), logTime, event.Prompt{Text: fmt.Sprint(i, text)})
	}
	open := func(b []byte) error {
		disk := crash.NewMem()
		put(disk, logName, b)
		o := store.Options{FS: newLogFS(disk)}
		l, _, err := o.Open(logPath)
		if err == nil {
			err = l.Close()
		}
		return err
	}
	if err := open(all); err != nil {
		t.Fatal(err)
	}
	// In the last commit's reach every byte is checked.
	inside := slices.Clone(all)
	inside[len(all)-event.MaxCommit+100]++
	var broken *store.BrokenError
	if err := open(inside); !errors.As(err, &broken) {
		t.Errorf("a changed byte inside the window: %v", err)
	}
	// Before it the heads are: a record that is gone is missed at once.
	record := len(all) / 6
	if err := open(slices.Delete(slices.Clone(all), record, 2*record)); !errors.As(err, &broken) || broken.Flaw != event.Gap {
		t.Errorf("a record that is gone before the window: %v", err)
	}
	// A changed body before the window is what only a full check sees.
	outside := slices.Clone(all)
	outside[record/2]++
	if err := open(outside); err != nil {
		t.Errorf("a changed byte before the window: %v", err)
	}
	disk := crash.NewMem()
	put(disk, logName, outside)
	r, err := store.Options{FS: newLogFS(disk)}.Verify(logPath)
	if err != nil || r.Tail != event.Broken || r.Records != 0 {
		t.Errorf("verify of a changed byte before the window: %v, %+v", err, r)
	}
}

// Any bytes as a log: nothing panics, no byte is lost, and what is read is a chain
// by a second reader's arithmetic.
func FuzzLog(f *testing.F) {
	for _, e := range []log.Edit{{}, {Kind: log.Flip, At: 40, Arg: 1}, {Kind: log.Truncate, At: 900}, {Kind: log.LostBlocks, At: 3}, {Kind: log.SwapRecord, At: 1, Arg: 2}} {
		f.Add(e.Bytes())
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		disk := crash.NewMem()
		put(disk, logName, b)
		o := store.Options{FS: newLogFS(disk)}
		records, r, err := o.Read(logPath)
		if err != nil {
			t.Fatal(err)
		}
		if got := naiveChain(b); got != len(records) {
			t.Fatalf("%d records are read and %d stand\n%s", len(records), got, r.Text())
		}
		l, _, err := o.Open(logPath)
		if err != nil {
			if after, _ := disk.ReadFile(logName); string(after) != string(b) {
				t.Fatalf("a refused log was changed: %v", err)
			}
			return
		}
		after, _ := disk.ReadFile(logName)
		if string(after[:r.Bytes]) != string(b[:r.Bytes]) {
			t.Fatal("the sound records were changed")
		}
		if kept, _ := disk.ReadFile(logName + ".torn-1"); r.Behind > 0 && string(kept) != string(b[r.Bytes:]) {
			t.Fatalf("%d bytes are torn and %d are kept", r.Behind, len(kept))
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	})
}

// naiveChain counts the records at the start of a log with a JSON decoder and
// nothing of production's.
func naiveChain(b []byte) int {
	prev := strings.Repeat("0", 64)
	for n := 0; ; n++ {
		line, rest, ended := strings.Cut(string(b), "\n")
		body, sum, ok := strings.Cut(line, `,"sum":"`)
		for ok && strings.Contains(sum, `,"sum":"`) { // a body may hold the words
			more, tail, _ := strings.Cut(sum, `,"sum":"`)
			body, sum = body+`,"sum":"`+more, tail
		}
		var r event.Record
		raw := sha256.Sum256([]byte(body))
		if !ended || json.Unmarshal([]byte(line), &r) != nil || r.Seq != uint64(n+1) || r.Prev != prev || sum != hex.EncodeToString(raw[:])+`"}` {
			return n
		}
		prev, b = r.Sum, []byte(rest)
	}
}
