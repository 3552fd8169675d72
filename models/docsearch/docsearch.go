// Package docsearch is a search of a few files, found in any order, with all the pages
// and line ranges that its continuations lead to. What a page shows is core's decision;
// the adversary chooses the files, the order in which a walk meets them, and the moment
// at which the page is full and counting ends.
package docsearch

import (
	"strings"

	"tenet/core/doc"
)

// Kind is what is asked.
type Kind uint8

// The kinds of questions.
const (
	Scope Kind = iota // what a search of these roots may show
	Class             // what becomes of one file
	List              // a whole search, page after page
)

// File is one file of a search.
type File struct {
	Path string
	// Matches are its matching lines, Passed tells that it is not searched, for the
	// reason Why.
	Matches int
	Passed  bool
	Why     doc.Skip
}

// In is one question.
type In struct {
	Kind Kind
	// Roots, Dir, Skip and Limit ask for a scope.
	Roots       int
	Dir         bool
	Skip, Limit int
	// Facts ask for a class.
	Facts doc.FileFacts
	// Files are those of a search, in the order of their paths; Order is how a walk
	// meets them. Scope is what it may show, Budget the matches that a page has room
	// for. Late tells that nothing is counted once the page is full.
	Files  []File
	Order  []int
	Scope  doc.GrepScope
	Budget int
	Late   bool
}

// Shown is what a page shows of one file, and what its line ranges show then.
type Shown struct {
	// File is its number, Count its matches shown from the first one on.
	File, Count int
	// Fetched is how many matches of it were looked for; -1 when nobody knows.
	Fetched int
	// Cut tells that matches are missing and where the next one is.
	Cut bool
	// Rest are the pieces that the cut leads to: each is a number of matches.
	Rest []int
}

// Page is one page.
type Page struct {
	Skip int
	// Window are the files of the page, Shown those that show a match.
	Window []int
	Shown  []Shown
	// Next is the skip of the next page, 0 without one.
	Next int
	// PastTold says that the skip leads past the end, by Past files.
	PastTold bool
	Past     int
	// Searched counts the files searched, -1 when the page does not say; Counts are
	// the files passed over by class, Told the classes that the notice names.
	Searched int
	Counts   [doc.NumSkips]int
	Told     [doc.NumSkips]bool
}

// Out is the answer.
type Out struct {
	Scope doc.GrepScope
	Fate  doc.FileFate
	Why   doc.Skip
	Pages []Page
}

// Words are what the notice of each class says, by which it is known.
var Words = [doc.NumSkips]string{
	doc.BinaryFile: "binary", doc.OversizeFile: "too large", doc.SecretFile: "secret", doc.Unreadable: "unreadable", doc.Ignored: "ignored by",
	doc.Symlink: "symbolic links", doc.Special: "special files", doc.GitDir: ".git,", doc.TempFile: "temporary", doc.LongLine: "in part",
	doc.Vanished: "gone or changed", doc.TooDeep: "too deep", doc.Excluded: "not of the glob", doc.AfterPage: "after this page",
}

// Step answers a question. There is one state.
func Step(s struct{}, in In) (struct{}, Out) {
	var out Out
	switch in.Kind {
	case Scope:
		out.Scope = doc.ScopeOf(in.Roots, in.Dir, in.Skip, in.Limit)
	case Class:
		out.Fate, out.Why = in.Facts.Fate()
	case List:
		out.Pages = pages(in)
	}
	return s, out
}

// pages follows the continuations to their end, and a few more than there can be.
func pages(in In) (out []Page) {
	scope := in.Scope
	for range len(in.Files) + 2 {
		p := page(in, scope)
		out = append(out, p)
		if p.Next == 0 {
			break
		}
		scope.Skip = p.Next
	}
	return out
}

// page is one search: the walk, then the files of the page again.
func page(in In, scope doc.GrepScope) Page {
	p := Page{Skip: scope.Skip}
	hits, skips := scope.Hits(), doc.Skips{}
	for _, i := range in.Order {
		f := in.Files[i]
		switch {
		case f.Passed && f.Why.Named():
			skips.Add(f.Why, f.Path)
		case f.Passed:
			skips.Tally(f.Why)
		case in.Late && hits.Full() && f.Path > hits.Last():
			skips.Tally(doc.AfterPage)
		default:
			if p.Searched++; f.Matches > 0 {
				hits.Add(f.Path)
			}
		}
	}
	paths, total := hits.Page()
	for _, path := range paths {
		p.Window = append(p.Window, numberOf(in, path))
	}
	p.Shown = show(in, scope, p.Window)
	more := scope.Continue(total, len(p.Shown))
	p.Next, p.Past, p.PastTold = more.Next, more.Past, total > 0 && len(p.Shown) == 0
	notice := skips.Notice()
	for c := range doc.NumSkips {
		p.Counts[c], p.Told[c] = skips.Count(c), strings.Contains(notice, Words[c])
	}
	return p
}

func numberOf(in In, path string) int {
	for i, f := range in.Files {
		if f.Path == path {
			return i
		}
	}
	return -1
}

// show shares the limit and the room over the files of a page.
func show(in In, scope doc.GrepScope, window []int) (out []Shown) {
	found, sizes := make([]int, len(window)), make([][]int, len(window))
	for i, n := range window {
		found[i] = in.Files[n].Matches // what was found may be more than was asked for
	}
	for i, n := range scope.Share(found) {
		for range n {
			sizes[i] = append(sizes[i], 1)
		}
	}
	for i, n := range doc.Fit(sizes, in.Budget) {
		if n == 0 {
			break
		}
		s := Shown{File: window[i], Count: n, Fetched: min(found[i], scope.Fetch()), Cut: doc.CutAt(in.Files[window[i]].Matches, n)}
		if s.Cut {
			s.Rest = rest(in, in.Files[window[i]].Matches-n)
		}
		out = append(out, s)
	}
	return out
}

// rest follows the line ranges of one file to its end.
func rest(in In, left int) (pieces []int) {
	scope := doc.ScopeOf(1, false, 0, in.Scope.Limit)
	for left > 0 && len(pieces) < 200 {
		n := scope.Share([]int{min(left, scope.Fetch())})[0]
		pieces = append(pieces, n)
		if !doc.CutAt(left, n) {
			break
		}
		left -= n
	}
	return pieces
}
