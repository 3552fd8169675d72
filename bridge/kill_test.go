package bridge

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gofrs/flock"

	"tenet/adapters/store"
	"tenet/core/event"
)

// killPoints is at how many points of a session the program is killed; make long
// raises it.
func killPoints() int {
	if n, err := strconv.Atoi(os.Getenv("TENET_KILL_POINTS")); err == nil && n > 0 {
		return n
	}
	return 200
}

// busyStory is a session that reads, writes, runs programs and pipelines, so that a
// kill can meet every kind of record.
func busyStory() string {
	var b strings.Builder
	for i := range 8 {
		fmt.Fprintf(&b, `{"calls": [{"tool": "bash", "args": {"command": "echo %d >> lines && sh -c 'cat lines' | tail -n 1"}}, {"tool": "write", "args": {"path": "file%d", "content": "x"}}]}`+"\n", i, i)
	}
	return b.String() + `{"text": "done"}`
}

// TestKilledAnywhereTheLogStandsAndNamesTheCall kills a session with SIGKILL after
// each of its records in turn, and a little later each round, until every point was
// met. Whatever is left opens, verifies, holds every record that was shown as
// durable, and names exactly the calls without a result (laws log_acked_survives,
// log_unresolved_named).
func TestKilledAnywhereTheLogStandsAndNamesTheCall(t *testing.T) {
	bin, story := buildTenet(t), filepath.Join(t.TempDir(), "busy.rehearsal")
	if err := os.WriteFile(story, []byte(busyStory()), 0o644); err != nil {
		t.Fatal(err)
	}
	whole := killAfter(t, bin, story, 1<<30, 0)
	interrupted := 0
	for n := range killPoints() {
		after := 1 + n%len(whole.shown)
		k := killAfter(t, bin, story, after, n/len(whole.shown))
		k.check(t)
		interrupted += len(k.report.Interrupted)
	}
	if interrupted == 0 {
		t.Error("no kill met a call that was under way: the test shows nothing")
	}
	t.Logf("%d kills over a session of %d records; %d calls were named as interrupted", killPoints(), len(whole.shown), interrupted)
}

type killed struct {
	at     string
	log    string
	shown  [][]byte
	report store.Report
}

// killAfter runs the story in a directory of its own and kills it once n records
// were shown; spin lets it go on for a moment that grows with it.
func killAfter(t *testing.T, bin, story string, n, spin int) killed {
	t.Helper()
	dir := t.TempDir()
	cmd := exec.Command(bin, "run", "--script", story, "--auto", "read,write,exec", "--json", "go")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+dir, "TENET_HOME="+filepath.Join(dir, "th"))
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	k := killed{at: fmt.Sprintf("killed after record %d, spin %d", n, spin)}
	lines := bufio.NewReaderSize(out, 1<<20)
	for len(k.shown) < n {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			break
		}
		k.see(line)
	}
	if n < 1<<30 {
		for i := 0; i < spin*200_000; i++ {
			_ = i
		}
		_ = cmd.Process.Kill()
		rest, _ := io.ReadAll(lines)
		for line := range bytes.Lines(rest) {
			if bytes.HasSuffix(line, []byte("\n")) {
				k.see(line)
			}
		}
	}
	if err := cmd.Wait(); n == 1<<30 && err != nil {
		t.Fatalf("the story does not play: %v\n%s", err, stderr.Bytes())
	}
	logs, err := store.List(filepath.Join(dir, "th", "sessions"))
	if err != nil || len(logs) != 1 {
		t.Fatalf("%s: logs %v, %v", k.at, logs, err)
	}
	k.log = logs[0].Path
	return k
}

// see counts a line of the stream that is a record; its head and the live signs are none.
func (k *killed) see(line []byte) {
	if bytes.HasPrefix(line, []byte(`{"seq":`)) {
		k.shown = append(k.shown, line)
	}
}

// released waits until the kernel has let go of the lock: a command that was just
// being started holds the descriptors of the process that was killed until it runs.
func (k *killed) released(t *testing.T) {
	t.Helper()
	lock := flock.New(k.log + ".lock")
	if err := lock.Lock(); err != nil {
		t.Fatal(err)
	}
	if err := lock.Close(); err != nil {
		t.Fatal(err)
	}
}

func (k *killed) check(t *testing.T) {
	t.Helper()
	k.released(t)
	l, repairs, err := store.Open(k.log)
	if err != nil {
		t.Fatalf("%s: %v", k.at, err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	records, report, err := store.Read(k.log)
	if err != nil || !report.OK() {
		t.Fatalf("%s: %v, repairs %v\n%s", k.at, err, repairs, report.Text())
	}
	k.report = report
	if len(records) < len(k.shown) {
		t.Fatalf("%s: %d records were shown as durable, %d are there", k.at, len(k.shown), len(records))
	}
	var named []string
	for _, c := range report.Interrupted {
		named = append(named, c.ID)
	}
	if want := withoutResult(t, records); !slices.Equal(named, want) {
		t.Fatalf("%s: interrupted %v, named %v", k.at, want, named)
	}
}

// withoutResult is a second, naive reading of the records: the calls the model made that have
// no result.
func withoutResult(t *testing.T, records []event.Record) []string {
	t.Helper()
	var made []string
	for _, r := range records {
		b, err := event.Decode(r)
		if err != nil {
			t.Fatal(err)
		}
		switch b := b.(type) {
		case event.Reply:
			for _, c := range b.Calls {
				made = append(made, c.ID)
			}
		case event.Result:
			made = slices.DeleteFunc(made, func(id string) bool { return id == b.Call })
		}
	}
	return made
}
