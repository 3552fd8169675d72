package bridge

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tenet/bridge/engine"
	core "tenet/core/childenv"
	"tenet/laws"
	"tenet/models/childenv"
)

// Every environment of the bound: each law holds, and said something.
func TestChildenvModel(t *testing.T) {
	defer report.Time("childenv")()
	r, err := childenvArea().Exhaust()
	if err != nil {
		t.Fatal(err)
	}
	if idle := engine.Unapplied(laws.ChildenvBook, r.Premises); idle != nil {
		t.Errorf("laws that never said anything: %v", idle)
	}
	if r.States != 1 || r.Steps != 23064 || r.Depth != 0 {
		t.Errorf("the model is not the one that was pinned: %+v", r)
	}
}

// Real processes, which print what they got.
func TestChildenvQuick(t *testing.T) {
	defer report.Time("childenv")()
	if err := childenvQuick(); err != nil {
		t.Fatal(err)
	}
}

// Environments beyond the bound: any names around a mark or a provider's name, in any
// case of letters.
func TestChildenvRapid(t *testing.T) {
	defer report.Time("childenv")()
	part := rapid.SampledFrom([]string{"API", "_KEY", "APIKEY", "TOKEN", "SECRET", "PASS", "WORD", "WD", "PHRASE", "CREDENTIAL", "PRIVATE", "ACCESS",
		"OPENAI", "ANTHROPIC", "GH_", "AWS_", "_ID", "SESSION", "X", "_", "PATH", "\u017f"})
	entry := rapid.Custom(func(rt *rapid.T) string {
		name := strings.Join(rapid.SliceOfN(part, 1, 4).Draw(rt, "parts"), "")
		if rapid.Bool().Draw(rt, "lower") {
			name = strings.ToLower(name)
		}
		return name + "=" + rapid.SampledFrom([]string{"", "v", "a=b"}).Draw(rt, "value")
	})
	some := rapid.SliceOfN(entry, 0, 8)
	rapid.Check(t, func(rt *rapid.T) {
		in := childenv.In{Child: core.Child(rapid.IntRange(0, 1).Draw(rt, "child")), Env: some.Draw(rt, "env"),
			Session: core.Session{Set: distinct(some.Draw(rt, "set")), Default: some.Draw(rt, "default")}}
		for _, kv := range some.Draw(rt, "mcp") {
			in.Session.MCP = append(in.Session.MCP, strings.SplitN(kv, "=", 2)[0])
		}
		for _, kv := range in.Env {
			if rapid.Bool().Draw(rt, "named") {
				in.Session.MCP = append(in.Session.MCP, strings.SplitN(kv, "=", 2)[0])
			}
		}
		_, out := childenv.Step(struct{}{}, in)
		for _, l := range laws.ChildenvBook {
			if v := l.Func(in, out); v.Err != nil {
				rt.Fatalf("law %s: %v", l.ID, v.Err)
			}
		}
	})
}

// distinct keeps the first of each name: a session sets a value once.
func distinct(kvs []string) (out []string) {
	seen := map[string]bool{}
	for _, kv := range kvs {
		if n, _, _ := strings.Cut(kv, "="); !seen[n] {
			seen[n] = true
			out = append(out, kv)
		}
	}
	return out
}

// The names that tenet's own client reads are a provider's.
func TestChildenvKnowsOurKeys(t *testing.T) {
	for _, name := range []string{"OPENAI_API_KEY", "openai_api_key", "Anthropic_Api_Key"} {
		if core.Of(name) != core.Provider {
			t.Errorf("%s is %v", name, core.Of(name))
		}
	}
}
