package bridge

import (
	"errors"
	"fmt"
	"io"
	"time"

	"tenet/bridge/engine"
	"tenet/laws"
)

// Check searches every area's model with every law, compares what it saw with the
// pinned counts and writes a line for each area and each law. What failed stands
// under its area: every broken law with its run, and every count that differs. A model
// that shrank proves less than the pins say, whatever its laws answer.
func Check(w io.Writer) error {
	if err := check(w, Areas(), laws.Pins()); err != nil {
		return errors.New("the laws do not hold as pinned; see the lines marked FAILED")
	}
	n := 0
	for _, a := range Areas() {
		n += len(a.Laws)
	}
	_, err := fmt.Fprintf(w, "\n%d laws of %d areas hold, and every count is the pinned one\n", n, len(Areas()))
	return err
}

func check(w io.Writer, areas []Area, pins []laws.Pin) error {
	var errs []error
	known := map[string]bool{}
	for _, a := range areas {
		known[a.Name] = true
		start := time.Now()
		rep, err := a.Exhaust()
		seconds := time.Since(start).Seconds()
		if err == nil {
			err = a.Compare(rep, pinOf(pins, a.Name))
		}
		errs = append(errs, err, writeArea(w, a, rep, seconds, err))
	}
	for _, p := range pins {
		if !known[p.Area] {
			err := fmt.Errorf("area %s is pinned and no longer registered", p.Area)
			_, werr := fmt.Fprintf(w, "%-12s FAILED\n    %v\n", p.Area, err)
			errs = append(errs, err, werr)
		}
	}
	return errors.Join(errs...)
}

// Compare says how a search differs from its pin; nil when it does not. A law whose
// premise never held differs whatever the pin says.
func (a Area) Compare(rep engine.Report, p laws.Pin) error {
	if p.Area == "" {
		return fmt.Errorf("area %s has no pinned counts", a.Name)
	}
	var errs []error
	differ := func(what string, saw, pinned int) {
		if saw != pinned {
			errs = append(errs, fmt.Errorf("area %s: %d %s, pinned %d", a.Name, saw, what, pinned))
		}
	}
	differ("states", rep.States, p.States)
	differ("steps", rep.Steps, p.Steps)
	differ("steps deep", rep.Depth, p.Depth)
	differ("laws", len(a.Laws), len(p.Laws))
	for _, l := range a.Laws {
		n := rep.Premises[l.ID]
		differ("observations of "+l.ID, n, lawPin(p, l).Premise)
		if n == 0 {
			errs = append(errs, fmt.Errorf("area %s: the premise of %s never held, so the search says nothing about it", a.Name, l.ID))
		}
	}
	return errors.Join(errs...)
}

func writeArea(w io.Writer, a Area, rep engine.Report, seconds float64, failed error) error {
	p := &page{w: w}
	verdict := "ok"
	if failed != nil {
		verdict = "FAILED"
	}
	p.line("%-12s %10s states %12s steps %5d deep %8.2f s  %s", a.Name, thousands(rep.States), thousands(rep.Steps), rep.Depth, seconds, verdict)
	for _, l := range a.Laws {
		p.line("    %-42s premise held %12s times", l.ID, thousands(rep.Premises[l.ID]))
	}
	if failed != nil {
		p.line("    %v", failed)
	}
	return p.err
}
