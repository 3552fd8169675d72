package cli

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func fileOf(t *testing.T, text string) *os.File {
	t.Helper()
	name := filepath.Join(t.TempDir(), "in")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func TestWhereAPromptComesFrom(t *testing.T) {
	for _, c := range []struct {
		name     string
		args     []string
		in, want string
	}{
		{"the words", []string{"go"}, "piped", "go"},
		{"standard input", []string{"-"}, "line 1\r\nline 2\n\n", "line 1\nline 2"},
		{"no words", nil, "piped", "piped"},
		{"both", []string{"read this:", "-"}, "piped", "read this:\n\npiped"},
	} {
		if got, err := PromptFrom(t.Context(), c.args, fileOf(t, c.in)); err != nil || got != c.want {
			t.Errorf("%s: %q, %v; want %q", c.name, got, err, c.want)
		}
	}
	for what, c := range map[string]struct {
		args []string
		in   string
	}{
		"not UTF-8": {[]string{"-"}, "\xff\xfe"}, "longer than": {[]string{"-"}, strings.Repeat("x", MaxPrompt+1)}, "takes one prompt": {[]string{"a", "b"}, ""},
	} {
		if _, err := PromptFrom(t.Context(), c.args, fileOf(t, c.in)); err == nil || !strings.Contains(err.Error(), what) || Code(err) != ExitUsage {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// A pipe that nobody closes must not make a run hang (case run-011).
func TestAPromptThatNeverEndsIsStoppedByTheRunsOwnEnd(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	defer r.Close()
	ctx, stop := context.WithTimeoutCause(t.Context(), time.Millisecond, ErrTimeout)
	defer stop()
	if _, err := PromptFrom(ctx, nil, r); Code(err) != ExitTimeout {
		t.Errorf("%v, code %d", err, Code(err))
	}
}
