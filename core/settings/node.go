// Package settings decides what a settings file says: which keys are honoured in
// whose file, what a value of the wrong type counts as, and whether a project's file
// is one that the person trusts. It opens nothing; the adapter hands it the tree.
package settings

import (
	"encoding/json"
	"strings"
)

// Kind is what a value of a settings file is.
type Kind uint8

// The kinds of values.
const (
	Null Kind = iota
	Bool
	Number
	String
	List
	Object
)

var kindNames = [...]string{"null", "a boolean", "a number", "a string", "a list", "an object"}

// String names the kind as a warning does.
func (k Kind) String() string { return kindNames[k] }

// Node is one value of a settings file, in the order of the file.
type Node struct {
	// Kind is what the value is.
	Kind Kind
	// Text is a string's characters, or a literal as it is written.
	Text string
	// Members are an object's, in the order of the file; a name may stand twice.
	Members []Member
	// Elements are a list's.
	Elements []Node
	// Line is where the value begins, from 1.
	Line int
}

// Member is one key of an object with its value.
type Member struct {
	Name  string
	Value Node
	// Line is where the key stands, from 1.
	Line int
}

// Member finds a key of an object; the first, where it stands twice.
func (n Node) Member(name string) (Node, bool) {
	for _, m := range n.Members {
		if m.Name == name {
			return m.Value, true
		}
	}
	return Node{}, false
}

// Path finds what stands at a dotted key; null counts as not there.
func (n Node) Path(key string) (Node, bool) {
	for _, name := range strings.Split(key, ".") {
		m, ok := n.Member(name)
		if n.Kind != Object || !ok {
			return Node{}, false
		}
		n = m
	}
	return n, n.Kind != Null
}

// JSON is the value as JSON text in one line, without its comments.
func (n Node) JSON() string {
	switch n.Kind {
	case String:
		b, err := json.Marshal(n.Text)
		if err != nil {
			return `""`
		}
		return string(b)
	case List:
		parts := make([]string, len(n.Elements))
		for i, e := range n.Elements {
			parts[i] = e.JSON()
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case Object:
		parts := make([]string, len(n.Members))
		for i, m := range n.Members {
			parts[i] = Node{Kind: String, Text: m.Name}.JSON() + ": " + m.Value.JSON()
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case Null, Bool, Number:
	}
	return n.Text
}
