//go:build !linux

package tree

import "golang.org/x/sys/unix"

// reader reads the entries of an open directory.
type reader = portable

func newReader(fd int, again bool) reader { return newPortable(fd, again) }

// openName opens one name, given with its NUL, in a directory.
func openName(dir int, name []byte, flags int) (int, error) {
	for {
		fd, err := unix.Openat(dir, text(name[:len(name)-1]), flags, 0)
		if err != unix.EINTR {
			return fd, err
		}
	}
}
