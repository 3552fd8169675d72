package tree

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// reader reads the records of an open directory from the kernel.
type reader struct{ fd int }

// newReader starts at the directory's beginning; again says that it was read before.
func newReader(fd int, again bool) reader {
	if again {
		unix.Seek(fd, 0, 0) // else the reading finds nothing more, as at any end
	}
	return reader{fd}
}

func (r *reader) close() {}

// roomBytes is what the buffer must still have free for another read.
const roomBytes = 4 << 10

// fill reads records until the buffer is full; whole is true when the directory has
// no more.
func (r *reader) fill(buf []byte) (records []byte, whole bool, err error) {
	n := 0
	for len(buf)-n >= roomBytes {
		k, err := unix.Getdents(r.fd, buf[n:])
		switch {
		case err == unix.EINTR:
			continue
		case err != nil:
			return buf[:n], false, err
		case k <= 0:
			return buf[:n], true, nil
		}
		n += k
	}
	return buf[:n], false, nil
}

// openName opens one name, given with its NUL, in a directory.
func openName(dir int, name []byte, flags int) (int, error) {
	for {
		fd, _, errno := unix.Syscall6(unix.SYS_OPENAT, uintptr(dir), uintptr(unsafe.Pointer(&name[0])), uintptr(flags|unix.O_LARGEFILE), 0, 0, 0)
		switch {
		case errno == 0:
			return int(fd), nil
		case errno != unix.EINTR:
			return -1, errno
		}
	}
}
