package bridge

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	production "tenet/adapters/skills"
	"tenet/bridge/engine"
	core "tenet/core/skills"
	"tenet/laws"
	"tenet/models/skills"
)

// skillsQuick lays out trees of skills with every fault there is, loads them, and holds
// what was loaded to the laws and to the rule as a person would tell it: in the order of
// the places, the first of a name wins.
func skillsQuick() error {
	n := engine.Premises{}
	err := engine.Many(80, 16, 1, func(src engine.Source) error {
		return inTempDir(func(dir string) error { return loadTree(src, dir, n) })
	})
	if idle := engine.Unapplied(laws.SkillsBook, n); err == nil && idle != nil {
		return fmt.Errorf("laws that said nothing: %v", idle)
	}
	return errors.Join(err, inTempDir(readsStay))
}

// disk is a home, a repository and what was laid out in them.
type skillDisk struct {
	dir, repo string
	src       engine.Source
	laid      []laid
}

// laid is one candidate that was laid out: where it is found, where it lies, its name when
// it can be loaded, and else what people must be told of it.
type laid struct {
	path, real, name string
	faulty           bool
	says             string
}

// skillPlaces are where skills lie, in load order, below the temporary folder.
var skillPlaces = []string{"home/.tenet/skills", "home/.agents/skills", "repo/work/.tenet/skills", "repo/work/.agents/skills", "repo/.tenet/skills", "repo/.agents/skills", "named"}

func loadTree(src engine.Source, dir string, n engine.Premises) error {
	d := &skillDisk{dir: dir, repo: filepath.Join(dir, "repo"), src: src}
	for _, at := range []string{"repo/.git", "repo/work", "elsewhere"} {
		must(os.MkdirAll(filepath.Join(dir, at), 0o755))
	}
	must(os.WriteFile(filepath.Join(d.repo, "secret"), []byte("---\ndescription: x\n---\n"), 0o644))
	for _, place := range skillPlaces {
		d.fill(filepath.Join(dir, place), strings.HasPrefix(place, "repo/"))
	}
	l := production.Load(production.Options{
		UserHome: filepath.Join(dir, "home"), TenetHome: filepath.Join(dir, "home/.tenet"), Dir: filepath.Join(d.repo, "work"),
		Skills: []string{filepath.Join(dir, "named")}, Secret: func(real string) bool { return filepath.Base(real) == "secret" },
	})
	return d.judge(l, n)
}

// fill lays out up to three entries in one place.
func (d *skillDisk) fill(place string, project bool) {
	must(os.MkdirAll(place, 0o755))
	var own []laid
	for i := 0; i < 3 && d.src.More(); i++ {
		folder := filepath.Join(place, string(rune('a'+d.src.Pick(4, "folder"))))
		if _, err := os.Lstat(folder); err == nil {
			continue
		}
		kind := skillKinds[d.src.Pick(len(skillKinds), "kind")]
		if c, ok := kind(d, folder, project); ok {
			own = append(own, c)
		}
	}
	slices.SortFunc(own, func(a, b laid) int { return strings.Compare(a.path, b.path) })
	d.laid = append(d.laid, own...)
}

// skillKinds lay out one entry each. They answer what is to be found, or that nothing is.
var skillKinds = []func(d *skillDisk, folder string, project bool) (laid, bool){
	func(d *skillDisk, folder string, _ bool) (laid, bool) {
		return d.skill(folder, "---\ndescription: does things\n---\nbody\n", "")
	},
	func(d *skillDisk, folder string, _ bool) (laid, bool) {
		return d.skill(folder, "---\r\nname: renamed\r\ndescription: >\r\n  two\r\n  lines\r\n---\r\n", "renamed")
	},
	func(d *skillDisk, folder string, _ bool) (laid, bool) {
		return d.bad(folder, "no front matter", "no description")
	},
	func(d *skillDisk, folder string, _ bool) (laid, bool) {
		return d.bad(folder, "---\ndescription: [1\n---\n", "invalid YAML")
	},
	func(d *skillDisk, folder string, _ bool) (laid, bool) {
		return d.bad(folder, "---\ndescription: 7\n---\n", "is no text")
	},
	func(d *skillDisk, folder string, _ bool) (laid, bool) {
		return d.bad(folder, "---\n- a\n---\n", "invalid YAML")
	},
	func(d *skillDisk, folder string, _ bool) (laid, bool) {
		return d.bad(folder, "---\nname: x\ndescription: \"  \"\n---\n", "no description")
	},
	func(d *skillDisk, folder string, _ bool) (laid, bool) {
		return d.bad(folder, "---\ndescription: x\nno end", "has no end")
	},
	func(d *skillDisk, folder string, _ bool) (laid, bool) {
		return d.bad(folder, "---\nname: Not A Name\ndescription: x\n---\n", "lower-case")
	},
	func(d *skillDisk, folder string, _ bool) (laid, bool) {
		return d.bad(folder, "---\ndescription: x\n---\n"+strings.Repeat("x", production.MaxFile), "at most")
	},
	func(d *skillDisk, folder string, _ bool) (laid, bool) {
		return d.bad(folder, "---\ndescription: x\n---\n\xff", "no UTF-8")
	},
	func(d *skillDisk, folder string, _ bool) (laid, bool) {
		return d.odd(folder, func(file string) error { return os.Mkdir(file, 0o755) }, "a folder")
	},
	func(d *skillDisk, folder string, _ bool) (laid, bool) {
		return d.odd(folder, func(file string) error { return syscall.Mkfifo(file, 0o644) }, "a pipe")
	},
	func(d *skillDisk, folder string, project bool) (laid, bool) {
		return d.odd(folder, func(file string) error { return os.Symlink("/dev/zero", file) }, out(project, "a device"))
	},
	func(d *skillDisk, folder string, _ bool) (laid, bool) {
		return d.odd(folder, func(file string) error { return os.Symlink("nowhere", file) }, "no such file")
	},
	func(d *skillDisk, folder string, _ bool) (laid, bool) {
		return d.odd(folder, func(file string) error { return os.Symlink("SKILL.md", file) }, "too many links")
	},
	func(d *skillDisk, folder string, _ bool) (laid, bool) {
		return d.odd(folder, func(file string) error { return os.Symlink(filepath.Join(d.repo, "secret"), file) }, "a secret")
	},
	func(_ *skillDisk, folder string, _ bool) (laid, bool) { // a link that leads nowhere
		must(os.Symlink("nowhere", folder))
		return laid{path: folder, faulty: true, says: "no such file"}, true
	},
	func(_ *skillDisk, folder string, _ bool) (laid, bool) { // a link back to the place
		must(os.Symlink(".", folder))
		return laid{path: folder, faulty: true, says: "leads back"}, true
	},
	func(d *skillDisk, folder string, project bool) (laid, bool) { // a link out of the repository
		target := filepath.Join(d.dir, "elsewhere", strings.ReplaceAll(folder, "/", "_"))
		c, _ := d.skill(target, "---\ndescription: far\n---\n", "")
		must(os.Symlink(target, folder))
		if project {
			return laid{path: folder, faulty: true, says: "out of the repository"}, true
		}
		return laid{path: filepath.Join(folder, "SKILL.md"), real: c.path, name: filepath.Base(folder)}, true
	},
	func(_ *skillDisk, folder string, _ bool) (laid, bool) { // no skill, and no candidate
		must(os.MkdirAll(filepath.Join(folder, ".hidden"), 0o755))
		return laid{}, false
	},
	func(_ *skillDisk, folder string, _ bool) (laid, bool) { // an ignore file that cannot be read
		must(os.MkdirAll(filepath.Join(folder, ".ignore"), 0o755))
		return laid{path: filepath.Join(folder, ".ignore"), faulty: true, says: "ignore file"}, true
	},
	func(_ *skillDisk, folder string, _ bool) (laid, bool) { // a rule that is no glob
		must(os.MkdirAll(folder, 0o755))
		must(os.WriteFile(filepath.Join(folder, ".gitignore"), []byte("ok\n[a-\n"), 0o644))
		return laid{path: filepath.Join(folder, ".gitignore"), faulty: true, says: "line 2"}, true
	},
	func(d *skillDisk, folder string, _ bool) (laid, bool) { // ignored, and so no candidate
		d.skill(filepath.Join(folder, "left-out"), "---\ndescription: x\n---\n", "")
		must(os.WriteFile(filepath.Join(folder, ".gitignore"), []byte("left-*\n"), 0o644))
		return laid{}, false
	},
	func(d *skillDisk, folder string, project bool) (laid, bool) { // a link to a skill that was laid out before
		for _, c := range d.laid {
			if !c.faulty && (!project || strings.HasPrefix(c.real, d.repo+"/")) && filepath.Base(c.path) == "SKILL.md" {
				must(os.Symlink(filepath.Dir(c.real), folder))
				name := c.name
				if name == filepath.Base(filepath.Dir(c.path)) { // it does not say its name
					name = filepath.Base(folder)
				}
				return laid{path: filepath.Join(folder, "SKILL.md"), real: c.real, name: name}, true
			}
		}
		return laid{}, false
	},
	func(d *skillDisk, folder string, _ bool) (laid, bool) { // deeper down
		return d.skill(filepath.Join(folder, "deep", "er", filepath.Base(folder)), "---\ndescription: x\n---\n", "")
	},
}

// skill lays out a skill; an empty name is its folder's.
func (d *skillDisk) skill(folder, text, name string) (laid, bool) {
	if name == "" {
		name = filepath.Base(folder)
	}
	file := filepath.Join(folder, "SKILL.md")
	must(os.MkdirAll(folder, 0o755))
	must(os.WriteFile(file, []byte(text), 0o644))
	return laid{path: file, real: file, name: name}, true
}

func (d *skillDisk) bad(folder, text, says string) (laid, bool) {
	c, _ := d.skill(folder, text, "")
	c.faulty, c.says = true, says
	return c, true
}

// out is what is told of a link that leads away: of a project's, that it leaves the
// repository.
func out(project bool, says string) string {
	if project {
		return "out of the repository"
	}
	return says
}

func (d *skillDisk) odd(folder string, lay func(file string) error, says string) (laid, bool) {
	file := filepath.Join(folder, "SKILL.md")
	must(os.MkdirAll(folder, 0o755))
	must(lay(file))
	return laid{path: file, faulty: true, says: says}, true
}

// judge holds what was loaded to the laws and to the rule.
func (d *skillDisk) judge(l *production.Library, n engine.Premises) error {
	got, err := d.view(l.Set())
	if err != nil {
		return err
	}
	for _, law := range laws.SkillsBook {
		v := law.State(got)
		if v.Applies {
			n[law.ID]++
		}
		if v.Err != nil {
			return fmt.Errorf("law %s: production: %w\n%+v\n%v", law.ID, v.Err, d.laid, l.Diagnostics())
		}
	}
	if want := d.rule(); got != want {
		return fmt.Errorf("production %+v\nthe rule  %+v\n%+v\n%v", got, want, d.laid, l.Diagnostics())
	}
	return d.told(l.Diagnostics())
}

// told: each fault is told with its own cause.
func (d *skillDisk) told(all []core.Diagnostic) error {
	for _, c := range d.laid {
		if c.faulty && !slices.ContainsFunc(all, func(t core.Diagnostic) bool { return t.Path == c.path && strings.Contains(t.Text, c.says) }) {
			return fmt.Errorf("law skill_failure_reported: production: nobody is told of %s that %q: %v", c.path, c.says, all)
		}
	}
	return nil
}

// view is production's set in the model's terms; a path that was not laid out is strange.
func (d *skillDisk) view(set core.Set) (s skills.State, err error) {
	at := func(path string) *skills.Fate {
		i := slices.IndexFunc(d.laid, func(c laid) bool { return c.path == path })
		if i < 0 {
			err = errors.Join(err, fmt.Errorf("%s was not laid out as a candidate: %+v\n%v", path, d.laid, set.Diagnostics))
			return &skills.Fate{}
		}
		return &s.Fates[i]
	}
	for _, l := range set.Loaded {
		f := at(l.Path)
		f.Loaded, f.Kind, f.Name, f.Real = true, l.Kind, d.name(l.Name), d.real(l.Real)
	}
	for _, t := range set.Diagnostics {
		at(t.Path).Told |= skills.Told(t.Level)
	}
	for i, c := range d.laid {
		s.Found |= 1 << i
		if c.faulty {
			s.Faulty |= 1 << i
		}
	}
	return s, err
}

// name and real are numbers, from 1, for names and files.
func (d *skillDisk) name(name string) uint8 {
	return uint8(1 + slices.IndexFunc(d.laid, func(c laid) bool { return c.name == name }))
}

func (d *skillDisk) real(real string) uint8 {
	return uint8(1 + slices.IndexFunc(d.laid, func(c laid) bool { return c.real == real }))
}

// rule is what should come of what was laid out.
func (d *skillDisk) rule() (s skills.State) {
	taken, lies := map[string]bool{}, map[string]bool{}
	for i, c := range d.laid {
		s.Found |= 1 << i
		f := &s.Fates[i]
		switch {
		case c.faulty:
			s.Faulty |= 1 << i
			f.Told = skills.Told(core.Failed)
		case lies[c.real]:
			f.Told = skills.Told(core.Same)
		case taken[c.name]:
			f.Told = skills.Told(core.Lost)
		default:
			taken[c.name], lies[c.real] = true, true
			*f = skills.Fate{Loaded: true, Kind: core.Skill, Name: d.name(c.name), Real: d.real(c.real)}
			if c.name != filepath.Base(filepath.Dir(c.path)) {
				f.Told = skills.Told(core.Warning)
			}
		}
	}
	return s
}

// readsStay: what use_skill reads lies below the skill's folder, whatever a path or a link
// says; what leaves it is rejected as such.
func readsStay(dir string) error {
	d := &skillDisk{dir: dir, repo: dir}
	folder := filepath.Join(dir, ".tenet/skills/s")
	d.skill(folder, "---\ndescription: x\n---\nthe body\n", "")
	must(os.MkdirAll(filepath.Join(folder, "sub"), 0o755))
	must(os.WriteFile(filepath.Join(folder, "sub/inside"), []byte("inside"), 0o644))
	must(os.WriteFile(filepath.Join(dir, "outside"), []byte("outside"), 0o644))
	must(os.WriteFile(filepath.Join(folder, "secret"), []byte("secret"), 0o644))
	must(os.Symlink("../../../outside", filepath.Join(folder, "out")))
	must(os.Symlink(filepath.Join(folder, "sub"), filepath.Join(folder, "in")))
	must(os.Symlink(dir, filepath.Join(folder, "up")))
	l := production.Load(production.Options{Dir: dir, Secret: func(real string) bool { return filepath.Base(real) == "secret" }})
	for path, want := range map[string]string{
		"": "the body\n", ".": "the body\n", "SKILL.md": "the body\n", "sub/inside": "inside", "./sub//inside": "inside", "sub/../sub/inside": "inside", "in/inside": "inside",
		"..": "escapes", "../s/SKILL.md": "escapes", "sub/../../s/sub/inside": "escapes", "/etc/passwd": "escapes", "out": "escapes", "up/outside": "escapes", "up": "escapes",
		"secret": "error", "sub": "error", "nothing": "error",
	} {
		p, err := l.Read("s", path)
		got := p.Text
		if escapes := (*production.ErrEscapes)(nil); errors.As(err, &escapes) {
			got = "escapes"
		} else if err != nil {
			got = "error"
		}
		if got != want {
			return fmt.Errorf("use_skill s %q: %q (%v), want %q", path, got, err, want)
		}
	}
	return nil
}
