package skills

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"tenet/adapters/textfile"
	"tenet/core/call"
	"tenet/core/prompts"
	core "tenet/core/skills"
)

// Page is what was read of a skill.
type Page struct {
	// Skill is the skill, Folder its real folder.
	Skill  core.Loaded
	Folder string
	// Text is the file's text; of SKILL.md without its front matter.
	Text string
	// Files are the files of the folder, of SKILL.md only, the first maxListed of them.
	Files []string
	// More is true when there are more files than listed.
	More bool
	// Size is the file's whole size; Cut is true when Text is only its start.
	Size int64
	Cut  bool
}

// maxListed bounds the files that are named beside a SKILL.md.
const maxListed = 50

// maxRead is how much of one file of a skill is read; what a call shows is bounded beside.
const maxRead = 1 << 20

// ErrEscapes is a path that leads out of its skill's folder.
type ErrEscapes struct{ Path, Skill string }

// Error names the rejection.
func (e *ErrEscapes) Error() string {
	return fmt.Sprintf("escapes: the path %q leads out of the folder of the skill %s; give one below it", call.OneLine(e.Path, 200), e.Skill)
}

// Read reads a skill's SKILL.md, or a file below its folder. A path that leads out of the
// folder, by its segments or by a link, is an *ErrEscapes.
func (l *Library) Read(name, path string) (Page, error) {
	s, ok := l.set.Find(core.Skill, name)
	if !ok {
		return Page{}, fmt.Errorf("there is no skill %q; there are %s", call.OneLine(name, 200), l.names())
	}
	if s.Hidden {
		return Page{}, fmt.Errorf("the skill %s is started by the user only (disable-model-invocation); ask the user", name)
	}
	clean, escapes := core.Within(path)
	if escapes {
		return Page{}, &ErrEscapes{path, name}
	}
	p := Page{Skill: s, Folder: filepath.Dir(s.Real)}
	main := filepath.Base(s.Real)
	if path == "" || clean == "." || clean == main {
		return p, p.main(l, main)
	}
	if filepath.Base(s.Path) != skillFile {
		return Page{}, fmt.Errorf("the skill %s is one file without a folder of its own; leave path out", name)
	}
	return p, p.file(l, clean, maxRead)
}

func (l *Library) names() string {
	var out []string
	for _, s := range l.set.Loaded {
		if s.Kind == core.Skill && !s.Hidden {
			out = append(out, s.Name)
		}
	}
	if out == nil {
		return "none"
	}
	return strings.Join(out, ", ")
}

// main reads the file that makes the skill.
func (p *Page) main(l *Library, name string) error {
	if err := p.file(l, name, MaxFile); err != nil {
		return err
	}
	_, body, err := split(p.Text)
	if err != nil {
		return err
	}
	p.Text = strings.TrimLeft(body, "\n")
	if filepath.Base(p.Skill.Path) == skillFile {
		p.list()
	}
	return nil
}

// file reads a file below the folder, on the path that its links lead to: they must stay
// below the folder, also when one is made while this reads.
func (p *Page) file(l *Library, clean string, limit int64) error {
	root, err := os.OpenRoot(p.Folder)
	if err != nil {
		return fmt.Errorf("the folder of the skill %s cannot be opened: %w", p.Skill.Name, err)
	}
	defer root.Close()
	real, err := textfile.Real(filepath.Join(p.Folder, clean))
	switch {
	case err != nil:
		return fmt.Errorf("%s of the skill %s cannot be read: %w", call.OneLine(clean, 200), p.Skill.Name, err)
	case !textfile.Under(real, p.Folder):
		return &ErrEscapes{clean, p.Skill.Name}
	case l.secret(real):
		return fmt.Errorf("%s of the skill %s is a secret; read it with the tool read, which asks the user", call.OneLine(clean, 200), p.Skill.Name)
	}
	rel, err := filepath.Rel(p.Folder, real)
	if err != nil {
		return &ErrEscapes{clean, p.Skill.Name}
	}
	t, err := textfile.ReadIn(root, rel, limit)
	if err != nil {
		return fmt.Errorf("%s of the skill %s cannot be read: %w", call.OneLine(clean, 200), p.Skill.Name, err)
	}
	p.Text, p.Size, p.Cut = t.Text, t.Size, t.Cut
	return nil
}

// list names the files of the folder, in the order of their names; it stops early, and
// what cannot be looked at is not named.
func (p *Page) list() {
	seen := 0
	_ = filepath.WalkDir(p.Folder, func(path string, d fs.DirEntry, err error) error {
		if seen++; err != nil || seen > 40*maxListed {
			p.More = true
			return fs.SkipAll
		}
		rel, _ := filepath.Rel(p.Folder, path)
		switch {
		case d.IsDir() && rel != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules"):
			return fs.SkipDir
		case d.IsDir() || rel == filepath.Base(p.Skill.Real):
		case len(p.Files) == maxListed:
			p.More = true
			return fs.SkipAll
		default:
			p.Files = append(p.Files, rel)
		}
		return nil
	})
}

// Expand is a prompt template with arguments in it, as the user typed them after its name.
func (l *Library) Expand(name, arguments string) (string, error) {
	t, ok := l.set.Find(core.Template, name)
	if !ok {
		return "", fmt.Errorf("there is no prompt template %q", call.OneLine(name, 200))
	}
	text, err := textfile.Read(t.Real, MaxFile)
	if err == nil && text.Cut {
		err = fmt.Errorf("it grew to %d bytes; at most %d are taken", text.Size, MaxFile)
	}
	if err != nil {
		return "", fmt.Errorf("the prompt template %s (%s) cannot be read: %w", name, t.Path, err)
	}
	_, body, err := split(text.Text)
	if err != nil {
		return "", fmt.Errorf("the prompt template %s (%s): %w", name, t.Path, err)
	}
	return prompts.Expand(strings.TrimSpace(body), prompts.Arguments(arguments)), nil
}
