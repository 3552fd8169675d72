package bridge

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestCasesAreAccountedFor: every real failure of the list has a case that is run, or a
// line in docs/cases.md; and each test that the page names exists.
func TestCasesAreAccountedFor(t *testing.T) {
	page := readText(t, "../docs/cases.md")
	known := map[string]bool{}
	for _, kind := range []string{"shell", "path"} {
		for _, c := range guardCases(t, kind) {
			if known[c.ID] {
				t.Errorf("testdata/cases/guard.jsonl has %s twice", c.ID)
			}
			known[c.ID] = true
		}
	}
	ids := strings.Fields(readText(t, "../testdata/cases/ids.txt"))
	for _, id := range ids {
		if !known[id] && !strings.Contains(page, "`"+id+"`") {
			t.Errorf("%s has neither a case in testdata/cases nor a line in docs/cases.md", id)
		}
	}
	for _, id := range quoted.FindAllStringSubmatch(page, -1) {
		if !known[id[1]] && !slices.Contains(ids, id[1]) {
			t.Errorf("docs/cases.md speaks of %s, which no list has", id[1])
		}
	}
	tests := declaredTests(t, "..")
	for _, name := range testName.FindAllString(page, -1) {
		if !tests[name] {
			t.Errorf("docs/cases.md names %s, and there is no such test", name)
		}
	}
}

var (
	quoted   = regexp.MustCompile("`([a-z]+-[a-z0-9-]*[a-z0-9])`")
	testName = regexp.MustCompile(`\b(Test|Fuzz)[A-Z]\w*`)
	testFunc = regexp.MustCompile(`(?m)^func ((Test|Fuzz)[A-Z]\w*)\(`)
)

// declaredTests is the names of all tests below a directory.
func declaredTests(t *testing.T, root string) map[string]bool {
	out := map[string]bool{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		for _, m := range testFunc.FindAllStringSubmatch(readText(t, path), -1) {
			out[m[1]] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func readText(t *testing.T, path string) string {
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
