package settings

import (
	"slices"
	"strings"

	"tenet/core/call"
)

// maxNear is how many names are suggested at once.
const maxNear = 3

// Near are the names that a misspelt one may have meant, the nearest first: those that
// hold it or that it holds, and those that differ in few letters.
func Near(word string, names []string) []string {
	type match struct {
		name string
		far  int
	}
	lower := strings.ToLower(word)
	if len(lower) > 200 || lower == "" {
		return nil
	}
	var found []match
	for _, n := range names {
		l := strings.ToLower(n)
		d := call.Distance(lower, l)
		if len(lower) >= 3 && strings.Contains(l, lower) || len(l) >= 3 && strings.Contains(lower, l) {
			d = min(d, 2)
		}
		if d <= max(1, (min(len(lower), len(l))+1)/3) {
			found = append(found, match{n, d})
		}
	}
	slices.SortStableFunc(found, func(a, b match) int { return a.far - b.far })
	var out []string
	for _, m := range found[:min(maxNear, len(found))] {
		out = append(out, m.name)
	}
	return out
}
