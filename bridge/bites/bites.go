// Package bites shows that the gates bite: it runs every named mutant against the
// law that it names and says what caught it (BITES.md).
package bites

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"tenet/bridge"
	"tenet/bridge/engine/mutate"
)

// Deadline is how long one mutant may run before it counts as one that never came
// back. Most need a tenth of a second.
const Deadline = 60 * time.Second

// command is the program that is built with the mutants in it; its sub-command
// "try" judges the active one.
const command = "./bridge/engine/mutate/cmd"

// Row is how one mutant fared.
type Row struct {
	mutate.Result
	// By is what caught it; empty when it lives.
	By bridge.Bite
	// Saw is what was seen, or why it lives.
	Saw string
}

// Lives is true for a mutant that nothing caught.
func (r Row) Lives() bool { return r.By == "" }

// Load reads the lists of the repository at root.
func Load(root string) ([]mutate.Mutant, error) {
	return mutate.Load(filepath.Join(root, "laws", "mutants"))
}

// Run builds the mutants into one program and judges each.
func Run(ctx context.Context, root string, ms []mutate.Mutant) ([]Row, error) {
	r := mutate.Runner{
		Root: root, Package: command, Deadline: Deadline,
		Workers: runtime.NumCPU() + 2, // many mutants wait for what never comes
		Args:    func(m mutate.Mutant) []string { return []string{"try", m.Area, m.Law, m.File} },
	}
	results, err := r.Run(ctx, ms)
	if err != nil {
		return nil, err
	}
	rows := make([]Row, len(results))
	for i, res := range results {
		rows[i] = judge(res)
	}
	return rows, nil
}

// judge makes a row of what the program said or of how it died.
func judge(r mutate.Result) Row {
	switch {
	case r.Err != nil:
		return Row{Result: r, Saw: r.Err.Error()}
	case r.Elsewhere:
		return Row{Result: r, By: expected(r.Mutant), Saw: "stands in a file of another system: not run here"}
	case r.Late:
		return Row{Result: r, By: bridge.ByDeadline, Saw: fmt.Sprintf("did not come back in %v", Deadline)}
	case r.Crash != "":
		return Row{Result: r, By: crashed(r), Saw: r.CrashLine()}
	default:
		return Row{Result: r, By: bridge.Bite(r.By), Saw: r.Saw}
	}
}

func expected(m mutate.Mutant) bridge.Bite {
	if bridge.IsAdapter(m.File) {
		return bridge.ByProduction
	}
	return bridge.ByLaw
}

// crashed judges a death that no recover could catch: a panic in a goroutine of
// production, a stack overflow, a deadlock. On a model it counts only when it rose
// in the step and not in a law.
func crashed(r mutate.Result) bridge.Bite {
	if bridge.IsAdapter(r.File) {
		return bridge.ByProduction
	}
	inStep := false
	for line := range strings.Lines(r.Crash) {
		switch {
		case strings.HasPrefix(line, "tenet/laws"):
			return ""
		case strings.HasPrefix(line, "tenet/core/"), strings.HasPrefix(line, "tenet/models/"):
			inStep = true
		case strings.HasPrefix(line, "tenet/bridge") && inStep:
			return bridge.ByPanic
		}
	}
	return ""
}
