package prompts_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tenet/adapters/prompts"
)

// write lays files out in a folder of the test's own, and is its real path.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// The user's prompts and the project's, each with whose it is; the user's wins a name, a
// command keeps its own, and every file that is none is told.
func TestPromptsOfUserAndProject(t *testing.T) {
	root := write(t, map[string]string{
		"home/prompts/review.md":         "---\ndescription: reviews a file\nargument-hint: '<file>'\n---\nReview $1. All: $ARGUMENTS; it costs $$5.\n",
		"home/prompts/quit.md":           "Do not quit.",
		"home/prompts/notes.txt":         "no prompt",
		"home/prompts/bad.md":            "---\ndescription: [\n---\nx",
		"work/.git/HEAD":                 "ref: refs/heads/main\n",
		"work/.tenet/prompts/deploy.md":  "Deploy to $1",
		"work/.tenet/prompts/review.md":  "the project's own",
		"work/.tenet/prompts/huge.md":    strings.Repeat("x", 300<<10),
		"work/.tenet/skills/s/SKILL.md":  "---\nname: s\ndescription: a skill\n---\n",
		"work/.tenet/prompts/sub/not.md": "below",
	})
	l := prompts.Load(prompts.Options{TenetHome: filepath.Join(root, "home"), Dir: filepath.Join(root, "work"), Commands: []string{"quit", "help"}})
	var got []string
	for _, p := range l.List() {
		got = append(got, strings.Join([]string{p.Call, p.Name, p.Description, p.Hint, p.Source}, "|"))
	}
	want := "prompt:quit|quit|Do not quit.||user\nreview|review|reviews a file|<file>|user\ndeploy|deploy|Deploy to $1||project"
	if strings.Join(got, "\n") != want {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
	text, err := l.Expand("review", `"a file.go" $1`)
	if err != nil || text != "Review a file.go. All: a file.go $1; it costs $5." {
		t.Errorf("%q %v", text, err)
	}
	if _, err := l.Expand("quit", ""); err == nil {
		t.Error("a command's name is a prompt's")
	}
	told := strings.Join(l.Problems(), "\n")
	for _, part := range []string{"bad.md: invalid YAML", "review.md: the name \"review\" is taken", "huge.md: it has 307200 bytes", "quit.md: /quit is a command, so the prompt is called /prompt:quit"} {
		if !strings.Contains(told, part) {
			t.Errorf("nobody is told %q: %s", part, told)
		}
	}
	if strings.Contains(told, "notes.txt") || strings.Contains(told, "SKILL") {
		t.Errorf("told of what is no prompt: %s", told)
	}
}

// A prompt that is edited counts at once; one that is gone is an error that names it.
func TestAPromptIsReadWhenItIsSent(t *testing.T) {
	root := write(t, map[string]string{"prompts/p.md": "old $1"})
	l := prompts.Load(prompts.Options{TenetHome: root})
	path := filepath.Join(root, "prompts", "p.md")
	if err := os.WriteFile(path, []byte("new $1"), 0o600); err != nil {
		t.Fatal(err)
	}
	if text, err := l.Expand("p", "x"); err != nil || text != "new x" {
		t.Errorf("%q %v", text, err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Expand("p", "x"); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("%v", err)
	}
}
