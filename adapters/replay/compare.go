package replay

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"tenet/core/call"
	"tenet/core/event"
)

// Difference is the first place where the replay is not the session.
type Difference struct {
	// Seq is the record of the session's log; 0 when the replay went on after its end.
	Seq uint64 `json:"record"`
	// Member is where in the record: "kind", "body.text".
	Member string `json:"member"`
	// Expected is what the log has there and Got what the replay made of it, as texts.
	Expected string `json:"expected"`
	Got      string `json:"got"`
}

// Comparison holds what a replay does against what the log tells, record by record.
type Comparison struct {
	story *Story
	in    Renaming
	stop  func()

	mu   sync.Mutex
	next int
	diff *Difference
}

// Compare begins a comparison. stop is called once, at the first difference: what would
// happen after it is of another session.
func (s *Story) Compare(in Renaming, stop func()) *Comparison {
	return &Comparison{story: s, in: in, stop: stop}
}

// Watch takes the next record of the replay.
func (c *Comparison) Watch(got event.Record) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.diff != nil || aside(got.Kind) {
		return
	}
	if c.next == len(c.story.Compared) {
		if c.story.Until == "" {
			c.differs(Difference{Member: "kind", Expected: "(the end of the session)", Got: string(got.Kind)})
			return
		}
		c.stop() // what comes after an interruption cannot be compared
		return
	}
	want := c.story.Compared[c.next]
	c.next++
	if d := c.record(want, got); d != nil {
		d.Seq = want.Seq
		c.differs(*d)
	}
}

func (c *Comparison) differs(d Difference) {
	c.diff = &d
	c.stop()
}

// Result is the first difference, nil when there is none; same counts the records that
// are the same.
func (c *Comparison) Result() (same int, diff *Difference) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.diff == nil && c.next < len(c.story.Compared) {
		want := c.story.Compared[c.next]
		return c.next, &Difference{Seq: want.Seq, Member: "kind", Expected: string(want.Kind), Got: "(nothing more)"}
	}
	if c.diff != nil {
		return max(0, c.next-1), c.diff
	}
	return c.next, nil
}

// Reached reports whether every record that is compared was met.
func (c *Comparison) Reached() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.diff != nil || c.next == len(c.story.Compared)
}

func (c *Comparison) record(want, got event.Record) *Difference {
	if want.Kind != got.Kind {
		return &Difference{Member: "kind", Expected: string(want.Kind), Got: string(got.Kind)}
	}
	w, err1 := members(want.Body)
	g, err2 := members(got.Body)
	if err1 != nil || err2 != nil { // both were written by event.Encode
		return &Difference{Member: "body", Expected: string(want.Body), Got: string(got.Body)}
	}
	forget(want.Kind, w)
	forget(got.Kind, g)
	mapped(w, settled)
	mapped(g, func(s string) string { return settled(c.in.Here(s)) })
	return first("body", w, g)
}

func members(b json.RawMessage) (v map[string]any, err error) { return v, json.Unmarshal(b, &v) }

// forget takes out what names the moment or the machine and not what happened: digests
// are of texts that name the copy's place, and a wait has a random part.
func forget(k event.Kind, m map[string]any) {
	switch k {
	case event.Opened:
		delete(m, "version")
	case event.Asked:
		delete(m, "digest")
		delete(m, "id")
	case event.Judged:
		delete(m, "digest")
	case event.Inquired, event.Answered:
		delete(m, "id")
	case event.Prompted:
		delete(m, "submission")
	case event.Failed:
		m["retry_ms"] = fmt.Sprint(m["retry_ms"]) != "-1"
	case event.Replied:
		delete(m, "rebuilt")
	case event.Requested, event.Called, event.Dispatched, event.Resulted, event.Ended, event.Repaired, event.Resumed, event.Submitted, event.Withdrawn,
		event.Deferred, event.Compacted, event.Detached, event.Spawned, event.Settled, event.Set, event.Noticed, event.Forked, event.Changed:
	}
}

// first is the first member in which two values differ, nil when none does.
func first(at string, want, got any) *Difference {
	w, ok1 := want.(map[string]any)
	g, ok2 := got.(map[string]any)
	if ok1 && ok2 {
		for _, k := range keys(w, g) {
			if d := first(at+"."+k, w[k], g[k]); d != nil {
				return d
			}
		}
		return nil
	}
	x, ok1 := want.([]any)
	y, ok2 := got.([]any)
	if ok1 && ok2 {
		for i := range min(len(x), len(y)) {
			if d := first(fmt.Sprintf("%s[%d]", at, i), x[i], y[i]); d != nil {
				return d
			}
		}
	}
	if reflect.DeepEqual(want, got) {
		return nil
	}
	return &Difference{Member: at, Expected: shown(want), Got: shown(got)}
}

func keys(a, b map[string]any) []string {
	both := maps.Clone(a)
	maps.Copy(both, b)
	return slices.Sorted(maps.Keys(both))
}

func shown(v any) string {
	switch v := v.(type) {
	case nil:
		return "(nothing)"
	case string:
		return v
	}
	b, err := json.Marshal(v)
	if err != nil {
		return err.Error() // it came from JSON
	}
	return string(b)
}

// Text is the difference for a person: the record, the member, and of long texts the
// first line that differs.
func (d Difference) Text() string {
	where := fmt.Sprintf("record %d", d.Seq)
	if d.Seq == 0 {
		where = "after the last record"
	}
	want, got := d.Expected, d.Got
	x, y := strings.Split(want, "\n"), strings.Split(got, "\n")
	line := 0
	for line < len(x) && line < len(y) && x[line] == y[line] {
		line++
	}
	if len(x) > 1 || len(y) > 1 {
		where += fmt.Sprintf(", line %d of", line+1)
		want, got = lineOf(x, line), lineOf(y, line)
	} else {
		where += ","
	}
	return fmt.Sprintf("%s %s:\n  expected  %s\n  got       %s\n", where, d.Member, oneLine(want), oneLine(got))
}

func lineOf(lines []string, n int) string {
	if n < len(lines) {
		return lines[n]
	}
	return "(no such line)"
}

func oneLine(s string) string { return call.OneLine(s, 300) }
