package cli

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tenet/adapters/pathpolicy"
	"tenet/adapters/session"
	"tenet/core/settings"
	"tenet/core/surface"
)

// What surrounds a session is read once, from the homes and the workspace: nothing of it
// runs, and no secret of the repository reaches the prompt through a link.
func TestAround(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"home/.tenet/AGENTS.md":           "mine",
		"home/own/s/SKILL.md":             "---\ndescription: my own\n---\n",
		"repo/.git/HEAD":                  "",
		"repo/.env":                       "KEY=secret",
		"repo/AGENTS.md":                  "theirs",
		"repo/.tenet/skills/bad/SKILL.md": "nothing",
		"repo/local/l/SKILL.md":           "---\ndescription: of the workspace\n---\n",
	} {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("../.env", filepath.Join(root, "repo/.tenet/AGENTS.md")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(".env", filepath.Join(root, "repo/CLAUDE.md")); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(root, "repo/AGENTS.md"), filepath.Join(root, "repo/not-read.md")); err != nil {
		t.Fatal(err)
	}
	home, dir := filepath.Join(root, "home"), filepath.Join(root, "repo")
	paths := pathpolicy.New(pathpolicy.Options{Root: dir, TenetHome: home + "/.tenet", Env: []string{"HOME=" + home}})
	run := settings.DefaultRun()
	run.Skills = []string{"~/own", "local", "/nowhere"}
	s := around(paths, home, home+"/.tenet", dir, run)

	prompt := s.prompt()
	for _, want := range []string{"- s (settings): my own\n- l (project): of the workspace\n", "the user's own words", "mine"} {
		if !strings.Contains(prompt, want) {
			t.Errorf("%q does not stand in\n%s", want, prompt)
		}
	}
	if strings.Contains(prompt, "KEY") || strings.Contains(prompt, "theirs") {
		t.Errorf("the prompt holds what it should not:\n%s", prompt)
	}
	var rows []string
	for _, n := range s.notices() {
		rows = append(rows, n.Type+" "+n.Text)
	}
	for _, want := range []string{"tenet.skill skill failed: " + dir + "/.tenet/skills/bad/SKILL.md: it has no description", "tenet.skill entry failed: /nowhere: ", "tenet.context " + dir + "/CLAUDE.md is not in the system prompt: it leads to a secret"} {
		if !slices.ContainsFunc(rows, func(r string) bool { return strings.HasPrefix(r, want) }) {
			t.Errorf("nobody is told %q: %q", want, rows)
		}
	}
	run.Instructions.Enabled = false
	if prompt := around(paths, home, home+"/.tenet", dir, run).prompt(); strings.Contains(prompt, "mine") {
		t.Errorf("instructions that are switched off are read:\n%s", prompt)
	}
}

// The roster is fixed once: a setting names a part of it, a name that no tool has is an
// error that names it (case conf-006), and what comes later is refused.
func TestTheRosterIsFixed(t *testing.T) {
	tools := func(s surroundings) []session.Tool {
		return append([]session.Tool{{Tool: surface.Tool{Name: "read"}}, {Tool: surface.Tool{Name: "bash"}}}, s.surfaceTools()...)
	}
	places := pathpolicy.New(pathpolicy.Options{Root: "/w", TenetHome: "/h"})
	s := around(places, "", "", "", settings.DefaultRun())
	roster, err := s.fixed(tools(s), []string{"dyn", "read"})
	if err != nil || len(roster) != 2 || roster[0].Name != "read" || roster[1].Name != "dyn" || roster[0].Params[0].Name != "i" {
		t.Errorf("%v, %v", roster, err)
	}
	fixed := (*surface.RosterFixedError)(nil)
	if err := s.tools.Install("late", session.Tool{Tool: surface.Tool{Name: "write"}}); !errors.As(err, &fixed) {
		t.Errorf("a tool was installed in an open session: %v", err)
	}
	s = around(places, "", "", "", settings.DefaultRun())
	if _, err := s.fixed(tools(s), []string{"read", "bahs"}); err == nil || !strings.Contains(err.Error(), `the tool "bahs", which is not there; there are read, bash, use_skill, dyn`) {
		t.Errorf("a setting that names no tool: %v", err)
	}
}
