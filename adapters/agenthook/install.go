package agenthook

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/tailscale/hujson"
)

// maxSettings is the largest settings file that is edited, in bytes.
const maxSettings = 4 << 20

// Change is an edit of one settings file that was not made yet.
type Change struct {
	Agent Agent
	// File is the name that the agent reads; where it is a link, what it leads to is
	// edited.
	File string
	// Before and After are the whole texts. Existed is false when there is no file;
	// Remove is true when there is to be none.
	Before, After   []byte
	Existed, Remove bool
	// Warnings say what keeps the guard from running all the same.
	Warnings []string

	note   note
	noteAt string
	mode   fs.FileMode
}

// Empty reports whether there is nothing to do.
func (c Change) Empty() bool { return bytes.Equal(c.Before, c.After) && c.Existed == !c.Remove }

// Diff is the change as a unified diff.
func (c Change) Diff() string {
	return string(diff.Diff(c.File, c.Before, c.File, c.After))
}

// note is what an install leaves for the uninstall: with it, a file that nobody
// changed since is as it was to the last byte.
type note struct {
	File string `json:"file"`
	// Made is true when there was no file, Dirs are the directories that were made too.
	Made bool     `json:"made"`
	Dirs []string `json:"dirs,omitempty"`
	// Sum is the SHA-256 of the file as the install left it.
	Sum  string      `json:"sum"`
	Text []insertion `json:"text,omitempty"`
}

// Setup is what an install needs to know.
type Setup struct {
	Place Place
	Scope Scope
	// Program is the absolute path of the guard's program.
	Program string
	// TenetHome is tenet's own directory, for the note.
	TenetHome string
	// Headless installs a guard that never hands a question to its agent.
	Headless bool
}

// Install plans the edit that makes an agent ask the guard about every tool. It changes
// nothing yet. A guard of another program or form is replaced.
func Install(a Agent, s Setup) (Change, error) {
	c, err := s.open(a)
	if err != nil {
		return c, err
	}
	if err := s.usable(a); err != nil {
		return c, err
	}
	base, err := s.without(a, c)
	if err != nil {
		return c, err
	}
	c.note = note{File: c.File, Made: base.Remove || !c.Existed, Dirs: append(missing(filepath.Dir(c.File)), base.note.Dirs...)}
	c.Remove = false
	if a == OpenCode {
		c.After = []byte(pluginText(s.Program, s.Headless))
	} else if err := c.insertEntry(a, base.After, Command(a, s.Program, s.Headless)); err != nil {
		return c, err
	}
	if c.Existed && a != OpenCode && installed(a, c.Before) == Command(a, s.Program, s.Headless) {
		c.After = c.Before // the guard is there as it should be
	}
	c.note.Sum, c.Warnings = sum(c.After), hindrances(a, s.Place, c.After)
	return c, nil
}

// usable refuses a program that an agent's settings cannot name.
func (s Setup) usable(a Agent) error {
	if !filepath.IsAbs(s.Program) {
		return fmt.Errorf("the program %q has no absolute path", s.Program)
	}
	if bytes.ContainsAny([]byte(s.Program), "$\n\x00") {
		return fmt.Errorf("%s cannot name the program %q in its settings; put tenet into a directory with a plainer name", a.Title(), s.Program)
	}
	return nil
}

// Uninstall plans the edit that takes the guard out again, and nothing else.
func Uninstall(a Agent, s Setup) (Change, error) {
	c, err := s.open(a)
	if err != nil {
		return c, err
	}
	return s.without(a, c)
}

// open reads the settings file as it is.
func (s Setup) open(a Agent) (Change, error) {
	name, err := SettingsFile(a, s.Scope, s.Place)
	c := Change{Agent: a, File: name, mode: 0o600}
	if err != nil {
		return c, err
	}
	c.noteAt = filepath.Join(LogDir(s.TenetHome), "installed", a.String()+"-"+sum([]byte(name))[:16]+".json")
	info, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		c.Remove = true // as it is: there is none
		return c, dangling(name)
	}
	switch {
	case err != nil:
		return c, fmt.Errorf("the settings of %s: %w", a.Title(), err)
	case !info.Mode().IsRegular():
		return c, fmt.Errorf("the settings of %s, %s, are no plain file", a.Title(), name)
	case info.Size() > maxSettings:
		return c, fmt.Errorf("the settings of %s, %s, are larger than %d MiB", a.Title(), name, maxSettings>>20)
	}
	c.Existed, c.mode = true, info.Mode().Perm()
	if c.Before, err = os.ReadFile(name); err != nil {
		return c, fmt.Errorf("the settings of %s: %w", a.Title(), err)
	}
	c.After = c.Before
	return c, nil
}

// dangling refuses a link that leads nowhere: a file in its place would be lost on
// whoever keeps the settings elsewhere.
func dangling(name string) error {
	if info, err := os.Lstat(name); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return fmt.Errorf("%s is a link that leads nowhere; mend it first", name)
	}
	return nil
}

// kept is the note of an earlier install; none is the zero value.
func (s Setup) kept(a Agent, c Change) (n note) {
	b, err := os.ReadFile(c.noteAt)
	if err != nil || json.Unmarshal(b, &n) != nil || n.File != c.File {
		return note{}
	}
	return n
}

// without is the file without the guard.
func (s Setup) without(a Agent, c Change) (Change, error) {
	n := s.kept(a, c)
	c.note = n
	switch {
	case !c.Existed:
		return c, nil
	case a == OpenCode:
		return c.withoutPlugin()
	case n.Sum == sum(c.Before) && n.Made:
		c.After, c.Remove = nil, true
		return c, nil
	case n.Sum == sum(c.Before):
		if out, ok := takeOut(c.Before, n.Text); ok {
			c.After = out
			return c, nil
		}
	}
	err := c.cutEntries(a)
	if n.Made && same(c.After, []byte("{}")) {
		c.After, c.Remove = nil, true
	}
	return c, err
}

func (c Change) withoutPlugin() (Change, error) {
	if _, ok := pluginProgram(c.Before); !ok {
		return c, fmt.Errorf("%s is not the plugin that tenet wrote; move it away first", c.File)
	}
	c.After, c.Remove = nil, true
	return c, nil
}

// cutEntries takes the guard out of a file that was changed since, or has no note. A
// list and an object that hold nothing else are taken out with it.
func (c *Change) cutEntries(a Agent) error {
	for {
		t, err := readTree(c.File, c.After)
		if err != nil {
			return err
		}
		hooks, _ := member(t.root, "hooks")
		list, _ := member(hooks, event(a))
		i := find(a, list)
		if i < 0 {
			return nil
		}
		c.After = t.at(list).cut(i)
		if err := c.prune(event(a)); err != nil {
			return err
		}
	}
}

// prune takes the event's list out when it is empty now, and the hooks with it.
func (c *Change) prune(event string) error {
	t, err := readTree(c.File, c.After)
	if err != nil {
		return err
	}
	hooks, _ := member(t.root, "hooks")
	if list, ok := member(hooks, event); ok && len(t.at(list).kids) == 0 {
		c.After = t.at(hooks).cut(index(hooks, event))
	}
	if t, err = readTree(c.File, c.After); err != nil {
		return err
	}
	if hooks, ok := member(t.root, "hooks"); ok && len(t.at(hooks).kids) == 0 {
		c.After = t.at(t.root).cut(index(t.root, "hooks"))
	}
	return nil
}

func index(v hujson.Value, key string) int {
	for i, m := range v.Value.(*hujson.Object).Members {
		if m.Name.Value.(hujson.Literal).String() == key {
			return i
		}
	}
	return -1
}

// find is the guard's place in the list of an event, or -1.
func find(a Agent, list hujson.Value) int {
	l, ok := list.Value.(*hujson.Array)
	if !ok {
		return -1
	}
	for i, e := range l.Elements {
		if _, ok := ours(a, e); ok {
			return i
		}
	}
	return -1
}

// installed is the command line of the guard in a file, or "".
func installed(a Agent, text []byte) string {
	t, err := readTree("", text)
	if err != nil {
		return ""
	}
	hooks, _ := member(t.root, "hooks")
	list, _ := member(hooks, event(a))
	if i := find(a, list); i >= 0 {
		command, _ := ours(a, list.Value.(*hujson.Array).Elements[i])
		return command
	}
	return ""
}

// insertEntry puts the guard at the end of its event's list, with what is missing
// around it.
func (c *Change) insertEntry(a Agent, base []byte, command string) error {
	body := entry(a, command)
	list := "[\n" + indented(body, "  ", "\n") + "\n]"
	hooks := "{\n  " + jsonText(event(a)) + ": " + indentTail(list, "  ") + "\n}"
	if len(bytes.TrimSpace(base)) == 0 {
		c.After = []byte("{\n  \"hooks\": " + indentTail(hooks, "  ") + "\n}\n")
		c.note.Text = []insertion{{len(base), string(c.After)}}
		c.After = append(bytes.Clone(base), c.After...)
		return nil
	}
	t, err := readTree(c.File, base)
	if err != nil {
		return err
	}
	into, body, err := c.spot(t, a, body, list, hooks)
	if err != nil {
		return err
	}
	if u := t.unit(); u != "  " {
		body = reindented(body, u)
	}
	c.After, c.note.Text = insert(base, into.add(body, t.unit()))
	return c.intended(a, base, command)
}

// spot is the container that the guard goes into, and the text that goes there.
func (c *Change) spot(t tree, a Agent, body, list, hooks string) (container, string, error) {
	h, there := member(t.root, "hooks")
	if !there {
		return t.at(t.root), `"hooks": ` + hooks, nil
	}
	if _, ok := h.Value.(*hujson.Object); !ok {
		return container{}, "", fmt.Errorf("%s: hooks is no object; nothing was changed", c.File)
	}
	l, there := member(h, event(a))
	if !there {
		return t.at(h), jsonText(event(a)) + ": " + list, nil
	}
	if _, ok := l.Value.(*hujson.Array); !ok {
		return container{}, "", fmt.Errorf("%s: hooks.%s is no list; nothing was changed", c.File, event(a))
	}
	return t.at(l), body, nil
}

// intended looks at the edit before it is made: it must read, hold the guard, and be
// what it was without it.
func (c *Change) intended(a Agent, base []byte, command string) error {
	back := Change{File: c.File, After: c.After}
	out, ok := takeOut(c.After, c.note.Text)
	if err := back.cutEntries(a); err != nil || !ok || !bytes.Equal(out, base) || installed(a, c.After) != command {
		return fmt.Errorf("%s cannot be edited safely (%w); add the hook by hand: see docs/agents.md", c.File, errors.Join(err, errors.New("the edit would not do what it should")))
	}
	return nil
}

func sum(b []byte) string {
	s := sha256.Sum256(b)
	return hex.EncodeToString(s[:])
}
