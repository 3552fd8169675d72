package surface

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"tenet/core/call"
)

// The bounds of the arguments of one call.
const (
	// MaxArguments is the most bytes: the largest file that a tool writes, every
	// character of it escaped.
	MaxArguments = 24 << 20
	// MaxDepth is how deep lists and objects may stand in each other.
	MaxDepth = 64
)

// Sound says why a JSON text is not taken as it stands; empty for one that is. The
// standard reader takes the last of two members of one name and puts U+FFFD for half a
// character: what a person was shown would not be what runs. So a name that stands
// twice, half a surrogate pair and bytes that are no UTF-8 are refused, never repaired,
// and so is a text that is too long or too deep.
func Sound(text string) string {
	switch {
	case len(text) > MaxArguments:
		return fmt.Sprintf("they are %d bytes long; at most %d are taken", len(text), MaxArguments)
	case !utf8.ValidString(text):
		return "they hold bytes that are no UTF-8"
	case !json.Valid([]byte(text)):
		return "they are cut or no JSON: " + syntaxError(text)
	}
	w := walker{text: text}
	w.value(0)
	return w.fault
}

func syntaxError(text string) string {
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		return err.Error()
	}
	return "they cannot be read"
}

// walker goes once over a text that is JSON and stops at the first thing that the
// standard reader would pass over.
type walker struct {
	text  string
	at    int
	path  []string
	fault string
}

func (w *walker) space() {
	for w.at < len(w.text) && strings.IndexByte(" \t\r\n", w.text[w.at]) >= 0 {
		w.at++
	}
}

func (w *walker) value(depth int) {
	w.space()
	if depth > MaxDepth {
		w.fail("lists and objects stand more than %d deep in each other", MaxDepth)
	}
	switch {
	case w.fault != "":
	case w.text[w.at] == '{':
		w.object(depth)
	case w.text[w.at] == '[':
		w.list(depth)
	case w.text[w.at] == '"':
		w.str()
	default:
		w.at = scalarEnd(w.text, w.at)
	}
}

func (w *walker) object(depth int) {
	seen := map[string]bool{}
	w.each('}', func(int) {
		name := w.str()
		if seen[name] {
			w.fail("the name %s stands twice in one object, so it is not known which value is meant", strconv.Quote(bounded(name)))
			return
		}
		seen[name] = true
		w.space()
		w.at++ // the colon
		w.path = append(w.path, "."+name)
		w.value(depth + 1)
		w.path = w.path[:len(w.path)-1]
	})
}

func (w *walker) list(depth int) {
	w.each(']', func(i int) {
		w.path = append(w.path, "["+strconv.Itoa(i)+"]")
		w.value(depth + 1)
		w.path = w.path[:len(w.path)-1]
	})
}

// each goes over the members of an object or a list.
func (w *walker) each(end byte, member func(i int)) {
	w.at++
	for i := 0; w.fault == ""; i++ {
		w.space()
		switch w.text[w.at] {
		case end:
			w.at++
			return
		case ',':
			w.at++
			w.space()
		}
		member(i)
	}
}

// str reads a string and returns it decoded.
func (w *walker) str() string {
	from := w.at
	w.at = stringEnd(w.text, from)
	raw := w.text[from:w.at]
	if strings.IndexByte(raw, '\\') < 0 {
		return raw[1 : len(raw)-1]
	}
	if half := halfPair(raw); half != "" {
		w.fail("the escape %s is half of a character", half)
	}
	return unquote(raw)
}

func (w *walker) fail(format string, args ...any) {
	if w.fault != "" {
		return
	}
	w.fault = fmt.Sprintf(format, args...)
	if path := strings.TrimPrefix(strings.Join(w.path, ""), "."); path != "" {
		w.fault = "at " + bounded(path) + ": " + w.fault
	}
}

// stringEnd is where the string that starts at from ends, its quote included.
func stringEnd(text string, from int) int {
	for i := from + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

// halfPair is an escape of a surrogate that is not one of a pair; empty without one.
func halfPair(raw string) string {
	for i := 0; i+6 <= len(raw); i++ {
		if raw[i] != '\\' {
			continue
		}
		if raw[i+1] != 'u' {
			i++ // whatever was escaped is no escape itself
			continue
		}
		switch r := escaped(raw[i:]); {
		case !utf16.IsSurrogate(r):
			i += 5
		case utf16.DecodeRune(r, escaped(raw[i+6:])) != utf8.RuneError:
			i += 11
		default:
			return raw[i : i+6]
		}
	}
	return ""
}

// escaped is the code unit of an escape such as \u00e9; -1 for anything else.
func escaped(s string) rune {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return -1
	}
	n, err := strconv.ParseUint(s[2:6], 16, 16)
	if err != nil {
		return -1
	}
	return rune(n)
}

// unquote decodes a JSON string once: no second unescape (case prov-037).
func unquote(raw string) string {
	var s string
	_ = json.Unmarshal([]byte(raw), &s) // it is a string of a sound text
	return s
}

// member is one member of an object, or of a list (without a name).
type member struct {
	name string
	raw  string
}

// members splits an object or a list of a sound text at its top level.
func members(raw string) []member {
	var out []member
	w := walker{text: raw}
	w.space()
	named, end := raw[w.at] == '{', byte(']')
	if named {
		end = '}'
	}
	w.each(end, func(int) {
		var m member
		if named {
			m.name = w.str()
			w.space()
			w.at++ // the colon
		}
		w.space()
		from := w.at
		w.skip()
		m.raw = raw[from:w.at]
		out = append(out, m)
	})
	return out
}

// skip passes over one value of a sound text.
func (w *walker) skip() {
	depth := 0
	for {
		switch c := w.text[w.at]; c {
		case '{', '[':
			depth++
			w.at++
		case '}', ']':
			depth--
			w.at++
		case '"':
			w.at = stringEnd(w.text, w.at)
		case ',', ':', ' ', '\t', '\r', '\n':
			w.at++
			continue
		default:
			w.at = scalarEnd(w.text, w.at)
		}
		if depth == 0 {
			return
		}
	}
}

// scalarEnd is where the number, true, false or null that starts at from ends.
func scalarEnd(text string, from int) int {
	if n := strings.IndexAny(text[from:], ",]} \t\r\n"); n >= 0 {
		return from + n
	}
	return len(text)
}

// maxGot bounds what an error shows of what came, in characters.
const maxGot = 60

// bounded is the start of a text that came, safe to show.
func bounded(s string) string {
	if head := call.FirstChars(s, maxGot); len(head) < len(s) {
		return head + "…"
	}
	return s
}
