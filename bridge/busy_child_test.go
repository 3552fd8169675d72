package bridge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"tenet/adapters/cli"
	adapter "tenet/adapters/provider"
	"tenet/core/event"
)

// busyChildIn is the directory of a child of TestKilledAnywhereNothingIsLostOrRunTwice.
const busyChildIn = "TENET_BUSY_CHILD"

// busyTurns is how many prompts of its own a busy session has; messages that wait make
// more turns of it.
const busyTurns = 4

// busyChild leads a session through its turns, from wherever an earlier child left it,
// and says on its output what was made durable.
func busyChild(t *testing.T, dir string) {
	t.Setenv("HOME", filepath.Join(dir, "home"))
	t.Setenv("TENET_HOME", filepath.Join(dir, "tenet"))
	o := cli.Options{Version: "v", Dir: filepath.Join(dir, "work"), Auto: []string{"read", "write"}, Yes: true, Continue: len(logsIn(t, dir)) > 0}
	m := &busyModel{submitted: make(chan string, 16)}
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	s, err := cli.Open(ctx, o, m, func(r event.Record) { fmt.Println("rec", r.Seq, r.Kind) })
	if err != nil {
		t.Fatal(err)
	}
	m.submit = func(text string) error {
		id, err := s.Session.Submit(text, event.Queue)
		if err == nil {
			fmt.Println("ack", id)
		}
		return err
	}
	if err := busyDay(ctx, s); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	fmt.Println("done")
}

// busyDay goes on with the open turn, then with what waits, then with the next prompt,
// until all are over and no job runs.
func busyDay(ctx context.Context, s *cli.Opened) error {
	for {
		now := s.Session.State()
		if now.InTurn {
			if _, err := s.Session.Continue(ctx); err != nil {
				return err
			}
			continue
		}
		if _, ok, err := s.Session.Begin(ctx); ok || err != nil {
			if err != nil {
				return err
			}
			continue
		}
		said := strings.Count(strings.Join(busyPrompts(now), "\n"), "turn ")
		switch {
		case said < busyTurns:
			if _, err := s.Session.Prompt(ctx, fmt.Sprint("turn ", said+1)); err != nil {
				return err
			}
		case len(now.Jobs) == 0:
			return nil
		default: // the end of a job wakes the session
			if _, err := s.Session.Next(ctx); err != nil {
				return err
			}
		}
	}
}

func busyPrompts(s event.State) (out []string) {
	for _, m := range s.Messages {
		if m.Role == event.User && !m.Harness {
			out = append(out, m.Text)
		}
	}
	return out
}

// busyModel answers by how many replies the context holds, so that a session that was
// interrupted goes on where it was. Every call that does something leaves a mark of its
// own.
type busyModel struct {
	submit    func(text string) error
	submitted chan string
}

func (m *busyModel) Name() string { return "busy" }

func (m *busyModel) Reply(ctx context.Context, r adapter.Request, _ func(adapter.Delta)) (event.Reply, error) {
	n := 0
	for _, m := range r.Messages {
		if m.Role == adapter.Assistant {
			n++
		}
	}
	reply := busyReply(n, r.Messages)
	if n%busyCycle == 3 && n < 3*busyCycle {
		if err := m.submit(fmt.Sprint("and then ", n)); err != nil && ctx.Err() == nil {
			return reply, err
		}
	}
	return reply, nil
}

// busyCycle is how many replies there are before they begin again.
const busyCycle = 9

var docTag = regexp.MustCompile(`\[doc#[0-9A-F]{4}\]`)

// busyReply is the n-th reply of the model.
func busyReply(n int, context []adapter.Message) event.Reply {
	mark := func(i int) string { return fmt.Sprintf("mark-%d-%d", n, i) }
	switch n % busyCycle {
	case 0:
		return busyCalls("write", map[string]any{"path": fmt.Sprint("file-", n), "content": mark(0) + "\n"}, "bash", map[string]any{"command": "echo " + mark(1) + " >> effects"})
	case 1:
		return busyCalls("read", map[string]any{"path": "doc"}, "list_dir", map[string]any{"path": "."}, "grep", map[string]any{"pattern": "mark", "path": "."})
	case 2:
		tag := "[doc#0000]"
		for _, m := range context {
			if found := docTag.FindAllString(m.Text, -1); m.Role == adapter.Tool && len(found) > 0 {
				tag = found[len(found)-1]
			}
		}
		return busyCalls("edit", map[string]any{"patch": tag + "\nPUT >$:\n+" + mark(0) + "\n"}, "run", map[string]any{"argv": []string{"sh", "-c", "echo " + mark(1) + " >> effects"}})
	case 3:
		return busyCalls("bash", map[string]any{"command": "sleep 0.15; echo " + mark(0) + " >> effects"}, "job", map[string]any{"verb": "list"})
	case 4:
		return busyCalls("read", map[string]any{"path": "doc"}, "search_replace", map[string]any{"path": "doc", "old": "the end", "new": mark(1) + "\nthe end"})
	case 5:
		return busyCalls("ask", map[string]any{"question": "and now?"}, "glob", map[string]any{"pattern": "file-*"}, "bash", map[string]any{"command": "echo " + mark(2) + " >> effects && cat effects | tail -n 1"})
	case 6:
		return event.Reply{Text: "so far, so good", Stop: "stop"}
	case 7:
		return busyCalls("bash", map[string]any{"command": "cat no-such-file"}, "no_such_tool", map[string]any{})
	}
	return busyCalls("finish", map[string]any{"result": "all of it"})
}

func busyCalls(words ...any) event.Reply {
	r := event.Reply{Stop: "toolUse", Input: 10, Output: 5}
	for i := 0; i < len(words); i += 2 {
		args, err := json.Marshal(words[i+1])
		if err != nil {
			panic(err) // texts and lists of texts
		}
		r.Calls = append(r.Calls, event.ToolCall{Tool: words[i].(string), Args: string(args)})
	}
	return r
}

// logsIn are the session logs of a child's directory.
func logsIn(t *testing.T, dir string) []string {
	t.Helper()
	logs, err := filepath.Glob(filepath.Join(dir, "tenet", "sessions", "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	return logs
}

// busyRoom is a directory for a busy session.
func busyRoom(t *testing.T, dir string) {
	t.Helper()
	err := errors.Join(os.MkdirAll(filepath.Join(dir, "work"), 0o700), os.MkdirAll(filepath.Join(dir, "home"), 0o700), os.MkdirAll(filepath.Join(dir, "tenet"), 0o700),
		os.WriteFile(filepath.Join(dir, "work", "doc"), []byte("the beginning\nthe end\n"), 0o600),
		os.WriteFile(filepath.Join(dir, "tenet", "settings.json"), []byte(`{"toolBlockingBudgetMs": 60}`), 0o600))
	if err != nil {
		t.Fatal(err)
	}
}
