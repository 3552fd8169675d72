package bridge

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"tenet/adapters/store"
	"tenet/bridge/engine/crash"
	"tenet/core/event"
)

// logChild is the directory of a child of TestLogKilled.
const logChild = "TENET_LOG_CHILD"

// TestLogKilled kills a real process with SIGKILL before every call it makes to a
// real disk, while it works through calls of tools, and takes up what it left: what
// it was told is there, and the call it died in is named and not run again. A kill
// leaves what the kernel was given, so this does not see a missing sync; the crash
// engine does.
func TestLogKilled(t *testing.T) {
	if dir := os.Getenv(logChild); dir != "" {
		killedChild(t, dir)
		return
	}
	defer report.Time("log")()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	root, dir := t.TempDir(), ""
	child := func(at int) *exec.Cmd {
		dir = filepath.Join(root, strconv.Itoa(at))
		cmd := exec.Command(self, "-test.run=^TestLogKilled$")
		cmd.Env = append(os.Environ(), logChild+"="+dir)
		return cmd
	}
	interrupted := 0
	kills, err := crash.KillLoop(300, child, func(_ int, printed []byte) error {
		n, err := takesUp(dir, printed)
		interrupted += n
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if kills < 40 || interrupted < 10 {
		t.Errorf("%d kills left %d interrupted calls: the child does less than it should", kills, interrupted)
	}
	report.Histories("log", kills)
	t.Logf("%d kills, %d interrupted calls", kills, interrupted)
}

// killedChild works through three calls and says on its output what it was told.
func killedChild(t *testing.T, dir string) {
	o := store.Options{FS: hookedDisk{hook: crash.KillHook()}}
	l, err := store.Create(dir, "s", o)
	if err != nil {
		t.Fatal(err)
	}
	ack := func(b event.Body) {
		r, err := l.Commit(b)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Println("ack", r[0].Seq)
	}
	ack(event.Prompt{Text: "go"})
	for i := range 3 {
		id := fmt.Sprint("c", i)
		ack(event.Reply{Calls: []event.ToolCall{{ID: id, Tool: "write"}}, Stop: "toolUse"})
		ack(event.Call{Call: id, Tool: "write"})
		ack(event.Judgement{Call: id, Tool: "bash", Ruling: event.Ruling{Verdict: "allow", Steps: []event.JudgedStep{{N: 1}}}})
		ack(event.Dispatch{Call: id, Steps: []int{1}})
		if err := os.WriteFile(filepath.Join(dir, "effect-"+id), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		o.FS.(hookedDisk).hook("after the effect")
		ack(event.Result{Call: id, Text: "written"})
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
}

// takesUp opens what a killed child left, resumes, and says how many calls were
// interrupted.
func takesUp(dir string, printed []byte) (interrupted int, err error) {
	path := filepath.Join(dir, "s.jsonl")
	if _, err := os.Stat(path); os.IsNotExist(err) && !bytes.Contains(printed, []byte("ack")) {
		return 0, nil
	}
	l, _, err := store.Open(path)
	if err != nil {
		return 0, err
	}
	defer l.Close()
	records, r, err := store.Read(path)
	if err != nil || !r.OK() {
		return 0, fmt.Errorf("%v\n%s", err, r.Text())
	}
	if told := bytes.Count(printed, []byte("ack")); len(records) < told {
		return 0, fmt.Errorf("%d records were acknowledged, %d are there", told, len(records))
	}
	s, err := event.Fold(records)
	if err != nil {
		return 0, err
	}
	if err := effectsAnnounced(dir, s, records); err != nil {
		return 0, err
	}
	waiting := s.Unresolved()
	if _, err := l.Commit(event.Resume(s)...); err != nil {
		return 0, err
	}
	records, r, err = store.Read(path)
	if err != nil || !r.OK() || len(r.Interrupted) > 0 {
		return 0, fmt.Errorf("after the resumption %v\n%s", err, r.Text())
	}
	var last event.Resumption
	for _, rec := range records {
		if rec.Kind == event.Resumed {
			b, err := event.Decode(rec)
			if err != nil {
				return 0, err
			}
			last = b.(event.Resumption)
		}
	}
	if fmt.Sprint(last.Interrupted) != fmt.Sprint(waiting) {
		return 0, fmt.Errorf("calls %v had no result, the log names %v", waiting, last.Interrupted)
	}
	return len(waiting), nil
}

// effectsAnnounced: no effect without its dispatched record.
func effectsAnnounced(dir string, s event.State, records []event.Record) error {
	dispatched := map[string]bool{}
	for _, r := range records {
		b, err := event.Decode(r)
		if err != nil {
			return err
		}
		if d, ok := b.(event.Dispatch); ok {
			dispatched[d.Call] = true
		}
	}
	effects, err := filepath.Glob(filepath.Join(dir, "effect-*"))
	if err != nil {
		return err
	}
	for _, e := range effects {
		if id := filepath.Base(e)[len("effect-"):]; !dispatched[id] {
			return fmt.Errorf("call %s had its effect and no record announces it; %d calls wait", id, len(s.Calls))
		}
	}
	return nil
}

// hookedDisk is the real disk with a hook before every call that changes something.
type hookedDisk struct {
	store.Disk
	hook func(call string)
}

func (d hookedDisk) Create(name string) (store.File, error) {
	d.hook("create")
	f, err := d.Disk.Create(name)
	return hookedFile{f, d}, err
}

func (d hookedDisk) SyncDir(dir string) error {
	d.hook("sync of the directory")
	return d.Disk.SyncDir(dir)
}

type hookedFile struct {
	store.File
	d hookedDisk
}

// Write writes in two halves, so that a kill also comes in the middle.
func (f hookedFile) Write(b []byte) (int, error) {
	f.d.hook("write")
	n, err := f.File.Write(b[:len(b)/2])
	if err != nil {
		return n, err
	}
	f.d.hook("second half of a write")
	m, err := f.File.Write(b[len(b)/2:])
	return n + m, err
}

func (f hookedFile) Sync() error { f.d.hook("sync"); return f.File.Sync() }
