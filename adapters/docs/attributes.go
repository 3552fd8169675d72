package docs

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// keepAttributes gives the new file what the old one has besides its bytes: mode,
// owner and extended attributes. What could not be kept is told; only a mode that
// cannot be set is an error, for it may hide or open the content.
func keepAttributes(old, fresh *os.File, st unix.Stat_t) (lost []string, err error) {
	var now unix.Stat_t
	if err := unix.Fstat(int(fresh.Fd()), &now); err != nil {
		return nil, err
	}
	if now.Uid != st.Uid || now.Gid != st.Gid {
		if err := unix.Fchown(int(fresh.Fd()), int(st.Uid), int(st.Gid)); err != nil {
			unix.Fchown(int(fresh.Fd()), -1, int(st.Gid))
			lost = append(lost, fmt.Sprintf("the owner %d:%d could not be kept", st.Uid, st.Gid))
		}
	}
	lost = append(lost, keepExtended(int(old.Fd()), int(fresh.Fd()))...)
	if st.Nlink > 1 {
		lost = append(lost, fmt.Sprintf("the file had %d names (hard links); the others keep the old content", st.Nlink))
	}
	if st.Mode&(unix.S_ISUID|unix.S_ISGID) != 0 {
		lost = append(lost, "its set-uid or set-gid bit was dropped, as a write in place drops it")
	}
	if err := unix.Fchmod(int(fresh.Fd()), uint32(st.Mode)&0o1777); err != nil {
		return lost, fmt.Errorf("keep the mode %04o: %w", st.Mode&0o1777, err)
	}
	return lost, nil
}

// maxAttribute bounds the list of extended attributes and each value.
const maxAttribute = 64 << 10

// attributes are the names of a file's extended attributes; none on a file system
// without.
func attributes(fd int) (names []string) {
	list := make([]byte, maxAttribute)
	n, err := unix.Flistxattr(fd, list)
	if err != nil {
		return nil
	}
	for name := range bytes.SplitSeq(list[:n], []byte{0}) {
		if len(name) > 0 {
			names = append(names, string(name))
		}
	}
	return names
}

// keepExtended gives the new file the extended attributes of the old one, access lists
// among them, and takes away those that it only has from its directory: an access list
// that comes with a new file would open the old content to others. Those under
// "security." are the kernel's to set.
func keepExtended(old, fresh int) (lost []string) {
	had := attributes(old)
	for _, attr := range attributes(fresh) {
		if slices.Contains(had, attr) || strings.HasPrefix(attr, "security.") {
			continue
		}
		if err := unix.Fremovexattr(fresh, attr); err != nil {
			lost = append(lost, fmt.Sprintf("the extended attribute %s of the directory's default could not be taken away (%v)", shown(attr), err))
		}
	}
	value := make([]byte, maxAttribute)
	for _, attr := range had {
		k, err := unix.Fgetxattr(old, attr, value)
		if err == nil {
			err = unix.Fsetxattr(fresh, attr, value[:k], 0)
		}
		if err != nil && !strings.HasPrefix(attr, "security.") {
			lost = append(lost, fmt.Sprintf("the extended attribute %s could not be kept (%v)", shown(attr), err))
		}
	}
	return lost
}
