package docs

import "golang.org/x/sys/unix"

// searchOnly opens a directory to pass through: it need not be readable.
const searchOnly = unix.O_PATH

// openNoLinks lets the kernel refuse every link on the way; a kernel or a sandbox
// without openat2 gets the walk by component.
func openNoLinks(real string, flags int) (int, error) {
	// With O_NOFOLLOW a link in a directory's place would be ENOTDIR, not ELOOP.
	how := unix.OpenHow{Flags: uint64(flags &^ unix.O_NOFOLLOW), Resolve: unix.RESOLVE_NO_SYMLINKS}
	for {
		fd, err := unix.Openat2(unix.AT_FDCWD, real, &how)
		switch err {
		case unix.EINTR, unix.EAGAIN:
		case unix.ELOOP:
			return -1, errMoved
		case unix.ENOSYS, unix.EPERM:
			return byComponent(real, flags)
		default:
			return fd, err
		}
	}
}
