package cli

import (
	"os"

	"golang.org/x/sys/unix"
)

// dropTyped empties a terminal's input queue. On anything else it does nothing.
func dropTyped(f *os.File) {
	_ = unix.IoctlSetPointerInt(int(f.Fd()), unix.TIOCFLUSH, unix.TCIFLUSH)
}
