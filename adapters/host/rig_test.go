package host_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"tenet/adapters/host"
	"tenet/core/doc"
	"tenet/core/event"
)

// place is a home and a workspace of a test's own.
type place struct {
	home, dir string
}

func newPlace(t *testing.T) place {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := place{home: filepath.Join(top, "home", ".tenet"), dir: filepath.Join(top, "work")}
	for _, d := range []string{p.home, p.dir} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("HOME", filepath.Join(top, "home"))
	t.Setenv("TENET_HOME", p.home)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(top, "home", ".config"))
	for _, k := range []string{"OPENAI_BASE_URL", "OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OPENROUTER_API_KEY", "DEEPSEEK_API_KEY"} {
		t.Setenv(k, "")
	}
	return p
}

// file writes a file below the workspace and gives its path.
func (p place) file(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(p.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// script writes a rehearsal outside the workspace.
func (p place) script(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(filepath.Dir(p.dir), "story.rehearsal")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func (p place) options(t *testing.T, story string) host.Options {
	return host.Options{Version: "test", Dir: p.dir, Script: p.script(t, story)}
}

// open opens a session over a story.
func open(t *testing.T, o host.Options) *host.Host {
	t.Helper()
	h, err := host.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	return h
}

// reader reads a feed and keeps what came.
type reader struct {
	t    *testing.T
	feed *host.Feed
	all  []host.Event
	// from is how far until has looked.
	from int
}

func read(t *testing.T, f *host.Feed) *reader { return &reader{t: t, feed: f} }

// patience bounds each wait for an event that must come; nothing is judged by it.
const patience = 20 * time.Second

// until reads to the first event that ok is true of, after the last one that was waited for.
func (r *reader) until(what string, ok func(host.Event) bool) host.Event {
	r.t.Helper()
	ctx, stop := context.WithTimeout(r.t.Context(), patience)
	defer stop()
	for {
		for r.from < len(r.all) {
			e := r.all[r.from]
			r.from++
			if ok(e) {
				return e
			}
		}
		more, err := r.feed.Next(ctx)
		if err != nil {
			r.t.Fatalf("no %s came: %v; kinds so far %v", what, err, kinds(r.all))
		}
		r.all = append(r.all, more...)
	}
}

func (r *reader) record(k event.Kind) event.Record {
	r.t.Helper()
	return *r.until(string(k), func(e host.Event) bool { return e.Record != nil && e.Record.Kind == k }).Record
}

// rest reads until the feed ends.
func (r *reader) rest() {
	r.t.Helper()
	ctx, stop := context.WithTimeout(r.t.Context(), patience)
	defer stop()
	for {
		more, err := r.feed.Next(ctx)
		r.all = append(r.all, more...)
		if errors.Is(err, host.ErrClosed) {
			return
		}
		if err != nil {
			r.t.Fatal(err)
		}
	}
}

func kinds(all []host.Event) (out []string) {
	for _, e := range all {
		switch {
		case e.Record != nil:
			out = append(out, string(e.Record.Kind))
		case e.Live != nil:
			out = append(out, "live "+string(e.Live.Kind))
		case e.Asked != nil:
			out = append(out, "ASKED")
		case e.Settled != nil:
			out = append(out, "SETTLED "+e.Settled.How)
		}
	}
	return out
}

// seqs are the numbers of the records that came.
func seqs(all []host.Event) (out []uint64) {
	for _, e := range all {
		if e.Record != nil {
			out = append(out, e.Record.Seq)
		}
	}
	return out
}

// whole checks that records are from first to last, each once and in order.
func whole(t *testing.T, all []host.Event, first, last uint64) {
	t.Helper()
	var want []uint64
	for n := first; n <= last; n++ {
		want = append(want, n)
	}
	if got := seqs(all); !slices.Equal(got, want) {
		t.Errorf("records %v, want %d to %d each once", got, first, last)
	}
}

func decode[B event.Body](t *testing.T, r event.Record) B {
	t.Helper()
	b, err := event.Decode(r)
	if err != nil {
		t.Fatal(err)
	}
	return b.(B)
}

// tagOf is the tag that a read shows of a content.
func tagOf(content string) string { return doc.Tag(doc.Digest([]byte(content))) }
