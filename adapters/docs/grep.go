package docs

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"

	"tenet/core/call"
	"tenet/core/doc"
	"tenet/core/guard"
	"tenet/core/pathpolicy"
	"tenet/core/surface"
)

// The limits of one grep's result.
const (
	// grepBytes bounds the text of one page, below the bound of every tool's output,
	// so that no row is lost between this page and the next.
	grepBytes = 44 << 10
	// maxContext bounds the lines of context.
	maxContext = 10
	// maxSkip bounds how far a continuation goes.
	maxSkip = 100_000
	// countOn is how long a grep goes on counting after its page is full.
	countOn = time.Second
)

// grep searches files for lines that match (seed 5, S8.9).
func (d *Docs) grep(ctx context.Context, g Gate, args surface.Args) (reply, error) {
	q, err := d.query(args)
	if err != nil {
		return reply{}, err
	}
	if err := d.permit(ctx, g, pointers(q.places)...); err != nil {
		return reply{}, err
	}
	limited, cancel := context.WithTimeout(ctx, d.deadline)
	defer cancel()
	r := &report{d: d, query: q, text: &strings.Builder{}}
	if err := d.searchAll(limited, q, r); err != nil {
		return reply{}, err
	}
	r.timedOut = limited.Err() != nil && ctx.Err() == nil
	text, err := r.result()
	return plain(text), err
}

// pointers are the places of a call as permit moves them.
func pointers(places []place) []*place {
	out := make([]*place, len(places))
	for i := range places {
		out[i] = &places[i]
	}
	return out
}

// query is one checked grep.
type query struct {
	pattern *pattern
	text    string
	places  []place
	glob    string
	context int
	page    doc.Page
	ignored bool // ignored files are searched too
}

func (d *Docs) query(args surface.Args) (query, error) {
	q := query{text: args.Str("pattern", ""), glob: args.Str("glob", ""), ignored: args.Bool("no_ignore")}
	var err error
	if q.pattern, err = newPattern(args); err != nil {
		return q, err
	}
	if q.glob != "" && !doublestar.ValidatePattern(q.glob) {
		return q, fmt.Errorf("the glob %q is not valid; write for example *.go or src/**/*.{ts,tsx}", q.glob)
	}
	context, skip := args.Int("context", 0), args.Int("skip", 0)
	switch {
	case context < 0 || context > maxContext:
		return q, fmt.Errorf("context is %d; it counts the lines to show around a match, 0 to %d", context, maxContext)
	case skip < 0 || skip > maxSkip:
		return q, fmt.Errorf("skip is %d; it counts the matches to leave out, 0 to %d; use a narrower pattern, path or glob", skip, maxSkip)
	}
	q.context, q.page = int(context), doc.Page{Skip: int(skip), Size: Matches}
	q.places, err = d.roots(args)
	return q, err
}

// roots are the places a grep searches, each once: a path inside another one named is
// left out, so that no match is shown twice.
func (d *Docs) roots(args surface.Args) ([]place, error) {
	paths := args.List("paths")
	if p := args.Str("path", ""); p != "" {
		paths = append([]string{p}, paths...)
	}
	if len(paths) == 0 {
		paths = []string{"."}
	}
	var out []place
	for _, path := range paths {
		p, err := d.place(path, pathpolicy.Searching)
		if err != nil {
			return nil, err
		}
		out = add(out, p)
	}
	return out, nil
}

func add(places []place, p place) []place {
	kept := places[:0:0]
	for _, o := range places {
		if within(p.real, o.real) {
			return places
		}
		if !within(o.real, p.real) {
			kept = append(kept, o)
		}
	}
	return append(kept, p)
}

// report puts the results together as they come, in the order of the files.
type report struct {
	d     *Docs
	query query
	text  *strings.Builder
	skips doc.Skips
	// files counts the files searched, matches and matched the matching lines and the
	// files they are in, shown the rows with a match.
	files, matches, matched, shown int
	full                           bool
	timedOut, stopped              bool
}

// take adds one file. It says whether more rows fit.
func (r *report) take(j job, f found, again func(keep) found) {
	if f.skipped {
		r.skips.Add(f.skip, r.d.rel(j.real))
		if f.skip != doc.LongLine {
			return
		}
	}
	r.files++
	if f.matches == 0 {
		return
	}
	name := r.d.rel(j.real)
	if !r.allowed(j) {
		r.files--
		r.skips.Add(doc.SecretFile, name)
		return
	}
	before := r.matches
	r.matches += f.matches
	r.matched++
	if r.full || r.matches <= r.query.page.Skip {
		return
	}
	k := keep{skip: max(0, r.query.page.Skip-before), n: Matches - r.shown}
	if k.skip > 0 {
		if f = again(k); f.skipped && f.skip != doc.LongLine {
			return
		}
	}
	r.d.seen.saw(j.real, guard.ReadPart, f.version, 0)
	r.rows(name, f.rows)
}

// allowed keeps a walk from showing a secret that only its name tells: the search was
// judged by its root.
func (r *report) allowed(j job) bool {
	if j.root.effects.Has(call.Secret) || j.real == j.root.real {
		return true
	}
	_, effects := r.d.judge.Access(r.d.root, j.real, pathpolicy.Reading)
	return !effects.Has(call.Secret)
}

// rows adds a file's rows until the page is full.
func (r *report) rows(name string, rows []row) {
	last := 0
	for i, w := range rows {
		mark := byte('-')
		if w.match {
			mark = ':'
		}
		line := fmt.Sprintf("%s%c%d%c%s\n", name, mark, w.line, mark, w.text)
		gap := r.query.context > 0 && r.text.Len() > 0 && (last == 0 || w.line > last+1)
		if w.match && (r.shown == Matches || r.text.Len()+len(line) > grepBytes && r.shown > 0) {
			r.full = true
			return
		}
		if gap {
			r.text.WriteString("--\n")
		}
		r.text.WriteString(line)
		last = rows[i].line
		if w.match {
			r.shown++
		}
	}
	r.full = r.shown == Matches
}

func (r *report) result() (string, error) {
	var tail []string
	skip := r.query.page.Skip
	switch {
	case r.matches == 0 && !r.timedOut:
		tail = append(tail, fmt.Sprintf("[no line matches %q in %s]", r.query.text, count(int64(r.files), "file")))
	case r.shown == 0 && skip > 0 && !r.timedOut:
		tail = append(tail, fmt.Sprintf("[skip=%d is past the end: %s in %s]", skip, matches(r.matches), count(int64(r.matched), "file")))
	case r.matches > skip+r.shown:
		least := ""
		if r.stopped || r.timedOut {
			least = "at least "
		}
		tail = append(tail, fmt.Sprintf("[matches %d-%d of %s%d, in %s%s; go on with skip=%d, or use a narrower pattern, path or glob]",
			skip+1, skip+r.shown, least, r.matches, least, count(int64(r.matched), "file"), skip+r.shown))
	}
	if r.timedOut {
		tail = append(tail, fmt.Sprintf("[stopped after %v with %s searched, the others were not; use a narrower path or glob]", r.d.deadline, count(int64(r.files), "file")))
	}
	if n := r.skips.Notice(); n != "" {
		tail = append(tail, n)
	}
	return r.text.String() + strings.Join(tail, "\n"), nil
}

func matches(n int) string {
	if n == 1 {
		return "1 match"
	}
	return fmt.Sprintf("%d matches", n)
}

// rootFault says why a place that was named cannot be searched.
func (d *Docs) rootFault(real string, err error) error {
	var kind notRegular
	if errors.As(err, &kind) {
		return fmt.Errorf("%s is %s and was not opened; search a file or a directory", d.rel(real), string(kind))
	}
	return d.fault(real, err, "look for it with glob or list_dir")
}

// scope reports whether a walk searches the file: the glob looks at the name, or at
// the path below the place when it has a slash.
func (q query) scope(path string) bool {
	if q.glob == "" {
		return true
	}
	if !strings.Contains(q.glob, "/") {
		path = filepath.Base(path)
	}
	ok, _ := doublestar.Match(q.glob, path)
	return ok
}
