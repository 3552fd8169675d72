package cli

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"tenet/adapters/judge"
	"tenet/adapters/rehearsal"
)

//go:embed demo
var demoFiles embed.FS

// DemoScript is the rehearsal that the demo plays.
func DemoScript() []byte {
	b, err := demoFiles.ReadFile("demo/demo.rehearsal")
	if err != nil {
		panic(err) // embedded: it is there or the program was not built
	}
	return b
}

// DemoPrompt is what the demo asks of the model.
const DemoPrompt = "The tests of this project fail. Find out why, fix it, and copy the fixed script to ../slug-fixed.sh."

// Demo is an unpacked demo: a project that is a git repository, and a home
// directory of its own, so that nothing the demo tries can reach the real one.
type Demo struct {
	Project, Home string
}

// UnpackDemo writes the demo's project below dir and makes it a git repository. An
// existing dir must be empty: the demo never writes over anything.
func UnpackDemo(dir string) (Demo, error) {
	d := Demo{Project: filepath.Join(dir, "slug"), Home: filepath.Join(dir, "home")}
	if entries, err := os.ReadDir(dir); err == nil && len(entries) > 0 {
		return d, Usage("%s is not empty; name a new directory for the demo", dir)
	}
	if err := d.unpack(); err != nil {
		return d, fmt.Errorf("unpack the demo into %s: %w", dir, err)
	}
	return d, d.repository()
}

func (d Demo) unpack() error {
	root, err := fs.Sub(demoFiles, "demo/project")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(d.Home, ".ssh"), 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(d.Home, ".ssh", "id_demo"), []byte("not a key\n"), 0o600); err != nil {
		return err
	}
	return fs.WalkDir(root, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		// An embedded tree holds no file that begins with a dot.
		to := filepath.Join(d.Project, strings.Replace(name, "dotenv", ".env", 1))
		if e.IsDir() {
			return os.MkdirAll(to, 0o755)
		}
		b, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		return os.WriteFile(to, b, 0o644)
	})
}

// repository commits the project, with none of the user's own git settings.
func (d Demo) repository() error {
	git, err := exec.LookPath("git")
	if err != nil {
		return Usage("the demo needs git on PATH: %w; install git and run it again", err)
	}
	for _, args := range [][]string{
		{"init", "--quiet", "--initial-branch=main"},
		{"add", "--all", "--", ".", ":!.env"},
		{"-c", "user.name=demo", "-c", "user.email=demo@localhost", "commit", "--quiet", "--message=The project as it came"},
	} {
		c := exec.Command(git, args...)
		c.Dir = d.Project
		c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull, "HOME="+d.Home)
		if out, err := c.CombinedOutput(); err != nil {
			return fmt.Errorf("git %s in the demo's project: %w: %s", args[0], err, out)
		}
	}
	return nil
}

// demoAuto lets the project's own programs run, so that a newcomer is asked once, about
// what leaves the project.
var demoAuto = []string{"read", "write", "exec"}

// RunDemo unpacks the demo and plays its rehearsal there.
func RunDemo(ctx context.Context, o Options, dir string) error {
	o.Prompt, o.Profile, o.Auto = DemoPrompt, judge.DefaultProfile, demoAuto
	if err := o.checked(); err != nil {
		return err
	}
	sc, err := demoScene(dir)
	if err != nil {
		return err
	}
	fmt.Fprintf(o.Out, "The demo's project is in %s, a home directory of its own beside it.\n\n", sc.workspace)
	return o.play(ctx, sc)
}

// demoScene unpacks the demo into dir, or into a new directory, and sets its stage: its
// project, its home, its model, and nobody who could allow what is guarded.
func demoScene(dir string) (scene, error) {
	if dir == "" {
		made, err := os.MkdirTemp("", "tenet-demo-")
		if err != nil {
			return scene{}, fmt.Errorf("make a directory for the demo: %w", err)
		}
		dir = made
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return scene{}, Usage("--dir: %w", err)
	}
	d, err := UnpackDemo(dir)
	if err != nil {
		return scene{}, err
	}
	workspace, err := Workspace(d.Project)
	if err != nil {
		return scene{}, err
	}
	s, err := rehearsal.Parse(bytes.NewReader(DemoScript()), "demo")
	if err != nil {
		return scene{}, fmt.Errorf("the demo's own rehearsal: %w", err)
	}
	return scene{workspace: workspace, userHome: d.Home, model: &model{provider: s.Play()}, shielded: true}, nil
}
