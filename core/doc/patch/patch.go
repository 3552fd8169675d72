// Package patch is the language in which a model changes files: sections of operations
// on the numbered lines of one version of each file (S8, docs/edit.md). It reads a patch,
// says what is wrong with it and what to write instead, and works out the new lines. It
// opens nothing.
package patch

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tenet/core/doc"
)

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
	// Row is the line of the patch at which the section begins, from 1.
	Row int
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
	// From and To are lines of the version that the tag names; To counts for Lines only.
	From, To int64
	// Body is the new lines of a Put, without endings.
	Body []string
	// Register is the name behind @; empty is the anonymous one.
	Register string
	// Row is the line of the patch at which the operation stands, from 1.
	Row int
}

// takes reports whether the operation takes lines of the file away.
func (o Op) takes() bool { return o.At <= Block }

// atEnd reports whether the place is the same in every version of the file.
func (o Op) atEnd() bool { return o.At == Top || o.At == Bottom }

// Fault is why a patch is not applied, and what to write instead.
type Fault struct {
	// Row is the line of the patch, from 1; 0 when it is the patch as a whole.
	Row int
	// Path is the file of the section, where it is known.
	Path string
	// What is wrong, and what to write Instead.
	What, Instead string
}

// Error is the fault in one paragraph.
func (f *Fault) Error() string {
	var b strings.Builder
	if f.Row > 0 {
		fmt.Fprintf(&b, "line %d of the patch", f.Row)
		if f.Path != "" {
			b.WriteString(" (" + f.Path + ")")
		}
		b.WriteString(": ")
	} else if f.Path != "" {
		b.WriteString(f.Path + ": ")
	}
	b.WriteString(f.What)
	if f.Instead != "" {
		b.WriteString(". " + f.Instead)
	}
	return b.String()
}

// Anchors lists, in order and each once, the lines whose text the operations rest on: all
// that they take away, and the line beside an insert. A start or end insert rests on
// none. Blocks are resolved first; until then a block counts with its first line.
func (s Section) Anchors() []int64 {
	var out []int64
	for _, o := range s.Ops {
		switch o.At {
		case Lines:
			for n := o.From; n <= o.To; n++ {
				out = append(out, n)
			}
		case Block, Before, After, AfterBlock:
			out = append(out, o.From)
		case Top, Bottom:
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// OnlyEnds reports whether the section only adds lines at the start or the end of the
// file: such a place needs no version.
func (s Section) OnlyEnds() bool {
	for _, o := range s.Ops {
		if !o.atEnd() {
			return false
		}
	}
	return len(s.Ops) > 0
}

// Shift moves every line number of the section, for a file whose lines moved.
func (s Section) Shift(offset int64) Section {
	s.Ops = slices.Clone(s.Ops)
	for i := range s.Ops {
		if o := &s.Ops[i]; !o.atEnd() {
			o.From += offset
			if o.At == Lines {
				o.To += offset
			}
		}
	}
	return s
}

// HasBlocks reports whether an operation names a block by its first line.
func (s Section) HasBlocks() bool {
	return slices.ContainsFunc(s.Ops, func(o Op) bool { return o.At == Block || o.At == AfterBlock })
}

// Resolve turns block operations into lines. blocks gives the block that opens on a line;
// its error says what stands there instead.
func (s Section) Resolve(blocks func(line int64) (doc.Span, error)) (Section, error) {
	s.Ops = slices.Clone(s.Ops)
	for i := range s.Ops {
		o := &s.Ops[i]
		if o.At != Block && o.At != AfterBlock {
			continue
		}
		span, err := blocks(o.From)
		if err != nil {
			return s, &Fault{Row: o.Row, Path: s.Path, What: err.Error()}
		}
		if o.At == Block {
			o.At, o.From, o.To = Lines, span.From, span.To
		} else {
			o.At, o.From = After, span.To
		}
	}
	return s, s.disjoint()
}

// String writes the patch as it would be written without any liberty; it reads back to
// the same sections.
func (p Patch) String() string {
	var b strings.Builder
	for _, s := range p.Sections {
		fmt.Fprintf(&b, "[%s#%s]\n", s.Path, s.Tag)
		for _, o := range s.Ops {
			b.WriteString(o.String())
		}
		switch s.File {
		case Remove:
			b.WriteString("REM\n")
		case Move:
			b.WriteString("MV " + quoted(s.Dest) + "\n")
		case KeepFile:
		}
	}
	return b.String()
}

// String is the operation as a patch holds it, with its rows.
func (o Op) String() string {
	head := "PUT "
	if o.Verb == Cut {
		head = "CUT "
	}
	head += o.place()
	if o.Register != "" {
		head += " @" + o.Register
	}
	if o.Verb != Put {
		return head + "\n"
	}
	var b strings.Builder
	b.WriteString(head + ":\n")
	for _, row := range o.Body {
		b.WriteString("+" + row + "\n")
	}
	return b.String()
}

func (o Op) place() string {
	n := strconv.FormatInt(o.From, 10)
	switch o.At {
	case Lines:
		return n + ".=" + strconv.FormatInt(o.To, 10)
	case Block:
		return n + "*"
	case Before:
		return "<" + n
	case After:
		return ">" + n
	case AfterBlock:
		return ">" + n + "*"
	case Top:
		return "<1"
	case Bottom:
		return ">$"
	}
	return ""
}

// quoted puts a path in quotes where its blanks or quotes need them.
func quoted(path string) string {
	if strings.ContainsAny(path, " \t\"'`\\") {
		return strconv.Quote(path)
	}
	return path
}
