package docs

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/bmatcuk/doublestar/v4"
	"golang.org/x/sys/unix"

	"tenet/adapters/docs/tree"
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
	root, err := openDir(q.place.real)
	if errors.Is(err, unix.ENOTDIR) {
		return reply{}, fmt.Errorf("%s is a file, not a directory; read it, or give the directory to search", d.rel(q.place.real))
	}
	if err != nil {
		return reply{}, d.fault(q.place.real, err, "look at the directories with list_dir")
	}
	defer root.Close()
	limited, cancel := context.WithTimeout(ctx, d.deadline)
	defer cancel()
	s := newGlobSearch(q)
	o := tree.Options{Root: int(root.Fd()), Ignoring: !q.ignored, Dirs: true, Links: true, Visit: s.visit, Enter: q.pattern.below}
	o.Rules, o.Prefix = d.rules(q.place.real)
	result := tree.Walk(limited, o)
	return plain(d.globResult(s, &result)), nil
}

// globQuery is one checked glob: the directory that the fixed start of the pattern
// names, and the rest of the pattern.
type globQuery struct {
	place   place
	text    string
	pattern globPattern
	page    doc.Page
	ignored bool
}

func (d *Docs) globQuery(args surface.Args) (globQuery, error) {
	q := globQuery{text: args.Str("pattern", ""), ignored: args.Bool("no_ignore")}
	limit, skip := args.Int("limit", Paths), args.Int("skip", 0)
	switch {
	case q.text == "":
		return q, errors.New("the pattern is empty; write for example **/*.go")
	case !doublestar.ValidatePattern(q.text):
		return q, fmt.Errorf("the pattern %q is not valid (a bracket or brace is not closed); write for example src/**/*.{ts,tsx}", q.text)
	case limit < 1:
		return q, fmt.Errorf("limit is %d; it counts the paths to show, 1 to %d", limit, Paths)
	case skip < 0 || skip > maxSkip:
		return q, fmt.Errorf("skip is %d; it counts the paths to leave out, 0 to %d; use a narrower pattern", skip, maxSkip)
	}
	q.page = doc.GlobPage(int(min(limit, Paths)), int(skip))
	return q, d.globPlace(&q, args.Str("path", ""))
}

// globPlace splits the pattern into the directory to walk and what is matched below it.
func (d *Docs) globPlace(q *globQuery, dir string) error {
	text := strings.TrimRight(q.text, "/")
	if text == "" {
		text = "/"
	}
	base, rest := doublestar.SplitPattern(text)
	if slices.Contains(strings.Split(rest, "/"), "..") {
		return fmt.Errorf("the pattern %q has .. behind a wildcard; name the directory as path and match below it", q.text)
	}
	rest = strings.TrimPrefix(filepath.Clean("/"+rest), "/")
	if dir != "" && !filepath.IsAbs(base) {
		base = dir + "/" + base
	}
	q.pattern = newGlobPattern(rest, len(text) < len(q.text))
	var err error
	if q.place, err = d.place(base, pathpolicy.Listing); err != nil {
		return err
	}
	switch real := q.place.real; {
	case real == "/":
		return errors.New("a glob of the whole machine would not end; start the pattern, or path, in a directory, such as /etc/**/*.conf")
	case slices.Contains(strings.Split(real, "/"), ".git"):
		return fmt.Errorf("%s is inside .git, which glob never lists; use list_dir, or git itself", d.rel(real))
	}
	return nil
}

// globSearch takes what a walk visits, from all its workers.
type globSearch struct {
	globQuery
	mu   sync.Mutex
	rank *doc.Newest
	// matched counts the paths that match, skips those that were gone again.
	matched int
	skips   doc.Skips
}

func newGlobSearch(q globQuery) *globSearch {
	return &globSearch{globQuery: q, rank: doc.NewNewest(q.page)}
}

// visit looks at the time of an entry that matches. Its path is spelled only when it
// can be on the page.
func (s *globSearch) visit(_ int, e *tree.Entry) bool {
	dir := e.Kind == tree.Dir
	if !s.pattern.matches(e.Path(), dir) {
		return true
	}
	var st unix.Stat_t
	err := e.Stat(&st)
	s.mu.Lock()
	defer s.mu.Unlock()
	switch time := st.Mtim.Nano(); {
	case errors.Is(err, unix.ENOENT):
		s.skips.Tally(doc.Vanished)
	case err != nil:
		s.skips.Add(doc.Unreadable, strings.Clone(e.Path()))
	default:
		s.matched++
		if s.rank.Asks(time) {
			s.rank.Add(doc.Found{Path: strings.Clone(e.Path()), Time: time, Dir: dir})
		}
	}
	return true
}

func (d *Docs) globResult(s *globSearch, walked *tree.Result) string {
	page := s.rank.Page()
	var b strings.Builder
	for _, p := range page.Paths {
		b.WriteString(d.rel(filepath.Join(s.place.real, p.Path)))
		if p.Dir {
			b.WriteByte('/')
		}
		b.WriteByte('\n')
	}
	tail := d.globEnd(s, page, walked)
	skips := walked.Skips
	skips.Merge(s.skips)
	if n := skips.Notice(); n != "" {
		tail = append(tail, n)
	}
	return b.String() + strings.Join(tail, "\n")
}

// globEnd says what is behind the page.
func (d *Docs) globEnd(s *globSearch, page doc.Listing, walked *tree.Result) (tail []string) {
	switch {
	case s.matched == 0 && walked.Done && !strings.Contains(s.text, "/"):
		tail = append(tail, fmt.Sprintf("[nothing matches %q directly in %s; to look at any depth write **/%s]", s.text, d.rel(s.place.real), s.text))
	case s.matched == 0 && walked.Done:
		tail = append(tail, fmt.Sprintf("[nothing matches %q]", s.text))
	case page.Past > 0:
		tail = append(tail, fmt.Sprintf("[skip=%d is past the end: %s]", s.page.Skip, count(int64(page.Past), "path")))
	case page.Next > 0:
		tail = append(tail, fmt.Sprintf("[paths %d-%d of %d; go on with skip=%d]", s.page.Skip+1, s.page.Skip+len(page.Paths), s.matched, page.Next))
	}
	if !walked.Done {
		tail = append(tail, fmt.Sprintf("[stopped after %v and %d entries, what is listed is the newest of those; use a narrower path or pattern]", d.deadline, walked.Entries))
	}
	return tail
}
