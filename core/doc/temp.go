package doc

import (
	"fmt"
	"strings"
)

// TempPrefix begins the name of every temporary file of the writer. Searches do not
// show such names (S8.5).
const TempPrefix = ".tenet-tmp-"

// TempName is the name of a temporary file beside a target: the hash of the target's
// name, so that a long name still fits, the writer's process and a counter.
func TempName(hash uint64, pid int, n uint64) string {
	return fmt.Sprintf("%s%d-%d", TempOf(hash), pid, n)
}

// TempOf begins the temporary names of one target.
func TempOf(hash uint64) string { return fmt.Sprintf("%s%016x-", TempPrefix, hash) }

// IsTemp reports whether a name is a temporary file's.
func IsTemp(name string) bool { return strings.HasPrefix(name, TempPrefix) }

// Swept reports whether a write of a target removes a file beside it: its own
// temporary files that no writer locks, which a crash left (laws temp_sweep_*).
func Swept(name string, target uint64, locked bool) bool {
	return strings.HasPrefix(name, TempOf(target)) && !locked
}
