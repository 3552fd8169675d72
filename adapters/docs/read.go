package docs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/sys/unix"

	"tenet/core/doc"
	"tenet/core/guard"
	"tenet/core/pathpolicy"
	"tenet/core/surface"
)

// read shows lines of one file (seed 5, S8.6, S8.10).
func (d *Docs) read(ctx context.Context, g Gate, args surface.Args) (reply, error) {
	p, want, err := d.readPlace(args)
	if err != nil {
		return reply{}, err
	}
	if err := d.permit(ctx, g, &p); err != nil {
		return reply{}, err
	}
	f, st, err := openRegular(p.real)
	if err != nil {
		return reply{}, d.readFault(p.real, err)
	}
	defer f.Close()
	r := reading{d: d, real: p.real, want: want}
	if err := r.load(ctx, f, st); err != nil {
		return reply{}, err
	}
	text, err := r.text()
	if err == nil {
		d.seen.saw(p.real, r.deed(), r.version, 0)
	}
	return plain(text), err
}

// readPlace is the file and the lines a read asks for. A file whose literal name
// looks like a selector wins over the selector.
func (d *Docs) readPlace(args surface.Args) (place, doc.Want, error) {
	path := args.Str("path", "")
	want, err := wantOf(args)
	if err != nil {
		return place{}, want, err
	}
	base, span, selects, fault := doc.Selector(path)
	if selects {
		if p, err := d.place(path, pathpolicy.Reading); err == nil && exists(p.real) {
			return p, want, nil
		}
	}
	p, err := d.place(base, pathpolicy.Reading)
	switch {
	case err != nil || !selects:
		return p, want, err
	case fault != "":
		return p, want, fmt.Errorf("%s: %s", shown(path), fault)
	case want.Offset != 0 || want.Lines != (doc.Span{}):
		return p, want, fmt.Errorf("%s: give the lines once, as a selector or as line and limit, and no offset with them", shown(path))
	}
	want.Lines = span
	return p, want, nil
}

func exists(real string) bool {
	_, err := os.Lstat(real)
	return err == nil
}

func wantOf(args surface.Args) (doc.Want, error) {
	want := doc.Want{Budget: PageBytes, Offset: args.Int("offset", 0)}
	line, limit := args.Int("line", 0), args.Int("limit", 0)
	_, hasLine := args["line"]
	_, hasLimit := args["limit"]
	switch {
	case hasLine && line < 1:
		return want, fmt.Errorf("line is %d, but lines are counted from 1", line)
	case hasLimit && limit < 1:
		return want, fmt.Errorf("limit is %d, but it counts the lines to show, from 1", limit)
	case want.Offset < 0:
		return want, fmt.Errorf("offset is %d, but it counts bytes from 0", want.Offset)
	case want.Offset > 0 && (hasLine || hasLimit):
		return want, errors.New("offset goes alone: it starts inside a line, while line and limit name whole lines")
	}
	if hasLine || hasLimit {
		want.Lines.From = max(1, line)
	}
	if hasLimit {
		want.Lines.To = want.Lines.From - 1 + min(limit, 1<<40)
	}
	return want, nil
}

func (d *Docs) readFault(real string, err error) error {
	var kind notRegular
	switch {
	case errors.As(err, &kind) && kind == "a directory":
		return fmt.Errorf("%s is a directory; use list_dir or glob on it", d.rel(real))
	case errors.As(err, &kind):
		return fmt.Errorf("%s is %s, not a regular file, and was not opened; use bash if you must read it", d.rel(real), string(kind))
	}
	return d.fault(real, err, "look for it with glob or list_dir")
}

// reading is one read under way.
type reading struct {
	d    *Docs
	real string
	want doc.Want
	view doc.View
	// whole is the file's bytes when it was taken whole, lines its number of lines.
	whole []byte
	large bool
	lines int64
	// version names the bytes that were read.
	version uint64
}

// deed is how much of the file the result shows (law partial_refuses_write).
func (r *reading) deed() guard.Deed {
	v := r.view
	if r.want.Offset > 0 || r.want.Lines.From > 1 || v.Next > 0 || v.NextOffset > 0 || v.Partial {
		return guard.ReadPart
	}
	return guard.ReadWhole
}

// load takes a file of up to SnapshotBytes whole, judges it and names its version; of a larger one it takes what the view needs.
func (r *reading) load(ctx context.Context, f io.Reader, st unix.Stat_t) error {
	head, err := io.ReadAll(io.LimitReader(f, SnapshotBytes+1))
	if err != nil {
		return r.d.fault(r.real, err, "try again")
	}
	r.large = len(head) > SnapshotBytes
	if c := doc.Sniff(head, r.large); c.Encoding != doc.UTF8 {
		return fmt.Errorf("%s %s, so it is not shown; use bash, for instance with iconv, file or xxd", r.d.rel(r.real), c.Fault())
	}
	rows := doc.NewRows(r.want)
	more := rows.Feed(head)
	if r.large {
		r.version = identity(st)
		return r.stream(ctx, rows, f, more)
	}
	r.version = digest(head)
	r.whole, r.lines = head, int64(doc.CountLines(head))
	r.view = rows.End()
	return nil
}

// stream goes on through a large file until the view is full. Its memory does not
// depend on the file's size.
func (r *reading) stream(ctx context.Context, rows *doc.Rows, f io.Reader, more bool) error {
	buf := make([]byte, 256<<10)
	for more {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		n, err := f.Read(buf)
		more = rows.Feed(buf[:n])
		if err == io.EOF {
			r.view = rows.End()
			r.lines = r.view.Lines
			return r.shownText()
		}
		if err != nil {
			return r.d.fault(r.real, err, "try again")
		}
	}
	r.view = rows.View()
	return r.shownText()
}

// shownText judges the rows of a large file, whose bytes were not all judged.
func (r *reading) shownText() error {
	if c := doc.Sniff([]byte(r.view.Text), false); c.Encoding != doc.UTF8 {
		return fmt.Errorf("%s, in its lines %d to %d, %s, so they are not shown; use bash", r.d.rel(r.real), r.view.First, r.view.Last, c.Fault())
	}
	return nil
}

// text is the rows and, in brackets, what the rows alone do not tell.
func (r *reading) text() (string, error) {
	name, v := r.d.rel(r.real), r.view
	switch {
	case v.First == 0 && r.want.Offset > 0:
		return "", fmt.Errorf("%s has %d bytes, so nothing starts at offset %d", name, v.Bytes, r.want.Offset)
	case v.First == 0 && r.lines == 0:
		return "[" + name + " is an empty file]", nil
	case v.First == 0:
		return "", fmt.Errorf("%s has %s, so there is no line %d; read a line up to %d", name, count(r.lines, "line"), r.want.Lines.From, r.lines)
	}
	out := v.Text
	if v.Partial {
		out = fmt.Sprintf("[line %d, from byte %d of the file]\n", v.First, r.want.Offset) + out
	}
	return out + r.notice(), nil
}

func (r *reading) notice() string {
	var parts []string
	v := r.view
	of := ""
	if r.lines > 0 {
		of = fmt.Sprintf(" of %d", r.lines)
	}
	switch {
	case v.NextOffset > 0:
		parts = append(parts, fmt.Sprintf("line %d%s is cut, it is too long to show whole; go on with offset=%d, or with line=%d for the next line", v.Last, of, v.NextOffset, v.Last+1))
	case v.Next > 0:
		parts = append(parts, fmt.Sprintf("lines %d-%d%s; go on with line=%d", v.First, v.Last, of, v.Next))
	}
	if e := doc.CountEndings(r.whole); e.CRLF > 0 {
		text := "lines end in CRLF"
		if e.LF > 0 {
			text = fmt.Sprintf("%d lines end in CRLF, %d in LF", e.CRLF, e.LF)
		}
		parts = append(parts, text)
	}
	if r.large {
		parts = append(parts, "the file is over 4 MiB: change it with bash")
	}
	if len(parts) == 0 {
		return ""
	}
	return "[" + strings.Join(parts, "; ") + "]\n"
}

func count(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
