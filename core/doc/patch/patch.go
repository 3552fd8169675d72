// Package patch is the language in which a model changes files: sections of operations
// on the numbered lines of one version of each file (S8, docs/edit.md). It reads a patch,
// says what is wrong with it and what to write instead, and works out the new lines. It
// opens nothing.
package patch

// MaxRange is how many lines one range may name.
const MaxRange = 100_000

// Patch is one call: sections in the order written, one a file.
type Patch struct {
	Sections []Section
	// Warnings tell what was read in another way than it was written.
	Warnings []string
}

// Section changes one file. All its line numbers speak of the version that the tag names.
type Section struct {
	// Path is the file as the header names it, Tag its four upper-case hex digits.
	Path, Tag string
	Ops       []Op
	// File is what becomes of the file as a whole, Dest the path that a move gives it.
	File FileOp
	Dest string
	// Row is the line of the patch at which the section begins, from 1; fileRow is that of
	// REM or MV.
	Row, fileRow int
}

// FileOp is what a section does to the file as a whole.
type FileOp uint8

// The file operations.
const (
	KeepFile FileOp = iota
	Remove          // REM: the file goes
	Move            // MV: the file is called Dest afterwards, and never replaces another
)

// Verb is what an operation does.
type Verb uint8

// The verbs.
const (
	Put   Verb = iota // PUT with a colon: lines from the patch
	Paste             // PUT without: lines from a register
	Cut               // CUT: lines go, into a register
)

// Where is the place of an operation.
type Where uint8

// The places. Only those up to Block take lines away.
const (
	Lines      Where = iota // N.=M
	Block                   // N*: the block that opens on line N
	Before                  // <N
	After                   // >N
	AfterBlock              // >N*: after the block that opens on line N
	Top                     // <1
	Bottom                  // >$
)

// Op is one operation.
type Op struct {
	Verb Verb
	At   Where
	// From and To are lines of the version that the tag names. To is the end of Lines and,
	// once it is resolved, of the block of AfterBlock; else it is 0.
	From, To int64
	// Body is the new lines of a Put, without endings.
	Body []string
	// Register is the name behind @; empty is the anonymous one, and lines that are cut
	// into Discard are only taken away.
	Register string
	// Removed is the -rows of a diff that stood in the body. They are ignored when they
	// are lines that the operation takes away; when not, Apply refuses the patch.
	Removed []string
	// Row is the line of the patch at which the operation stands, from 1.
	Row int
	// copied is set for a row of a read that stands for a PUT of its line.
	copied bool
}

// Discard is the register of lines that are only taken away: nothing pastes it.
const Discard = "_"

// takes reports whether the operation takes lines of the file away.
func (o Op) takes() bool { return o.At.takes() }

func (w Where) takes() bool { return w <= Block }

// atEnd reports whether the place is the same in every version of the file.
func (o Op) atEnd() bool { return o.At == Top || o.At == Bottom }
