package bridge

import (
	"bufio"
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mvdan.cc/sh/v3/syntax"

	"tenet/core/effect"
	"tenet/core/script"
)

// TestReadersOnlyRead runs every script of the effect table that may only read, by
// bash, in a throw-away home whose repository names a program in every setting that
// it can: nothing may be written there, and none of those programs may run.
func TestReadersOnlyRead(t *testing.T) {
	defer report.Time("effect")()
	w := newTrapWorld(t)
	before := w.snapshot()
	ran := 0
	for _, line := range readers(t) {
		if !w.run(line) {
			continue
		}
		ran++
		if after := w.snapshot(); after != before {
			t.Fatalf("%s changed something; these files are there now:\n%s", line, w.changed)
		}
	}
	t.Logf("%d scripts ran", ran)
	if ran < 100 {
		t.Errorf("only %d scripts ran", ran)
	}
}

// TestHardenedGitRunsNothing shows that the traps are real: without the arguments for
// an untrusted repository git springs one, with them none.
func TestHardenedGitRunsNothing(t *testing.T) {
	for _, args := range []string{"git log -1 --stat", "git log -p -1", "git show HEAD", "git diff --cached", "git grep needle", "git ls-files", "git branch -v", "git describe --always", "git rev-list HEAD", "git shortlog HEAD", "git cat-file -p HEAD", "git update-ref refs/heads/x HEAD", "git branch y"} {
		w := newTrapWorld(t)
		argv := strings.Fields(args)
		w.command(effect.Harden(argv), effect.HardenEnv(argv))
		if sprung := w.sprung(); sprung != "" {
			t.Errorf("%s ran %s", args, sprung)
		}
	}
	w := newTrapWorld(t)
	w.command(strings.Fields("git log -p -1"), nil)
	if w.sprung() == "" {
		t.Error("git log -p springs no trap without the arguments: the traps show nothing")
	}
}

// trapWorld is a home with a workspace that is a repository full of traps.
type trapWorld struct {
	t          *testing.T
	home, root string
	marks      string
	changed    string
}

func newTrapWorld(t *testing.T) *trapWorld {
	t.Helper()
	top := t.TempDir()
	w := &trapWorld{t: t, home: filepath.Join(top, "home"), root: filepath.Join(top, "home", "proj"), marks: filepath.Join(top, "marks")}
	for _, d := range []string{filepath.Join(w.root, "src"), filepath.Join(w.root, "sub"), filepath.Join(w.root, "bin"), filepath.Join(w.root, "core"), w.marks} {
		w.must(os.MkdirAll(d, 0o755))
	}
	for _, f := range []string{"a", "b", "c", "f", "src/a.go", "list", "sums", "table"} {
		w.must(os.WriteFile(filepath.Join(w.root, f), []byte("needle a b\n1 2 3\n"), 0o644))
	}
	w.must(os.WriteFile(filepath.Join(w.root, ".gitattributes"), []byte("* diff=trap filter=trap\n"), 0o644))
	for _, args := range []string{"init -q -b main", "add .", "-c user.name=u -c user.email=u@h commit -q -m one"} {
		w.command(append([]string{"git"}, strings.Fields(args)...), nil)
	}
	w.must(os.WriteFile(filepath.Join(w.root, "a"), []byte("staged\n"), 0o644))
	w.command([]string{"git", "add", "a"}, nil)
	w.trap()
	return w
}

func (w *trapWorld) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// trap names a program that leaves a mark in every setting that git has for one, and
// puts a hook in place.
func (w *trapWorld) trap() {
	config, err := os.OpenFile(filepath.Join(w.root, ".git", "config"), os.O_APPEND|os.O_WRONLY, 0)
	w.must(err)
	for _, key := range []string{
		"core.fsmonitor", "core.pager", "pager.log", "pager.show", "pager.diff", "pager.grep", "pager.branch", "core.editor", "core.sshCommand", "core.askPass", "core.alternateRefsCommand",
		"diff.external", "diff.trap.command", "diff.trap.textconv", "filter.trap.clean", "filter.trap.smudge", "filter.trap.process", "gpg.program", "gpg.ssh.program", "gpg.openpgp.program",
		"credential.helper", "interactive.diffFilter", "sequence.editor", "uploadpack.packObjectsHook", "protocol.ext.allow", "extensions.x", "alias.log", "alias.show", "alias.version",
	} {
		value := w.program(key)
		switch {
		case key == "protocol.ext.allow":
			value = "always"
		case strings.HasPrefix(key, "alias."):
			value = "!" + value
		}
		fmt.Fprint(config, setting(key, value))
	}
	fmt.Fprint(config, setting("log.showSignature", "true"), setting("format.pretty", "%h %G?"))
	w.must(config.Close())
	for _, hook := range []string{"reference-transaction", "post-index-change", "post-checkout"} {
		w.must(os.WriteFile(filepath.Join(w.root, ".git", "hooks", hook), []byte("#!/bin/sh\n"+w.program(hook)+"\n"), 0o755))
	}
	for _, m := range w.entries(w.marks) {
		w.must(os.Remove(filepath.Join(w.marks, m)))
	}
}

// setting is one setting as git's configuration file has it.
func setting(key, value string) string {
	section, name, _ := strings.Cut(key, ".")
	if middle, last, ok := strings.Cut(name, "."); ok {
		section, name = fmt.Sprintf("%s %q", section, middle), last
	}
	return fmt.Sprintf("[%s]\n\t%s = %q\n", section, name, value)
}

// program is a command line that leaves a mark.
func (w *trapWorld) program(name string) string {
	return "touch " + filepath.Join(w.marks, strings.ReplaceAll(name, ".", "-")) + " #"
}

func (w *trapWorld) entries(dir string) (out []string) {
	list, err := os.ReadDir(dir)
	w.must(err)
	for _, e := range list {
		out = append(out, e.Name())
	}
	return out
}

// sprung is the traps that a program ran into.
func (w *trapWorld) sprung() string { return strings.Join(w.entries(w.marks), ", ") }

// command runs one argv in the workspace, with nothing on stdin and a bound in time.
func (w *trapWorld) command(argv, env []string) {
	ctx, cancel := context.WithTimeout(w.t.Context(), 20*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir = w.root
	cmd.Env = append([]string{"HOME=" + w.home, "PATH=" + os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C"}, env...)
	// Whether it succeeds is not the question: a missing file is no write.
	if _, err := cmd.CombinedOutput(); ctx.Err() != nil {
		w.t.Logf("%v did not end: %v", argv, err)
	}
}

// run runs one script; a git command as the shell would run it. It reports whether
// there is anything to run.
func (w *trapWorld) run(line string) bool {
	s, err := script.Parse(line)
	if err != nil || s.Whole {
		return false
	}
	if argv := single(s); len(argv) > 0 {
		if argv[0] == "yes" || argv[0] == "tail" {
			return false // they do not end
		}
		if _, err := exec.LookPath(argv[0]); err == nil {
			w.command(effect.Harden(argv), effect.HardenEnv(argv))
			return true
		}
	}
	w.command([]string{"bash", "-c", line}, nil)
	return true
}

// single is the argv of a script of one command without expansions.
func single(s script.Script) []string {
	if len(s.Pipelines) != 1 || len(s.Pipelines[0].Stages) != 1 || len(s.Pipelines[0].Stages[0].Redirs) > 0 {
		return nil
	}
	c, ok := s.Pipelines[0].Stages[0].Cmd.(*syntax.CallExpr)
	if !ok {
		return nil
	}
	var argv []string
	for _, a := range c.Args {
		text, ok := script.Static(a)
		if !ok {
			return nil
		}
		argv = append(argv, text)
	}
	return argv
}

// snapshot is everything in the world: names, modes and contents.
func (w *trapWorld) snapshot() string {
	h := sha256.New()
	var names strings.Builder
	w.must(filepath.WalkDir(filepath.Dir(w.home), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		fmt.Fprintln(h, path, d.Type())
		fmt.Fprintln(&names, path)
		if !d.Type().IsRegular() {
			return nil
		}
		b, err := os.ReadFile(path)
		fmt.Fprintf(h, "%x", sha256.Sum256(b))
		return err
	}))
	w.changed = names.String()
	return string(h.Sum(nil))
}

// readers is the scripts of the table that may only read.
func readers(t *testing.T) (out []string) {
	f, err := os.Open("../core/effect/testdata/effects.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		if want, line, ok := strings.Cut(s.Text(), "\t"); ok && want == "read" {
			out = append(out, line)
		}
	}
	return out
}
