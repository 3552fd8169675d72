package host

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"pgregory.net/rapid"

	"tenet/adapters/approvals"
	"tenet/adapters/store"
	"tenet/core/event"
)

// stream is a journal over a real log, with readers that attach and read at any time.
type stream struct {
	*rapid.T
	j       *journal
	log     *store.Log
	readers []*reading
	made    int
	open    map[string]bool
	// said is the live text since the last record.
	said string
}

// reading is one reader and what it was given.
type reading struct {
	feed *Feed
	next uint64
	open map[string]bool
	// heard is the live text since the last record, left what was left out of it.
	heard strings.Builder
	left  int64
}

func (s *stream) record() {
	s.made++
	recs, err := s.log.Commit(event.Prompt{Text: strings.Repeat("x", rapid.IntRange(0, 300).Draw(s.T, "size")), Woken: s.made%2 == 0})
	if err != nil {
		s.Fatal(err)
	}
	s.j.record(recs[0])
	s.said = ""
}

func (s *stream) live() {
	piece := fmt.Sprintf("%d,", s.made)
	s.made++
	s.said += piece
	s.j.live(event.Live{Kind: event.LiveDelta, Text: piece})
}

func (s *stream) ask() {
	s.made++
	id := fmt.Sprint("q", s.made)
	s.open[id] = true
	s.j.frame(&approvals.Approval{ID: id}, nil)
}

func (s *stream) settle() {
	for id := range s.open {
		delete(s.open, id)
		s.j.frame(&approvals.Settled{ID: id, How: "denied"}, nil)
		return
	}
}

func (s *stream) attach() {
	after := uint64(rapid.IntRange(0, s.made+2).Draw(s.T, "after"))
	s.readers = append(s.readers, &reading{feed: s.j.attach(after), next: min(after, s.j.last) + 1, open: map[string]bool{}})
}

// read is one Next of a reader, which never has to wait here.
func (s *stream) read(r *reading) bool {
	ctx, stop := context.WithCancel(context.Background())
	stop()
	all, err := r.feed.Next(ctx)
	if err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, ErrClosed) {
		s.Fatal(err)
	}
	for _, e := range all {
		r.take(s, e)
	}
	return len(all) > 0
}

func (r *reading) take(s *stream, e Event) {
	switch {
	case e.Record != nil:
		if e.Record.Seq != r.next {
			s.Fatalf("record %d came, %d is due", e.Record.Seq, r.next)
		}
		r.next++
		r.heard.Reset()
	case e.Live != nil:
		r.heard.WriteString(e.Live.Text)
		r.left += e.Left
	case e.Missed:
		clear(r.open)
	case e.Asked != nil:
		if r.open[e.Asked.ID] {
			s.Fatalf("question %s came twice", e.Asked.ID)
		}
		r.open[e.Asked.ID] = true
	case e.Settled != nil:
		delete(r.open, e.Settled.ID)
	}
}

// Whatever happens when: each reader gets each record after its place exactly once and in
// order, knows every question that is open and no other, and has the end of the reply that
// streams, however slow it was.
func TestEveryReaderGetsEveryRecordOnceAndInOrder(t *testing.T) {
	dir := t.TempDir()
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		log, err := store.Create(dir, fmt.Sprint("s", n), store.Options{})
		if err != nil {
			rt.Fatal(err)
		}
		defer log.Close()
		s := &stream{T: rt, log: log, open: map[string]bool{}, j: newJournal(bounds{records: 3, bytes: 500, cards: 3, pageRecords: 2, pageBytes: 400})}
		s.j.begin(log.Path(), 0)
		for range rapid.IntRange(1, 60).Draw(rt, "steps") {
			switch rapid.SampledFrom([]string{"record", "live", "ask", "settle", "attach", "read", "read"}).Draw(rt, "op") {
			case "record":
				s.record()
			case "live":
				s.live()
			case "ask":
				s.ask()
			case "settle":
				s.settle()
			case "attach":
				s.attach()
			case "read":
				if len(s.readers) > 0 {
					s.read(rapid.SampledFrom(s.readers).Draw(rt, "reader"))
				}
			}
		}
		s.attach()
		s.j.close()
		for _, r := range s.readers {
			for s.read(r) {
			}
			if r.next != s.j.last+1 {
				rt.Fatalf("a reader stopped before record %d of %d", r.next, s.j.last)
			}
			if fmt.Sprint(r.open) != fmt.Sprint(s.open) {
				rt.Fatalf("a reader thinks %v is open, it is %v", r.open, s.open)
			}
			if !strings.HasSuffix(s.said, r.heard.String()) {
				rt.Fatalf("a reader heard %q of %q", r.heard.String(), s.said)
			}
		}
	})
}

// A reader that sleeps while a command writes for ever has the end of what it wrote, and
// knows how much was left out; the memory is bounded.
func TestASleepingReaderCostsBoundedMemory(t *testing.T) {
	j := newJournal(usual)
	f := j.attach(0)
	total := 0
	for n := range 3000 {
		piece := strings.Repeat("é", 500) + "\n"
		total += len(piece)
		j.live(event.Live{Kind: event.LiveOutput, Call: fmt.Sprint("call_", n%2), Text: piece})
	}
	got := int64(0)
	events, err := f.Next(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		if len(e.Live.Text) > 2*maxOutput || strings.ContainsRune(e.Live.Text, '\uFFFD') {
			t.Errorf("%d bytes waited, or a character was cut", len(e.Live.Text))
		}
		got += int64(len(e.Live.Text)) + e.Left
	}
	if got != int64(total) || len(events) != 2 {
		t.Errorf("%d of %d bytes are accounted for in %d signs", got, total, len(events))
	}
}

// Pieces of one kind are one sign, in their order; a newer word on a wait takes the place
// of the older one.
func TestSignsOfOneKindAreOne(t *testing.T) {
	j := newJournal(usual)
	f := j.attach(0)
	for _, l := range []event.Live{
		{Kind: event.LiveWaiting, Cause: "a"}, {Kind: event.LiveWaiting, Cause: "b"},
		{Kind: event.LiveDelta, Thinking: "hm"}, {Kind: event.LiveDelta, Thinking: "mm"},
		{Kind: event.LiveDelta, Text: "x"}, {Kind: event.LiveOutput, Call: "c", Text: "1"}, {Kind: event.LiveDelta, Text: "y"},
		{Kind: event.LiveDelta, Thinking: "z"}, {Kind: event.LiveOutput, Call: "c", Text: "2"},
	} {
		j.live(l)
	}
	events, _ := f.Next(t.Context())
	var got []string
	for _, e := range events {
		got = append(got, string(e.Live.Kind)+":"+e.Live.Cause+e.Live.Text+e.Live.Thinking)
	}
	if want := "waiting:b delta:hmmm delta:xy output:12 delta:z"; strings.Join(got, " ") != want {
		t.Errorf("got %q, want %q", strings.Join(got, " "), want)
	}
}

// Next waits for what happens, and a reader that leaves, or a session that ends, wakes it.
func TestNextWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		j := newJournal(usual)
		f := j.attach(0)
		came := make(chan string, 4)
		go func() {
			for {
				events, err := f.Next(t.Context())
				if err != nil {
					came <- err.Error()
					return
				}
				came <- events[0].Live.Text
			}
		}()
		synctest.Wait()
		if len(came) != 0 {
			t.Fatal("something came of nothing")
		}
		j.live(event.Live{Kind: event.LiveDelta, Text: "a"})
		if got := <-came; got != "a" {
			t.Errorf("got %q", got)
		}
		synctest.Wait()
		j.close()
		if got := <-came; got != ErrClosed.Error() {
			t.Errorf("got %q", got)
		}
		ctx, stop := context.WithCancelCause(t.Context())
		stop(errors.New("gone"))
		if _, err := newJournal(usual).attach(0).Next(ctx); err == nil || err.Error() != "gone" {
			t.Errorf("a reader that leaves: %v", err)
		}
	})
}
