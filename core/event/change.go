package event

// Change is what a call made of one file, told once it is on the disk. What stood there
// before is kept, so that it can be put back; no rule reads it, and the model does not.
type Change struct {
	// Call is the call that made it.
	Call string `json:"call"`
	// Sides are the paths that changed: one, or two for a file that moved.
	Sides []Side `json:"sides"`
	// Added and Removed count lines.
	Added   int `json:"added"`
	Removed int `json:"removed"`
	// Diff is the change as a card shows it, bounded; empty for a move alone.
	Diff string `json:"diff,omitempty"`
	// Undoes is the record of the change that this one took back, 0 for a change of its own.
	Undoes uint64 `json:"undoes,omitempty"`
}

// Side is one path of a change: what stood there before it and what stands there after.
type Side struct {
	// Path is absolute and real.
	Path   string  `json:"path"`
	Before Content `json:"before"`
	After  Content `json:"after"`
}

// Content is what stands at a path.
type Content struct {
	// Sum is the SHA-256 of the bytes in hex; empty when there is no file.
	Sum  string `json:"sum,omitempty"`
	Size int64  `json:"size,omitempty"`
	// Mode is the permission bits of the file.
	Mode uint32 `json:"mode,omitempty"`
	// Bytes are kept of what a change replaced, when they are few; File names the file in the
	// session's output folder that has them otherwise. Both are empty for what came after, for
	// an empty file, and for bytes that could not be kept: Lost says why.
	Bytes []byte `json:"bytes,omitempty"`
	File  string `json:"file,omitempty"`
	Lost  string `json:"lost,omitempty"`
}

// There reports whether there is a file.
func (c Content) There() bool { return c.Sum != "" }

// KeptInline is how many bytes a record keeps itself.
const KeptInline = 16 << 10
