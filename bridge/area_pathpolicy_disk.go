package bridge

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	production "tenet/adapters/pathpolicy"
	"tenet/bridge/engine"
	"tenet/core/call"
	"tenet/core/effect"
	core "tenet/core/pathpolicy"
	"tenet/models/pathpolicy"
)

// pathpolicyQuick judges random paths on random trees of a real disk and holds each
// answer against the naive model.
func pathpolicyQuick() error {
	return engine.Many(60, 60, 1, pathpolicyHistory)
}

// pathpolicyHistory bends links on a disk of its own and asks about paths.
func pathpolicyHistory(src engine.Source) (err error) {
	d, err := newPathDisk()
	if err != nil {
		return err
	}
	defer func() {
		if gone := os.RemoveAll(d.top); err == nil {
			err = gone
		}
	}()
	for src.More() {
		if err := d.step(src); err != nil {
			return err
		}
	}
	return nil
}

// pathDisk is a home with a workspace in it, what production makes of it, and the
// policy as G1.3 and G1.4 say it must be.
type pathDisk struct {
	top, home, root string
	judge           *production.Judge
	policy          core.Policy
}

func newPathDisk() (*pathDisk, error) {
	top, err := tempDir()
	if err != nil {
		return nil, err
	}
	d := &pathDisk{top: top, home: top + "/home", root: top + "/home/proj"}
	for _, dir := range []string{d.root + "/d/e", d.home + "/.aws", top + "/tenet/agents", top + "/keys", top + "/bin", top + "/elsewhere"} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, err
		}
	}
	if err := os.Symlink(top+"/keys", d.home+"/.ssh"); err != nil {
		return nil, err
	}
	d.judge = production.New(production.Options{
		Root: d.root, TenetHome: top + "/tenet", Settings: []string{d.home + "/more.json"},
		Env: []string{"HOME=" + d.home, "PATH=" + top + "/bin::tools", "AWS_CONFIG_FILE=" + top + "/aws", "AWS_SHARED_CREDENTIALS_FILE=" + top + "/awskeys", "CLOUDSDK_CONFIG=" + top + "/sdk"},
	})
	d.policy = d.wanted()
	return d, nil
}

// wanted is the policy by the letter of the rules. The link .ssh is an entry in both
// of its places.
func (d *pathDisk) wanted() core.Policy {
	p := core.Policy{Roots: []string{d.root}, SecretNames: []core.NameRule{{Name: ".env", Except: []string{".example", ".sample", ".template", ".dist"}}}}
	for _, s := range strings.Fields(".ssh .aws .azure .config/gcloud .config/gh .docker/config.json .kube .gnupg .password-store .local/share/keyrings .netrc" +
		" .git-credentials .npmrc .pypirc .cargo/credentials .cargo/credentials.toml") {
		p.Secrets = append(p.Secrets, d.home+"/"+s)
	}
	for _, s := range d.judge.Policy().Secrets {
		if strings.HasPrefix(s, d.home+"/") { // further stores, by the list of production
			p.Secrets = append(p.Secrets, s)
		}
	}
	p.Secrets = append(p.Secrets, d.top+"/tenet/auth.json", d.top+"/keys", d.top+"/aws", d.top+"/awskeys", d.top+"/sdk")
	p.Protected = []core.Rule{
		{Kind: core.Named, Path: ".git"}, {Kind: core.Named, Path: ".tenet"}, {Kind: core.Tree, Path: d.home + "/.tenet"}, {Kind: core.Tree, Path: d.top + "/tenet"},
		{Kind: core.Tree, Path: d.root + "/.tenet"}, {Kind: core.Tree, Path: d.home + "/more.json"},
		{Kind: core.Dir, Path: d.top + "/bin"}, {Kind: core.Dir, Path: d.root}, {Kind: core.Dir, Path: d.root + "/tools"},
		{Kind: core.Tree, Path: "/dev/fd"}, {Kind: core.Tree, Path: "/proc/self/fd"}, {Kind: core.Tree, Path: "/proc/self/task"},
	}
	return p
}

// Read is the disk as it is now, looked at in another way than production does.
func (d *pathDisk) Read(path string) (target string, kind core.Kind) {
	if target, kind, ok := d.own(path); ok {
		return target, kind
	}
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return "", core.Missing
	case info.Mode()&os.ModeSymlink == 0:
		return "", core.Present
	}
	target, err = os.Readlink(path)
	if err != nil {
		return "", core.Missing
	}
	return target, core.Link
}

func (d *pathDisk) step(src engine.Source) error {
	if src.Pick(3, "bend") == 0 {
		return d.bend(src)
	}
	path := d.path(src)
	if err := d.access(path, core.Access(src.Pick(4, "access"))); err != nil {
		return err
	}
	if err := d.command(path); err != nil {
		return err
	}
	before := d.judge.Calls()
	if err := d.access(path, core.Writing); err != nil {
		return err
	}
	if !strings.HasPrefix(path, "/") {
		d.judge.Access(d.root, "./"+path, core.Reading)
	}
	if after := d.judge.Calls(); after != before {
		return fmt.Errorf("a decision about %s that was made before asked the kernel %d times", path, after-before)
	}
	return nil
}

// bend makes, turns or removes a link or a directory, and says so.
func (d *pathDisk) bend(src engine.Source) error {
	at := []string{d.root + "/l1", d.root + "/l2", d.root + "/d/l3", d.top + "/elsewhere/l4", d.home + "/.ssh", d.home + "/.ssh"}[src.Pick(6, "link")]
	to := []string{"", "l1", "../l2", "..", "d", d.home, d.top + "/keys", "../../.aws", "missing/x", d.root, d.top + "/elsewhere", "/proc/self/environ", "DIR", "DIR", "/proc/self/cwd/d", "/proc/self/fd/3"}[src.Pick(16, "target")]
	if err := os.RemoveAll(at); err != nil {
		return err
	}
	var err error
	switch to {
	case "":
	case "DIR":
		err = os.Mkdir(at, 0o755)
	default:
		err = os.Symlink(to, at)
	}
	d.judge.Changed()
	return err
}

// path is a path as an agent may write it.
func (d *pathDisk) path(src engine.Source) string {
	names := strings.Fields("l1 l2 l3 l4 d .. .. . home proj .ssh .aws .env .env.local .env.example .git .tenet x bin keys tools .netrc elsewhere agents")
	names = append(names, "", "auth.json", "aws", "awskeys", "sdk", "tools", ".config", "more.json", "credentials")
	out := []string{"", "", "l1", "d/l3", d.top, d.home, "/proc/self/cwd", d.home + "/.ssh", d.top + "/tenet", d.top + "/tenet/agents",
		"/proc/thread-self/cwd", "/proc/self/root" + d.home, "/proc/self/fd", "/dev/fd"}[src.Pick(14, "start")]
	for range src.Pick(4, "length") + 1 {
		out = strings.TrimPrefix(out+"/"+names[src.Pick(len(names), "name")], "//")
		if !strings.HasPrefix(out, d.top) && !strings.HasPrefix(out, "/proc") && !strings.HasPrefix(out, "/dev") {
			out = strings.TrimLeft(out, "/")
		}
	}
	return out
}

// access compares one access with the model's answer.
func (d *pathDisk) access(path string, kind core.Access) error {
	want := d.want(path)
	got, effects := d.judge.Access(d.root, path, kind)
	if got != want {
		return fmt.Errorf("%v of %s is %+v, the model says %+v", kind, path, got, want)
	}
	if w := wantEffects(want, kind); effects != w {
		return fmt.Errorf("%v of %s may %v, the model says %v", kind, path, effects, w)
	}
	return nil
}

// own reads what each process has for itself as the step's, not this process's: its
// directory is the step's, and its descriptors are not followed.
func (d *pathDisk) own(path string) (target string, kind core.Kind, ok bool) {
	switch parts := strings.Split(path, "/"); {
	case path == fmt.Sprintf("/proc/%d", os.Getpid()):
		return "self", core.Link, true
	case path == "/proc/thread-self":
		return "self/task/self", core.Link, true
	case path == "/proc/self", path == "/proc/self/task/self":
		return "", core.Present, true
	case !strings.HasPrefix(path, "/proc/self/"):
		return "", 0, false
	case path == "/proc/self/cwd", path == "/proc/self/task/self/cwd":
		return d.root, core.Link, true
	case path == "/proc/self/root", path == "/proc/self/task/self/root":
		return "/", core.Link, true
	default:
		return "", core.Present, len(parts) > 2 && parts[len(parts)-2] == "fd"
	}
}

func (d *pathDisk) want(path string) core.Target {
	real, looped := pathpolicy.Naive(d, d.root, path)
	return core.Target{Real: core.Real{Path: real, Looped: looped}, Class: pathpolicy.Class(d.policy, real, looped), Holds: pathpolicy.Holds(d.policy, real)}
}

// wantEffects is the table of G1.5.
func wantEffects(t core.Target, kind core.Access) call.Effects {
	e := call.Of(call.Read)
	if kind == core.Writing {
		e = call.Of(call.Write)
	}
	switch {
	case t.Class == core.Secret, t.Holds && (kind == core.Listing || kind == core.Searching):
		e = e.With(call.Of(call.Secret))
	case kind != core.Writing:
	case t.Class == core.Protected:
		e = e.With(call.Of(call.Protected))
	case t.Class == core.Outside:
		e = e.With(call.Of(call.Outside))
	}
	return e
}

// command compares what a command that reads and one that writes may do. Where the
// written name is itself a link, its own place counts as well.
func (d *pathDisk) command(path string) error {
	if path == "" || strings.HasPrefix(path, "-") {
		return nil
	}
	t := d.want(path)
	place := t.Class
	named := strings.TrimRight(path, "/") // a link with a slash behind it is still named
	if dir, name := filepath.Split(named); name != "" && name != "." && name != ".." {
		real, looped := pathpolicy.Naive(d, d.root, dir)
		if !strings.HasPrefix(real, "/proc") {
			place = pathpolicy.Class(d.policy, strings.TrimSuffix(real, "/")+"/"+name, looped)
		}
	}
	secret := t.Class == core.Secret || t.Holds || place == core.Secret
	if got := d.judge.Command(d.root, effect.Command{Argv: []string{"cat", path}}).Effects; got.Has(call.Secret) != secret {
		return fmt.Errorf("cat %s may %v, secret must be %v", path, got, secret)
	}
	got := d.judge.Command(d.root, effect.Command{Argv: []string{"touch", path}}).Effects
	if guarded := t.Class == core.Protected || place == core.Protected; !secret && got.Has(call.Protected) != guarded {
		return fmt.Errorf("touch %s may %v, protected must be %v", path, got, guarded)
	}
	return nil
}
