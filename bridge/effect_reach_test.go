package bridge

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	production "tenet/adapters/pathpolicy"
	"tenet/core/call"
	"tenet/core/effect"
)

// reachWorld is a workspace on a real disk with links out of it and names that are
// secret, and production's judge of it.
type reachWorld struct {
	t         *testing.T
	top, root string
	judge     *production.Judge
}

func newReachWorld(t *testing.T) *reachWorld {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &reachWorld{t: t, top: top, root: filepath.Join(top, "home", "proj")}
	w.file("home/.ssh/id_rsa", "out/o.txt", "home/proj/p/f", "home/proj/docs/a", "home/proj/src/a.go", "home/proj/conf/.env", "home/proj/deep/one/.env.local", "home/proj/deeper/one/two/.env")
	w.link("../../.ssh/id_rsa", "home/proj/docs/f")
	w.link("../../out/o.txt", "home/proj/preaa")
	w.link("../../../.ssh/id_rsa", "home/proj/linked/one/k")
	w.judge = production.New(production.Options{Root: w.root, TenetHome: filepath.Join(top, "home", ".tenet"), Env: []string{"HOME=" + filepath.Join(top, "home")}})
	return w
}

func (w *reachWorld) file(names ...string) {
	w.t.Helper()
	for _, n := range names {
		at := filepath.Join(w.top, n)
		w.must(os.MkdirAll(filepath.Dir(at), 0o755))
		w.must(os.WriteFile(at, []byte("x\n"), 0o644))
	}
}

func (w *reachWorld) link(to, name string) {
	w.t.Helper()
	at := filepath.Join(w.top, name)
	w.must(os.MkdirAll(filepath.Dir(at), 0o755))
	w.must(os.Symlink(to, at))
}

func (w *reachWorld) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// may is what one command may do in the workspace; the same question again costs no
// look at the disk.
func (w *reachWorld) may(line string) call.Effects {
	w.t.Helper()
	c := effect.Command{Argv: strings.Fields(line)}
	w.judge.Changed()
	got := w.judge.Command(w.root, c)
	before := w.judge.Calls()
	if again := w.judge.Command(w.root, c); again.Effects != got.Effects || w.judge.Calls() != before {
		w.t.Errorf("%s: asked again it may %v (%v), after %d more looks at the disk", line, again.Effects, got.Effects, w.judge.Calls()-before)
	}
	return got.Effects
}

func (w *reachWorld) check(want string, lines ...string) {
	w.t.Helper()
	for _, line := range lines {
		if got := strings.Join(w.may(line).Names(), "+"); got != want {
			w.t.Errorf("%s may %s, want %s", line, got, want)
		}
	}
}

// TestTreesAreReadForWhatTheyHold: who reads every file below a directory reads the
// secrets there by name and those behind its links; who lists names does not.
func TestTreesAreReadForWhatTheyHold(t *testing.T) {
	w := newReachWorld(t)
	w.check("read", "grep -r x src", "grep x conf/a", "ls -R conf", "find conf -name x", "rg x conf", "rg -g *.go x conf", "rg --glob !*.md x conf", "git grep x conf", "diff src p")
	w.check("read+secret", "grep -r x conf", "grep -r x deep", "grep -r x deeper", "grep -r x docs", "grep -r x linked", "grep -r x .", "grep -r x", "rg --hidden x conf", "rg -uu x conf", "rg -g * x conf", "rg -g .env x conf", "rg -g *.env x conf", "rg --iglob=*.{go,env} x conf",
		"git grep --untracked x conf", "git grep --no-index x deep", "diff conf src", "diff -r --no-dereference src deep")
}

// TestManyNamesAreLookedThrough: a tree of many names is read to its end, and a secret
// in the last of its directories is found. What lies past the bound of a look is
// adapters/pathpolicy's to try.
func TestManyNamesAreLookedThrough(t *testing.T) {
	w := newReachWorld(t)
	for i := range 300 {
		w.file(fmt.Sprintf("home/proj/wide/%d/a", i))
	}
	w.file("home/proj/many/0/a")
	for i := range 5000 {
		w.file(fmt.Sprintf("home/proj/many/0/n%d", i))
	}
	w.check("read", "grep -r x wide", "grep -r x many")
	w.file("home/proj/wide/zz/.env", "home/proj/many/0/zz/.env")
	w.check("read+secret", "grep -r x wide", "grep -r x many")
}

// TestNamesNobodyWrote: what lands in a directory or behind a prefix goes through the
// links that stand there.
func TestNamesNobodyWrote(t *testing.T) {
	w := newReachWorld(t)
	w.check("read+write", "cp p/f src", "split p/f src/a", "cp -r p new", "cp -r p src")
	w.check("read+write+secret", "cp p/f docs", "split p/f docs/")
	w.check("read+write+outside", "split p/f pre", "cp -r p/. docs", "cp -rT p src")
	w.check("read+write+outside+protected", "cp -r p .")
	w.file("home/proj/src/p/z")
	w.check("read+write+outside", "cp -r p src")
}

// TestGitWritesWhereItsDirectoryLeads: a link out is outside, a file of git's is not
// read and so not vouched for, and what is no repository is written by nobody.
func TestGitWritesWhereItsDirectoryLeads(t *testing.T) {
	w := newReachWorld(t)
	w.check("read+write", "git branch x", "git -C src branch x")
	w.file("home/proj/in/.git/HEAD", "out/r/HEAD", "out/q/.git/HEAD", "home/proj/file/.git", "home/proj/tree/.git/HEAD", "home/proj/tree/.git/commondir", "home/proj/refs/.git/HEAD")
	w.link("../../../out/r", "home/proj/linked/.git")
	w.link("../../../../out", "home/proj/refs/.git/logs")
	w.link("../../../out/q/.git", "home/proj/other/.git")
	w.link("../../.git/logs", "home/proj/in/.git/refs/heads")
	w.file("home/.tenet/x")
	w.link("../../../.tenet/x", "home/proj/ours/.git/HEAD")
	w.file("home/proj/linked/sub/a")
	w.check("read+write", "git -C in branch x")
	w.check("read+write+outside", "git -C linked branch x", "git -C linked/sub branch x", "git -C refs branch x", "git -C other branch x")
	w.check("read+write+protected", "git -C ours branch x")
	w.check("read+write+exec", "git -C file branch x", "git -C tree branch x")
	w.check("write+outside", "git -C linked update-ref refs/heads/x HEAD", "git init linked")
	w.check("write", "git init src")
	w.check("write+exec", "git init file", "git init tree")
}

// TestHardenedGitInLessUsualForms: every way in which git reads a file's text may ask
// the repository for a program that makes that text.
func TestHardenedGitInLessUsualForms(t *testing.T) {
	w := newTrapWorld(t)
	for _, args := range []string{"git log -L1,1:a", "git log -Gneedle", "git log -Sneedle --pickaxe-all", "git show HEAD:a", "git show --stat --check HEAD", "git diff --cached --stat --check",
		"git diff --cached -Gneedle", "git diff --cached --word-diff", "git grep -p needle", "git grep -W needle HEAD", "git grep --cached needle", "git ls-files --eol -o", "git ls-files -s --debug",
		"git log --format=%(describe)%(trailers)", "git log --decorate --source --notes", "git branch --sort=-committerdate -vv", "git for-each-ref", "git rev-list --all --objects", "git symbolic-ref HEAD",
		"git describe --all --always", "git log -p --follow a", "git log --cc -p", "git show --format=raw HEAD", "git branch -u main main", "git symbolic-ref refs/x refs/heads/main", "git init again"} {
		argv := strings.Fields(args)
		w.command(effect.Harden(argv), effect.HardenEnv(argv))
		if sprung := w.sprung(); sprung != "" {
			t.Fatalf("%s ran %s", args, sprung)
		}
	}
}

// TestHardenedGitMergesNothing: a repository can ask git to show a merge by making it
// again, with drivers of its own.
func TestHardenedGitMergesNothing(t *testing.T) {
	for _, args := range []string{"git log -m -p", "git log -p", "git show -m HEAD~1", "git log -m -p --diff-merges=separate", "git log -p --cc"} {
		w := newMergeWorld(t)
		argv := strings.Fields(args)
		w.command(effect.Harden(argv), effect.HardenEnv(argv))
		if sprung := w.sprung(); sprung != "" {
			t.Errorf("%s ran %s", args, sprung)
		}
	}
	w := newMergeWorld(t)
	w.command(strings.Fields("git --no-pager log -m -p --no-ext-diff --no-textconv"), nil)
	if !strings.Contains(w.sprung(), "merge") {
		t.Error("git log -m runs no merge driver without the arguments: the trap shows nothing")
	}
}

// newMergeWorld is a world with a merge that conflicts and whose driver is a trap.
func newMergeWorld(t *testing.T) *trapWorld {
	t.Helper()
	top := t.TempDir()
	w := &trapWorld{t: t, home: filepath.Join(top, "home"), root: filepath.Join(top, "home", "proj"), marks: filepath.Join(top, "marks")}
	w.must(os.MkdirAll(w.root, 0o755))
	w.must(os.MkdirAll(w.marks, 0o755))
	w.command([]string{"bash", "-ec", `git init -q -b main; git config user.name u; git config user.email u@h
echo '* merge=trap' > .gitattributes; echo 0 > f; git add .; git commit -qm 0
git checkout -qb o; echo o > f; git commit -qam 1; git checkout -q main; echo m > f; git commit -qam 2
git -c merge.trap.driver=true merge -q --no-edit o; echo r > f; git commit -qam 3
git config log.diffMerges remerge; git config merge.trap.driver "` + w.program("merge") + `"`}, nil)
	if w.sprung() != "" {
		t.Fatal("the trap is sprung before it is set")
	}
	return w
}
