package call_test

import (
	"testing"

	"pgregory.net/rapid"

	"tenet/core/call"
)

func TestExactSpellings(t *testing.T) {
	for in, want := range map[string]string{
		"plain\n\ttext": "plain\n\ttext", "\x1b[2J": "⟨x1b⟩[2J", `\x1b[2J`: `\x1b[2J`, "\xff": "⟨xff⟩", "\u202e": "⟨u202e⟩",
		"⟨x1b⟩": "⟨u27e8⟩x1b⟩", "⟨ψ|φ⟩": "⟨ψ|φ⟩", "⇥⏎": "⟨u21e5⟩⟨u23ce⟩", "e\u0301": "e\u0301", "\u0301": "⟨u301⟩", " \u0301": " ⟨u301⟩",
		"\U0001f1fa\U0001f1f8": "⟨u1f1fa⟩⟨u1f1f8⟩", "👍\U0001f3fd": "👍⟨u1f3fd⟩", "1\ufe0f\u20e3": "1⟨ufe0f⟩⟨u20e3⟩", "日本": "日本", "\uFFFD": "\uFFFD", "": "",
	} {
		if got := call.Exact(in); got != want {
			t.Errorf("%q is shown as %q, want %q", in, got, want)
		}
	}
	if got := call.ExactLine("a\nb\t\x1b"); got != "a⟨x0a⟩b⟨x09⟩⟨x1b⟩" {
		t.Errorf("one line: %q", got)
	}
}

// What is shown is read back, whatever stands in it; and Visible, the net at every
// broker, leaves it alone.
func TestExactIsReadBack(t *testing.T) {
	piece := rapid.SampledFrom([]string{"a", "x1b", "u202e", "⟨", "⟩", "⟨x", "\x1b", "\\", "\xff", "\xe2", "\u202e", "\u0301", " ", "\n", "\t", "⇥", "⏎", "日", "\U0001f1fa", "\ufe0f", "\uFFFD"})
	rapid.Check(t, func(rt *rapid.T) {
		var s string
		for _, p := range rapid.SliceOf(piece).Draw(rt, "pieces") {
			s += p
		}
		for _, shown := range []string{call.Exact(s), call.ExactLine(s)} {
			if back, ok := call.ReadExact(shown); !ok || back != s {
				rt.Fatalf("%q is shown as %q, which reads %q, %v", s, shown, back, ok)
			}
			if call.Visible(shown) != shown {
				rt.Fatalf("%q is shown as %q, which hides something", s, shown)
			}
		}
		if call.IsExact(s) != (call.Exact(s) == s) {
			rt.Fatalf("%q: IsExact is %v", s, call.IsExact(s))
		}
	})
}

func TestReadExactRefusesWhatNobodyWrote(t *testing.T) {
	for _, s := range []string{"⟨x1b", "⟨x⟩", "⟨xzz⟩", "\x1b", "⟨x41⟩", "⟨x1B⟩", "⇥", "⟨u110000⟩", "⟨x100⟩"} {
		if got, ok := call.ReadExact(s); ok {
			t.Errorf("%q is read as %q", s, got)
		}
	}
}
