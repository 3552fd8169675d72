package bridge

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	production "tenet/adapters/skills"
	"tenet/bridge/engine"
	"tenet/bridge/engine/trial"
	"tenet/laws"
)

// Everything that can lie at three paths, found in any order and any number of times.
func TestSkillsModel(t *testing.T) {
	defer report.Time("skills")()
	r, err := skillsArea().Exhaust()
	if err != nil {
		t.Fatal(err)
	}
	if idle := engine.Unapplied(laws.SkillsBook, r.Premises); idle != nil {
		t.Errorf("laws that never said anything: %v", idle)
	}
	t.Log(r)
}

// Real folders with every fault there is.
func TestSkillsQuick(t *testing.T) {
	defer report.Time("skills")()
	if err := skillsQuick(); err != nil {
		t.Fatal(err)
	}
}

// Random folders, which shrink.
func TestSkillsRapid(t *testing.T) {
	defer report.Time("skills")()
	n := engine.Premises{}
	report.Histories("skills", trial.Check(t, 16, func(src engine.Source) error {
		return inTempDir(func(dir string) error { return loadTree(src, dir, n) })
	}))
}

// Nothing of a repository runs when tenet starts there (case conf-001): no package that
// reads skills, templates and instructions can start a program, and what they lead to in
// this module cannot either.
func TestNothingOfARepositoryRuns(t *testing.T) {
	for _, f := range program(t) {
		switch path.Dir(f.path) {
		case "adapters/skills", "adapters/instructions", "adapters/textfile", "core/skills", "core/doc/ignore":
		default:
			continue
		}
		for _, name := range imports(f) {
			switch {
			case slices.Contains([]string{"os/exec", "plugin", "net/http", "net", "unsafe", "tenet/adapters/shell", "tenet/adapters/jobs"}, name):
				t.Errorf("%s imports %s", f.path, name)
			case strings.HasPrefix(name, "tenet/adapters/") && !slices.Contains(textPackages, name):
				t.Errorf("%s imports %s: could that start a program?", f.path, name)
			}
		}
	}
}

// textPackages are the adapters that readers of texts may use: the session and the gate for
// the form of a tool, no hands.
var textPackages = []string{"tenet/adapters/textfile", "tenet/adapters/session", "tenet/adapters/approvals"}

// A file and a folder that the user may not read are told, the others load. Who may read
// everything cannot see this.
func TestSkillsDeniedFiles(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("SKIPPED: root reads files of any mode, so a denied file cannot be laid out; run this as another user")
	}
	dir := t.TempDir()
	d := &skillDisk{dir: dir, repo: dir}
	good, _ := d.skill(filepath.Join(dir, "good"), "---\ndescription: x\n---\n", "")
	denied, _ := d.skill(filepath.Join(dir, "denied"), "---\ndescription: x\n---\n", "")
	must(os.Chmod(denied.path, 0))
	must(os.Mkdir(filepath.Join(dir, "shut"), 0))
	set := production.Load(production.Options{Skills: []string{dir}}).Set()
	if len(set.Loaded) != 1 || set.Loaded[0].Path != good.path || len(set.Diagnostics) != 2 {
		t.Fatalf("loaded %+v, told %v", set.Loaded, set.Diagnostics)
	}
	for _, t2 := range set.Diagnostics {
		if !strings.Contains(t2.Text, "permission denied") {
			t.Errorf("%v does not say why", t2)
		}
	}
}
