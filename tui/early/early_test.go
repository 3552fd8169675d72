package early_test

import (
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
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
	dir := t.TempDir()
	program := filepath.Join(dir, "tenet")
	if out, err := exec.Command("go", "build", "-o", program, "tenet").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
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
