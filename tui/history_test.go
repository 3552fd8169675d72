package tui

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What was written comes back in its order; a torn line costs itself alone, and the file
// stays bounded.
func TestHistory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history", "p.jsonl")
	for _, text := range []string{"first", "two\nlines", "日本"} {
		if err := remember(path, text); err != nil {
			t.Fatal(err)
		}
	}
	f, _ := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	_, _ = f.WriteString("\"torn\n")
	_ = f.Close()
	if got := recall(path); !slices.Equal(got, []string{"first", "two\nlines", "日本"}) {
		t.Errorf("%q", got)
	}
	for range 300 {
		if err := remember(path, strings.Repeat("x", 10_000)); err != nil {
			t.Fatal(err)
		}
	}
	info, err := os.Stat(path)
	if err != nil || info.Size() > maxHistory+20_000 || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if n := len(recall(path)); n == 0 || n > maxRemembered {
		t.Errorf("%d messages", n)
	}
}
