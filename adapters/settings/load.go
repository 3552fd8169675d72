// Package settings reads and writes the settings files: the user's in tenet's home,
// and the project's, which can only make things stricter until the user trusts it.
// Both are JSON with comments. What a file means core/settings decides; here it is
// found, read within bounds, and edited so that a crash leaves the old file or the
// new one and no comment is lost.
package settings

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/tailscale/hujson"

	"tenet/core/call"
	"tenet/core/guard"
	"tenet/core/rules"
	"tenet/core/settings"
)

// Options say whose settings are read.
type Options struct {
	// Home is tenet's own directory; the user's settings.json lies in it.
	Home string
	// Root is the workspace root, absolute and real; empty for none.
	Root string
}

// Run is what the settings say of a run; core/settings has its fields and their defaults.
type Run = settings.Run

// DefaultRun is a run without any setting.
func DefaultRun() Run { return settings.DefaultRun() }

// State is what a file was found to be.
type State uint8

// The states.
const (
	Absent     State = iota // no file, or a project's that is the user's as well
	Loaded                  // read
	Unreadable              // there, and nothing of it counts
)

// Settings are what both files say.
type Settings struct {
	// Profile is the default layer; empty when the user names none.
	Profile string
	// Auto is what runs unasked in place of the profile's auto set; nil when unset.
	Auto *call.Effects
	// Guard holds what the user sets of the guard's policy, its paths made real; Root,
	// Home and the rosters are the caller's to fill in.
	Guard guard.Policy
	// Run is what both files say of a run, with the defaults of what neither says.
	Run settings.Run
	// Sources maps the dotted key of each setting of a run that a file sets, and that
	// counts, to that file.
	Sources map[string]string
	// Waiting are the keys of the project's file that count only with trust, each with its
	// value as it is written: "hooks: {\"stop\": [\"make check\"]}".
	Waiting []string
	// User and Project are the rules of both files, in their order.
	User, Project []rules.Rule
	// Trusted is true when the user trusts this very file of this project.
	Trusted bool
	// UserFile and ProjectFile are the files' names, UserState and ProjectState what was
	// found there.
	UserFile, ProjectFile   string
	UserState, ProjectState State
	// Files are every file that was looked for, and where links lead it really lies: all
	// of it is protected (G1.3).
	Files []string
	// Warnings say what does not count as it is written, one sentence each.
	Warnings []string

	disk    FS
	root    string
	trusted settings.Trusted
	project []byte
}

// Layers are the rules in force over a default layer.
func (s *Settings) Layers(base []rules.Rule) rules.Layers {
	return rules.Layers{Default: base, User: s.User, Project: s.Project, Trusted: s.Trusted}
}

// Trusts reports whether the user trusts a settings file of this project with these
// bytes, whatever stands there now.
func (s *Settings) Trusts(file []byte) bool { return s.trusted.Trusts(s.root, file) }

// Load reads both files. A user's file that cannot be read whole is an error: what it
// would have forbidden is not known, so nothing may run. A project's counts as not
// there then, and a warning says so; it could only have made things stricter.
func Load(o Options) (*Settings, error) { return loadFrom(Disk{}, o) }

// Load reads both files as Load does, on the editor's file system.
func (e Editor) Load() (*Settings, error) { return loadFrom(e.disk(), e.Options) }

func loadFrom(disk FS, o Options) (*Settings, error) {
	s := &Settings{disk: disk, root: o.Root, UserFile: UserFile(o.Home), Run: settings.DefaultRun(), Sources: map[string]string{}}
	s.look(s.UserFile)
	if err := s.loadUser(o); err != nil {
		return nil, err
	}
	if o.Root == "" {
		return s, nil
	}
	s.ProjectFile = ProjectFile(o.Root)
	s.look(s.ProjectFile)
	if same(s.UserFile, s.ProjectFile) {
		s.Trusted = true // the user's own file, which was read as such
		return s, nil
	}
	s.loadProject(o.Root)
	return s, nil
}

// look remembers where a file is looked for, and where it really lies.
func (s *Settings) look(name string) {
	s.Files = append(s.Files, name)
	if r := real(name); r != name {
		s.Files = append(s.Files, r)
	}
}

// same reports whether two names are one file, or would be.
func same(a, b string) bool {
	if real(a) == real(b) {
		return true
	}
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

// real is where a path leads; what of it is not there yet stays as it is written.
func real(path string) string {
	rest := ""
	for dir := filepath.Clean(path); ; dir = filepath.Dir(dir) {
		if r, err := filepath.EvalSymlinks(dir); err == nil {
			return filepath.Join(r, rest)
		}
		if dir == filepath.Dir(dir) {
			return filepath.Clean(path)
		}
		rest = filepath.Join(filepath.Base(dir), rest)
	}
}

func (s *Settings) loadUser(o Options) error {
	b, _, there, err := s.disk.Read(s.UserFile)
	if err != nil {
		return fmt.Errorf("the settings cannot be read: %w; repair the file, or move it away to go on with the defaults", err)
	}
	if !there {
		return nil
	}
	d, err := parse(b)
	if err != nil {
		return fmt.Errorf("the settings cannot be read: %s: %w", s.UserFile, err)
	}
	v, problems := settings.ReadUser(d.tree())
	list, more := settings.Rules(v.Permissions, rules.FromUser)
	if err := s.tell(s.UserFile, append(problems, more...)); err != nil {
		return fmt.Errorf("the settings cannot be read: %w", err)
	}
	s.Profile, s.Auto, s.Guard, s.User, s.trusted = v.Profile, v.Auto, v.Guard, list, v.Trusted
	s.Run, s.UserState = v.Run, Loaded
	s.from(s.UserFile, d.tree(), settings.UserOnly)
	for i, dir := range s.Guard.WriteRoots {
		s.Guard.WriteRoots[i] = place(o.Root, dir)
	}
	return nil
}

// place makes a configured directory real: ~ is the user's home, and what is relative
// stands below the workspace.
func place(root, dir string) string {
	if rest, ok := strings.CutPrefix(dir, "~"); ok && (rest == "" || rest[0] == '/') {
		if home, err := os.UserHomeDir(); err == nil {
			dir = home + rest
		}
	}
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(root, dir)
	}
	return real(dir)
}

// maxRefused is how many mistakes of one file a person is told at once.
const maxRefused = 10

// tell turns problems into warnings, or into an error when one of them refuses.
func (s *Settings) tell(file string, problems []settings.Problem) error {
	var refused []string
	for _, p := range problems {
		if p.Refuses {
			refused = append(refused, fmt.Sprintf("%s:%s", file, p))
			continue
		}
		s.Warnings = append(s.Warnings, fmt.Sprintf("%s:%s", file, p))
	}
	if more := len(refused) - maxRefused; more > 0 {
		refused = append(refused[:maxRefused], fmt.Sprintf("and %d more mistakes", more))
	}
	if len(refused) > 0 {
		return fmt.Errorf("%s", strings.Join(refused, "\n"))
	}
	return nil
}

func (s *Settings) loadProject(root string) {
	b, _, there, err := s.disk.Read(s.ProjectFile)
	if err == nil && !there {
		return
	}
	if err == nil {
		err = s.readProject(root, b)
	}
	if err != nil {
		s.ProjectState = Unreadable
		s.Warnings = append(s.Warnings, fmt.Sprintf("the project's settings do not count, and what they forbid is not forbidden: %v", err))
	}
}

func (s *Settings) readProject(root string, b []byte) error {
	d, err := parse(b)
	if err != nil {
		return fmt.Errorf("%s: %w", s.ProjectFile, err)
	}
	tree, trusted := d.tree(), s.trusted.Trusts(root, b)
	v, problems := settings.ReadProject(tree, s.Run, trusted)
	list, more := settings.Rules(v.Permissions, rules.FromProject)
	if err := s.tell(s.ProjectFile, append(problems, more...)); err != nil {
		return err
	}
	s.Project, s.project, s.ProjectState = list, b, Loaded
	s.Run, s.Trusted, s.Waiting = v.Run, trusted, d.waiting(tree)
	s.from(s.ProjectFile, tree, settings.OfProject(trusted))
	return nil
}

// waiting are the keys that wait for trust, with their values in one line.
func (d *document) waiting(tree settings.Node) (out []string) {
	c := d.container(d.root)
	for _, name := range settings.Waiting(tree) {
		k := c.find(name)
		value := d.text[k.value.StartOffset:k.end]
		if plain, err := hujson.Minimize(value); err == nil {
			value = plain
		}
		out = append(out, call.OneLine(name+": "+string(value), maxTold))
	}
	return out
}

// from remembers which settings of a run a file sets.
func (s *Settings) from(file string, tree settings.Node, most settings.Scope) {
	for _, name := range settings.Sets(tree, most) {
		s.Sources[name] = file
	}
}
