package docs

import (
	"io"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// direntBytes is not used by this system's way of reading a directory.
const direntBytes = 0

// readNames calls each for every entry of an open directory, with its DT_ type.
func readNames(fd int, _ []byte, each func(name string, kind uint8)) error {
	own, err := openAt(fd, ".", unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC)
	if err != nil {
		return err
	}
	dir := os.NewFile(uintptr(own), ".")
	defer dir.Close()
	for {
		entries, err := dir.ReadDir(512)
		for _, e := range entries {
			each(e.Name(), direntKind(e.Type()))
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func direntKind(m fs.FileMode) uint8 {
	switch m {
	case 0:
		return unix.DT_REG
	case fs.ModeDir:
		return unix.DT_DIR
	case fs.ModeSymlink:
		return unix.DT_LNK
	case fs.ModeNamedPipe:
		return unix.DT_FIFO
	case fs.ModeSocket:
		return unix.DT_SOCK
	default:
		return unix.DT_CHR
	}
}
