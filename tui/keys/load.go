package keys

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"tenet/adapters/textfile"
	"tenet/core/call"
	"tenet/core/settings"
)

// FileName is the file in tenet's own folder in which keys are changed.
const FileName = "keys.json"

// The bounds of the file.
const (
	maxFile  = 64 << 10
	maxKeys  = 8 // of one action
	maxDepth = 4 // the parser recurses
)

// Problem is something in the file that does not count, or that a person should know.
type Problem struct {
	// Line counts from 1; 0 when the problem is of the file as a whole.
	Line int
	Text string
}

// String is the problem as a row.
func (p Problem) String() string {
	if p.Line == 0 {
		return p.Text
	}
	return fmt.Sprintf("line %d: %s", p.Line, p.Text)
}

// Load is the map with what the file changes in it. A file that is not there changes
// nothing. What is wrong in the file is listed, and the rest of it counts. The error is of
// a file that is there and cannot be read; the map is the default one then.
func Load(path string) (*Map, []Problem, error) {
	real, err := textfile.Real(path)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
			return Default(), nil, nil
		}
	}
	if err != nil {
		return Default(), nil, fmt.Errorf("the keys in %s cannot be read: %w", path, err)
	}
	t, err := textfile.Read(real, maxFile)
	if err == nil && t.Cut {
		err = fmt.Errorf("it has %d bytes; at most %d are taken", t.Size, maxFile)
	}
	if err != nil {
		return Default(), nil, fmt.Errorf("the keys in %s cannot be read: %w", path, err)
	}
	m, problems := Read([]byte(t.Text))
	return m, problems, nil
}

// change is one member of the file: an action and its keys, with where they stand.
type change struct {
	action Action
	line   int
	keys   []string
	lines  []int
}

// Read is the map with what a file's text changes in it: JSON with comments, an object of
// actions with lists of keys.
//
//	{ "sidebar": ["ctrl+b", "f2"], /* none: */ "mouse": [] }
func Read(text []byte) (*Map, []Problem) {
	f := &file{text: text}
	for _, c := range f.changes() {
		f.apply(c)
	}
	m := f.settle()
	slices.SortStableFunc(f.problems, func(a, b Problem) int { return cmp.Compare(a.Line, b.Line) })
	return m, f.problems
}

// file is a file while it is read.
type file struct {
	text     []byte
	problems []Problem
	changed  []change
}

func (f *file) tell(line int, format string, args ...any) {
	f.problems = append(f.problems, Problem{line, fmt.Sprintf(format, args...)})
}

func (f *file) line(offset int) int { return 1 + bytes.Count(f.text[:offset], []byte("\n")) }

// changes reads the members of the file.
func (f *file) changes() (out []change) {
	if len(bytes.TrimSpace(f.text)) == 0 {
		return nil
	}
	if at := tooDeep(f.text); at >= 0 {
		f.tell(f.line(at), "nothing of the file counts: it is nested deeper than an object of lists")
		return nil
	}
	v, err := hujson.Parse(append(bytes.Clone(f.text), '\n'))
	if err != nil {
		f.tell(0, "nothing of the file counts: %s", call.OneLine(strings.TrimPrefix(err.Error(), "hujson: "), 300))
		return nil
	}
	object, ok := v.Value.(*hujson.Object)
	if !ok {
		f.tell(f.line(v.StartOffset), "nothing of the file counts: it is no object of actions, such as {\"sidebar\": [\"f2\"]}")
		return nil
	}
	seen := map[Action]int{}
	for _, m := range object.Members {
		if c, ok := f.member(m); ok {
			if seen[c.action] > 0 {
				f.tell(c.line, "%s stands there twice; the one in line %d counts", c.action, seen[c.action])
				continue
			}
			seen[c.action] = c.line
			out = append(out, c)
		}
	}
	return out
}

// tooDeep is where a text nests deeper than the file can; -1 when it does not. Brackets in
// texts and comments count as well: at worst a strange file is refused.
func tooDeep(text []byte) int {
	depth := 0
	for i, b := range text {
		switch b {
		case '[', '{':
			if depth++; depth > 64*maxDepth {
				return i
			}
		case ']', '}':
			depth--
		}
	}
	return -1
}

// member reads one action and its keys.
func (f *file) member(m hujson.ObjectMember) (c change, ok bool) {
	name := literal(m.Name.Value)
	c.line = f.line(m.Name.StartOffset)
	if c.action, ok = Named(name); !ok {
		f.tell(c.line, "there is no action %q%s", call.OneLine(name, 60), meant(name))
		return c, false
	}
	switch v := m.Value.Value.(type) {
	case hujson.Literal:
		if v.Kind() != '"' {
			f.tell(c.line, "the keys of %s are no list of texts; write for example [\"f2\"], or [] for none", c.action)
			return c, false
		}
		f.key(&c, v.String(), c.line)
	case *hujson.Array:
		for _, e := range v.Elements {
			line := f.line(e.StartOffset)
			if l, isText := e.Value.(hujson.Literal); isText && l.Kind() == '"' {
				f.key(&c, l.String(), line)
			} else {
				f.tell(line, "a key of %s is no text; write for example \"f2\"", c.action)
			}
		}
		// A list of which nothing is right takes no key away.
		ok = len(c.keys) > 0 || len(v.Elements) == 0
	default:
		f.tell(c.line, "the keys of %s are no list of texts; write for example [\"f2\"], or [] for none", c.action)
		return c, false
	}
	return c, ok
}

func literal(v hujson.ValueTrimmed) string {
	if l, ok := v.(hujson.Literal); ok && l.Kind() == '"' {
		return l.String()
	}
	return ""
}

// key takes one key of an action, when it can be bound and may be.
func (f *file) key(c *change, name string, line int) {
	k, err := Parse(name)
	switch {
	case err != nil:
		f.tell(line, "%s: %s", c.action, call.OneLine(err.Error(), 300))
	case slices.Contains(c.keys, k):
		f.tell(line, "%s has %q twice", c.action, k)
	case len(c.keys) == maxKeys:
		f.tell(line, "%s has more than %d keys; %q and those after it do not count", c.action, maxKeys, k)
	case refused(c.action, k) != "":
		f.tell(line, "%s cannot have %q: %s", c.action, k, refused(c.action, k))
	default:
		c.keys, c.lines = append(c.keys, k), append(c.lines, line)
	}
}

// meant is the action that a name was probably meant to be.
func meant(name string) string {
	var names []string
	for _, a := range Actions() {
		names = append(names, a.String())
	}
	if near := settings.Near(name, names); len(near) > 0 {
		return fmt.Sprintf("; did you mean %q?", near[0])
	}
	return "; ? lists them"
}
