package term

import (
	"errors"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// waitReadable waits until fd has bytes (true), or wake has, or the time is over
// (false). It is select, which knows terminals on every system; poll does not on macOS.
func waitReadable(fd, wake int, most time.Duration) (bool, error) {
	var set unix.FdSet
	set.Set(fd)
	set.Set(wake)
	var limit *unix.Timeval
	if most >= 0 {
		tv := unix.NsecToTimeval((most + time.Microsecond - 1).Nanoseconds())
		limit = &tv
	}
	n, err := unix.Select(max(fd, wake)+1, &set, nil, nil, limit)
	switch {
	case errors.Is(err, syscall.EINTR):
		return false, nil
	case err != nil:
		return false, err
	}
	return n > 0 && set.IsSet(fd), nil
}

// waitWritable waits a moment for room to write.
func waitWritable(fd int) error {
	var set unix.FdSet
	set.Set(fd)
	tv := unix.NsecToTimeval((100 * time.Millisecond).Nanoseconds())
	_, err := unix.Select(fd+1, nil, &set, nil, &tv)
	return err
}
