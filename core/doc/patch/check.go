package patch

import (
	"fmt"
	"reflect"
	"slices"
)

// finish checks the sections against each other and joins those of one file.
func (r *reader) finish() (Patch, error) {
	if len(r.out.Sections) == 0 {
		return Patch{}, &Fault{What: "the patch names no file", Instead: shape}
	}
	if err := r.interleaved(); err != nil {
		return Patch{}, err
	}
	var joined []Section
	for _, s := range r.out.Sections {
		i := slices.IndexFunc(joined, func(o Section) bool { return o.Path == s.Path })
		if i < 0 {
			joined = append(joined, s)
			continue
		}
		if err := join(&joined[i], s); err != nil {
			return Patch{}, err
		}
	}
	r.out.Sections = joined
	for i := range r.out.Sections {
		if err := r.whole(&r.out.Sections[i]); err != nil {
			return Patch{}, err
		}
	}
	return r.out, nil
}

// join adds a later section of the same file.
func join(first *Section, s Section) error {
	fault := func(what, instead string) error {
		return &Fault{Row: s.Row, Path: s.Path, What: what, Instead: instead}
	}
	switch {
	case first.Tag != s.Tag:
		return fault(fmt.Sprintf("two sections of one file have the tags %s and %s", first.Tag, s.Tag), "Read the file again, and write one section with the tag that it has now")
	case first.File != KeepFile && s.File != KeepFile:
		return fault("two sections of one file each do something to the file as a whole", "Write one REM or one MV")
	}
	first.Ops = append(first.Ops, s.Ops...)
	if s.File != KeepFile {
		first.File, first.Dest = s.File, s.Dest
	}
	return nil
}

// interleaved refuses registers where the sections of two files alternate: joined, their
// cuts and pastes would come in another order than written.
func (r *reader) interleaved() error {
	last := map[string]int{}
	for i, s := range r.out.Sections {
		if at, ok := last[s.Path]; ok && at < i-1 && slices.ContainsFunc(r.out.Sections[at:i+1], Section.usesRegisters) {
			return &Fault{Row: s.Row, Path: s.Path, What: "registers are used while the sections of two files alternate", Instead: "Write one section a file"}
		}
		last[s.Path] = i
	}
	return nil
}

func (s Section) usesRegisters() bool {
	return slices.ContainsFunc(s.Ops, func(o Op) bool { return o.Verb == Paste || o.Verb == Cut && o.Register != discard })
}

// whole checks one section as a whole.
func (r *reader) whole(s *Section) error {
	fault := func(what, instead string) error {
		return &Fault{Row: s.Row, Path: s.Path, What: what, Instead: instead}
	}
	switch {
	case s.Path == "" || s.Path == ".":
		return fault("the header names no file", "Copy the header from what read showed")
	case s.File == Remove && len(s.Ops) > 0:
		return fault("REM removes the file, so nothing in it can be changed", "Leave out either REM or the other operations")
	case s.File == Move && s.Dest == s.Path:
		return fault("MV names the file itself", "Leave MV out, or name another path")
	case s.File == Move && (s.Dest == "" || s.Dest == "."):
		return fault("MV names no file", "Write MV new/path")
	case s.File == KeepFile && len(s.Ops) == 0:
		return fault("the section has no operation", "Write PUT, CUT, REM or MV below the header, or leave the section out")
	}
	r.coalesce(s)
	if s.HasBlocks() {
		return nil // what a block covers is known later
	}
	return s.disjoint()
}

// coalesce keeps one of operations that are the same.
func (r *reader) coalesce(s *Section) {
	var kept []Op
	for _, o := range s.Ops {
		same := func(k Op) bool {
			k.Row = o.Row
			return o.takes() && reflect.DeepEqual(k, o)
		}
		if slices.ContainsFunc(kept, same) {
			r.warn("the operation on %s stands twice and was taken once", o.place())
			kept = slices.DeleteFunc(kept, same)
		}
		kept = append(kept, o)
	}
	s.Ops = kept
}

// disjoint refuses operations that speak of the same lines, and an insert between lines
// that another operation takes away.
func (s Section) disjoint() error {
	var ranges []Op
	for _, o := range s.Ops {
		if o.At == Lines {
			ranges = append(ranges, o)
		}
	}
	slices.SortFunc(ranges, func(a, b Op) int { return int(a.From - b.From) })
	for i := 1; i < len(ranges); i++ {
		if a, b := ranges[i-1], ranges[i]; b.From <= a.To {
			return &Fault{Row: max(a.Row, b.Row), Path: s.Path, What: fmt.Sprintf("two operations speak of the same lines: %s and %s", a.place(), b.place()), Instead: "Join them into one"}
		}
	}
	for _, o := range s.Ops {
		gap, ok := o.gap()
		if !ok {
			continue
		}
		i, _ := slices.BinarySearchFunc(ranges, gap, func(r Op, gap int64) int { return int(r.To - gap) })
		if i < len(ranges) && ranges[i].From <= gap && gap < ranges[i].To {
			return &Fault{Row: o.Row, Path: s.Path, What: fmt.Sprintf("PUT %s inserts between lines that %s takes away", o.place(), ranges[i].place()), Instead: "Put those lines into the body of the range"}
		}
	}
	return nil
}

// gap is the number of the line behind which an insert goes, 0 for the start.
func (o Op) gap() (int64, bool) {
	switch o.At {
	case Before:
		return o.From - 1, true
	case After:
		return o.From, true
	case Top:
		return 0, true
	case Lines, Block, AfterBlock, Bottom:
	}
	return 0, false
}
