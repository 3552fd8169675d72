package store_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tenet/adapters/store"
	"tenet/core/event"
)

// edited is a log whose text was changed, under a name of its own.
func edited(t *testing.T, change func(string) string) string {
	t.Helper()
	l := create(t, "s1")
	appendAll(t, l, aSession()...)
	l.Close()
	text, err := os.ReadFile(l.Path())
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "edited.jsonl")
	if err := os.WriteFile(path, []byte(change(string(text))), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// inLast changes the last line, its end included.
func inLast(change func(string) string) func(string) string {
	return func(log string) string {
		at := strings.LastIndex(strings.TrimSuffix(log, "\n"), "\n") + 1
		return log[:at] + change(log[at:])
	}
}

// A bad end is torn in each of these, since no sound record follows; the report says
// which of them only a crash leaves, and which somebody may have made.
func TestTheReportSaysWhatABadEndMayBe(t *testing.T) {
	const crash, either = "are an unfinished commit", "either a power loss left it of a commit that nobody was told of, or somebody changed the last record"
	for name, c := range map[string]struct {
		change func(string) string
		flaw   event.Flaw
		says   string
	}{
		"half a line":           {func(s string) string { return s[:len(s)-20] }, event.Unended, crash},
		"a line without an end": {func(s string) string { return strings.TrimSuffix(s, "\n") }, event.Unended, crash},
		"another word":          {inLast(func(s string) string { return strings.Replace(s, `"kind":"`, `"kind":"x`, 1) }), event.Altered, either},
		"another number":        {inLast(func(s string) string { return strings.Replace(s, `{"seq":`, `{"seq":1`, 1) }), event.Gap, either},
		"no form":               {inLast(func(string) string { return "hello\n" }), event.Shape, either},
	} {
		r, err := store.Verify(edited(t, c.change))
		if err != nil || r.OK() || r.Tail != event.Torn || r.Flaw != c.flaw || !strings.Contains(r.Text(), c.says) || strings.Contains(r.Text(), "verified") {
			t.Errorf("%s: tail %v, flaw %v, %v\n%swant %q", name, r.Tail, r.Flaw, err, r.Text(), c.says)
		}
	}
}

// An empty file is no proof of anything, and the report does not call it verified.
func TestAnEmptyLogIsNotVerified(t *testing.T) {
	r, err := store.Verify(edited(t, func(string) string { return "" }))
	if text := r.Text(); err != nil || r.Records != 0 || strings.Contains(text, "verified") || !strings.Contains(text, "the log holds no record") {
		t.Errorf("%v\n%s", err, text)
	}
}

// Arguments stand on one line of a listing, their line ends shown.
func TestAListingShowsArgumentsOnOneLine(t *testing.T) {
	line, _ := event.Encode(nil, event.Begin().Sum, 1, time.Unix(0, 0), event.Reply{Calls: []event.ToolCall{{ID: "c1", Tool: "bash", Args: "{\"command\":\n\"rm x\r\x1b[2J\"}"}}})
	h, ok := event.Cut(line[:len(line)-1])
	var b strings.Builder
	if err := store.Show(&b, []event.Record{h.Record()}); err != nil || !ok || !strings.Contains(b.String(), `calls bash {"command":↵"rm x\x0d\x1b[2J"} (c1)`+"\n") {
		t.Errorf("%v: %q", err, b.String())
	}
}
