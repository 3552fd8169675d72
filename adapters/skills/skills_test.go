package skills_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tenet/adapters/skills"
	core "tenet/core/skills"
	"tenet/core/surface"
)

// tree lays out files below a new folder.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func load(root string, o skills.Options) *skills.Library {
	o.UserHome, o.TenetHome, o.Dir = filepath.Join(root, "home"), filepath.Join(root, "home/.tenet"), filepath.Join(root, "repo/work")
	return skills.Load(o)
}

func names(l *skills.Library) (out []string) {
	for _, s := range l.Set().Loaded {
		out = append(out, s.Kind.String()+" "+s.Name+" "+s.Scope.String())
	}
	return out
}

const text = "---\ndescription: does it\n---\nbody\n"

// The places, in load order: the first of a name wins, and the loser is told.
func TestLoadOrder(t *testing.T) {
	root := tree(t, map[string]string{
		"repo/.git/config":                    "",
		"home/.tenet/skills/a/SKILL.md":       text,
		"home/.tenet/skills/single.md":        text,
		"home/.agents/skills/b/SKILL.md":      text,
		"home/.agents/skills/single2.md":      text, // no skill in this place
		"repo/work/.tenet/skills/a/SKILL.md":  text,
		"repo/work/.tenet/skills/c/SKILL.md":  text,
		"repo/work/.agents/skills/d/SKILL.md": text,
		"repo/.agents/skills/e/SKILL.md":      text,
		"repo/.agents/skills/d/SKILL.md":      text,
		".agents/skills/above/SKILL.md":       text, // above the repository
		"named/f/SKILL.md":                    text,
		"one.md":                              text,
		"home/.tenet/prompts/review.md":       "Review $1.\n",
		"repo/work/.tenet/prompts/review.md":  "Not this one.",
		"repo/.tenet/prompts/plan.md":         "---\ndescription: plans\nargument-hint: \"[what]\"\n---\nPlan $@.",
		"repo/.tenet/prompts/sub/deep.md":     "not recursive",
		"repo/.tenet/prompts/note.txt":        "no markdown, in a folder: passed over",
	})
	l := load(root, skills.Options{
		Skills:  []string{filepath.Join(root, "named"), filepath.Join(root, "one.md"), filepath.Join(root, "gone")},
		Prompts: []string{filepath.Join(root, "repo/.tenet/prompts/note.txt"), filepath.Join(root, "nowhere.md")},
	})
	want := []string{"skill a user", "skill single user", "skill b user", "template review user", "skill c project", "skill d project",
		"skill e project", "template plan project", "skill f settings", "skill one settings"}
	if got := names(l); !slices.Equal(got, want) {
		t.Errorf("loaded\n%q, want\n%q", got, want)
	}
	told := map[string]string{
		"repo/work/.tenet/skills/a/SKILL.md": `the name "a" is taken by`,
		"repo/.agents/skills/d/SKILL.md":     `the name "d" is taken by`,
		"repo/work/.tenet/prompts/review.md": `the name "review" is taken by`,
		"gone":                               "skill cannot be looked at: no such file or directory",
		"nowhere.md":                         "template cannot be looked at: no such file or directory",
		"repo/.tenet/prompts/note.txt":       "it is not markdown",
	}
	for _, d := range l.Diagnostics() {
		rel, _ := filepath.Rel(root, d.Path)
		if says := told[rel]; says == "" || !strings.Contains(d.Text, says) || !strings.HasPrefix(d.String(), d.Path+": ") {
			t.Errorf("%s: %q, want %q", rel, d.Text, says)
		}
		delete(told, rel)
	}
	if len(told) > 0 {
		t.Errorf("nobody is told of %v", told)
	}
}

func TestTemplates(t *testing.T) {
	root := tree(t, map[string]string{
		"home/.tenet/prompts/review.md": "---\ndescription: 'reviews'\n---\n\nReview $1, then ${@:2}.\n",
		"home/.tenet/prompts/bare.md":   "\n  First line that says what it does, and goes on for much longer than anybody would want to read in a menu.\nMore.\n",
		"home/.tenet/prompts/broken.md": "---\ndescription: [\n---\nx",
	})
	l := load(root, skills.Options{})
	got, err := l.Expand("review", `main.go "the tests" twice`)
	if err != nil || got != "Review main.go, then the tests twice." {
		t.Errorf("%q, %v", got, err)
	}
	bare, _ := l.Set().Find(core.Template, "bare")
	if bare.Description != "First line that says what it does, and goes on for much longer than anybody woul…" {
		t.Errorf("described as %q", bare.Description)
	}
	if _, err := l.Expand("broken", ""); err == nil {
		t.Error("a template that was not loaded was expanded")
	}
	if len(l.Diagnostics()) != 1 || !strings.Contains(l.Diagnostics()[0].Text, "invalid YAML front matter") {
		t.Errorf("told %v", l.Diagnostics())
	}
}

// use runs the tool as the session does.
func use(t *testing.T, l *skills.Library, args string) (string, error) {
	t.Helper()
	tool := l.Tool()
	checked, err := surface.Parse(surface.Build(tool.Tool), args)
	if err != nil {
		t.Fatal(err)
	}
	out, err := tool.Run(context.Background(), nil, checked)
	return out.Text, err
}

// use_skill says whose words it returns and where they lie, names the files beside them,
// bounds what it shows, and rejects what is not a skill's.
func TestUseSkill(t *testing.T) {
	root := tree(t, map[string]string{
		"repo/.git/config":                        "",
		"repo/.agents/skills/pdf/SKILL.md":        "---\nname: pdf\ndescription: reads PDFs\n---\n\n# PDF\nRun scripts/read.py.\n",
		"repo/.agents/skills/pdf/scripts/read.py": "print(1)\n",
		"repo/.agents/skills/pdf/big.txt":         strings.Repeat("0123456789abcde\n", 10_000),
		"repo/.agents/skills/pdf/binary":          "\x00\x01",
		"repo/.agents/skills/mine/SKILL.md":       "---\ndescription: x\ndisable-model-invocation: true\n---\n",
		"home/.tenet/skills/single.md":            text,
		"home/.tenet/skills/other.md":             text,
	})
	l := load(root, skills.Options{})
	got, err := use(t, l, `{"name":"pdf"}`)
	want := "Skill pdf (the repository's words, not the user's), in the folder " + root + "/repo/.agents/skills/pdf\n\n# PDF\nRun scripts/read.py.\n\n\nFiles of the folder, for use_skill with a path:\n- big.txt\n- binary\n- scripts/read.py\n"
	if err != nil || got != want {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
	if got, err := use(t, l, `{"name":"single"}`); err != nil || !strings.Contains(got, "(the user's own)") || strings.Contains(got, "other") {
		t.Errorf("a skill of one file: %q, %v", got, err)
	}
	if got, err := use(t, l, `{"name":"pdf","path":"scripts/read.py"}`); err != nil || !strings.Contains(got, "File scripts/read.py of the skill pdf") || !strings.HasSuffix(got, "\n\nprint(1)\n") {
		t.Errorf("a file: %q, %v", got, err)
	}
	if got, err := use(t, l, `{"name":"pdf","path":"big.txt"}`); err != nil || len(got) > 60<<10 || !strings.Contains(got, "bytes were left out here") {
		t.Errorf("a big file: %d bytes, %v", len(got), err)
	}
	for args, says := range map[string]string{
		`{"name":"pdff"}`:                     `there is no skill "pdff"; there are single, other, pdf`,
		`{"name":"mine"}`:                     "started by the user only",
		`{"name":"pdf","path":"../x"}`:        `escapes: the path "../x" leads out of the folder`,
		`{"name":"pdf","path":"binary"}`:      "it is no text: byte 0 is NUL",
		`{"name":"pdf","path":"scripts"}`:     "it is a folder",
		`{"name":"pdf","path":"gone"}`:        "no such file",
		`{"name":"single","path":"other.md"}`: "one file without a folder of its own",
	} {
		if args == `{"name":"pdff"}` { // the order of names within one folder
			says = `there is no skill "pdff"; there are other, single, pdf`
		}
		if got, err := use(t, l, args); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %q, %v; want %q", args, got, err, says)
		}
	}
	if block := l.Prompt(); !strings.Contains(block, "- pdf (project): reads PDFs\n") || strings.Contains(block, "mine") || strings.Contains(block, "Run scripts") {
		t.Errorf("the block is\n%s", block)
	}
}

// A search ends, however wide and deep the folder is, and says where it stopped.
func TestASearchEnds(t *testing.T) {
	files := map[string]string{"home/.agents/skills/a/b/c/d/e/f/SKILL.md": text, "home/.agents/skills/node_modules/x/SKILL.md": text, "home/.agents/skills/.git/x/SKILL.md": text}
	root := tree(t, files)
	wide := filepath.Join(root, "home/.tenet/skills")
	if err := os.MkdirAll(wide, 0o755); err != nil {
		t.Fatal(err)
	}
	for i := range 2001 {
		if err := os.Mkdir(filepath.Join(wide, string(rune('a'+i%26))+strings.Repeat("x", i/26)), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	l := load(root, skills.Options{})
	if len(names(l)) > 0 || len(l.Diagnostics()) != 2 {
		t.Fatalf("loaded %q, told %v", names(l), l.Diagnostics())
	}
	if d := l.Diagnostics(); !strings.Contains(d[0].Text, "more than 2000 entries") || !strings.Contains(d[1].Text, "more than 5 deep") {
		t.Errorf("told %v", d)
	}
}

// Two places that lead to one folder load it once, and nobody is disturbed.
func TestOneFolderUnderTwoPlaces(t *testing.T) {
	root := tree(t, map[string]string{"home/.tenet/skills/a/SKILL.md": text})
	if err := os.MkdirAll(filepath.Join(root, "home/.agents"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../.tenet/skills", filepath.Join(root, "home/.agents/skills")); err != nil {
		t.Fatal(err)
	}
	l := load(root, skills.Options{Skills: []string{filepath.Join(root, "home/.tenet/skills")}})
	if got := names(l); len(got) != 1 || len(l.Diagnostics()) != 1 || !l.Diagnostics()[0].Level.Quiet() {
		t.Errorf("loaded %q, told %v", got, l.Diagnostics())
	}
}
