package docs

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
	"pgregory.net/rapid"

	"tenet/core/doc/ignore"
)

// byGit is what git itself lists, with no configuration but the repository's.
func byGit(t rapid.TB, root string) []string {
	cmd := exec.Command("git", "-C", root, "ls-files", "-o", "-c", "-z", "--exclude-standard")
	cmd.Env = gitEnv(root)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git ls-files: %v", err)
	}
	names := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	slices.Sort(names)
	return slices.DeleteFunc(names, func(s string) bool { return s == "" })
}

func gitEnv(root string) []string {
	return []string{"PATH=" + os.Getenv("PATH"), "HOME=" + root, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null"}
}

// byWalk is what a walk visits.
func byWalk(d *Docs, root string) []string {
	var out []string
	files, prefix := d.rulesAbove(root)
	w := walk{ctx: ctx0, prefix: prefix, ignoring: true, links: true, visit: func(e entry) bool {
		if e.kind != unix.DT_DIR {
			out = append(out, e.path)
		}
		return true
	}}
	ref, err := openTree(root)
	if err != nil {
		panic(err)
	}
	defer ref.release()
	w.run(ref, files)
	slices.Sort(out)
	return out
}

// emptyRepository makes an empty repository by hand: as many trees as a property test
// makes would spend their time in git init.
func emptyRepository(t rapid.TB, root string) {
	for name, text := range map[string]string{"HEAD": "ref: refs/heads/main\n", "config": "[core]\n\trepositoryformatversion = 0\n", "objects/x": "", "refs/x": "", "info/exclude": "excluded*\n"} {
		put(t, filepath.Join(root, ".git", name), text)
	}
}

func put(t rapid.TB, path, text string) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

var treeNames = []string{"a", "b", "c", "x", "keep.log", "o.log", "a.go", "b.go", "foo1", "#x", "!x", "trail ", "trail", "sub", "excluded1", "a]b", "é", `b\c`, "a-b"}

func fillTree(t rapid.TB, root string, draw func(int) int) {
	emptyRepository(t, root)
	for range 25 {
		p := treeNames[draw(len(treeNames))]
		for range draw(4) {
			p += "/" + treeNames[draw(len(treeNames))]
		}
		path := filepath.Join(root, p)
		if os.MkdirAll(filepath.Dir(path), 0o755) == nil { // else a file stands where a directory should
			os.WriteFile(path, []byte("z"), 0o644)
		}
	}
}

// Each of these lines is read as git reads it.
func TestIgnoreLinesAsGit(t *testing.T) {
	seed := uint32(7)
	draw := func(n int) int { seed = seed*1664525 + 1013904223; return int(seed>>16) % n }
	for _, line := range []string{
		"*.log", "/a", "a/", "b/*.go", "**/x", "x/**", "a/**/c", "!keep.log\n*.log", "*.log\n!keep.log", "/*\n!/a", "a/*\n!a/keep.log", "foo?", "[ab].go", "[!a].go", "[^a].go",
		`\#x`, `\!x`, `trail\ `, "trail   ", "a/b/", "*/c", "**", "**/", "a**", "*a*/", "[[:alpha:]].go", "[[:digit:][:space:]]*", "[[:nope:]]", "[[:alpha:", "[a-", `a\`, "/", "!", "*.go\n!a/\n",
		"a//b", "./a", "x.{go,log}", "a]b", "[]]", "a[]]b", "a[!]]b", "é", "?", "??", `b\\c`, `b\c`, `[\]a]`, "[a-c]", "[c-a]", "[a-]*", "[-a]", "[--a]*", "a[,-.]b", "a**/**", "**/**/c", "a/**/**", "**a/c",
		"*\\", "*/", "/*/", "/**", "/**/a", "**/a/**", "\xef\xbb\xbf*.log", "*.log\r\n!o.log\r", " a", "a\x00b", "sub/**/*.go", "*.[gl]o*", "[!!]x", "[^^]*", "a*b*c*", "#x", "excluded*\n!excluded1", "[a\\-c]*", "[[:upper:]-z]*",
	} {
		r := newRig(t)
		fillTree(t, r.root, draw)
		r.put(".gitignore", line+"\n")
		if git, own := byGit(t, r.root), byWalk(r.d, r.root); !slices.Equal(git, own) {
			t.Errorf("%q\n git %q\n own %q", line, git, own)
		}
	}
}

func TestIgnoreRandomTreesAsGit(t *testing.T) {
	seg := rapid.SampledFrom([]string{"a", "b", "*", "**", "*.go", "?", "[ab]", "sub", "keep.log", "*.log", "[!a]*", "a.*", "*1", "a**", "**b", "x*", "[a-c]", `\a`, "trail ", "excluded1"})
	pat := rapid.Custom(func(t *rapid.T) string {
		p := rapid.SampledFrom([]string{"", "", "!", "/", "!/"}).Draw(t, "pre") + seg.Draw(t, "s")
		for range rapid.IntRange(0, 3).Draw(t, "n") {
			p += "/" + seg.Draw(t, "s")
		}
		return p + rapid.SampledFrom([]string{"", "", "/"}).Draw(t, "suf")
	})
	rapid.Check(t, func(t *rapid.T) {
		root, err := os.MkdirTemp("", "tenet-ignore")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(root)
		fillTree(t, root, func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "i") })
		put(t, root+"/.gitignore", strings.Join(rapid.SliceOfN(pat, 1, 4).Draw(t, "rules"), "\n")+"\n")
		for _, dir := range []string{"a", "a/b", "sub"} {
			if fi, err := os.Stat(filepath.Join(root, dir)); err == nil && fi.IsDir() && rapid.Bool().Draw(t, "nested") {
				put(t, filepath.Join(root, dir, ".gitignore"), strings.Join(rapid.SliceOfN(pat, 1, 2).Draw(t, "more"), "\n"))
			}
		}
		d := rigAt(nil, root).d
		if git, own := byGit(t, root), byWalk(d, root); !slices.Equal(git, own) {
			t.Fatalf("git %q\nown %q", git, own)
		}
	})
}

// The rules of the repository that a workspace lies in hold below it too.
func TestIgnoreRulesFromAboveTheWorkspace(t *testing.T) {
	r := newRig(t)
	emptyRepository(t, r.root)
	r.put(".gitignore", "*.log\n/ws/deep/gone\n")
	r.put("ws/.gitignore", "!keep.log\n")
	for _, name := range []string{"ws/a.log", "ws/keep.log", "ws/deep/gone", "ws/deep/b.log", "ws/deep/here", "ws/excluded"} {
		r.put(name, "")
	}
	in := rigAt(t, r.path("ws"))
	want(t, strings.Join(byWalk(in.d, in.root), " "), ".gitignore deep/here keep.log")
	want(t, strings.Join(byWalk(in.d, in.path("deep")), " "), "here")
}

// A hostile pattern takes the time of its length, not of its possibilities.
func TestIgnoreHostilePatternEnds(t *testing.T) {
	f := ignore.Parse(strings.Repeat("**/a*", 200)+"/b\n"+strings.Repeat("*a", 500)+"b", "")
	name := strings.Repeat("aaaaaaaaa/", 200) + strings.Repeat("a", 1000)
	if f.Judge(name, false) != ignore.Silent {
		t.Error("it matched")
	}
}
