package screen

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/diff"
)

// Golden compares the screen's text with the file testdata/name of the test's package;
// UPDATE=1 writes it. Wait until the screen stands still before: a golden screen is one
// that nothing will change.
func (s *Screen) Golden(t testing.TB, name string) {
	t.Helper()
	Golden(t, name, s.Text())
}

// Golden compares a text with the file testdata/name; UPDATE=1 writes it.
func Golden(t testing.TB, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	got = strings.TrimRight(got, "\n") + "\n"
	if os.Getenv("UPDATE") != "" {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; UPDATE=1 writes it", err)
	}
	if string(want) != got {
		t.Errorf("the screen differs from %s (UPDATE=1 accepts it):\n%s", path, diff.Diff("want", want, "got", []byte(got)))
	}
}
