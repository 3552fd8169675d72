package store

import (
	"os"

	"golang.org/x/sys/unix"
)

// syncData: os.File.Sync is F_FULLFSYNC here, the only call after which the drive
// itself has written the bytes.
func syncData(f *os.File) error { return f.Sync() }

// bootID names this boot of this machine, empty when the system does not say.
func bootID() string {
	id, err := unix.Sysctl("kern.bootsessionuuid")
	if err != nil {
		return ""
	}
	return id
}

// zombie is SZOMB of <sys/proc.h>.
const zombie = 5

// startOf is when a process started, in nanoseconds; 0 when there is no such process,
// or only what is left of one (a zombie holds nothing).
func startOf(pid int) int64 {
	p, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil || int(p.Proc.P_pid) != pid || p.Proc.P_stat == zombie {
		return 0
	}
	return p.Proc.P_starttime.Nano()
}
