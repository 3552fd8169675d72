package host_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tenet/adapters/docs"
	"tenet/adapters/host"
	"tenet/core/event"
)

func (p place) content(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(p.dir, name))
	if errors.Is(err, os.ErrNotExist) {
		return "(none)"
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// only is the change of a path.
func only(t *testing.T, h *host.Host, path string) host.FileChange {
	t.Helper()
	for _, f := range h.Changes() {
		if f.Path == path {
			return f
		}
	}
	return host.FileChange{}
}

func undone(t *testing.T, h *host.Host, path string) host.Done {
	t.Helper()
	d, err := h.Undo(path)
	if err != nil {
		t.Fatalf("undo %s: %v", path, err)
	}
	return d
}

// Each change of a file is taken back exactly, one after the other, the newest first; an
// undo is a change as well, and redo takes it back.
func TestChangesAreTakenBackExactly(t *testing.T) {
	p := newPlace(t)
	p.file(t, "a.txt", "one\r\n\xef\xbb\xbftwo")
	if err := os.Chmod(filepath.Join(p.dir, "a.txt"), 0o750); err != nil {
		t.Fatal(err)
	}
	h := open(t, p.options(t, `
{"calls": [{"tool": "read", "args": {"path": "a.txt"}}]}
{"calls": [{"tool": "search_replace", "args": {"path": "a.txt", "old": "one", "new": "1"}}, {"tool": "write", "args": {"path": "new/b.txt", "content": "made\n"}}]}
{"calls": [{"tool": "search_replace", "args": {"path": "a.txt", "old": "two", "new": "2\n3"}}]}
{"text": "done"} {"expect": "the user ran this themselves", "text": "I see that you took it back."}`))
	if e := ended(t, h, "change them"); e.How != "answered" {
		t.Fatalf("%+v", e)
	}
	f := only(t, h, "a.txt")
	if f.Kind != "changed" || f.Changes != 2 || !f.Stands || f.Added != 3 || f.Removed != 2 || !strings.Contains(f.Diff, "+3") || f.Undone {
		t.Errorf("%+v", f)
	}
	if f := only(t, h, "new/b.txt"); f.Kind != "created" || f.Changes != 1 || f.Added != 1 {
		t.Errorf("%+v", f)
	}
	if d, err := h.Diff("a.txt"); err != nil || !strings.Contains(d, "-one") || !strings.Contains(d, "+3") {
		t.Errorf("%q, %v", d, err)
	}
	d := undone(t, h, "a.txt")
	if got := p.content(t, "a.txt"); got != "1\r\n\xef\xbb\xbftwo" || d.Path != "a.txt" || !strings.Contains(d.Text, "put a.txt back") || !strings.Contains(d.Diff, "-3") {
		t.Errorf("%q %+v", got, d)
	}
	undone(t, h, "a.txt")
	if got := p.content(t, "a.txt"); got != "one\r\n\xef\xbb\xbftwo" {
		t.Errorf("%q", got)
	}
	if info, err := os.Stat(filepath.Join(p.dir, "a.txt")); err != nil || info.Mode().Perm() != 0o750 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if _, err := h.Undo("a.txt"); !errors.Is(err, host.ErrNoChange) {
		t.Errorf("one undo too many: %v", err)
	}
	for _, want := range []string{"1\r\n\xef\xbb\xbftwo", "1\r\n\xef\xbb\xbf2\r\n3"} {
		if _, err := h.Redo("a.txt"); err != nil || p.content(t, "a.txt") != want {
			t.Errorf("redo: %v, %q, want %q", err, p.content(t, "a.txt"), want)
		}
	}
	if _, err := h.Redo("a.txt"); !errors.Is(err, host.ErrNoChange) {
		t.Errorf("one redo too many: %v", err)
	}
	undone(t, h, "new/b.txt")
	if got := p.content(t, "new/b.txt"); got != "(none)" {
		t.Errorf("%q", got)
	}
	if e := ended(t, h, "what now?"); e.How != "answered" {
		t.Errorf("%+v", e)
	}
	if s := h.State(); len(s.Disorders) != 0 {
		t.Errorf("%v", s.Disorders)
	}
}

// What somebody else did to a file since is never lost, and nothing is written.
func TestUndoNeverOverwritesWhatSomebodyElseDid(t *testing.T) {
	p := newPlace(t)
	p.file(t, "a.txt", "one\n")
	h := open(t, p.options(t, `
{"calls": [{"tool": "read", "args": {"path": "a.txt"}}]}
{"calls": [{"tool": "write", "args": {"path": "a.txt", "content": "two\n"}}, {"tool": "write", "args": {"path": "b.txt", "content": "b\n"}}]}
{"text": "done"}`))
	ended(t, h, "change it")
	p.file(t, "a.txt", "mine\n")
	if only(t, h, "a.txt").Stands {
		t.Error("the list does not say that somebody else changed the file")
	}
	var differs *docs.UndoError
	if _, err := h.Undo("a.txt"); !errors.As(err, &differs) || p.content(t, "a.txt") != "mine\n" {
		t.Errorf("%v, %q", err, p.content(t, "a.txt"))
	}
	if err := os.Remove(filepath.Join(p.dir, "b.txt")); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Undo("b.txt"); !errors.As(err, &differs) || !strings.Contains(err.Error(), "something else") {
		t.Errorf("%v", err)
	}
	p.file(t, "a.txt", "two\n") // as the session left it: nobody's work is lost
	undone(t, h, "a.txt")
	if got := p.content(t, "a.txt"); got != "one\n" {
		t.Errorf("%q", got)
	}
	p.file(t, "a.txt", "mine again\n")
	if _, err := h.Redo("a.txt"); !errors.As(err, &differs) || p.content(t, "a.txt") != "mine again\n" {
		t.Errorf("redo: %v", err)
	}
}

// Files that the session removed or moved come back, also large ones, whose bytes lie in a
// file beside the log; a later process takes changes back as well.
func TestRemovedMovedAndLargeFilesComeBack(t *testing.T) {
	p := newPlace(t)
	large := strings.Repeat("a line that is long enough to be many bytes\n", 2000)
	p.file(t, "large.txt", large)
	p.file(t, "gone.txt", "soon gone\n")
	p.file(t, "old.txt", "moves\n")
	script := p.file(t, "run.sh", "#!/bin/sh\n")
	if err := os.Chmod(script, 0o755); err != nil {
		t.Fatal(err)
	}
	o := p.options(t, `
{"calls": [{"tool": "read", "args": {"path": "gone.txt"}}, {"tool": "read", "args": {"path": "old.txt"}}, {"tool": "read", "args": {"path": "run.sh"}}, {"tool": "read", "args": {"path": "large.txt", "line": 1, "limit": 3}}]}
{"calls": [{"tool": "edit", "args": {"patch": "[gone.txt#TAG1]\nREM\n[old.txt#TAG2]\nMV dir/new.txt\n[run.sh#TAG3]\nREM"}}, {"tool": "search_replace", "args": {"path": "large.txt", "old": "many bytes\n", "new": "few bytes\n", "all": true}}]}
{"text": "done"}`)
	for i, name := range []string{"gone.txt", "old.txt", "run.sh"} {
		b, err := os.ReadFile(o.Script)
		if err != nil {
			t.Fatal(err)
		}
		p.script(t, strings.ReplaceAll(string(b), []string{"TAG1", "TAG2", "TAG3"}[i], tagOf(p.content(t, name))))
	}
	h := open(t, o)
	if e := ended(t, h, "change them"); e.How != "answered" {
		t.Fatalf("%+v", e)
	}
	if p.content(t, "gone.txt") != "(none)" || p.content(t, "dir/new.txt") != "moves\n" || p.content(t, "large.txt") == large {
		t.Fatalf("the story did not happen: %+v", h.Changes())
	}
	if f := only(t, h, "dir/new.txt"); f.Kind != "moved" || f.Was != "old.txt" {
		t.Errorf("%+v", f)
	}
	i := h.Info()
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	o.Resume = i.Session
	h = open(t, o)
	undone(t, h, "gone.txt")
	undone(t, h, "run.sh")
	undone(t, h, "dir/new.txt")
	undone(t, h, "large.txt")
	if p.content(t, "gone.txt") != "soon gone\n" || p.content(t, "old.txt") != "moves\n" || p.content(t, "dir/new.txt") != "(none)" || p.content(t, "large.txt") != large {
		t.Errorf("not as before: %q %q %q", p.content(t, "gone.txt"), p.content(t, "old.txt"), p.content(t, "dir/new.txt"))
	}
	if info, err := os.Stat(script); err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	kept, err := filepath.Glob(filepath.Join(i.Home, "sessions", i.Session+".output", "undo-*"))
	if err != nil || len(kept) == 0 {
		t.Fatalf("%v, %v", kept, err)
	}
	for _, k := range kept {
		if info, err := os.Stat(k); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", k, info.Mode(), err)
		}
	}
	// A kept file that somebody changed is never put into the workspace.
	for _, k := range kept {
		if err := os.WriteFile(k, []byte("evil"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := h.Redo("large.txt"); err == nil || p.content(t, "large.txt") != large {
		t.Errorf("%v", err)
	}
}

// Under the strict profile an undo asks as any write, and a no leaves the file.
func TestAnUndoGoesThroughTheGate(t *testing.T) {
	p := newPlace(t)
	p.file(t, "a.txt", "one\n")
	o := p.options(t, `{"calls": [{"tool": "read", "args": {"path": "a.txt"}}]} {"calls": [{"tool": "write", "args": {"path": "a.txt", "content": "two\n"}}]} {"text": "done"}`)
	h := open(t, o)
	ended(t, h, "change it")
	h, err := h.Switch(t.Context(), host.Options{Resume: h.Info().Session, Profile: "strict"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	r := read(t, h.Feed(h.State().Seq))
	done := make(chan error, 1)
	go func() { _, err := h.Undo("a.txt"); done <- err }()
	q := r.until("question", func(e host.Event) bool { return e.Asked != nil }).Asked
	if !strings.Contains(q.Diff, "+one") || !strings.Contains(q.Diff, "-two") {
		t.Errorf("the card shows %q", q.Diff)
	}
	if !h.Stop() {
		t.Error("nothing to stop")
	}
	if err := <-done; err == nil || p.content(t, "a.txt") != "two\n" {
		t.Errorf("%v, %q", err, p.content(t, "a.txt"))
	}
	r.from = 0
	if res := decode[event.Result](t, r.record(event.Resulted)); !res.Error {
		t.Errorf("%+v", res)
	}
}
