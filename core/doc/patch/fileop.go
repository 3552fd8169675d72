package patch

import (
	"path"
	"strings"
)

// fileRow reads REM, or MV with its destination as it is written.
func fileRow(row string) (kind FileOp, dest string) {
	row = strings.TrimSpace(row)
	if row == "REM" {
		return Remove, ""
	}
	if rest, ok := strings.CutPrefix(row, "MV"); ok && (rest == "" || rest[0] == ' ' || rest[0] == '\t') {
		return Move, strings.TrimSpace(rest)
	}
	return KeepFile, ""
}

// fileOp takes an operation on the file as a whole.
func (p *parser) fileOp(kind FileOp, dest string, line int) *Fault {
	if f := p.close(); f != nil {
		return f
	}
	s := p.last()
	if s.File != KeepFile {
		return twoFileOps(*s, line)
	}
	s.File, s.fileRow = kind, line
	if kind == Remove {
		return nil
	}
	return p.destination(s, dest, line)
}

func twoFileOps(s Section, line int) *Fault {
	return fault(TwoFileOps, line, "the section already has "+quoted(s.fileOp()), "Write one of REM and MV, once, as the last row of the section.")
}

// destination reads where MV moves to.
func (p *parser) destination(s *Section, dest string, line int) *Fault {
	name, quotes := unquote(dest)
	given := quoted(dest)
	if dest == "" {
		given = "none"
	}
	if name == "" || !quotes && strings.ContainsFunc(dest, isBlank) {
		return fault(BadDestination, line, "MV takes one path, the new name, and here is "+given, "Write `MV new/name`; quote a path with blanks: `MV \"new name\"`.")
	}
	if strings.HasSuffix(name, "/") {
		return fault(BadDestination, line, "MV takes the new name of the file, and "+given+" names a directory", "Write `MV "+name+"new-name`.")
	}
	if isHeader(dest) {
		return fault(BadDestination, line, "MV takes a path without brackets and tag", "Write `MV new/name`.")
	}
	var warnings []string
	s.Dest = p.relative(path.Clean(name), &warnings)
	p.warn(line, warnings...)
	return nil
}
