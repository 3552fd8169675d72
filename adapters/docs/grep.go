package docs

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"

	"tenet/core/doc"
	"tenet/core/doc/scan"
	"tenet/core/pathpolicy"
	"tenet/core/surface"
)

// The limits of one grep's result.
const (
	// grepBytes bounds the rows of one page, below the bound of every tool's output,
	// so that no row is lost between this page and the next.
	grepBytes = 44 << 10
	// maxContext bounds the lines of context.
	maxContext = 10
	// maxSkip bounds how far a continuation goes.
	maxSkip = 100_000
	// countOn is how long a grep goes on counting after its page is full.
	countOn = 300 * time.Millisecond
)

// grep searches files for lines that match (seed 5, S8.9).
func (d *Docs) grep(ctx context.Context, g Gate, args surface.Args) (reply, error) {
	q, err := d.query(args)
	if err != nil {
		return reply{}, err
	}
	places := make([]*place, len(q.roots))
	for i := range q.roots {
		places[i] = &q.roots[i].place
	}
	if err := d.permit(ctx, g, places...); err != nil {
		return reply{}, err
	}
	limited, cancel := context.WithTimeout(ctx, d.deadline)
	defer cancel()
	h, err := d.hunt(limited, q)
	if err != nil {
		return reply{}, err
	}
	return d.grepPage(limited, q, h)
}

// query is one checked grep.
type query struct {
	pattern     *scan.Pattern
	text        string
	roots       []root
	filter      filter
	context     int
	skip, limit int
	ignored     bool // ignored files are searched too
}

// root is a place to search, and the lines of it when it is one file; no lines are all.
type root struct {
	place
	lines []doc.Span
}

func (d *Docs) query(args surface.Args) (query, error) {
	q := query{text: args.Str("pattern", ""), ignored: args.Bool("no_ignore")}
	var err error
	if q.pattern, err = newPattern(args); err != nil {
		return q, err
	}
	if q.filter, err = newFilter(args.Str("glob", ""), args.Str("type", "")); err != nil {
		return q, err
	}
	context, skip, limit := args.Int("context", 0), args.Int("skip", 0), args.Int("limit", 0)
	_, limited := args["limit"]
	switch {
	case context < 0 || context > maxContext:
		return q, fmt.Errorf("context is %d; it counts the lines to show around a match, 0 to %d", context, maxContext)
	case skip < 0 || skip > maxSkip:
		return q, fmt.Errorf("skip is %d; it counts the files with matches to leave out, 0 to %d; use a narrower pattern, path or glob", skip, maxSkip)
	case limited && (limit < 1 || limit > doc.CallMatches):
		return q, fmt.Errorf("limit is %d; it counts the matches to show, 1 to %d; skip goes on from there", limit, doc.CallMatches)
	}
	q.context, q.skip, q.limit = int(context), int(skip), int(limit)
	q.roots, err = d.roots(args)
	return q, err
}

// roots are the places a grep searches, each once: a path inside another one named is
// left out, so that no match is shown twice.
func (d *Docs) roots(args surface.Args) ([]root, error) {
	paths := args.List("paths")
	if p := args.Str("path", ""); p != "" {
		paths = append([]string{p}, paths...)
	}
	if len(paths) == 0 {
		paths = []string{"."}
	}
	var out []root
	for _, path := range paths {
		r, err := d.rootOf(path)
		if err != nil {
			return nil, err
		}
		out = add(out, r)
	}
	return out, nil
}

// rootOf is one place with the lines that its path selects. A file whose literal name
// looks like a selector wins over the selector.
func (d *Docs) rootOf(path string) (root, error) {
	base, selected, selects, fault := doc.Selector(path)
	p, err := d.place(path, pathpolicy.Searching)
	if !selects || err == nil && exists(p.real) {
		return root{place: p}, err
	}
	if p, err = d.place(base, pathpolicy.Searching); err != nil {
		return root{}, err
	}
	switch {
	case fault != "":
		return root{}, fmt.Errorf("%s: %s", shown(path), fault)
	case selected.Raw:
		return root{}, fmt.Errorf("%s: :raw is for read; a search takes lines alone, such as %s:10-", shown(path), shown(base))
	case isDir(p.real):
		return root{}, fmt.Errorf("%s: a directory has no lines; give a file with :10-20, or the directory alone", shown(path))
	}
	return root{place: p, lines: selected.Spans}, nil
}

// wholeFile reports whether the root is a file without a selection of its lines.
func (r root) wholeFile() bool {
	st, err := os.Lstat(r.real)
	return err == nil && st.Mode().IsRegular() && len(r.lines) == 0
}

// add adds a place unless it lies in one that is there, and drops those that lie in it.
// Two selections of one file are joined. A file that is named whole beside its directory
// stays: the directory's search may leave it out, and what is named is searched.
func add(roots []root, r root) []root {
	kept := roots[:0:0]
	for _, o := range roots {
		switch {
		case o.real == r.real && len(o.lines) > 0 && len(r.lines) > 0:
			r.lines = doc.Merge(append(append([]doc.Span(nil), o.lines...), r.lines...))
		case within(r.real, o.real):
			if o.real == r.real && len(o.lines) > 0 {
				continue
			}
			if o.real == r.real || !r.wholeFile() {
				return roots
			}
			kept = append(kept, o)
		case !within(o.real, r.real) || o.wholeFile():
			kept = append(kept, o)
		}
	}
	return append(kept, r)
}

// filter says which files of a directory are searched.
type filter struct {
	// glob looks at the name, or at the path below the place when it has a slash;
	// suffix is set instead for *text.
	glob, suffix string
	typed        bool
	endings      []string
}

func newFilter(glob, kind string) (f filter, err error) {
	if glob != "" && !doublestar.ValidatePattern(glob) {
		return f, fmt.Errorf("the glob %q is not valid; write for example *.go or src/**/*.{ts,tsx}", glob)
	}
	f.glob = glob
	if rest, ok := strings.CutPrefix(glob, "*"); ok && rest != "" && !strings.ContainsAny(rest, `*?[]{}\/`) {
		f.glob, f.suffix = "", rest
	}
	if kind != "" {
		if f.endings, f.typed = doc.FileType(kind); !f.typed {
			return f, fmt.Errorf("there is no file type %q; use a glob such as *.%s, or one of: %s", kind, shown(kind), strings.Join(doc.FileTypes(), " "))
		}
	}
	return f, nil
}

// takes reports whether a file is searched, by its path below the place.
func (f *filter) takes(path string) bool {
	if f.glob == "" && f.suffix == "" && !f.typed {
		return true
	}
	name := filepath.Base(path)
	if f.typed && !doc.OfType(name, f.endings) || !strings.HasSuffix(name, f.suffix) {
		return false
	}
	if f.glob == "" {
		return true
	}
	if strings.Contains(f.glob, "/") {
		name = path
	}
	ok, _ := doublestar.Match(f.glob, name)
	return ok
}

// rootFault says why a place that was named cannot be searched.
func (d *Docs) rootFault(real string, err error) error {
	var kind notRegular
	if errors.As(err, &kind) {
		return fmt.Errorf("%s is %s and was not opened; search a file or a directory", d.rel(real), string(kind))
	}
	return d.fault(real, err, "look for it with glob or list_dir")
}
