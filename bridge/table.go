package bridge

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"tenet/laws"
	"tenet/laws/law"
)

// Status says whether a law of the catalogue is built.
type Status string

// The statuses.
const (
	Checked Status = "checked" // searched, tied to production, broken by mutants
	Planned Status = "planned" // named by the source rules, not built yet
)

// Row is one law as `tenet laws` shows it.
type Row struct {
	Area string `json:"area"`
	// Law is the catalogue's name.
	Law string `json:"law"`
	// Rule is the number of the source rule.
	Rule string `json:"rule"`
	// Says is the law's sentence.
	Says     string   `json:"says"`
	Relation Relation `json:"relation"`
	Status   Status   `json:"status"`
	// States and Steps are the size of the model that the law was searched on.
	States int `json:"states"`
	Steps  int `json:"steps"`
	// Premise is how often the law's premise held in that search.
	Premise int `json:"premise"`
	// Mutants is how many named mutants break the law.
	Mutants int `json:"mutants"`

	// Bound says in words what the search covers.
	Bound string `json:"-"`
}

// Sentence is the sentence of a law by its catalogue name, empty for none.
func Sentence(name string) string {
	rows, err := Table()
	if err != nil {
		return "" // TestTable says why
	}
	for _, r := range rows {
		if r.Law == name {
			return r.Says
		}
	}
	return ""
}

// Table lists every law: the checked ones of each area with their pinned counts,
// and every law of the catalogue that is not built yet as planned. Areas come in
// the order of Areas, then of the catalogue. The error is about a law that has no
// sentence or an area that was never pinned: such a program must not be believed.
func Table() ([]Row, error) {
	rows := table(Areas(), laws.Catalogue(), laws.Pins())
	for _, r := range rows {
		if r.Says == "" || r.Status == Checked && r.States == 0 {
			return nil, fmt.Errorf("law %s of area %s has no sentence or no pinned search; build from a tree whose `make test` passes", r.Law, r.Area)
		}
	}
	return rows, nil
}

func table(areas []Area, catalogue []laws.Entry, pins []laws.Pin) []Row {
	var order []string
	rows := map[string][]Row{}
	built := map[string]bool{}
	for _, a := range areas {
		order = append(order, a.Name)
		rows[a.Name] = checkedRows(a, pins)
		for _, l := range a.Laws {
			built[l.ID] = true
		}
	}
	for _, e := range catalogue {
		if built[e.ID] {
			continue
		}
		if rows[e.Area] == nil {
			order = append(order, e.Area)
		}
		rows[e.Area] = append(rows[e.Area], Row{Area: e.Area, Law: e.ID, Rule: e.Rule, Says: e.Says, Status: Planned})
	}
	var out []Row
	for _, area := range order {
		out = append(out, rows[area]...)
	}
	return out
}

func checkedRows(a Area, pins []laws.Pin) []Row {
	p := pinOf(pins, a.Name)
	var out []Row
	for _, l := range a.Laws {
		n := lawPin(p, l)
		out = append(out, Row{
			Area: a.Name, Law: l.ID, Rule: l.Rule, Says: laws.Says(l.Area, l.Name), Relation: a.Relation, Status: Checked,
			States: p.States, Steps: p.Steps, Premise: n.Premise, Mutants: n.Mutants, Bound: a.Bound,
		})
	}
	return out
}

func pinOf(pins []laws.Pin, area string) laws.Pin {
	for _, p := range pins {
		if p.Area == area {
			return p
		}
	}
	return laws.Pin{}
}

func lawPin(p laws.Pin, l law.Info) laws.LawPin {
	for _, n := range p.Laws {
		if n.ID == l.ID {
			return n
		}
	}
	return laws.LawPin{}
}

// WriteJSON writes the rows as one array of objects.
func WriteJSON(w io.Writer, rows []Row) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(rows)
}

// tableWidth is how wide WriteTable writes at most, in columns.
const tableWidth = 100

// WriteTable writes the rows for a person, at most 100 columns wide: the checked
// laws by area with their counts, then the planned ones by area.
func WriteTable(w io.Writer, rows []Row) error {
	p := &page{w: w}
	checked, planned := split(rows)
	for _, area := range byArea(checked) {
		p.area(area)
	}
	if len(planned) > 0 {
		p.line("planned: %d laws that the rules name and nothing here checks yet", len(planned))
		for _, area := range byArea(planned) {
			var names []string
			for _, r := range area {
				names = append(names, r.Law)
			}
			p.wrap(fmt.Sprintf("  %-11s %2d  ", area[0].Area, len(area)), strings.Join(names, " "))
		}
		p.line("")
	}
	p.line("%d laws checked in %d areas, %d planned; `tenet laws check` searches every model again", len(checked), len(byArea(checked)), len(planned))
	return p.err
}

func split(rows []Row) (checked, planned []Row) {
	for _, r := range rows {
		switch r.Status {
		case Checked:
			checked = append(checked, r)
		case Planned:
			planned = append(planned, r)
		}
	}
	return checked, planned
}

// byArea groups the rows by area, in the order in which the areas come first.
func byArea(rows []Row) [][]Row {
	var out [][]Row
	for _, r := range rows {
		i := slices.IndexFunc(out, func(g []Row) bool { return g[0].Area == r.Area })
		if i < 0 {
			out = append(out, nil)
			i = len(out) - 1
		}
		out[i] = append(out[i], r)
	}
	return out
}

// page writes lines until one fails.
type page struct {
	w   io.Writer
	err error
}

func (p *page) line(format string, a ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format+"\n", a...)
	}
}

func (p *page) area(rows []Row) {
	r := rows[0]
	p.line("%s  %s, %s states, %s steps", r.Area, r.Relation, thousands(r.States), thousands(r.Steps))
	p.wrap("  bound: ", r.Bound)
	p.line("")
	p.line("  %-36s %-12s %12s %8s", "law", "rule", "premise held", "mutants")
	for _, r := range rows {
		p.line("  %-36s %-12s %12s %8d", r.Law, r.Rule, thousands(r.Premise), r.Mutants)
		p.wrap("      ", r.Says)
	}
	p.line("")
}

// wrap writes the text behind the head, and what does not fit on the line under it.
func (p *page) wrap(head, text string) {
	indent := strings.Repeat(" ", len(head))
	line := head
	for _, word := range strings.Fields(text) {
		if line != head && line != indent && utf8.RuneCountInString(line+word) > tableWidth {
			p.line("%s", strings.TrimRight(line, " "))
			line = indent
		}
		line += word + " "
	}
	p.line("%s", strings.TrimRight(line, " "))
}

// thousands writes a count with a comma between each three digits.
func thousands(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
