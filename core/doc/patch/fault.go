package patch

import (
	"fmt"
	"strings"
)

// Reason is why a patch is refused.
type Reason uint8

// The reasons.
const (
	NoPatch          Reason = iota // nothing to do in it
	Headerless                     // an operation before any header
	NoTag                          // a header without a tag
	BadTag                         // a header whose tag is none
	EmptySection                   // a header without an operation
	TagConflict                    // two versions of one file
	UnknownRow                     // a row that is nothing of the language
	OldVerb                        // an operation of another edit language
	BadTarget                      // a place that is none
	EndBeforeStart                 // a range that ends before it starts
	TooLong                        // a range over MaxRange
	Overlap                        // two operations on one line
	StrayBody                      // rows under an operation that takes none
	InlineBody                     // text behind the colon
	EmptyInsert                    // an insert of nothing
	UnclearBody                    // rows that may be meant in two ways
	SameNumber                     // two copied rows with one number
	UnifiedDiff                    // a hunk of a unified diff
	Directive                      // a file directive of apply_patch
	ColonOnPaste                   // a colon and a register
	NameNeeded                     // a paste over lines without a register's name
	EmptyRegister                  // a paste of a register that nothing was cut into
	NoPendingCut                   // a paste without a name and without a cut
	SeveralPending                 // a paste without a name and several cuts
	RegisterTwice                  // a cut that would lose what the register holds
	Interleaved                    // registers in sections of files that alternate
	RemoveWithOps                  // REM beside other operations
	TwoFileOps                     // two of REM and MV
	BadDestination                 // an MV without one readable path
	MoveOntoItself                 // an MV to the file's own name
	DestinationTaken               // an MV to the name of another file of the patch
	PastEnd                        // a line that the file does not have
	NoBlock                        // a line on which no block opens
	NoOp                           // an application that changes nothing
)

var reasonNames = [...]string{
	"no patch", "headerless", "no tag", "bad tag", "empty section", "tag conflict", "unknown row", "old verb",
	"bad target", "end before start", "too long", "overlap", "stray body", "inline body", "empty insert",
	"unclear body", "same number", "unified diff", "directive", "colon on paste", "name needed",
	"empty register", "no pending cut", "several pending cuts", "register twice", "interleaved",
	"remove with operations", "two file operations", "bad destination", "move onto itself",
	"destination taken", "past the end", "no block", "no-op",
}

// String names the reason.
func (r Reason) String() string { return reasonNames[r] }

// Fault is a refused patch. Nothing of it may be applied.
type Fault struct {
	Reason Reason
	// Row is the line of the patch, from 1.
	Row int
	// Path is the file of the section, where it is known.
	Path string
	// What says what is wrong, Instead what to write.
	What, Instead string
}

// Error says where in the patch it is wrong, in what way, and what to write instead.
func (f *Fault) Error() string {
	where := fmt.Sprintf("patch line %d", f.Row)
	if f.Path != "" {
		where += " (" + f.Path + ")"
	}
	return where + ": " + f.What + ". " + f.Instead
}

// quoted shows a row of a patch within a message.
func quoted(row string) string {
	const most = 60
	row = strings.TrimRight(row, " \t\r")
	if r := []rune(row); len(r) > most {
		row = string(r[:most]) + "…"
	}
	return "`" + row + "`"
}

// fault is a refusal whose place the caller adds.
func fault(r Reason, line int, what, instead string) *Fault {
	return &Fault{Reason: r, Row: line, What: what, Instead: instead}
}

// in names the section of a fault.
func (f *Fault) in(path string) *Fault {
	if f != nil {
		f.Path = path
	}
	return f
}
