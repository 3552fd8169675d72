package effect

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"tenet/core/call"
)

// Consulted counts how often each row of the table was used, and each option of it, as
// "ls", "ls -l", "git log" and "git log --stat".
type Consulted map[string]int

// Count counts what is consulted until the test is over.
func Count(t testing.TB) Consulted {
	seen := Consulted{}
	old, oldGit := table, maps.Clone(gitTable)
	t.Cleanup(func() { table, gitTable = old, oldGit })
	counted := map[string]*row{}
	for name, r := range old() {
		counted[name] = seen.row(name, *r)
	}
	table = func() map[string]*row { return counted }
	for name, r := range oldGit {
		gitTable[name] = seen.gitRow("git "+name, *r)
	}
	return seen
}

func (c Consulted) row(name string, r row) *row {
	run, more := r.run, r.more
	if run != nil {
		r.run = func(s *scene, argv []word) {
			c.words(name, argv)
			run(s, argv)
		}
		return &r
	}
	r.more = func(s *scene, a *args) call.Effects {
		c.args(name, a)
		if more == nil {
			return 0
		}
		return more(s, a)
	}
	return &r
}

func (c Consulted) gitRow(name string, r gitRow) *gitRow {
	more := r.more
	r.more = func(s *scene, a *args) call.Effects {
		c.args(name, a)
		if more == nil {
			return 0
		}
		return more(s, a)
	}
	return &r
}

func (c Consulted) words(name string, argv []word) {
	c[name]++
	for _, w := range argv[1:] {
		c[name+" "+w.text]++
	}
}

func (c Consulted) args(name string, a *args) {
	c[name]++
	for _, g := range a.opts {
		dash := "--"
		if len(g.name) == 1 {
			dash = "-"
		}
		c[name+" "+dash+g.name]++
	}
}

// Untried lists the rows that nothing consulted, and the options with an effect that no
// command had. The aliases of a row count as one for the options, and each for itself
// as a name.
func (c Consulted) Untried() []string {
	var out []string
	for _, d := range Describe() {
		for _, name := range d.Names {
			if c[name] == 0 {
				out = append(out, name)
			}
		}
		for _, o := range d.Options {
			tried := slices.ContainsFunc(d.Names, func(name string) bool { return c[name+" "+o.Name] > 0 })
			if o.Adds != 0 && !tried {
				out = append(out, strings.Join(d.Names, "|")+" "+o.Name)
			}
		}
	}
	return out
}

// Plain counts the options without an effect, and those of them that were tried.
func (c Consulted) Plain() (all, tried int) {
	for _, d := range Describe() {
		for _, o := range d.Options {
			if o.Adds != 0 {
				continue
			}
			all++
			if slices.ContainsFunc(d.Names, func(name string) bool { return c[name+" "+o.Name] > 0 }) {
				tried++
			}
		}
	}
	return all, tried
}
