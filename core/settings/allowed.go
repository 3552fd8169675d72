package settings

import (
	"slices"
	"strings"
)

// Allowed are the models that a run may use. The zero value allows every model.
type Allowed struct {
	// Set is true when the settings name a list, even one that cannot be read.
	Set bool
	// Broken is true when the list cannot be read: then no model is allowed.
	Broken bool
	// List holds selectors: "provider/id", "provider/*" for every model of one, an id
	// alone for that model wherever it is, or "*".
	List []string
	// And are further lists that must allow a model as well.
	And []Allowed
}

// Allows reports whether the model of a provider may be used. A list that cannot be
// read allows none: what its writer meant to keep out is not known (10.2).
func (a Allowed) Allows(provider, id string) bool {
	for _, b := range a.And {
		if !b.Allows(provider, id) {
			return false
		}
	}
	if !a.Set {
		return true
	}
	return !a.Broken && slices.ContainsFunc(a.List, func(s string) bool { return names(s, provider, id) })
}

// names reports whether a selector of a list is about a model.
func names(selector, provider, id string) bool {
	if selector == "*" || selector == id || selector == provider+"/"+id {
		return true
	}
	prefix, ok := strings.CutSuffix(selector, "*")
	return ok && strings.HasPrefix(prefix, provider+"/") && strings.HasPrefix(provider+"/"+id, prefix)
}

// and is a list that allows what both allow.
func (a Allowed) and(b Allowed) Allowed {
	switch {
	case !b.Set || sameAllowed(a, b):
		return a
	case !a.Set:
		return b
	}
	a.And = append(slices.Clone(a.And), b)
	return a
}

func sameAllowed(a, b Allowed) bool {
	return a.Set == b.Set && a.Broken == b.Broken && slices.Equal(a.List, b.List)
}

// allowed reads the list. Anything of it that cannot be read breaks all of it: an
// element that is lost may have been the only one that a person meant.
func (r *reader) allowed(key string, n Node) Allowed {
	broken := Allowed{Set: true, Broken: true}
	if n.Kind != List {
		r.warn(n, key, "it is %s and should be a list of model names; until it is repaired no model is allowed", n.Kind)
		return broken
	}
	out := Allowed{Set: true}
	for _, e := range n.Elements {
		if e.Kind != String || !plainText(e.Text) {
			r.warn(e, key, "an element of it is %s and should be the name of a model; until it is repaired no model is allowed", kindOrOdd(e))
			return broken
		}
		out.List = append(out.List, e.Text)
	}
	return out
}

// kindOrOdd says what is wrong with a value that should be a plain text.
func kindOrOdd(n Node) string {
	switch {
	case n.Kind != String:
		return n.Kind.String()
	case strings.TrimSpace(n.Text) == "":
		return "empty"
	}
	return "a string with characters that no name has"
}

// plainText reports whether a string can name something: not empty, in one line,
// without control characters and without spaces around it.
func plainText(s string) bool {
	if s == "" || len(s) > maxText || strings.TrimSpace(s) != s {
		return false
	}
	return !strings.ContainsFunc(s, func(c rune) bool { return c < ' ' || c == 0x7f })
}

// maxText bounds a name in the settings, in bytes.
const maxText = 4096
