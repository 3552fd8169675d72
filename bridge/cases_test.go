package bridge

import (
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tenet/adapters/judge"
	"tenet/core/gate"
	"tenet/core/guard"
)

// TestCasesAreAccountedFor: every real failure of the list has a case that is run, or a
// line in docs/cases.md; and each test that the page names exists.
func TestCasesAreAccountedFor(t *testing.T) {
	page := readText(t, "../docs/cases.md")
	known := map[string]bool{}
	for _, kind := range []string{"shell", "path"} {
		for _, c := range guardCases(t, kind) {
			if known[c.ID] {
				t.Errorf("testdata/cases/guard.jsonl has %s twice", c.ID)
			}
			known[c.ID] = true
		}
	}
	ids := strings.Fields(readText(t, "../testdata/cases/ids.txt"))
	for _, id := range ids {
		if !known[id] && !strings.Contains(page, "`"+id+"`") {
			t.Errorf("%s has neither a case in testdata/cases nor a line in docs/cases.md", id)
		}
	}
	for _, id := range quoted.FindAllStringSubmatch(page, -1) {
		if !known[id[1]] && !slices.Contains(ids, id[1]) {
			t.Errorf("docs/cases.md speaks of %s, which no list has", id[1])
		}
	}
	tests := declaredTests(t, "..")
	for _, name := range testName.FindAllString(page, -1) {
		if !tests[name] {
			t.Errorf("docs/cases.md names %s, and there is no such test", name)
		}
	}
}

// TestCasesThroughTheGate asks the whole gate, on a real disk, about every script and
// every path of the list: the effects are those that must be seen, and exactly the cases
// that the hardline floor must deny are denied by it. The profile is the one that asks
// least, so that nothing but the case itself can deny.
func TestCasesThroughTheGate(t *testing.T) {
	floored, n := 0, 0
	for _, c := range guardCases(t, "shell") {
		n++
		r := newGateCase(t, c).script(t, repeated(c.Input))
		c.checkRuling(t, r)
		if r.Stage == gate.Floor {
			floored++
		}
	}
	for _, c := range guardCases(t, "path") {
		if c.Fold {
			continue // a folding disk is not to be had everywhere: TestPathCases, TestAFoldingDiskIsJudgedByItsEntries
		}
		n++
		c.checkRuling(t, newGateCase(t, c).path(t))
	}
	t.Logf("%d cases, %d of them under the floor", n, floored)
	if n < 190 || floored < 38 {
		t.Errorf("%d cases were run and %d denied by the floor; some are gone", n, floored)
	}
}

func (c guardCase) checkRuling(t *testing.T, r gate.Ruling) {
	var notes []string
	for _, s := range r.Steps {
		notes = append(notes, s.Step.Notes...)
	}
	c.check(t, r.Effects, notes)
	if floor := r.Verdict == gate.Deny && r.Stage == gate.Floor; floor != c.Floor {
		t.Errorf("%s: %q is denied by the floor: %v, must be: %v (%v by %v, %s: %s)\n\t%s", c.ID, c.Input, floor, c.Floor, r.Verdict, r.Stage, r.Rule.Name, r.Why, c.Why)
	}
}

// gateCase is the machine that a case speaks of, laid out on the disk: what it calls
// /home/u is the test's own.
type gateCase struct {
	c     guardCase
	home  string
	judge *judge.Judge
}

func newGateCase(t *testing.T, c guardCase) gateCase {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	g := gateCase{c: c, home: top + "/home/u"}
	for _, dir := range []string{g.home + "/proj/.git", g.home + "/bin", g.home + "/.ssh"} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range c.Files {
		if err := os.WriteFile(g.home+"/proj/"+name, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for at, to := range c.Links {
		if at = g.here(at); !strings.HasPrefix(at, top) {
			continue // a link elsewhere on the machine is not ours to make
		}
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(g.here(to), at); err != nil {
			t.Fatal(err)
		}
	}
	home := g.home
	if strings.HasSuffix(c.Home, "/") {
		home += "/"
	}
	env := []string{"HOME=" + home, "PATH=/usr/bin:/bin:" + g.home + "/bin"}
	root, own := g.home+"/proj", g.home+"/.tenet"
	a, err := judge.Assemble(judge.Setup{Root: root, TenetHome: own, Env: env, Profile: "open", Roster: []string{"bash", "read", "write"}})
	if err != nil {
		t.Fatal(err)
	}
	g.judge = judge.New(judge.Options{Root: root, TenetHome: own, Env: env, Policy: a.Policy})
	return g
}

// here is a text of the case with its home where the test's is. The user u is the one
// who runs the test.
func (g gateCase) here(text string) string {
	if me, err := user.Current(); err == nil {
		text = strings.ReplaceAll(text, "~u/", "~"+me.Username+"/")
	}
	return strings.ReplaceAll(text, "/home/u", g.home)
}

func (g gateCase) script(t *testing.T, text string) gate.Ruling {
	return g.ask(t, "bash", map[string]string{"command": g.here(text)})
}

// path asks about the access by the tool for it. What leaves the workspace in silence
// the document tools refuse whatever the gate says; the shell's way to it is judged then.
func (g gateCase) path(t *testing.T) gate.Ruling {
	tool, command := "read", "cat "
	args := map[string]string{"path": g.here(g.c.Input)}
	if g.c.Access == "write" {
		tool, command, args["content"] = "write", "touch ", "x"
	}
	r := g.ask(t, tool, args)
	if r.Rule.Name == guard.AnalyzerFailure {
		return g.script(t, command+g.c.Input)
	}
	return r
}

func (g gateCase) ask(t *testing.T, tool string, args map[string]string) gate.Ruling {
	b, err := json.Marshal(args)
	if err != nil {
		t.Fatal(err)
	}
	dir := ""
	if g.c.Cwd != "" {
		dir = g.here(g.c.Cwd)
	}
	return g.judge.Judge(context.Background(), judge.Call{Tool: tool, Args: b, Dir: dir})
}

var (
	quoted   = regexp.MustCompile("`([a-z]+-[a-z0-9-]*[a-z0-9])`")
	testName = regexp.MustCompile(`\b(Test|Fuzz)[A-Z]\w*`)
	testFunc = regexp.MustCompile(`(?m)^func ((Test|Fuzz)[A-Z]\w*)\(`)
)

// declaredTests is the names of all tests below a directory.
func declaredTests(t *testing.T, root string) map[string]bool {
	out := map[string]bool{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		for _, m := range testFunc.FindAllStringSubmatch(readText(t, path), -1) {
			out[m[1]] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func readText(t *testing.T, path string) string {
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
