package patch

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// shape is what every refusal of a patch without one shows.
const shape = "Write:\n[path/of/file.go#1A2B]\nPUT 12.=14:\n+the new lines 12 to 14"

// Parse reads a patch. What is written in another way but can mean one thing only is
// taken with a warning; everything else is a *Fault. dir is the workspace: an absolute
// path below it becomes relative to it.
func Parse(text, dir string) (Patch, error) {
	r := reader{dir: dir, rows: strings.Split(strings.TrimPrefix(text, "\xef\xbb\xbf"), "\n")}
	for r.at < len(r.rows) && !r.ended {
		if err := r.row(); err != nil {
			return Patch{}, err
		}
	}
	if err := r.closeOp(); err != nil {
		return Patch{}, err
	}
	return r.finish()
}

// reader goes through the rows of a patch.
type reader struct {
	dir   string
	rows  []string
	at    int
	ended bool
	out   Patch
	// open is the PUT whose body is being read.
	open *body
	// carriage is true once a row that ended in \r was met.
	carriage bool
}

func (r *reader) warn(format string, args ...any) {
	w := fmt.Sprintf(format, args...)
	if !slices.Contains(r.out.Warnings, w) {
		r.out.Warnings = append(r.out.Warnings, w)
	}
}

// fault is a fault at the row under the reader.
func (r *reader) fault(instead, format string, args ...any) *Fault {
	f := &Fault{Row: r.at + 1, What: fmt.Sprintf(format, args...), Instead: instead}
	if s := r.section(); s != nil {
		f.Path = s.Path
	}
	return f
}

// section is the one under way, nil before the first header.
func (r *reader) section() *Section {
	if len(r.out.Sections) == 0 {
		return nil
	}
	return &r.out.Sections[len(r.out.Sections)-1]
}

// row takes the next row. A row that begins with + belongs to the body under way,
// whatever it says; every other row is looked at for what it may be.
func (r *reader) row() error {
	row := strings.TrimSuffix(r.rows[r.at], "\r")
	if row != r.rows[r.at] && !r.carriage {
		r.carriage = true
		r.warn("carriage returns at the ends of the patch's rows were left out: a new line takes the ending that the file has there")
	}
	var err error
	switch text, isBody := strings.CutPrefix(row, "+"); {
	case isBody && !unified(row):
		err = r.plus(text)
	default:
		err = r.other(row)
	}
	r.at++
	return err
}

// plus is a row of a body, verbatim.
func (r *reader) plus(text string) error {
	if r.open == nil {
		return r.fault("Put a line such as PUT 12: or PUT >12: before it", "a + row stands where no PUT is open")
	}
	if _, ok := headerOf(text); ok || opShape().MatchString(text) {
		r.warn("the + row %q reads like an operation, and was taken as text", brief(text))
	}
	r.open.plus = append(r.open.plus, text)
	r.open.take(r.at, text, plusRow)
	return nil
}

// other is every row that begins with no +.
func (r *reader) other(row string) error {
	trimmed := strings.TrimSpace(row)
	if trimmed == "" {
		if r.open != nil {
			r.open.take(r.at, "", blankRow)
		}
		return nil
	}
	if done, err := r.foreign(trimmed); done || err != nil {
		return err
	}
	if h, ok := headerOf(trimmed); ok && (h.tag != "" || r.open == nil || len(r.open.plus) > 0) {
		return r.header(h)
	}
	if m := opShape().FindStringSubmatch(trimmed); m != nil && !indented(row, r.open) {
		return r.operation(m)
	}
	if elision(trimmed) {
		r.warn("rows that stand for left out lines (%s) were ignored", trimmed)
		return nil
	}
	if r.open != nil {
		return r.bodyRow(row)
	}
	return r.stray(row, trimmed)
}

// indented reports whether a row in an open body is set in, as a text is that only reads
// like an operation.
func indented(row string, open *body) bool {
	return open != nil && (row[0] == ' ' || row[0] == '\t')
}

// foreign takes rows of other patch languages: what says nothing is skipped, what would
// need another reader is refused.
func (r *reader) foreign(row string) (done bool, err error) {
	switch {
	case strings.HasPrefix(row, "*** Abort"):
		r.ended = true
		return true, nil
	case strings.HasPrefix(row, "*** Begin Patch"), strings.HasPrefix(row, "*** End Patch"), strings.HasPrefix(row, "*** End of File"):
		r.warn("the row %q of another patch language was left out", row)
		return true, nil
	case strings.HasPrefix(row, "```"):
		r.warn("the fence %s around the patch was left out", brief(row))
		return true, nil
	case strings.HasPrefix(row, "*** ") && !strings.HasSuffix(row, "]"):
		return true, r.fault("Begin the file with its header [path#TAG] as read shows it, then PUT, CUT, REM or MV. A new file is made with write", "%q is a directive of apply_patch", brief(row))
	case unified(row):
		return true, r.fault("Name the lines by their numbers: PUT 12.=14: and the new lines with + before each", "%q belongs to a unified diff", brief(row))
	}
	return false, nil
}

func unified(row string) bool {
	return strings.HasPrefix(row, "@@ ") || strings.HasPrefix(row, "--- a/") || strings.HasPrefix(row, "+++ b/") || strings.HasPrefix(row, "diff --git ")
}

var elisionShape = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(\.\.\.|…|\[….*…?\]|\[\.\.\..*\])$`)
})

func elision(row string) bool { return elisionShape().MatchString(row) }

// head is a header as written.
type head struct{ path, tag string }

// noise is what models write before a header.
var noise = []string{"*** Update File: ", "*** ", "### ", "## ", "# "}

// headerOf reads a header: [path#TAG]. The tag may be missing, or be no tag.
func headerOf(row string) (h head, ok bool) {
	for _, n := range noise {
		if rest, ok := strings.CutPrefix(row, n); ok {
			row = rest
			break
		}
	}
	in, ok := strings.CutPrefix(row, "[")
	if in, ok = cutSuffix(in, "]", ok); !ok || in == "" {
		return head{}, false
	}
	if i := strings.LastIndexByte(in, '#'); i > 0 && !strings.ContainsAny(in[i:], "./ ") {
		return head{path: in[:i], tag: in[i+1:]}, true
	}
	return head{path: in}, true
}

func cutSuffix(s, suffix string, was bool) (string, bool) {
	before, ok := strings.CutSuffix(s, suffix)
	return before, ok && was
}

// header begins a section.
func (r *reader) header(h head) error {
	if err := r.closeOp(); err != nil {
		return err
	}
	path := r.clean(h.path)
	if len(h.tag) != 4 || strings.Trim(strings.ToUpper(h.tag), "0123456789ABCDEF") != "" {
		return r.fault("Read the file, and copy its header whole: ["+path+"#TAG] with four hexadecimal digits", "the header [%s] has no tag, so it is not known which version its line numbers speak of", brief(h.path))
	}
	tag := strings.ToUpper(h.tag)
	if tag != h.tag {
		r.warn("the tag %s was taken as %s", h.tag, tag)
	}
	r.out.Sections = append(r.out.Sections, Section{Path: path, Tag: tag, Row: r.at + 1})
	return nil
}

// clean is a path without what models put around it.
func (r *reader) clean(path string) string {
	p := strings.TrimSpace(path)
	for _, q := range []string{"`", `"`, "'"} {
		if len(p) > 2 && strings.HasPrefix(p, q) && strings.HasSuffix(p, q) {
			p = p[1 : len(p)-1]
		}
	}
	if rel, err := filepath.Rel(r.dir, p); r.dir != "" && filepath.IsAbs(p) && err == nil && rel != ".." && !strings.HasPrefix(rel, "../") {
		p = rel
	} else if p != "" && !filepath.IsAbs(p) {
		p = filepath.Clean(p)
	}
	if p != path {
		r.warn("the path %s was taken as %s", brief(path), p)
	}
	return p
}

// brief is the start of a row, for a message.
func brief(row string) string {
	const most = 60
	if r := []rune(row); len(r) > most {
		return string(r[:most]) + "…"
	}
	return row
}
