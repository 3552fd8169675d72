package pathpolicy

import "syscall"

// foldsEntries reports whether the names in a directory are folded, where the system has
// a question for it.
func foldsEntries(dir string) bool {
	sensitive, err := syscall.Pathconf(dir, caseSensitive)
	return err == nil && sensitive == 0
}

// caseSensitive is _PC_CASE_SENSITIVE of Darwin.
const caseSensitive = 11
