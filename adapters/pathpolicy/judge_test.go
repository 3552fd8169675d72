package pathpolicy

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"unicode"

	"tenet/core/effect"
	"tenet/core/pathpolicy"
)

// bench is a home with a workspace in it on the real disk.
type bench struct {
	t          *testing.T
	home, root string
	judge      *Judge
}

func newBench(t *testing.T, env ...string) *bench {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{t: t, home: home, root: home + "/proj"}
	b.put("proj/main.go")
	b.open(env...)
	return b
}

func (b *bench) open(env ...string) {
	b.judge = New(Options{Root: b.root, TenetHome: b.home + "/.tenet", Env: append([]string{"HOME=" + b.home, "PATH="}, env...)})
}

func (b *bench) put(name string) {
	b.t.Helper()
	if err := os.MkdirAll(filepath.Dir(b.home+"/"+name), 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(b.home+"/"+name, nil, 0o644); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) link(to, name string) {
	b.t.Helper()
	if err := os.MkdirAll(filepath.Dir(b.home+"/"+name), 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.Symlink(to, b.home+"/"+name); err != nil {
		b.t.Fatal(err)
	}
}

// may is what a command does, by the words of it.
func (b *bench) may(command string) string {
	return b.judge.Command(b.root, effect.Command{Argv: strings.Fields(command)}).Effects.String()
}

func (b *bench) class(path string) pathpolicy.Class {
	t, _ := b.judge.Access(b.root, path, pathpolicy.Reading)
	return t.Class
}

// A reader of trees reads what lies below at any depth, so a secret by its name counts
// wherever it lies; what package managers and git fill does not.
func TestASecretIsFoundAtAnyDepth(t *testing.T) {
	for name, c := range map[string]struct {
		file string
		want string
	}{
		"at the top":          {"proj/.env", "read+secret"},
		"one deeper":          {"proj/api/.env.local", "read+secret"},
		"six deeper":          {"proj/a/b/c/d/e/f/.env", "read+secret"},
		"a template":          {"proj/a/b/.env.example", "read"},
		"a package's":         {"proj/node_modules/dotenv/test/.env", "read"},
		"a package's, deeper": {"proj/web/node_modules/dotenv/test/.env", "read"},
		"beside the packages": {"proj/web/.env", "read+secret"},
		"a virtual machine's": {"proj/.venv/lib/.env", "read+secret"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			b.put(c.file)
			if got := b.may("grep -r KEY ."); got != c.want {
				t.Errorf("grep -r with %s may %s, want %s", c.file, got, c.want)
			}
		})
	}
	b := newBench(t)
	b.put("proj/node_modules/dotenv/test/.env")
	if got := b.may("grep -r KEY node_modules"); got != "read+secret" {
		t.Errorf("the packages named themselves: %s", got)
	}
}

// A link in a tree counts by what it leads to.
func TestALinkInATreeCountsByItsTarget(t *testing.T) {
	b := newBench(t)
	b.put(".ssh/id_ed25519")
	b.link(b.home+"/.ssh/id_ed25519", "proj/docs/deep/er/key")
	if got := b.may("diff docs main.go"); got != "read+secret" {
		t.Errorf("a tree with a link to a key: %s", got)
	}
}

// A project of many names is no question; one that nobody could look through is.
func TestABigTreeIsNoQuestion(t *testing.T) {
	big := &manyNames{dirs: 300, files: 300}
	j := judgeOf(big, Options{Root: "/w", Env: []string{"HOME=/h"}})
	grep := effect.Command{Argv: []string{"grep", "-r", "KEY", "."}}
	if got := j.Command("/w", grep).Effects.String(); got != "read" {
		t.Errorf("%d names: %s", big.dirs*big.files, got)
	}
	if big.listed > 2*big.dirs {
		t.Errorf("%d directories were listed", big.listed)
	}
	if before := j.Calls(); j.Command("/w", grep).Effects.String() != "read" || j.Calls() != before {
		t.Errorf("the same question again asked the kernel %d times", j.Calls()-before)
	}
	big.files = maxNames
	j.Changed()
	if got := j.Command("/w", grep).Effects.String(); got != "read+secret" {
		t.Errorf("more names than anybody looks through: %s", got)
	}
}

// manyNames is a workspace /w of many directories with many files each.
type manyNames struct{ dirs, files, listed int }

func (m *manyNames) readlink(string) (string, error) { return "", syscall.EINVAL }

func (m *manyNames) same(a, b string) bool { return a == b }

func (m *manyNames) list(dir string, most int) (out []fs.DirEntry, whole bool) {
	m.listed++
	n, mode := m.dirs, fs.ModeDir
	if dir != "/w" {
		n, mode = m.files, 0
	}
	for i := range min(n, most) {
		out = append(out, name{"n" + strconv.Itoa(i), mode})
	}
	return out, n <= most
}

// name is an entry of a directory that only a test has.
type name struct {
	name string
	mode fs.FileMode
}

func (n name) Name() string               { return n.name }
func (n name) IsDir() bool                { return n.mode.IsDir() }
func (n name) Type() fs.FileMode          { return n.mode.Type() }
func (n name) Info() (fs.FileInfo, error) { return nil, fs.ErrInvalid }

// folding is a disk that takes for one name what differs in case, in a form of Unicode,
// or in what HFS+ leaves out; asked for a name, it finds the entry as written.
type folding struct {
	entries map[string]string // path as it stands -> target of a link, "" for none
	listed  int
}

// key is how the disk compares: with é written as one letter or two.
func key(path string) string {
	return strings.ToLower(strings.NewReplacer("é", "e\u0301", "ſ", "s", "ß", "ss", "\u200c", "").Replace(strings.Map(unicode.ToLower, path)))
}

func (f *folding) find(path string) (real string, ok bool) {
	for e := range f.entries {
		if key(e) == key(path) {
			return e, true
		}
	}
	return "", false
}

func (f *folding) readlink(path string) (string, error) {
	e, ok := f.find(path)
	switch {
	case !ok:
		return "", syscall.ENOENT
	case f.entries[e] == "":
		return "", syscall.EINVAL
	}
	return f.entries[e], nil
}

func (f *folding) same(a, b string) bool {
	one, ok := f.find(a)
	two, _ := f.find(b)
	return ok && one == two
}

func (f *folding) list(dir string, _ int) (out []fs.DirEntry, whole bool) {
	f.listed++
	for e := range f.entries {
		if filepath.Dir(e) == dir {
			out = append(out, name{filepath.Base(e), 0})
		}
	}
	return out, true
}

// On a disk that folds, a path is judged by the entry that it reaches, and what stands
// nowhere yet by all that its name may come to mean.
func TestAFoldingDiskIsJudgedByItsEntries(t *testing.T) {
	f := &folding{entries: map[string]string{
		"/": "", "/h": "", "/h/Proj": "", "/h/Proj/.git": "", "/h/.ssh": "", "/h/Proj/L": "/h/.SSH/key", "/h/caf\u00e9": "", "/h/Proj/src": "",
	}}
	j := judgeOf(f, Options{Root: "/h/proj", TenetHome: "/h/cafe\u0301", Env: []string{"HOME=/h", "PATH=/h/BIN"}})
	for path, want := range map[string]struct {
		real  string
		class pathpolicy.Class
	}{
		".GIT/hooks/pre-commit":    {"/h/Proj/.git/hooks/pre-commit", pathpolicy.Protected},
		".g\u200cit/config":        {"/h/Proj/.git/config", pathpolicy.Protected},
		"/H/PROJ/x":                {"/h/Proj/x", pathpolicy.Inside},
		"/h/.ßh/id":                {"/h/.ssh/id", pathpolicy.Secret},
		"/h/.ſsh/id":               {"/h/.ssh/id", pathpolicy.Secret},
		"l":                        {"/h/.ssh/key", pathpolicy.Secret},
		"/h/CAFÉ/settings.json":    {"/h/caf\u00e9/settings.json", pathpolicy.Protected},
		"SRC/../.Tenet/rules":      {"/h/Proj/.Tenet/rules", pathpolicy.Protected}, // stands nowhere: by its name
		".TEN\u200cET/rules":       {"/h/Proj/.TEN\u200cET/rules", pathpolicy.Protected},
		"src/.ENV":                 {"/h/Proj/src/.ENV", pathpolicy.Secret},
		"/h/bin/ls":                {"/h/bin/ls", pathpolicy.Protected},
		"src/Grüße.txt":            {"/h/Proj/src/Grüße.txt", pathpolicy.Inside},
		"SRC/missing/../new/x.txt": {"/h/Proj/src/new/x.txt", pathpolicy.Inside},
	} {
		got, _ := j.Access("/h/proj", path, pathpolicy.Writing)
		if got.Real.Path != want.real || got.Class != want.class {
			t.Errorf("%s is %s %v, want %s %v", path, got.Real.Path, got.Class, want.real, want.class)
		}
	}
}

// A disk that folds is known by a name that has a second spelling; one that does not is
// never asked for the names of a directory.
func TestWhetherADiskFolds(t *testing.T) {
	f := &folding{entries: map[string]string{"/": "", "/h": "", "/h/proj": ""}}
	if j := judgeOf(f, Options{Root: "/h/proj"}); !j.Policy().Fold {
		t.Error("the disk folds, and the policy does not")
	}
	m := &manyNames{dirs: 1, files: 1}
	j := judgeOf(m, Options{Root: "/w", Env: []string{"HOME=/h"}})
	j.Access("/w", "a/b/c", pathpolicy.Reading)
	if j.Policy().Fold || m.listed > 0 {
		t.Errorf("the disk does not fold; fold is %v, and %d directories were listed", j.Policy().Fold, m.listed)
	}
}

// Turning a link on the way to a store makes another directory the store.
func TestLinksOnTheWayAreProtected(t *testing.T) {
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{t: t, home: home, root: home + "/proj"}
	b.put("proj/main.go")
	b.put("dot/one/config/gh/hosts.yml")
	b.link("one", "dot/now")
	b.link("dot/now/config", ".config")
	b.open()
	for path, want := range map[string]string{
		"rm ../.config":                   "write+protected+secret", // it holds the store as well
		"ln -sfn elsewhere ../.config":    "write+outside+protected+secret",
		"rm ../dot/now":                   "write+protected+secret",
		"cat ../.config/gh/hosts.yml":     "read+secret",
		"cat ../dot/one/config/gh/h.yml":  "read+secret",
		"touch ../dot/other":              "write+outside",
		"cat ../dot/one/config/fish/conf": "read",
	} {
		if got := b.may(path); got != want {
			t.Errorf("%s may %s, want %s", path, got, want)
		}
	}
}

// What each process has for itself is the step's: its directory, its descriptors.
func TestOwnLinksAreTheSteps(t *testing.T) {
	if _, err := os.Lstat("/proc/self/fd"); err != nil {
		t.Skip("SKIPPED LOUDLY: this system has no /proc, so there are no such links to judge")
	}
	b := newBench(t)
	for path, want := range map[string]string{
		"/proc/self/cwd/main.go":               b.root + "/main.go",
		"/proc/thread-self/cwd/../.ssh/id":     b.home + "/.ssh/id",
		"/proc/self/root" + b.home + "/.netrc": b.home + "/.netrc",
		"/proc/self/fd/3":                      "/proc/self/fd/3",
		"/dev/fd/7":                            "/proc/self/fd/7",
		"/dev/stdin":                           "/proc/self/fd/0",
		"/dev/fd/../environ":                   "/proc/self/environ", // not /dev/environ: the kernel goes up from where the link leads
		"/dev/fd/../../../etc/x":               "/etc/x",
		"/proc/thread-self/../../environ":      "/proc/self/environ",
		"/proc/" + self + "/cwd/x":             b.root + "/x",
	} {
		if got, _ := b.judge.Access(b.root, path, pathpolicy.Reading); got.Real.Path != want {
			t.Errorf("%s leads to %s, want %s", path, got.Real.Path, want)
		}
	}
	if got := b.class("/dev/fd/9"); got != pathpolicy.Protected {
		t.Errorf("a descriptor of ours is %v", got)
	}
}

// G1.4 and more of the same kind, each by a file that is one or lies in one.
func TestStores(t *testing.T) {
	b := newBench(t, "KUBECONFIG=/k/one:/k/two", "CARGO_HOME=/opt/cargo", "XDG_CONFIG_HOME=/x/cfg", "NETRC=/x/netrc", "AWS_CONFIG_FILE=/a/config", "DOCKER_CONFIG=/dk")
	for _, path := range slices.Concat([]string{
		".ssh/id_rsa", ".aws/credentials", ".azure/x", ".config/gcloud/x", ".config/gh/hosts.yml", ".docker/config.json", ".kube/config", ".gnupg/x", ".password-store/x.gpg",
		".local/share/keyrings/login.keyring", ".netrc", ".git-credentials", ".npmrc", ".pypirc", ".cargo/credentials", ".cargo/credentials.toml",
		".pgpass", ".my.cnf", ".vault-token", ".config/rclone/rclone.conf", ".codex/auth.json", ".tenet/auth.json",
	}) {
		if got := b.class(b.home + "/" + path); got != pathpolicy.Secret {
			t.Errorf("~/%s is %v", path, got)
		}
	}
	for _, path := range []string{"/k/one", "/k/two", "/opt/cargo/credentials.toml", "/x/cfg/gh/hosts.yml", "/x/netrc", "/a/config", "/dk/config.json"} {
		if got := b.class(path); got != pathpolicy.Secret {
			t.Errorf("%s, which a variable names, is %v", path, got)
		}
	}
	for _, path := range []string{b.home + "/.config/fish/config.fish", b.home + "/.docker/daemon.json", "/opt/cargo/bin/x", "/k/three", b.home + "/.bashrc"} {
		if got := b.class(path); got != pathpolicy.Outside {
			t.Errorf("%s is %v", path, got)
		}
	}
}
