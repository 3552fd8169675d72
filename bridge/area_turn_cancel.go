package bridge

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"

	"tenet/adapters/pathpolicy"
	"tenet/adapters/shell"
	"tenet/adapters/wait"
	corewait "tenet/core/wait"
)

// cancelledCommand runs a real command that takes a while to end on TERM, and one that
// ignores it: the first ends by itself, the second is killed.
func cancelledCommand() error {
	for script, wants := range map[string]bool{
		`sh -c 'trap "sleep 0.02; echo got > term; exit 0" TERM; echo up > started; while :; do sleep 0.01; done'`: true,
		`sh -c 'trap "" TERM; echo up > started; while :; do sleep 0.01; done'`:                                    false,
	} {
		if err := cancelOne(script, wants); err != nil {
			return fmt.Errorf("%s: %w", script, err)
		}
	}
	return nil
}

func cancelOne(script string, heeds bool) error {
	dir, err := os.MkdirTemp("", "tenet-cancel-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	started := filepath.Join(dir, "started")
	if err := unix.Mkfifo(started, 0o600); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		if b, err := os.ReadFile(started); err == nil && len(b) > 0 { // the command is up
			cancel()
		}
	}()
	env := []string{"PATH=/usr/bin:/bin", "HOME=" + dir}
	sh := shell.New(shell.Config{Dir: dir, Env: env, Session: "s", Judge: pathpolicy.New(pathpolicy.Options{Root: dir, TenetHome: dir + ".home", Env: env}), Limits: shell.Limits{Grace: 300 * time.Millisecond}})
	ended := make(chan shell.Result, 1)
	go func() { ended <- sh.Run(ctx, skipGate{}, script) }()
	r, end := wait.Race(context.Background(), ended, 20*time.Second)
	_, err = os.Stat(filepath.Join(dir, "term"))
	switch {
	case end != corewait.Event:
		return errors.New("the cancelled command was not killed")
	case r.End.Kind != shell.Cancelled:
		return fmt.Errorf("the cancelled command ended as %v", r.End.Kind)
	case heeds != (err == nil):
		return fmt.Errorf("the command got TERM and had its time: %v, want %v", err == nil, heeds)
	}
	return nil
}

// skipGate is openGate for scripts.
type skipGate struct{ openGate }

// Skip passes over a step.
func (skipGate) Skip() {}
