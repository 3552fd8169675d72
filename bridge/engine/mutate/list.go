// Package mutate breaks the program on purpose: it reads lists of named source
// edits, compiles all of them into one binary through `go build -overlay`, and runs
// the binary once for each with that edit active. A gate that does not notice an
// edit that it should is no gate.
package mutate

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Mutant is one named edit and the law that must notice it.
type Mutant struct {
	// ID is the mutant's number in its run, from 1; 0 is the program as it is.
	ID int
	// Area is the name of the list it stands in.
	Area string
	// Name says what the edit does wrong: "forget-grant-on-end".
	Name string
	// Law is the catalogue's name of the law that must break.
	Law string
	// File is the edited file, as a slash path below the module's root.
	File string
	// Old is the text that is replaced; it stands exactly once in the file.
	Old string
	// New is the text put in its place.
	New string
}

// String names the mutant in messages.
func (m Mutant) String() string { return m.Area + "/" + m.Name }

// Load reads every list of a folder, *.mutants in name order, and numbers the
// mutants. Two of one name in an area are an error.
func Load(dir string) ([]Mutant, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.mutants"))
	if err != nil {
		return nil, err
	}
	var all []Mutant
	seen := map[string]bool{}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			return nil, err
		}
		ms, err := Parse(strings.TrimSuffix(filepath.Base(f), ".mutants"), string(text))
		if err != nil {
			return nil, err
		}
		for _, m := range ms {
			if seen[m.String()] {
				return nil, fmt.Errorf("%s: mutant %s is listed twice; give one another name", f, m.Name)
			}
			seen[m.String()] = true
			m.ID = len(all) + 1
			all = append(all, m)
		}
	}
	return all, nil
}

// Parse reads one list. A line is
//
//	name | law | file | old text => new text
//
// where ⏎ stands for a newline and everything after "| " and "=> " counts, leading
// tabs included; no new text deletes the old. Empty lines and lines with # are notes.
func Parse(area, text string) ([]Mutant, error) {
	var out []Mutant
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimRight(line, "\n")
		if line == "" || line[0] == '#' {
			continue
		}
		m, err := parseLine(line)
		if err != nil {
			return nil, fmt.Errorf("%s.mutants:%d: %w", area, n, err)
		}
		m.Area = area
		out = append(out, m)
	}
	return out, nil
}

func parseLine(line string) (Mutant, error) {
	f := strings.SplitN(line, " | ", 4)
	if len(f) != 4 {
		return Mutant{}, fmt.Errorf("a mutant is written as: name | law | file | old => new")
	}
	old, repl, ok := strings.Cut(f[3], " => ")
	if !ok {
		old, ok = strings.CutSuffix(f[3], " =>")
	}
	if !ok || old == "" {
		return Mutant{}, fmt.Errorf("mutant %s has no \" => \" between the old text and the new", f[0])
	}
	lines := strings.NewReplacer("⏎", "\n")
	m := Mutant{Name: strings.TrimSpace(f[0]), Law: strings.TrimSpace(f[1]), File: strings.TrimSpace(f[2]), Old: lines.Replace(old), New: lines.Replace(repl)}
	if strings.ContainsAny(m.Name, " \t|/:") || m.Name == "" {
		return Mutant{}, fmt.Errorf("mutant %q: a name is one word, without slash or colon", m.Name)
	}
	return m, nil
}
