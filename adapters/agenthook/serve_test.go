package agenthook

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// run gives one input to the guard and returns what its process would.
func run(o Options) (r Reply) {
	var out, errs bytes.Buffer
	o.Out, o.Err = &out, &errs
	if o.Open == nil {
		o.Open = func(Request) (Judge, error) { return &fake{}, nil }
	}
	o.Around.Dir = "/w"
	code := Serve(context.Background(), o)
	return Reply{code, out.String(), errs.String()}
}

func bash(script string) io.Reader {
	return strings.NewReader(`{"session_id":"s","cwd":"/w","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"` + script + `"},"tool_use_id":"c"}`)
}

func TestServe(t *testing.T) {
	for _, c := range []struct {
		name   string
		in     io.Reader
		code   int
		stdout string // a part of it; empty is empty
		stderr string
	}{
		{"allowed", bash("ls"), 0, "", ""},
		{"asked", bash("ask"), 0, `"permissionDecision":"ask"`, ""},
		{"denied", bash("deny"), 2, `"permissionDecision":"deny"`, "it holds the word deny (rule no-deny). Next: use another word."},
		{"a panic", bash("panic"), 2, `"deny"`, "as the test wants (rule panic)"},
		{"no JSON", strings.NewReader("ls"), 2, `"deny"`, "(rule input)"},
		{"nothing", strings.NewReader(""), 2, `"deny"`, "the input is empty"},
		{"too much", io.MultiReader(bash("ls"), strings.NewReader(strings.Repeat(" ", MaxInput))), 2, `"deny"`, "larger than 8 MiB"},
		{"a failing pipe", errReader{}, 2, `"deny"`, "could not be read"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := run(Options{Agent: ClaudeCode, In: c.in})
			if r.Code != c.code || !strings.Contains(r.Stdout, c.stdout) || c.stdout == "" && r.Stdout != "" || !strings.Contains(r.Stderr, c.stderr) || c.stderr == "" && r.Stderr != "" {
				t.Errorf("%+v", r)
			}
		})
	}
}

type errReader struct{}

func (errReader) Read([]byte) (int, error) { return 0, errors.New("the pipe broke") }

func TestBrokenSettingsAllowNothing(t *testing.T) {
	r := run(Options{Agent: Codex, In: bash("ls"), Open: func(Request) (Judge, error) {
		return nil, errors.New("/home/u/.tenet/settings.json:3:7: a comma is missing")
	}})
	if r.Code != 2 || !strings.Contains(r.Stderr, "/home/u/.tenet/settings.json:3:7") {
		t.Errorf("%+v", r)
	}
}

// The deadline answers by itself, and an agent that never ends its input is answered too.
func TestTheAnswerIsInTime(t *testing.T) {
	for name, o := range map[string]Options{
		"a judge that hangs":         {In: bash("ls"), Open: func(Request) (Judge, error) { return hung{}, nil }},
		"an input that never ends":   {In: open()},
		"settings that never come":   {In: bash("ls"), Open: func(Request) (Judge, error) { time.Sleep(time.Hour); return nil, errors.New("late") }},
		"a judge that comes in time": {In: bash("deny"), Open: func(Request) (Judge, error) { time.Sleep(Deadline - 1); return &fake{}, nil }},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				o.Agent = Gemini
				r := run(o)
				if r.Code != 2 || r.Stderr == "" || time.Since(start) > Deadline {
					t.Errorf("%+v after %v", r, time.Since(start))
				}
				time.Sleep(2 * time.Hour) // what was left behind ends, as its process would
			})
		})
	}
}

// hung comes back long after the process has gone.
type hung struct{}

func (hung) Judge(context.Context, string, string, []byte) Answer {
	time.Sleep(time.Hour)
	return Answer{Verdict: Allow}
}

// open is an input that gives nothing for an hour.
func open() io.Reader {
	return readerFunc(func([]byte) (int, error) { time.Sleep(time.Hour); return 0, io.EOF })
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// An ask that could not be written would read as an allow.
func TestAnAnswerThatCannotBeWrittenIsABlock(t *testing.T) {
	var errs bytes.Buffer
	code := Serve(t.Context(), Options{Agent: ClaudeCode, In: bash("ask"), Out: closed{}, Err: &errs, Open: func(Request) (Judge, error) { return &fake{}, nil }})
	if code != 2 || errs.Len() == 0 {
		t.Errorf("exit %d, %q", code, errs.String())
	}
}

type closed struct{}

func (closed) Write([]byte) (int, error) { return 0, os.ErrClosed }

func TestTheRecordNeverChangesTheAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for name, log := range map[string]func(Record){
			"it panics": func(Record) { panic("disk") },
			"it hangs":  func(Record) { time.Sleep(time.Minute) },
		} {
			if r := run(Options{Agent: Codex, In: bash("ls"), Log: log}); r != (Reply{}) {
				t.Errorf("%s: %+v", name, r)
			}
		}
		time.Sleep(time.Hour)
	})
}

func TestTheRecordSaysWhatTheAgentWasTold(t *testing.T) {
	for _, c := range []struct {
		agent   Agent
		script  string
		verdict string
		blocked bool
	}{{ClaudeCode, "ask", "ask", false}, {Codex, "ask", "ask", true}, {Codex, "deny", "deny", true}, {Codex, "ls", "allow", false}} {
		var got Record
		run(Options{Agent: c.agent, In: bash(c.script), Log: func(r Record) { got = r }})
		if got.Verdict != c.verdict || got.Blocked != c.blocked || got.What != c.script || got.Session != "s" || got.Tool != "Bash" {
			t.Errorf("%+v", got)
		}
	}
}

// A panic in a goroutine that nobody waits for cannot be caught. It ends the process
// with exit 2 and a text on standard error, which is a block as well.
func TestAPanicElsewhereIsABlock(t *testing.T) {
	if os.Getenv("AGENTHOOK_PANIC") != "" {
		go panic("elsewhere")
		select {}
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestAPanicElsewhereIsABlock$")
	cmd.Env = append(os.Environ(), "AGENTHOOK_PANIC=1")
	var errs bytes.Buffer
	cmd.Stderr = &errs
	_ = cmd.Run()
	if cmd.ProcessState.ExitCode() != exitBlock || errs.Len() == 0 {
		t.Errorf("exit %d, %q", cmd.ProcessState.ExitCode(), errs.String())
	}
}
