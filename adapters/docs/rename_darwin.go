package docs

import "golang.org/x/sys/unix"

// renameNew renames a file to a name that must be free.
func renameNew(dir int, from, to string) error {
	return unix.RenameatxNp(dir, from, dir, to, unix.RENAME_EXCL)
}
