package effect_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"

	"tenet/core/call"
	"tenet/core/effect"
)

// TestEveryNodeKindIsVisited reads the parser's own source: each kind of command,
// loop, word part, arithmetic and test expression has a case in our walk. A kind that
// a later parser adds fails here, and until then it is judged at its strictest.
func TestEveryNodeKindIsVisited(t *testing.T) {
	dir, err := exec.Command("go", "list", "-f", "{{.Dir}}", "mvdan.cc/sh/v3/syntax").Output()
	if err != nil {
		t.Fatal(err)
	}
	kinds := nodeKinds(t, filepath.Join(strings.TrimSpace(string(dir)), "nodes.go"))
	ours := map[string]bool{}
	for _, f := range []string{"whole.go", "wholeflow.go", "wholeredir.go", "wholeword.go", "wholevar.go"} {
		casesOf(t, f, ours)
	}
	for marker, names := range kinds {
		if len(names) < 2 {
			t.Errorf("%s has %v: is the marker still called that?", marker, names)
		}
		for _, n := range names {
			if !ours[n] {
				t.Errorf("no case for *syntax.%s (%s)", n, marker)
			}
		}
	}
	if len(kinds) != 5 {
		t.Errorf("markers %v: the parser's node families have changed", kinds)
	}
}

// nodeKinds is the types that have each of the parser's marker methods.
func nodeKinds(t *testing.T, file string) map[string][]string {
	out := map[string][]string{}
	each(t, file, func(n ast.Node) {
		f, ok := n.(*ast.FuncDecl)
		if !ok || f.Recv == nil || !strings.HasSuffix(f.Name.Name, "Node") {
			return
		}
		if star, ok := f.Recv.List[0].Type.(*ast.StarExpr); ok {
			name := star.X.(*ast.Ident).Name
			out[f.Name.Name] = append(out[f.Name.Name], name)
		}
	})
	return out
}

// casesOf adds the syntax types that a file's type switches name.
func casesOf(t *testing.T, file string, into map[string]bool) {
	each(t, file, func(n ast.Node) {
		c, ok := n.(*ast.CaseClause)
		if !ok {
			return
		}
		for _, e := range c.List {
			if star, ok := e.(*ast.StarExpr); ok {
				if sel, ok := star.X.(*ast.SelectorExpr); ok {
					into[sel.Sel.Name] = true
				}
			}
		}
	})
}

func each(t *testing.T, file string, visit func(ast.Node)) {
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if n != nil {
			visit(n)
		}
		return true
	})
}

// TestABoundIsTheStrictest: what is too much to judge may do everything, secrets included.
func TestABoundIsTheStrictest(t *testing.T) {
	for name, text := range map[string]string{
		"many commands": "(" + strings.Repeat("true;", 3000) + ")",
		"nested loops":  strings.Repeat("for i in 1 2 3 4 5 6 7 8; do ", 8) + "ls" + strings.Repeat("; done", 8),
		"deep scripts":  nested(12),
		"wrapped":       "sudo " + strings.Repeat("ls ", 4000),
	} {
		if got := effect.Whole(parse(t, text), home).Effects; got != call.All {
			t.Errorf("%s may only %v", name, got)
		}
	}
}

func nested(depth int) string {
	s := "ls a"
	for range depth {
		s = "eval " + quote(s)
	}
	return s
}

func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// TestLongWordsAreCheap: no word makes the judge slow, and no note long.
func TestLongWordsAreCheap(t *testing.T) {
	for _, w := range []string{strings.Repeat(":", 100_000), strings.Repeat("a=", 50_000), strings.Repeat("../", 30_000), strings.Repeat("/a", 50_000), "-" + strings.Repeat("x", 100_000)} {
		for _, name := range []string{"tool ", "cat ", "sudo tool ", "python3 -c ", "sed ", "awk ", "curl "} {
			for _, n := range judge(t, name+w, home).Notes {
				if len(n) > 300 {
					t.Errorf("%s: a note of %d bytes", name, len(n))
				}
			}
		}
	}
}

// FuzzWhole puts a command that talks to the network somewhere into any script that
// the fuzzer writes: if the parser sees it as a command, the walk must too. What the
// script's own text does can only add.
func FuzzWhole(f *testing.F) {
	for _, c := range []string{"ls; @", "(@)", "x=$(@)", "case $(@) in x) ;; esac", "cat <<E\n$(@)\nE", "for ((i=$(@);;)); do :; done", "f() { @; }", "echo ${x:-`@`}", "[[ a =~ $(@) ]]", "coproc @", "let x=$(@)", "declare -a x=([$(@)]=1)", "select x in $(@); do :; done"} {
		f.Add(c)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 300 {
			return
		}
		text = strings.Replace(text, "@", "curl http://h", 1)
		file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), "")
		if err != nil {
			return
		}
		got := effect.Whole(file, home)
		if !got.Effects.Has(call.Exec) {
			t.Fatalf("%q may only %v", text, got.Effects)
		}
		if callsCurl(file) && !got.Effects.Has(call.Net) {
			t.Fatalf("%q calls curl and may only %v", text, got.Effects)
		}
		if len(got.Notes) > 8 || slices.Contains(got.Notes, "") {
			t.Fatalf("%q has the notes %q", text, got.Notes)
		}
	})
}

// callsCurl walks with the parser's own walk, which knows nothing of ours.
func callsCurl(f *syntax.File) bool {
	found := false
	syntax.Walk(f, func(n syntax.Node) bool {
		if c, ok := n.(*syntax.CallExpr); ok && len(c.Args) > 0 && c.Args[0].Lit() == "curl" {
			found = true
		}
		return true
	})
	return found
}
