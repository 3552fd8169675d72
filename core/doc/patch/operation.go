package patch

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// opShape is a row that means to be an operation. Its groups: verb, side, first, star,
// separator, last, star of a last, register, colon, rest.
var opShape = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?i:(PUT|CUT)\s+)([<>])?\s*([0-9]+|\$)(\*)?(?:\s*(\.=|\.\.=|\.\.\.|\.\.|-|–|—|…|,)\s*([0-9]+|\$))?\s*(?:@([A-Za-z0-9_]+))?\s*(:)?\s*(.*)$` +
		`|^(REM|MV)(?:\s+(.*))?$` +
		`|^([0-9]+)\s*(\.=)\s*([0-9]+)\s*:$`)
})

// The groups of opShape.
const (
	gVerb = 1 + iota
	gSide
	gFirst
	gStar
	gSep
	gLast
	gRegister
	gColon
	gRest
	gFile
	gDest
	gBareFirst
	gBareSep
	gBareLast
)

// operation takes a row that is one.
func (r *reader) operation(m []string) error {
	if err := r.closeOp(); err != nil {
		return err
	}
	s := r.section()
	switch {
	case s == nil:
		return r.fault(shape, "the operation stands before any header, so it names no file")
	case m[gFile] != "":
		return r.fileOp(s, m[gFile], strings.TrimSpace(m[gDest]))
	case m[gBareFirst] != "":
		r.warn("%s%s%s: was taken as PUT %s.=%s:", m[gBareFirst], m[gBareSep], m[gBareLast], m[gBareFirst], m[gBareLast])
		m[gVerb], m[gFirst], m[gSep], m[gLast], m[gColon] = "PUT", m[gBareFirst], m[gBareSep], m[gBareLast], ":"
	}
	o, err := r.placed(m)
	if err != nil {
		return err
	}
	return r.verb(s, o, strings.ToUpper(m[gVerb]), m)
}

// placed reads the place of an operation.
func (r *reader) placed(m []string) (Op, error) {
	o := Op{Row: r.at + 1, Register: m[gRegister]}
	side, first := m[gSide], m[gFirst]
	if first == "$" {
		if side != ">" || m[gStar] != "" || m[gSep] != "" {
			return o, r.fault("Write PUT >$: to add lines at the end; name other lines by their numbers", "$ stands only in >$, the end of the file")
		}
		o.At = Bottom
		return o, nil
	}
	n, err := r.number(first)
	if err != nil {
		return o, err
	}
	o.From, o.To = n, n
	switch {
	case side != "" && m[gSep] != "":
		return o, r.fault("Write PUT <"+first+": to insert before that line, or PUT "+first+".=M: to replace lines", "an insert names one line, not a range")
	case side == "<" && m[gStar] != "":
		return o, r.fault("Write PUT <"+first+": to insert before the block's first line", "there is no <N*")
	case m[gStar] != "" && m[gSep] != "":
		return o, r.fault("Write either "+first+"* for the block, or "+first+".=M for lines", "a range and a block stand in one operation")
	case side == "<" && n == 1:
		o.At, o.From, o.To = Top, 0, 0
	case side == "<":
		o.At, o.To = Before, 0
	case side == ">" && m[gStar] != "":
		o.At, o.To = AfterBlock, 0
	case side == ">":
		o.At, o.To = After, 0
	case m[gStar] != "":
		o.At, o.To = Block, 0
	case m[gSep] != "":
		return r.ranged(o, m)
	}
	return o, nil
}

// ranged reads the end of a range.
func (r *reader) ranged(o Op, m []string) (Op, error) {
	if m[gLast] == "$" {
		return o, r.fault("Write the number of the last line", "a range ends at a line, not at $")
	}
	to, err := r.number(m[gLast])
	if err != nil {
		return o, err
	}
	if m[gSep] != ".=" {
		r.warn("the range %s%s%s was taken as %s.=%s", m[gFirst], m[gSep], m[gLast], m[gFirst], m[gLast])
	}
	o.To = to
	switch {
	case to < o.From:
		first, last := m[gFirst], strconv.FormatInt(o.From+to-1, 10)
		return o, r.fault("For "+m[gLast]+" lines from line "+first+" write "+first+".="+last, "the range %s.=%s ends before it begins: the number behind .= is the last line, not a count", first, m[gLast])
	case to-o.From >= MaxRange:
		return o, r.fault("Replace the file with write, or change it in parts", "the range %s.=%s has more than %d lines", m[gFirst], m[gLast], MaxRange)
	}
	return o, nil
}

// number reads a line number.
func (r *reader) number(digits string) (int64, error) {
	n, err := strconv.ParseInt(digits, 10, 64)
	switch {
	case err != nil || n > 1<<40:
		return 0, r.fault("Copy the number from the rows that read or grep showed", "%s is no line of any file", brief(digits))
	case n < 1:
		return 0, r.fault("Write PUT <1: to add lines at the start of the file", "lines are counted from 1")
	}
	return n, nil
}

// verb finishes an operation by what it does.
func (r *reader) verb(s *Section, o Op, verb string, m []string) error {
	colon, rest := m[gColon] != "", m[gRest]
	if m[gVerb] != "" && !strings.HasPrefix(m[gVerb], verb) {
		r.warn("%s was taken as %s", strings.TrimSpace(m[gVerb]), verb)
	}
	switch {
	case rest != "" && colon:
		return r.fault("Put the text on the next row, with + before it", "text stands behind the colon: %q", brief(rest))
	case rest != "":
		return r.fault("The forms are PUT N.=M: PUT <N: PUT >N: PUT N*: CUT N.=M, with @name for a register", "%q is not understood", brief(rest))
	case verb == "CUT":
		return r.cut(s, o, colon)
	case colon && o.Register != "":
		return r.fault("To paste the register @"+o.Register+" leave the colon out; to put lines leave the name out", "a register is pasted without a colon")
	case colon:
		o.Verb = Put
		r.open = &body{op: o}
		return nil
	}
	o.Verb = Paste
	if o.takes() && o.Register == "" {
		return r.fault("To replace lines add the colon, and the new lines with + before each; to paste over lines name the register: @name", "this PUT has neither a colon nor a register")
	}
	s.Ops = append(s.Ops, o)
	return nil
}

func (r *reader) cut(s *Section, o Op, colon bool) error {
	if !o.takes() {
		return r.fault("Name the lines to take away: CUT N.=M, or CUT N*", "CUT takes lines, not a place between lines")
	}
	if colon {
		r.warn("the colon behind CUT was ignored")
	}
	o.Verb = Cut
	s.Ops = append(s.Ops, o)
	return nil
}

// fileOp takes REM and MV.
func (r *reader) fileOp(s *Section, verb, dest string) error {
	if s.File != KeepFile {
		return r.fault("Write one REM or one MV, as the last row of the section", "the section has two operations on the file as a whole")
	}
	if verb == "REM" {
		if dest != "" {
			return r.fault("REM stands alone; the header names the file", "%q stands behind REM", brief(dest))
		}
		s.File = Remove
		return nil
	}
	if dest == "" {
		return r.fault("Write MV new/path", "MV names no destination")
	}
	if plain, err := strconv.Unquote(dest); err == nil && dest[0] == '"' {
		dest = plain
	} else if strings.ContainsAny(dest, " \t") && dest[0] != '\'' && dest[0] != '`' {
		return r.fault(`Put a path with blanks in double quotes: MV "`+dest+`"`, "the destination %q has blanks", brief(dest))
	} else {
		dest = r.clean(dest)
	}
	s.File, s.Dest = Move, dest
	return nil
}
