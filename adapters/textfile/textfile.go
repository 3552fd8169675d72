// Package textfile reads small text files that others wrote and tenet takes up by itself:
// skills, templates, instructions. What is no plain file is never opened, what is too
// large or no text is said so.
package textfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"unicode/utf8"
)

// Text is the content of a file.
type Text struct {
	// Text is the start of the file up to the limit, cut after a whole line, or a whole
	// character where the limit holds no line end. A byte order mark is left out and CRLF
	// is LF.
	Text string
	// Size is the whole file's size in bytes; more than the limit means that Text is cut.
	Size int64
	// Cut is true when Text is not the whole file.
	Cut bool
}

// Read reads at most limit bytes of a plain file at a real path. Opening a pipe would
// wait for its writer and a device may never end, so their kind is looked at before, and
// again on what was opened.
func Read(real string, limit int64) (Text, error) {
	info, err := os.Lstat(real)
	if err != nil {
		return Text{}, PlainError(err)
	}
	if err := regular(info); err != nil {
		return Text{}, err
	}
	f, err := os.OpenFile(real, os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return Text{}, PlainError(err)
	}
	return from(f, limit)
}

// ReadIn reads as Read does, a file below an open folder: a link that leads out of the
// folder is not followed, whenever it was made.
func ReadIn(root *os.Root, name string, limit int64) (Text, error) {
	info, err := root.Stat(name)
	if err != nil {
		return Text{}, PlainError(err)
	}
	if err := regular(info); err != nil {
		return Text{}, err
	}
	f, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return Text{}, PlainError(err)
	}
	return from(f, limit)
}

// from reads as Read does, from an open file, and closes it.
func from(f *os.File, limit int64) (Text, error) {
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return Text{}, PlainError(err)
	}
	if err := regular(info); err != nil {
		return Text{}, err
	}
	b, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return Text{}, PlainError(err)
	}
	t := Text{Size: max(info.Size(), int64(len(b))), Cut: int64(len(b)) > limit}
	if t.Cut {
		b = whole(b[:limit])
	}
	t.Text, err = decoded(b)
	return t, err
}

// regular refuses what is no plain file, and names it.
func regular(info fs.FileInfo) error {
	switch m := info.Mode(); {
	case m.IsRegular():
		return nil
	case m.IsDir():
		return fmt.Errorf("it is a folder, not a file")
	case m&fs.ModeNamedPipe != 0:
		return fmt.Errorf("it is a pipe, not a file")
	case m&fs.ModeSocket != 0:
		return fmt.Errorf("it is a socket, not a file")
	case m&fs.ModeDevice != 0:
		return fmt.Errorf("it is a device, not a file")
	case m&fs.ModeSymlink != 0:
		return fmt.Errorf("it became a link while it was read; try again")
	}
	return fmt.Errorf("it is no plain file")
}

// whole cuts bytes after their last line, or after their last character.
func whole(b []byte) []byte {
	if i := bytes.LastIndexByte(b, '\n'); i >= 0 {
		return b[:i+1]
	}
	for n := range min(utf8.UTFMax, len(b)) {
		if last := b[len(b)-1-n:]; utf8.RuneStart(last[0]) {
			if utf8.FullRune(last) {
				return b
			}
			return b[:len(b)-1-n]
		}
	}
	return b
}

func decoded(b []byte) (string, error) {
	b = bytes.TrimPrefix(b, []byte("\xef\xbb\xbf"))
	if i := bytes.IndexByte(b, 0); i >= 0 {
		return "", fmt.Errorf("it is no text: byte %d is NUL", i)
	}
	if i := invalid(b); i >= 0 {
		return "", fmt.Errorf("it is no UTF-8: byte %d is 0x%02x", i, b[i])
	}
	return strings.ReplaceAll(string(b), "\r\n", "\n"), nil
}

// invalid is where the first byte stands that is no UTF-8; -1 without one.
func invalid(b []byte) int {
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n <= 1 {
			return i
		}
		i += n
	}
	return -1
}

// PlainError is an error without the name of the call and the path, which stand beside
// it already.
func PlainError(err error) error {
	if pe := (*fs.PathError)(nil); errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

// Real is where a path really lies; the error says why that cannot be known: a link that
// leads nowhere, or in a circle.
func Real(path string) (string, error) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", PlainError(err)
	}
	return filepath.Abs(real)
}

// Under reports whether a real path is a real folder or lies below it.
func Under(real, folder string) bool {
	rel, err := filepath.Rel(folder, real)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, "../")
}

// Repository is the root of the repository that holds a folder: the nearest folder at or
// above it with an entry .git. Without one it is the folder itself.
func Repository(dir string) string {
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return at
		}
		if at == filepath.Dir(at) {
			return dir
		}
	}
}

// Upwards lists a folder and those above it up to and with a root, nearest first; only
// the folder itself when the root is not above it.
func Upwards(dir, root string) []string {
	out := []string{dir}
	if !Under(dir, root) {
		return out
	}
	for at := dir; at != root; {
		at = filepath.Dir(at)
		out = append(out, at)
	}
	return out
}
