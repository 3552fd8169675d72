package docs

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"golang.org/x/sys/unix"

	"tenet/core/doc"
	"tenet/core/pathpolicy"
	"tenet/core/surface"
)

// glob lists the paths that match a pattern, the newest first (S8.9).
func (d *Docs) glob(ctx context.Context, g Gate, args surface.Args) (reply, error) {
	q, err := d.globQuery(args)
	if err != nil {
		return reply{}, err
	}
	if err := d.permit(ctx, g, &q.place); err != nil {
		return reply{}, err
	}
	root, err := openTree(q.place.real)
	if errors.Is(err, unix.ENOTDIR) {
		return reply{}, fmt.Errorf("%s is a file, not a directory; read it, or give the directory to search", d.rel(q.place.real))
	}
	if err != nil {
		return reply{}, d.fault(q.place.real, err, "look at the directories with list_dir")
	}
	defer root.release()
	limited, cancel := context.WithTimeout(ctx, d.deadline)
	defer cancel()
	files, prefix := d.rulesAbove(q.place.real)
	r := doc.NewRanking(q.page, globBefore)
	w := walk{ctx: limited, prefix: prefix, ignoring: !q.ignored, links: true, visit: func(e entry) bool { q.match(e, r); return true }}
	done := w.run(root, files)
	return plain(d.globResult(q, r, &w, done)), nil
}

// globQuery is one checked glob: the directory that the fixed start of the pattern
// names, and the rest of the pattern.
type globQuery struct {
	place         place
	text, pattern string
	dirsOnly      bool
	page          doc.Page
	ignored       bool
}

func (d *Docs) globQuery(args surface.Args) (globQuery, error) {
	q := globQuery{text: args.Str("pattern", ""), ignored: args.Bool("no_ignore")}
	limit, skip := args.Int("limit", Paths), args.Int("skip", 0)
	switch {
	case q.text == "":
		return q, errors.New("the pattern is empty; write for example **/*.go")
	case !doublestar.ValidatePattern(q.text):
		return q, fmt.Errorf("the pattern %q is not valid (a bracket or brace is not closed); write for example src/**/*.{ts,tsx}", q.text)
	case limit < 1 || limit > Paths:
		return q, fmt.Errorf("limit is %d; it counts the paths to show, 1 to %d", limit, Paths)
	case skip < 0 || skip > maxSkip:
		return q, fmt.Errorf("skip is %d; it counts the paths to leave out, 0 to %d; use a narrower pattern", skip, maxSkip)
	}
	q.page = doc.Page{Skip: int(skip), Size: int(limit)}
	pattern, slash := strings.CutSuffix(q.text, "/")
	q.dirsOnly = slash
	base, rest := doublestar.SplitPattern(pattern)
	q.pattern = rest
	for part := range strings.SplitSeq(rest, "/") {
		if part == ".." {
			return q, fmt.Errorf("the pattern %q has .. behind a wildcard; name the directory as path and match below it", q.text)
		}
	}
	dir := args.Str("path", "")
	if dir != "" && !filepath.IsAbs(base) {
		base = dir + "/" + base
	}
	var err error
	q.place, err = d.place(base, pathpolicy.Listing)
	return q, err
}

// globbed is one path that matched.
type globbed struct {
	path string
	time int64
	dir  bool
}

// globBefore: newest first, then by path.
func globBefore(a, b globbed) bool {
	if a.time != b.time {
		return a.time > b.time
	}
	return a.path < b.path
}

func (q *globQuery) match(e entry, r *doc.Ranking[globbed]) {
	if q.dirsOnly && e.kind != unix.DT_DIR {
		return
	}
	if ok, _ := doublestar.Match(q.pattern, e.path); !ok {
		return
	}
	st, err := statAt(e.dir.fd, e.name)
	if err != nil {
		return // removed since its directory was read
	}
	r.Add(globbed{path: e.path, time: st.Mtim.Nano(), dir: e.kind == unix.DT_DIR})
}

func (d *Docs) globResult(q globQuery, r *doc.Ranking[globbed], w *walk, done bool) string {
	total := r.Seen()
	paths, left := r.Page()
	var b strings.Builder
	for _, p := range paths {
		b.WriteString(d.rel(filepath.Join(q.place.real, p.path)))
		if p.dir {
			b.WriteByte('/')
		}
		b.WriteByte('\n')
	}
	var tail []string
	switch {
	case total == 0 && done && !strings.Contains(q.text, "/"):
		tail = append(tail, fmt.Sprintf("[nothing matches %q directly in %s; to look at any depth write **/%s]", q.text, d.rel(q.place.real), q.text))
	case total == 0 && done:
		tail = append(tail, fmt.Sprintf("[nothing matches %q]", q.text))
	case len(paths) == 0 && total > 0:
		tail = append(tail, fmt.Sprintf("[skip=%d is past the end: %s]", q.page.Skip, count(int64(total), "path")))
	case left > 0:
		tail = append(tail, fmt.Sprintf("[paths %d-%d of %d; go on with skip=%d]", q.page.Skip+1, q.page.Skip+len(paths), total, q.page.Next()))
	}
	if !done {
		tail = append(tail, fmt.Sprintf("[stopped after %v and %d entries, what is listed is the newest of those; use a narrower path or pattern]", d.deadline, w.count))
	}
	if n := w.skips.Notice(); n != "" {
		tail = append(tail, n)
	}
	return b.String() + strings.Join(tail, "\n")
}
