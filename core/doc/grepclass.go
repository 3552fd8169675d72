package doc

// FileFate is what became of one file that a search met. Each has exactly one (law
// grep_accounts_every_file).
type FileFate uint8

// The fates.
const (
	// Unmatched: searched to its end, no line matches.
	Unmatched FileFate = iota
	// Matched: a line matches.
	Matched
	// Partly: searched, but a line only in parts; what matches is shown, and the file
	// is counted.
	Partly
	// Passed: not searched, for a reason that is counted and told.
	Passed
)

// FileFacts is what a search knows of a file, in the order in which it learns it.
type FileFacts struct {
	// Named is true for a file that the call itself names.
	Named bool
	// Excluded: the glob or the type leaves it out.
	Excluded bool
	// Secret: its name tells a secret, and the search was judged without it.
	Secret bool
	// Late: the page is full and the file comes after it.
	Late bool
	// Gone: it was there when its directory was read and is not now, or another thing is.
	Gone bool
	// Unreadable: the system refuses to open or to read it.
	Unreadable bool
	// Special: it is no regular file.
	Special bool
	// Size is its size in bytes.
	Size int64
	// Binary: a NUL byte is among its first bytes.
	Binary bool
	// Match: a line matches. Parts: a line was too long and was searched in parts.
	Match, Parts bool
}

// The sizes at which a search changes its way.
const (
	// SearchBytes is how much of a file is searched at a time. No line may be longer,
	// and a file that has a tag fits.
	SearchBytes = 4<<20 + 1
	// OversizeBytes is the largest file that a search of a directory looks into.
	OversizeBytes = 64 << 20
)

// Fate says what becomes of a file. skip is the class of one that is Passed or searched
// Partly. A call that names a file means it: no filter, size or secret name keeps it out
// then.
func (f FileFacts) Fate() (fate FileFate, skip Skip) {
	switch {
	case f.Excluded && !f.Named:
		return Passed, Excluded
	case f.Secret && !f.Named:
		return Passed, SecretFile
	case f.Late:
		return Passed, AfterPage
	case f.Gone:
		return Passed, Vanished
	case f.Unreadable:
		return Passed, Unreadable
	case f.Special:
		return Passed, Special
	case f.Size > OversizeBytes && !f.Named:
		return Passed, OversizeFile
	case f.Binary:
		return Passed, BinaryFile
	case f.Parts:
		return Partly, LongLine
	case f.Match:
		return Matched, 0
	}
	return Unmatched, 0
}
