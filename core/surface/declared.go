package surface

import (
	"fmt"
	"unicode/utf8"
)

// The bounds of a declaration: what a server sends about its tools ends up in the
// model's context, so it is bounded before it is taken.
const (
	maxName        = 128
	maxDescription = 16 << 10
	maxParams      = 256
	maxNesting     = 8
)

// flaw is what is wrong with a declaration; empty for a sound one.
func flaw(t Tool) string {
	switch {
	case !wellNamed(t.Name):
		return fmt.Sprintf("a tool's name is 1 to %d of the characters a-z A-Z 0-9 _ - / .", maxName)
	case len(t.Description) > maxDescription || !utf8.ValidString(t.Description):
		return fmt.Sprintf("its description is longer than %d bytes, or no UTF-8", maxDescription)
	case t.Version < 0:
		return fmt.Sprintf("its version is %d; a version is 1 or more", t.Version)
	}
	return paramsFlaw(t.Params, 0)
}

// wellNamed: providers refuse other characters, and a terminal may obey them.
func wellNamed(name string) bool {
	if name == "" || len(name) > maxName {
		return false
	}
	for _, r := range name {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
		if !letter && r != '_' && r != '-' && r != '/' && r != '.' {
			return false
		}
	}
	return true
}

func paramsFlaw(ps []Param, depth int) string {
	if len(ps) > maxParams || depth > maxNesting {
		return fmt.Sprintf("it declares more than %d parameters, or nests them deeper than %d", maxParams, maxNesting)
	}
	seen := map[string]bool{}
	for _, p := range ps {
		switch {
		case p.Name == "" || seen[p.Name]:
			return fmt.Sprintf("the parameter name %q is empty or declared twice", p.Name)
		case int(p.Type) >= len(typeNames):
			return fmt.Sprintf("the parameter %q has no type that there is", p.Name)
		}
		seen[p.Name] = true
		if why := shapeFlaw(p, depth); why != "" {
			return why
		}
	}
	return ""
}

func shapeFlaw(p Param, depth int) string {
	s := p.shape()
	if s.Min != nil && s.Max != nil && !(*s.Min <= *s.Max) {
		return fmt.Sprintf("no number fits the bounds of the parameter %q", p.Name)
	}
	if p.Type == List && s.Item == nil {
		return fmt.Sprintf("the list %q does not say what its members are", p.Name)
	}
	if s.Item != nil {
		member := *s.Item
		member.Name = "[]"
		if why := paramsFlaw([]Param{member}, depth+1); why != "" {
			return why
		}
	}
	return paramsFlaw(s.Fields, depth+1)
}
