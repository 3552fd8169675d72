package doc

// KeptVersions is how many versions of one file a session remembers to have seen.
const KeptVersions = 8

// Versions is the digests of the versions of one file that a session saw, the latest
// last (S8.3). The zero value saw none.
type Versions struct {
	digest [KeptVersions]uint64
	n      int
}

// Saw adds a version as the latest; the oldest is forgotten when there are too many.
func (v Versions) Saw(d uint64) Versions {
	kept := Versions{}
	for _, old := range v.digest[:v.n] {
		if old != d {
			kept.digest[kept.n], kept.n = old, kept.n+1
		}
	}
	if kept.n == KeptVersions {
		copy(kept.digest[:], kept.digest[1:])
		kept.n--
	}
	kept.digest[kept.n], kept.n = d, kept.n+1
	return kept
}

// Join adds the versions of another name of the same file as the latest.
func (v Versions) Join(other Versions) Versions {
	for _, d := range other.digest[:other.n] {
		v = v.Saw(d)
	}
	return v
}

// Has reports whether the version was seen and is still remembered.
func (v Versions) Has(d uint64) bool {
	for _, seen := range v.digest[:v.n] {
		if seen == d {
			return true
		}
	}
	return false
}

// Any reports whether any version was seen.
func (v Versions) Any() bool { return v.n > 0 }

// MayWrite decides a whole-file write: over no file, or over a version that was seen
// (laws write_never_loses_unseen, write_writes_seen).
func (v Versions) MayWrite(exists bool, onDisk uint64) bool { return !exists || v.Has(onDisk) }
