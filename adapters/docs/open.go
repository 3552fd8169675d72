package docs

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// errMoved: a path that was real when it was judged now runs through a link.
var errMoved = errors.New("a component of the real path is a symbolic link now")

// openDir opens a directory by its real path.
func openDir(real string) (*os.File, error) {
	return openReal(real, unix.O_RDONLY|unix.O_DIRECTORY)
}

// openReal opens a real path and follows no link on the way: a name that was swapped
// for a link after the path was judged fails instead of leading elsewhere. O_NONBLOCK
// keeps a pipe that took a file's place from holding the open.
func openReal(real string, flags int) (*os.File, error) {
	fd, err := openNoLinks(real, flags|unix.O_CLOEXEC|unix.O_NOFOLLOW|unix.O_NONBLOCK)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), real), nil
}

// byComponent opens a real path one component after the other: the portable way.
func byComponent(real string, flags int) (int, error) {
	at, err := unix.Open("/", searchOnly|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return -1, err
	}
	names := strings.Split(strings.Trim(filepath.Clean(real), "/"), "/")
	for i, name := range names {
		how := searchOnly | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC
		if i == len(names)-1 {
			how = flags
		}
		if name == "" { // the root itself
			name = "."
		}
		next, err := openAt(at, name, how)
		unix.Close(at)
		if err != nil {
			return -1, err
		}
		at = next
	}
	return at, nil
}

// openAt opens one name in a directory. A link in its place is errMoved.
func openAt(dir int, name string, flags int) (int, error) {
	for {
		fd, err := unix.Openat(dir, name, flags, 0)
		switch {
		case err == unix.EINTR:
		case err == unix.ELOOP, err == unix.EMLINK, err == unix.ENOTDIR && isLink(dir, name):
			return -1, errMoved
		default:
			return fd, err
		}
	}
}

func isLink(dir int, name string) bool {
	st, err := statAt(dir, name)
	return err == nil && st.Mode&unix.S_IFMT == unix.S_IFLNK
}

// statAt looks at a name in a directory without following or opening it.
func statAt(dir int, name string) (unix.Stat_t, error) {
	var st unix.Stat_t
	for {
		err := unix.Fstatat(dir, name, &st, unix.AT_SYMLINK_NOFOLLOW)
		if err != unix.EINTR {
			return st, err
		}
	}
}

// kindOf names what a mode is, for messages; "" for a regular file.
func kindOf(mode uint32) string {
	switch mode & unix.S_IFMT {
	case unix.S_IFREG:
		return ""
	case unix.S_IFDIR:
		return "a directory"
	case unix.S_IFLNK:
		return "a symbolic link"
	case unix.S_IFIFO:
		return "a pipe (FIFO)"
	case unix.S_IFSOCK:
		return "a socket"
	case unix.S_IFCHR, unix.S_IFBLK:
		return "a device"
	default:
		return "a special file"
	}
}

// openRegular opens a file to read it. What is no regular file is refused before it
// is opened: opening a pipe would wait for its writer, opening a device may act.
func openRegular(real string) (*os.File, unix.Stat_t, error) {
	dir, err := openDir(filepath.Dir(real))
	if err != nil {
		return nil, unix.Stat_t{}, err
	}
	defer dir.Close()
	name := filepath.Base(real)
	st, err := statAt(int(dir.Fd()), name)
	if err != nil {
		return nil, st, err
	}
	if err := regular(st); err != nil {
		return nil, st, err
	}
	fd, err := openAt(int(dir.Fd()), name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC)
	if err != nil {
		return nil, st, err
	}
	f := os.NewFile(uintptr(fd), real)
	if err := unix.Fstat(fd, &st); err != nil || kindOf(uint32(st.Mode)) != "" {
		f.Close()
		return nil, st, fmt.Errorf("it changed while it was opened; try again")
	}
	return f, st, nil
}

// regular is nil for a regular file. A link is none at the end of a real path either.
func regular(st unix.Stat_t) error {
	switch kind := kindOf(uint32(st.Mode)); kind {
	case "":
		return nil
	case "a symbolic link":
		return errMoved
	default:
		return notRegular(kind)
	}
}

// notRegular is the kind of a thing that is no regular file.
type notRegular string

// Error names the kind.
func (n notRegular) Error() string { return "it is " + string(n) }
