package pathpolicy

import "golang.org/x/sys/unix"

// foldsEntries reports whether the names in a directory are folded: on Linux that is a
// flag of each directory.
func foldsEntries(dir string) bool {
	fd, err := unix.Open(dir, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return false
	}
	defer unix.Close(fd)
	flags, err := unix.IoctlGetInt(fd, unix.FS_IOC_GETFLAGS)
	return err == nil && flags&casefold != 0
}

// casefold is FS_CASEFOLD_FL of the kernel.
const casefold = 0x40000000
