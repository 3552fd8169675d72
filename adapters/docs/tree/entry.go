package tree

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// Kind is what an entry is.
type Kind uint8

// The kinds, by the d_type of a directory's record.
const (
	Unknown Kind = unix.DT_UNKNOWN // the file system did not say
	File    Kind = unix.DT_REG
	Dir     Kind = unix.DT_DIR
	Link    Kind = unix.DT_LNK
)

// Entry is one name that a walk met. It is valid during the Visit only.
type Entry struct {
	// Kind is File, Dir or Link.
	Kind Kind
	// fd is the directory that holds the entry.
	fd int
	// full is the path from the top of the ignore rules; the path below the walk's
	// root starts at rootAt, the name at nameAt. name is the record's name and its NUL.
	full           []byte
	rootAt, nameAt int
	name           []byte
}

// Path is the entry's path below the root of the walk. It is only valid during the
// Visit: clone it to keep it.
func (e *Entry) Path() string { return text(e.full[e.rootAt:]) }

// Name is the entry's name, valid as Path is.
func (e *Entry) Name() string { return text(e.full[e.nameAt:]) }

// Open opens the entry below its directory, following no link and waiting for no pipe.
// The descriptor is closed on exec.
func (e *Entry) Open(flags int) (int, error) {
	return openName(e.fd, e.name, flags|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC)
}

// Stat looks at the entry without following it.
func (e *Entry) Stat(st *unix.Stat_t) error { return statName(e.fd, e.name, st) }

// text is bytes as a string without a copy: it holds as long as they do not change.
func text(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// statName looks at one name, given with its NUL, in a directory.
func statName(dir int, name []byte, st *unix.Stat_t) error {
	for {
		err := unix.Fstatat(dir, text(name[:len(name)-1]), st, unix.AT_SYMLINK_NOFOLLOW)
		if err != unix.EINTR {
			return err
		}
	}
}
