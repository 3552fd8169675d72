package docs

import (
	"context"
	"fmt"
	"unicode/utf8"

	"golang.org/x/sys/unix"

	"tenet/core/call"
	"tenet/core/doc"
	"tenet/core/guard"
)

// found is what the search of one file of the page gave.
type found struct {
	real, name string
	facts      doc.FileFacts
	matches    int
	groups     [][]row
	next       int64
	// version is that of the very bytes that were searched, tag their short name; a
	// large file and one that is no UTF-8 have none.
	version uint64
	tag     string
	large   bool
}

// rowBytes is room for the number and the marks of a row. No row counts as less than
// leastRow: so many of them fill a page that the bound of lines is never met either.
const (
	rowBytes = 16
	leastRow = grepBytes / 1900
)

// sizes are the bytes of each match with its context, and a gap before it.
func (f *found) sizes() []int {
	out := make([]int, len(f.groups))
	for i, rows := range f.groups {
		out[i] = leastRow
		for _, r := range rows {
			out[i] += max(leastRow, len(r.text)+rowBytes)
		}
	}
	return out
}

// cut keeps the first matches.
func (f *found) cut(n int) {
	if n >= len(f.groups) {
		return
	}
	for _, r := range f.groups[n] {
		if r.match {
			f.next = r.line
		}
	}
	f.groups = f.groups[:n]
}

// grepPage shows what a search found.
func (d *Docs) grepPage(ctx context.Context, q query, h *hunt) (r reply, err error) {
	s := newSearcher(ctx, q)
	var total, shown int
	if h.scope.Several {
		total, shown = d.filesPage(&r, s, h)
	} else if total, err = d.filePage(&r, s, h, q.roots[0]); err != nil {
		return reply{}, err
	} else {
		shown, h.searched = total, 1
	}
	d.tail(&r, h, total, shown)
	return r, nil
}

// filePage shows the matches of the one file that a search is about.
func (d *Docs) filePage(r *reply, s *searcher, h *hunt, root root) (total int, err error) {
	f, err := d.fetch(s, root, root.real, h.scope.Fetch(), true)
	if err != nil {
		return 0, d.rootFault(root.real, err)
	}
	if fate, skip := f.facts.Fate(); fate == doc.Passed || fate == doc.Partly {
		h.skips.Add(skip, f.name)
	}
	if f.matches == 0 {
		return 0, nil
	}
	f.cut(doc.Fit([][]int{f.sizes()}, grepBytes)[0])
	d.group(r, h, f)
	return 1, nil
}

// filesPage reads the files of the page again and shows them. The tag of each is that
// of the bytes whose rows it shows (S8.7). A file without a match any more keeps its
// place on the page, and is told.
func (d *Docs) filesPage(r *reply, s *searcher, h *hunt) (total, shown int) {
	paths, total := h.hits.Page()
	shares := d.shares(s, h, paths)
	for i, real := range paths {
		if shares[i] == 0 {
			break
		}
		shown++
		f, _ := d.fetch(s, h.named[real], real, shares[i], true)
		if f.matches == 0 {
			h.skips.Add(doc.Vanished, f.name)
			continue
		}
		d.group(r, h, f)
	}
	return total, shown
}

// shares decides how many matches of each file are shown.
func (d *Docs) shares(s *searcher, h *hunt, paths []string) []int {
	counts, sizes := make([]int, len(paths)), make([][]int, len(paths))
	for i, real := range paths {
		f, _ := d.fetch(s, h.named[real], real, h.scope.Fetch(), false)
		counts[i], sizes[i] = max(1, f.matches), append(f.sizes(), make([]int, 1)...)
		sizes[i][0] += len(real) + rowBytes
	}
	shares := h.scope.Share(counts)
	for i, n := range shares {
		sizes[i] = sizes[i][:n]
	}
	return doc.Fit(sizes, grepBytes)
}

// fetch searches one file of the page. It takes want matches as rows; all says that it
// counts the others too, and keeps the text that the rows come from.
func (d *Docs) fetch(s *searcher, r root, real string, want int, all bool) (*found, error) {
	f := &found{real: real, name: d.rel(real)}
	file, st, err := openRegular(real)
	if err != nil {
		f.facts.Gone = gone(err)
		f.facts.Unreadable = !f.facts.Gone
		return f, err
	}
	defer file.Close()
	f.facts.Size, f.facts.Named = st.Size, true
	t := tally{s: s, want: want, lines: r.lines}
	var text []byte
	s.pieces(int(file.Fd()), st.Size, &f.facts, func(p piece) bool {
		more := t.search(p)
		f.large = f.large || !p.last
		text = p.b
		return more && (all || t.matches < want)
	})
	f.matches, f.groups, f.next = t.matches, t.groups, t.next
	if f.facts.Binary || f.facts.Unreadable {
		f.matches, f.groups = 0, nil
	}
	if all && f.matches > 0 {
		d.name(f, text, st)
	}
	return f, nil
}

// name gives a file its version and its tag, and keeps the text that they name.
func (d *Docs) name(f *found, text []byte, st unix.Stat_t) {
	f.version = identity(st)
	if !f.large {
		f.version = digest(text)
		if utf8.Valid(text) {
			f.tag = d.seen.record(f.real, text).Tag
		}
	}
	d.seen.saw(f.real, guard.ReadPart, f.version, 0)
}

// group shows the rows of one file under its header, and what is missing of it.
func (d *Docs) group(r *reply, h *hunt, f *found) {
	r.header(d.inHeader(f.real), f.tag)
	last, shown := int64(0), len(f.groups)
	for _, group := range f.groups {
		for _, row := range group {
			if h.q.context > 0 && last > 0 && row.line > last+1 {
				r.line(gapRow)
			}
			mark := " "
			if row.match {
				mark = "*"
			}
			r.row(f.real, f.version, mark, row.line, row.text, row.whole && f.tag != "")
			last = row.line
		}
	}
	switch {
	case f.large:
		r.line(fmt.Sprintf("[%s is over 4 MiB and has no tag: read it in ranges, change it with write or a command]", f.name))
	case f.tag == "":
		r.line(fmt.Sprintf("[%s is not UTF-8 and has no tag; what is not shows as U+FFFD]", f.name))
	}
	if doc.CutAt(f.matches, shown) {
		r.line(fmt.Sprintf("[%d of %s in %s; the path \"%s:%d-\" goes on]", shown, matches(f.matches), f.name, f.name, f.next))
	}
}

func matches(n int) string {
	if n == 1 {
		return "1 match"
	}
	return fmt.Sprintf("%d matches", n)
}

// tail tells how the search goes on, and what it left out.
func (d *Docs) tail(r *reply, h *hunt, total, shown int) {
	page, skip := h.scope.Continue(total, shown), h.scope.Skip
	cut := h.ctx.Err() != nil
	least := ""
	if h.skips.Count(doc.AfterPage) > 0 {
		least = "at least "
	}
	switch {
	case cut:
		r.line(fmt.Sprintf("[stopped after %v with %s searched, the others were not: there may be more matches, before these too; use a narrower path or glob]", d.deadline, count(int64(h.searched), "file")))
	case total == 0:
		r.line(fmt.Sprintf("[no line matches %q in %s]", call.Visible(h.q.text), count(int64(h.searched), "file")))
	case shown == 0:
		r.line(fmt.Sprintf("[skip=%d is past the end by %d: %s with matches]", skip, page.Past, count(int64(total), "file")))
	case page.Next > 0:
		r.line(fmt.Sprintf("[files %d-%d of %s%d with matches; go on with skip=%d, or use a narrower pattern, path or glob]", skip+1, page.Next, least, total, page.Next))
	}
	if !h.scope.Several && h.q.skip > 0 {
		r.line(fmt.Sprintf("[skip=%d was not used: it counts files, and this is one; go on in it with a path such as %s:100-]", h.q.skip, d.rel(h.q.roots[0].real)))
	}
	if n := h.skips.Notice(); n != "" {
		r.line(n)
	}
}
