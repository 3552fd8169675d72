package host_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tenet/adapters/host"
	"tenet/core/event"
)

// ended sends a message and waits for the end of its turn.
func ended(t *testing.T, h *host.Host, text string) event.Ending {
	t.Helper()
	r := read(t, h.Feed(h.State().Seq))
	defer r.feed.Close()
	if err := h.Send(text, nil); err != nil {
		t.Fatal(err)
	}
	return decode[event.Ending](t, r.record(event.Ended))
}

// A rule that a person adds, moves or removes counts from the next call on, and the
// session's own grants stay.
func TestRulesThatAPersonChangesCountAtOnce(t *testing.T) {
	p := newPlace(t)
	h := open(t, p.options(t, `
{"calls": [{"tool": "bash", "args": {"command": "touch made"}}]} {"text": "one"}
{"calls": [{"tool": "bash", "args": {"command": "touch made"}}]} {"text": "two"}`))
	if text, err := h.TestRule(t.Context(), "", "make cake"); err != nil || !strings.Contains(text, "ask, by the stage") {
		t.Fatalf("%q, %v", text, err)
	}
	said, err := h.AddRule(t.Context(), "user", "process.execute", "make cake", "allow")
	if err != nil || !strings.Contains(said, "added: rule 1") {
		t.Fatalf("%q, %v", said, err)
	}
	if text, err := h.TestRule(t.Context(), "bash", "make cake"); err != nil || !strings.Contains(text, "allow, by the stage") {
		t.Errorf("%q, %v", text, err)
	}
	if _, err := h.AddRule(t.Context(), "user", "file.write.*", "*", "deny"); err != nil {
		t.Fatal(err)
	}
	ended(t, h, "make it")
	if _, err := os.Stat(filepath.Join(p.dir, "made")); err == nil {
		t.Error("the rule that was added did not hold in the running session")
	}
	rows, err := h.Rules()
	user := slices.DeleteFunc(rows, func(r host.Rule) bool { return r.Source != "user" })
	if err != nil || len(user) != 2 || user[1].Action != "deny" || user[1].Position != 2 || user[1].File == "" {
		t.Fatalf("%+v, %v", user, err)
	}
	if _, err := h.MoveRule(t.Context(), "user", 2, 1); err != nil {
		t.Error(err)
	}
	if _, err := h.RemoveRule(t.Context(), "user", 1); err != nil {
		t.Error(err)
	}
	ended(t, h, "now make it")
	if _, err := os.Stat(filepath.Join(p.dir, "made")); err != nil {
		t.Error("the rule that was removed still holds")
	}
	if _, err := h.AddRule(t.Context(), "", "process.execute", "x", "allow"); !errors.Is(err, host.ErrScope) {
		t.Errorf("no scope: %v", err)
	}
	if text, err := h.RulesText(); err != nil || !strings.Contains(text, "Profile balanced") {
		t.Errorf("%q, %v", text, err)
	}
}

// A project's rules are shown before they are trusted, and only what was shown counts.
func TestTrustIsGivenToWhatWasShown(t *testing.T) {
	p := newPlace(t)
	p.file(t, ".tenet/settings.json", `{"permissions": {"process.execute": {"make test": "allow"}}}`)
	h := open(t, p.options(t, `{"text": "hi"}`))
	if _, err := h.Trust(t.Context(), true); !errors.Is(err, host.ErrNotShown) {
		t.Fatalf("trusted unseen: %v", err)
	}
	text, trusted, err := h.TrustOffer()
	if err != nil || trusted || !strings.Contains(text, "make test") {
		t.Fatalf("%q %v %v", text, trusted, err)
	}
	if said, err := h.Trust(t.Context(), true); err != nil || !strings.Contains(said, "Trusted") {
		t.Fatalf("%q, %v", said, err)
	}
	if text, err := h.TestRule(t.Context(), "", "make test"); err != nil || !strings.Contains(text, "allow, by the stage rules") {
		t.Errorf("%q, %v", text, err)
	}
	if _, err := h.Trust(t.Context(), false); err != nil {
		t.Error(err)
	}
}

// /new, /fork, /resume, /profile and /rename: the other session is open and this one is
// closed; a profile that was chosen is honoured by the next process.
func TestSwitching(t *testing.T) {
	p := newPlace(t)
	h := open(t, p.options(t, `{"text": "hello"} {"text": "again"}`))
	ended(t, h, "hi")
	if err := h.Rename("the first"); err != nil {
		t.Fatal(err)
	}
	if err := h.Rename("bad\x1b[2J"); err == nil {
		t.Error("a name that a terminal obeys was taken")
	}
	first := h.Info()
	strict, err := h.Switch(t.Context(), host.Options{Resume: first.Session, Profile: "strict"})
	if err != nil || strict.Info().Session != first.Session || strict.Info().Profile != "strict" || strict.Info().Name != "the first" {
		t.Fatalf("%+v, %v", strict.Info(), err)
	}
	t.Cleanup(func() { strict.Close() })
	if _, err := h.Feed(0).Next(t.Context()); err != nil {
		t.Errorf("the closed session's records: %v", err)
	}
	fork, err := strict.Switch(t.Context(), host.Options{Fork: first.Session, Name: "the other"})
	if err != nil || fork.Info().Session == first.Session || fork.Info().Name != "the other" || fork.State().Turns != 1 {
		t.Fatalf("%+v, %v", fork.Info(), err)
	}
	t.Cleanup(func() { fork.Close() })
	again, err := fork.Switch(t.Context(), host.Options{Resume: first.Session})
	if err != nil || again.Info().Profile != "strict" {
		t.Fatalf("the profile is not honoured: %+v, %v", again.Info(), err)
	}
	t.Cleanup(func() { again.Close() })
	other, err := again.Switch(t.Context(), host.Options{Resume: "no such session"})
	if err == nil || other != again || again.State().Seq == 0 {
		t.Errorf("a switch to nothing: %v", err)
	}
	if back, err := again.Switch(t.Context(), host.Options{Resume: first.Session, Profile: "no such profile"}); err == nil || back == nil || back.Info().Session != first.Session {
		t.Errorf("a switch that fails leaves the session open: %v", err)
	} else {
		t.Cleanup(func() { back.Close() })
		if e := ended(t, back, "still there?"); e.How != "answered" {
			t.Errorf("%+v", e)
		}
		rows, err := back.Sessions(false)
		if err != nil || len(rows) != 2 || !slices.ContainsFunc(rows, func(r host.SessionRow) bool { return r.Current && r.Name == "the first" }) {
			t.Errorf("%+v, %v", rows, err)
		}
	}
}

// What a person may look at: the context's parts, why a call was judged as it was, an audit,
// an export, the models.
func TestLookingAtASession(t *testing.T) {
	p := newPlace(t)
	h := open(t, p.options(t, `{"calls": [{"tool": "bash", "args": {"command": "rm -rf /"}}]} {"text": "no luck", "input_tokens": 900, "output_tokens": 20}`))
	ended(t, h, "clean up")
	c := h.Context()
	if !c.Measured || c.Used < 920 || len(c.Parts) != 6 || c.Parts[0].Tokens == 0 || c.Parts[1].Tokens == 0 || c.Parts[4].Count != 1 {
		t.Errorf("%+v", c)
	}
	if text, err := h.Why("call_1"); err != nil || !strings.Contains(text, "call_1 bash: deny by") || !strings.Contains(text, "DENY") {
		t.Errorf("%q, %v", text, err)
	}
	if _, err := h.Why("call_9"); err == nil {
		t.Error("a call that nobody made was explained")
	}
	if text, err := h.Audit(t.Context()); err != nil || !strings.Contains(text, "1 judged calls, 0 verdicts would change") {
		t.Errorf("%q, %v", text, err)
	}
	for _, format := range []string{"markdown", "json"} {
		path, err := h.Export(format)
		b, readErr := os.ReadFile(path)
		if err != nil || readErr != nil || !strings.Contains(string(b), "no luck") {
			t.Errorf("%s: %v %v", format, err, readErr)
		}
	}
	if models, err := h.Models(); err != nil || len(models) < 5 {
		t.Errorf("%d models, %v", len(models), err)
	}
	if _, ok, err := host.ProbeModel(t.Context(), p.dir, "anthropic/claude-opus-4-5"); ok || err == nil {
		t.Errorf("a model without a key works: %v %v", ok, err)
	}
}

// A few letters find a file; what is ignored is not among them.
func TestFilesAreFoundByAFewLetters(t *testing.T) {
	p := newPlace(t)
	for _, f := range []string{"main.go", "core/event/fold.go", "core/event/fold_later.go", "node_modules/fold.js", "docs/folder/a.md"} {
		p.file(t, f, "x")
	}
	p.file(t, ".gitignore", "node_modules\n")
	if err := os.Mkdir(filepath.Join(p.dir, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	h := open(t, p.options(t, `{"text": "hi"}`))
	if got := h.Files(t.Context(), "fold", 3); strings.Join(got, " ") != "docs/folder/ core/event/fold.go core/event/fold_later.go" {
		t.Errorf("%q", got)
	}
	if got := h.Files(t.Context(), "cefla", 9); len(got) != 1 || got[0] != "core/event/fold_later.go" {
		t.Errorf("%q", got)
	}
	if got := h.Files(t.Context(), "", 2); len(got) != 2 {
		t.Errorf("%q", got)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if got := host.Fresh(h).Files(ctx, "fold", 3); len(got) != 0 {
		t.Errorf("a search that was given up found %q", got)
	}
}

// A job that goes on is listed, its last lines can be seen, and a person stops it.
func TestJobsAreListedAndStopped(t *testing.T) {
	p := newPlace(t)
	p.file(t, "../home/.tenet/settings.json", `{"toolBlockingBudgetMs": 50}`)
	h := open(t, p.options(t, `{"calls": [{"tool": "bash", "args": {"command": "echo begun && sleep 600"}}]} {"text": "it goes on"} {"text": "it ended"}`))
	r := read(t, h.Feed(0))
	if err := h.Send("wait", nil); err != nil {
		t.Fatal(err)
	}
	r.record(event.Ended)
	jobs := h.Jobs()
	if len(jobs) != 1 || jobs[0].Status != "running" {
		t.Fatalf("%+v", jobs)
	}
	if text, err := h.Tail(jobs[0].ID, 5); err != nil || !strings.Contains(text, "begun") {
		t.Errorf("%q, %v", text, err)
	}
	if text, err := h.Kill(t.Context(), jobs[0].ID); err != nil || !strings.Contains(text, "stopped") {
		t.Errorf("%q, %v", text, err)
	}
	r.record(event.Settled)
	r.record(event.Ended) // the end of the job woke the session
}
