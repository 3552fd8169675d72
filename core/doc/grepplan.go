package doc

// The limits of a search (S8.9).
const (
	// FileMatches is how many matches of one file a search of several files shows.
	FileMatches = 20
	// OneFileMatches is how many matches a search of one file shows.
	OneFileMatches = 200
	// PageFiles is how many files with matches are on a page.
	PageFiles = 20
	// CallMatches is how many matches a search shows of all its files together, unless
	// it asks for another limit.
	CallMatches = 200
)

// GrepScope is what a search may show at a time.
type GrepScope struct {
	// Several is true for a search of more than one file: only then Skip counts.
	Several bool
	// PerFile is the matches shown of one file, Limit those of all files together.
	PerFile, Limit int
	// Page are the files with matches that are left out and those on the page.
	Page
}

// ScopeOf decides what a search shows: it looks at several files exactly when it has
// more than one root or a root that is a directory. limit is the match limit that was
// asked for, 0 without one; a page then has one file more than matches, so that a file
// that no match was left for is known.
func ScopeOf(roots int, directory bool, skip, limit int) GrepScope {
	s := GrepScope{PerFile: OneFileMatches, Limit: CallMatches, Page: Page{Size: PageFiles}}
	if s.Several = roots > 1 || directory; s.Several {
		s.PerFile, s.Skip = FileMatches, skip
	}
	if limit > 0 {
		s.Limit, s.Size = limit, limit+1
	}
	return s
}

// Fetch is how many matches of a file on the page are needed at most: its share never
// is more.
func (s GrepScope) Fetch() int { return min(s.PerFile, s.Limit) }

// Share shares the match limit over the files of a page in turn, a match each time:
// found are the matches of each, in the order of the files. The files that get none are
// the last ones.
func (s GrepScope) Share(found []int) []int {
	shown, left := make([]int, len(found)), s.Limit
	for given := true; given && left > 0; {
		given = false
		for i, n := range found {
			if left > 0 && shown[i] < min(n, s.PerFile) {
				shown[i]++
				left--
				given = true
			}
		}
	}
	return shown
}

// Fit lowers the shares to what the text of a page holds: sizes has for each file the
// bytes of each of its matches with what belongs to them. A file that does not fit
// whole is left to the next page with all that follow, but the first one shows as much
// as there is room for, and never nothing.
func Fit(sizes [][]int, budget int) []int {
	fit := make([]int, len(sizes))
	for i, matches := range sizes {
		sum := 0
		for _, n := range matches {
			sum += n
		}
		if sum <= budget {
			fit[i] = len(matches)
			budget -= sum
			continue
		}
		if i == 0 {
			for sum = 0; fit[0] == 0 || fit[0] < len(matches) && sum+matches[fit[0]] <= budget; fit[0]++ {
				sum += matches[fit[0]]
			}
		}
		break
	}
	return fit
}

// GrepPage is what is told about a page.
type GrepPage struct {
	// Next is the skip of the next page, 0 when no file with matches follows.
	Next int
	// Past is how many files the skip leaves out beyond those that there are; it is told
	// when nothing is left to show.
	Past int
}

// Continue decides how a search goes on: total are the files with matches, shown those
// of the page that show any. A file of the page that got no match is the first of the
// next page.
func (s GrepScope) Continue(total, shown int) (p GrepPage) {
	if next := s.Skip + shown; shown > 0 && next < total {
		p.Next = next
	}
	p.Past = max(0, s.Skip-total)
	return p
}

// CutAt reports whether matches of a shown file are left out, which it tells with the
// line to go on from.
func CutAt(found, shown int) bool { return shown > 0 && shown < found }

// Hits keeps the first files with matches in the order of their paths, in whatever order
// they are found: those of the page and one more, which tells that a next page has
// something to show. It is for one caller at a time.
type Hits struct {
	rank *Ranking[string]
	size int
}

// Hits starts a search's page.
func (s GrepScope) Hits() *Hits {
	return &Hits{NewRanking(Page{s.Skip, s.Size + 1}, func(a, b string) bool { return a < b }), s.Size}
}

// Add takes a file with matches.
func (h *Hits) Add(path string) { h.rank.Add(path) }

// Full reports whether as many files were found as are kept, though not yet the right
// ones: an earlier file takes the place of the last.
func (h *Hits) Full() bool { return len(h.rank.heap.items) == h.rank.page.Next() }

// Last is the last path that is kept, when Full: a file behind it, or all that is below
// a directory behind it, changes nothing but the count.
func (h *Hits) Last() string { return h.rank.heap.items[0] }

// Page is the files of the page in order, and how many files were found in all. The
// page is empty afterwards.
func (h *Hits) Page() (paths []string, total int) {
	total = h.rank.Seen()
	paths, _ = h.rank.Page()
	return paths[:min(len(paths), h.size)], total
}
