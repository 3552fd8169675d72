package bridge

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"testing"
	"text/tabwriter"
	"time"
)

// report collects what the areas' tests ran beyond the exhaustive search: how many
// schedules and how many histories. TENET_REPORT names a file for the table of all
// laws with these counts; `make laws` prints it.
var report = collector{areas: map[string]*ran{}}

type collector struct {
	mu    sync.Mutex
	areas map[string]*ran
}

type ran struct {
	schedules, histories int
	took                 time.Duration
}

// Schedules adds n interleavings of production that were run and judged.
func (c *collector) Schedules(area string, n int) { c.add(area, func(r *ran) { r.schedules += n }) }

// Histories adds n sequences of operations that were run and judged.
func (c *collector) Histories(area string, n int) { c.add(area, func(r *ran) { r.histories += n }) }

// Time adds the time until the function it returns is called:
//
//	defer report.Time("lease")()
func (c *collector) Time(area string) func() {
	start := time.Now()
	return func() { c.add(area, func(r *ran) { r.took += time.Since(start) }) }
}

func (c *collector) add(area string, f func(*ran)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.areas[area] == nil {
		c.areas[area] = &ran{}
	}
	f(c.areas[area])
}

// print writes one line a law: what its model's search saw, and what the tests of
// its area ran.
func (c *collector) print(w io.Writer) error {
	rows, err := Table()
	if err != nil {
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "area\tlaw\tstates\tsteps\tpremise\tmutants\tschedules\thistories\tseconds of the area")
	for _, r := range rows {
		if r.Status != Checked {
			continue
		}
		n := c.of(r.Area)
		fmt.Fprintf(t, "%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%.2f\n", r.Area, r.Law, r.States, r.Steps, r.Premise, r.Mutants, n.schedules, n.histories, n.took.Seconds())
	}
	return t.Flush()
}

func (c *collector) of(area string) ran {
	if r := c.areas[area]; r != nil {
		return *r
	}
	return ran{}
}

func (c *collector) save(file string) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	return errors.Join(c.print(f), f.Close())
}

func TestMain(m *testing.M) {
	code := m.Run()
	if file := os.Getenv("TENET_REPORT"); file != "" {
		if err := report.save(file); err != nil {
			fmt.Fprintln(os.Stderr, "the report of the laws:", err)
			code = max(code, 1)
		}
	}
	os.Exit(code)
}
