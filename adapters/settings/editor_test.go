package settings

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"tenet/core/rules"
	"tenet/core/settings"
)

// place is a home and a workspace of a test.
func newEditor(t *testing.T) Editor {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	e := Editor{Options: Options{Home: filepath.Join(base, "home"), Root: filepath.Join(base, "work")}}
	for _, dir := range []string{e.Home, filepath.Join(e.Root, Folder)} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return e
}

func put(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func get(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func load(t *testing.T, o Options) *Settings {
	t.Helper()
	s, err := Load(o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (e Editor) projectFile() string { return ProjectFile(e.Root) }

// inForce is the rules of the project that count whole, as text.
func inForce(t *testing.T, o Options) string {
	s := load(t, o)
	if !s.Trusted {
		return "untrusted"
	}
	var b strings.Builder
	for _, r := range s.Project {
		fmt.Fprintf(&b, "%d %s %q %s;", r.Position, r.Capability, r.Pattern, r.Action)
	}
	return b.String()
}

// An always is in force after a restart: in a project that had no rules it makes the
// file and the trust in it, in one that the user trusts it keeps the trust.
func TestAlwaysIsInForce(t *testing.T) {
	e, ctx := newEditor(t), context.Background()
	if done, err := e.Always(ctx, npm); err != nil || !done.Trusted || done.File != e.projectFile() {
		t.Fatalf("%+v, %v", done, err)
	}
	git := rules.Rule{Capability: "process.execute", Pattern: "git push origin main", Action: rules.Allow}
	if _, err := e.Always(ctx, git); err != nil {
		t.Fatal(err)
	}
	want := `1 process.execute "npm install *" allow;2 process.execute "git push origin main" allow;`
	if got := inForce(t, e.Options); got != want {
		t.Errorf("in force: %s", got)
	}
	user := get(t, UserFile(e.Home))
	if strings.Contains(user, "[") || !strings.Contains(user, settings.Digest([]byte(get(t, e.projectFile())))) {
		t.Errorf("the user's file trusts more than the file that stands:\n%s", user)
	}
	if info, err := os.Stat(UserFile(e.Home)); err != nil || info.Mode() != 0o600 {
		t.Errorf("the user's file is %v", info.Mode())
	}
}

// What somebody else wrote is not trusted because a person allowed one thing: an
// always is refused there and both files stay as they are.
func TestAlwaysNeverTrustsForeignRules(t *testing.T) {
	e := newEditor(t)
	foreign := `{"permissions": {"process.execute": "allow"}}`
	put(t, e.projectFile(), foreign)
	_, err := e.Always(context.Background(), npm)
	var not *NotTrustedError
	if !errors.As(err, &not) || not.File != e.projectFile() {
		t.Fatalf("got %v", err)
	}
	if got := get(t, e.projectFile()); got != foreign {
		t.Errorf("the file became %s", got)
	}
	if _, err := os.Stat(UserFile(e.Home)); err == nil {
		t.Error("the user's file was made")
	}
	deny := rules.Rule{Capability: "network.access", Pattern: "*", Action: rules.Deny}
	if done, err := e.Add(context.Background(), rules.FromProject, deny); err != nil || done.Trusted {
		t.Errorf("a stricter rule: %+v, %v", done, err)
	}
	if got := inForce(t, e.Options); got != "untrusted" {
		t.Errorf("a stricter rule made the file trusted: %s", got)
	}
}

// Any change of a trusted file by others ends the trust.
func TestAForeignChangeEndsTheTrust(t *testing.T) {
	e := newEditor(t)
	put(t, e.projectFile(), `{"permissions": {"process.execute": "allow"}}`)
	o, err := e.Offer()
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Trust(context.Background(), o); err != nil {
		t.Fatal(err)
	}
	if s := load(t, e.Options); !s.Trusted {
		t.Fatal("it is not trusted")
	}
	put(t, e.projectFile(), `{"permissions": {"process.execute":  "allow"}}`)
	if s := load(t, e.Options); s.Trusted {
		t.Error("one byte more, and it is still trusted")
	}
	if was, err := e.Untrust(context.Background()); !was || err != nil {
		t.Errorf("untrust: %v, %v", was, err)
	}
	if was, err := e.Untrust(context.Background()); was || err != nil {
		t.Errorf("untrust again: %v, %v", was, err)
	}
}

// What was shown is what is trusted: a file that changed between the question and the
// answer is not.
func TestTrustIsOfWhatWasShown(t *testing.T) {
	e := newEditor(t)
	put(t, e.projectFile(), `{"permissions": {"file.read": "allow"}}`)
	o, err := e.Offer()
	if err != nil {
		t.Fatal(err)
	}
	put(t, e.projectFile(), `{"permissions": {"*": "allow"}}`)
	if err := e.Trust(context.Background(), o); err != nil {
		t.Fatal(err)
	}
	if s := load(t, e.Options); s.Trusted {
		t.Error("a file that nobody was shown is trusted")
	}
}

// A file that does not parse is never written over, whoever asks.
func TestABrokenFileIsLeftAlone(t *testing.T) {
	e, ctx := newEditor(t), context.Background()
	broken := "{\"permissions\": {\n  \"file.read\" \"allow\"\n}}\n"
	put(t, e.projectFile(), broken)
	_, err := e.Always(ctx, npm)
	if err == nil || !strings.Contains(err.Error(), "line 2, column 15") || get(t, e.projectFile()) != broken {
		t.Errorf("project: %v", err)
	}
	if s := load(t, e.Options); s.ProjectState != Unreadable || len(s.Warnings) != 1 {
		t.Errorf("loaded as %v with %q", s.ProjectState, s.Warnings)
	}
	put(t, e.projectFile(), "{}\n")
	put(t, UserFile(e.Home), broken)
	if _, err := e.Always(ctx, npm); err == nil || get(t, e.projectFile()) != "{}\n" || get(t, UserFile(e.Home)) != broken {
		t.Errorf("user: %v", err)
	}
	if _, err := Load(e.Options); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("a user's file that does not parse loads: %v", err)
	}
}

// What is made for the user is the user's alone, what is made for the project is not.
func TestNewDirectories(t *testing.T) {
	e := newEditor(t)
	if err := errors.Join(os.RemoveAll(e.Home), os.RemoveAll(filepath.Join(e.Root, Folder))); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Always(context.Background(), npm); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]os.FileMode{e.Home: 0o700, filepath.Join(e.Root, Folder): 0o755} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm()&^want != 0 {
			t.Errorf("%s is %v", name, info.Mode())
		}
	}
}

// A link to a settings file stays a link, and the file keeps its mode.
func TestLinksAndModesStay(t *testing.T) {
	e := newEditor(t)
	dotfiles := filepath.Join(filepath.Dir(e.Home), "dotfiles.json")
	put(t, dotfiles, "{\"profile\": \"strict\"} // mine\n")
	if err := errors.Join(os.Chmod(dotfiles, 0o640), os.Symlink(dotfiles, UserFile(e.Home))); err != nil {
		t.Fatal(err)
	}
	done, err := e.Add(context.Background(), rules.FromUser, npm)
	if err != nil || done.File != dotfiles {
		t.Fatalf("%+v, %v", done, err)
	}
	info, err := os.Stat(dotfiles)
	if err != nil || info.Mode() != 0o640 {
		t.Errorf("the mode is %v", info.Mode())
	}
	if link, err := os.Readlink(UserFile(e.Home)); err != nil || link != dotfiles {
		t.Errorf("the link is gone: %v", err)
	}
	s := load(t, e.Options)
	if len(s.User) != 1 || s.Profile != "strict" || !strings.Contains(get(t, dotfiles), "// mine") {
		t.Errorf("loaded %+v", s)
	}
	if !contains(s.Files, dotfiles) || !contains(s.Files, UserFile(e.Home)) || !contains(s.Files, e.projectFile()) {
		t.Errorf("files %q", s.Files)
	}
}

func contains(all []string, one string) bool {
	for _, a := range all {
		if a == one {
			return true
		}
	}
	return false
}

// Nobody's rule is lost when many write at once.
func TestWritersTogether(t *testing.T) {
	e := newEditor(t)
	const writers, each = 4, 5
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			for n := range each {
				r := rules.Rule{Capability: "process.execute", Pattern: fmt.Sprintf("program %d %d", w, n), Action: rules.Allow}
				if _, err := e.Always(context.Background(), r); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	s := load(t, e.Options)
	if len(s.Project) != writers*each || !s.Trusted {
		t.Errorf("%d rules, trusted %v", len(s.Project), s.Trusted)
	}
	if left, _ := filepath.Glob(filepath.Join(e.Root, Folder, "*")); len(left) != 1 {
		t.Errorf("left behind: %q", left)
	}
}

// meanwhile is a disk on which somebody without a lock writes a file between the read
// and the rename.
type meanwhile struct {
	Disk
	writes int
	name   string
}

func (m *meanwhile) Create(name string, mode os.FileMode) (File, error) {
	if m.writes > 0 && name == scratch(m.name) {
		m.writes--
		b, _ := os.ReadFile(m.name)
		if err := os.WriteFile(m.name, append(b, "// edited\n"...), 0o644); err != nil {
			return nil, err
		}
	}
	return m.Disk.Create(name, mode)
}

func TestAnEditorThatWritesMeanwhileLosesNothing(t *testing.T) {
	e := newEditor(t)
	put(t, e.projectFile(), "{}\n")
	e.FS = &meanwhile{writes: 1, name: e.projectFile()}
	if _, err := e.Always(context.Background(), npm); err != nil {
		t.Fatal(err)
	}
	if text := get(t, e.projectFile()); !strings.Contains(text, "// edited") || !strings.Contains(text, "npm install") {
		t.Errorf("the file is\n%s", text)
	}
	put(t, UserFile(e.Home), "{}\n")
	e.FS = &meanwhile{writes: 100, name: UserFile(e.Home)}
	if _, err := e.Add(context.Background(), rules.FromUser, npm); !errors.Is(err, errMeanwhile) {
		t.Errorf("got %v", err)
	}
}

// Only plain files of a settings file's size are read.
func TestOnlyPlainFilesAreRead(t *testing.T) {
	e := newEditor(t)
	pipe, big := filepath.Join(e.Home, "pipe"), filepath.Join(e.Home, "big")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	put(t, big, strings.Repeat(" ", MaxSize+1))
	for target, want := range map[string]string{
		pipe: "is not a file", big: "larger than", e.Home: "is not a file", "/dev/null": "is not a file",
		filepath.Join(e.Home, "nothing"): "nothing is there",
	} {
		for _, name := range []string{UserFile(e.Home), e.projectFile()} {
			os.Remove(name)
			if err := os.Symlink(target, name); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := Load(e.Options); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the user's leads to %s: %v", target, err)
		}
		os.Remove(UserFile(e.Home))
		if s := load(t, e.Options); s.ProjectState != Unreadable || !strings.Contains(s.Warnings[0], want) {
			t.Errorf("the project's leads to %s: %q", target, s.Warnings)
		}
	}
}

// A workspace that is the home itself has one settings file, the user's: it is not
// read twice, and an always needs no trust in it.
func TestHomeAsWorkspace(t *testing.T) {
	e := newEditor(t)
	e.Home = filepath.Join(e.Root, Folder)
	if _, err := e.Always(context.Background(), npm); err != nil {
		t.Fatal(err)
	}
	s := load(t, e.Options)
	if len(s.User) != 1 || len(s.Project) != 0 || strings.Contains(get(t, UserFile(e.Home)), "trusted") {
		t.Errorf("loaded %+v", s)
	}
	if _, err := e.Offer(); err == nil {
		t.Error("one's own file was offered for trust")
	}
}

// A * that is only a * stays one.
func TestExactStays(t *testing.T) {
	e := newEditor(t)
	star := rules.Rule{Capability: "process.execute", Pattern: "echo *", Exact: true, Action: rules.Allow}
	for range 2 { // the second time it stands there already
		if _, err := e.Always(context.Background(), star); err != nil {
			t.Fatal(err)
		}
	}
	s := load(t, e.Options)
	if len(s.Project) != 1 || !s.Project[0].Exact || !s.Trusted {
		t.Errorf("loaded %+v", s.Project)
	}
}

// What cannot be said in a settings file is refused, not written otherwise.
func TestWhatNoFileCanSay(t *testing.T) {
	e := newEditor(t)
	for _, r := range []rules.Rule{
		{Capability: "process.exec", Pattern: "echo", Action: rules.Allow},
		{Capability: "process.execute", Pattern: "", Action: rules.Allow},
		{Capability: "process.execute", Pattern: "a\xff", Action: rules.Allow},
		{Capability: "", Pattern: "a", Action: rules.Allow},
		{Capability: "process.execute", Pattern: "a"},
	} {
		if _, err := e.Always(context.Background(), r); err == nil {
			t.Errorf("%+v was written:\n%s", r, get(t, e.projectFile()))
		}
	}
	for _, try := range []func() (Done, error){
		func() (Done, error) { return e.Remove(context.Background(), rules.FromUser, 1) },
		func() (Done, error) { return e.Move(context.Background(), rules.FromUser, 1, 2) },
	} {
		if _, err := try(); err == nil || !strings.Contains(err.Error(), "no rule at position 1") {
			t.Errorf("got %v", err)
		}
	}
}

// Another file can be read in the place of both.
func TestOnly(t *testing.T) {
	e := newEditor(t)
	other := filepath.Join(e.Home, "other.json")
	if _, err := Only(other, e.Root); err == nil {
		t.Error("a file that is not there was read")
	}
	put(t, other, `{"profile": "open", "permissions": {"file.read": "deny"}}`)
	s, err := Only(other, e.Root)
	if err != nil || s.Profile != "open" || len(s.User) != 1 || s.Trusted || len(s.Files) != 1 {
		t.Errorf("read %+v, %v", s, err)
	}
}

// A file at the bound of the size, made to cost as much as it can, is read at once.
func TestTheLargestFiles(t *testing.T) {
	e := newEditor(t)
	for name, piece := range map[string]string{"keys": `"k%d":[],`, "rules": `"*":"x%d",`, "lists": `"r%d":[{"a":[],},[],"\"//"],`, "comments": "/*%d*/ // x\n"} {
		var b strings.Builder
		b.WriteString(`{"permissions":{`)
		for i := 0; b.Len() < MaxSize-100; i++ {
			fmt.Fprintf(&b, piece, i)
		}
		b.WriteString("}}")
		put(t, e.projectFile(), b.String())
		s := load(t, e.Options)
		if len(s.Warnings) > 1 || len(strings.Join(s.Warnings, "")) > 20_000 {
			t.Errorf("%s: %d warnings of %d bytes", name, len(s.Warnings), len(strings.Join(s.Warnings, "")))
		}
	}
}
