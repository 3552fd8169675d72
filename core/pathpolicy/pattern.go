package pathpolicy

import (
	"path"
	"strings"
)

// Pattern judges, at its worst, everything that a shell pattern may stand for: it is
// secret when it can match a secret entry or what lies under one, it holds a secret
// when it can match an ancestor of one. Links below its fixed beginning are not
// followed; the policy cannot list a directory.
func (p *Policy) Pattern(links Links, cwd, pattern string) Target {
	fixed, rest := splitPattern(pattern)
	dir := Resolve(links, cwd, fixed)
	at := p.fold(dir.Path)
	t := p.Target(Real{Path: child(dir.Path), Looped: dir.Looped})
	for _, e := range p.Secrets {
		switch reach(at, rest, p.fold(e)) {
		case misses:
		case above:
			t.Holds = true
			t.Class = stricter(t.Class, Protected)
		case reaches:
			t.Class = Secret
		}
	}
	for _, r := range p.Protected {
		if r.Kind != Named && reach(at, rest, p.fold(r.Path)) != misses {
			t.Class = stricter(t.Class, Protected)
		}
	}
	return p.patternNames(t, rest)
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

// child is a path directly in a directory, for what a pattern may stand for at least.
func child(dir string) string { return strings.TrimSuffix(dir, "/") + "/*" }

// splitPattern splits at the first component that has a sign in it.
func splitPattern(pattern string) (fixed string, rest []string) {
	parts := strings.Split(pattern, "/")
	n := 0
	for n < len(parts) && !strings.ContainsAny(parts[n], "*?[") {
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

// reached is how a pattern lies to an entry.
type reached uint8

const (
	misses  reached = iota // nothing it matches touches the entry
	above                  // it can match an ancestor of the entry
	reaches                // it can match the entry or something under it
)

func reach(dir string, rest []string, entry string) reached {
	if within(dir, entry) {
		return reaches
	}
	if !below(entry, dir) {
		return misses
	}
	names := strings.Split(strings.TrimPrefix(strings.TrimPrefix(entry, dir), "/"), "/")
	for i := range min(len(names), len(rest)) {
		if rest[i] != ".." && !matches(rest[i], names[i]) {
			return misses
		}
	}
	if len(rest) < len(names) {
		return above
	}
	return reaches
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
