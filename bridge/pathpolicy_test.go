package bridge

import (
	"fmt"
	"testing"

	"tenet/bridge/engine"
	"tenet/bridge/engine/trial"
	"tenet/core/pathpolicy"
	model "tenet/models/pathpolicy"
)

// Production on a real disk beside the naive model: random trees of links, and
// random paths through them.
func TestPathpolicyHistories(t *testing.T) {
	defer report.Time("pathpolicy")()
	n := trial.Check(t, 40, pathpolicyHistory)
	report.Histories("pathpolicy", n)
	t.Logf("%d histories", n)
}

// TestPathCases runs the accesses of testdata/cases/guard.jsonl.
func TestPathCases(t *testing.T) {
	for _, c := range guardCases(t, "path") {
		p := guardPlace(c)
		access := pathpolicy.Reading
		if c.Access == "write" {
			access = pathpolicy.Writing
		}
		target := p.Policy.Target(pathpolicy.Resolve(p.Links, p.Cwd, c.Input))
		c.check(t, target.Effects(access), []string{target.Real.Path})
	}
}

// FuzzPathpolicy makes links of the bytes and resolves a path of them: core and the
// naive model agree on where it leads, whether it loops, and what that place is.
func FuzzPathpolicy(f *testing.F) {
	f.Add([]byte{3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3})
	f.Add([]byte{0, 1, 1, 0, 2, 2, 2, 2, 7, 7, 7, 1, 0, 0})
	f.Fuzz(func(t *testing.T, b []byte) {
		src := &engine.Bytes{B: b}
		links := fuzzLinks{}
		for range src.Pick(6, "links") {
			links[fuzzPath(src)] = fuzzPath(src)
		}
		cwd, path := "/w/d", fuzzPath(src)
		if src.Pick(2, "relative") == 1 {
			path = path[1:]
		}
		if err := agree(links, cwd, path); err != nil {
			t.Fatalf("%v in %v", err, links)
		}
	})
}

func agree(links pathpolicy.Links, cwd, path string) error {
	got := model.Policy.Target(pathpolicy.Resolve(links, cwd, path))
	real, looped := model.Naive(links, cwd, path)
	want := pathpolicy.Target{
		Real:  pathpolicy.Real{Path: real, Looped: looped},
		Class: model.Class(model.Policy, real, looped), Holds: model.Holds(model.Policy, real),
	}
	if got != want {
		return fmt.Errorf("%s is %+v, the model says %+v", path, got, want)
	}
	return nil
}

// fuzzLinks is a disk of links; a name that begins with m is missing.
type fuzzLinks map[string]string

func (l fuzzLinks) Read(path string) (string, pathpolicy.Kind) {
	switch to, ok := l[path]; {
	case ok:
		return to, pathpolicy.Link
	case path[len(path)-1] == 'm':
		return "", pathpolicy.Missing
	}
	return "", pathpolicy.Present
}

func fuzzPath(src engine.Source) string {
	names := [...]string{"w", "d", "h", "s", "m", "..", ".", ".env", ".git", "bin", "", "proc", "1", "environ", "p", "root", "fd", "task", "mem"}
	out := ""
	for range src.Pick(5, "length") + 1 {
		out += "/" + names[src.Pick(len(names), "name")]
	}
	return out
}
