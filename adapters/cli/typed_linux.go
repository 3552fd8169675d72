package cli

import (
	"os"

	"golang.org/x/sys/unix"
)

// dropTyped empties a terminal's input queue. On anything else it does nothing.
func dropTyped(f *os.File) {
	_ = unix.IoctlSetInt(int(f.Fd()), unix.TCFLSH, unix.TCIFLUSH)
}
