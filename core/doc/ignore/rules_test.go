package ignore

import (
	"strings"
	"testing"
)

// How one line judges one path, as git does. adapters/docs holds the same matcher to
// git itself on random trees.
func TestOneLine(t *testing.T) {
	for _, tt := range []struct {
		line, path string
		dir        bool
		want       Verdict
	}{
		{"*.log", "a/b.log", false, Ignored}, {"*.log", "a/b.lo", false, Silent}, {"!*.log", "b.log", false, Kept},
		{"/a", "a", false, Ignored}, {"/a", "b/a", false, Silent}, {"a/", "a", false, Silent}, {"a/", "b/a", true, Ignored},
		{"b/*.go", "b/x.go", false, Ignored}, {"b/*.go", "a/b/x.go", false, Silent}, {"b/*.go", "b/c/x.go", false, Silent},
		{"**/x", "x", false, Ignored}, {"**/x", "a/b/x", false, Ignored}, {"x/**", "x/a/b", false, Ignored}, {"x/**", "x", true, Silent},
		{"a/**/c", "a/c", false, Ignored}, {"a/**/c", "a/b/b/c", false, Ignored}, {"a/**/c", "a/bc", false, Silent},
		{"[!a].go", "b.go", false, Ignored}, {"[!a].go", "a.go", false, Silent}, {"[[:digit:]]", "7", false, Ignored}, {"[a-", "a", false, Silent},
		{"#a", "#a", false, Silent}, {`\#a`, "#a", false, Ignored}, {`\!a`, "!a", false, Ignored}, {"a  ", "a", false, Ignored}, {`a\ `, "a ", false, Ignored},
		{"a\r", "a", false, Ignored}, {"", "a", false, Silent}, {"/", "a", true, Silent}, {`a\`, "a", false, Silent}, {"??", "é", false, Ignored},
	} {
		if got := Parse(tt.line+"\n", "").Judge(tt.path, tt.dir); got != tt.want {
			t.Errorf("%q judges %q (directory: %v) %v, want %v", tt.line, tt.path, tt.dir, got, tt.want)
		}
	}
}

// A nearer file wins over a farther one, and rules look at paths from their own file.
func TestNearerFileWins(t *testing.T) {
	rules := Rules{}.WithGit(Parse("*.log\n/x\n", "")).WithGit(Parse("!keep.log\n/x\n", "sub/"))
	for path, want := range map[string]bool{"a.log": true, "sub/keep.log": false, "sub/a.log": true, "keep.log": true, "x": true, "sub/x": true, "sub/sub/x": false, "other/x": false} {
		if got := rules.Ignores(path, strings.LastIndexByte(path, '/')+1, false); got != want {
			t.Errorf("%s: %v, want %v", path, got, want)
		}
	}
}

// A hostile pattern takes the time of its length times the name's.
func FuzzMatch(f *testing.F) {
	f.Add("**/a*[!b]?", "x/ab/c")
	f.Add(strings.Repeat("*a", 50)+"b", strings.Repeat("a", 300))
	f.Fuzz(func(t *testing.T, line, path string) {
		Parse(line, "").Judge(path, false)
	})
}
