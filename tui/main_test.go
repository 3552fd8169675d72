package tui

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"tenet/adapters/cli"
	"tenet/tui/screen"
)

// underTest makes this test's own binary the interface.
const underTest = "TENET_INTERFACE_UNDER_TEST"

func TestMain(m *testing.M) {
	if os.Getenv(underTest) == "" {
		os.Exit(m.Run())
	}
	c := &cobra.Command{Use: "tenet", SilenceUsage: true, SilenceErrors: true}
	Lead(c, "test", nil)
	err := c.ExecuteContext(context.Background())
	if err != nil {
		fmt.Fprintln(os.Stderr, "tenet:", err)
	}
	os.Exit(cli.Code(err))
}

// place is a person's machine for one test: a home and a project, below a directory whose
// name is as long in every run, so that lines break alike.
type place struct{ root, home, project string }

func newPlace(t *testing.T) place {
	t.Helper()
	b := make([]byte, 4)
	_, _ = rand.Read(b)
	root := filepath.Join("/tmp", "tenet-"+hex.EncodeToString(b))
	p := place{root: root, home: filepath.Join(root, "home"), project: filepath.Join(root, "project")}
	for _, d := range []string{filepath.Join(p.home, ".ssh"), p.project} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { _ = os.RemoveAll(root) })
	p.file(t, "project/slug.sh", "#!/bin/sh\n# slug: a title as a file name\necho \"$1\" | tr 'A-Z ' 'a-z-' | tr -d '-'\n")
	p.file(t, "project/test.sh", "[ \"$(sh slug.sh 'A Fine Day')\" = a-fine-day ] && echo ok || { echo FAIL; exit 1; }\n")
	p.file(t, "home/.ssh/id_demo", "not a key\n")
	return p
}

func (p place) file(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(p.root, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// start shows the interface on a terminal.
func (p place) start(t *testing.T, cols, rows int, args ...string) *screen.Screen {
	t.Helper()
	cmd := exec.Command(os.Args[0], args...)
	cmd.Dir = p.project
	cmd.Env = screen.Environ([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + p.home, "TENET_HOME=" + filepath.Join(p.home, ".tenet"), "LANG=C.UTF-8", "COLORTERM=truecolor", underTest + "=1",
	})
	return screen.Start(t, cmd, cols, rows)
}

// script writes a rehearsal of this package into the place, with its paths put in.
func (p place) script(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	p.file(t, name, strings.ReplaceAll(string(b), "ROOT", p.root))
	return filepath.Join(p.root, name)
}

// What differs from run to run: names, which keep their length, and times, which do not, so
// that how far to the right a part of a line stands is not compared here: that every frame
// is exactly the screen is TestEveryFrameFits's.
var (
	variesNames = regexp.MustCompile(`tenet-[0-9a-f]{1,8}|[0-9]{8}-[0-9]{6}-[0-9a-f]{1,6}|\b[0-9a-f]{16,64}\b`)
	variesTimes = regexp.MustCompile(`(^| · | +)[0-9]+(\.[0-9]+)? ?(ms|s)\b`)
	gaps        = regexp.MustCompile(` {2,}`)
	digits      = regexp.MustCompile(`[0-9a-f]`)
)

func sameLength(name string) string {
	head, rest, ok := strings.Cut(name, "tenet-")
	if !ok {
		return digits.ReplaceAllString(name, "0")
	}
	return head + "tenet-" + digits.ReplaceAllString(rest, "0")
}

// steady is a screen without what differs from run to run.
func steady(text string) string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		l = variesNames.ReplaceAllStringFunc(l, sameLength)
		body := strings.TrimLeft(l, " ")
		lines[i] = l[:len(l)-len(body)] + gaps.ReplaceAllString(variesTimes.ReplaceAllString(body, ""), "  ")
	}
	return strings.Join(lines, "\n")
}
