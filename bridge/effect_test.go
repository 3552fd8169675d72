package bridge

import (
	"bufio"
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tenet/bridge/engine"
	"tenet/bridge/engine/trial"
	"tenet/core/call"
	"tenet/core/effect"
	"tenet/core/pathpolicy"
	"tenet/core/script"
)

// Production's gate beside core's on every history of three operations, and on long
// ones that shrink when they fail.
func TestEffectHistories(t *testing.T) {
	defer report.Time("effect")()
	short, err := engine.Every(3, effectHistory)
	if err != nil {
		t.Fatal(err)
	}
	long := trial.Check(t, 100, effectHistory)
	report.Histories("effect", short+long)
	t.Logf("%d short and %d long histories", short, long)
}

// guardCase is one way in which a system of this kind failed somebody.
type guardCase struct {
	ID, Kind, Input, Access, Cwd, Home string
	Links                              map[string]string
	Fold, Floor                        bool
	Files                              []string
	Right                              []string `json:"right_effects"`
	MustNot                            []string `json:"must_not_effects"`
	Why                                string
}

// TestGuardCases runs every script of testdata/cases/guard.jsonl: the effects that
// must be there are, and those that must not are not. Each runs at home in /home/u,
// in the workspace /home/u/proj.
func TestGuardCases(t *testing.T) {
	n := 0
	for _, c := range guardCases(t, "shell") {
		n++
		s, err := script.Parse(repeated(c.Input))
		if err != nil {
			t.Errorf("%s: %v", c.ID, err)
			continue
		}
		judge := effect.Every
		if s.Whole {
			judge = effect.Whole
		}
		f := judge(s.File, guardPlace(c))
		c.check(t, f.Effects, f.Notes)
	}
	if n < 180 {
		t.Errorf("%d cases were run, some are gone", n)
	}
}

func (c guardCase) check(t *testing.T, got call.Effects, notes []string) {
	for _, e := range c.Right {
		if !slices.Contains(got.Names(), e) {
			t.Errorf("%s: %q may %v and must also %s: %s\n\t%q", c.ID, c.Input, got, e, c.Why, notes)
		}
	}
	for _, e := range c.MustNot {
		if slices.Contains(got.Names(), e) {
			t.Errorf("%s: %q may %v and must not %s: %s\n\t%q", c.ID, c.Input, got, e, c.Why, notes)
		}
	}
}

var repeat = regexp.MustCompile(`\{(.)\*(\d+)\}`)

// repeated writes {A*9} out.
func repeated(s string) string {
	return repeat.ReplaceAllStringFunc(s, func(m string) string {
		p := repeat.FindStringSubmatch(m)
		n, err := strconv.Atoi(p[2])
		if err != nil {
			return m
		}
		return strings.Repeat(p[1], n)
	})
}

// guardPlace is the machine that the cases speak of.
func guardPlace(c guardCase) effect.Place {
	cwd, home := c.Cwd, c.Home
	if cwd == "" {
		cwd = "/home/u/proj"
	}
	if home == "" {
		home = "/home/u"
	}
	return effect.Place{
		Policy: guardPolicy(c.Fold), Links: guardLinks(c.Links), Cwd: cwd,
		Env:   map[string]string{"HOME": home, "PATH": "/usr/bin:/bin:/home/u/bin"},
		Homes: func(user string) (string, bool) { return "/home/u", user == "u" },
	}
}

func guardPolicy(fold bool) *pathpolicy.Policy {
	return &pathpolicy.Policy{
		Roots:       []string{"/home/u/proj"},
		Secrets:     []string{"/home/u/.ssh", "/home/u/.aws", "/home/u/.netrc", "/home/u/.config/gh"},
		SecretNames: []pathpolicy.NameRule{{Name: ".env", Except: []string{".example", ".sample", ".template", ".dist"}}},
		Protected: []pathpolicy.Rule{
			{Kind: pathpolicy.Named, Path: ".git"}, {Kind: pathpolicy.Named, Path: ".tenet"},
			{Kind: pathpolicy.Tree, Path: "/home/u/.tenet"}, {Kind: pathpolicy.Tree, Path: "/home/u/proj/.tenet"},
			{Kind: pathpolicy.Dir, Path: "/usr/bin"}, {Kind: pathpolicy.Dir, Path: "/bin"}, {Kind: pathpolicy.Dir, Path: "/home/u/bin"},
		},
		Fold: fold,
	}
}

// guardLinks is a disk on which only the links of a case stand out.
type guardLinks map[string]string

func (l guardLinks) Read(path string) (string, pathpolicy.Kind) {
	if to, ok := l[path]; ok {
		return to, pathpolicy.Link
	}
	return "", pathpolicy.Present
}

func guardCases(t *testing.T, kind string) (out []guardCase) {
	f, err := os.Open("../testdata/cases/guard.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	for s.Scan() {
		var c guardCase
		if err := json.Unmarshal(s.Bytes(), &c); err != nil {
			t.Fatalf("%s: %v", s.Text(), err)
		}
		if c.Kind == kind {
			out = append(out, c)
		}
	}
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}
