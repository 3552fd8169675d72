package keys

import (
	"slices"
	"strings"
)

// kept are the keys that nothing in the file takes away: with them a person always gets out,
// and a card is always denied by the keys that are pressed without looking.
var kept = [actions][]string{
	Clear:     {"ctrl+c"},
	CardDeny:  {"enter", "esc"},
	MenuClose: {"esc"},
	Cancel:    {"esc"},
	Send:      {"enter"},
}

// refused says why an action cannot have a key; empty when it can.
//
// Whoever writes and presses Enter, Space or an arrow while a card appears must not have
// allowed something: what allows takes a key of its own that one means.
func refused(a Action, key string) string {
	switch {
	case slices.Contains(table[a].keys, key):
		return ""
	case a.Allows() && !meantKey(key):
		return "an answer that allows takes a letter, Alt with a letter, or a function key, so that no key that is pressed while writing or leaving allows anything"
	case a.In() == Composer && Types(head(key)):
		return "that key writes a character there"
	case a.In() == Menu && Types(head(key)):
		return "that key writes into the filter there"
	}
	for other, keys := range kept {
		if o := Action(other); o != a && slices.Contains(keys, head(key)) && clash(a, o) {
			return "it is " + o.String() + "'s and stays it"
		}
	}
	return ""
}

// meantKey is true for a key that nobody presses for something else.
func meantKey(key string) bool {
	if strings.Contains(key, " ") || key == "space" {
		return false
	}
	letter := strings.TrimPrefix(key, "alt+")
	if Types(letter) && letter != "space" {
		return true
	}
	return len(key) > 1 && key[0] == 'f' && key[1] >= '0' && key[1] <= '9'
}

// clash is true when a key of one action takes the other's away where both count.
func clash(a, b Action) bool {
	return a.In() == b.In() || b.In() == Anywhere
}

// apply notes a change, with the keys that stay the action's.
func (f *file) apply(c change) {
	for _, k := range kept[c.action] {
		if !slices.Contains(c.keys, k) {
			if len(c.keys) == 0 {
				f.tell(c.line, "%s keeps %q: it is the way out", c.action, k)
			}
			c.keys, c.lines = append(c.keys, k), append(c.lines, c.line)
		}
	}
	f.changed = append(f.changed, c)
}

// settle makes the map: what the file says takes keys from what was there before, and of
// two in the file the first has the key.
func (f *file) settle() *Map {
	m := Default()
	owner := map[Context]map[string]change{}
	for _, c := range f.changed {
		in := c.action.In()
		if owner[in] == nil {
			owner[in] = map[string]change{}
		}
		m.of[c.action] = nil
		for i, k := range c.keys {
			if first, taken := owner[in][k]; taken {
				f.tell(c.lines[i], "%q is %s's already (line %d), so %s does not get it", k, first.action, first.line, c.action)
				continue
			}
			owner[in][k] = c
			m.of[c.action] = append(m.of[c.action], k)
		}
	}
	for _, c := range f.changed {
		for _, k := range m.of[c.action] {
			f.take(m, c, k)
		}
	}
	m.index()
	return m
}

// take gives a key to an action of the file: those that had it before lose it, and people
// are told where two keys get in each other's way.
func (f *file) take(m *Map, c change, key string) {
	for _, a := range Actions() {
		if a == c.action {
			continue
		}
		for _, k := range slices.Clone(m.of[a]) {
			switch {
			case a.In() == c.action.In() && k == key:
				m.of[a] = slices.DeleteFunc(slices.Clone(m.of[a]), func(has string) bool { return has == key })
				f.tell(c.line, "%q is %s's now; %s", key, c.action, left(m, a))
			case a.In() == Anywhere && k == key && !Types(key):
				f.tell(c.line, "%q is %s's in %s, where %s cannot be reached by it", key, c.action, c.action.In(), a)
			case covers(c.action, key, a, k):
				f.tell(c.line, "%q is %s's, so %s cannot be reached by %q", key, c.action, a, k)
			case covers(a, k, c.action, key):
				f.tell(c.line, "%q does nothing: %q alone is %s's", key, k, a)
			}
		}
	}
}

// covers is true when a key alone hides two keys that begin with it: it acts before the
// second is pressed.
func covers(a Action, key string, b Action, two string) bool {
	near := a.In() == b.In() || a.In() == Anywhere || b.In() == Anywhere
	return near && strings.HasPrefix(two, key+" ")
}

func left(m *Map, a Action) string {
	if len(m.of[a]) == 0 {
		return a.String() + " has no key"
	}
	return a.String() + " has " + strings.Join(m.of[a], ", ")
}
