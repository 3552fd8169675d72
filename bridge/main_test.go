package bridge

import (
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"sync"
	"testing"
	"text/tabwriter"
	"time"
)

// report collects what the areas' tests ran beyond the exhaustive search: how many
// schedules and how many histories. `make laws` prints it; go test -v does too.
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

func (c *collector) print(w io.Writer) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "area\tschedules\thistories\tseconds\t")
	for _, name := range slices.Sorted(maps.Keys(c.areas)) {
		r := c.areas[name]
		fmt.Fprintf(t, "%s\t%d\t%d\t%.2f\t\n", name, r.schedules, r.histories, r.took.Seconds())
	}
	t.Flush()
}

func TestMain(m *testing.M) {
	code := m.Run()
	if testing.Verbose() && len(report.areas) > 0 {
		report.print(os.Stdout)
	}
	os.Exit(code)
}
