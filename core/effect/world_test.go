package effect_test

import (
	"slices"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"

	"tenet/core/call"
	"tenet/core/effect"
	"tenet/core/pathpolicy"
	"tenet/core/script"
)

type effectCase struct {
	line   int
	script string
	want   call.Effects
}

// links is a small disk: only links are on it. Everything else is there but what is
// called new, and what only a second work tree has.
type links map[string]string

func (l links) Read(path string) (string, pathpolicy.Kind) {
	if to, ok := l[path]; ok {
		return to, pathpolicy.Link
	}
	if strings.HasPrefix(path[strings.LastIndexByte(path, '/')+1:], "new") || strings.HasSuffix(path, "/commondir") {
		return "", pathpolicy.Missing
	}
	return "", pathpolicy.Present
}

const root = "/home/u/proj"

var policy = &pathpolicy.Policy{
	Roots:       []string{root},
	Secrets:     []string{"/home/u/.ssh", "/home/u/.aws", "/home/u/.netrc", "/home/u/.config/gh"},
	SecretNames: []pathpolicy.NameRule{{Name: ".env", Except: []string{".example", ".sample", ".template", ".dist"}}},
	Protected: []pathpolicy.Rule{
		{Kind: pathpolicy.Tree, Path: "/home/u/.tenet"}, {Kind: pathpolicy.Tree, Path: root + "/.tenet"},
		{Kind: pathpolicy.Named, Path: ".git"}, {Kind: pathpolicy.Named, Path: ".tenet"},
		{Kind: pathpolicy.Dir, Path: "/usr/bin"}, {Kind: pathpolicy.Dir, Path: "/home/u/bin"},
	},
}

var home = effect.Place{
	Policy: policy,
	Links: links{root + "/link": "/etc", root + "/keys": "/home/u/.ssh", root + "/loop": "loop",
		root + "/docs/f": "/home/u/.ssh/id", root + "/docs/o": "/tmp/o", root + "/out/.git": "/srv/r.git", root + "/file/.git/HEAD": "none/new"},
	Cwd:   root,
	Env:   map[string]string{"HOME": "/home/u", "PATH": "/usr/bin:/home/u/bin"},
	Homes: func(user string) (string, bool) { return "/home/" + user, user == "u" },
}

// judge is the effects of a script: of its steps together, or of the whole when it
// needs bash.
func judge(t testing.TB, text string, look effect.Look) effect.Finding {
	s, err := script.Parse(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	if s.Whole {
		return effect.Whole(s.File, look)
	}
	return effect.Every(s.File, look)
}

func parseEffects(t testing.TB, names string) call.Effects {
	var out call.Effects
	for _, n := range strings.Split(names, "+") {
		i := slices.Index(call.All.Names(), n)
		if i < 0 {
			t.Fatalf("unknown effect %q", n)
		}
		out |= call.Of(call.Effect(i))
	}
	return out
}

func parse(t testing.TB, text string) *syntax.File {
	f, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), "")
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return f
}
