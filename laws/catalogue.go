// Package laws holds every law, one file an area, and the catalogue of all laws
// that the source rules name, so that none can be forgotten.
package laws

import (
	_ "embed"
	"strings"
)

//go:embed catalogue.tsv
var catalogueText string

// Entry is one law of the catalogue, built or not.
type Entry struct {
	// Area is the room's name for the subject: "lease".
	Area string
	// ID is the law's name everywhere: "lease_fifo".
	ID string
	// Rule is the number of the source rule: "H6.2".
	Rule string
	// Source is the document that states the rule: "harness".
	Source string
	// Says is the catalogue's sentence. A law that is built has its own in its doc
	// comment, and that one is shown.
	Says string
}

// Catalogue lists every law the rules name, in the order of the file. The file is
// part of the program: a row without its five columns panics, and a test reads it.
func Catalogue() []Entry {
	var out []Entry
	for i, f := range rows(catalogueText, 5) {
		if i > 0 { // the first row names the columns
			out = append(out, Entry{Area: f[0], ID: f[1], Rule: f[2], Source: f[3], Says: f[4]})
		}
	}
	return out
}

// rows splits an embedded table into its lines and columns; comments and empty
// lines are left out.
func rows(text string, columns int) [][]string {
	var out [][]string
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if line == "" || line[0] == '#' {
			continue
		}
		f := strings.Split(line, "\t")
		if len(f) != columns {
			panic("laws: a row needs its columns: " + line)
		}
		out = append(out, f)
	}
	return out
}
