package settings

import (
	"slices"

	"tenet/core/guard"
)

// guard reads what the user says of the guard. A list that makes it stricter and
// cannot be read has no strictest value, so the file is refused.
func (r *reader) guard(key string, n Node) (p guard.Policy) {
	if n.Kind != Object {
		r.refuse(n, key, "it is %s and should be an object", n.Kind)
		return p
	}
	r.object(key+".", n, map[string]func(string, Node){
		"off":        func(key string, n Node) { p.Off = r.off(key, n) },
		"network":    func(key string, n Node) { p.Network = r.network(key, n) },
		"hosts":      func(key string, n Node) { p.Hosts, _ = r.strings(key, n, "no host is let through") },
		"writeRoots": func(key string, n Node) { p.WriteRoots = r.limits(key, n) },
		"protected":  func(key string, n Node) { p.Fragments = r.limits(key, n) },
	})
	return p
}

// off keeps the names of rules that a user may switch off: a misspelt one would be
// believed to be off and still refuse, or the other way round.
func (r *reader) off(key string, n Node) (out []string) {
	names, _ := r.strings(key, n, "every rule of the guard stays on")
	for _, name := range names {
		switch {
		case !slices.Contains(guard.Rules(), name):
			r.warn(n, key, "the guard has no rule %q; nothing is switched off by it", name)
		case !guard.MayBeOff(name):
			r.warn(n, key, "%s cannot be switched off", name)
		default:
			out = append(out, name)
		}
	}
	return out
}

func (r *reader) network(key string, n Node) guard.Mode {
	m, ok := guard.ParseMode(n.Text)
	if n.Kind != String || !ok {
		r.warn(n, key, "it should be \"rules\" or \"deny\"; until it is repaired it is deny")
		return guard.DenyAll
	}
	return m
}

// limits reads a list whose every element makes things stricter: one that is lost
// would open what it was to close.
func (r *reader) limits(key string, n Node) (out []string) {
	if n.Kind != List {
		r.refuse(n, key, "it is %s and should be a list of strings", n.Kind)
		return nil
	}
	for _, e := range n.Elements {
		if e.Kind != String || e.Text == "" {
			r.refuse(e, key, "an element of it is %s and should be a string that is not empty", e.Kind)
			continue
		}
		out = append(out, e.Text)
	}
	return out
}
