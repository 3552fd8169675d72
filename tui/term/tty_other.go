//go:build !linux

package term

import (
	"os"

	"golang.org/x/sys/unix"
)

// dropInput forgets what the terminal sent and nobody read.
func dropInput(f *os.File) {
	const read = 1 // FREAD
	_ = unix.IoctlSetPointerInt(int(f.Fd()), unix.TIOCFLUSH, read)
}
