package mutate

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Verdict is what the program says about the mutant that ran in it: how it was
// caught, empty when it was not, and what was seen. The program prints it as JSON.
type Verdict struct {
	By  string `json:"by"`
	Saw string `json:"saw"`
}

// Result is how one mutant fared.
type Result struct {
	Mutant
	Verdict
	// Err is set when the mutant could not be judged: it was refused, does not
	// compile, or the program failed in a way that is no verdict.
	Err error
	// Late is true when the mutant never came back within the deadline.
	Late bool
	// Crash is the program's last words when it died, empty otherwise.
	Crash string
	// Elsewhere is true for a file that this system does not build: not judged here.
	Elsewhere bool
	// Took is the wall time of the mutant's run.
	Took time.Duration
}

// Runner compiles a program with every mutant in it once and runs it for each.
type Runner struct {
	// Root is the module's root.
	Root string
	// Package is the main package to build: "./bridge/engine/mutate/cmd".
	Package string
	// Args are the program's arguments for a mutant.
	Args func(Mutant) []string
	// Deadline is how long one mutant may run; at least a second.
	Deadline time.Duration
	// Workers is how many mutants run at a time; at least 1.
	Workers int
}

// Run judges every mutant, in the order given. The error is about the build; what
// concerns one mutant stands in its result.
func (r Runner) Run(ctx context.Context, ms []Mutant) ([]Result, error) {
	tmp, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	var here []Mutant
	for _, m := range ms {
		if !Elsewhere(r.Root, m) {
			here = append(here, m)
		}
	}
	bin, failed, err := r.build(ctx, tmp, here)
	if err != nil {
		return nil, err
	}
	out := make([]Result, len(ms))
	var todo []*Result
	for i, m := range ms {
		out[i] = Result{Mutant: m, Elsewhere: Elsewhere(r.Root, m), Err: failed[m.ID]}
		if out[i].Err == nil && !out[i].Elsewhere {
			todo = append(todo, &out[i])
		}
	}
	r.judgeAll(todo, func(res *Result) { r.judge(ctx, tmp, bin, res) })
	return out, ctx.Err()
}

func (r Runner) judgeAll(todo []*Result, judge func(*Result)) {
	work := make(chan *Result)
	var wg sync.WaitGroup
	for range max(r.Workers, 1) {
		wg.Go(func() {
			for res := range work {
				judge(res)
			}
		})
	}
	for _, res := range todo {
		work <- res
	}
	close(work)
	wg.Wait()
}

// build compiles the program with the mutants. One that does not compile is taken
// out and the rest is built again, so that one bad line does not hide the others.
func (r Runner) build(ctx context.Context, tmp string, ms []Mutant) (bin string, failed map[int]error, err error) {
	failed = map[int]error{}
	bin = filepath.Join(tmp, "mutated")
	for {
		overlay, refused, err := Overlay(r.Root, tmp, ms)
		if err != nil {
			return "", nil, err
		}
		for id, e := range refused {
			failed[id] = e
		}
		cmd := exec.CommandContext(ctx, "go", "build", "-gcflags=-e", "-overlay", overlay, "-o", bin, r.Package)
		cmd.Dir = r.Root
		text, err := cmd.CombinedOutput()
		if err == nil {
			return bin, failed, nil
		}
		good := compiling(ms, string(text), failed)
		if len(good) == len(ms) {
			return "", nil, fmt.Errorf("the mutated program does not compile, and not because of one mutant: %w\n%s", err, text)
		}
		ms = good
	}
}

// compiling returns the mutants that the compiler did not complain about, and notes
// its complaint about the others.
func compiling(ms []Mutant, text string, failed map[int]error) []Mutant {
	var good []Mutant
	for _, m := range ms {
		complaint := regexp.MustCompile(`(?m)^(?:.*/)?` + regexp.QuoteMeta(m.String()) + `:\d.*$`).FindString(text)
		if complaint == "" {
			good = append(good, m)
		} else {
			failed[m.ID] = fmt.Errorf("mutant %s does not compile: %s", m, complaint)
		}
	}
	return good
}

// judge runs the program with one mutant active, in a folder of its own.
func (r Runner) judge(ctx context.Context, tmp, bin string, res *Result) {
	start := time.Now()
	defer func() { res.Took = time.Since(start) }()
	dir := filepath.Join(tmp, "run"+strconv.Itoa(res.ID))
	if res.Err = os.Mkdir(dir, 0o700); res.Err != nil {
		return
	}
	limit, cancel := context.WithTimeout(ctx, max(r.Deadline, time.Second))
	defer cancel()
	var stdout, stderr bytes.Buffer
	cmd := r.command(limit, dir, bin, res.Mutant)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		res.Err = ctx.Err()
	case limit.Err() != nil:
		res.Late = true
	case err == nil:
		if e := json.Unmarshal(lastLine(stdout.Bytes()), &res.Verdict); e != nil {
			res.Err = fmt.Errorf("mutant %s: the program printed no verdict: %w", res.Mutant, e)
		}
	case errors.As(err, new(*exec.ExitError)) && stderr.Len() > 0:
		res.Crash = stderr.String()
	default:
		res.Err = fmt.Errorf("mutant %s: %w", res.Mutant, err)
	}
}

// command is the run of one mutant. A mutated adapter may leave processes behind:
// at the deadline the whole group goes.
func (r Runner) command(ctx context.Context, dir, bin string, m Mutant) *exec.Cmd {
	cmd := exec.CommandContext(ctx, bin, r.Args(m)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), EnvActive+"="+strconv.Itoa(m.ID), "TMPDIR="+dir, "HOME="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	return cmd
}

func lastLine(b []byte) []byte {
	b = bytes.TrimSpace(b)
	return b[bytes.LastIndexByte(b, '\n')+1:]
}

// CrashLine is what a dead program said first: "panic: ..." or "fatal error: ...".
func (r Result) CrashLine() string {
	for line := range strings.Lines(r.Crash) {
		if strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") || strings.HasPrefix(line, "runtime: ") {
			return strings.TrimSpace(line)
		}
	}
	return strings.TrimSpace(string(lastLine([]byte(r.Crash))))
}
