package call_test

import (
	"testing"

	"tenet/core/call"
)

func TestVisibleEscapesWhatATerminalHides(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"plain text stays", "ls -la\n\tdone", "ls -la\n\tdone"},
		{"accents and CJK stay", "größe 文字", "größe 文字"},
		{"carriage return", "rm -rf x\rls", `rm -rf x\x0dls`},
		{"escape sequence", "\x1b[2Jls", `\x1b[2Jls`},
		{"bidi override", "a\u202eb", `a\u{202e}b`},
		{"zero width", "a\u200bb", `a\u{200b}b`},
		{"invalid byte", "a\xffb", `a\xffb`},
		{"the replacement character itself stays", "a\uFFFDb", "a\uFFFDb"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := call.Visible(c.in); got != c.want {
				t.Errorf("Visible(%q) = %q, want %q", c.in, got, c.want)
			}
		})
	}
}

func TestParseEffectsRefusesWhatNoSettingMayAllow(t *testing.T) {
	if s, err := call.ParseEffects([]string{"read", " write "}); err != nil || s != call.Of(call.Read, call.Write) {
		t.Errorf("read, write: %v, %v", s, err)
	}
	for _, name := range []string{"secret", "everything", ""} {
		if _, err := call.ParseEffects([]string{name}); err == nil {
			t.Errorf("%q was allowed", name)
		}
	}
}

func TestEffectsReadBack(t *testing.T) {
	for s := range call.All + 1 {
		if got := call.Of(s.List()...); got != s {
			t.Errorf("%v listed and joined is %v", s, got)
		}
	}
}
