package bridge

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// The house (docs/architecture.md): each room has one sentence, and the imports of
// its files show whether it keeps to it.

// pureStd is the part of the standard library that decides nothing by itself: no
// files, no network, no clock, no goroutine, no chance. Of time and sync only a part
// is pure: see impure and onceOnly. A new name here is a decision of its own.
var pureStd = []string{
	"bytes", "cmp", "container/heap", "container/list", "crypto/sha256", "embed", "encoding", "encoding/base64",
	"encoding/binary", "encoding/hex", "encoding/json", "errors", "fmt", "hash", "hash/fnv", "html", "iter", "maps",
	"math", "math/bits", "path", "reflect", "regexp", "regexp/syntax", "slices", "sort", "strconv", "strings", "sync", "time",
	"unicode", "unicode/utf16", "unicode/utf8",
}

// room is what one room may import beside itself.
type room struct {
	// own are the prefixes of this module's packages.
	own []string
	// std and third list packages; nil means any.
	std, third []string
	// decides forbids what a decision may not do: start a goroutine, wait, read a clock.
	decides bool
}

var rooms = map[string]room{
	"core":     {own: []string{"core/"}, std: pureStd, third: []string{"mvdan.cc/sh/v3/syntax", "github.com/cespare/xxhash/v2", "github.com/rogpeppe/go-internal/diff"}, decides: true},
	"models":   {own: []string{"core/", "models/"}, std: pureStd, third: []string{"mvdan.cc/sh/v3/syntax"}, decides: true},
	"laws":     {own: []string{"core/", "models/", "laws/law"}, std: pureStd, third: []string{}, decides: true},
	"adapters": {own: []string{"core/", "adapters/"}},
	"bridge":   {own: []string{"core/", "models/", "laws", "bridge", "adapters/"}},
	"tui":      {own: []string{"core/", "adapters/", "tui/"}},
	"main.go":  {own: []string{"core/", "adapters/", "bridge", "tui"}},
}

// tableFiles of the laws room read the laws' source for the tables; they state no law.
var tableFiles = map[string][]string{
	"laws/says.go": {"go/ast", "go/parser", "go/token"},
}

// sourceFile is one Go file of the repository.
type sourceFile struct {
	path string // slash path below the root
	ast  *ast.File
	fset *token.FileSet
}

func (f sourceFile) room() string {
	first, _, _ := strings.Cut(f.path, "/")
	return first
}

func (f sourceFile) at(n ast.Node) string {
	return fmt.Sprintf("%s:%d", f.path, f.fset.Position(n.Pos()).Line)
}

func (f sourceFile) test() bool { return strings.HasSuffix(f.path, "_test.go") }

// sources parses every Go file of the repository, test data aside.
var sources = sync.OnceValues(func() (out []sourceFile, err error) {
	root := ".."
	err = filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() && (name == "testdata" || p != root && strings.HasPrefix(name, ".")) {
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(name, ".go") {
			return nil
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, p, nil, parser.ParseComments|parser.SkipObjectResolution)
		rel, _ := filepath.Rel(root, p)
		out = append(out, sourceFile{filepath.ToSlash(rel), f, fset})
		return err
	})
	return out, err
})

// program lists the files of the program: no tests.
func program(t *testing.T) []sourceFile {
	t.Helper()
	all, err := sources()
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(slices.Clone(all), sourceFile.test)
}

func imports(f sourceFile) []string {
	var out []string
	for _, i := range f.ast.Imports {
		name, _ := strconv.Unquote(i.Path.Value)
		out = append(out, name)
	}
	return out
}

// TestWalls: each file imports only what its room may.
func TestWalls(t *testing.T) {
	for _, f := range program(t) {
		r, ok := rooms[f.room()]
		if !ok {
			t.Errorf("%s stands in no room", f.path)
			continue
		}
		for _, name := range imports(f) {
			if !r.allows(name) && !slices.Contains(tableFiles[f.path], name) {
				t.Errorf("%s imports %s: the room %s may not", f.path, name, f.room())
			}
		}
	}
}

func (r room) allows(name string) bool {
	own, isOwn := strings.CutPrefix(name, "tenet/")
	first, _, _ := strings.Cut(name, "/")
	switch {
	case name == "C":
		return false // one static binary, without cgo
	case isOwn:
		return slices.ContainsFunc(r.own, func(p string) bool { return own == strings.TrimSuffix(p, "/") || strings.HasPrefix(own, p) })
	case strings.Contains(first, "."):
		return r.third == nil || slices.Contains(r.third, name)
	default:
		return r.std == nil || slices.Contains(r.std, name)
	}
}

// TestWallsHold tries the walls on imports that each room must refuse or allow.
func TestWallsHold(t *testing.T) {
	for _, c := range []struct {
		room, name string
		ok         bool
	}{
		{"core", "os", false},
		{"core", "net/http", false},
		{"core", "net/url", false},
		{"core", "sync/atomic", false},
		{"core", "tenet/adapters/lease", false},
		{"core", "tenet/laws/law", false},
		{"core", "tenet/core/call", true},
		{"core", "mvdan.cc/sh/v3/interp", false},
		{"core", "mvdan.cc/sh/v3/syntax", true},
		{"models", "tenet/adapters/lease", false},
		{"models", "github.com/cespare/xxhash/v2", false},
		{"laws", "tenet/bridge", false},
		{"laws", "tenet/models/lease", true},
		{"laws", "os/exec", false},
		{"adapters", "tenet/models/lease", false},
		{"adapters", "tenet/laws", false},
		{"adapters", "tenet/bridge/engine", false},
		{"adapters", "tenet/tui", false},
		{"adapters", "C", false},
		{"bridge", "tenet/tui", false},
		{"bridge", "tenet/adapters/lease", true},
		{"tui", "tenet/bridge", false},
		{"main.go", "tenet/tui", true},
	} {
		if got := rooms[c.room].allows(c.name); got != c.ok {
			t.Errorf("%s imports %s: allowed %v, want %v", c.room, c.name, got, c.ok)
		}
	}
}

// impure names the functions of allowed packages that a decision may not call.
var impure = map[string][]string{
	"time": {"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker"},
	"fmt":  {"Print", "Printf", "Println", "Scan", "Scanf", "Scanln"},
}

// onceOnly is what a room that decides may take from sync: a table that is built when
// it is first asked for is the same table. A lock is a wait.
var onceOnly = []string{"OnceValue", "OnceValues"}

// TestDecisionsArePure: core, the models and the laws start nothing, wait for nothing
// and read no clock.
func TestDecisionsArePure(t *testing.T) {
	for _, f := range program(t) {
		if !rooms[f.room()].decides {
			continue
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			if what := acts(n); what != "" {
				t.Errorf("%s: %s in a room that decides", f.at(n), what)
			}
			return true
		})
	}
}

func acts(n ast.Node) string {
	switch n := n.(type) {
	case *ast.GoStmt:
		return "a goroutine"
	case *ast.ChanType, *ast.SendStmt, *ast.SelectStmt:
		return "a channel"
	case *ast.SelectorExpr:
		pkg, ok := n.X.(*ast.Ident)
		if ok && (slices.Contains(impure[pkg.Name], n.Sel.Name) || pkg.Name == "sync" && !slices.Contains(onceOnly, n.Sel.Name)) {
			return pkg.Name + "." + n.Sel.Name
		}
	case *ast.CallExpr:
		if f, ok := n.Fun.(*ast.Ident); ok && (f.Name == "print" || f.Name == "println") {
			return f.Name
		}
	}
	return ""
}

// TestLawsNeverCallWhatTheyJudge: a law that asked the function it judges would
// agree with whatever it does.
func TestLawsNeverCallWhatTheyJudge(t *testing.T) {
	judged := map[string]bool{}
	for _, a := range Areas() {
		for _, s := range symbols(a.Production) {
			judged[s] = true // "core/gate.Judge"
		}
	}
	for _, f := range program(t) {
		if f.room() != "laws" {
			continue
		}
		names := localNames(f)
		ast.Inspect(f.ast, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if pkg, ok := sel.X.(*ast.Ident); ok && judged[names[pkg.Name]+"."+sel.Sel.Name] {
				t.Errorf("%s: a law uses %s.%s, which the laws judge", f.at(n), pkg.Name, sel.Sel.Name)
			}
			return true
		})
	}
}

// localNames maps the names under which a file knows this module's packages to
// their paths without the module.
func localNames(f sourceFile) map[string]string {
	out := map[string]string{}
	for _, i := range f.ast.Imports {
		name, _ := strconv.Unquote(i.Path.Value)
		local := path.Base(name)
		if i.Name != nil {
			local = i.Name.Name
		}
		out[local] = strings.TrimPrefix(name, "tenet/")
	}
	return out
}

// entries are the only things that stand at the root.
var entries = []string{
	"main.go", "README.md", "TRACE.md", "BITES.md", "LICENSE", "Makefile", "go.mod", "go.sum", ".gitignore",
	".ci", "docs", "testdata", "core", "models", "laws", "bridge", "adapters", "tui",
}

// TestRoot: nothing else stands at the root, and every package is in a room.
func TestRoot(t *testing.T) {
	for _, name := range tracked(t) {
		if !slices.Contains(entries, name) {
			t.Errorf("%s stands at the root; everything has a room", name)
		}
	}
}

// tracked lists the top-level names that git tracks, or where this is no clone all
// that are there, build results aside.
func tracked(t *testing.T) []string {
	t.Helper()
	var out []string
	if list, err := exec.Command("git", "-C", "..", "ls-files").Output(); err == nil && len(list) > 0 {
		for line := range strings.Lines(string(list)) {
			name, _, _ := strings.Cut(strings.TrimSpace(line), "/")
			out = append(out, name)
		}
		slices.Sort(out)
		return slices.Compact(out)
	}
	all, err := os.ReadDir("..")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range all {
		if name := e.Name(); name != ".git" && name != "bin" && name != "dist" {
			out = append(out, name)
		}
	}
	return out
}
