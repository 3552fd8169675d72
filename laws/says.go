package laws

import (
	"embed"
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"sync"
)

//go:embed *.go
var source embed.FS

// Says is the sentence of a law: the doc comment of its field in the area's struct
// of laws, the one place where it stands. Empty when the law has none. The source
// is parsed at the first call, so a start of the program does not pay for it.
func Says(area, goName string) string { return sentences()[area+"."+goName] }

// sentences maps "area.GoName" to the law's sentence, for every book in the package.
var sentences = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	entries, err := source.ReadDir(".")
	if err != nil {
		panic("laws: the embedded source cannot be read: " + err.Error())
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), "_test.go") {
			readLaws(parse(e.Name()), out)
		}
	}
	return out
})

func parse(name string) *ast.File {
	text, err := source.ReadFile(name)
	if err == nil {
		var f *ast.File
		if f, err = parser.ParseFile(token.NewFileSet(), name, text, parser.ParseComments|parser.SkipObjectResolution); err == nil {
			return f
		}
	}
	panic("laws: " + name + " was compiled and does not parse: " + err.Error())
}

// readLaws adds the sentences of every book of the file: the book names its area
// and its struct of laws, the struct's fields carry the sentences.
func readLaws(f *ast.File, out map[string]string) {
	structs := map[string]*ast.StructType{}
	books := map[string]string{} // struct to area
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, s := range g.Specs {
			readVar(s, structs, books)
		}
	}
	for name, area := range books {
		if s := structs[name]; s != nil {
			readFields(area, s, out)
		}
	}
}

func readVar(s ast.Spec, structs map[string]*ast.StructType, books map[string]string) {
	v, ok := s.(*ast.ValueSpec)
	if !ok || len(v.Names) != 1 || len(v.Values) != 1 {
		return
	}
	switch x := v.Values[0].(type) {
	case *ast.CompositeLit:
		if st, ok := x.Type.(*ast.StructType); ok {
			structs[v.Names[0].Name] = st
		}
	case *ast.CallExpr:
		if area, of := book(x); of != "" {
			books[of] = area
		}
	}
}

// book reads law.Book[...]("area", &Area); of is empty when the call is none.
func book(c *ast.CallExpr) (area, of string) {
	fun := c.Fun
	switch x := fun.(type) {
	case *ast.IndexListExpr:
		fun = x.X
	case *ast.IndexExpr:
		fun = x.X
	}
	sel, ok := fun.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "Book" || len(c.Args) != 2 {
		return "", ""
	}
	name, okName := c.Args[0].(*ast.BasicLit)
	ref, okRef := c.Args[1].(*ast.UnaryExpr)
	if !okName || !okRef {
		return "", ""
	}
	id, ok := ref.X.(*ast.Ident)
	area, err := strconv.Unquote(name.Value)
	if !ok || err != nil {
		return "", ""
	}
	return area, id.Name
}

func readFields(area string, s *ast.StructType, out map[string]string) {
	for _, f := range s.Fields.List {
		for _, n := range f.Names {
			text := strings.Join(strings.Fields(f.Doc.Text()), " ")
			out[area+"."+n.Name] = strings.TrimSuffix(strings.TrimSpace(strings.TrimPrefix(text, n.Name+":")), ".")
		}
	}
}
