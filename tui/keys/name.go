package keys

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// aliases are other names that people write for a key.
var aliases = map[string]string{
	"escape": "esc", "return": "enter", "ret": "enter", "space": "space", "spc": "space",
	"pageup": "pgup", "page_up": "pgup", "pagedown": "pgdown", "pgdn": "pgdown", "page_down": "pgdown",
	"del": "delete", "ins": "insert", "bs": "backspace", "bksp": "backspace",
}

// named are the keys with a name, and whether Ctrl and Shift change what a terminal sends.
var named = []string{
	"enter", "tab", "esc", "space", "backspace", "delete", "insert", "up", "down", "left", "right", "home", "end", "pgup", "pgdown",
	"f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9", "f10", "f11", "f12", "f13", "f14", "f15", "f16", "f17", "f18", "f19", "f20",
}

// Of is the name of a key as this package writes it, from the name that the terminal's
// reader gives it.
func Of(reader string) string {
	switch reader {
	case " ":
		return "space"
	case "alt+ ":
		return "alt+space"
	case "shift+enter": // the reader sends it as the line feed that it is
		return "ctrl+j"
	}
	return reader
}

// Types is true for a key that writes a character where something is written.
func Types(key string) bool {
	return key == "space" || utf8.RuneCountInString(key) == 1
}

// Parse reads the name of a key, or of two that are pressed one after the other, as a
// person writes it. The error says why it cannot be a key of anything.
func Parse(s string) (string, error) {
	parts := strings.Fields(s)
	switch {
	case s == " ":
		return "space", nil
	case len(parts) == 0:
		return "", fmt.Errorf("no key is named; write for example \"ctrl+t\"")
	case len(parts) > 2:
		return "", fmt.Errorf("%q are %d keys; at most two can follow one another", s, len(parts))
	}
	for i, p := range parts {
		k, err := parseOne(p)
		if err != nil {
			return "", err
		}
		parts[i] = k
	}
	if len(parts) == 2 && Types(parts[0]) {
		return "", fmt.Errorf("%q begins with a key that writes a character; begin with one such as ctrl+x", s)
	}
	return strings.Join(parts, " "), nil
}

// parseOne reads one key.
func parseOne(s string) (string, error) {
	mods, base, err := modifiers(s)
	if err != nil {
		return "", err
	}
	ctrl, alt, shift := mods&withCtrl != 0, mods&withAlt != 0, mods&withShift != 0
	if lower := strings.ToLower(base); utf8.RuneCountInString(base) > 1 {
		if a, ok := aliases[lower]; ok {
			lower = a
		}
		return special(s, lower, ctrl, alt, shift)
	}
	r, _ := utf8.DecodeRuneInString(base)
	if !unicode.IsGraphic(r) || r == utf8.RuneError {
		return "", fmt.Errorf("%q is no key", s)
	}
	return char(s, r, ctrl, alt, shift)
}

const (
	withCtrl = 1 << iota
	withAlt
	withShift
)

// modifiers parts what is held down from the key itself.
func modifiers(s string) (mods int, base string, err error) {
	base = s
	for {
		word, rest, ok := strings.Cut(base, "+")
		if !ok || rest == "" || word == "" { // the key + itself, "ctrl++"
			return mods, base, nil
		}
		switch strings.ToLower(word) {
		case "ctrl", "control":
			mods |= withCtrl
		case "alt", "option", "opt", "meta":
			mods |= withAlt
		case "shift":
			mods |= withShift
		case "cmd", "super", "win", "command":
			return 0, "", fmt.Errorf("%q cannot be bound: the window system keeps %s to itself", s, word)
		default:
			return 0, "", fmt.Errorf("%q is no key: %q is none of ctrl, alt, shift", s, word)
		}
		base = rest
	}
}

// char is a key that has a character, with what is held down.
func char(s string, r rune, ctrl, alt, shift bool) (string, error) {
	switch {
	case ctrl && shift:
		return "", fmt.Errorf("%q cannot be bound: a terminal sends the same with and without Shift", s)
	case ctrl:
		name, err := control(s, r)
		if err != nil || !alt {
			return name, err
		}
		return "alt+" + name, nil
	case shift:
		r = unicode.ToUpper(r)
	}
	if alt {
		return "alt+" + string(r), nil
	}
	return string(r), nil
}

// control is a character with Ctrl: one of the 32 control characters, some of which are
// keys that have a name of their own.
func control(s string, r rune) (string, error) {
	r = unicode.ToLower(r)
	switch {
	case r == 'm':
		return "", fmt.Errorf("%q cannot be bound: a terminal sends the same for Enter", s)
	case r == 'i':
		return "", fmt.Errorf("%q cannot be bound: a terminal sends the same for Tab", s)
	case r == '[':
		return "", fmt.Errorf("%q cannot be bound: a terminal sends the same for Esc", s)
	case r == '/':
		return "ctrl+_", nil // what terminals send for it
	case r >= 'a' && r <= 'z', r == '@', r == '\\', r == ']', r == '^', r == '_':
		return "ctrl+" + string(r), nil
	}
	return "", fmt.Errorf("%q cannot be bound: a terminal sends nothing of its own for it", s)
}

// special is a key with a name.
func special(s, base string, ctrl, alt, shift bool) (string, error) {
	if !slices.Contains(named, base) {
		return "", fmt.Errorf("%q is no key; write for example \"ctrl+t\", \"alt+enter\", \"f2\" or \"ctrl+x t\"", s)
	}
	switch {
	case base == "enter" && shift && !ctrl && !alt:
		return "ctrl+j", nil // what the reader of the terminal makes of it
	case base == "space" && ctrl && !shift:
		return prefixed("ctrl+@", alt), nil
	case base == "tab" && shift && !ctrl:
		return prefixed("shift+tab", alt), nil
	case (ctrl || shift) && !held(base, ctrl, shift):
		return "", fmt.Errorf("%q cannot be bound: a terminal sends the same as for %s alone", s, base)
	}
	if shift {
		base = "shift+" + base
	}
	if ctrl {
		base = "ctrl+" + base
	}
	return prefixed(base, alt), nil
}

func prefixed(key string, alt bool) string {
	if alt {
		return "alt+" + key
	}
	return key
}

// held is true for a key that a terminal tells apart with Ctrl or Shift held down.
func held(base string, ctrl, shift bool) bool {
	switch base {
	case "up", "down", "left", "right", "home", "end":
		return true
	case "pgup", "pgdown":
		return ctrl && !shift
	}
	return false
}
