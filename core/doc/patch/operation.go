package patch

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

const separators = `\.\.=|\.\.\.|\.\.|\.=|…|–|-`

var (
	// opShape is a row that is meant as an operation: verb, gap, line, separator, line,
	// star, the rest.
	opShape = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(PUT|CUT)\s+([<>]?)\s*([0-9]+|\$)\s*(?:(` + separators + `)\s*([0-9]+|\$))?\s*(\*?)\s*(.*)$`)
	})
	// tailShape is what may follow the place: colon, register, colon.
	tailShape = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(:?)\s*(?:@([A-Za-z0-9_]+))?\s*(:?)$`) })
	// bareShape is an operation without its verb.
	bareShape = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([0-9]+)\s*(` + separators + `)\s*([0-9]+)\s*:$`) })
	// copiedRow is a row as read or grep shows it.
	copiedRow = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[* ]?([0-9]+):(.*)$`) })
	countForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\+\s*([0-9]+)`) })
	oldVerb   = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(SWAP|DEL|INS|REPLACE|DELETE|INSERT)(\.[A-Z.]+|_?BLK)?\b\s*(before|after|line|lines)?\s*([0-9]+)?\s*(?:(?:` + separators + `)\s*([0-9]+))?\s*(:?)\s*$`)
	})
)

// readOp is an operation that was read.
type readOp struct {
	op       Op
	warnings []string
}

func (r *readOp) warn(text string) { r.warnings = append(r.warnings, text) }

// parseOp reads a row as an operation. ok is false for a row that is not meant as one.
func parseOp(row string, line int) (r readOp, ok bool, f *Fault) {
	m := opShape().FindStringSubmatch(strings.TrimSpace(row))
	if m == nil {
		return r, false, nil
	}
	r.op = Op{Row: line}
	if m[1] != strings.ToUpper(m[1]) {
		r.warn("the verb was read as " + strings.ToUpper(m[1]))
	}
	if f = r.readPlace(m, line); f == nil {
		f = r.readTail(m, line)
	}
	return r, true, f
}

// readPlace reads gap, lines and star.
func (r *readOp) readPlace(m []string, line int) *Fault {
	gap, from, sep, to, star := m[2], m[3], m[4], m[5], m[6]
	if from == "$" || to == "$" {
		return r.readEnd(m, line)
	}
	n, f := lineNumber(from, line)
	if f != nil && gap != ">" {
		return f
	}
	switch {
	case gap != "" && sep != "":
		return fault(BadTarget, line, "an insert has one line, not a range", fmt.Sprintf("Write `PUT %s%s:` to insert there, or `PUT %s.=%s:` to replace the range.", gap, from, from, to))
	case gap == "<":
		r.before(n, star)
	case gap == ">":
		return r.after(n, star, f)
	case sep != "":
		return r.readRange(n, m, line)
	default:
		r.one(n, star)
	}
	return nil
}

func (r *readOp) one(n int64, star string) {
	r.op.At, r.op.From, r.op.To = Lines, n, n
	if star != "" {
		r.op.At, r.op.To = Block, 0
	}
}

func (r *readOp) before(n int64, star string) {
	if star != "" {
		r.warn(fmt.Sprintf("<%d* was read as <%d: a block opens on its first line", n, n))
	}
	r.op.At, r.op.From = Before, n
	if n == 1 {
		r.op.At, r.op.From = Top, 0
	}
}

func (r *readOp) after(n int64, star string, f *Fault) *Fault {
	switch {
	case f != nil && f.Reason == BadTarget && n == 0 && star == "":
		r.op.At = Top
		r.warn("after line 0 was read as <1, the start of the file")
		return nil
	case f != nil:
		return f
	case star != "":
		r.op.At, r.op.From = AfterBlock, n
	default:
		r.op.At, r.op.From = After, n
	}
	return nil
}

// readEnd reads a place with the $ that stands for the end.
func (r *readOp) readEnd(m []string, line int) *Fault {
	if m[2] == ">" && m[3] == "$" && m[4] == "" && m[6] == "" {
		r.op.At = Bottom
		return nil
	}
	return fault(BadTarget, line, "$ stands only in PUT >$, the end of the file", "Write the number of the last line that read showed, or `PUT >$:` to add at the end.")
}

// readRange reads N.=M.
func (r *readOp) readRange(from int64, m []string, line int) *Fault {
	to, f := lineNumber(m[5], line)
	if f != nil {
		return f
	}
	if m[6] != "" {
		return fault(BadTarget, line, "a range and a * do not go together", fmt.Sprintf("Write `%s %d*` for the block that opens on line %d, or `%s %s` for the lines.", strings.ToUpper(m[1]), from, from, strings.ToUpper(m[1]), span(from, to)))
	}
	if f := checkRange(strings.ToUpper(m[1]), from, to, line); f != nil {
		return f
	}
	if m[4] != ".=" {
		r.warn(fmt.Sprintf("%s%s%s was read as %d.=%d", m[3], m[4], m[5], from, to))
	}
	r.op.At, r.op.From, r.op.To = Lines, from, to
	return nil
}

// checkRange refuses a range that is none, or too long to be meant.
func checkRange(verb string, from, to int64, line int) *Fault {
	switch {
	case to < from:
		colon := map[string]string{"PUT": ":"}[verb]
		return fault(EndBeforeStart, line, fmt.Sprintf("the range %d.=%d ends before it starts: the number after .= is the last line, not a count of lines", from, to), fmt.Sprintf("For %d lines from line %d write `%s %s%s` (or `%s %s%s` if those are the lines).", to, from, verb, span(from, from+to-1), colon, verb, span(to, from), colon))
	case to-from >= MaxRange:
		return fault(TooLong, line, fmt.Sprintf("the range %d.=%d is %d lines, over the %d that one operation may take", from, to, to-from+1, MaxRange), "Look at the numbers again; to write a whole file anew use write.")
	default:
		return nil
	}
}

// lineNumber reads a line number.
func lineNumber(digits string, line int) (int64, *Fault) {
	n, err := strconv.ParseInt(digits, 10, 64)
	switch {
	case err != nil || n > 1<<40:
		return 1, fault(PastEnd, line, "no file has a line "+digits, "Use the numbers that stand before the colon in the rows of read or grep.")
	case n == 0:
		return 0, fault(BadTarget, line, "there is no line 0: lines are counted from 1", "Write `PUT <1:` to insert at the start of the file.")
	default:
		return n, nil
	}
}

// readTail reads colon and register.
func (r *readOp) readTail(m []string, line int) *Fault {
	tail := tailShape().FindStringSubmatch(strings.TrimSpace(m[7]))
	if tail == nil {
		return r.wrongTail(m, line)
	}
	colon := tail[1] != "" || tail[3] != ""
	r.op.Register = tail[2]
	if strings.EqualFold(m[1], "CUT") {
		return r.cut(colon, line)
	}
	return r.put(colon, line)
}

func (r *readOp) cut(colon bool, line int) *Fault {
	r.op.Verb = Cut
	if !r.op.takes() {
		return fault(BadTarget, line, "CUT takes lines away, and between two lines are none", "Write `CUT 3`, `CUT 3.=5` or `CUT 3*`.")
	}
	if colon {
		r.warn("the colon after CUT was ignored")
	}
	return nil
}

func (r *readOp) put(colon bool, line int) *Fault {
	named := r.op.Register != ""
	r.op.Verb = Paste
	switch {
	case colon && named:
		return fault(ColonOnPaste, line, "a colon announces new lines and @"+r.op.Register+" names cut ones", "Write "+quoted(r.op.Header())+" to paste the register; leave out @"+r.op.Register+" to write the new lines below.")
	case colon:
		r.op.Verb = Put
	case r.op.takes() && !named:
		write := r.op
		write.Verb = Put
		return fault(NameNeeded, line, "PUT without a colon pastes cut lines, and over lines it needs the register's name", "Write "+quoted(write.Header())+" and the new lines below it, each after a +, or "+quoted(r.op.Header()+" @name")+" to paste what `CUT … @name` cut.")
	}
	return nil
}

// wrongTail says what is wrong behind a place.
func (r *readOp) wrongTail(m []string, line int) *Fault {
	tail := strings.TrimSpace(m[7])
	head := strings.TrimSpace(m[1] + " " + r.op.target())
	if c := countForm().FindStringSubmatch(tail); c != nil && m[2] == "" && m[4] == "" {
		count, _ := strconv.ParseInt(c[1], 10, 64)
		return fault(BadTarget, line, "a range has its first and its last line, no count", "Write "+quoted(strings.ToUpper(m[1])+" "+span(r.op.From, r.op.From+max(count, 1)-1))+" for "+c[1]+" lines from line "+m[3]+".")
	}
	if text, ok := strings.CutPrefix(tail, ":"); ok && strings.EqualFold(m[1], "PUT") {
		return fault(InlineBody, line, "new lines do not stand on the row of PUT", "Write "+head+":\n+"+strings.TrimPrefix(strings.TrimPrefix(text, " "), "+")+"\nwith each new line on its own row after a +.")
	}
	if strings.HasPrefix(tail, ",") {
		return fault(BadTarget, line, quoted(head+tail)+" may be two lines or a range", "Write one operation for each line, or "+quoted(head+".=M")+" for all lines to M.")
	}
	return fault(BadTarget, line, quoted(tail)+" cannot stand behind "+quoted(head), "Write `PUT 3.=5:` or `PUT 3:` to replace, `PUT >3:` or `PUT <3:` to insert, `CUT 3.=5` to delete; behind CUT, and behind PUT without a colon, `@name` may stand, of letters, digits and _.")
}

// wrongVerb shows an operation of an earlier edit language in this one.
func wrongVerb(row string, line int) *Fault {
	m := oldVerb().FindStringSubmatch(strings.TrimSpace(row))
	if m == nil || m[4] == "" && !strings.Contains(m[2], ".") {
		return nil
	}
	return fault(OldVerb, line, quoted(row)+" is not of this language: its operations are PUT and CUT", "Write "+modern(m)+".")
}

// modern is an earlier operation as it is written today.
func modern(m []string) string {
	verb, kind := strings.ToUpper(m[1]), strings.ToUpper(m[2]+m[3])
	lines := m[4]
	if lines == "" {
		lines = "3"
	}
	at := lines
	if strings.Contains(kind, "BLK") {
		lines, at = lines+"*", at+"*"
	} else if m[5] != "" {
		lines += ".=" + m[5]
	}
	switch {
	case strings.HasPrefix(verb, "DEL"):
		return "`CUT " + lines + "`"
	case !strings.HasPrefix(verb, "INS"):
		return "`PUT " + lines + ":` and the new lines below, each after a +"
	case strings.Contains(kind, "HEAD"):
		return "`PUT <1:` and the new lines below, each after a +"
	case strings.Contains(kind, "TAIL"):
		return "`PUT >$:` and the new lines below, each after a +"
	case strings.Contains(kind, "PRE") || strings.Contains(kind, "BEFORE"):
		return "`PUT <" + strings.TrimSuffix(at, "*") + ":` and the new lines below, each after a +"
	default:
		return "`PUT >" + at + ":` and the new lines below, each after a +"
	}
}
