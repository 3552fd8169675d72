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

// ParsePins reads a table of pins: a row "area, name, states, steps, depth, bound"
// opens an area, the rows "law, name, rule, kind, premise, mutants" after it are its
// laws. The table is generated; a row that is not of that form panics.
func ParsePins(text string) []Pin {
	var out []Pin
	for _, f := range rows(text, 6) {
		if f[0] == "area" {
			out = append(out, Pin{Area: f[1], States: number(f[2]), Steps: number(f[3]), Depth: number(f[4]), Bound: f[5]})
			continue
		}
		p := &out[len(out)-1]
		p.Laws = append(p.Laws, LawPin{ID: f[1], Premise: number(f[4]), Mutants: number(f[5])})
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
