package doc

import (
	"fmt"
	"math/bits"
	"strings"
)

// MaxFiles is how many files one commit changes at most.
const MaxFiles = 64

// Change is what a commit does to one file.
type Change uint8

// The changes.
const (
	Creates    Change = iota // a file where none was
	Overwrites               // other bytes under the same name
	Moves                    // another name, with the same or other bytes
	Removes                  // no file any more
)

// Action is one thing that a commit does to the disk.
type Action uint8

// The actions. A temporary file lies beside the name that its bytes will have.
const (
	CheckFiles     Action = iota // lock every directory, resolve again, compare every file
	SweepTemps                   // remove what dead writers of the target left
	CreateTemp                   // make the temporary file, locked
	FillTemp                     // write the new bytes into it
	KeepAttributes               // give it what the file is besides its bytes
	SyncTemp                     // make its bytes durable
	SwapIn                       // put it in the place of the file, if that still is the one that was checked
	LinkNew                      // give it a name that must be free
	DropTemp                     // take its temporary name away
	SyncDir                      // make the target's name durable
	DropOld                      // take the old name away, if it still is the file that was checked
	SyncOldDir                   // make that durable
	NumActions
)

// preparing is what happens to each file before any file changes: a disk that is full
// shows here, and nothing has landed.
var preparing = [...][]Action{
	Creates:    {SweepTemps, CreateTemp, FillTemp, SyncTemp},
	Overwrites: {SweepTemps, CreateTemp, FillTemp, KeepAttributes, SyncTemp},
	Moves:      {SweepTemps, CreateTemp, FillTemp, KeepAttributes, SyncTemp},
	Removes:    {SweepTemps},
}

// publishing is what then changes each file, in the order of the call. A move has its
// new name on the disk before the old one goes: at no point has the file no name.
var publishing = [...][]Action{
	Creates:    {LinkNew, DropTemp, SyncDir},
	Overwrites: {SwapIn, SyncDir},
	Moves:      {LinkNew, DropTemp, SyncDir, DropOld, SyncOldDir},
	Removes:    {DropOld, SyncDir},
}

// Fate is what became of one file of a commit.
type Fate uint8

// The fates.
const (
	Untried     Fate = iota // nothing of it changed: the call stopped before
	Failed                  // nothing of it changed: this is where the call stopped
	Landed                  // changed
	Undurable               // changed, but a power loss may undo it: a directory could not be synced
	SourceStays             // it has its new name, and the old one as well
)

// Landed reports whether the change is in place.
func (f Fate) Landed() bool {
	switch f {
	case Landed, Undurable, SourceStays:
		return true
	case Untried, Failed:
	}
	return false
}

// Standing is a file of a commit as it is once every directory of the commit is locked.
type Standing struct {
	// Same is true when its bytes are those that its change was computed from; for
	// Creates, when there is no file.
	Same bool
	// Free is true when nothing has the name that it moves to, and for each file that
	// does not move.
	Free bool
}

// Conflict is what stands against a commit.
type Conflict uint8

// The conflicts.
const (
	NoConflict Conflict = iota
	Changed             // a file is not the one that its change was computed from
	Taken               // a file would move onto a name that exists
)

// phase is how far a commit is.
type phase uint8

const (
	checks phase = iota
	prepares
	publishes
	clears
	over
)

// Commit is a change of several files under way (S8.1): it says what to do next, takes
// what came of it, and knows at the end what to tell. Files are checked all together
// before any is touched, made ready before any changes, and then changed in order up to
// the first that fails. It is a value: two commits that are equal are equally far.
type Commit struct {
	changes [MaxFiles]Change
	fates   [MaxFiles]Fate
	// temps has the bit of each file that has a temporary file now.
	temps    uint64
	n        uint8
	file     uint8 // the file under way
	step     uint8 // of its list
	phase    phase
	conflict Conflict
}

// NewCommit begins a commit of at most MaxFiles changes.
func NewCommit(changes ...Change) Commit {
	var c Commit
	c.n = uint8(copy(c.changes[:], changes))
	return c
}

// Next is what to do now, and for which file; more is false when the commit is over.
// The file of CheckFiles has no meaning.
func (c Commit) Next() (file int, a Action, more bool) {
	switch c.phase {
	case checks:
		return 0, CheckFiles, true
	case prepares:
		return int(c.file), preparing[c.changes[c.file]][c.step], true
	case publishes:
		return int(c.file), publishing[c.changes[c.file]][c.step], true
	case clears:
		return bits.TrailingZeros64(c.temps), DropTemp, true
	case over:
	}
	return 0, 0, false
}

// Check answers CheckFiles. The first file that stands against the commit ends it, and
// no file changes (laws edit_all_or_nothing_on_conflict, move_never_overwrites). The
// result is over when one does.
func (c Commit) Check(files []Standing) Commit {
	for i, f := range files {
		switch {
		case !f.Same:
			c.conflict = Changed
		case !f.Free:
			c.conflict = Taken
		default:
			continue
		}
		c.file, c.phase = uint8(i), over
		return c
	}
	c.phase = prepares
	return c
}

// Conflict is what CheckFiles found, and in which file.
func (c Commit) Conflict() (file int, why Conflict) {
	if c.conflict == NoConflict {
		return 0, NoConflict
	}
	return int(c.file), c.conflict
}

// Did answers any other action: whether it went well.
func (c Commit) Did(ok bool) Commit {
	file, a, more := c.Next()
	if !more {
		return c
	}
	c = c.temp(file, a, ok)
	if c.phase == clears {
		return c.cleared()
	}
	switch c.fates[file] = c.fate(file, a, ok); {
	case c.fates[file] == Failed:
		c.phase = clears
		return c.cleared()
	case c.fates[file] == SourceStays: // what follows would take the old name away
		c.step = uint8(len(c.list()))
	default:
		c.step++
	}
	return c.goOn()
}

// temp follows the temporary files. One that could not be removed is left to the next
// write of its target.
func (c Commit) temp(file int, a Action, ok bool) Commit {
	switch bit := uint64(1) << file; {
	case a == CreateTemp && ok:
		c.temps |= bit
	case a == DropTemp, a == SwapIn && ok:
		c.temps &^= bit
	}
	return c
}

// fate is what an action makes of its file.
func (c Commit) fate(file int, a Action, ok bool) Fate {
	before, moves := c.fates[file], c.changes[file] == Moves
	switch a {
	case CreateTemp, FillTemp, KeepAttributes, SyncTemp:
		if !ok {
			return Failed
		}
	case SwapIn, LinkNew:
		return landed(ok)
	case DropOld:
		switch {
		case !moves:
			return landed(ok)
		case !ok:
			return SourceStays
		}
	case SyncDir:
		switch {
		case ok:
		case moves: // a new name that may be lost does not replace the old one
			return SourceStays
		default:
			return Undurable
		}
	case SyncOldDir:
		if !ok {
			return Undurable
		}
	case CheckFiles, SweepTemps, DropTemp, NumActions:
	}
	return before
}

// landed is the fate of a file by the action that changes it.
func landed(ok bool) Fate {
	if ok {
		return Landed
	}
	return Failed
}

// list is the actions of the file under way.
func (c Commit) list() []Action {
	if c.phase == prepares {
		return preparing[c.changes[c.file]]
	}
	return publishing[c.changes[c.file]]
}

// goOn goes to the next file, and then from making ready to changing.
func (c Commit) goOn() Commit {
	if int(c.step) < len(c.list()) {
		return c
	}
	c.step = 0
	if c.file++; c.file < c.n {
		return c
	}
	c.file = 0
	if c.phase++; c.phase == clears {
		return c.cleared()
	}
	return c
}

func (c Commit) cleared() Commit {
	if c.temps == 0 {
		c.phase = over
	}
	return c
}

var phaseNames = [...]string{"checks", "prepares", "publishes", "clears", "over"}

// String is how far the commit is, for messages.
func (c Commit) String() string {
	return fmt.Sprintf("%s file %d step %d of %v, fates %v, temporary files %b", phaseNames[c.phase], c.file, c.step, c.changes[:c.n], c.fates[:c.n], c.temps)
}

// Fate is what became of a file.
func (c Commit) Fate(file int) Fate { return c.fates[file] }

// Stopper is the file whose failure stopped the call.
func (c Commit) Stopper() (file int, stopped bool) {
	for i, f := range c.fates[:c.n] {
		if f == Failed {
			return i, true
		}
	}
	return 0, false
}

// Refused reports whether the call is an error: a file failed, and none landed.
func (c Commit) Refused() bool {
	_, stopped := c.Stopper()
	for _, f := range c.fates[:c.n] {
		stopped = stopped && !f.Landed()
	}
	return stopped
}

// Summary is the first line of the reply to a call that was not refused: which files
// landed, and which did not (law edit_reports_what_landed). names are the files' in the
// order of the call.
func (c Commit) Summary(names []string) string {
	var applied, not []string
	for i, name := range names {
		if c.fates[i].Landed() {
			applied = append(applied, name)
		} else {
			not = append(not, name)
		}
	}
	text := "Applied to " + strings.Join(applied, ", ")
	if len(not) > 0 {
		text += "; NOT applied to " + strings.Join(not, ", ")
	}
	return text
}
