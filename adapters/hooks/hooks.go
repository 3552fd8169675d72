// Package hooks runs the commands that a user's own settings name, such as the stop hooks
// of finish. They are the user's own act: no gate judges them, and no project's file can
// name one.
package hooks

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"tenet/core/childenv"
	"tenet/core/output"
	"tenet/core/turn"
)

// DefaultLimit is how long a hook may run: long enough for a project's own tests.
const DefaultLimit = 10 * time.Minute

// The output of a hook that the model may read; the end of it says what failed.
const (
	outputBytes = 16 << 10
	outputLines = 400
)

// Runner runs hooks in one workspace.
type Runner struct {
	// Dir is the workspace, Session the session's id for the hook's environment.
	Dir, Session string
	// Env is tenet's own environment; a hook gets it without credentials.
	Env []string
	// Limit bounds one hook; 0 is DefaultLimit.
	Limit time.Duration
}

// Run runs one command with sh to its end and returns the end of its output. The error
// says how it failed: its exit status, its time limit, or that it could not start. When
// ctx ends its whole process group gets TERM, and KILL two seconds later; so does what it
// leaves running behind it.
func (r Runner) Run(ctx context.Context, command string) (string, error) {
	limit := r.Limit
	if limit <= 0 {
		limit = DefaultLimit
	}
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("it ran for %s, the time limit of a hook", limit))
	defer cancel()
	out := &bounded{b: output.New(output.Limits{Bytes: outputBytes, Lines: outputLines})}
	c := exec.CommandContext(ctx, "/bin/sh", "-c", command)
	c.Dir, c.Stdout, c.Stderr = r.Dir, out, out
	c.Env = childenv.Build(childenv.Process, r.Env, childenv.Session{Set: []string{"TENET_SESSION=" + r.Session}})
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGTERM) }
	c.WaitDelay = turn.KillAfter
	err := c.Run()
	if c.Process != nil {
		sweep(c.Process.Pid)
	}
	return out.text(), failed(ctx, err)
}

// sweep kills what is left of the hook's group. Were its number in use again, a process
// with that very number would exist.
func sweep(pid int) {
	if syscall.Kill(pid, 0) == syscall.ESRCH {
		_ = syscall.Kill(-pid, syscall.SIGKILL) // nobody is left when there is no such group
	}
}

func failed(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, exec.ErrWaitDelay): // it ended well, and a child of it kept the pipe
		return nil
	}
	return err
}

// bounded is the output of a hook while it grows.
type bounded struct {
	mu sync.Mutex
	b  *output.Bound
}

// Write takes everything and keeps the end.
func (o *bounded) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.b.Write(p)
	return len(p), nil
}

func (o *bounded) text() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.b.Close()
	if n := o.b.Count().Dropped; n > 0 {
		return fmt.Sprintf("[%d bytes before this were left out]\n%s", n, o.b.Text())
	}
	return o.b.Text()
}
