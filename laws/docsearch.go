package laws

import (
	"slices"

	"tenet/core/doc"
	"tenet/laws/law"
	"tenet/models/docsearch"
)

type searchLaw = law.Law[struct{}, docsearch.In, docsearch.Out]

// DocSearch: a search shows the first files by path a page at a time, and never lies by
// silence (S8.9).
var DocSearch = struct {
	// AccountsEveryFile: each file that a walk meets is in exactly one class, and the classes sum to the walk.
	AccountsEveryFile searchLaw `law:"grep_accounts_every_file" rule:"S8.9"`
	// NotesEveryGap: a class of files that were skipped, cut or not searched has a notice exactly when it is not empty.
	NotesEveryGap searchLaw `law:"grep_notes_every_gap" rule:"S8.9"`
	// NotesEveryCut: a file that is shown has a notice of its own exactly when matches of it are left out.
	NotesEveryCut searchLaw `law:"grep_notes_every_cut" rule:"S8.9"`
	// ContinuationProgresses: a page that a continuation leads to shows a match.
	ContinuationProgresses searchLaw `law:"continuation_progresses" rule:"S8.9"`
	// ContinuationContiguous: the pages that follow one another, and the line ranges of what each cuts, are the whole list in order, nothing left out.
	ContinuationContiguous searchLaw `law:"continuation_contiguous" rule:"S8.9"`
	// ContinuationDisjoint: a page and those that follow it share no file.
	ContinuationDisjoint searchLaw `law:"continuation_disjoint" rule:"S8.9"`
	// SearchScopeAnswers: several files are searched exactly when there is more than one root or a directory root: then 20 matches a file and the skip that was asked, else 200 and no skip.
	SearchScopeAnswers searchLaw `law:"search_scope_answers" rule:"S8.9"`
	// WalkSpec: the class of each file met is the rule's: the first reason that holds, and none that a file named outright is exempt from.
	WalkSpec searchLaw `law:"grep_walk_spec" rule:"S8.9"`
	// KeepsSpec: the matches shown of a file are its first ones, at most as many as the scope shows of one file, and all of those when the limits leave room.
	KeepsSpec searchLaw `law:"grep_keeps_spec" rule:"S8.9"`
	// FetchReaches: of each file as many matches are looked for as the page may show.
	FetchReaches searchLaw `law:"fetch_reaches" rule:"S8.9"`
	// PageIsWindow: in whatever order files are found, a page is the window of the sorted list of files with matches that skip and size name.
	PageIsWindow searchLaw `law:"page_is_window" rule:"S8.9"`
	// NextIsMore: a continuation is offered exactly when files with matches remain, and begins behind the last one shown.
	NextIsMore searchLaw `law:"next_is_more" rule:"S8.9"`
	// PastIsBeyond: a page that is past the end says so, and by how many files.
	PastIsBeyond searchLaw `law:"past_is_beyond" rule:"S8.9"`
	// ScopePages: a page has the files of the match limit and one more, or 20 without a limit, which then is 200 matches.
	ScopePages searchLaw `law:"grep_scope_pages" rule:"S8.9"`
	// LimitRoundRobin: the match limit is shared over the files of a page in turn: none gets a second match before each had its first.
	LimitRoundRobin searchLaw `law:"limit_round_robin" rule:"S8.9"`
	// LimitCuts: the match limit cuts exactly the excess.
	LimitCuts searchLaw `law:"limit_cuts" rule:"S8.9"`
}{
	AccountsEveryFile: eachPage(func(in docsearch.In, p docsearch.Page) law.Verdict {
		sum, passed := p.Searched, [doc.NumSkips]int{}
		for _, f := range in.Files {
			if f.Passed {
				passed[f.Why]++
			}
		}
		for c, n := range p.Counts {
			sum += n
			if doc.Skip(c) != doc.AfterPage && n != passed[c] {
				return law.Broken("class %d counts %d files, it has %d", c, n, passed[c])
			}
		}
		return law.Check(p.Searched < 0 || sum == len(in.Files), "of %d files the classes count %d", len(in.Files), sum)
	}),
	NotesEveryGap: eachPage(func(_ docsearch.In, p docsearch.Page) law.Verdict {
		for c, n := range p.Counts {
			if p.Told[c] != (n > 0) {
				return law.Broken("class %d has %d files; told: %v", c, n, p.Told[c])
			}
		}
		return law.Holds
	}),
	NotesEveryCut: eachPage(func(in docsearch.In, p docsearch.Page) law.Verdict {
		for _, s := range p.Shown {
			if n := in.Files[s.File].Matches; s.Cut != (s.Count < n) {
				return law.Broken("of %d matches %d are shown; told: %v", n, s.Count, s.Cut)
			}
		}
		return saysSomething(len(p.Shown) > 0)
	}),
	ContinuationProgresses: searchLaw{Func: func(in docsearch.In, out docsearch.Out) law.Verdict {
		for i, p := range out.Pages {
			if i > 0 && len(p.Shown) == 0 {
				return law.Broken("skip=%d was offered and shows nothing", p.Skip)
			}
		}
		return saysSomething(len(out.Pages) > 1)
	}},
	ContinuationContiguous: searchLaw{Func: func(in docsearch.In, out docsearch.Out) law.Verdict {
		if in.Kind != docsearch.List {
			return law.Idle
		}
		var shown []int
		for _, p := range out.Pages {
			for _, s := range p.Shown {
				shown = append(shown, s.File)
				sum := s.Count
				for _, n := range s.Rest {
					sum += n
				}
				if n := in.Files[s.File].Matches; sum != n {
					return law.Broken("of the %d matches of file %d the page and its ranges show %d", n, s.File, sum)
				}
			}
		}
		want := matching(in)
		want = want[min(in.Scope.Skip, len(want)):]
		return law.Check(slices.Equal(shown, want), "from skip=%d on the pages show %v of %v", in.Scope.Skip, shown, want)
	}},
	ContinuationDisjoint: searchLaw{Func: func(in docsearch.In, out docsearch.Out) law.Verdict {
		seen := map[int]bool{}
		for _, p := range out.Pages {
			for _, s := range p.Shown {
				if seen[s.File] {
					return law.Broken("file %d is on two pages", s.File)
				}
				seen[s.File] = true
			}
		}
		return saysSomething(len(out.Pages) > 1)
	}},
	SearchScopeAnswers: searchLaw{Func: func(in docsearch.In, out docsearch.Out) law.Verdict {
		if in.Kind != docsearch.Scope {
			return law.Idle
		}
		s := out.Scope
		if in.Roots > 1 || in.Dir {
			return law.Check(s.Several && s.PerFile == 20 && s.Skip == in.Skip, "several files: %+v", s)
		}
		return law.Check(!s.Several && s.PerFile == 200 && s.Skip == 0, "one file: %+v", s)
	}},
	WalkSpec: searchLaw{Func: func(in docsearch.In, out docsearch.Out) law.Verdict {
		if in.Kind != docsearch.Class {
			return law.Idle
		}
		fate, why := fateOf(in.Facts)
		return law.Check(out.Fate == fate && out.Why == why, "%+v is %d of class %d, not %d of class %d", in.Facts, out.Fate, out.Why, fate, why)
	}},
	KeepsSpec: eachPage(func(in docsearch.In, p docsearch.Page) law.Verdict {
		sum := 0
		for _, n := range p.Window {
			sum += min(in.Files[n].Matches, in.Scope.PerFile)
		}
		for _, s := range p.Shown {
			most := min(in.Files[s.File].Matches, in.Scope.PerFile)
			if s.Count < 1 || s.Count > most || s.Count < most && sum <= min(in.Scope.Limit, in.Budget) {
				return law.Broken("of %d matches %d are shown, with %d on the page", in.Files[s.File].Matches, s.Count, sum)
			}
		}
		if sum <= min(in.Scope.Limit, in.Budget) && len(p.Shown) != len(p.Window) {
			return law.Broken("of the %d files of the page %d are shown, with room for all their %d matches", len(p.Window), len(p.Shown), sum)
		}
		return saysSomething(len(p.Shown) > 0)
	}),
	FetchReaches: eachPage(func(in docsearch.In, p docsearch.Page) law.Verdict {
		known := false
		for _, s := range p.Shown {
			want := min(in.Files[s.File].Matches, in.Scope.PerFile, in.Scope.Limit)
			if known = s.Fetched >= 0; known && s.Fetched < want {
				return law.Broken("of file %d %d matches are looked for, the page may show %d", s.File, s.Fetched, want)
			}
		}
		return saysSomething(known)
	}),
	PageIsWindow: eachPage(func(in docsearch.In, p docsearch.Page) law.Verdict {
		want := matching(in)
		from := min(p.Skip, len(want))
		want = want[from:min(from+in.Scope.Size, len(want))]
		return law.Check(slices.Equal(p.Window, want), "in the order %v, from skip=%d on, the page is %v of %v", in.Order, p.Skip, p.Window, want)
	}),
	NextIsMore: eachPage(func(in docsearch.In, p docsearch.Page) law.Verdict {
		want := p.Skip + len(p.Shown)
		if len(p.Shown) == 0 || want >= len(matching(in)) {
			want = 0
		}
		return law.Check(p.Next == want, "the page of skip=%d offers %d, not %d", p.Skip, p.Next, want)
	}),
	PastIsBeyond: eachPage(func(in docsearch.In, p docsearch.Page) law.Verdict {
		n := len(matching(in))
		if n == 0 || p.Skip == 0 {
			return law.Idle
		}
		return law.Check(p.PastTold == (p.Skip >= n) && (!p.PastTold || p.Past == p.Skip-n), "skip=%d of %d files: past the end %v, by %d", p.Skip, n, p.PastTold, p.Past)
	}),
	ScopePages: searchLaw{Func: func(in docsearch.In, out docsearch.Out) law.Verdict {
		if in.Kind != docsearch.Scope {
			return law.Idle
		}
		if in.Limit > 0 {
			return law.Check(out.Scope.Size == in.Limit+1 && out.Scope.Limit == in.Limit, "with the limit %d: %+v", in.Limit, out.Scope)
		}
		return law.Check(out.Scope.Size == 20 && out.Scope.Limit == 200, "without a limit: %+v", out.Scope)
	}},
	LimitRoundRobin: eachPage(func(in docsearch.In, p docsearch.Page) law.Verdict {
		if in.Budget < docsearch.Budget || len(p.Window) < 2 {
			return law.Idle
		}
		for i, a := range p.Window {
			has := countOf(p, a)
			if has >= min(in.Files[a].Matches, in.Scope.PerFile) {
				continue // it has all that it can get
			}
			for k, b := range p.Window {
				if other := countOf(p, b); other > has+1 || k > i && other > has {
					return law.Broken("file %d shows %d matches, file %d %d", a, has, b, other)
				}
			}
		}
		return law.Holds
	}),
	LimitCuts: eachPage(func(in docsearch.In, p docsearch.Page) law.Verdict {
		if in.Budget < docsearch.Budget || len(p.Window) == 0 {
			return law.Idle
		}
		found, shown := 0, 0
		for _, n := range p.Window {
			found += min(in.Files[n].Matches, in.Scope.PerFile)
			shown += countOf(p, n)
		}
		return law.Check(shown == min(found, in.Scope.Limit), "of %d matches %d are shown under the limit %d", found, shown, in.Scope.Limit)
	}),
}

// DocSearchBook lists the laws of searches.
var DocSearchBook = law.Book[struct{}, docsearch.In, docsearch.Out]("docsearch", &DocSearch)

// eachPage is a law of every page of a search.
func eachPage(judge func(docsearch.In, docsearch.Page) law.Verdict) searchLaw {
	return searchLaw{Func: func(in docsearch.In, out docsearch.Out) law.Verdict {
		all := law.Idle
		for _, p := range out.Pages {
			v := judge(in, p)
			if v.Err != nil {
				return v
			}
			all.Applies = all.Applies || v.Applies
		}
		return all
	}}
}

func saysSomething(applies bool) law.Verdict {
	if applies {
		return law.Holds
	}
	return law.Idle
}

// matching lists the files that have a match, in the order of their paths.
func matching(in docsearch.In) (out []int) {
	for i, f := range in.Files {
		if !f.Passed && f.Matches > 0 {
			out = append(out, i)
		}
	}
	return out
}

func countOf(p docsearch.Page, file int) int {
	for _, s := range p.Shown {
		if s.File == file {
			return s.Count
		}
	}
	return 0
}

// fateOf is the rule for one file as a list of reasons: the first that holds decides.
func fateOf(f doc.FileFacts) (doc.FileFate, doc.Skip) {
	for _, reason := range []struct {
		holds, namedToo bool
		why             doc.Skip
	}{
		{f.Excluded, false, doc.Excluded}, {f.Secret, false, doc.SecretFile}, {f.Late, true, doc.AfterPage}, {f.Gone, true, doc.Vanished},
		{f.Unreadable, true, doc.Unreadable}, {f.Special, true, doc.Special}, {f.Size > 64<<20, false, doc.OversizeFile}, {f.Binary, true, doc.BinaryFile},
	} {
		if reason.holds && (reason.namedToo || !f.Named) {
			return doc.Passed, reason.why
		}
	}
	switch {
	case f.Parts:
		return doc.Partly, doc.LongLine
	case f.Match:
		return doc.Matched, 0
	}
	return doc.Unmatched, 0
}
