package shell

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// exitWatch waits for the end of one process with a kernel queue, which tells of the
// end without reaping.
type exitWatch struct{}

func newExitWatch() (exitWatch, *syscall.SysProcAttr) {
	return exitWatch{}, &syscall.SysProcAttr{Setsid: true}
}

func (exitWatch) begin(int) {}

// wait waits for the end without reaping, so that the number stays ours.
func (exitWatch) wait(pid int) {
	kq, err := unix.Kqueue()
	if err != nil {
		return // reaping waits as well; only a cancel may come late
	}
	defer unix.Close(kq)
	change := []unix.Kevent_t{{Ident: uint64(pid), Filter: unix.EVFILT_PROC, Flags: unix.EV_ADD | unix.EV_ONESHOT, Fflags: unix.NOTE_EXIT}}
	event := make([]unix.Kevent_t, 1)
	for {
		// ESRCH: it ended before the queue knew it.
		if _, err := unix.Kevent(kq, change, event, nil); err != unix.EINTR {
			return
		}
	}
}

// running reports whether a group has a member: kill has said so already.
func running(int) bool { return true }

// marked lists nothing: the environment of other processes is not readable here, so a
// process that left its group is not named.
func marked(string) []Survivor { return nil }
