package store

import (
	"errors"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// syncData leaves out the times of the file, which nobody reads after a crash: it
// saves the second write of the inode.
func syncData(f *os.File) error {
	for {
		err := unix.Fdatasync(int(f.Fd()))
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil {
			return &os.PathError{Op: "fdatasync", Path: f.Name(), Err: err}
		}
		return nil
	}
}

// bootID names this boot of this machine, empty when the system does not say.
func bootID() string {
	b, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(b))
}
