package bridge

import (
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// startBytes is the most that one package of this module may allocate before main
// runs. `tenet --version` pays for every table that is built at start, and it must
// answer in milliseconds: what a command does not need is built when it is asked for.
const startBytes = 512 << 10

var initLine = regexp.MustCompile(`^init (tenet/\S+) .* (\d+) bytes, \d+ allocs`)

// TestStartIsCheap starts this program, which links every room, and reads what the
// runtime says of each package's start. Bytes are counted and not seconds, so that a
// busy machine changes nothing.
func TestStartIsCheap(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, "-test.run=^$")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1", "TENET_REPORT=")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	seen := 0
	for line := range strings.Lines(string(out)) {
		m := initLine.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		seen++
		if n, _ := strconv.Atoi(m[2]); n > startBytes {
			t.Errorf("package %s allocates %d bytes at start, at most %d: build its tables when they are asked for", m[1], n, startBytes)
		}
	}
	if seen == 0 {
		t.Fatalf("the runtime named no package of this module:\n%s", out)
	}
}
