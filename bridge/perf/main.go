// Command perf reads the output of `go test -bench` on standard input and writes the
// figures into docs/performance.md, each beside its goal and the command it came
// from. Figures are ratios against a peer in the same run wherever there is one:
// absolute numbers of one machine say little about another.
package main

import (
	"bufio"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"strconv"
	"strings"
)

const (
	page  = "docs/performance.md"
	begin = "<!-- figures: make bench writes what stands between these marks -->"
	end   = "<!-- /figures -->"
)

// figure is one row of the page: a metric of a benchmark, and what it should be.
type figure struct {
	text          string
	bench, metric string
	// over is a peer's benchmark of the same metric: the figure is the ratio.
	over string
	goal float64 // 0: no goal, shown for comparison
}

// value is what the run gave; ok is false when it did not run.
func (f figure) value(seen map[string]float64) (v float64, unit string, ok bool) {
	v, ok = seen[f.bench+" "+f.metric]
	if f.over == "" || !ok {
		return v, f.metric, ok
	}
	peer, ok := seen[f.over+" "+f.metric]
	return v / peer, "of the peer's", ok
}

func main() {
	seen, err := read(os.Stdin)
	if err == nil {
		err = write(seen)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "perf:", err)
		os.Exit(1)
	}
}

// cores is what go test appends to a benchmark's name: the number of cores.
var cores = regexp.MustCompile(`-[0-9]+$`)

// read collects every metric of every benchmark line, by "Name metric", and copies
// the input to standard output for the person who waits.
func read(in *os.File) (map[string]float64, error) {
	seen := map[string]float64{}
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		fmt.Println(lines.Text())
		f := strings.Fields(lines.Text())
		if len(f) < 4 || !strings.HasPrefix(f[0], "Benchmark") {
			continue
		}
		name := cores.ReplaceAllString(strings.TrimPrefix(f[0], "Benchmark"), "")
		for i := 2; i+1 < len(f); i += 2 {
			v, err := strconv.ParseFloat(f[i], 64)
			if err != nil {
				return nil, fmt.Errorf("benchmark line %q: %w", lines.Text(), err)
			}
			seen[name+" "+f[i+1]] = v
		}
	}
	return seen, lines.Err()
}

// write replaces the table between the marks of the page.
func write(seen map[string]float64) error {
	old, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	head, rest, ok := strings.Cut(string(old), begin)
	_, tail, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		return fmt.Errorf("%s has lost its marks %q and %q", page, begin, end)
	}
	return os.WriteFile(page, []byte(head+begin+"\n"+table(seen)+end+tail), 0o644)
}

func table(seen map[string]float64) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\nMeasured by `make bench` on %s/%s with %d cores, %s.\n\n", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version())
	b.WriteString("| what | figure | goal | | benchmark |\n|---|---|---|---|---|\n")
	for _, f := range figures {
		v, unit, ok := f.value(seen)
		if !ok {
			fmt.Fprintf(&b, "| %s | not run | %s | | `%s` |\n", f.text, goal(f), f.bench)
			continue
		}
		fmt.Fprintf(&b, "| %s | %s %s | %s | %s | `%s` |\n", f.text, number(v), unit, goal(f), met(f, v), f.bench)
	}
	b.WriteByte('\n')
	return b.String()
}

func goal(f figure) string {
	if f.goal == 0 {
		return ""
	}
	return "at most " + number(f.goal)
}

func met(f figure, v float64) string {
	switch {
	case f.goal == 0:
		return ""
	case v <= f.goal:
		return "met"
	default:
		return "**missed**"
	}
}

func number(v float64) string {
	if v >= 1000 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}
