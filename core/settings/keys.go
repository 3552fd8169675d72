package settings

import (
	"slices"
	"strings"
	"time"
)

// Scope is whose file may set a key.
type Scope uint8

// The scopes.
const (
	// Anyone: a project's file may set it, trusted or not; it can do no harm.
	Anyone Scope = iota
	// WithTrust: a project's file may set it once the user trusts that file: it says
	// where the code is sent, or what runs.
	WithTrust
	// UserOnly: no project may set it: it says how closely a project is watched.
	UserOnly
)

// OfProject is the widest scope that counts in a project's file.
func OfProject(trusted bool) Scope {
	if trusted {
		return WithTrust
	}
	return Anyone
}

// Key is one setting. The table of them is the one place where a setting has its
// name, its type, its default and its meaning (C1).
type Key struct {
	// Name is the dotted path in a settings file.
	Name string
	// Kind is what a value must be; Items says it of the elements of a list, which are
	// strings.
	Kind Kind
	// Scope is whose file may set it.
	Scope Scope
	// Unit is what a number counts: "ms", "tokens", "bytes"; empty for others.
	Unit string
	// Min and Max are a number's range. A Zero of true lets 0 stand for the default.
	Min, Max int64
	Zero     bool
	// Default is a number's; other kinds have false, nothing, or what Says tells.
	Default int64
	// On is a boolean's default.
	On bool
	// Words are the only values of a string, when there are any.
	Words []string
	// Edit names the command that changes it where a plain value cannot: "tenet rules".
	Edit string
	// Says is what it does, one sentence.
	Says string

	num  func(*Run, int64)
	flag func(*Run, bool)
	text func(*Run, string)
	list func(*Run, []string)
	show func(Run) string
}

// Keys lists every setting, by name.
func Keys() []Key { return slices.Clone(keys) }

// Find is the setting of a name; ok is false when there is none.
func Find(name string) (Key, bool) {
	i := slices.IndexFunc(keys, func(k Key) bool { return k.Name == name })
	if i < 0 {
		return Key{}, false
	}
	return keys[i], true
}

// Group reports whether a name is that of an object that holds settings: "retry".
func Group(name string) bool {
	return slices.ContainsFunc(keys, func(k Key) bool { return strings.HasPrefix(k.Name, name+".") })
}

// Value is the setting's value in a run as JSON text; empty when it is no setting of a
// run, or has no value.
func (k Key) Value(r Run) string {
	if k.show == nil {
		return ""
	}
	return k.show(r)
}

// ms is a number of milliseconds that lands in a duration.
func ms(at func(*Run) *time.Duration) (func(*Run, int64), func(Run) string) {
	return func(r *Run, n int64) { *at(r) = time.Duration(n) * time.Millisecond },
		func(r Run) string { return number(at(&r).Milliseconds()) }
}

// count is a number that lands in an int.
func count(at func(*Run) *int) (func(*Run, int64), func(Run) string) {
	return func(r *Run, n int64) { *at(r) = int(n) }, func(r Run) string { return number(int64(*at(&r))) }
}

// toggle is a boolean, texts a list, word a string.
func toggle(at func(*Run) *bool) (func(*Run, bool), func(Run) string) {
	return func(r *Run, b bool) { *at(r) = b }, func(r Run) string { return boolean(*at(&r)) }
}

func word(at func(*Run) *string) (func(*Run, string), func(Run) string) {
	return func(r *Run, s string) { *at(r) = s }, func(r Run) string { return quote(*at(&r)) }
}

func texts(at func(*Run) *[]string) (func(*Run, []string), func(Run) string) {
	return func(r *Run, s []string) { *at(r) = s }, func(r Run) string { return quoteAll(*at(&r)) }
}
