// Package childenv decides which environment a child process gets: tenet's own,
// with the session's values, without credentials (G3). A tool that a model asked
// for must not be able to read the key that pays for the model.
package childenv

import "strings"

// Child is what the environment is for.
type Child uint8

// The children.
const (
	Process Child = iota // an external process of the shell
	Kernel               // the local kernel, which starts the user's MCP servers
)

var childNames = [...]string{"process", "kernel"}

// String names the child.
func (c Child) String() string { return childNames[c] }

// Class is what a variable's name says about its value.
type Class uint8

// The classes.
const (
	Plain      Class = iota // anything else
	SecretName              // the name marks a credential
	Provider                // a provider's client reads it
)

var classNames = [...]string{"plain", "secret-name", "provider"}

// String names the class.
func (c Class) String() string { return classNames[c] }

// markers are the parts that mark a name in upper case as a credential's (S7.7).
var markers = []string{"API_KEY", "APIKEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "PASSPHRASE", "CREDENTIAL", "PRIVATE_KEY", "ACCESS_KEY"}

// Of sorts a name, in any case: a child may look a variable up in any spelling.
func Of(name string) Class {
	upper := strings.ToUpper(name)
	if provider(upper) {
		return Provider
	}
	for _, m := range markers {
		if strings.Contains(upper, m) {
			return SecretName
		}
	}
	return Plain
}

// Session is what one session adds to every child of it.
type Session struct {
	// Set are NAME=VALUE entries that every child gets, whatever tenet itself has.
	Set []string
	// Default are NAME=VALUE entries for names that tenet's own environment has not.
	Default []string
	// MCP are the names that the user's own MCP configuration reads. A kernel keeps
	// them, so that the user's servers start; it never keeps a provider's.
	MCP []string
}

// Build is the environment of a child, from tenet's own. The order is kept; of two
// entries with one name the first stays. An entry without = is no variable and is
// left out.
func Build(child Child, env []string, s Session) []string {
	b := builder{child: child, mcp: s.MCP, at: make(map[string]int, len(env)+len(s.Set)), out: make([]string, 0, len(env)+len(s.Set)+len(s.Default))}
	for _, kv := range env {
		b.add(kv)
	}
	for _, kv := range s.Set {
		b.set(kv)
	}
	for _, kv := range s.Default {
		b.add(kv)
	}
	return b.out
}

type builder struct {
	child Child
	mcp   []string
	at    map[string]int
	out   []string
}

// add appends an entry whose name is new and may pass.
func (b *builder) add(kv string) {
	name, _, ok := strings.Cut(kv, "=")
	if _, has := b.at[name]; !ok || name == "" || has || !b.passes(name) {
		return
	}
	b.at[name] = len(b.out)
	b.out = append(b.out, kv)
}

// set puts an entry in the place of the one with its name.
func (b *builder) set(kv string) {
	name, _, _ := strings.Cut(kv, "=")
	if at, has := b.at[name]; has {
		b.out[at] = kv
		return
	}
	b.add(kv)
}

// passes is the rule: the session's own values are no exception from it.
func (b *builder) passes(name string) bool {
	switch Of(name) {
	case Provider:
		return false
	case SecretName:
		return b.child == Kernel && contains(b.mcp, name)
	case Plain:
		return true
	}
	return false
}

func contains(names []string, name string) bool {
	for _, n := range names {
		if n == name {
			return true
		}
	}
	return false
}
