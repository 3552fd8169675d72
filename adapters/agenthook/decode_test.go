package agenthook

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// sample is one line of testdata/AGENT.jsonl: what an agent writes to its hook.
type sample struct {
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`
}

func samples(t testing.TB, a Agent) (out []sample) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", a.String()+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(data) {
		var s sample
		if err := json.Unmarshal(line, &s); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		out = append(out, s)
	}
	return out
}

// shown prints what a request becomes, as the golden files hold it.
func shown(a Agent, input []byte) string {
	var b strings.Builder
	r, err := Decode(a, input, Surroundings{Dir: "/w"})
	var calls []Call
	if err == nil {
		calls, err = r.Calls("/home/u")
	}
	if err != nil {
		return "  blocked: " + err.Error() + "\n"
	}
	if len(calls) == 0 {
		b.WriteString("  touches nothing\n")
	}
	for _, c := range calls {
		args, _ := json.Marshal(c.Args)
		fmt.Fprintf(&b, "  %s in %s: %s\n", c.Tool, c.Dir, args)
	}
	return b.String()
}

// Every tool shape of every agent, and what the gate is asked about for it. UPDATE=1
// rewrites the files; read them as a reviewer.
func TestEveryToolShape(t *testing.T) {
	for _, a := range Agents() {
		t.Run(a.String(), func(t *testing.T) {
			var b strings.Builder
			for _, s := range samples(t, a) {
				fmt.Fprintf(&b, "%s\n%s", s.Name, shown(a, s.Input))
			}
			golden(t, filepath.Join("testdata", a.String()+".golden"), b.String())
		})
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (UPDATE=1 rewrites it); got:\n%s", name, got)
	}
}

// A text that two readers may read as two calls is none.
func TestStrictJSON(t *testing.T) {
	const rest = `"cwd":"/w","hook_event_name":"PreToolUse","tool_name":"Bash"`
	for name, in := range map[string]string{
		"nothing":              ``,
		"blanks":               "  \n",
		"plain words":          `rm it`,
		"cut":                  `{"cwd":"/w","tool_input":{"comm`,
		"a list":               `[]`,
		"null":                 `null`,
		"two values":           `{` + rest + `,"tool_input":{"command":"ls"}} {}`,
		"a key twice":          `{` + rest + `,"tool_input":{"command":"ls","command":"id"}}`,
		"an outer key twice":   `{` + rest + `,"tool_input":{"command":"ls"},"tool_input":{"command":"id"}}`,
		"bytes that are none":  "{" + rest + `,"tool_input":{"command":"` + "\xff" + `"}}`,
		"too deep":             `{` + rest + `,"tool_input":{"command":"ls","x":` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + `}}`,
		"too large":            `{` + rest + `,"tool_input":{"command":"` + strings.Repeat("a", MaxInput) + `"}}`,
		"a key in other case":  `{` + rest + `,"tool_input":{"Command":"ls"}}`,
		"a NUL in the command": `{` + rest + `,"tool_input":{"command":["ls","a\u0000b"]}}`,
	} {
		if got := shown(ClaudeCode, []byte(in)); !strings.HasPrefix(got, "  blocked: ") {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// The directory of a call moves with the agent's cd, and in Codex it is the model's own
// choice: what lies inside the project is measured from the project.
func TestTheProjectIsWhereTheAgentSaysItIs(t *testing.T) {
	around := Surroundings{Getenv: func(name string) string { return map[string]string{"CLAUDE_PROJECT_DIR": "/w"}[name] }, Dir: "/p"}
	in := []byte(`{"cwd":"/w/sub","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}`)
	for _, c := range []struct {
		agent Agent
		in    Surroundings
		root  string
	}{{ClaudeCode, around, "/w"}, {ClaudeCode, Surroundings{}, "/w/sub"}, {Codex, around, "/p"}, {OpenCode, around, "/w/sub"}} {
		r, err := Decode(c.agent, in, c.in)
		if err != nil || r.Root != c.root || r.Cwd != "/w/sub" {
			t.Errorf("%v: the root is %q, want %q (%v)", c.agent, r.Root, c.root, err)
		}
	}
	if _, err := Decode(Codex, in, Surroundings{}); err == nil {
		t.Error("a call of Codex was read without knowing the project")
	}
}

func TestTooManyFilesAtOnce(t *testing.T) {
	patch := "*** Begin Patch\n" + strings.Repeat("*** Delete File: a\n", MaxCalls+1) + "*** End Patch\n"
	r := Request{Agent: Codex, Tool: "apply_patch", Cwd: "/w", Args: map[string]any{"command": patch}}
	if _, err := r.Calls(""); err == nil {
		t.Error("a patch of more files than are judged was not blocked")
	}
	many := make([]any, MaxCalls+1)
	for i := range many {
		many[i] = fmt.Sprint("/f", i)
	}
	r = Request{Agent: ClaudeCode, Tool: "mcp__a__b", Cwd: "/w", Args: map[string]any{"files": many}}
	if _, err := r.Calls(""); err == nil {
		t.Error("a foreign tool with more paths than are judged was not blocked")
	}
}

// FuzzDecode: no input makes the decoder panic, and what is let through as touching
// nothing is a call that was read whole.
func FuzzDecode(f *testing.F) {
	for _, a := range Agents() {
		for _, s := range samples(f, a) {
			f.Add(uint8(a), []byte(s.Input))
		}
	}
	f.Add(uint8(0), []byte(`{"a":`))
	f.Fuzz(func(t *testing.T, agent uint8, in []byte) {
		a := Agent(agent % numAgents)
		r, err := Decode(a, in, Surroundings{Dir: "/w"})
		if err != nil {
			return
		}
		if !json.Valid(in) {
			t.Fatalf("%q is no JSON and was read as %+v", in, r)
		}
		calls, err := r.Calls("/home/u")
		if err == nil && len(calls) == 0 && (isCommandTool(r.Tool) || r.Truncated) {
			t.Fatalf("%q was read as touching nothing", in)
		}
		for _, c := range calls {
			if c.Dir == "" || c.Tool == "" {
				t.Fatalf("%q: a call without a tool or a directory: %+v", in, c)
			}
		}
	})
}

func isCommandTool(name string) bool { s, ok := shapes[name]; return ok && s.kind == Shell }
