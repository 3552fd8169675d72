package bridge

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"syscall"
	"time"

	"tenet/adapters/store"
	"tenet/bridge/engine/crash"
	"tenet/core/event"
	"tenet/models/log"
)

// logSystem is production's store under the operations of the disk machine.
type logSystem struct {
	fs    *logFS
	held  *store.Log
	other bool // a second process got the log as well
	// failed, sent and acked are the harness's own ledger of what it was told.
	failed      bool
	sent, acked uint8
	// tails is every torn end that was seen in the file when it was about to be opened.
	tails [][]byte
}

const (
	logPath = "/sessions/s.jsonl"
	logName = "s.jsonl"
)

// logTime is when every record of these logs was made.
var logTime = time.Unix(0, 0)

// logPad makes a record longer than two blocks, so that a lost block is inside.
const logPad = logText + logText + logText + logText + logText + logText

const logText = "a record that is longer than two blocks of a disk, so that one block can be lost inside of it, and shorter than twice its text; the file system's block is what a power loss takes or leaves as one, and it reads back as zeros when it is taken, never as another's bytes"

func newLogSystem() *logSystem {
	s := &logSystem{fs: newLogFS(crash.NewMem())}
	l, err := store.Create("/sessions", "s", s.options())
	if err != nil {
		panic(err) // an empty disk without faults
	}
	if err := l.Close(); err != nil {
		panic(err)
	}
	return s
}

func (s *logSystem) options() store.Options {
	return store.Options{FS: s.fs, Now: func() time.Time { return logTime }}
}

// Do takes one operation of the machine to production.
func (s *logSystem) Do(op log.Op) log.Out {
	defer func() { s.fs.plan = nil }()
	switch op.Kind {
	case log.Take:
		return s.take()
	case log.TakeDie:
		s.fs.plan = repairFate(op.Fate)
		s.take()
		s.die()
		return log.Nobody
	case log.Append:
		return s.append(op.Fate)
	case log.Close:
		if s.held != nil && s.held.Close() != nil {
			return log.Error
		}
		s.held, s.failed = nil, false
	case log.Kill:
		s.die()
	case log.Power:
		s.power(op)
	}
	return log.OK
}

func (s *logSystem) take() log.Out {
	_, r, err := s.options().Read(logPath)
	if b, bad := s.fs.ReadFile(logName); err == nil && bad == nil && r.Behind > 0 {
		s.tails = append(s.tails, b[r.Bytes:])
	}
	l, _, err := s.options().Open(logPath)
	switch {
	case err != nil && s.held != nil:
		return log.Refused
	case err != nil:
		return log.Error
	case s.held != nil:
		s.other = true
		return log.OK
	}
	s.held, s.failed = l, false
	return log.OK
}

// repairFate kills a process after the tail was put aside, or after it was cut off.
func repairFate(f log.Fate) func(string) fate {
	syncs := 0
	return func(call string) fate {
		switch {
		case f == log.AfterKeep && call == "truncate":
			return fate{dies: true}
		case f == log.AfterCut && call == "sync":
			if syncs++; syncs == 1 { // of the bytes that are put aside
				return goesWell
			}
			return fate{bytes: -1, dies: true}
		case f == log.AfterCut && call == "truncate":
			syncs = 1
		}
		return goesWell
	}
}

// die ends the process: its locks are free, and nothing it still does counts.
func (s *logSystem) die() {
	s.fs = newLogFS(s.fs.FS).with(s.fs.synced)
	s.held, s.failed, s.other = nil, false, false
}

func (d *logFS) with(synced map[string]int) *logFS { d.synced = synced; return d }

func (s *logSystem) append(f log.Fate) log.Out {
	first := 2*int(s.sent) + 1
	s.sent++
	s.fs.plan = appendFate(f)
	_, err := s.held.Commit(numbered(first), numbered(first+1))
	switch {
	case s.fs.dead:
		s.die()
		return log.Nobody
	case err != nil:
		s.failed = true
		return log.Error
	}
	s.acked |= 1 << (s.sent - 1)
	return log.OK
}

func numbered(n int) event.Prompt { return event.Prompt{Text: fmt.Sprint(n, " ", logPad)} }

// logHalf is a part of the first record of a commit, logMiddle all of it and a part
// of the second: each record is longer than its text and shorter than twice that.
const (
	logHalf   = len(logPad) / 2
	logMiddle = len(logPad) * 2
)

// appendFate makes the planned fault in the write, the sync or the truncation.
func appendFate(f log.Fate) func(string) fate {
	full := syscall.ENOSPC
	faults := map[log.Fate]map[string]fate{
		log.FullBack:  {"write": {bytes: logMiddle, err: full}},
		log.FullStuck: {"write": {bytes: logMiddle, err: full}, "truncate": {err: syscall.EIO}},
		log.SyncBack:  {"sync": {err: syscall.EIO}},
		log.DieBefore: {"write": {bytes: 0, dies: true}},
		log.DieHalf:   {"write": {bytes: logHalf, dies: true}},
		log.DieMiddle: {"write": {bytes: logMiddle, dies: true}},
		log.DieAll:    {"write": {bytes: -1, dies: true}},
		log.Durable:   {"sync": {bytes: -1, dies: true}},
	}
	return func(call string) fate {
		if v, ok := faults[f][call]; ok {
			return v
		}
		return goesWell
	}
}

// power makes the disk that the operation says survived and starts over on it.
func (s *logSystem) power(op log.Op) {
	old, now := s.fs, s.View()
	same := op.Left == now.Len && op.Tail == now.Tail
	disk := crash.NewMem()
	names, err := old.FS.List()
	for _, name := range names {
		b, bad := old.ReadFile(name)
		if err == nil && bad == nil && name == logName && !same {
			b = survivor(b, op)
		}
		put(disk, name, b)
	}
	s.fs = newLogFS(disk)
	after, _ := disk.ReadFile(logName)
	s.fs.synced[logName] = len(after)
	s.die()
}

func put(disk *crash.Mem, name string, b []byte) {
	f, err := disk.Create(name)
	if err == nil {
		_, err = f.Write(b)
	}
	if err == nil {
		err = f.Sync()
	}
	if err == nil {
		err = disk.SyncDir()
	}
	if err != nil {
		panic(err) // a fresh disk without faults
	}
}

// survivor keeps the first records of a log and leaves the tail behind them.
func survivor(b []byte, op log.Op) []byte {
	prompts, at := uint8(0), 0
	lines := bytes.SplitAfter(b, []byte("\n"))
	for i, l := range lines {
		isPrompt := bytes.Contains(l, []byte(`"kind":"prompted"`))
		if prompts == op.Left && (isPrompt || i == len(lines)-1) {
			break
		}
		if isPrompt {
			prompts++
		}
		at += len(l)
	}
	kept, lost := b[:at], slices.Clone(b[at:])
	switch op.Tail {
	case log.NoTail:
		lost = nil
	case log.Half:
		lost = lost[:min(logHalf, len(lost))]
	case log.Zeros:
		clear(lost)
	case log.Hole:
		from := (at/log.Block + 1) * log.Block
		clear(lost[from-at : from-at+log.Block])
	}
	return slices.Concat(kept, lost)
}

// View is production's state in the machine's terms, read back by production.
func (s *logSystem) View() log.State {
	v := log.State{Sent: s.sent, Acked: s.acked}
	switch {
	case s.held != nil && s.failed:
		v.Mode, v.Holders = log.Failed, 1
	case s.held != nil:
		v.Mode, v.Holders = log.Open, 1
	}
	if s.other {
		v.Holders++
	}
	records, r, err := s.options().Read(logPath)
	if err != nil || r.Tail == event.Broken {
		v.Tail = broken
		return v
	}
	s.viewRecords(&v, records)
	b, _ := s.fs.ReadFile(logName)
	s.viewTail(&v, b[r.Bytes:], r.Stands >= 0)
	return v
}

// broken is a tail that the machine does not know.
const broken = log.Tail(99)

func (s *logSystem) viewRecords(v *log.State, records []event.Record) {
	end := 0
	for _, r := range records {
		body, err := event.Decode(r)
		if err != nil {
			v.Tail = broken
			return
		}
		line := len(`{"seq":,"prev":"","at":"","kind":"","body":,"sum":""}`) + 1 + len(fmt.Sprint(r.Seq)) + len(r.Prev) + len(r.At) + len(r.Kind) + len(r.Body) + len(r.Sum)
		end += line
		switch b := body.(type) {
		case event.Prompt:
			var n int
			if _, err := fmt.Sscan(b.Text, &n); err != nil || v.Len == log.Records {
				v.Tail = broken
				return
			}
			v.File[v.Len] = uint8(n)
			v.Len++
			if end <= s.fs.synced[logName] {
				v.Safe = v.Len
			}
		case event.Repair:
			if kept, err := s.fs.ReadFile(b.Kept); err == nil && int64(len(kept)) == b.LostBytes && s.torn(kept) {
				v.Told++
			}
		default:
			v.Tail = broken
		}
	}
}

// torn reports whether bytes are a tail that was in the log once.
func (s *logSystem) torn(b []byte) bool {
	return slices.ContainsFunc(s.tails, func(t []byte) bool { return bytes.Equal(t, b) })
}

func (s *logSystem) viewTail(v *log.State, tail []byte, stands bool) {
	switch {
	case v.Tail != log.NoTail || len(tail) == 0:
	case stands:
		v.Tail = log.Hole
	case tail[0] == 0:
		v.Tail = log.Zeros
	default:
		v.Tail = log.Half
	}
	if size, known := s.fs.synced[logName]; known && len(tail) > 0 {
		b, _ := s.fs.ReadFile(logName)
		v.Stuck = size == len(b)
	}
	names, _ := s.fs.FS.List()
	for _, n := range names {
		if !strings.HasPrefix(n, logName+".torn-") || strings.HasSuffix(n, ".tmp") {
			continue
		}
		if kept, err := s.fs.ReadFile(n); err == nil && s.torn(kept) {
			v.Kept++
			v.Spare = v.Spare || len(tail) > 0 && v.Kept > v.Told && bytes.Equal(kept, tail)
		}
	}
}
