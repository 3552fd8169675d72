package shell

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// heard collects what a call tells while it runs.
type heard struct {
	mu    sync.Mutex
	texts []string
	first chan struct{} // closed with the first
}

func (h *heard) hear(text string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.texts = append(h.texts, text); len(h.texts) == 1 && h.first != nil {
		close(h.first)
	}
}

func (h *heard) all() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return strings.Join(h.texts, "")
}

// What a command writes is heard while it still runs, and all of it by its end.
func TestWhatACommandWritesIsHeardWhileItRuns(t *testing.T) {
	h := &heard{first: make(chan struct{})}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	d := tree(t)
	x := newShell(d).Start(ctx, &recorder{}, Call{Script: "echo begun; sh -c 'while [ ! -e go ]; do sleep 0.01; done; echo over'", Heard: h.hear})
	select {
	case <-h.first:
	case <-x.Done():
		t.Fatalf("it ended before anything was heard: %+v", x.Result())
	}
	if err := os.WriteFile(filepath.Join(d, "go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if r := x.Result(); h.all() != r.Output || r.Output != "begun\nover\n" {
		t.Errorf("heard %q of %q", h.all(), r.Output)
	}
}

// A command that writes without end is heard of at most every 50 milliseconds, and then its
// last 4 KiB; whoever listens gets whole characters, and no controls.
func TestAnEndlessOutputIsHeardInPieces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, s := &heard{}, newSink(Limits{})
		tap := newTap(h.hear, s, nil)
		began := time.Now()
		for range 1000 {
			_, _ = io.WriteString(s, strings.Repeat("é\x1b[1m\n", 1000))
			time.Sleep(time.Millisecond)
		}
		tap.close()
		took := time.Since(began)
		if most := int(took/HeardEvery) + 2; len(h.texts) > most || len(h.texts) < most/2 {
			t.Errorf("heard %d times in %v", len(h.texts), took)
		}
		for _, text := range h.texts {
			if len(text) > HeardMost || strings.Contains(text, "\x1b") || !strings.HasSuffix(text, "é[1m\n") || strings.ContainsRune(text, '\uFFFD') {
				t.Fatalf("heard %d bytes: %.40q...", len(text), text)
			}
		}
		_, _ = io.WriteString(s, "late")
		synctest.Wait()
		if strings.Contains(h.all(), "late") {
			t.Error("something was heard after the end")
		}
	})
}

// A listener that does not come back holds no writer up.
func TestASlowListenerHoldsNoWriterUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hold, s := make(chan struct{}), newSink(Limits{})
		h := &heard{}
		tap := newTap(func(text string) { <-hold; h.hear(text) }, s)
		for range 100 {
			_, _ = io.WriteString(s, "x")
			time.Sleep(HeardEvery)
		}
		close(hold)
		tap.close()
		if h.all() != strings.Repeat("x", 100) {
			t.Errorf("heard %q", h.all())
		}
	})
}
