package store_test

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"tenet/adapters/store"
	"tenet/core/event"
)

// clock counts seconds from a fixed start, so that a log is the same in every run.
func clock() func() time.Time {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	return func() time.Time { at = at.Add(time.Second); return at }
}

func create(t *testing.T, id string) *store.Log {
	t.Helper()
	l, err := store.Create(filepath.Join(t.TempDir(), "sessions"), id, store.Options{Now: clock()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

func appendAll(t *testing.T, l *store.Log, bodies ...event.Body) {
	t.Helper()
	for _, b := range bodies {
		if _, err := l.Commit(b); err != nil {
			t.Fatal(err)
		}
	}
}

// ruled is a ruling on one step.
func ruled(verdict, text, effects, rule string) event.Ruling {
	return event.Ruling{Verdict: verdict, Rule: event.Rule{Name: rule}, Effects: []string{effects}, Over: []string{effects}, Steps: []event.JudgedStep{{N: 1, Text: text, Effects: []string{effects}, Verdict: verdict}}}
}

// aSession is a session that stopped in the middle of its second call.
func aSession() []event.Body {
	one := event.ToolCall{ID: "c1", Tool: "bash", Args: `{"script":"ls"}`}
	two := event.ToolCall{ID: "c2", Tool: "bash", Args: `{"script":"make test"}`}
	return []event.Body{
		event.Opening{Session: "s1", Workspace: "/w", Model: "rehearsal", Profile: "open", Auto: []string{"read"}},
		event.Prompt{Text: "Make the tests pass.\nThey are in t/ & <they> fail."},
		event.Request{Attempt: 1, Messages: 2},
		event.Reply{Text: "I look.", Calls: []event.ToolCall{one, two}, Stop: "toolUse"},
		event.Call{Call: "c1", Tool: "bash", Args: one.Args},
		event.Judgement{Call: "c1", Tool: "bash", Ruling: ruled("allow", "ls", "read", "within-auto-set")},
		event.Dispatch{Call: "c1", Steps: []int{1}},
		event.Result{Call: "c1", Text: "a\nb\n\x1b[2Jc\u202e"},
		event.Call{Call: "c2", Tool: "bash", Args: two.Args},
		event.Question{ID: "c2:1", Call: "c2", Tool: "bash", Ruling: ruled("ask", "make test", "exec", "outside-auto-set")},
		event.Judgement{Call: "c2", Tool: "bash", Ruling: ruled("ask", "make test", "exec", "outside-auto-set"), Answer: "allow_once", By: "terminal"},
		event.Dispatch{Call: "c2", Steps: []int{1}},
	}
}

func TestALogIsReadBackAsItWasAppended(t *testing.T) {
	l := create(t, "s1")
	appendAll(t, l, aSession()...)
	records, report, err := store.Read(l.Path())
	if err != nil {
		t.Fatal(err)
	}
	if len(records) != len(aSession()) || !report.OK() {
		t.Fatalf("%d records, want %d\n%s", len(records), len(aSession()), report.Text())
	}
	s, err := event.Fold(records)
	if err != nil || len(s.Disorders) > 0 {
		t.Fatalf("fold: %v %v", err, s.Disorders)
	}
	if got := s.Unresolved(); len(got) != 1 || got[0] != "c2" {
		t.Errorf("unresolved %v, want c2", got)
	}
}

func TestTheFilesAreTheOwnersOnly(t *testing.T) {
	l := create(t, "s1")
	for path, want := range map[string]os.FileMode{l.Path(): 0o600, filepath.Dir(l.Path()): 0o700 | os.ModeDir, l.Path() + ".lock": 0o600} {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode() != want {
			t.Errorf("%s is %v, want %v", path, info.Mode(), want)
		}
	}
}

func TestAnIdThatNamesAnotherFileIsRefused(t *testing.T) {
	for _, id := range []string{"", ".", "../x", "a/b", ".hidden", "-r", "x.jsonl.torn-1", strings.Repeat("a", 101)} {
		if _, err := store.Create(t.TempDir(), id, store.Options{}); err == nil {
			t.Errorf("id %q was taken", id)
		}
	}
}

func TestASessionIsCreatedOnce(t *testing.T) {
	l := create(t, "s1")
	l.Close()
	if _, err := store.Create(filepath.Dir(l.Path()), "s1", store.Options{}); !errors.Is(err, store.ErrExists) {
		t.Errorf("second create: %v", err)
	}
}

func TestASecondOpenNamesTheHolder(t *testing.T) {
	l := create(t, "s1")
	_, _, err := store.Open(l.Path())
	var busy *store.Busy
	if !errors.As(err, &busy) || busy.PID != os.Getpid() {
		t.Fatalf("open of a held log: %v", err)
	}
	if _, report, err := store.Read(l.Path()); err != nil || report.Holder == nil {
		t.Errorf("a held log must be readable, and the report must say that it is held: %v, %+v", err, report.Holder)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	again, _, err := store.Open(l.Path())
	if err != nil {
		t.Fatalf("open after close: %v", err)
	}
	again.Close()
}

func TestATornTailIsKeptAndReported(t *testing.T) {
	tails := map[string]string{
		"half a record": `{"seq":13,"prev":"ab`,
		"zeros":         strings.Repeat("\x00", 5000),
		"no newline":    `{"seq":13}`,
		"garbage lines": "x\ny\n",
	}
	for name, tail := range tails {
		t.Run(name, func(t *testing.T) {
			l := create(t, "s1")
			appendAll(t, l, aSession()...)
			l.Close()
			add(t, l.Path(), tail)
			again, repairs, err := store.Open(l.Path())
			if err != nil {
				t.Fatal(err)
			}
			defer again.Close()
			if len(repairs) != 1 || repairs[0].LostBytes != int64(len(tail)) {
				t.Fatalf("repairs %+v, want the %d bytes", repairs, len(tail))
			}
			kept, err := os.ReadFile(filepath.Join(filepath.Dir(l.Path()), repairs[0].Kept))
			if err != nil || string(kept) != tail {
				t.Errorf("kept %q (%v), want %q", kept, err, tail)
			}
			appendAll(t, again, event.Result{Call: "c2", Error: true, Text: "interrupted"})
			records, report, err := store.Read(l.Path())
			if err != nil || !report.OK() || len(records) != 14 || records[12].Kind != event.Repaired {
				t.Errorf("%d records, %v\n%s", len(records), err, report.Text())
			}
		})
	}
}

func add(t *testing.T, path, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
	f.Close()
}

func TestABrokenChainIsRefusedAndNothingIsChanged(t *testing.T) {
	l := create(t, "s1")
	appendAll(t, l, aSession()...)
	l.Close()
	text, _ := os.ReadFile(l.Path())
	at := strings.Index(string(text), "I look.")
	text[at] = 'U'
	if err := os.WriteFile(l.Path(), text, 0o600); err != nil {
		t.Fatal(err)
	}
	_, _, err := store.Open(l.Path())
	var broken *store.BrokenError
	if !errors.As(err, &broken) || broken.Seq != 4 || broken.Flaw != event.Altered {
		t.Fatalf("open of a changed log: %v", err)
	}
	after, _ := os.ReadFile(l.Path())
	if string(after) != string(text) {
		t.Error("the refused log was changed")
	}
	report, err := store.Verify(l.Path())
	if err != nil || report.OK() || report.Records != 3 || !strings.Contains(report.Text(), "BROKEN at record 4") {
		t.Errorf("verify: %v\n%s", err, report.Text())
	}
}

func TestAnUnknownKindIsRefusedAndNeverCutOff(t *testing.T) {
	l := create(t, "s1")
	appendAll(t, l, event.Prompt{Text: "x"})
	l.Close()
	text, _ := os.ReadFile(l.Path())
	c := event.Begin()
	c.Follow(text, true)
	line, _ := event.Encode(nil, c.Sum, 2, time.Unix(0, 0), event.Prompt{Text: "y"})
	add(t, l.Path(), resealed(strings.Replace(string(line), "prompted", "dreamt", 1)))
	report, err := store.Verify(l.Path())
	if err != nil || report.Records != 2 || report.Tail != event.Whole || report.OK() {
		t.Errorf("a newer tenet's record: %v\n%s", err, report.Text())
	}
	if !strings.Contains(report.Text(), `kind "dreamt"`) {
		t.Errorf("the report does not name the kind:\n%s", report.Text())
	}
	again, repairs, err := store.Open(l.Path())
	if err != nil || len(repairs) != 0 {
		t.Fatalf("open: %v, repairs %v", err, repairs)
	}
	again.Close()
}

// resealed is a line whose sum was taken again after an edit: what only a program
// that means it can write.
func resealed(line string) string {
	body, _, _ := strings.Cut(line, `,"sum":"`)
	sum := sha256.Sum256([]byte(body))
	return body + `,"sum":"` + hex.EncodeToString(sum[:]) + "\"}\n"
}

func TestConcurrentCommitsAreAllThere(t *testing.T) {
	l := create(t, "s1")
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			for range 8 {
				if _, err := l.Commit(event.Prompt{Text: strings.Repeat("x", i)}, event.Request{Round: i}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	records, report, err := store.Read(l.Path())
	if err != nil || !report.OK() || len(records) != 256 {
		t.Fatalf("%d records, %v\n%s", len(records), err, report.Text())
	}
	for i := 0; i < len(records); i += 2 {
		if records[i].Kind != event.Prompted || records[i+1].Kind != event.Requested {
			t.Fatalf("the commit of record %d was torn apart by another", records[i].Seq)
		}
	}
}

func TestACommitIsBounded(t *testing.T) {
	l := create(t, "s1")
	if _, err := l.Commit(event.Prompt{Text: strings.Repeat("x", event.MaxCommit)}); !errors.Is(err, store.ErrTooLarge) {
		t.Fatalf("a commit over the bound: %v", err)
	}
	appendAll(t, l, event.Prompt{Text: "still open"})
	if report, err := store.Verify(l.Path()); err != nil || !report.OK() || report.Records != 1 {
		t.Errorf("after a refused commit: %v\n%s", err, report.Text())
	}
}

func TestALogThatAnotherProgramChangedTakesNoMore(t *testing.T) {
	l := create(t, "s1")
	appendAll(t, l, event.Prompt{Text: "x"})
	add(t, l.Path(), "hello\n")
	for range 2 {
		if _, err := l.Commit(event.Prompt{Text: "y"}); err == nil || !strings.Contains(err.Error(), "another program changed it") {
			t.Fatalf("append after a foreign write: %v", err)
		}
	}
}

func TestALogThatIsNotThereLeavesNothingBehind(t *testing.T) {
	dir := t.TempDir()
	if _, _, err := store.Open(filepath.Join(dir, "typo.jsonl")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("open: %v", err)
	}
	if names, err := os.ReadDir(dir); err != nil || len(names) != 0 {
		t.Errorf("left behind: %v (%v)", names, err)
	}
}

func TestSessionsAreListedNewestFirst(t *testing.T) {
	dir := t.TempDir()
	for i, id := range []string{"old", "new", "mid"} {
		l, err := store.Create(dir, id, store.Options{})
		if err != nil {
			t.Fatal(err)
		}
		appendAll(t, l, event.Opening{Session: id, Workspace: "/w/" + id}, event.Prompt{Text: "do " + id})
		l.Close()
		at := time.Unix(int64([]int{10, 30, 20}[i]), 0)
		if err := os.Chtimes(l.Path(), at, at); err != nil {
			t.Fatal(err)
		}
	}
	infos, err := store.List(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, i := range infos {
		got = append(got, i.ID+" in "+i.Workspace+": "+i.Prompt)
	}
	if strings.Join(got, "; ") != "new in /w/new: do new; mid in /w/mid: do mid; old in /w/old: do old" {
		t.Errorf("listed %v", got)
	}
}

func TestShowIsSafeForATerminalAndNamesTheInterruptedCall(t *testing.T) {
	l := create(t, "s1")
	appendAll(t, l, aSession()...)
	records, _, err := store.Read(l.Path())
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := store.Show(&b, records); err != nil {
		t.Fatal(err)
	}
	if b.String() != shown {
		t.Errorf("shown:\n%s\nwant:\n%s", b.String(), shown)
	}
}

const shown = `    1 03:04:06 tenet  session s1 in /w, model rehearsal, profile open, runs unasked: read
    2 03:04:07 you    Make the tests pass.
                      They are in t/ & <they> fail.
    3 03:04:08 tenet  asks the model (round 0, try 1, 2 messages)
    4 03:04:09 model  I look.
                      calls bash {"script":"ls"} (c1)
                      calls bash {"script":"make test"} (c2)
    5 03:04:10 call   c1 bash {"script":"ls"}
    6 03:04:11 gate   c1 runs (within-auto-set; read): ls
    7 03:04:12 call   c1 starts step 1
    8 03:04:13 result c1 a
                      b
                      \x1b[2Jc\u{202e}
    9 03:04:14 call   c2 bash {"script":"make test"}
   10 03:04:15 gate   c2 asks (outside-auto-set; over exec): make test
   11 03:04:16 gate   c2 runs (outside-auto-set; exec), answer allow_once by terminal: make test
   12 03:04:17 call   c2 starts step 1
interrupted: call c2, bash {"script":"make test"}, was running: it may have partially run, and is never run again.
`
