package replay_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"tenet/adapters/approvals"
	"tenet/adapters/provider"
	"tenet/adapters/rehearsal"
	"tenet/adapters/replay"
	"tenet/adapters/session"
	"tenet/core/event"
	"tenet/core/gate"
	"tenet/core/surface"
)

// recorded is a log of the bodies.
func recorded(t *testing.T, bodies ...event.Body) []event.Record {
	t.Helper()
	var out []event.Record
	sum := event.NoSum
	for i, b := range bodies {
		var line []byte
		line, sum = event.Encode(nil, sum, uint64(i+1), time.Unix(int64(i), 0), b)
		h, ok := event.Cut(line[:len(line)-1])
		if !ok {
			t.Fatalf("record %d: %s", i+1, line)
		}
		out = append(out, h.Record())
	}
	return out
}

func story(t *testing.T, bodies ...event.Body) *replay.Story {
	t.Helper()
	s, err := replay.Read(recorded(t, bodies...))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// one is a session of one call with these effects, which started.
func one(effects ...string) []event.Body {
	return []event.Body{
		event.Opening{Session: "s", Workspace: "/work", Model: "m"}, event.Prompt{Text: "go"}, event.Request{},
		event.Reply{Calls: []event.ToolCall{{ID: "call_1", Tool: "bash", Args: `{"command":"ls /work"}`}}, Stop: "toolUse"},
		event.Call{Call: "call_1", Tool: "bash", Args: `{"command":"ls /work"}`},
		event.Judgement{Call: "call_1", Ruling: event.Ruling{Verdict: "ask", Effects: effects}, Answer: "allow_once", By: "terminal", Reason: "fine", Digest: "d"},
		event.Dispatch{Call: "call_1", Steps: []int{1}}, event.Result{Call: "call_1", Text: "/work/a took 12ms, process 77"},
		event.Ending{How: "answered", Rounds: 1},
	}
}

var places = replay.Renaming{}.Rename("/work", "/tmp/copy/work")

// What a replay makes again in another place, at another time, is the same; a word that
// differs is named with its record, and what comes after it is stopped.
func TestTheFirstDifferenceIsNamed(t *testing.T) {
	there := func(text string) []event.Body {
		b := one("read")
		b[0] = event.Opening{Session: "s", Workspace: "/tmp/copy/work", Model: "m", Version: "another"}
		b[3] = event.Reply{Calls: []event.ToolCall{{ID: "call_1", Tool: "bash", Args: `{"command":"ls /tmp/copy/work"}`}}, Stop: "toolUse"}
		b[4] = event.Call{Call: "call_1", Tool: "bash", Args: `{"command":"ls /tmp/copy/work"}`}
		b[5] = event.Judgement{Call: "call_1", Ruling: event.Ruling{Verdict: "ask", Effects: []string{"read"}}, Answer: "allow_once", By: "terminal", Reason: "fine", Digest: "another"}
		b[7] = event.Result{Call: "call_1", Text: text}
		return b
	}
	for _, c := range []struct {
		name, text string
		want       *replay.Difference
	}{
		{"the same", "/tmp/copy/work/a took 3.5s, process 4711", nil},
		{"another word", "/tmp/copy/work/b took 3.5s, process 4711", &replay.Difference{Seq: 8, Member: "body.text", Expected: "/work/a took DURATION, process PID", Got: "/work/b took DURATION, process PID"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			stopped := false
			cmp := story(t, one("read")...).Compare(places, func() { stopped = true })
			for _, r := range recorded(t, there(c.text)...) {
				cmp.Watch(r)
			}
			same, diff := cmp.Result()
			if !reflect.DeepEqual(diff, c.want) || stopped != (c.want != nil) {
				t.Errorf("after %d records %+v, stopped %v; want %+v", same, diff, stopped, c.want)
			}
			if c.want != nil && !strings.Contains(diff.Text(), "record 8, body.text:\n  expected  /work/a") {
				t.Errorf("a person reads %q", diff.Text())
			}
		})
	}
}

func TestAReplayThatEndsEarlyOrGoesOnDiffers(t *testing.T) {
	whole := recorded(t, one("read")...)
	early := story(t, one("read")...).Compare(places, func() {})
	for _, r := range whole[:6] {
		early.Watch(r)
	}
	if _, d := early.Result(); d == nil || d.Seq != 7 || d.Got != "(nothing more)" {
		t.Errorf("a replay that ended early: %+v", d)
	}
	late := story(t, one("read")[:6]...).Compare(places, func() {})
	for _, r := range whole {
		late.Watch(r)
	}
	if _, d := late.Result(); d == nil || d.Seq != 0 || d.Got != "dispatched" {
		t.Errorf("a replay that went on: %+v", d)
	}
}

// journal keeps what a gate records.
type journal struct{ bodies []event.Body }

func (j *journal) Record(b event.Body) error { j.bodies = append(j.bodies, b); return nil }

// A call that reached beyond the workspace is not run again: what the log tells of it
// stands in for it.
func TestACallThatReachedBeyondIsNotRunAgain(t *testing.T) {
	for effect, runs := range map[string]bool{"read": true, "write": true, "exec": true, "secret": true, "net": false, "outside": false, "protected": false} {
		ran, log := false, &journal{}
		tool := session.Tool{Run: func(context.Context, *approvals.Gate, surface.Args) (session.Output, error) {
			ran = true
			return session.Output{}, nil
		}}
		again := story(t, one(effect)...).Tools([]session.Tool{tool}, places)[0]
		out, err := again.Run(t.Context(), &approvals.Gate{Call: "call_1", Log: log}, nil)
		if err != nil || ran != runs {
			t.Errorf("effect %s: ran %v (%v)", effect, ran, err)
		}
		if !runs && (out.Text != "/tmp/copy/work/a took 12ms, process 77" || len(log.bodies) != 2) {
			t.Errorf("effect %s: %q stands in, with records %v", effect, out.Text, log.bodies)
		}
	}
}

// Rules may have changed since: what was refused then does not start now, nor what would
// now reach beyond the copy.
func TestNothingStartsThatDidNotStartThen(t *testing.T) {
	refused := one("read")
	refused[6] = event.Notice{}
	for name, c := range map[string]struct {
		bodies []event.Body
		now    []string
		ok     bool
	}{
		"as it was": {one("read"), []string{"read"}, true}, "was refused": {refused, []string{"read"}, false}, "reaches beyond now": {one("read"), []string{"outside", "read"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			var err error
			tool := session.Tool{Run: func(_ context.Context, g *approvals.Gate, _ surface.Args) (session.Output, error) {
				err = errors.Join(g.Log.Record(event.Judgement{Call: g.Call, Ruling: event.Ruling{Effects: c.now}}), g.Log.Record(event.Dispatch{Call: g.Call, Steps: []int{1}}))
				return session.Output{}, nil
			}}
			again := story(t, c.bodies...).Tools([]session.Tool{tool}, places)[0]
			_, _ = again.Run(t.Context(), &approvals.Gate{Call: "call_1", Log: &journal{}}, nil)
			if (err == nil) != c.ok {
				t.Errorf("the dispatch: %v", err)
			}
		})
	}
}

func TestQuestionsAreAnsweredAsTheyWere(t *testing.T) {
	a := story(t, one("read")...).Answers(places)
	if r := a.Ask(t.Context(), approvals.Question{Call: "call_1"}); r != (approvals.Reply{Answer: gate.AllowOnce, By: "terminal", Reason: "fine"}) {
		t.Errorf("answered %+v", r)
	}
	if r := a.Ask(t.Context(), approvals.Question{Call: "call_2"}); r.Answer.Yes() {
		t.Errorf("a question that nobody was asked is answered %+v", r)
	}
}

// A replay says what was said, failures too, and then has nothing more to say; a script
// of it plays the same.
func TestTheModelAndTheScriptSayWhatWasSaid(t *testing.T) {
	bodies := []event.Body{
		event.Opening{Session: "s", Workspace: "/work", Model: "m"}, event.Prompt{Text: "go // on"},
		event.Reply{Text: "look: \"/work\" // é\n", Thinking: "hm", Calls: []event.ToolCall{{ID: "call_1", Provider: "p1", Tool: "bash", Args: `{"command": "ls"}`}, {ID: "call_2", Tool: "read", Args: `{"path": "a`}}, Stop: "length", Input: 7, Output: 3, Cached: 2},
		event.Failure{Class: "limited", Message: "slow down (HTTP 429)", Status: 429, RetryMS: 5},
		event.Failure{Class: "overload", Message: "busy; the server asks to wait 2h0m0s, longer than tenet waits by itself (1m0s): the prompt is kept, try again later", RetryMS: -1},
		event.Failure{Class: "no_answer", Message: "nothing", Thinking: "hm", Noted: true},
		event.Reply{Thoughts: []event.Thought{{Wire: "w", Model: "m", Raw: []byte(`{"a":1}`)}}, Stop: "stop"},
	}
	script, err := replay.Script("s", recorded(t, bodies...), 0)
	if err != nil {
		t.Fatal(err)
	}
	played, err := rehearsal.Parse(strings.NewReader(string(script)), "s")
	if err != nil {
		t.Fatalf("%v\n%s", err, script)
	}
	for name, p := range map[string]provider.Provider{"replay": story(t, bodies...).Model(replay.Renaming{}, nil), "script": played.Play()} {
		t.Run(name, func(t *testing.T) {
			say := func() (event.Reply, error) { return p.Reply(t.Context(), provider.Request{}, nil) }
			r, err := say()
			want := bodies[2].(event.Reply)
			want.Calls = []event.ToolCall{{Provider: "p1", Tool: "bash", Args: `{"command": "ls"}`}, {Tool: "read", Args: `{"path": "a`}}
			if err != nil || !reflect.DeepEqual(r, want) {
				t.Errorf("said %+v (%v), want %+v", r, err, want)
			}
			var e *provider.Error
			if _, err := say(); !errors.As(err, &e) || e.Class != provider.Limited || e.Error() != "slow down (HTTP 429)" {
				t.Errorf("failed as %+v", err)
			}
			if _, err := say(); !errors.As(err, &e) || e.Class != provider.Overload || e.RetryAfter != 2*time.Hour || e.Message != "busy" {
				t.Errorf("failed as %+v", err)
			}
			if r, err := say(); err != nil || r.Text != "" || r.Thinking != "hm" {
				t.Errorf("said %+v (%v) where there was no answer", r, err)
			}
			if r, err := say(); err != nil || len(r.Thoughts) != 1 || string(r.Thoughts[0].Raw) != `{"a":1}` {
				t.Errorf("thought %+v (%v)", r, err)
			}
			if _, err := say(); !errors.As(err, &e) || e.Class != provider.Exhausted {
				t.Errorf("after the last reply: %v", err)
			}
		})
	}
}

// The copy is of what was there when the session began, as far as git knows, and the
// workspace is only read.
func TestTheCopyIsOfWhatWasThere(t *testing.T) {
	dir := t.TempDir()
	work := filepath.Join(dir, "work")
	put := func(name, text string, at time.Time) {
		t.Helper()
		path := filepath.Join(work, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644), os.Chtimes(path, at, at)); err != nil {
			t.Fatal(err)
		}
	}
	began := time.Now().Add(time.Hour)
	put("tracked", "before", began.Add(-time.Minute))
	put("untracked", "before", began.Add(-time.Minute))
	git(t, work, "init", "--quiet")
	git(t, work, "add", "tracked")
	git(t, work, "-c", "user.name=n", "-c", "user.email=e", "commit", "--quiet", "-m", "m")
	put("tracked", "after", began.Add(time.Minute))
	put("sub/made", "after", began.Add(time.Minute))
	put("untracked-and-old", "kept", began.Add(-time.Minute))
	if err := os.Symlink("tracked", filepath.Join(work, "link")); err != nil {
		t.Fatal(err)
	}
	s, err := replay.Copy(t.Context(), work, filepath.Join(dir, "copy"), began)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"tracked": "before", "link": "before", "untracked": "before", "untracked-and-old": "kept", "sub/made": ""} {
		if got, _ := os.ReadFile(filepath.Join(s.Dir, name)); string(got) != want {
			t.Errorf("%s holds %q in the copy, want %q", name, got, want)
		}
	}
	if s.Commit == "" || s.Left != 1 || !strings.Contains(s.String(), "without 1 untracked files") {
		t.Errorf("the copy is said to be: %s (%+v)", s, s)
	}
	if got, _ := os.ReadFile(filepath.Join(work, "tracked")); string(got) != "after" {
		t.Errorf("the workspace was changed: %q", got)
	}
}

func TestACopyWithoutARepositorySaysWhatIsLater(t *testing.T) {
	dir := t.TempDir()
	work := filepath.Join(dir, "work")
	if err := errors.Join(os.Mkdir(work, 0o755), os.WriteFile(filepath.Join(work, "a"), nil, 0o600), os.WriteFile(filepath.Join(work, ".git"), []byte("gitdir: /elsewhere\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	s, err := replay.Copy(t.Context(), work, filepath.Join(dir, "copy"), time.Now().Add(-time.Hour))
	if err != nil || s.Later != 1 || s.Special != 1 {
		t.Errorf("%s, %v", s, err)
	}
	if _, err := os.Stat(filepath.Join(s.Dir, ".git")); err == nil {
		t.Error("the copy leads into the real repository")
	}
}

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	c := exec.Command("git", append([]string{"-C", dir}, args...)...)
	c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}
