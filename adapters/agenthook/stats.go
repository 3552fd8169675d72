package agenthook

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Count is how often something was seen.
type Count struct {
	Name string `json:"name"`
	N    int    `json:"n"`
}

// Stats are the verdicts of some days.
type Stats struct {
	// From and To are the first and the last day, UTC.
	From string `json:"from"`
	To   string `json:"to"`
	// Verdicts, Agents and Rules count the records; a rule's name is rule · verdict.
	Verdicts []Count `json:"verdicts"`
	Agents   []Count `json:"agents"`
	Rules    []Count `json:"rules"`
	// Asked are the commands that were asked about most, at most ten.
	Asked []Count `json:"asked"`
	// Blocked counts the calls that their agent was told not to make, Skipped the lines
	// that no record could be read from.
	Blocked int `json:"blocked"`
	Skipped int `json:"skipped"`
	// MedianMicros and P99Micros are how long a verdict took inside the process.
	MedianMicros int64 `json:"median_us"`
	P99Micros    int64 `json:"p99_us"`
}

// maxLine bounds a line of the log that is read; Append writes far shorter ones.
const maxLine = 64 << 10

// top is how many asked commands are listed.
const top = 10

// ReadStats counts the records of the last days, today among them.
func ReadStats(home string, now time.Time, days int) (Stats, error) {
	t := tally{verdicts: map[string]int{}, agents: map[string]int{}, rules: map[string]int{}, asked: map[string]int{}}
	for d := range days {
		f, err := os.Open(filepath.Join(LogDir(home), day(now.AddDate(0, 0, -d))+".jsonl"))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return Stats{}, fmt.Errorf("the guard's log: %w", err)
		}
		err = errors.Join(t.read(f), f.Close())
		if err != nil {
			return Stats{}, fmt.Errorf("the guard's log of %s: %w", day(now.AddDate(0, 0, -d)), err)
		}
	}
	s := t.stats()
	s.From, s.To = day(now.AddDate(0, 0, 1-days)), day(now)
	return s, nil
}

type tally struct {
	verdicts, agents, rules, asked map[string]int
	took                           []int64
	blocked, skipped               int
}

// read counts the records of one day. A line that is too long or no record is counted
// as skipped.
func (t *tally) read(r io.Reader) error {
	in := bufio.NewReaderSize(r, maxLine)
	for {
		line, err := in.ReadSlice('\n')
		tooLong := false
		for errors.Is(err, bufio.ErrBufferFull) {
			tooLong = true
			line, err = in.ReadSlice('\n')
		}
		if tooLong {
			t.skipped++
		} else if len(line) > 0 {
			t.count(line)
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (t *tally) count(line []byte) {
	var r Record
	if err := json.Unmarshal(line, &r); err != nil || r.Verdict == "" {
		t.skipped++
		return
	}
	t.verdicts[r.Verdict]++
	t.agents[r.Agent]++
	t.rules[cmp.Or(r.Rule, "none")+" · "+r.Verdict]++
	t.took = append(t.took, r.Micros)
	if r.Blocked {
		t.blocked++
	}
	if r.Verdict == Ask.String() {
		t.asked[r.Tool+": "+r.What]++
	}
}

func (t *tally) stats() Stats {
	s := Stats{Verdicts: most(t.verdicts), Agents: most(t.agents), Rules: most(t.rules), Asked: most(t.asked), Blocked: t.blocked, Skipped: t.skipped}
	s.Asked = s.Asked[:min(top, len(s.Asked))]
	if slices.Sort(t.took); len(t.took) > 0 {
		s.MedianMicros, s.P99Micros = t.took[len(t.took)/2], t.took[len(t.took)*99/100]
	}
	return s
}

// most lists counts, the largest first, equal ones by name.
func most(m map[string]int) []Count {
	out := make([]Count, 0, len(m))
	for _, name := range slices.Sorted(maps.Keys(m)) {
		out = append(out, Count{name, m[name]})
	}
	slices.SortStableFunc(out, func(a, b Count) int { return cmp.Compare(b.N, a.N) })
	return out
}
