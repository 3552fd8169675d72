package shell

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// exitWatch waits for the end of one process through its pidfd in the runtime's
// poller. A thread that sat in wait4 would hold one of the few processors until the
// scheduler notices, up to 10 ms each time, and the output would not move meanwhile.
type exitWatch struct {
	fd   *int
	file *os.File
}

func newExitWatch() (exitWatch, *syscall.SysProcAttr) {
	fd := -1
	return exitWatch{fd: &fd}, &syscall.SysProcAttr{Setsid: true, PidFD: &fd}
}

// begin takes the pidfd that the start of the process left, if the kernel has them.
func (w *exitWatch) begin(int) {
	if *w.fd >= 0 && syscall.SetNonblock(*w.fd, true) == nil {
		w.file = os.NewFile(uintptr(*w.fd), "pidfd")
	}
}

// wait waits for the end without reaping, so that the number stays ours.
func (w *exitWatch) wait(pid int) {
	if w.file != nil {
		defer w.file.Close()
		if rc, err := w.file.SyscallConn(); err == nil && rc.Read(ended) == nil {
			return
		}
	}
	for {
		if err := unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil); err != unix.EINTR {
			return
		}
	}
}

func ended(fd uintptr) bool {
	var info unix.Siginfo
	err := unix.Waitid(unix.P_PIDFD, int(fd), &info, unix.WEXITED|unix.WNOWAIT|unix.WNOHANG, nil)
	return info.Signo != 0 || err != nil && err != unix.EINTR
}

// running reports whether a group has a member that is more than a zombie, which a
// first process that reaps nobody leaves behind for ever.
func running(group int) bool {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		b, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		f := strings.Fields(string(b[bytes.LastIndexByte(b, ')')+1:]))
		if len(f) > 2 && f[0] != "Z" && f[2] == strconv.Itoa(group) {
			return true
		}
	}
	return false
}

// marked lists the living processes whose environment holds a call's mark.
func marked(mark string) (out []Survivor) {
	envs, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, path := range envs {
		b, err := os.ReadFile(path)
		if err != nil || !bytes.Contains(b, []byte("TENET_CALL="+mark)) {
			continue
		}
		dir := filepath.Dir(path)
		pid, _ := strconv.Atoi(filepath.Base(dir))
		name, _ := os.ReadFile(dir + "/comm")
		out = append(out, Survivor{PID: pid, Name: strings.TrimSpace(string(name))})
	}
	return out
}
