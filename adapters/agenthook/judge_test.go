package agenthook

import (
	"context"
	"strings"
	"testing"

	"tenet/core/call"
)

// fake judges by words: a call whose arguments hold deny, ask or panic gets that.
type fake struct{ seen []string }

func (f *fake) Judge(_ context.Context, dir, tool string, args []byte) Answer {
	f.seen = append(f.seen, tool+" "+dir+" "+string(args))
	text := string(args)
	switch {
	case strings.Contains(text, "panic"):
		panic("as the test wants")
	case strings.Contains(text, "deny"):
		return Answer{Verdict: Deny, Rule: "no-deny", Why: "it holds the word deny", Next: "use another word"}
	case strings.Contains(text, "ask"):
		return Answer{Verdict: Ask, Rule: "asks", Why: "it holds the word ask", How: "tenet rules add process.execute allow 'ask'"}
	}
	return Answer{Verdict: Allow, Rule: "fine", Commands: commands(text)}
}

// commands reads the words of a script that has one command.
func commands(args string) []call.Command {
	_, script, _ := strings.Cut(args, `"command":"`)
	script, _, _ = strings.Cut(script, `"`)
	var c call.Command
	for _, w := range strings.Fields(script) {
		c.Words = append(c.Words, call.Word{Text: w})
	}
	return []call.Command{c}
}

func TestTheStrongestAnswerCounts(t *testing.T) {
	for _, c := range []struct {
		files string
		want  Verdict
	}{{"a b", Allow}, {"a ask", Ask}, {"ask deny", Deny}, {"deny ask", Deny}, {"a ask b", Ask}} {
		patch := "*** Begin Patch\n"
		for f := range strings.FieldsSeq(c.files) {
			patch += "*** Update File: " + f + "\n"
		}
		r := Request{Agent: Codex, Tool: "apply_patch", Cwd: "/w", Args: map[string]any{"command": patch}}
		calls, err := r.Calls("")
		if err != nil {
			t.Fatal(err)
		}
		if a := judged(t.Context(), &fake{}, r, calls); a.Verdict != c.want {
			t.Errorf("%s: %v, want %v", c.files, a.Verdict, c.want)
		}
	}
}

func TestTheCanaryIsAlwaysBlocked(t *testing.T) {
	for _, a := range Agents() {
		r := Request{Agent: a, Tool: "Bash", Cwd: "/w", Args: map[string]any{"command": "touch /tmp/" + CanaryWord}}
		calls, err := r.Calls("")
		if err != nil {
			t.Fatal(err)
		}
		if got := judged(t.Context(), &fake{}, r, calls); got.Verdict != Deny || got.Rule != "canary" {
			t.Errorf("%v: %+v", a, got)
		}
	}
}

// What is typed into a running program is shown to no hook of Codex, so a program
// that would obey it does not start.
func TestNoProgramThatObeysItsInputStartsInCodex(t *testing.T) {
	blocked := []string{
		"bash", "bash -i", "sh -s", "/bin/zsh -l", "python3", "python3.13 -i x.py", "python -m pdb x.py", "python3 -", "node", "ssh host",
		"docker exec -it box sh", "vim a.txt", "psql", "bash /dev/stdin", "perl /dev/tty", "sqlite3 a.db",
	}
	fine := []string{
		"bash x.sh", "bash -lc ls", "sh -c ls", "python3 x.py", "python3 -c 1", "python -m pytest", "node --version", "node -e 1", "ssh host ls",
		"docker ps", "ls", "git log", "make test", "awk '{print}'", "perl -e 1", "docker run --rm box ls",
	}
	judge := func(a Agent, script string) Answer {
		r := Request{Agent: a, Tool: "Bash", Cwd: "/w", Args: map[string]any{"command": script}}
		calls, err := r.Calls("")
		if err != nil {
			t.Fatal(err)
		}
		return judged(t.Context(), &fake{}, r, calls)
	}
	for _, s := range blocked {
		if a := judge(Codex, s); a.Verdict != Deny || a.Rule != "interactive-program" {
			t.Errorf("%s: %+v", s, a)
		}
		if a := judge(ClaudeCode, s); a.Verdict != Allow {
			t.Errorf("%s in an agent without such a hole: %+v", s, a)
		}
	}
	for _, s := range fine {
		if a := judge(Codex, s); a.Verdict != Allow {
			t.Errorf("%s: %+v", s, a)
		}
	}
	fed := call.Command{Words: []call.Word{{Text: "bash"}}, Fed: "cat"}
	if attended(fed) {
		t.Error("a shell that a pipe feeds was taken for one that a person types into")
	}
}
