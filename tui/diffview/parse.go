// Package diff draws unified diffs in lines of cells: one below the other, or old and
// new side by side where there is room.
package diff

import (
	"strconv"
	"strings"

	"tenet/tui/text"
)

// sort is what a line of a diff is.
type sort uint8

const (
	context sort = iota
	added
	removed
	hunk // where the change stands
	file // a name of a file
	note // anything else: what was left out, a missing line end
)

// row is a line of a diff without its sign; old and next count from 1, 0 for no number.
type row struct {
	sort      sort
	text      string
	old, next int
}

// Count is how many lines a diff adds and how many it removes.
func Count(d string) (plus, minus int) {
	for _, r := range parse(d) {
		switch r.sort {
		case added:
			plus++
		case removed:
			minus++
		case context, hunk, file, note:
		}
	}
	return plus, minus
}

// parse reads a diff. A hunk's head says how many lines it has, so that a removed line
// that begins with two dashes is no name of a file.
func parse(d string) []row {
	var out []row
	p := place{}
	for line := range strings.SplitSeq(strings.TrimRight(d, "\n"), "\n") {
		if line == "" && !p.inside() {
			continue
		}
		if r := p.read(line); r.sort != hunk || !p.blind {
			out = append(out, r) // where nobody knows the place, no head says one
		}
	}
	return out
}

// place is where in the two files the next line of a hunk is, and how many it has left.
type place struct {
	old, next, oldLeft, nextLeft int
	blind                        bool // where it stands is not known: lines have no numbers
}

func (p *place) inside() bool { return p.oldLeft > 0 || p.nextLeft > 0 }

func (p *place) read(line string) row {
	r := p.sorted(line)
	if p.blind {
		r.old, r.next = 0, 0
	}
	return r
}

func (p *place) sorted(line string) row {
	sign, rest := "", ""
	if line != "" {
		sign, rest = line[:1], line[1:]
	}
	switch {
	case strings.HasPrefix(line, "@@ ") && p.head(line):
		return row{sort: hunk, text: text.Clean(line)}
	case sign == "+" && p.nextLeft > 0:
		p.next, p.nextLeft = p.next+1, p.nextLeft-1
		return row{sort: added, text: text.Clean(rest), next: p.next - 1}
	case sign == "-" && p.oldLeft > 0:
		p.old, p.oldLeft = p.old+1, p.oldLeft-1
		return row{sort: removed, text: text.Clean(rest), old: p.old - 1}
	case (sign == " " || sign == "") && p.inside():
		p.old, p.next, p.oldLeft, p.nextLeft = p.old+1, p.next+1, p.oldLeft-1, p.nextLeft-1
		return row{sort: context, text: text.Clean(rest), old: p.old - 1, next: p.next - 1}
	case strings.HasPrefix(line, "--- "), strings.HasPrefix(line, "+++ "):
		return row{sort: file, text: text.Line(line)}
	}
	return row{sort: note, text: text.Clean(line)}
}

// head reads "@@ -3,2 +3,4 @@".
func (p *place) head(line string) bool {
	f := strings.Fields(line)
	if len(f) < 4 || f[1][0] != '-' || f[2][0] != '+' || f[3] != "@@" {
		return false
	}
	old, oldLeft, a := span(f[1][1:])
	next, nextLeft, b := span(f[2][1:])
	if !a || !b {
		return false
	}
	*p = place{old, next, oldLeft, nextLeft, old == 0 && oldLeft > 0 || next == 0 && nextLeft > 0}
	return true
}

// span reads "3,2", or "3" for one line.
func span(s string) (from, n int, ok bool) {
	first, count, two := strings.Cut(s, ",")
	from, err := strconv.Atoi(first)
	if err != nil || from < 0 {
		return 0, 0, false
	}
	if !two {
		return from, 1, true
	}
	n, err = strconv.Atoi(count)
	return from, n, err == nil && n >= 0
}

// path is the name of the file of a diff: the new one, the old one of a removal.
func path(rows []row) string {
	name := ""
	for _, r := range rows {
		if r.sort != file {
			continue
		}
		n := strings.TrimPrefix(strings.TrimPrefix(r.text[4:], "a/"), "b/")
		if n != "/dev/null" {
			name = n
		}
	}
	return name
}

// Path is the name of the file that a diff is about, empty when it names none.
func Path(d string) string { return path(parse(d)) }
