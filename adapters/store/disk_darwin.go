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
