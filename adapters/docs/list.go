package docs

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/sys/unix"

	"tenet/adapters/docs/tree"
	"tenet/core/doc"
	"tenet/core/pathpolicy"
	"tenet/core/surface"
)

// list shows one level of names (seed 5). A link is shown with where it points and is
// not followed.
func (d *Docs) list(ctx context.Context, g Gate, args surface.Args) (reply, error) {
	skip := args.Int("skip", 0)
	if skip < 0 || skip > maxSkip {
		return reply{}, fmt.Errorf("skip is %d; it counts the names to leave out, 0 to %d", skip, maxSkip)
	}
	p, err := d.place(args.Str("path", "."), pathpolicy.Listing)
	if err != nil {
		return reply{}, err
	}
	if err := d.permit(ctx, g, &p); err != nil {
		return reply{}, err
	}
	dir, err := openDir(p.real)
	if errors.Is(err, unix.ENOTDIR) {
		return reply{}, fmt.Errorf("%s is a file, not a directory; use read on it", d.rel(p.real))
	}
	if err != nil {
		return reply{}, d.fault(p.real, err, "look at the directory above it")
	}
	defer dir.Close()
	limited, cancel := context.WithTimeout(ctx, d.deadline)
	defer cancel()
	r := doc.NewRanking(doc.Page{Skip: int(skip), Size: Names}, func(a, b string) bool { return a < b })
	done, err := tree.Names(limited, int(dir.Fd()), r.Add)
	if err != nil {
		return reply{}, d.fault(p.real, err, "try again")
	}
	l := listing{d: d, dir: int(dir.Fd()), name: d.rel(p.real), skip: int(skip)}
	l.total = r.Seen()
	l.names, l.left = r.Page()
	return plain(l.text(done)), nil
}

// listing is one page of a directory's names.
type listing struct {
	d *Docs
	// dir is the open directory, name what the reply calls it.
	dir  int
	name string
	// names are those of the page: skip names stand before them, left behind them, and
	// there are total.
	names             []string
	skip, left, total int
}

func (l *listing) text(done bool) string {
	var b strings.Builder
	var skips doc.Skips
	for _, name := range l.names {
		if mark, ok := l.mark(name, &skips); ok {
			b.WriteString(shown(name) + mark + "\n")
		}
	}
	tail := l.end(done)
	if n := skips.Notice(); n != "" {
		tail = append(tail, n)
	}
	return b.String() + strings.Join(tail, "\n")
}

// end says what is behind the page.
func (l *listing) end(done bool) (tail []string) {
	switch {
	case l.total == 0 && done:
		tail = append(tail, fmt.Sprintf("[%s is an empty directory]", l.name))
	case len(l.names) == 0:
		tail = append(tail, fmt.Sprintf("[skip=%d is past the end: %s has %s]", l.skip, l.name, count(int64(l.total), "name")))
	case l.left > 0:
		tail = append(tail, fmt.Sprintf("[names %d-%d of %d; go on with skip=%d]", l.skip+1, l.skip+len(l.names), l.total, l.skip+len(l.names)))
	}
	if !done {
		tail = append(tail, fmt.Sprintf("[stopped after %v and %s: what is listed are the first of those]", l.d.deadline, count(int64(l.total), "name")))
	}
	return tail
}

// mark says what a name is, when it is no file. ok is false for a name that is gone
// since its directory was read, which is counted.
func (l *listing) mark(name string, skips *doc.Skips) (mark string, ok bool) {
	st, err := statAt(l.dir, name)
	if errors.Is(err, unix.ENOENT) {
		skips.Tally(doc.Vanished)
		return "", false
	}
	if err != nil {
		skips.Add(doc.Unreadable, name)
		return " (cannot be looked at)", true
	}
	switch kind := kindOf(uint32(st.Mode)); kind {
	case "":
		return "", true
	case "a directory":
		return "/", true
	case "a symbolic link":
		return " -> " + shown(linkTarget(l.dir, name)), true
	default:
		return " (" + kind + ")", true
	}
}

func linkTarget(dir int, name string) string {
	buf := make([]byte, 4096)
	n, err := unix.Readlinkat(dir, name, buf)
	if err != nil {
		return "?"
	}
	return string(buf[:n])
}
