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

// zombie is SZOMB of <sys/proc.h>.
const zombie = 5

// members lists the processes of a group without the zombies.
func members(group int) (out []member) {
	all, _ := unix.SysctlKinfoProcSlice("kern.proc.pgrp", group)
	for i := range all {
		p := &all[i].Proc
		if p.P_stat == zombie {
			continue
		}
		out = append(out, member{pid: int(p.P_pid), start: p.P_starttime.Nano(), name: unix.ByteSliceToString(p.P_comm[:])})
	}
	return out
}

// started is when a process began, in nanoseconds since 1970.
func started(pid int) (start int64, ok bool) {
	p, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil || int(p.Proc.P_pid) != pid {
		return 0, false
	}
	return p.Proc.P_starttime.Nano(), true
}

// Boot names this run of the machine: process numbers mean something only within one.
// Empty when the system does not say.
func Boot() string {
	id, _ := unix.Sysctl("kern.bootsessionuuid")
	return id
}

// callOf is empty: the environment of other processes is not readable here.
func callOf(int) (mark string) { return "" }

// everyone lists nobody: without environments there is nobody to find by a mark.
func everyone(func(m member, group int)) {}

// hasMark is false: the environment of other processes is not readable here, so only
// a process that was seen before is known again.
func hasMark(int, string) bool { return false }

// marked lists nothing: the environment of other processes is not readable here, so a
// process that left its group is not named.
func marked(string) []Survivor { return nil }
