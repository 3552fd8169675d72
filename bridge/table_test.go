package bridge

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"tenet/laws"
)

// TestTableHasEveryLaw: the table of the running program lists each law of the
// catalogue once, checked or planned.
func TestTableHasEveryLaw(t *testing.T) {
	seen := map[string]int{}
	for _, r := range table(Areas(), laws.Catalogue(), pins(t)) {
		seen[r.Law]++
		if (r.Status == Checked) != (r.States > 0 && r.Relation != "") {
			t.Errorf("%s is %s with %d states, relation %q", r.Law, r.Status, r.States, r.Relation)
		}
		if r.Says == "" || r.Rule == "" || r.Area == "" {
			t.Errorf("%+v: a column is empty", r)
		}
	}
	for _, e := range laws.Catalogue() {
		if seen[e.ID] != 1 {
			t.Errorf("law %s stands %d times in the table", e.ID, seen[e.ID])
		}
	}
}

// TestTableKeepsAreasTogether: an area with checked and planned laws is one group.
func TestTableKeepsAreasTogether(t *testing.T) {
	a, pin := dial()
	catalogue := []laws.Entry{
		{Area: "other", ID: "other_one", Rule: "X2", Says: "one"},
		{Area: "dial", ID: "dial_stops", Rule: "X1", Says: "a dial stops"},
		{Area: "dial", ID: "dial_turns", Rule: "X1", Says: "not shown: the law has its own sentence"},
	}
	var got []string
	for _, r := range table([]Area{a}, catalogue, []laws.Pin{pin}) {
		got = append(got, r.Law+" "+string(r.Status))
	}
	want := []string{"dial_turns checked", "dial_stops planned", "other_one planned"}
	if !slices.Equal(got, want) {
		t.Errorf("rows %q, want %q", got, want)
	}
}

// TestTableAsJSON pins the names that other programs read.
func TestTableAsJSON(t *testing.T) {
	a, pin := dial()
	var b strings.Builder
	if err := WriteJSON(&b, table([]Area{a}, nil, []laws.Pin{pin})); err != nil {
		t.Fatal(err)
	}
	var got []map[string]any
	if err := json.Unmarshal([]byte(b.String()), &got); err != nil {
		t.Fatal(err)
	}
	want := []map[string]any{{
		"area": "dial", "law": "dial_turns", "rule": "X1", "says": "", "relation": "same", "status": "checked",
		"states": 3.0, "steps": 3.0, "premise": 3.0, "mutants": 2.0,
	}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestTableFitsATerminal: no line is wider than 100 columns, whatever the sentences.
func TestTableFitsATerminal(t *testing.T) {
	var b strings.Builder
	rows := table(Areas(), laws.Catalogue(), pins(t))
	rows[0].Says = strings.Repeat("long words of a sentence ", 20)
	if err := WriteTable(&b, rows); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(b.String()) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > tableWidth {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}
