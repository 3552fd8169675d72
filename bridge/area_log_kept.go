package bridge

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"

	"tenet/adapters/store"
	"tenet/bridge/engine"
	"tenet/bridge/engine/crash"
	"tenet/core/event"
	"tenet/laws"
	"tenet/models/log"
)

// The names of a log's checkpoint.
const keptName = logName + ".state"

// logKept has a session of any records keep checkpoints while it goes on, opens it again
// at any moment, also after somebody changed the checkpoint or put another one there,
// and holds what is opened against the fold of every record (law
// log_snapshot_is_the_fold).
func logKept(src engine.Source) error {
	k := &keptLog{disk: crash.NewMem()}
	l, err := store.Create("/sessions", "s", k.options())
	if err != nil {
		return err
	}
	k.log = l
	for src.More() {
		if err := k.step(src); err != nil {
			return err
		}
	}
	return k.open(src)
}

type keptLog struct {
	disk  *crash.Mem
	log   *store.Log
	state event.State
	older []byte // an earlier checkpoint
}

func (k *keptLog) options() store.Options {
	return store.Options{FS: newLogFS(k.disk)}
}

// step appends some records, as one turn, and keeps the state; or opens the log again.
func (k *keptLog) step(src engine.Source) error {
	switch src.Pick(8, "what happens") {
	case 0, 1:
		return k.open(src)
	case 2:
		k.older, _ = k.disk.ReadFile(keptName)
	default:
	}
	bodies := make([]event.Body, 1+src.Pick(45, "how many records"))
	for i := range bodies {
		bodies[i] = anyBody(src, k.state.Seq)
	}
	recs, err := k.log.Commit(bodies...)
	if err != nil {
		return err
	}
	for i, r := range recs {
		k.state = k.state.With(r.Seq, bodies[i])
	}
	return k.log.Checkpoint(k.state)
}

// open ends the process, changes the checkpoint in one of the ways it can be changed,
// and takes the session up again, after a reader looked at it.
func (k *keptLog) open(src engine.Source) error {
	if err := k.log.Close(); err != nil {
		return err
	}
	return k.reopened(k.harm(src))
}

// reopened takes the session up and judges what was opened.
func (k *keptLog) reopened(how string) error {
	want, err := k.fold()
	if err != nil {
		return err
	}
	seen, report, err := k.options().State(logPath)
	if err == nil && report.Unreadable == nil {
		err = kept(want, seen)
	}
	if err != nil {
		return fmt.Errorf("a reader, the checkpoint %s: %w", how, err)
	}
	s, l, _, err := k.options().Load(logPath)
	if err == nil {
		err = kept(want, s)
	}
	if err != nil {
		return fmt.Errorf("opened, the checkpoint %s: %w", how, err)
	}
	k.log, k.state = l, s
	return nil
}

func (k *keptLog) fold() (event.State, error) {
	records, r, err := k.options().Read(logPath)
	if err != nil || r.Tail != event.Whole {
		return event.State{}, fmt.Errorf("the log: %w\n%s", err, r.Text())
	}
	return event.Fold(records)
}

// kept judges what was opened by the law.
func kept(want, got event.State) error {
	r := log.Restored{All: int(want.Seq), Place: int(got.Seq), Same: reflect.DeepEqual(want, got)}
	v := laws.LogSnapshot.SnapshotIsTheFold.Step(log.Story{}, log.Event{}, r, log.Story{})
	return v.Err
}

// harm changes the checkpoint, or leaves it.
func (k *keptLog) harm(src engine.Source) string {
	b, err := k.disk.ReadFile(keptName)
	if err != nil || len(b) == 0 {
		return "missing"
	}
	b = slices.Clone(b)
	switch src.Pick(7, "what becomes of the checkpoint") {
	case 0:
		return "as it was"
	case 1:
		b = b[:src.Pick(len(b), "cut at")]
	case 2:
		b[src.Pick(len(b), "byte")] ^= byte(1 + src.Pick(255, "bits"))
	case 3:
		b = append(b, b[:src.Pick(len(b), "some of it again")]...)
	case 4:
		b = slices.Clone(k.older)
	case 5:
		return k.shorten(src)
	case 6:
		return k.twin()
	}
	k.replace(keptName, b)
	return fmt.Sprintf("changed to %d bytes", len(b))
}

// logTwin ends a session at its checkpoint and puts another log in the place of its own:
// random sessions seldom end just there.
func logTwin() error {
	k := &keptLog{disk: crash.NewMem()}
	l, err := store.Create("/sessions", "s", k.options())
	if err != nil {
		return err
	}
	k.log = l
	for range 40 {
		bodies := []event.Body{event.Prompt{Text: "a"}, event.Ending{How: "answered"}}
		recs, err := l.Commit(bodies...)
		if err != nil {
			return err
		}
		for i, r := range recs {
			k.state = k.state.With(r.Seq, bodies[i])
		}
		if err := l.Checkpoint(k.state); err != nil {
			return err
		}
		if k.log.Close() != nil || k.twin() == "" {
			return errors.New("the log did not close")
		}
		if err := k.reopened("of another log"); err != nil {
			return err
		}
		l = k.log
	}
	return l.Close()
}

// shorten takes records away from the log's end and leaves the checkpoint, which then
// tells of records that are not there.
func (k *keptLog) shorten(src engine.Source) string {
	all, err := k.disk.ReadFile(logName)
	if err != nil {
		return err.Error()
	}
	lines := slices.Collect(bytes.Lines(all))
	k.replace(logName, slices.Concat(lines[:src.Pick(len(lines), "records that stay")]...))
	return "ahead of the log"
}

// twin puts another log in the place of this one, with records of the same lengths that
// say something else.
func (k *keptLog) twin() string {
	records, _, err := k.options().Read(logPath)
	var all []byte
	sum := event.NoSum
	for _, r := range records {
		r.Body = bytes.ReplaceAll(r.Body, []byte(`"text":"a"`), []byte(`"text":"b"`))
		b, bad := event.Decode(r)
		at, late := time.Parse(time.RFC3339Nano, r.At)
		if err = errors.Join(err, bad, late); err != nil {
			return err.Error() // what is opened then is judged all the same
		}
		all, sum = event.Encode(all, sum, r.Seq, at, b)
	}
	k.replace(logName, all)
	return "of another log"
}

func (k *keptLog) replace(name string, b []byte) {
	if err := k.disk.Remove(name); err != nil {
		panic(err) // it is there
	}
	put(k.disk, name, b)
}

// anyBody is a body of any kind, about few calls and jobs, so that they meet.
func anyBody(src engine.Source, seq uint64) event.Body {
	id := func() string { return fmt.Sprint("x", src.Pick(3, "which")) }
	words := []string{"", "a", "\xff no UTF-8", "<é>\u2028", "more words than one"}
	text := func() string { return words[src.Pick(len(words), "text")] }
	flag := func() bool { return src.Pick(2, "yes") == 0 }
	ruling := event.Ruling{Verdict: []string{"allow", "ask", "deny"}[src.Pick(3, "verdict")], Steps: []event.JudgedStep{{N: 1}, {N: 2}}}
	bodies := []func() event.Body{
		func() event.Body { return event.Opening{Session: id(), Tools: []string{"bash"}} },
		func() event.Body {
			return event.Prompt{Text: text(), Steer: flag(), Submission: id(), Images: []event.Image{{Media: "image/png", Data: []byte(text())}}}
		},
		func() event.Body { return event.Request{Round: 1} },
		func() event.Body {
			return event.Reply{Text: text(), Thinking: text(), Calls: []event.ToolCall{{ID: id(), Tool: "bash", Args: text()}}, Input: src.Pick(9, "tokens")}
		},
		func() event.Body {
			return event.Reply{Text: text(), Thoughts: []event.Thought{{Wire: "w", Model: id(), Raw: json.RawMessage(`{"s": "<x>"}`)}}}
		},
		func() event.Body { return event.Failure{Noted: flag(), Spent: 1, Row: 1, Cause: "stall", RetryMS: -1} },
		func() event.Body {
			return event.Call{Call: id(), Tool: "bash", By: []string{"", event.Person}[src.Pick(2, "by")]}
		},
		func() event.Body {
			return event.Judgement{Call: id(), Ruling: ruling, Answer: []string{"", "allow_session"}[src.Pick(2, "answer")], Grants: []event.Grant{{Pattern: text(), Scope: event.ScopeSession}}}
		},
		func() event.Body { return event.Question{ID: id(), Call: id(), Ruling: ruling} },
		func() event.Body { return event.Dispatch{Call: id(), Steps: []int{1 + src.Pick(3, "step")}} },
		func() event.Body { return event.Result{Call: id(), Text: text(), Error: flag()} },
		func() event.Body { return event.Ending{How: "answered", Answer: text()} },
		func() event.Body { return event.Resumption{Interrupted: []string{id()}} },
		func() event.Body { return event.Submission{ID: id(), Text: text(), How: event.Queue} },
		func() event.Body { return event.Withdrawal{ID: id()} },
		func() event.Body { return event.Deferral{Job: id()} },
		func() event.Body {
			return event.Compaction{Summary: text(), Kept: seq - min(seq, uint64(src.Pick(60, "kept records")))}
		},
		func() event.Body { return event.Detachment{Job: id(), Call: id(), Groups: []event.Group{{PID: 7}}} },
		func() event.Body { return event.Spawn{Job: id(), Group: event.Group{PID: 8}} },
		func() event.Body { return event.Settlement{Job: id(), Status: "finished", Text: text()} },
		func() event.Body { return event.Inquiry{ID: id(), Call: id(), Text: text()} },
		func() event.Body { return event.Answer{ID: id()} },
		func() event.Body { return event.Setting{Key: id(), Value: json.RawMessage(`{"v": [1, "<"]}`)} },
		func() event.Body { return event.Notice{Type: "t", Text: text()} },
		func() event.Body { return event.Fork{From: id(), Seq: 1} },
		func() event.Body { return event.Change{Call: id(), Diff: text()} },
		func() event.Body { return event.Repair{LostBytes: 1, Kept: "elsewhere"} },
	}
	return bodies[src.Pick(len(bodies), "kind")]()
}
