package pathpolicy

import (
	"path"
	"slices"
	"strings"
)

// Pattern judges, at its worst, everything that a shell pattern may stand for: it is
// secret when it can match a secret entry or what lies under one, it holds a secret
// when it can match an ancestor of one. Links below its fixed beginning are not
// followed; the policy cannot list a directory.
func (p *Policy) Pattern(links Links, cwd, pattern string) Target {
	fixed, rest := splitPattern(pattern)
	dir := Resolve(links, cwd, fixed)
	g := glob{dir: p.fold(dir.Path), rest: p.foldNames(rest)}
	t := p.Target(Real{Path: child(dir.Path), Looped: dir.Looped})
	if slices.Contains(rest, "..") && t.Class == Inside {
		// What ".." goes up from is known only when it runs.
		t.Class = Outside
	}
	t = p.patternSecrets(t, g)
	for _, r := range p.Protected {
		if r.Kind != Named && g.reach(p.fold(r.Path)) != misses {
			t.Class = stricter(t.Class, Protected)
		}
	}
	return p.patternNames(t, g.rest)
}

// patternSecrets adds the credential stores and the environments of processes.
func (p *Policy) patternSecrets(t Target, g glob) Target {
	far := g.reachEnviron()
	for _, e := range p.Secrets {
		far = max(far, g.reach(p.fold(e)))
		t.Holds = t.Holds || g.reach(p.fold(e)) == above
	}
	switch far {
	case misses:
	case above:
		t.Holds = true
		t.Class = stricter(t.Class, Protected)
	case reaches:
		t.Class = Secret
	}
	return t
}

// foldNames folds the names that are no patterns: a shell matches a pattern with the
// name as it stands on the disk, and hands a plain name to the file system.
func (p *Policy) foldNames(rest []string) []string {
	out := slices.Clone(rest)
	for i, c := range out {
		if !strings.ContainsAny(c, signs) {
			out[i] = p.fold(c)
		}
	}
	return out
}

// patternNames adds the rules that go by name alone.
func (p *Policy) patternNames(t Target, rest []string) Target {
	for _, c := range rest {
		for _, n := range p.SecretNames {
			if matches(c, n.Name) || matches(c, n.Name+".local") || n.Matches(c) {
				t.Class = Secret
			}
		}
		for _, r := range p.Protected {
			if r.Kind == Named && matches(c, r.Path) {
				t.Class = stricter(t.Class, Protected)
			}
		}
	}
	return t
}

func stricter(a, b Class) Class { return min(a, b) }

// signs make a component a pattern.
const signs = "*?["

// child is a path directly in a directory, for what a pattern may stand for at least.
func child(dir string) string { return strings.TrimSuffix(dir, "/") + "/*" }

// splitPattern splits at the first component that has a sign in it.
func splitPattern(pattern string) (fixed string, rest []string) {
	parts := strings.Split(pattern, "/")
	n := 0
	for n < len(parts) && !strings.ContainsAny(parts[n], signs) {
		n++
	}
	fixed = strings.ReplaceAll(strings.Join(parts[:n], "/"), `\`, "")
	if n > 0 && fixed == "" {
		fixed = "/"
	}
	for _, c := range parts[n:] {
		if c != "" && c != "." {
			rest = append(rest, c)
		}
	}
	return fixed, rest
}

// matches is a shell's match of one component: a leading dot must be written. A
// pattern that cannot be read matches: the strict side.
func matches(pattern, name string) bool {
	if strings.HasPrefix(name, ".") && !strings.HasPrefix(pattern, ".") && !strings.HasPrefix(pattern, `\.`) {
		return false
	}
	ok, err := path.Match(strings.ReplaceAll(pattern, "[!", "[^"), name)
	return ok || err != nil
}
