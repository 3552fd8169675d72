package crash

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

// KillVar is the environment variable that tells a child of KillLoop before which
// call it must kill itself.
const KillVar = "TENET_KILL_AT"

// KillHook is the hook of a child of KillLoop: before the call whose number KillVar
// holds, the process kills itself with SIGKILL, so that nothing of it can clean up.
// Outside of KillLoop it does nothing.
func KillHook() func(call string) {
	at, err := strconv.Atoi(os.Getenv(KillVar))
	if err != nil {
		return func(string) {}
	}
	calls := 0
	return func(string) {
		if calls++; calls == at {
			die()
		}
	}
}

func die() {
	if err := syscall.Kill(os.Getpid(), syscall.SIGKILL); err != nil {
		panic(fmt.Sprintf("kill -9 of myself: %v", err))
	}
	select {} // the signal is on its way
}

// KillLoop starts a child for every call it makes, killed before that call, until a
// child ends by itself, and judges what each left behind: law gets the number of
// the call and what the child had printed. It returns the number of children that
// were killed. More than limit kills are a failure: the loop would prove nothing
// about the calls after it.
func KillLoop(limit int, child func(at int) *exec.Cmd, law func(at int, printed []byte) error) (int, error) {
	for at := 1; at <= limit+1; at++ {
		cmd := child(at)
		cmd.Env = append(cmd.Environ(), KillVar+"="+strconv.Itoa(at))
		out, err := cmd.Output()
		if err != nil && !killed(err) {
			return at - 1, fmt.Errorf("the child to be killed at call %d ended by itself: %w", at, err)
		}
		if e := law(at, out); e != nil {
			return at, fmt.Errorf("kill -9 at call %d: %w", at, e)
		}
		if err == nil {
			return at - 1, nil
		}
	}
	return limit, fmt.Errorf("the child makes more than %d calls: %w", limit, ErrTruncated)
}

func killed(err error) bool {
	var e *exec.ExitError
	if !errors.As(err, &e) {
		return false
	}
	s, ok := e.Sys().(syscall.WaitStatus)
	return ok && s.Signaled() && s.Signal() == syscall.SIGKILL
}
