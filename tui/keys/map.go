package keys

import (
	"slices"
	"strings"
)

// Map is which key does what. A Map is not changed after it was made.
type Map struct {
	of     [actions][]string
	lookup [contexts]map[string]Action
	leads  map[string]bool
}

// Default is the map before anybody changed anything.
func Default() *Map {
	m := &Map{}
	for _, a := range Actions() {
		m.of[a] = table[a].keys
	}
	m.index()
	return m
}

// index makes the look-up from the lists. The first of two actions with one key has it.
func (m *Map) index() {
	for c := range m.lookup {
		m.lookup[c] = map[string]Action{}
	}
	m.leads = map[string]bool{}
	for _, a := range Actions() {
		for _, k := range m.of[a] {
			if _, taken := m.lookup[a.In()][k]; !taken {
				m.lookup[a.In()][k] = a
			}
			if first, _, two := strings.Cut(k, " "); two {
				m.leads[first] = true
			}
		}
	}
}

// Of lists the keys of an action, the one that people are told first.
func (m *Map) Of(a Action) []string { return slices.Clone(m.of[a]) }

// Key is the key that people are told for an action; empty when it has none.
func (m *Map) Key(a Action) string {
	if len(m.of[a]) == 0 {
		return ""
	}
	return m.of[a][0]
}

// reach lists where a key that is pressed in a context is looked up, the first before the
// others. From the line the transcript can be scrolled, by keys that write nothing.
var reach = [contexts][]Context{
	Anywhere:   {Anywhere},
	Composer:   {Composer, Anywhere, Transcript},
	Transcript: {Transcript, Anywhere},
	Card:       {Card, Anywhere},
	Menu:       {Menu, Anywhere},
}

// counts is true when a key of a context counts for one who is in another: where a person
// writes, a character is a character.
func counts(at, of Context, key string) bool {
	return at == of || at == Transcript || !Types(head(key))
}

// Lookup is what a key does, or two keys that follow one another, parted by a blank. The
// key is named as the reader of the terminal names it.
func (m *Map) Lookup(at Context, key string) (Action, bool) {
	key = Of(key)
	for _, c := range reach[at] {
		if a, ok := m.lookup[c][key]; ok && counts(at, c, key) {
			return a, true
		}
	}
	return None, false
}

// Leads is true when a key is the first of two that do something together: the next key
// is to be waited for, and both are looked up as one, with a blank between them.
func (m *Map) Leads(key string) bool { return m.leads[Of(key)] }

func head(key string) string {
	first, _, _ := strings.Cut(key, " ")
	return first
}
