package patch

import (
	"fmt"
	"slices"
)

// finish merges the sections and refuses what no order of rows can mean.
func (p *parser) finish() (Patch, *Fault) {
	if len(p.sections) == 0 {
		return Patch{}, fault(NoPatch, 1, "there is nothing in the patch", shape+".")
	}
	p.dropAborted()
	for _, s := range p.sections {
		if len(s.Ops) == 0 && s.File == KeepFile {
			return Patch{}, p.emptySection(s).in(s.Path)
		}
	}
	merged, f := p.merge()
	if f != nil {
		return Patch{}, f
	}
	patch := Patch{Sections: merged}
	for i := range merged {
		p.coalesce(&merged[i])
	}
	patch.Warnings = p.told()
	return patch, check(patch)
}

// dropAborted leaves out a header that *** Abort left without an operation.
func (p *parser) dropAborted() {
	n := len(p.sections) - 1
	if last := p.sections[n]; p.aborted && n > 0 && len(last.Ops) == 0 && last.File == KeepFile {
		p.sections = p.sections[:n]
		p.warn(last.Row, quoted(last.Header())+" was broken off by *** Abort and left out")
	}
}

func (p *parser) emptySection(s Section) *Fault {
	if p.aborted {
		return fault(NoPatch, s.Row, "*** Abort ended the patch before an operation on "+s.Path, shape+".")
	}
	return fault(EmptySection, s.Row, "no operation stands below "+quoted(s.Header()), "Write PUT, CUT, REM or MV below it, or leave the header out.")
}

// merge joins the sections of one path.
func (p *parser) merge() ([]Section, *Fault) {
	var merged []Section
	at := map[string]int{}
	for _, s := range p.sections {
		j, again := at[s.Path]
		if !again {
			at[s.Path] = len(merged)
			merged = append(merged, s)
			continue
		}
		if f := p.join(&merged[j], s); f != nil {
			return nil, f.in(s.Path)
		}
		if j != len(merged)-1 && pastes(p.sections) {
			return nil, fault(Interleaved, s.Row, "the sections of "+s.Path+" have another file between them, and the patch pastes cut lines: it is not clear which CUT comes first", "Put all operations on "+s.Path+" below one header.").in(s.Path)
		}
	}
	return merged, nil
}

// join adds a second section of a file to its first.
func (p *parser) join(first *Section, s Section) *Fault {
	switch {
	case first.Tag != s.Tag:
		return fault(TagConflict, s.Row, fmt.Sprintf("%s stands in the patch with two tags, %s and %s", s.Path, first.Tag, s.Tag), "Put all operations below one header, with the tag and the line numbers of the latest read.")
	case first.File != KeepFile && s.File != KeepFile:
		return twoFileOps(*first, s.fileRow)
	case s.File != KeepFile:
		first.File, first.Dest, first.fileRow = s.File, s.Dest, s.fileRow
	}
	first.Ops = append(first.Ops, s.Ops...)
	return nil
}

// pastes reports whether any section pastes.
func pastes(sections []Section) bool {
	return slices.ContainsFunc(sections, func(s Section) bool {
		return slices.ContainsFunc(s.Ops, func(op Op) bool { return op.Verb == Paste })
	})
}

// coalesce leaves one of operations that are the same: the last PUT, the first CUT, for
// a paste may stand between.
func (p *parser) coalesce(s *Section) {
	latest := map[string]int{}
	drop := map[int]bool{}
	for i, op := range s.Ops {
		if op.Verb == Paste {
			continue
		}
		key := fmt.Sprintf("%s%q", op.Header(), op.Body)
		j, again := latest[key]
		switch {
		case !again:
			latest[key] = i
		case op.copied || s.Ops[j].copied: // check refuses a number that stands twice
		case op.Verb == Cut:
			drop[i] = true
			p.warn(op.Row, quoted(op.Header())+" stands twice and was taken once")
		default:
			drop[j], latest[key] = true, i
			p.warn(op.Row, quoted(op.Header())+" stands twice with the same lines and was taken once")
		}
	}
	if len(drop) > 0 {
		s.Ops = without(s.Ops, drop)
	}
}

func without(ops []Op, drop map[int]bool) []Op {
	var kept []Op
	for i, op := range ops {
		if !drop[i] {
			kept = append(kept, op)
		}
	}
	return kept
}
