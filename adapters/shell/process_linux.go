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

// members lists the processes of a group without the zombies, which a first process
// that reaps nobody leaves behind for ever.
func members(group int) (out []member) {
	everyone(func(m member, g int) {
		if g == group {
			out = append(out, m)
		}
	})
	return out
}

// parseStat reads one /proc/PID/stat; none for a zombie.
func parseStat(s string) (m member, group int) {
	m, group, state := parseAnyStat(s)
	if state == "Z" || state == "X" {
		return member{}, 0
	}
	return m, group
}

// parseAnyStat reads one /proc/PID/stat, the process ended or not. The name stands in
// brackets and may hold brackets and spaces itself.
func parseAnyStat(s string) (m member, group int, state string) {
	open, end := strings.IndexByte(s, '('), strings.LastIndexByte(s, ')')
	if open < 1 || end < open {
		return member{}, 0, ""
	}
	f := strings.Fields(s[end+1:])
	if len(f) < 20 {
		return member{}, 0, ""
	}
	m.name = s[open+1 : end]
	m.pid, _ = strconv.Atoi(s[:open-1])
	m.start, _ = strconv.ParseInt(f[19], 10, 64)
	group, _ = strconv.Atoi(f[2])
	return m, group, f[0]
}

// started is when a process began, in the system's own unit, also of one that has ended
// and was not reaped.
func started(pid int) (start int64, ok bool) {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0, false
	}
	m, _, _ := parseAnyStat(string(b))
	return m.start, m.pid == pid
}

// Boot names this run of the machine: process numbers and starts mean something only
// within one. Empty when the system does not say.
func Boot() string {
	b, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	return strings.TrimSpace(string(b))
}

// callOf is the call that a process belongs to, by the mark in its environment.
func callOf(pid int) (mark string) {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	if err != nil {
		return ""
	}
	for kv := range bytes.SplitSeq(b, []byte{0}) {
		if v, ok := bytes.CutPrefix(kv, []byte("TENET_CALL=")); ok {
			return string(v)
		}
	}
	return ""
}

// everyone lists the processes of the machine that have not ended, with their groups.
func everyone(each func(m member, group int)) {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		if b, err := os.ReadFile(path); err == nil {
			if m, g := parseStat(string(b)); m.pid != 0 {
				each(m, g)
			}
		}
	}
}

// hasMark reports whether a process started with a mark in its environment.
func hasMark(pid int, mark string) bool {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	return err == nil && bytes.Contains(b, []byte("TENET_CALL="+mark))
}

// marked lists the living processes whose environment holds a mark, that of a call or
// the part that all calls of a shell have in common.
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
