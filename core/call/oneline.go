package call

import "strings"

// lineEnds shows where a line ends without ending it.
var lineEnds = strings.NewReplacer("\r\n", "↵", "\n", "↵")

// OneLine is the first max characters of a text as one line that is safe to show on
// a terminal: a line end is shown as ↵, and what Visible escapes is escaped, a lone
// carriage return too. A text that was cut ends with …. A line end of somebody
// else's then never begins a row that looks like one of ours. A byte that is no
// UTF-8 counts as a character; with max 0 or less only the … of the cut is left.
func OneLine(s string, max int) string {
	head, more := FirstChars(s, max), ""
	if len(head) < len(s) {
		more = "…"
	}
	return Visible(lineEnds.Replace(head)) + more
}

// FirstChars is the first n characters of s, all of it when it has no more. It looks at no
// more of s than it returns, however long s is. A byte that is no UTF-8 counts as one.
func FirstChars(s string, n int) string {
	for i := range s {
		if n <= 0 {
			return s[:i]
		}
		n--
	}
	return s
}
