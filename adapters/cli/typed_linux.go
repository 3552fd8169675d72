package cli

import (
	"os"

	"golang.org/x/sys/unix"
)

// dropTyped empties a terminal's input queue. On anything else it does nothing.
func dropTyped(f *os.File) {
	_ = unix.IoctlSetInt(int(f.Fd()), unix.TCFLSH, unix.TCIFLUSH)
}

// IsTerminal reports whether f is a terminal, so that a person may be there.
func IsTerminal(f *os.File) bool {
	_, err := unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS)
	return err == nil
}
