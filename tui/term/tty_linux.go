package term

import (
	"os"

	"golang.org/x/sys/unix"
)

// dropInput forgets what the terminal sent and nobody read.
func dropInput(f *os.File) {
	_ = unix.IoctlSetInt(int(f.Fd()), unix.TCFLSH, unix.TCIFLUSH)
}
