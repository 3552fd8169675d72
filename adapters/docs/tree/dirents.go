package tree

import (
	"bytes"
	"encoding/binary"
	"io"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// A record is a directory's entry as Linux's getdents64 gives it: inode and offset of
// 8 bytes each, the record's length of 2, the kind of 1, the name and a NUL.
const (
	sizeAt = 16
	kindAt = 18
	nameAt = 19
)

// record takes the first of records apart. name has its NUL; it is nil for . and ..
// and for what is no record.
func record(b []byte) (kind Kind, name []byte, size int) {
	if len(b) <= nameAt {
		return Unknown, nil, len(b)
	}
	size = int(binary.NativeEndian.Uint16(b[sizeAt:]))
	if size <= nameAt || size > len(b) {
		return Unknown, nil, len(b)
	}
	name = b[nameAt:size]
	i := bytes.IndexByte(name, 0)
	if i <= 0 || name[0] == '.' && (i == 1 || i == 2 && name[1] == '.') {
		return Unknown, nil, size
	}
	return Kind(b[kindAt]), name[:i+1], size
}

// putRecord writes a record; nil when there is no room.
func putRecord(b []byte, kind Kind, name string) (rest []byte) {
	size := nameAt + len(name) + 1
	if len(b) < size {
		return nil
	}
	binary.NativeEndian.PutUint16(b[sizeAt:], uint16(size))
	b[kindAt] = byte(kind)
	copy(b[nameAt:], name)
	b[size-1] = 0
	return b[size:]
}

// portable reads a directory by the standard library, for systems whose records are
// not Linux's.
type portable struct {
	dir *os.File
	// rest are entries that the last buffer had no room for.
	rest []fs.DirEntry
	err  error
}

func newPortable(fd int, _ bool) portable {
	own, err := openName(fd, []byte(".\x00"), unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC)
	if err != nil {
		return portable{err: err}
	}
	return portable{dir: os.NewFile(uintptr(own), ".")}
}

func (r *portable) close() {
	if r.dir != nil {
		r.dir.Close()
	}
}

// fill reads records; whole is true when the directory has no more.
func (r *portable) fill(buf []byte) (records []byte, whole bool, err error) {
	free := buf
	for {
		for len(r.rest) > 0 {
			next := putRecord(free, kindOf(r.rest[0].Type()), r.rest[0].Name())
			if next == nil {
				return buf[:len(buf)-len(free)], false, nil
			}
			free, r.rest = next, r.rest[1:]
		}
		if r.err != nil {
			break
		}
		r.rest, r.err = r.dir.ReadDir(256)
	}
	if r.err == io.EOF {
		return buf[:len(buf)-len(free)], true, nil
	}
	return buf[:len(buf)-len(free)], false, r.err
}

func kindOf(m fs.FileMode) Kind {
	switch {
	case m == 0:
		return File
	case m&fs.ModeDir != 0:
		return Dir
	case m&fs.ModeSymlink != 0:
		return Link
	default:
		return unix.DT_CHR // a pipe, a socket or a device: all are left out
	}
}
