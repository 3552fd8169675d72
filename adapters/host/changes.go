package host

import "errors"

// errLater is what a method answers before it is there.
var errLater = errors.New("not here yet")

// FileChange is what the session made of one file.
type FileChange struct {
	// Path is from the workspace where it lies in it; Was is the path that it had before the
	// session moved it, empty otherwise.
	Path, Was string
	// Kind is created, changed, deleted or moved.
	Kind string
	// Added and Removed count lines.
	Added, Removed int
	// Diff is the unified diff of the last change, bounded.
	Diff string
	// Changes counts the changes that undo can take back, one after the other.
	Changes int
	// Stands is false when something else changed the file since: undo would refuse.
	Stands bool
}

// Changes are the files that the session changed, in the order of their last changes.
func (h *Host) Changes() []FileChange { return nil }

// Done is what an undo did.
type Done struct {
	// Path is the file, Text a sentence of what became of it.
	Path, Text string
	// Diff is the change that the undo made.
	Diff string
}

// Undo takes back the session's last change of a path, if the file still is what the
// session left.
func (h *Host) Undo(path string) (Done, error) { return Done{}, errLater }
