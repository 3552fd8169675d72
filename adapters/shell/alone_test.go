package shell

import (
	"os"
	"strings"
	"syscall"
	"testing"
)

// A process in the background does not hold the call; what it held is said.
func TestBackgroundHoldsPipe(t *testing.T) {
	d := t.TempDir()
	if err := syscall.Mkfifo(d+"/go", 0o600); err != nil {
		t.Fatal(err)
	}
	r := run1(t, d, `sh -c 'cat go & echo hi'`)
	if r.Output != "hi\n" || len(r.Background) != 1 || !r.Bounded.Held || r.End.Kind != Finished {
		t.Errorf("%+v", r)
	}
	if !strings.Contains(r.Text(), "still run in the background") {
		t.Errorf("the text does not say so: %s", r.Text())
	}
	f, err := os.OpenFile(d+"/go", os.O_WRONLY, 0) // lets it end
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
}

// A command alone is waited for after its output, and beside it when that takes long:
// its status, its output and what it leaves behind are the same in both ways.
func TestAloneEnds(t *testing.T) {
	for _, c := range []struct {
		src, out string
		status   int
		held     bool
	}{
		{src: `sh -c 'echo soon; exit 3'`, out: "soon\n", status: 3},
		{src: `sh -c 'sleep 0.1; echo late; exit 4'`, out: "late\n", status: 4},
		{src: `sh -c 'echo first; exec >&- 2>&-; sleep 0.1; exit 5'`, out: "first\n", status: 5},
		{src: `sh -c 'sleep 987 & echo left; exit 6'`, out: "left\n", status: 6, held: true},
		{src: `sh -c 'kill -9 $$'`, status: 137},
	} {
		s := newShell(t.TempDir())
		r := s.Run(t.Context(), &recorder{}, c.src)
		if r.Output != c.out || r.Status != c.status || r.Bounded.Held != c.held || (len(r.Background) > 0) != c.held {
			t.Errorf("%s: %+v", c.src, r)
		}
		s.Close(t.Context())
	}
}
