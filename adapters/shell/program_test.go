package shell

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"tenet/core/event"
	"tenet/core/script"
)

// argv runs one program without a shell.
func argv(t *testing.T, s *Shell, words ...string) Result {
	t.Helper()
	return s.Start(t.Context(), &recorder{}, Call{Argv: words}).Result()
}

// Every word arrives as it is written, and the two outputs come back apart.
func TestArgvIsNoShell(t *testing.T) {
	s := newShell(tree(t))
	r := argv(t, s, "/bin/echo", "$A", "*.txt", "a b", "'q'", "", "|", ">", "x")
	if r.Output != "$A *.txt a b 'q'  | > x\n" || r.Errors != "" || r.Status != 0 || r.End.Kind != Finished {
		t.Errorf("%+v", r)
	}
	r = argv(t, s, "sh", "-c", "echo out; echo err >&2; exit 3")
	if r.Output != "out\n" || r.Errors != "err\n" || r.Status != 3 || r.Text() != "out\n[stderr]\nerr\n[exit status 3]\n" {
		t.Errorf("%+v\n%s", r, r.Text())
	}
	if r = argv(t, s, "no-such-program"); r.Status != 127 || r.Errors != "no-such-program: command not found\n" {
		t.Errorf("%+v", r)
	}
	if r = argv(t, s, "cd", "/"); r.Status != 127 {
		t.Errorf("a built-in ran: %+v", r)
	}
}

// What cannot be started as it is written is refused before anybody is asked.
func TestArgvRefused(t *testing.T) {
	for _, words := range [][]string{{}, {""}, {"echo", "a\x00b"}} {
		g := &recorder{}
		r := newShell(t.TempDir()).Start(t.Context(), g, Call{Argv: words}).Result()
		if r.End.Kind != Failed || r.End.Err == nil || g.plan != nil {
			t.Errorf("%q: %+v, %v", words, r.End, g.plan)
		}
	}
}

// A person is shown the argv so that a shell would read exactly it back; it is one step.
func TestArgvIsShown(t *testing.T) {
	words := []string{"A=1", "a b", "*", "'", "$x", ">f", "\x1b[31m"}
	steps, err := newShell(t.TempDir()).PlanArgv(words)
	if err != nil || len(steps) != 1 {
		t.Fatalf("%v, %v", steps, err)
	}
	if want := Line(words); steps[0].Text != want || want != `'A=1' 'a b' '*' \'\'' '$x' '>f' $'\x1b[31m'` && want != `'A=1' 'a b' '*' ''\''' '$x' '>f' $'\x1b[31m'` {
		t.Errorf("%s, want %s", steps[0].Text, want)
	}
	if sc, err := script.Parse(steps[0].Text); err != nil || len(sc.Pipelines) != 1 {
		t.Errorf("no shell reads it back: %v", err)
	}
}

// Each of the two outputs is bounded by itself, the rest counted and kept.
func TestArgvBounds(t *testing.T) {
	d := t.TempDir()
	s := newShell(d, func(c *Config) { c.Limits.ArtifactDir = filepath.Join(d, "out") })
	r := argv(t, s, "sh", "-c", `yes o | head -c 200000; yes e | head -c 100000 >&2`)
	if len(r.Output) > ArgvBytes || r.Bounded.Kept+r.Bounded.Dropped != 200000 || len(r.Errors) > ArgvBytes || r.ErrorsBounded.Kept+r.ErrorsBounded.Dropped != 100000 {
		t.Errorf("%d of %+v, %d of %+v", len(r.Output), r.Bounded, len(r.Errors), r.ErrorsBounded)
	}
	if b, err := os.ReadFile(r.ErrorsBounded.Artifact); err != nil || len(b) != 100000 {
		t.Errorf("the file of stderr has %d bytes, %v", len(b), err)
	}
	if r.Dropped() != r.Bounded.Dropped+r.ErrorsBounded.Dropped || !strings.Contains(r.Text(), "[stderr: output bounded: ") {
		t.Errorf("%s", r.Text()[len(r.Text())-400:])
	}
}

// A program that leaves a child with its outputs is not waited for any longer.
func TestArgvHeld(t *testing.T) {
	s := newShell(t.TempDir())
	r := argv(t, s, "sh", "-c", "sleep 987 & echo done")
	if r.Output != "done\n" || !r.Bounded.Held || !r.ErrorsBounded.Held || len(r.Background) != 1 {
		t.Errorf("%+v", r)
	}
	s.Close(t.Context())
}

// shell-001, shell-002: a command returns when its shell has ended, whatever a background
// child still does with the output; what it left is named and ends with the session.
func TestReturnsWhenTheShellEnds(t *testing.T) {
	for _, src := range []string{
		`bash -c 'sleep 60 & echo fg-done'`,
		`bash -c 'while :; do echo x; sleep 0.01; done & echo fg-done'`,
		`sh -c '(yes & ) ; echo fg-done'`,
	} {
		s := newShell(t.TempDir())
		r := s.Run(t.Context(), &recorder{}, src)
		if !strings.Contains(r.Output, "fg-done\n") && r.Bounded.Dropped == 0 || r.End.Kind != Finished || !r.Bounded.Held {
			t.Errorf("%s: %v, held %v", src, r.End, r.Bounded.Held)
		}
		_, left := s.Close(t.Context()) // a writer may have ended by itself: nobody reads on
		if len(left) != 0 || slices.ContainsFunc(r.Background, func(g int) bool { return len(members(g)) > 0 }) {
			t.Errorf("%s: left %v", src, left)
		}
	}
}

// A call beside its caller: its output can be read while it runs, its groups are told as
// they start, and a stop says why.
func TestRunningIsWatched(t *testing.T) {
	d := t.TempDir()
	for _, f := range []string{"one", "two"} {
		if err := syscall.Mkfifo(filepath.Join(d, f), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	x := newShell(d).Start(context.WithoutCancel(t.Context()), &recorder{}, Call{Name: Mark("s9", "call_1"), Script: "echo hi; cat one; sh -c 'read x < two; sleep 987'"})
	<-x.Began()
	open := func(name string) {
		f, err := os.OpenFile(filepath.Join(d, name), os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
	told := make(chan event.Group, 2)
	first := x.Groups(func(g event.Group) { told <- g })
	open("one")
	g := <-told
	if g.Name == "cat" {
		g = <-told
	}
	if r := x.SoFar(); r.Output != "hi\n" || g.Name != "sh" || g.Start == 0 || slices.Contains(first, g) {
		t.Errorf("%+v, %v then %v", r, first, g)
	}
	if hasMarks() {
		if found := (Orphans{}).Find(Mark("s9", "call_1")); !slices.ContainsFunc(found, func(f event.Group) bool { return f.PID == g.PID && f.Start == g.Start }) {
			t.Errorf("found %v, want %v", found, g)
		}
	}
	open("two")
	why := errors.New("enough")
	x.Stop(why)
	if r := x.Result(); r.End.Kind != Cancelled || !errors.Is(r.End.Err, why) || len(r.Survivors) != 0 {
		t.Errorf("%+v", r.End)
	}
	if s := (Orphans{}).Look(Boot(), g, ""); s.Members {
		t.Errorf("%v is still there", g)
	}
}

// A time limit says that it was one.
func TestTimeLimitIsTyped(t *testing.T) {
	x := newShell(t.TempDir()).Start(t.Context(), &recorder{}, Call{Argv: []string{"sleep", "987"}, Limit: func() time.Duration { return 10 * time.Millisecond }})
	var limit *TimeLimit
	if r := x.Result(); !errors.As(r.End.Err, &limit) || limit.Of != 10*time.Millisecond {
		t.Errorf("%+v", r.End)
	}
}
