package bridge

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tenet/bridge/engine"
	core "tenet/core/fallback"
	"tenet/laws"
	"tenet/models/fallback"
)

// Every summary of the bound: each law holds, and said something.
func TestFallbackModel(t *testing.T) {
	defer report.Time("fallback")()
	r, err := fallbackArea().Exhaust()
	if err != nil {
		t.Fatal(err)
	}
	if idle := engine.Unapplied(laws.FallbackBook, r.Premises); idle != nil {
		t.Errorf("laws that never said anything: %v", idle)
	}
	if r.States != 2629 || r.Depth != 2 {
		t.Errorf("the model is not the one that was pinned: %+v", r)
	}
}

// Real catalogs, over files and keys that are as the reasons say.
func TestFallbackQuick(t *testing.T) {
	defer report.Time("fallback")()
	if err := fallbackQuick(); err != nil {
		t.Fatal(err)
	}
}

// Sessions of any length, beyond the rows of the bound.
func TestFallbackRapid(t *testing.T) {
	defer report.Time("fallback")()
	rapid.Check(t, func(rt *rapid.T) {
		var s fallback.State
		for range rapid.IntRange(1, 60).Draw(rt, "summaries") {
			o := fallback.Op{
				Reopen: rapid.IntRange(0, 20).Draw(rt, "reopen") == 0, Purpose: core.Purpose(rapid.IntRange(0, 1).Draw(rt, "purpose")),
				Selector: rapid.IntRange(0, len(fallback.Selectors)-1).Draw(rt, "selector"), Not: rapid.Uint8Range(0, 63).Draw(rt, "not"),
			}
			after, out := fallback.Step(s, o)
			for _, l := range laws.FallbackBook {
				if v := l.Step(s, o, out, after); v.Err != nil {
					rt.Fatalf("law %s: %v", l.ID, v.Err)
				}
			}
			s = after
		}
	})
}

// Names of models are shown, what may be a key is not, and never a part of it.
func TestWhatIsShownOfASelector(t *testing.T) {
	for _, plain := range []string{
		"gpt-5", "anthropic/claude-sonnet-4-20250514", "openrouter/deepseek/deepseek-chat-v3.1:free", "ollama/hf.co/unsloth/Qwen3-Coder-30B-A3B-Instruct-GGUF:Q4_K_M",
		"box/Qwen/Qwen3-235B-A22B-Instruct-2507-FP8", "llamacpp/gpt-oss-20b", "vllm/meta-llama/Llama-3.3-70B-Instruct", "ollama/sk-mini",
	} {
		if got := core.Shown(plain, []string{"a-secret-key"}); got != plain {
			t.Errorf("%s is shown as %s", plain, got)
		}
	}
	for _, key := range []string{
		"sk-ant-REDACTED", "sk-proj-0123456789", "ghp_0123456789abcdef", "openai/sk-0123456789ab", "http://me:secret@host/v1", "m?key=abc", "Bearer abc", "api_key=abc",
		"AKIAIOSFODNN7EXAMPLE", "eyJhbGciOiJIUzI1NiJ9.e30.x", "m-a-secret-key-m", "0123456789abcdef0123456789abcdef", "hf_0123456789",
	} {
		if got := core.Shown(key, []string{"a-secret-key"}); strings.Contains(got, key) || !strings.Contains(got, "hidden") {
			t.Errorf("%s is shown as %s", key, got)
		}
	}
	if got := core.Shown("a\nb\x1b[2J", nil); strings.ContainsAny(got, "\n\x1b") {
		t.Errorf("shown %q", got)
	}
}
