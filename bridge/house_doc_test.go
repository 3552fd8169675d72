package bridge

import (
	"go/ast"
	"os"
	"path"
	"strings"
	"testing"
)

// TestEveryExportedNameIsDocumented: what a package offers, it explains.
func TestEveryExportedNameIsDocumented(t *testing.T) {
	documented := map[string]bool{} // packages
	for _, f := range program(t) {
		dir := path.Dir(f.path)
		documented[dir] = documented[dir] || f.ast.Doc != nil
		for _, d := range f.ast.Decls {
			for _, name := range bare(d) {
				t.Errorf("%s: %s has no doc comment", f.at(d), name)
			}
		}
	}
	for dir, ok := range documented {
		if !ok {
			t.Errorf("package %s has no package comment", dir)
		}
	}
}

// bare lists the exported names of a declaration that have no doc comment. A group
// of constants or variables may share one.
func bare(d ast.Decl) []string {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Doc == nil && d.Name.IsExported() && exportedReceiver(d) {
			return []string{d.Name.Name}
		}
	case *ast.GenDecl:
		var out []string
		for _, s := range d.Specs {
			out = append(out, bareSpec(d, s)...)
		}
		return out
	}
	return nil
}

func bareSpec(d *ast.GenDecl, s ast.Spec) []string {
	var out []string
	switch s := s.(type) {
	case *ast.TypeSpec:
		if s.Doc == nil && s.Comment == nil && d.Doc == nil && s.Name.IsExported() {
			out = append(out, s.Name.Name)
		}
	case *ast.ValueSpec:
		for _, n := range s.Names {
			if s.Doc == nil && s.Comment == nil && d.Doc == nil && n.IsExported() {
				out = append(out, n.Name)
			}
		}
	}
	return out
}

func exportedReceiver(f *ast.FuncDecl) bool {
	if f.Recv == nil {
		return true
	}
	typ := f.Recv.List[0].Type
	for {
		switch x := typ.(type) {
		case *ast.StarExpr:
			typ = x.X
		case *ast.IndexExpr:
			typ = x.X
		case *ast.IndexListExpr:
			typ = x.X
		case *ast.Ident:
			return x.IsExported()
		default:
			return true
		}
	}
}

// TestDependenciesHaveReasons: each module that go.mod asks for, and each pinned
// tool, has a row with its version and a reason in docs/dependencies.md.
func TestDependenciesHaveReasons(t *testing.T) {
	rows := dependencyRows(t)
	want := direct(t, "../go.mod")
	for module, version := range tools(t, "../.ci/tools/go.mod") {
		want[module] = version
	}
	for module, version := range want {
		row, ok := rows[module]
		switch {
		case !ok:
			t.Errorf("docs/dependencies.md has no row for %s %s: say why it is there", module, version)
		case row[0] != version:
			t.Errorf("docs/dependencies.md has %s at %s, go.mod at %s", module, row[0], version)
		case len(row[1]) < 3 || len(row[2]) < 20:
			t.Errorf("docs/dependencies.md: the row of %s lacks a licence or a reason", module)
		}
		delete(rows, module)
	}
	for module := range rows {
		t.Errorf("docs/dependencies.md has a row for %s, which is no direct requirement", module)
	}
}

// dependencyRows reads the tables' rows: | `module` | version | licence | why |.
func dependencyRows(t *testing.T) map[string][3]string {
	t.Helper()
	b, err := os.ReadFile("../docs/dependencies.md")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][3]string{}
	for line := range strings.Lines(string(b)) {
		f := strings.Split(strings.TrimSpace(line), "|")
		if len(f) == 6 && strings.HasPrefix(strings.TrimSpace(f[1]), "`") {
			out[strings.Trim(f[1], " `")] = [3]string{strings.TrimSpace(f[2]), strings.TrimSpace(f[3]), strings.TrimSpace(f[4])}
		}
	}
	return out
}

// requirements reads the module lines of a go.mod.
func requirements(t *testing.T, file string) (direct, indirect map[string]string, tools []string) {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	direct, indirect = map[string]string{}, map[string]string{}
	block := ""
	for line := range strings.Lines(string(b)) {
		f := strings.Fields(line)
		switch {
		case len(f) == 2 && f[1] == "(":
			block = f[0]
			continue
		case len(f) == 1 && f[0] == ")":
			block = ""
			continue
		case block == "" && len(f) > 1 && (f[0] == "require" || f[0] == "tool"):
			readRequirement(f[0], f[1:], direct, indirect, &tools)
		case block != "" && len(f) > 0:
			readRequirement(block, f, direct, indirect, &tools)
		}
	}
	return direct, indirect, tools
}

func readRequirement(block string, f []string, direct, indirect map[string]string, tools *[]string) {
	switch {
	case block == "tool":
		*tools = append(*tools, f[0])
	case block == "require" && len(f) > 3 && f[3] == "indirect":
		indirect[f[0]] = f[1]
	case block == "require" && len(f) > 1:
		direct[f[0]] = f[1]
	}
}

func direct(t *testing.T, file string) map[string]string {
	d, _, _ := requirements(t, file)
	return d
}

// tools maps the modules of the pinned tools to their versions.
func tools(t *testing.T, file string) map[string]string {
	d, i, names := requirements(t, file)
	out := map[string]string{}
	for _, all := range []map[string]string{d, i} {
		for module, version := range all {
			for _, tool := range names {
				if strings.HasPrefix(tool, module+"/") {
					out[module] = version
				}
			}
		}
	}
	return out
}
