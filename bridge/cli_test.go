package bridge

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// tenetBinary builds the program once for all tests that run it as a person does.
var tenetBinary = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "tenet-bin-")
	if err != nil {
		return "", err
	}
	bin := filepath.Join(dir, "tenet")
	cmd := exec.Command("go", "build", "-trimpath", "-o", bin, "..")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	cmd.Stderr = os.Stderr
	return bin, cmd.Run()
})

func buildTenet(t testing.TB) string {
	t.Helper()
	bin, err := tenetBinary()
	if err != nil {
		t.Fatalf("build tenet: %v", err)
	}
	return bin
}

// TestStories runs the command line's stories; each is a page that a newcomer can
// read. They see no home directory, no network and no setting of this machine.
func TestStories(t *testing.T) {
	bin := buildTenet(t)
	testscript.Run(t, testscript.Params{
		Dir:           "../testdata/script",
		UpdateScripts: os.Getenv("UPDATE") != "",
		Setup: func(e *testscript.Env) error {
			e.Setenv("PATH", filepath.Dir(bin)+string(os.PathListSeparator)+os.Getenv("PATH"))
			e.Setenv("HOME", filepath.Join(e.WorkDir, "home"))
			e.Setenv("TENET_HOME", filepath.Join(e.WorkDir, "tenet-home"))
			e.Setenv("LC_ALL", "C")
			e.Setenv("NO_COLOR", "1")
			return os.MkdirAll(filepath.Join(e.WorkDir, "home"), 0o755)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"normalise": normalise,
			"exits":     exits,
			"server":    modelServer,
		},
	})
}

// normalise FROM TO copies a file so that it can be compared: this run's directory,
// session name, version and times become words. FROM may be stdout or stderr.
func normalise(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: normalise FROM TO")
	}
	text := ts.ReadFile(args[0])
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(normalised(text, ts.Getenv("WORK"))), 0o644))
}

var variable = []struct{ from, to string }{
	{`session [0-9]{8}-[0-9]{6}-[0-9a-f]+`, "session SESSION"},
	{`[0-9]{8}-[0-9]{6}-[0-9a-f]+\.jsonl`, "SESSION.jsonl"},
	{`tenet (devel|v[0-9][^ ]*) ·`, "tenet VERSION ·"},
	{`[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z`, "TIME"},
	{`tenet-demo-[0-9]+`, "tenet-demo-N"},
	{`[0-9]{8}-[0-9]{6}-[0-9a-f]{6}`, "SESSION"},
	{`[0-9a-f]{64}`, "SUM"},
}

func normalised(text, work string) string {
	for _, v := range variable {
		text = regexp.MustCompile(v.from).ReplaceAllString(text, v.to)
	}
	if work == "" {
		return text
	}
	// The real path differs from the one the test was given where the temporary
	// directory is a link (macOS).
	if real, err := filepath.EvalSymlinks(work); err == nil {
		text = strings.ReplaceAll(text, real, "WORK")
	}
	return strings.ReplaceAll(text, work, "WORK")
}

// exits CODE PROGRAM ARGS... runs a program and fails unless it ends with the code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM [ARG...]")
	}
	got := "0"
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%s did not end by itself: %v", args[1], err)
		}
		got = strconv.Itoa(exit.ExitCode())
	}
	if got != args[0] {
		ts.Fatalf("%s ended with %s, want %s", strings.Join(args[1:], " "), got, args[0])
	}
}
