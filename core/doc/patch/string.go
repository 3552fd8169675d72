package patch

import (
	"fmt"
	"strings"
)

// String is the patch in its canonical form, without the warnings. Parse reads it back
// to the same sections.
func (p Patch) String() string {
	var b strings.Builder
	for _, s := range p.Sections {
		s.write(&b)
	}
	return b.String()
}

// Header is the line that names the section's file and version.
func (s Section) Header() string {
	return "[" + InHeader(s.Path) + "#" + s.Tag + "]"
}

func (s Section) write(b *strings.Builder) {
	fmt.Fprintln(b, s.Header())
	for _, op := range s.Ops {
		fmt.Fprintln(b, op.Header())
		for _, text := range op.Body {
			writeRow(b, text)
		}
	}
	if s.File != KeepFile {
		fmt.Fprintln(b, s.fileOp())
	}
}

// writeRow writes a line of a body. A carriage return at its end would be read as part
// of the row's own ending, so that row gets an ending with one.
func writeRow(b *strings.Builder, text string) {
	ending := "\n"
	if strings.HasSuffix(text, "\r") {
		ending = "\r\n"
	}
	b.WriteString("+" + text + ending)
}

func (s Section) fileOp() string {
	if s.File == Move {
		return "MV " + quoteDest(s.Dest)
	}
	return "REM"
}

// Header is the operation without its body, as a patch has it.
func (op Op) Header() string {
	register := ""
	if op.Register != "" {
		register = " @" + op.Register
	}
	switch op.Verb {
	case Cut:
		return "CUT " + op.target() + register
	case Paste:
		return "PUT " + op.target() + register
	case Put:
	}
	return "PUT " + op.target() + ":"
}

// target is the place as a patch names it.
func (op Op) target() string {
	switch op.At {
	case Block:
		return fmt.Sprintf("%d*", op.From)
	case Before:
		return fmt.Sprintf("<%d", op.From)
	case After:
		return fmt.Sprintf(">%d", op.From)
	case AfterBlock:
		return fmt.Sprintf(">%d*", op.From)
	case Top:
		return "<1"
	case Bottom:
		return ">$"
	case Lines:
	}
	return span(op.From, op.To)
}

// span is a range as a patch names it.
func span(from, to int64) string {
	if from == to {
		return fmt.Sprint(from)
	}
	return fmt.Sprintf("%d.=%d", from, to)
}

// lines is a range in a sentence.
func lines(from, to int64) string {
	if from == to {
		return fmt.Sprint("line ", from)
	}
	return "lines " + span(from, to)
}

// counted is a number of things in a message.
func counted(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
