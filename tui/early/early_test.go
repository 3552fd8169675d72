package early_test

import (
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"tenet/tui/early"
	"tenet/tui/screen"
)

// TestEarliest: the package may import syscall only, or it would be initialised after
// what it has to come before.
func TestEarliest(t *testing.T) {
	f, err := parser.ParseFile(token.NewFileSet(), "early.go", nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Imports) != 1 || f.Imports[0].Path.Value != `"syscall"` {
		t.Errorf("early.go imports more than syscall")
	}
}

// TestGivenBack: the variable is as it was before the program began.
func TestGivenBack(t *testing.T) {
	early.Done()
	early.Done()
	was, had := "", false
	for _, v := range strings.Split(inherited(t), "\x00") {
		if value, ok := strings.CutPrefix(v, "CI="); ok {
			was, had = value, true
		}
	}
	if is, has := os.LookupEnv("CI"); is != was || has != had {
		t.Errorf("CI is %q (%v), was %q (%v)", is, has, was, had)
	}
}

// inherited is the environment that the process was started with.
func inherited(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile("/proc/self/environ")
	if err != nil {
		t.Skipf("SKIPPED: this system does not say with what environment a process began: %v", err)
	}
	return string(b)
}

// TestCommandsAskNothing (tui-007): every command of the real program prints on a
// terminal that answers no question, without asking one: it would wait five seconds for
// each answer.
func TestCommandsAskNothing(t *testing.T) {
	dir, program := t.TempDir(), program(t)
	env := append(screen.Environ(os.Environ()), "HOME="+dir, "TENET_HOME="+filepath.Join(dir, "home"))
	for _, args := range append(commands(t, program, env), []string{"--version"}) {
		cmd := exec.Command(program, args...)
		cmd.Env, cmd.Dir = env, dir
		s := screen.Start(t, cmd, 100, 40)
		s.WaitExit(t)
		if q := screen.Query(s.Raw()); q != "" {
			t.Errorf("tenet %s asked the terminal %q", strings.Join(args, " "), q)
		}
		if s.Raw() == "" {
			t.Errorf("tenet %s printed nothing", strings.Join(args, " "))
		}
	}
}

// The most that the packages of the whole program may allocate before main runs: each
// of ours, and all together with those of others. Bytes are counted and not seconds, so
// that a busy machine changes nothing. The guard starts this program before every tool
// call of an agent.
const (
	ownBytes = 48 << 10
	allBytes = 1 << 20
)

var initLine = regexp.MustCompile(`^init (\S+) .* (\d+) bytes, \d+ allocs`)

// TestStartIsCheap: what a command does not need is built when it is asked for.
func TestStartIsCheap(t *testing.T) {
	cmd := exec.Command(program(t), "--version")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	sum := 0
	for line := range strings.Lines(string(out)) {
		m := initLine.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		n, _ := strconv.Atoi(m[2])
		sum += n
		if strings.HasPrefix(m[1], "tenet/") && n > ownBytes {
			t.Errorf("package %s allocates %d bytes at start, at most %d", m[1], n, ownBytes)
		}
	}
	if sum == 0 || sum > allBytes {
		t.Errorf("all packages allocate %d bytes at start, at most %d:\n%s", sum, allBytes, out)
	}
}

var built struct {
	once sync.Once
	path string
	err  error
}

// program builds the real program, once for all tests.
func program(t *testing.T) string {
	t.Helper()
	built.once.Do(func() {
		dir, err := os.MkdirTemp("", "tenet-early-")
		built.path, built.err = filepath.Join(dir, "tenet"), err
		if err == nil {
			out, err := exec.Command("go", "build", "-o", built.path, "tenet").CombinedOutput()
			if err != nil {
				built.err = fmt.Errorf("%w\n%s", err, out)
			}
		}
	})
	if built.err != nil {
		t.Fatal(built.err)
	}
	return built.path
}

func TestMain(m *testing.M) {
	code := m.Run()
	if built.path != "" {
		_ = os.RemoveAll(filepath.Dir(built.path))
	}
	os.Exit(code)
}

// commands are the help of each command that the program completes.
func commands(t *testing.T, program string, env []string) [][]string {
	t.Helper()
	cmd := exec.Command(program, "__complete", "")
	cmd.Env = env
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var all [][]string
	for line := range strings.Lines(string(out)) {
		if name, _, ok := strings.Cut(line, "\t"); ok {
			all = append(all, []string{name, "--help"})
		}
	}
	if len(all) < 10 {
		t.Fatalf("only these commands: %v", all)
	}
	return all
}
