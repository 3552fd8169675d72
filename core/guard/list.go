package guard

import "strings"

// list is words with single blanks between them: a set that costs nothing
// until it is asked, since the guard is part of every start.
type list string

// has reports whether the list has the word.
func (ws list) has(w string) bool {
	if w == "" || strings.Contains(w, " ") {
		return false
	}
	for at := 0; ; {
		i := strings.Index(string(ws[at:]), w)
		if i < 0 {
			return false
		}
		from, to := at+i, at+i+len(w)
		if (from == 0 || ws[from-1] == ' ') && (to == len(ws) || ws[to] == ' ') {
			return true
		}
		at = to
	}
}
