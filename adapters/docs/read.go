package docs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"tenet/core/doc"
	"tenet/core/guard"
	"tenet/core/output"
	"tenet/core/pathpolicy"
	"tenet/core/surface"
)

// pageRows bounds the rows of one read, so that its header and its notices fit in the
// bound of a reply too (S2).
const pageRows = output.DefaultLines - 10

// The pieces in which a large file is read: a small one first, which is enough for its
// beginning.
const (
	firstChunk = 64 << 10
	nextChunk  = 256 << 10
)

// patience bounds the wait for a file that gives its bytes only when there are some,
// such as a log of the kernel.
const patience = 2 * time.Second

// read shows lines of one file (seed 5, S8.6, S8.10).
func (d *Docs) read(ctx context.Context, g Gate, args surface.Args) (reply, error) {
	p, want, err := d.readPlace(args)
	if err != nil {
		return reply{}, err
	}
	if isDir(p.real) {
		return d.readDir(ctx, g, p, want)
	}
	if err := d.permit(ctx, g, &p); err != nil {
		return reply{}, err
	}
	f, st, err := openRegular(p.real)
	if err != nil {
		return reply{}, d.readFault(p.real, err)
	}
	defer f.Close()
	if st.Size == 0 { // an error means that it never waits
		_ = f.SetReadDeadline(time.Now().Add(patience))
	}
	r := reading{d: d, real: p.real, want: want, size: st.Size}
	if err := r.load(ctx, f, st); err != nil {
		return reply{}, err
	}
	return r.reply()
}

// readPlace is the file and the lines a read asks for. A file whose literal name
// looks like a selector wins over the selector.
func (d *Docs) readPlace(args surface.Args) (place, doc.Want, error) {
	path := args.Str("path", "")
	want, err := wantOf(args)
	if err != nil {
		return place{}, want, err
	}
	base, selected, selects, fault := doc.Selector(path)
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
	case len(selected.Spans) > 0 && (want.Offset != 0 || len(want.Spans) > 0):
		return p, want, fmt.Errorf("%s: give the lines once, as a selector or as line and limit, and no offset with them", shown(path))
	}
	want.Raw, want.Context = selected.Raw, true
	if len(selected.Spans) > 0 {
		want.Spans = selected.Spans
	}
	return p, want, nil
}

func exists(real string) bool {
	_, err := os.Lstat(real)
	return err == nil
}

func isDir(real string) bool {
	st, err := os.Lstat(real)
	return err == nil && st.IsDir()
}

func wantOf(args surface.Args) (doc.Want, error) {
	want := doc.Want{Bytes: PageBytes, MaxRows: pageRows, Offset: args.Int("offset", 0)}
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
	case !hasLine && !hasLimit:
		return want, nil
	}
	s := doc.Span{From: max(1, line)}
	if hasLimit {
		s.To = s.From - 1 + min(limit, 1<<40)
	}
	want.Spans = []doc.Span{s}
	return want, nil
}

// readDir answers a read of a directory with its names: the gate judges it as a
// listing, which it is.
func (d *Docs) readDir(ctx context.Context, g Gate, p place, want doc.Want) (reply, error) {
	if want.Offset != 0 || want.Raw || len(want.Spans) > 0 {
		return reply{}, fmt.Errorf("%s is a directory and has no lines; list it with list_dir", d.rel(p.real))
	}
	names, err := d.list(ctx, g, surface.Args{"path": p.asked})
	if err != nil {
		return reply{}, err
	}
	head := fmt.Sprintf("[%s is a directory; these are its names, as list_dir shows them]\n", d.rel(p.real))
	return plain(head + string(names.text)), nil
}

func (d *Docs) readFault(real string, err error) error {
	var kind notRegular
	switch {
	case errors.As(err, &kind) && kind == "a directory":
		return fmt.Errorf("%s is a directory; use list_dir or glob on it", d.rel(real))
	case errors.As(err, &kind):
		return fmt.Errorf("%s is %s, not a regular file, and was not opened; use bash if you must read it", d.rel(real), string(kind))
	case errors.Is(err, errMoved) && within(real, "/proc/self"): // the name of every process's own directory
		return fmt.Errorf("%s shows the process that asks, so it was not opened; use bash to look at a process", d.rel(real))
	}
	return d.fault(real, err, "look for it with glob or list_dir")
}

// reading is one read under way.
type reading struct {
	d    *Docs
	real string
	want doc.Want
	// size is the file's size as the system gives it: 0 also for a file that is made
	// while it is read.
	size  int64
	view  doc.View
	facts doc.Facts
	// whole is the file's bytes when it was taken whole.
	whole []byte
	// version names the bytes that were read.
	version uint64
	// picture says what the file is when it is an image, which is not shown.
	picture string
}

// load takes a file of up to SnapshotBytes whole, judges it and names its version; of
// a larger one it takes what the view needs.
func (r *reading) load(ctx context.Context, f io.Reader, st unix.Stat_t) error {
	if st.Size > SnapshotBytes {
		return r.stream(ctx, f, st)
	}
	b, err := io.ReadAll(io.LimitReader(f, SnapshotBytes+1))
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return fmt.Errorf("%s gave no end within %v: its bytes come when there are some; use bash with a timeout", r.d.rel(r.real), patience)
	case err != nil:
		return r.d.fault(r.real, err, "try again")
	case len(b) > SnapshotBytes:
		return r.stream(ctx, io.MultiReader(bytes.NewReader(b), f), st)
	}
	s := doc.Show(b, r.want)
	if s.Refused {
		return r.refuse(s.Content, b, nil)
	}
	r.whole, r.version, r.view, r.facts = b, digest(b), s.View, s.Facts
	return nil
}

// stream goes through a large file until the view is full. Its memory does not depend
// on the file's size, and nothing is read behind the chunk that ends the view.
func (r *reading) stream(ctx context.Context, f io.Reader, st unix.Stat_t) error {
	r.version, r.facts = identity(st), doc.Facts{Lines: -1, Large: true}
	rows := doc.NewRows(r.want)
	buf := make([]byte, firstChunk)
	n, err := io.ReadFull(f, buf)
	if c := doc.Sniff(buf[:n], true); c.Encoding != doc.UTF8 {
		if r.facts.Garbled = true; !r.want.Raw {
			return r.refuse(c, buf[:n], f)
		}
	}
	more := rows.Feed(buf[:n])
	for buf = make([]byte, nextChunk); more && err == nil; {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		n, err = f.Read(buf)
		more = rows.Feed(buf[:n])
	}
	switch {
	case !more:
		r.view = rows.View()
	case err == io.EOF || err == io.ErrUnexpectedEOF:
		r.view = rows.End()
		r.facts.Lines = r.view.Lines
	default:
		return r.d.fault(r.real, err, "try again")
	}
	return r.shownText()
}

// shownText judges the rows of a large file, whose bytes were not all judged.
func (r *reading) shownText() error {
	var text strings.Builder
	for _, row := range r.view.Rows {
		text.WriteString(row.Text)
	}
	c := doc.Sniff([]byte(text.String()), false)
	switch {
	case c.Encoding == doc.UTF8:
		return nil
	case r.want.Raw:
		r.facts.Garbled = true
		return nil
	}
	first := r.view.Rows[0].Line
	last := r.view.Rows[len(r.view.Rows)-1].Line
	return fmt.Errorf("%s, in its lines %d to %d, is not text (%s), so they are not shown; use bash", r.d.rel(r.real), first, last, c.Encoding)
}

// refuse answers for bytes that are no text: an image is named, all else is refused.
func (r *reading) refuse(c doc.Content, head []byte, rest io.Reader) error {
	name := r.d.rel(r.real)
	p, is := lookAt(head, rest)
	if is {
		r.picture = p.says(name, max(r.size, int64(len(head))))
		return nil
	}
	but := ""
	if kind := namedPicture(r.real); kind != "" {
		but = ", not the " + kind + " image that its name tells of"
	}
	return fmt.Errorf("%s %s%s, so it is not shown; use bash, for instance with iconv, file or xxd, or read it as %s:raw", name, c.Fault(), but, name)
}

// deed is how much of the file the result shows (law partial_refuses_write).
func (r *reading) deed() guard.Deed {
	if r.view.Whole(r.facts) {
		return guard.ReadWhole
	}
	return guard.ReadPart
}
