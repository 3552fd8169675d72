package effect

import "strings"

// Rows is the names of every command and git subcommand that the table vouches for,
// one row each, for the test that no row is untried.
func Rows() [][]string {
	var out [][]string
	for _, rows := range [][]row{readRows, writeRows, specialRows()} {
		for _, r := range rows {
			out = append(out, strings.Fields(r.names))
		}
	}
	for name := range gitTable {
		out = append(out, []string{name})
	}
	return out
}
