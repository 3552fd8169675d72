package bridge

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tenet/adapters/pathpolicy"
	"tenet/adapters/shell"
	"tenet/core/call"
	"tenet/core/gate"
	"tenet/core/script"
)

// shellEnv is one in which sorting and messages are those of the C locale.
var shellEnv = []string{"PATH=/usr/bin:/bin", "HOME=/nonexistent", "LC_ALL=C", "A=alpha", "SP=two words"}

// scripted is a gate over core's own state: it answers the question with yes, refuses
// the nth step when its turn comes, and keeps what was planned, confirmed and started.
type scripted struct {
	script gate.Script
	auto   call.Effects
	deny   int
	plan   []call.Step
	seen   []call.Step
	files  func() string
	before string // the files when the last pipeline was first asked about
	broken error
}

// Permit judges the plan by core.
func (g *scripted) Permit(_ context.Context, plan func() []call.Step) gate.Outcome {
	g.before = g.files()
	g.plan = plan()
	for _, s := range g.plan {
		g.script, _ = g.script.Plan(gate.ByAuto(g.auto, s.Effects).Verdict)
	}
	if g.script, _ = g.script.Settle(); g.script.Phase == gate.Asking {
		g.script, _ = g.script.Answer(gate.AllowOnce)
	}
	if g.files() != g.before {
		g.broken = errors.New("the plan changed something")
	}
	return gate.Outcome{Runs: true}
}

// Skip passes over a step that the script leaves out.
func (g *scripted) Skip() {
	next, ok := g.script.Skip()
	if !ok {
		g.broken = fmt.Errorf("a step was left out in phase %v: %+v", g.script.Phase, g.script)
	}
	g.script = next
}

// Confirm refuses the nth step. What was planned is what comes, text for text: nothing
// in these scripts depends on what ran before.
func (g *scripted) Confirm(s call.Step, _ string) gate.Outcome {
	if g.script.Passed == g.script.Ran+g.script.Skipped {
		g.before = g.files()
	}
	if g.files() != g.before {
		g.broken = fmt.Errorf("step %d changed something before it was confirmed", s.N)
	}
	if p := g.plan[g.script.Passed]; p.N != s.N || p.Text != s.Text {
		g.broken = fmt.Errorf("step %d %q was planned as %d %q", s.N, s.Text, p.N, p.Text)
	}
	g.seen = append(g.seen, s)
	next, ok := g.script.Confirm(s.N != g.deny)
	if !ok {
		g.broken = fmt.Errorf("step %d came in phase %v", s.N, g.script.Phase)
	}
	g.script = next
	return gate.Outcome{Runs: s.N != g.deny, Refusal: "denied"}
}

// Start moves core's state: the whole pipeline at once.
func (g *scripted) Start(context.Context) error {
	next, ok := g.script.Start()
	if !ok {
		g.broken = fmt.Errorf("started in phase %v: %+v", g.script.Phase, g.script)
	}
	g.script = next
	return nil
}

// TestShellStopsAtDenial: a script whose nth step is denied does exactly what bash
// does with the script cut off before that step's pipeline: laws gate_prefix,
// gate_needs_yes, gate_deny_stops and gate_finish_runs_all on real processes and files,
// under the real judge of effects.
func TestShellStopsAtDenial(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("SKIPPED: no bash on this machine to compare with")
	}
	stage := rapid.SampledFrom([]string{"cat a.txt", "echo $A > o1", "sh -c 'echo x; exit 3'", "touch new", "rm a.txt", "tr a b", "sort", "mkdir -p d/e",
		"cat nofile", "false", "true", "grep one *.txt", "cp a.txt b.txt", "sed -n 1p a.txt", "head -n 1 >> o2", "nosuch_x"})
	// Later stages only filter: two that change the same file would race, in bash too.
	filter := rapid.SampledFrom([]string{"tr a b", "sort", "cat", "wc -l", "head -n 1 > o3", "sh -c 'cat; exit 4'", "grep -c o", "nosuch_x"})
	dir := filepath.Join(t.TempDir(), "w")
	rapid.Check(t, func(rt *rapid.T) {
		var lines [][]string
		for range rapid.IntRange(1, 5).Draw(rt, "pipelines") {
			filters := rapid.SliceOfN(filter, 0, 2).Draw(rt, "filters")
			if len(filters) == 2 && filters[0] == filters[1] {
				filters = filters[:1] // one that writes a file would race with itself
			}
			lines = append(lines, append([]string{stage.Draw(rt, "first")}, filters...))
		}
		joins := rapid.SliceOfN(rapid.SampledFrom([]string{"\n", "; ", " && ", " || "}), len(lines), len(lines)).Draw(rt, "joins")
		deny := rapid.IntRange(0, 8).Draw(rt, "deny")
		src := scriptOf(lines, joins)

		workspace(rt, dir)
		g := &scripted{auto: call.Of(call.Read), deny: deny, files: func() string { return files(rt, dir) }}
		judge := pathpolicy.New(pathpolicy.Options{Root: dir, TenetHome: filepath.Dir(dir) + "/home", Env: shellEnv})
		r := shell.New(shell.Config{Dir: dir, Env: shellEnv, Judge: judge}).Run(t.Context(), g, src)
		after := files(rt, dir)
		if g.broken != nil {
			rt.Fatal(g.broken)
		}
		lawsOfSteps(rt, g, r)
		workspace(rt, dir)
		cut := beforeRefusal(rt, src, g, r)
		out, status := inBash(dir, cut)
		if r.Output = ordered(src, r.Output); r.Output != ordered(src, out) || r.Status != status || after != files(rt, dir) {
			rt.Fatalf("%q, step %d denied\nshell %d %q\nbash  %d %q\nof %q\nshell\n%s\nbash\n%s", src, deny, r.Status, r.Output, status, out, cut, after, files(rt, dir))
		}
	})
}

// lawsOfSteps states the four laws on what was asked and what ran.
func lawsOfSteps(t *rapid.T, g *scripted, r shell.Result) {
	for i, s := range r.Steps {
		if i >= len(g.seen) || s.N != g.seen[i].N || s.Text != g.seen[i].Text {
			t.Fatalf("law gate_prefix: ran %+v, asked %+v", r.Steps, g.seen)
		}
	}
	asked := slices.DeleteFunc(slices.Clone(r.Steps), func(s shell.StepResult) bool { return s.Effects.Within(g.auto) })
	switch {
	case len(asked) > int(g.script.Yes):
		t.Fatalf("law gate_needs_yes: %d gated steps ran on %d approvals", len(asked), g.script.Yes)
	case g.script.Phase == gate.Refused && (r.End.Kind != shell.Refused || len(r.Steps) != int(g.script.Ran) || r.End.Step != g.seen[len(g.seen)-1].N):
		t.Fatalf("law gate_deny_stops: %+v after %+v", r.End, g.script)
	case g.script.Phase == gate.Ready && (r.End.Kind != shell.Finished || len(r.Steps) != len(g.seen)):
		t.Fatalf("law gate_finish_runs_all: %+v, %d of %d steps ran", r.End, len(r.Steps), len(g.seen))
	}
}

func scriptOf(lines [][]string, joins []string) string {
	var b strings.Builder
	for i, l := range lines {
		if i > 0 {
			b.WriteString(joins[i])
		}
		b.WriteString(strings.Join(l, " | "))
	}
	return b.String()
}

// beforeRefusal is the script without the pipeline of the refused step and what follows.
// Which pipeline that is, is found by counting those that ran.
func beforeRefusal(t *rapid.T, src string, g *scripted, r shell.Result) string {
	if r.End.Kind != shell.Refused {
		return src
	}
	s, err := script.Parse(src)
	if err != nil {
		t.Fatal(err)
	}
	status, at := 0, 0
	for _, p := range s.Pipelines {
		if !p.Join.Runs(status) {
			continue
		}
		if at >= len(r.Steps) {
			return strings.TrimRight(src[:p.Stages[0].Pos().Offset()], " ;&|\n")
		}
		at += len(p.Stages)
		status = r.Steps[at-1].Status
	}
	t.Fatalf("refused at step %d of %d, past the script %q", r.End.Step, len(g.seen), src)
	return ""
}

func inBash(dir, src string) (string, int) {
	c := exec.Command("bash", "-c", src)
	c.Dir, c.Env = dir, append(slices.Clone(shellEnv), "PWD="+dir)
	b, _ := c.CombinedOutput()
	return string(b), c.ProcessState.ExitCode()
}

// ordered sorts the bytes of a pipeline's output, whose stages print in any order.
func ordered(src, out string) string {
	if !strings.Contains(src, " | ") {
		return out
	}
	b := []byte(out)
	slices.Sort(b)
	return string(b)
}

func workspace(t *rapid.T, dir string) {
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, n := range []string{"a.txt", "c.txt"} {
		if err := os.WriteFile(filepath.Join(dir, n), []byte("one "+n+"\ntwo\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// files is everything below a directory.
func files(t *rapid.T, dir string) string {
	var b strings.Builder
	err := filepath.WalkDir(dir, func(p string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			fmt.Fprintln(&b, strings.TrimPrefix(p, dir))
			return err
		}
		text, err := os.ReadFile(p)
		fmt.Fprintf(&b, "%s %q\n", strings.TrimPrefix(p, dir), text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

var _ shell.Judge = (*pathpolicy.Judge)(nil)
