package docs

import (
	"bytes"
	"encoding/binary"

	"golang.org/x/sys/unix"
)

// direntBytes bounds one read of a directory.
const direntBytes = 32 << 10

// readNames calls each for every entry of an open directory, with its DT_ type.
func readNames(fd int, buf []byte, each func(name string, kind uint8)) error {
	for {
		n, err := unix.ReadDirent(fd, buf)
		switch {
		case err == unix.EINTR:
			continue
		case err != nil:
			return err
		case n <= 0:
			return nil
		}
		parseDirents(buf[:n], each)
	}
}

// parseDirents reads the kernel's records: inode and offset of 8 bytes each, the
// record's length of 2, the type of 1, the name up to its NUL.
func parseDirents(b []byte, each func(string, uint8)) {
	const nameAt = 19
	for len(b) > nameAt {
		size := int(binary.NativeEndian.Uint16(b[16:]))
		if size <= nameAt || size > len(b) {
			return
		}
		name := b[nameAt:size]
		if i := bytes.IndexByte(name, 0); i >= 0 {
			name = name[:i]
		}
		if s := string(name); s != "." && s != ".." {
			each(s, b[18])
		}
		b = b[size:]
	}
}
