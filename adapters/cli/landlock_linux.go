package cli

import "golang.org/x/sys/unix"

// landlockABI is the version of Landlock that the kernel has, 0 for none.
func landlockABI() int {
	const askVersion = 1 // LANDLOCK_CREATE_RULESET_VERSION
	v, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, askVersion)
	if errno != 0 {
		return 0
	}
	return int(v)
}
