package patch

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"sync"
	"tenet/core/doc"
)

// parser is a patch under way.
type parser struct {
	cwd      string
	rows     []string
	sections []Section
	warnings []warning
	unsaid   int
	// open is the operation whose body is being read, nil when none takes rows.
	open *openOp
	// aborted is set by the marker that ends a patch.
	aborted bool
}

// openOp is an operation and the rows below it.
type openOp struct {
	op   Op
	rows []bodyRow
	// bare is set for one written without its verb.
	bare bool
}

// Parse reads a patch. What is written otherwise than the language has it, but can mean
// one thing only, is read with a warning; all else is a *Fault, and nothing is guessed
// that could lose a line. dir is the workspace: an absolute path below it becomes
// relative to it.
func Parse(text, dir string) (Patch, error) {
	p := &parser{cwd: dir}
	p.split(text)
	p.dropFence()
	for i := range p.rows {
		if f := p.row(i); f != nil {
			return Patch{}, p.placed(f)
		}
		if p.aborted {
			break
		}
	}
	if f := p.close(); f != nil {
		return Patch{}, p.placed(f)
	}
	patch, f := p.finish()
	if f != nil {
		return Patch{}, f
	}
	return patch, nil
}

// placed names the section that is being read.
func (p *parser) placed(f *Fault) *Fault {
	if len(p.sections) == 0 {
		return f
	}
	return f.in(p.last().Path)
}

// split parts the patch into rows.
func (p *parser) split(text string) {
	for n, l := range doc.Lines([]byte(text)) {
		p.rows = append(p.rows, string(l.Text))
		if l.Ending == doc.CRLF {
			p.warn(n, "the carriage return at the end of the row was left out: a new line takes the ending that the file has there")
		}
	}
}

// dropFence blanks a Markdown fence around the whole patch, or one that only closes: a
// pair within it is text.
func (p *parser) dropFence() {
	first, last := 0, len(p.rows)-1
	for first < last && strings.TrimSpace(p.rows[first]) == "" {
		first++
	}
	for last > first && strings.TrimSpace(p.rows[last]) == "" {
		last--
	}
	if first >= last || strings.TrimSpace(p.rows[last]) != fence {
		return
	}
	if opened := strings.HasPrefix(p.rows[first], fence); opened || !slices.ContainsFunc(p.rows[:last], isFence) {
		p.warn(last+1, "the code fence around the patch was ignored")
		if p.rows[last] = ""; opened {
			p.rows[first] = ""
		}
	}
}

const fence = "```"

func isFence(row string) bool { return strings.HasPrefix(strings.TrimSpace(row), fence) }

var diffShape = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(@@(\s|$)|diff --git |index [0-9a-f]+\.\.[0-9a-f]+)`)
})

// row reads one row of the patch.
func (p *parser) row(i int) *Fault {
	row, line := p.rows[i], i+1
	if strings.HasPrefix(row, "+") && len(p.sections) > 0 {
		return p.plusRow(row, line)
	}
	if done, f := p.marker(row, line); done || f != nil {
		return f
	}
	if diffShape().MatchString(row) || p.diffNames(i) {
		return fault(UnifiedDiff, line, quoted(row)+" is of a unified diff, which is not spoken here", "Write the header [path#TAG], then `PUT 3.=5:` with the numbers of the lines to replace, and below it only the new lines, each after a +; `CUT 3.=5` deletes.")
	}
	if isHeader(row) {
		return p.section(row, line)
	}
	if len(p.sections) == 0 {
		return p.beforeHeader(row, line)
	}
	return p.inSection(i)
}

// diffNames reports whether row i and the next are the two names of a unified diff.
func (p *parser) diffNames(i int) bool {
	return i+1 < len(p.rows) && strings.HasPrefix(p.rows[i], "--- ") && strings.HasPrefix(p.rows[i+1], "+++ ")
}

// plusRow takes a line of a body.
func (p *parser) plusRow(row string, line int) *Fault {
	if p.open == nil {
		return p.strayBody(row, line)
	}
	text := row[1:]
	if isHeader(text) || isOperation(text) {
		p.warn(line, quoted(row)+" was written into the file as text; to be an operation it would have no +")
	}
	p.open.rows = append(p.open.rows, bodyRow{kind: plusRow, text: text, line: line})
	return nil
}

// isOperation reports whether a text is an operation without fault.
func isOperation(text string) bool {
	if _, ok, f := parseOp(text, 0); ok {
		return f == nil
	}
	kind, _ := fileRow(text)
	return kind != KeepFile
}

// marker reads the marks of apply_patch. done is false for a row that is none.
func (p *parser) marker(row string, line int) (done bool, f *Fault) {
	trimmed := strings.TrimSpace(row)
	if !strings.HasPrefix(trimmed, "***") {
		return false, nil
	}
	switch strings.ToLower(strings.TrimSpace(trimmed[3:])) {
	case "abort":
		p.aborted = true
		return true, p.abort()
	case "begin patch", "end patch", "end of file":
		p.warn(line, quoted(trimmed)+" was ignored: a patch needs no frame")
		return true, nil
	}
	if m := directive().FindStringSubmatch(trimmed); m != nil && !isHeader(row) {
		return true, wrongDirective(m, line)
	}
	return false, nil
}

// abort drops the operation that was broken off before its first line: without lines it
// would delete.
func (p *parser) abort() *Fault {
	if p.open != nil && len(p.open.rows) == 0 {
		p.warn(p.open.op.Row, quoted(p.open.op.Header())+" was broken off by *** Abort and left out")
		p.open = nil
	}
	return nil
}

// section begins the section of another file.
func (p *parser) section(row string, line int) *Fault {
	if f := p.close(); f != nil {
		return f
	}
	h := p.readHeader(row)
	p.sections = append(p.sections, Section{Path: h.path, Tag: h.tag, Row: line})
	p.warn(line, h.warnings...)
	return nil
}

// beforeHeader reads a row above the first header.
func (p *parser) beforeHeader(row string, line int) *Fault {
	trimmed := strings.TrimSpace(row)
	switch {
	case trimmed == "":
		return nil
	case strings.HasPrefix(trimmed, "#"):
		p.warn(line, "the comment was ignored")
		return nil
	case strings.HasPrefix(trimmed, "["):
		return brokenHeader(row, line)
	case headless().MatchString(trimmed):
		return fault(Headerless, line, "the header has no brackets", "Write `["+trimmed+"]`.")
	default:
		return fault(Headerless, line, "no header stands before "+quoted(row)+", so no file is named", shape+".")
	}
}

// inSection reads a row that is neither header nor line of a body for certain.
func (p *parser) inSection(i int) *Fault {
	row, line := p.rows[i], i+1
	if done, f := p.operation(row, line); done || f != nil {
		return f
	}
	if p.open != nil {
		return p.bodyRow(row, line)
	}
	return p.betweenOps(i)
}

// operation reads a row as an operation on lines or on the file. Within a body a row is
// one only when it begins at the margin.
func (p *parser) operation(row string, line int) (done bool, f *Fault) {
	if p.open != nil && row != strings.TrimLeft(row, " \t") {
		return false, nil
	}
	if r, ok, f := parseOp(row, line); ok && (p.open == nil || upperVerb(row)) {
		if f == nil {
			f = p.begin(r, false)
		}
		return true, f
	}
	if kind, dest := fileRow(row); kind != KeepFile {
		return true, p.fileOp(kind, dest, line)
	}
	if m := bareShape().FindStringSubmatch(strings.TrimSpace(row)); m != nil && (p.open == nil || m[2] == ".=") {
		return true, p.bareHeader("PUT "+strings.TrimSpace(row), row, line)
	}
	return false, wrongVerb(row, line)
}

func upperVerb(row string) bool {
	return strings.HasPrefix(row, "PUT") || strings.HasPrefix(row, "CUT")
}

// bareHeader takes N.=M: as PUT N.=M:.
func (p *parser) bareHeader(as, row string, line int) *Fault {
	r, _, f := parseOp(as, line)
	if f != nil {
		return f
	}
	r.warn(quoted(row) + " was read as " + quoted(r.op.Header()))
	return p.begin(r, true)
}

// begin closes the operation before and opens the next.
func (p *parser) begin(r readOp, bare bool) *Fault {
	if f := p.close(); f != nil {
		return f
	}
	p.warn(r.op.Row, r.warnings...)
	if r.op.Verb == Put {
		p.open = &openOp{op: r.op, bare: bare}
		return nil
	}
	p.add(r.op)
	return nil
}

func (p *parser) last() *Section { return &p.sections[len(p.sections)-1] }

func (p *parser) add(op Op) { p.last().Ops = append(p.last().Ops, op) }

// close ends the body that is open.
func (p *parser) close() *Fault {
	if p.open == nil {
		return nil
	}
	op, f := p.finishBody(p.open)
	p.open = nil
	if f == nil {
		p.add(op)
	}
	return f
}

// betweenOps reads a row where an operation is expected.
func (p *parser) betweenOps(i int) *Fault {
	row, line := p.rows[i], i+1
	trimmed := strings.TrimSpace(row)
	switch {
	case trimmed == "":
		return nil
	case strings.HasPrefix(trimmed, "#"):
		p.warn(line, "the comment was ignored")
		return nil
	case isElision(row):
		p.warn(line, quoted(row)+" stands for lines that are not shown and was ignored")
		return nil
	case copiedRow().MatchString(row) && p.behindCut(line):
		return fault(UnclearBody, line, quoted(row)+" stands below an operation that takes no text", "Write + before text, below a PUT that ends in a colon; or `PUT N:` to replace line N.")
	case copiedRow().MatchString(row):
		return p.copied(i)
	case strings.HasPrefix(trimmed, "["):
		return brokenHeader(row, line)
	default:
		return p.unknown(row, line)
	}
}

// behindCut reports whether the row before is a CUT or a paste: what follows it is text
// that lost its PUT, not a row that a read showed.
func (p *parser) behindCut(line int) bool {
	s := p.last()
	return len(s.Ops) > 0 && s.Ops[len(s.Ops)-1].Verb != Put && s.Ops[len(s.Ops)-1].Row == line-1
}

// copied takes a row of a read as the new text of that one line.
func (p *parser) copied(i int) *Fault {
	row, line := p.rows[i], i+1
	m := copiedRow().FindStringSubmatch(row)
	if m[2] == "" {
		if i+1 < len(p.rows) && strings.HasPrefix(p.rows[i+1], "+") {
			return p.bareHeader("PUT "+m[1]+":", row, line)
		}
		return fault(UnclearBody, line, quoted(row)+" may delete line "+m[1]+" or make it blank", "Write `CUT "+m[1]+"` to delete it, or `PUT "+m[1]+":` and a row with + alone to make it blank.")
	}
	n, f := lineNumber(m[1], line)
	if f != nil {
		return f
	}
	p.warn(line, "a copied row N:TEXT was read as the new text of line N")
	p.add(Op{Verb: Put, At: Lines, From: n, To: n, Body: []string{m[2]}, Row: line, copied: true})
	return nil
}

// unknown refuses a row that is nothing.
func (p *parser) unknown(row string, line int) *Fault {
	if strings.HasPrefix(row, "-") && len(p.last().Ops) > 0 {
		return p.strayBody(row, line)
	}
	if strings.HasPrefix(row, "REM ") {
		return fault(UnknownRow, line, "REM takes nothing: the file is the one in the header", "Write `REM` alone.")
	}
	return fault(UnknownRow, line, quoted(row)+" is no operation", "Write `PUT 3.=5:` or `PUT 3:` to replace lines, `PUT >3:` or `PUT <3:` to insert, each with the new lines below it after a +; `CUT 3.=5` to delete; `REM` or `MV new/name` for the file. A line of text is `+text` below a PUT that ends in a colon.")
}

// strayBody refuses a line of a body where none is taken, and says by what.
func (p *parser) strayBody(row string, line int) *Fault {
	ops := p.last().Ops
	if len(ops) == 0 || p.last().fileRow > ops[len(ops)-1].Row {
		return fault(StrayBody, line, quoted(row)+" stands below no operation that takes lines", "Write `PUT 3.=5:` (replace), `PUT >3:` or `PUT <3:` (insert) before it.")
	}
	op := ops[len(ops)-1]
	what := quoted(row) + " stands below " + quoted(op.Header()) + ", which takes no lines"
	write := op
	write.Verb, write.Register = Put, ""
	switch {
	case op.copied:
		return fault(StrayBody, line, quoted(row)+" stands below a copied row, which is the whole text of line "+fmt.Sprint(op.From), "Write "+quoted(write.Header())+" with all the new lines below it, each after a +.")
	case op.Verb == Cut:
		return fault(StrayBody, line, what, "CUT only deletes: leave the row out, or write "+quoted(write.Header())+" with the new lines below it, each after a +.")
	default:
		return fault(StrayBody, line, what, "To write new lines end the row with a colon: "+quoted(write.Header())+". Without one it pastes cut lines.")
	}
}
