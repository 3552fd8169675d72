package tree

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tenet/core/doc/ignore"
)

// gitEnv is an environment in which git has the repository's and this home's
// configuration only.
func gitEnv(home string) []string {
	return []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "GIT_CONFIG_NOSYSTEM=1"}
}

// byGit is what git itself lists.
func byGit(t rapid.TB, root string, env []string) []string {
	cmd := exec.Command("git", "-C", root, "ls-files", "-o", "-z", "--exclude-standard")
	cmd.Env = env
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git ls-files: %v", err)
	}
	names := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	slices.Sort(names)
	return slices.DeleteFunc(names, func(s string) bool { return s == "" })
}

// byWalk is what a walk of a directory lists with every rule that stands over it.
func byWalk(t rapid.TB, workspace, root string, env []string) []string {
	rules, prefix := Above(workspace, root, UserExcludes(env))
	out, r := listed(t, root, Options{Rules: rules, Prefix: prefix, Ignoring: true, Links: true, Workers: 2})
	if r.sum() != r.Entries {
		t.Fatalf("%d entries, %d in classes", r.Entries, r.sum())
	}
	return out
}

// same compares the two lists below a directory of a repository.
func same(t rapid.TB, root, home string) {
	if git, own := byGit(t, root, gitEnv(home)), byWalk(t, root, root, gitEnv(home)); !slices.Equal(git, own) {
		t.Fatalf("git  %q\nwalk %q", git, own)
	}
}

// emptyRepository makes an empty repository by hand: as many trees as a property test
// makes would spend their time in git init.
func emptyRepository(t rapid.TB, root string) {
	for name, text := range map[string]string{"HEAD": "ref: refs/heads/main\n", "config": "[core]\n\trepositoryformatversion = 0\n", "objects/x": "", "refs/x": "", "info/exclude": "excluded*\n"} {
		put(t, filepath.Join(root, ".git", name), text)
	}
}

var treeNames = []string{"a", "b", "c", "x", "keep.log", "o.log", "a.go", "b.go", "foo1", "#x", "!x", "trail ", "trail", "sub", "excluded1", "a]b", "é", `b\c`, "a-b", "aXb", "user.tmp"}

func fillTree(t rapid.TB, root string, files int, draw func(int) int) {
	for range files {
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

// Each of these texts is read as git reads it.
func TestIgnoreLinesAsGit(t *testing.T) {
	seed := uint32(7)
	draw := func(n int) int { seed = seed*1664525 + 1013904223; return int(seed>>16) % n }
	for _, line := range []string{
		"*.log", "/a", "a/", "b/*.go", "**/x", "x/**", "a/**/c", "!keep.log\n*.log", "*.log\n!keep.log", "/*\n!/a", "a/*\n!a/keep.log", "foo?", "[ab].go", "[!a].go", "[^a].go",
		`\#x`, `\!x`, `trail\ `, "trail   ", "a/b/", "*/c", "**", "**/", "a**", "*a*/", "[[:alpha:]].go", "[[:digit:][:space:]]*", "[[:nope:]]", "[[:alpha:", "[a-", `a\`, "/", "!", "*.go\n!a/\n",
		"a//b", "./a", "x.{go,log}", "a]b", "[]]", "a[]]b", "a[!]]b", "é", "?", "??", `b\\c`, `b\c`, `[\]a]`, "[a-c]", "[c-a]", "[a-]*", "[-a]", "[--a]*", "a[,-.]b", "a**/**", "**/**/c", "a/**/**", "**a/c", "a**/b", "a*/**/b",
		"*\\", "*/", "/*/", "/**", "/**/a", "**/a/**", "\xef\xbb\xbf*.log", "*.log\r\n!o.log\r", " a", "a\x00b", "sub/**/*.go", "*.[gl]o*", "[!!]x", "[^^]*", "a*b*c*", "#x", "excluded*\n!excluded1", "[a\\-c]*", "[[:upper:]-z]*",
		"a[/]b", "a[!x]b", "[a-c]/x", "/*/*\n!/a/b", "**\n!*/\n!*.go", "*\n!*/\n!**/x", "***/x", "a/***", "sub/*/**", "!a\n!b", "a/**/b/**/c", "/sub/\n!/sub/a", `\a`, `\*`, "trail\\  ", "trail \\ ", "\t", "a\t", "a/ ", "/./a", "..", "sub/../a",
	} {
		root := t.TempDir()
		emptyRepository(t, root)
		fillTree(t, root, 25, draw)
		put(t, filepath.Join(root, ".gitignore"), line+"\n")
		if git, own := byGit(t, root, gitEnv(t.TempDir())), byWalk(t, root, root, nil); !slices.Equal(git, own) {
			t.Errorf("%q\n git  %q\n walk %q", line, git, own)
		}
	}
}

// patterns are lines of ignore files, the strange ones among them.
var patterns = func() *rapid.Generator[string] {
	seg := rapid.SampledFrom([]string{"a", "b", "*", "**", "*.go", "?", "[ab]", "sub", "keep.log", "*.log", "[!a]*", "a.*", "*1", "a**", "**b", "x*", "[a-c]", `\a`, "trail ", `trail\ `, "excluded1",
		"[[:alpha:]]", "[[:digit:]]*", "[^a-b]", "a?b", "[]a]", "*[!g]o", "", "***", `\#x`, "#x", "!x", "*.tmp", "[a", `b\\c`, "é", "??"})
	return rapid.Custom(func(t *rapid.T) string {
		p := rapid.SampledFrom([]string{"", "", "!", "/", "!/", "**/", "!**/"}).Draw(t, "pre") + seg.Draw(t, "s")
		for range rapid.IntRange(0, 3).Draw(t, "n") {
			p += "/" + seg.Draw(t, "s")
		}
		return p + rapid.SampledFrom([]string{"", "", "/", "/**", " ", "  ", "\r"}).Draw(t, "suf")
	})
}()

func ruleText(t *rapid.T, most int, label string) string {
	return strings.Join(rapid.SliceOfN(patterns, 1, most).Draw(t, label), "\n") + "\n"
}

// On 500 random trees, five to a repository, with ignore files at several levels, an
// info/exclude and the user's own excludes, a walk lists what git lists.
func TestIgnoreRandomTreesAsGit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		root, err := os.MkdirTemp("", "tenet-ignore")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(root)
		home := root + "/home" // not a part of what is compared
		emptyRepository(t, root+"/repo")
		for i := range 5 {
			randomTree(t, fmt.Sprintf("%s/repo/t%d", root, i))
		}
		if rapid.Bool().Draw(t, "top") {
			put(t, root+"/repo/.gitignore", ruleText(t, 2, "top rules"))
		}
		switch rapid.IntRange(0, 3).Draw(t, "user") {
		case 1:
			put(t, home+"/.config/git/ignore", ruleText(t, 2, "default excludes"))
		case 2:
			put(t, home+"/.gitconfig", "[core]\n\texcludesFile = ~/mine\n")
			put(t, home+"/mine", ruleText(t, 2, "own excludes"))
		case 3:
			put(t, root+"/repo/.git/info/exclude", ruleText(t, 2, "exclude"))
		}
		same(t, root+"/repo", home)
	})
}

func randomTree(t *rapid.T, root string) {
	fillTree(t, root, 15, func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "i") })
	put(t, root+"/.gitignore", ruleText(t, 5, "rules"))
	for _, dir := range []string{"a", "a/b", "sub"} {
		if fi, err := os.Stat(filepath.Join(root, dir)); err == nil && fi.IsDir() && rapid.Bool().Draw(t, "nested") {
			put(t, filepath.Join(root, dir, ".gitignore"), ruleText(t, 2, "more"))
		}
	}
}

// The user's excludes are found where git finds them.
func TestUserExcludesAsGit(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"nothing":              {},
		"the default place":    {".config/git/ignore": "*.tmp\n"},
		"the home":             {".gitconfig": "[core]\nexcludesfile = ~/mine", "mine": "*.tmp\n"},
		"the home first":       {".gitconfig": "[core]\nexcludesfile = ~/mine", "mine": "*.tmp\n", ".config/git/config": "[core]\nexcludesFile=~/other\n", "other": "*.go\n", ".config/git/ignore": "a\n"},
		"below .config":        {".config/git/config": "[CORE] excludesFile = \"~/with space\" ; comment\n", "with space": "*.tmp\n"},
		"set twice":            {".gitconfig": "[core]\nexcludesfile = ~/other\n[user]\nname = x\n[core]\n\texcludesfile = ~/mi\\\nne\n", "mine": "*.tmp\n", "other": "*.go\n"},
		"another section":      {".gitconfig": "[core \"x\"]\nexcludesfile = ~/mine\n[corex]\nexcludesfile = ~/mine\n", "mine": "*.tmp\n"},
		"empty":                {".gitconfig": "[core]\nexcludesfile =\n", ".config/git/ignore": "*.tmp\n"},
		"included":             {".gitconfig": "[include]\n\tpath = more.conf\n", "more.conf": "# own\n[core]\nexcludesfile = ~/mine\n", "mine": "*.tmp\n"},
		"included, then set":   {".gitconfig": "[include]\n\tpath = ~/more.conf\n[core]\nexcludesfile = ~/other\n", "more.conf": "[core]\nexcludesfile = ~/mine\n", "mine": "*.tmp\n", "other": "*.go\n"},
		"anchored, and a line": {".config/git/ignore": "/a\nsub/*.go\n"},
	} {
		t.Run(name, func(t *testing.T) {
			root, home := t.TempDir(), t.TempDir()
			emptyRepository(t, root)
			for _, f := range []string{"x.tmp", "a/x.tmp", "b/a", "sub/b.go", "c.go", "b/sub/d.go"} {
				put(t, filepath.Join(root, f), "")
			}
			for f, text := range files {
				put(t, filepath.Join(home, f), text)
			}
			same(t, root, home)
		})
	}
}

// GIT_CONFIG_GLOBAL and XDG_CONFIG_HOME move the user's excludes as they do for git.
func TestUserExcludesFollowTheEnvironment(t *testing.T) {
	root, home := t.TempDir(), t.TempDir()
	emptyRepository(t, root)
	put(t, root+"/x.tmp", "")
	put(t, root+"/x.go", "")
	put(t, home+"/xdg/git/ignore", "*.tmp\n")
	put(t, home+"/.gitconfig", "[core]\nexcludesfile = ~/.gitconfig\n")
	put(t, home+"/global", "[core]\nexcludesfile = ~/go\n")
	put(t, home+"/go", "*.go\n")
	for _, extra := range [][]string{{"XDG_CONFIG_HOME=" + home + "/xdg"}, {"GIT_CONFIG_GLOBAL=" + home + "/global"}, {"GIT_CONFIG_GLOBAL=/dev/null", "XDG_CONFIG_HOME=" + home + "/xdg"}, {"GIT_CONFIG_GLOBAL="}} {
		env := append(gitEnv(home), extra...)
		if git, own := byGit(t, root, env), byWalk(t, root, root, env); !slices.Equal(git, own) {
			t.Errorf("%v\n git  %q\n walk %q", extra, git, own)
		}
	}
}

// A repository below another one has its own rules only, as has a worktree, whose
// info/exclude is the main repository's.
func TestRepositoriesBelow(t *testing.T) {
	root, home := t.TempDir(), t.TempDir()
	git := func(dir string, args ...string) {
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=x", "-c", "user.email=x@x"}, args...)...)
		cmd.Env = gitEnv(home)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	put(t, home+"/.config/git/ignore", "/top\n*.tmp\n")
	git(root, "init", "-q")
	git(root, "commit", "-q", "--allow-empty", "-m", "x")
	put(t, root+"/.gitignore", "*.log\n/gone/\n")
	put(t, root+"/.git/info/exclude", "excluded\n")
	git(root, "worktree", "add", "-q", "tree")
	os.Mkdir(root+"/nested", 0o755)
	git(root+"/nested", "init", "-q")
	put(t, root+"/nested/.git/info/exclude", "own\n")
	for _, dir := range []string{"", "nested/", "tree/", "nested/sub/", "gone/"} {
		for _, f := range []string{"a.log", "excluded", "own", "top", "b.tmp", "f.go"} {
			put(t, filepath.Join(root, dir, f), "")
		}
	}
	all := byWalk(t, root, root, gitEnv(home))
	for _, repo := range []string{"nested", "tree"} {
		want := byGit(t, filepath.Join(root, repo), gitEnv(home))
		var got []string
		for _, p := range all {
			if rest, ok := strings.CutPrefix(p, repo+"/"); ok {
				got = append(got, rest)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s from above:\n git  %q\n walk %q", repo, want, got)
		}
		if got := byWalk(t, root, filepath.Join(root, repo), gitEnv(home)); !slices.Equal(got, want) {
			t.Errorf("%s itself:\n git  %q\n walk %q", repo, want, got)
		}
	}
	own := slices.DeleteFunc(all, func(p string) bool { return strings.HasPrefix(p, "nested/") || strings.HasPrefix(p, "tree/") })
	if want := []string{".gitignore", "f.go", "own"}; !slices.Equal(own, want) {
		t.Errorf("the repository itself: %q", own)
	}
}

// What is called .git and is no repository leaves the rules from above in force.
func TestNoRepositoryBelow(t *testing.T) {
	root := t.TempDir()
	emptyRepository(t, root)
	put(t, root+"/.gitignore", "*.log\n")
	put(t, root+"/a/.git/config", "")
	put(t, root+"/b/.git", "gitdir: nowhere\n")
	put(t, root+"/c/.git", "text\n")
	for _, dir := range []string{"a", "b", "c"} {
		put(t, filepath.Join(root, dir, "x.log"), "")
	}
	if got := byWalk(t, root, root, nil); !slices.Equal(got, []string{".gitignore"}) {
		t.Errorf("%q", got)
	}
	if got := byWalk(t, root, root+"/a", nil); len(got) > 0 {
		t.Errorf("from below: %q", got)
	}
}

// A .ignore file of any directory ranks over every .gitignore, as for rg, and holds in
// repositories below.
func TestPlainIgnoreFiles(t *testing.T) {
	root := t.TempDir()
	emptyRepository(t, root)
	emptyRepository(t, root+"/nested")
	for name, text := range map[string]string{
		".ignore": "*.min.js\n!keep.log\n", ".gitignore": "*.log\n!a.min.js\n", "sub/.gitignore": "keep.log\n", "sub/.ignore": "!b.min.js\n",
		"a.log": "", "keep.log": "", "a.min.js": "", "sub/keep.log": "", "sub/a.min.js": "", "sub/b.min.js": "", "nested/a.log": "", "nested/c.min.js": "",
	} {
		put(t, filepath.Join(root, name), text)
	}
	got := byWalk(t, root, root, nil)
	want := []string{".gitignore", ".ignore", "keep.log", "nested/a.log", "sub/.gitignore", "sub/.ignore", "sub/b.min.js", "sub/keep.log"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if got := byWalk(t, root, root+"/nested", nil); !slices.Equal(got, []string{"a.log"}) {
		t.Errorf("below: %q", got)
	}
}

// The rules of the repository that a directory lies in hold below it too, and those of
// a repository around the workspace.
func TestRulesFromAbove(t *testing.T) {
	root := t.TempDir()
	emptyRepository(t, root)
	put(t, root+"/.gitignore", "*.log\n/ws/deep/gone\n")
	put(t, root+"/ws/.gitignore", "!keep.log\n")
	for _, name := range []string{"ws/a.log", "ws/keep.log", "ws/deep/gone", "ws/deep/b.log", "ws/deep/here", "ws/excluded"} {
		put(t, filepath.Join(root, name), "")
	}
	if got := byWalk(t, root+"/ws", root+"/ws", nil); !slices.Equal(got, []string{".gitignore", "deep/here", "keep.log"}) {
		t.Errorf("ws: %q", got)
	}
	if got := byWalk(t, root+"/ws", root+"/ws/deep", nil); !slices.Equal(got, []string{"here"}) {
		t.Errorf("ws/deep: %q", got)
	}
	if got := byWalk(t, t.TempDir(), root+"/ws", nil); !slices.Equal(got, []string{".gitignore", "deep/here", "keep.log"}) {
		t.Errorf("from another workspace: %q", got)
	}
}

// Ignore files that are links, pipes or directories have no rules, and hold nothing up.
func TestIgnoreFilesThatAreNone(t *testing.T) {
	root := t.TempDir()
	emptyRepository(t, root)
	put(t, root+"/rules", "f\n")
	put(t, root+"/a/f", "")
	put(t, root+"/b/f", "")
	put(t, root+"/b/.gitignore/x", "")
	os.Symlink("../rules", root+"/a/.gitignore")
	same(t, root, t.TempDir())
}

// A hostile pattern takes the time of its length, not of its possibilities.
func TestIgnoreHostilePatternEnds(t *testing.T) {
	f := ignore.Parse(strings.Repeat("**/a*", 200)+"/b\n"+strings.Repeat("*a", 500)+"b", "")
	name := strings.Repeat("aaaaaaaaa/", 200) + strings.Repeat("a", 1000)
	if f.Judge(name, false) != ignore.Silent {
		t.Error("it matched")
	}
}
