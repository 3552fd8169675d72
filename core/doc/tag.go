package doc

import (
	"fmt"

	"github.com/cespare/xxhash/v2"
)

// Digest names the bytes of a file: the xxh64 of all of them, byte order mark and
// line endings included.
func Digest(file []byte) uint64 { return xxhash.Sum64(file) }

// Tag is the short name of a version in headers and patches: the low 16 bits of its
// digest as four upper-case hex digits. Two versions may share one, so whoever looks a
// tag up compares the bytes before it uses them (S8.7).
func Tag(digest uint64) string { return fmt.Sprintf("%04X", uint16(digest)) }
