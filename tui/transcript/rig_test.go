package transcript

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
	"unicode"

	"tenet/core/event"
	"tenet/tui/text"
	"tenet/tui/theme"

	"github.com/charmbracelet/x/ansi"
)

// rig is a transcript with a clock that stands, and the records that it was given.
type rig struct {
	*Transcript
	t   testing.TB
	now time.Time
	seq uint64
}

var start = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func newRig(t testing.TB, w, h int) *rig {
	th, _ := theme.Named("mono")
	r := &rig{t: t, now: start}
	r.Transcript = New(Options{Theme: th, Now: func() time.Time { return r.now }, Workspace: "/home/a/work", ReducedMotion: true})
	r.SetSize(w, h)
	return r
}

// add gives records of the bodies, a second apart.
func (r *rig) add(bodies ...event.Body) {
	for _, b := range bodies {
		r.Add(r.record(b))
	}
}

func (r *rig) record(b event.Body) event.Record {
	r.seq++
	r.now = r.now.Add(time.Second)
	return record(r.seq, r.now, b)
}

func record(seq uint64, at time.Time, b event.Body) event.Record {
	raw, err := json.Marshal(b)
	if err != nil {
		panic(err)
	}
	return event.Record{Seq: seq, At: at.Format(time.RFC3339Nano), Kind: event.KindOf(b), Body: raw}
}

// seen is the view as text, without blanks at line ends, after its geometry was checked.
func (r *rig) seen() string {
	r.t.Helper()
	lines := checked(r.t, r.Transcript)
	for i, l := range lines {
		lines[i] = strings.TrimRight(ansi.Strip(l), " ")
	}
	return strings.Join(lines, "\n")
}

func checked(t testing.TB, tr *Transcript) []string {
	t.Helper()
	v := tr.View()
	if tr.h < 1 {
		if v != "" {
			t.Fatalf("a view of no height is %q", v)
		}
		return nil
	}
	lines := strings.Split(v, "\n")
	if len(lines) != tr.h {
		t.Fatalf("a view of %d lines has %d", tr.h, len(lines))
	}
	for _, l := range lines {
		if text.Width(l) > tr.w || ansi.StringWidth(l) > tr.w {
			t.Fatalf("a line of %d cells has %d: %q", tr.w, text.Width(l), l)
		}
		if plain := ansi.Strip(l); strings.ContainsFunc(plain, unicode.IsControl) {
			t.Fatalf("a line has a control character: %q", l)
		}
	}
	return lines
}

// demo are the records of a real session.
func demo(t testing.TB) []event.Record {
	t.Helper()
	f, err := os.Open("testdata/demo.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []event.Record
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		var r event.Record
		if err := json.Unmarshal(s.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		out = append(out, r)
	}
	return out
}

func TestDump(t *testing.T) {
	if os.Getenv("DUMP") == "" {
		t.Skip("DUMP is not set: this one shows a session to whoever works on its look")
	}
	r := newRig(t, 100, 200)
	r.Add(demo(t)...)
	fmt.Println(r.seen())
	r.ExpandAll(true)
	fmt.Println("=========")
	r.SetSize(100, 400)
	fmt.Println(r.seen())
}
