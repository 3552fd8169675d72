package docsearch

import (
	"iter"

	"tenet/core/doc"
)

// Budget is room for every match of a page of the search.
const Budget = 1 << 20

// names are the paths of the files of a search, in their order: what is below a
// directory comes behind names that go on with a character before the slash.
var names = []string{"a-b", "a/b", "ab"}

// kinds are what a file can be to a search.
var kinds = []File{
	{}, {Matches: 1}, {Matches: 2}, {Matches: 3},
	{Passed: true, Why: doc.BinaryFile}, {Passed: true, Why: doc.Excluded},
}

var orders = [][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}

// Ops lists every question: scopes of the real numbers, each combination of facts, and
// searches of three files in every order under small limits.
func Ops(struct{}) iter.Seq[In] {
	return func(yield func(In) bool) {
		for _, ops := range []iter.Seq[In]{scopes, classes, lists, gaps} {
			for in := range ops {
				if !yield(in) {
					return
				}
			}
		}
	}
}

func scopes(yield func(In) bool) {
	for roots := 1; roots <= 3; roots++ {
		for _, dir := range []bool{false, true} {
			for _, skip := range []int{0, 1, 20, 40} {
				for _, limit := range []int{0, 1, 19, 20, 21, 200} {
					if !yield(In{Kind: Scope, Roots: roots, Dir: dir, Skip: skip, Limit: limit}) {
						return
					}
				}
			}
		}
	}
}

// classes is each combination of what can be known of a file.
func classes(yield func(In) bool) {
	for bits := range 1 << 10 {
		has := func(i int) bool { return bits>>i&1 == 1 }
		for _, size := range []int64{0, doc.OversizeBytes, doc.OversizeBytes + 1} {
			f := doc.FileFacts{
				Named: has(0), Excluded: has(1), Secret: has(2), Late: has(3), Gone: has(4), Unreadable: has(5),
				Special: has(6), Size: size, Binary: has(7), Match: has(8), Parts: has(9),
			}
			if !yield(In{Kind: Class, Facts: f}) {
				return
			}
		}
	}
}

// bounds are the small limits under which the searches run.
func bounds(yield func(In) bool) {
	for _, limit := range []int{1, 2, 200} {
		for _, size := range []int{1, 2, 3} {
			for _, skip := range []int{0, 1, 2, 4} {
				for _, late := range []bool{false, true} {
					for _, budget := range []int{Budget, 1, 2} {
						scope := doc.GrepScope{Several: true, PerFile: 2, Limit: limit, Page: doc.Page{Skip: skip, Size: size}}
						if !yield(In{Kind: List, Scope: scope, Late: late, Budget: budget}) {
							return
						}
					}
				}
			}
		}
	}
}

func lists(yield func(In) bool) {
	n := len(kinds)
	for in := range bounds {
		for combination := range n * n * n {
			in.Files = nil
			for i, c := 0, combination; i < len(names); i, c = i+1, c/n {
				f := kinds[c%n]
				f.Path = names[i]
				in.Files = append(in.Files, f)
			}
			for _, order := range orders {
				in.Order = order
				if !yield(in) {
					return
				}
			}
		}
	}
}

// gaps is each class of file that is passed over, alone.
func gaps(yield func(In) bool) {
	for c := range doc.NumSkips {
		in := In{Kind: List, Scope: doc.ScopeOf(1, true, 0, 0), Budget: Budget, Files: []File{{Path: "a", Passed: true, Why: c}}, Order: []int{0}}
		if !yield(in) {
			return
		}
	}
}
