package laws

import (
	_ "embed"
	"strconv"
)

//go:embed pins.tsv
var pinsText string

// Pin is what the exhaustive search of one area must see, no more and no less.
type Pin struct {
	// Area is the area's name.
	Area string
	// Bound says in words what the search covers.
	Bound string
	// States, Steps and Depth are the size of the model within the bound.
	States, Steps, Depth int
	// Laws are the area's laws in the order of the law file.
	Laws []LawPin
}

// LawPin is what the gates know about one law.
type LawPin struct {
	// ID is the catalogue's name.
	ID string
	// Premise is how often the law's premise held in the exhaustive search.
	Premise int
	// Mutants is how many named mutants break the law.
	Mutants int
}

// Pins are the pinned counts that this program was built with.
func Pins() []Pin { return ParsePins(pinsText) }

// ParsePins reads a table of pins: a row "area" opens an area, the rows "law" after
// it are its laws. The table is generated; a row that is not of that form panics.
func ParsePins(text string) []Pin {
	var out []Pin
	for _, f := range rows(text, 6) {
		switch f[0] {
		case "area":
			out = append(out, Pin{Area: f[1], Bound: f[2], States: number(f[3]), Steps: number(f[4]), Depth: number(f[5])})
		case "law":
			p := &out[len(out)-1]
			p.Laws = append(p.Laws, LawPin{ID: f[1], Premise: number(f[3]), Mutants: number(f[4])})
		}
	}
	return out
}

func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		panic("laws: a count that is no number: " + s)
	}
	return n
}
