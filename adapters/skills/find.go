package skills

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tenet/adapters/textfile"
	"tenet/core/doc/ignore"
	core "tenet/core/skills"
)

// The bounds of a search: a place may be a link into anything.
const (
	maxDepth   = 5
	maxEntries = 2000 // of one folder
	maxFolders = 2000 // of one place
)

// finder looks through one place and hands on what it finds as candidates.
type finder struct {
	place
	secret  func(real string) bool
	add     func(core.Candidate)
	folders int
	stopped bool
}

// skillFile is the file that makes a folder a skill.
const skillFile = "SKILL.md"

// ignoreFiles are read in each folder, the later over the earlier.
var ignoreFiles = []string{".gitignore", ".ignore", ".fdignore"}

// fail hands on what could not be looked at.
func (f *finder) fail(path, format string, args ...any) {
	f.add(core.Candidate{Kind: core.Entry, Scope: f.scope, Path: path, Fault: fmt.Sprintf(format, args...)})
}

func (f *finder) find() {
	if f.path == "" {
		return
	}
	info, err := os.Stat(f.path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !f.named && !isLink(f.path):
		return // most places are not there
	case err != nil:
		f.fail(f.path, "%s cannot be looked at: %v", f.kind, textfile.PlainError(err))
	case info.IsDir():
		f.root()
	case f.named && !markdown(f.path):
		f.fail(f.path, "it is not markdown: a %s is a file that ends with .md, or a folder of them", f.kind)
	case f.named:
		f.file(f.path, stem(f.path))
	default:
		f.fail(f.path, "it is no folder, so no %s can lie in it", f.kind)
	}
}

func isLink(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

func markdown(path string) bool { return strings.EqualFold(filepath.Ext(path), ".md") }

func stem(path string) string {
	return strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
}

// root searches a place that is a folder.
func (f *finder) root() {
	real, ok := f.enter(f.path, nil)
	switch {
	case !ok:
	case f.kind == core.Template:
		f.templates()
	default:
		f.folder(f.path, "", []string{real}, nil)
	}
}

// enter is where a folder really lies; false, with a diagnostic, when it must not be
// searched: it leads out of the repository, or back to a folder it was reached through.
func (f *finder) enter(path string, through []string) (real string, ok bool) {
	real, err := textfile.Real(path)
	switch {
	case err != nil:
		f.fail(path, "it cannot be looked at: %v", err)
	case f.within != "" && !textfile.Under(real, f.within):
		f.fail(path, "it leads out of the repository, to %s; a project's own skills lie in the project", real)
	case slices.Contains(through, real):
		f.fail(path, "it leads back to %s, which it was reached through", real)
	default:
		return real, true
	}
	return "", false
}

// folder searches one folder: it is a skill, or skills lie below it.
func (f *finder) folder(path, rel string, through []string, rules ignore.Files) {
	if f.folders++; f.folders > maxFolders {
		if !f.stopped {
			f.fail(path, "this folder and those after it were not searched: %d folders of %s were", maxFolders, f.path)
		}
		f.stopped = true
		return
	}
	names, ok := f.entries(path)
	if !ok {
		return
	}
	if slices.Contains(names, skillFile) {
		f.file(filepath.Join(path, skillFile), filepath.Base(path))
		return
	}
	for _, name := range ignoreFiles {
		if slices.Contains(names, name) {
			rules = rules.With(f.ignoreFile(filepath.Join(path, name), rel))
		}
	}
	for _, name := range names {
		f.entry(path, rel, name, through, rules)
	}
}

// entries are the names in a folder, sorted.
func (f *finder) entries(path string) (names []string, ok bool) {
	d, err := os.Open(path)
	if err != nil {
		f.fail(path, "the folder cannot be read: %v", textfile.PlainError(err))
		return nil, false
	}
	defer d.Close()
	names, err = d.Readdirnames(maxEntries + 1)
	if err != nil && err != io.EOF {
		f.fail(path, "the folder cannot be read: %v", textfile.PlainError(err))
		return nil, false
	}
	if len(names) > maxEntries {
		f.fail(path, "the folder has more than %d entries, so it was not searched", maxEntries)
		return nil, false
	}
	slices.Sort(names) // two loads find the same
	return names, true
}

// entry looks at one name of a folder that is no skill itself.
func (f *finder) entry(dir, rel, name string, through []string, rules ignore.Files) {
	path := filepath.Join(dir, name)
	if strings.HasPrefix(name, ".") || name == "node_modules" {
		return
	}
	info, err := os.Stat(path)
	switch {
	case err != nil && !ignored(rules, rel+name, false) && !ignored(rules, rel+name, true):
		f.fail(path, "it cannot be looked at: %v", textfile.PlainError(err))
	case err != nil || ignored(rules, rel+name, info.IsDir()):
	case info.IsDir():
		f.down(path, rel+name+"/", through, rules)
	case f.files && rel == "" && markdown(name):
		f.file(path, stem(path))
	}
}

func (f *finder) down(path, rel string, through []string, rules ignore.Files) {
	if len(through) >= maxDepth {
		f.fail(path, "the folder lies more than %d deep, so it was not searched", maxDepth)
		return
	}
	if real, ok := f.enter(path, through); ok {
		f.folder(path, rel, append(slices.Clip(through), real), rules)
	}
}

// ignored reports whether the ignore files leave an entry out.
func ignored(rules ignore.Files, path string, dir bool) bool {
	return rules.Judge(path, dir) == ignore.Ignored
}

// ignoreFile reads an ignore file; one that cannot be read, and each of its rules that is
// no glob, are told, and the other rules hold.
func (f *finder) ignoreFile(path, rel string) ignore.File {
	real, err := textfile.Real(path)
	var t textfile.Text
	if err == nil {
		t, err = f.read(real, maxIgnore)
	}
	if err != nil {
		f.fail(path, "the ignore file cannot be read: %v", err)
		return ignore.File{}
	}
	if bad := core.BadRules(t.Text); bad != "" {
		f.fail(path, "not every rule of the ignore file is a glob: %s", bad)
	}
	return ignore.Parse(t.Text, rel)
}

// templates are the markdown files of a folder, not those below it.
func (f *finder) templates() {
	names, ok := f.entries(f.path)
	if !ok {
		return
	}
	for _, name := range names {
		if markdown(name) && !strings.HasPrefix(name, ".") {
			f.file(filepath.Join(f.path, name), stem(name))
		}
	}
}
