package docs

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/sys/unix"

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
	dir, err := openTree(p.real)
	if errors.Is(err, unix.ENOTDIR) {
		return reply{}, fmt.Errorf("%s is a file, not a directory; use read on it", d.rel(p.real))
	}
	if err != nil {
		return reply{}, d.fault(p.real, err, "look at the directory above it")
	}
	defer dir.release()
	r := doc.NewRanking(doc.Page{Skip: int(skip), Size: Names}, func(a, b dirent) bool { return a.name < b.name })
	err = readNames(dir.fd, make([]byte, direntBytes), func(name string, kind uint8) { r.Add(dirent{name, kind}) })
	if err != nil {
		return reply{}, d.fault(p.real, err, "try again")
	}
	return plain(d.listing(p, dir, r, int(skip))), nil
}

func (d *Docs) listing(p place, dir *dirRef, r *doc.Ranking[dirent], skip int) string {
	total := r.Seen()
	names, left := r.Page()
	var b strings.Builder
	for _, e := range names {
		b.WriteString(shown(e.name) + mark(dir.fd, e) + "\n")
	}
	switch {
	case total == 0:
		return "[" + d.rel(p.real) + " is an empty directory]"
	case len(names) == 0:
		return fmt.Sprintf("[skip=%d is past the end: %s has %s]", skip, d.rel(p.real), count(int64(total), "name"))
	case left > 0:
		fmt.Fprintf(&b, "[names %d-%d of %d; go on with skip=%d]\n", skip+1, skip+len(names), total, skip+len(names))
	}
	return b.String()
}

// mark says what a name is, when it is no file.
func mark(dir int, e dirent) string {
	st, err := statAt(dir, e.name)
	if err != nil {
		return ""
	}
	switch kind := kindOf(uint32(st.Mode)); kind {
	case "":
		return ""
	case "a directory":
		return "/"
	case "a symbolic link":
		return " -> " + shown(linkTarget(dir, e.name))
	default:
		return " (" + kind + ")"
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
