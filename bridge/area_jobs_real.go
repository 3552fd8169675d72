package bridge

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"tenet/adapters/shell"
	"tenet/core/output"
	"tenet/laws"
	model "tenet/models/jobs"
)

// realJobs asks real processes what no history can: whether pipes close, whether bytes
// are lost, and whether a kill and a restart end what they should and nothing else.
func realJobs() error {
	dir, err := os.MkdirTemp("", "tenet-jobs")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	return errors.Join(realPipes(dir), realOutputs(dir), realArgv(dir), realKills(dir), realRestart(dir))
}

// realShell is a shell in a directory, within limits.
func realShell(dir string, l shell.Limits) *shell.Shell {
	l.Grace, l.Drain = 100*time.Millisecond, time.Millisecond
	return shell.New(shell.Config{Dir: dir, Env: []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C"}, Session: filepath.Base(dir), Judge: anything{}, Limits: l})
}

// pipelines end by their last stage alone: every stage before it would write for ever.
// Programs and built-ins stand on both sides of the pipes.
var pipelines = []string{"yes | head -n 1", "yes | sh -c 'read x'", "cat /dev/zero | sh -c 'exit 0'", "yes | cat | head -n 1", "yes | sh -c 'cat' | cat | sh -c 'exec head -c 1'"}

func realPipes(dir string) error {
	sh := realShell(dir, shell.Limits{})
	for _, src := range pipelines {
		ctx, stop := context.WithTimeout(context.Background(), patience)
		r := sh.Run(ctx, anything{}, src)
		stop()
		for _, s := range r.Steps[:max(len(r.Steps)-1, 0)] {
			if s.Status != 141 {
				return fmt.Errorf("law pipe_closes_upstream: %s: %s ends with status %d", src, s.Text, s.Status)
			}
		}
		if r.End.Kind != shell.Finished {
			return fmt.Errorf("law pipe_closes_upstream: %s: %s", src, r.Text())
		}
	}
	return nil
}

// realOutputs has programs write what a seed says, and judges what stays of it and what
// its file holds.
func realOutputs(dir string) error {
	rnd := rand.New(rand.NewPCG(1, 1))
	for i := range 24 {
		l := model.OutputLimits[1+rnd.IntN(len(model.OutputLimits)-1)]
		l.Bytes *= 1 + i
		var raw []byte
		for range rnd.IntN(200) {
			raw = append(raw, []string{"a", "bc", "\n", "\x01", "\xc3", "\xa4", "\u20ac"}[rnd.IntN(7)]...)
		}
		if err := realOutput(dir, l, raw); err != nil {
			return err
		}
	}
	return nil
}

func realOutput(dir string, l output.Limits, raw []byte) error {
	if err := os.WriteFile(filepath.Join(dir, "raw"), raw, 0o600); err != nil {
		return err
	}
	sh := realShell(dir, shell.Limits{Output: l, ArtifactDir: filepath.Join(dir, "out")})
	r := sh.Run(context.Background(), anything{}, "sh -c 'head -c 7 raw; tail -c +8 raw'")
	got := model.Bounded{Text: r.Output, Count: r.Bounded.Count, Cut: r.Bounded.Cut, Over: r.Bounded.Artifact != ""}
	if got.Over {
		spill, err := os.ReadFile(r.Bounded.Artifact)
		if err != nil {
			return err
		}
		got.Spill = string(spill)
	}
	if v := laws.JobsOutput.OutputConserved.Func(model.Written{Limits: l, First: string(raw)}, got); v.Err != nil {
		return fmt.Errorf("law output_conserved: a real process: %w", v.Err)
	}
	return nil
}

// realArgv has a program without a shell write to both of its outputs: each is kept
// apart, whole within its limit.
func realArgv(dir string) error {
	sh := realShell(dir, shell.Limits{ArtifactDir: filepath.Join(dir, "out")})
	c := shell.Call{Argv: []string{"sh", "-c", "head -c 100000 /dev/zero | tr '\\0' 'o'; echo e >&2"}}
	x := sh.Start(context.Background(), anything{}, c)
	r := x.Result()
	l := output.Limits{Bytes: shell.ArgvBytes, Lines: shell.ArgvBytes}
	whole := strings.Repeat("o", 100000)
	got := model.Bounded{Text: r.Output, Count: r.Bounded.Count, Cut: r.Bounded.Cut, Over: true, Spill: whole}
	v := laws.JobsOutput.OutputConserved.Func(model.Written{Limits: l, First: whole}, got)
	if v.Err != nil || r.Errors != "e\n" {
		return fmt.Errorf("law output_conserved: the outputs of a program: %w, and %q", v.Err, r.Errors)
	}
	return nil
}
