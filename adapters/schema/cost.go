package schema

import (
	"errors"
	"fmt"
	"net/url"
	"reflect"
	"strconv"
	"strings"
)

// maxCost bounds how often a schema is asked about a part of one value. A few hundred
// bytes of schema can ask 2^60 times (a part that stands twice in every part that holds
// it), and one that refers to itself without going deeper into the value never ends: in
// this language the second would end the whole process.
const maxCost = 500_000

var (
	errDear    = fmt.Errorf("checking it would take more than %d steps: the schema names its parts again and again, or the value is too large for it", maxCost)
	errEndless = errors.New("the schema refers to itself without going deeper into the value, so the check would never end")
)

// affordable counts what a validation costs at most, each pair of a schema and a part
// of the value once, and says why it is not made.
func (s *Schema) affordable(v any) error {
	m := meter{root: s.root, known: map[pair]int{}, targets: map[string]any{}}
	m.cost(s.root, tree(v))
	return m.err
}

// onlyLocal refuses references that lead out of the document, and names within it that
// references would be relative to: what they mean must be plain to the meter.
func onlyLocal(v any, root bool) error {
	if s, ok := v.(map[string]any); ok {
		for name, sub := range s {
			if text, ok := sub.(string); ok && leadsOut(name, text, root) {
				return fmt.Errorf("the schema has %s %q; only a place in the same schema (#/...) can be referred to, nothing is fetched", name, text)
			}
		}
	}
	for _, sub := range parts(v) {
		if err := onlyLocal(sub, false); err != nil {
			return err
		}
	}
	return nil
}

func leadsOut(keyword, text string, root bool) bool {
	switch keyword {
	case "$ref":
		return !strings.HasPrefix(text, "#")
	case "$id":
		return !root && !strings.HasPrefix(text, "#")
	case "$dynamicRef", "$recursiveRef":
		return true
	}
	return false
}

// node is a part of a value: named members of an object, members of a list.
type node struct {
	named map[string]*node
	list  []*node
}

func tree(v any) *node {
	n := &node{}
	switch v := v.(type) {
	case map[string]any:
		n.named = make(map[string]*node, len(v))
		for name, sub := range v {
			n.named[name] = tree(sub)
		}
	case []any:
		for _, sub := range v {
			n.list = append(n.list, tree(sub))
		}
	}
	return n
}

// all are the parts directly below.
func (n *node) all() []*node {
	out := append([]*node{}, n.list...)
	for _, sub := range n.named {
		out = append(out, sub)
	}
	return out
}

// pair is a schema, by its place in memory, and a part of the value.
type pair struct {
	schema uintptr
	part   *node
}

const underWay = -1

type meter struct {
	root    any
	known   map[pair]int
	targets map[string]any // by reference
	err     error
}

// cost is how often schemas are asked when this one is asked about this part.
func (m *meter) cost(schema any, part *node) int {
	s, ok := schema.(map[string]any)
	if !ok || m.err != nil {
		return 1
	}
	key := pair{reflect.ValueOf(s).Pointer(), part}
	switch n, seen := m.known[key]; {
	case seen && n == underWay:
		m.err = errEndless
		return 1
	case seen:
		return n
	}
	m.known[key] = underWay
	sum := 1
	for name, sub := range s {
		sum = min(sum+m.keyword(name, sub, part), maxCost+1)
	}
	m.known[key] = sum
	if sum > maxCost || len(m.known) > maxCost {
		m.err = errDear
	}
	return sum
}

// keyword is the cost of one keyword of a schema.
func (m *meter) keyword(name string, sub any, part *node) int {
	switch name {
	case "$ref":
		ref, _ := sub.(string)
		return m.cost(m.target(ref), part)
	case "not", "if", "then", "else":
		return m.cost(sub, part)
	case "allOf", "anyOf", "oneOf", "dependentSchemas", "dependencies":
		return m.sum(sub, part)
	case "properties":
		return m.properties(sub, part)
	case "patternProperties", "prefixItems":
		return m.below(parts(sub), part)
	case "items", "additionalItems", "contains", "unevaluatedItems", "additionalProperties", "unevaluatedProperties", "propertyNames":
		if list, ok := sub.([]any); ok { // draft 7: one for each place
			return m.below(list, part)
		}
		return m.below([]any{sub}, part)
	}
	return 0
}

func parts(sub any) []any {
	switch sub := sub.(type) {
	case []any:
		return sub
	case map[string]any:
		var out []any
		for _, s := range sub {
			out = append(out, s)
		}
		return out
	}
	return nil
}

func (m *meter) sum(sub any, part *node) int {
	n := 0
	for _, s := range parts(sub) {
		n = min(n+m.cost(s, part), maxCost+1)
	}
	return n
}

func (m *meter) properties(sub any, part *node) int {
	n := 0
	props, _ := sub.(map[string]any)
	for name, s := range props {
		if p := part.named[name]; p != nil {
			n = min(n+m.cost(s, p), maxCost+1)
		}
	}
	return n
}

func (m *meter) below(schemas []any, part *node) int {
	n := 0
	for _, p := range part.all() {
		for _, s := range schemas {
			n = min(n+m.cost(s, p), maxCost+1)
		}
	}
	return n
}

// target is the schema that a reference leads to. It is looked up once: an anchor is
// searched for in the whole document, and a reference may stand at every part of a value.
func (m *meter) target(ref string) any {
	to, seen := m.targets[ref]
	if !seen {
		to = m.lookup(ref)
		m.targets[ref] = to
	}
	return to
}

// lookup is the schema that a reference within the document leads to; nil for one that
// leads nowhere, which the library has refused before. A reference to an anchor is
// looked for everywhere.
func (m *meter) lookup(ref string) any {
	ref, err := url.PathUnescape(strings.TrimPrefix(ref, "#"))
	if err != nil {
		return nil
	}
	if ref != "" && !strings.HasPrefix(ref, "/") {
		return anchor(m.root, ref)
	}
	if ref == "" {
		return m.root
	}
	at := m.root
	for _, name := range strings.Split(ref[1:], "/") {
		name = unescape.Replace(name)
		switch v := at.(type) {
		case map[string]any:
			at = v[name]
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil || i < 0 || i >= len(v) {
				return nil
			}
			at = v[i]
		}
	}
	return at
}

// unescape reads a step of a JSON pointer.
var unescape = strings.NewReplacer("~1", "/", "~0", "~")

func anchor(v any, name string) any {
	if s, ok := v.(map[string]any); ok && (s["$anchor"] == name || s["$dynamicAnchor"] == name || s["$id"] == "#"+name) {
		return s
	}
	for _, sub := range parts(v) {
		if s := anchor(sub, name); s != nil {
			return s
		}
	}
	return nil
}
