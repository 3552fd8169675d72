package cli

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"golang.org/x/sys/unix"

	"tenet/adapters/agenthook"
	"tenet/adapters/settings"
	"tenet/adapters/store"
)

// terminal looks at what an interface would be drawn on. It never asks the terminal itself:
// one that does not answer would hold everything up.
func (o DoctorOptions) terminal(_ context.Context, f *findings) {
	term := o.Env("TERM")
	switch out := file(o.Out); {
	case out == nil || !IsTerminal(out):
		f.ok("the output is no terminal, so only the commands without an interface work here")
	case term == "" || term == "dumb":
		f.warn("set TERM, for instance to xterm-256color, or use tenet --plain", "TERM is %q, which cannot move the cursor", term)
	default:
		f.ok("TERM is %s, colours: %s", term, o.colours())
		o.size(out, f)
	}
	locale := firstSet(o.Env, "LC_ALL", "LC_CTYPE", "LANG")
	if up := strings.ToUpper(locale); !strings.Contains(up, "UTF-8") && !strings.Contains(up, "UTF8") {
		f.warn("set LANG, for instance to C.UTF-8", "the locale is %q, which is no UTF-8: other letters may look wrong", locale)
	} else {
		f.ok("the locale is %s", locale)
	}
	if o.Env("TMUX") != "" {
		f.ok("inside tmux: copying needs its option set-clipboard on, true colours terminal-features ',*:RGB'")
	}
	if o.Env("SSH_CONNECTION") != "" {
		f.ok("over ssh: copying works where your terminal takes OSC 52")
	}
}

func (o DoctorOptions) size(out *os.File, f *findings) {
	w, err := unix.IoctlGetWinsize(int(out.Fd()), unix.TIOCGWINSZ)
	switch {
	case err != nil || w.Col == 0:
		f.warn("tenet takes 80x24 until it is told another size", "the terminal does not say how large it is")
	case w.Col < 60 || w.Row < 15:
		f.warn("make the window larger", "it has %d columns and %d rows; cards need about 60x15", w.Col, w.Row)
	default:
		f.ok("%d columns, %d rows", w.Col, w.Row)
	}
}

func (o DoctorOptions) colours() string {
	ct := o.Env("COLORTERM")
	switch {
	case o.Env("NO_COLOR") != "":
		return "none, by NO_COLOR"
	case ct == "truecolor" || ct == "24bit":
		return "16 million"
	case strings.Contains(o.Env("TERM"), "256color"):
		return "256"
	}
	return "16"
}

func firstSet(env func(string) string, names ...string) string {
	for _, n := range names {
		if v := env(n); v != "" {
			return v
		}
	}
	return ""
}

// leastFree is how much room a home should have: a log that cannot be written ends a session.
const leastFree = 100 << 20

// home looks at tenet's own directory. One that is not there yet is made by the first session.
func (o DoctorOptions) home(_ context.Context, f *findings) {
	home, err := Home()
	if err != nil {
		f.fail("set TENET_HOME to a directory that tenet may write", "%s", said(err))
		return
	}
	info, err := os.Stat(home)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		f.ok("%s is not there yet; the first session makes it", home)
		return
	case err != nil || !info.IsDir():
		f.fail("set TENET_HOME to another directory, or repair this one", "%s is no directory that can be read (%v)", home, err)
		return
	}
	if err := unix.Access(home, unix.W_OK|unix.X_OK); err != nil {
		f.fail("make it yours: chown -R $USER "+home, "%s cannot be written: %v", home, err)
	} else {
		f.ok("%s can be written", home)
	}
	for _, name := range []string{"sessions", "auth.json"} {
		if i, err := os.Stat(filepath.Join(home, name)); err == nil && i.Mode().Perm()&0o077 != 0 {
			f.warn("chmod go= "+filepath.Join(home, name), "%s is open to others (mode %04o)", name, i.Mode().Perm())
		}
	}
	var st unix.Statfs_t
	if unix.Statfs(home, &st) == nil {
		if free := uint64(st.Bavail) * uint64(st.Bsize); free < leastFree {
			f.fail("free some space", "only %d MiB are free where the logs are", free>>20)
		} else {
			f.ok("%d MiB are free there", free>>20)
		}
	}
}

// workspace looks at the directory that a session would work in.
func (o DoctorOptions) workspace(_ context.Context, f *findings) {
	root, err := Workspace(o.Dir)
	if err != nil {
		f.fail("name another directory with --dir", "%s", said(err))
		return
	}
	if err := unix.Access(root, unix.W_OK); err != nil {
		f.warn("a session can read here and change nothing", "%s cannot be written", root)
		return
	}
	f.ok("%s", root)
}

// settings reads both files; what does not count is said with its place.
func (o DoctorOptions) settings(_ context.Context, f *findings) {
	opts, err := placed(o.Dir)
	if err != nil {
		return // said above
	}
	s, err := settings.Load(opts)
	if err != nil {
		f.fail("repair the file; nothing runs until it can be read", "%v", err)
		return
	}
	for _, w := range s.Warnings {
		f.warn("repair it, or take it out", "%s", w)
	}
	f.ok("yours: %s%s", s.UserFile, absent(s.UserFile))
	switch {
	case s.ProjectState == settings.Absent:
		f.ok("the project has no settings of its own")
	case s.ProjectState == settings.Unreadable: // a warning says why
	case s.Trusted:
		f.ok("the project's: %s, trusted", s.ProjectFile)
	default:
		f.warn("tenet trust shows its rules and asks", "the project's: %s is not trusted, so it only makes things stricter", s.ProjectFile)
	}
}

func absent(name string) string {
	if _, err := os.Stat(name); err != nil {
		return " (not there yet)"
	}
	return ""
}

// models looks at the default model and the keys; with --online it asks the server.
func (o DoctorOptions) models(ctx context.Context, f *findings) {
	rows, warnings, err := ModelRows()
	if err != nil {
		return // said above
	}
	for _, w := range warnings {
		f.warn("repair the file", "%s", w)
	}
	keys := map[string]bool{}
	for _, m := range rows {
		if m.Ready && m.Key != "not needed" {
			keys[m.Key] = true
		}
	}
	p, err := shelf(o.Dir)
	if err != nil {
		return
	}
	model := p.Settings.Run.Model
	if model == "" {
		f.warn("tenet config set model NAME; tenet models lists them", "no default model is set; keys found: %d", len(keys))
		return
	}
	if _, _, err := p.Catalog.Open(model, p.Use); err != nil {
		f.fail("tenet models shows each model and how its key stands", "the default model %s cannot be used: %v", model, err)
		return
	}
	f.ok("the default model is %s, and what it needs is there", model)
	if !o.Online {
		return
	}
	var b bytes.Buffer
	switch ok, err := ProbeModel(ctx, &b, o.Dir, model); {
	case err != nil:
		f.fail("tenet models probe "+model, "%s did not answer: %s", model, said(err))
	case !ok:
		f.fail("tenet models probe "+model+" says more", "%s answers, and does not work as the model of an agent", model)
	default:
		f.ok("%s answered and called a tool", model)
	}
}

// guard looks whether other agents have tenet as their guard; none need have.
func (o DoctorOptions) guard(_ context.Context, f *findings) {
	installed := 0
	for _, a := range agenthook.Agents() {
		for _, scope := range []agenthook.Scope{agenthook.UserScope, agenthook.ProjectScope} {
			s, err := guardSetup(false)
			if err != nil {
				f.warn("tenet guard doctor AGENT says more", "the places of other agents' settings are not known: %s", said(err))
				return
			}
			name, err := agenthook.SettingsFile(a, scope, s.Place)
			if err != nil {
				continue
			}
			if b, err := os.ReadFile(name); err == nil && bytes.Contains(b, []byte("tenet")) && bytes.Contains(b, []byte("guard")) {
				installed++
				f.ok("%v has tenet as its guard in %s; 'tenet guard doctor' tries it", a, name)
			}
		}
	}
	if installed == 0 {
		f.ok("no other agent has tenet as its guard; 'tenet guard install' would")
	}
}

// git looks for git, which sessions use only as any other program.
func (o DoctorOptions) git(ctx context.Context, f *findings) {
	out, err := exec.CommandContext(ctx, "git", "--version").Output()
	if err != nil {
		f.warn("install git; undo does not need it", "git does not run: %v", err)
		return
	}
	f.ok("%s", strings.TrimSpace(string(out)))
}

// shells looks for the shells that scripts with more than simple commands need.
func (o DoctorOptions) shells(_ context.Context, f *findings) {
	for _, name := range []string{"sh", "bash"} {
		path, err := exec.LookPath(name)
		switch {
		case err == nil:
			f.ok("%s is %s", name, path)
		case name == "sh":
			f.fail("install a POSIX shell", "there is no sh, which whole scripts run in")
		default:
			f.warn("install bash for scripts that need it", "there is no bash")
		}
	}
}

// sandbox says whether the system could confine what runs, whatever the gate says.
func (o DoctorOptions) sandbox(_ context.Context, f *findings) {
	switch abi := landlockABI(); {
	case abi > 0:
		f.ok("the kernel has Landlock (ABI %d); tenet judges calls by its own gate and does not need it", abi)
	case runtime.GOOS == "linux":
		f.ok("the kernel has no Landlock; tenet judges calls by its own gate and does not need it")
	default:
		f.ok("Landlock is Linux's; tenet judges calls by its own gate and does not need it")
	}
}

// log verifies the newest session's log, sum by sum.
func (o DoctorOptions) log(ctx context.Context, f *findings) {
	infos, _, err := sessions()
	switch {
	case err != nil:
		f.fail("tenet sessions list --all says more", "the sessions cannot be listed: %v", err)
		return
	case len(infos) == 0:
		f.ok("there is no session yet")
		return
	}
	newest := infos[0]
	r, err := store.Verify(newest.Path)
	switch {
	case err != nil:
		f.fail("tenet log verify "+newest.ID, "the newest log cannot be read: %v", err)
	case flawOf(r) != "":
		f.fail("tenet log verify "+newest.ID+" says where", "the newest log, %s: %s", newest.ID, flawOf(r))
	default:
		f.ok("the newest of %d logs, %s, is whole: %d records", len(infos), newest.ID, r.Records)
	}
}
