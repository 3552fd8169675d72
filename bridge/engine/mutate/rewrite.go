package mutate

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

// original is a source file that takes mutants in: each mutated function is copied
// with its edit, and the function as it was jumps to the copy when the mutant runs.
// The program keeps every line where it was; the copies stand at the end.
type original struct {
	src    []byte
	file   *ast.File
	edits  []edit
	jumps  map[*ast.FuncDecl][]int
	values map[*ast.ValueSpec][]value
	copies strings.Builder
}

// edit replaces the bytes from at to end of the original.
type edit struct {
	at, end int
	text    string
}

// value is a mutated initial value of a package variable.
type value struct {
	id   int
	text string
}

const activeName = "mutate_active"

func newOriginal(src []byte) (*original, error) {
	f, err := parseSource(src)
	if err != nil {
		return nil, err
	}
	return &original{src: src, file: f, jumps: map[*ast.FuncDecl][]int{}, values: map[*ast.ValueSpec][]value{}}, nil
}

// parseSource parses a file with positions that are offsets plus one.
func parseSource(src []byte) (*ast.File, error) {
	return parser.ParseFile(token.NewFileSet(), "", src, parser.ParseComments|parser.SkipObjectResolution)
}

// textOf is the source of a node. A file set with one file starts at base 1.
func textOf(src []byte, n ast.Node) string { return string(src[n.Pos()-1 : n.End()-1]) }

// add takes one mutant in, or says why it cannot.
func (o *original) add(m Mutant) error {
	if n := bytes.Count(o.src, []byte(m.Old)); n != 1 {
		return fmt.Errorf("the text to change stands %d times in the file, not once", n)
	}
	src := bytes.Replace(o.src, []byte(m.Old), []byte(m.New), 1)
	f, err := parseSource(src)
	if err != nil {
		return fmt.Errorf("the changed file does not parse: %w", err)
	}
	was, is, err := o.changed(src, f)
	if err != nil {
		return err
	}
	switch d := was.(type) {
	case *ast.FuncDecl:
		return o.addFunc(m, d, src, is.(*ast.FuncDecl))
	case *ast.GenDecl:
		return o.addValue(m, d, src, is.(*ast.GenDecl))
	}
	return errors.New("only functions and package variables can be changed")
}

// changed finds the one declaration that differs, comments aside.
func (o *original) changed(src []byte, f *ast.File) (was, is ast.Decl, err error) {
	if len(f.Decls) != len(o.file.Decls) {
		return nil, nil, errors.New("the change adds or removes a declaration; change inside one function")
	}
	n := 0
	for i, d := range o.file.Decls {
		if declText(o.src, d) != declText(src, f.Decls[i]) {
			was, is = d, f.Decls[i]
			n++
		}
	}
	if n != 1 || fmt.Sprintf("%T", was) != fmt.Sprintf("%T", is) {
		return nil, nil, fmt.Errorf("the change touches %d declarations; it must stay inside one function or variable", n)
	}
	return was, is, nil
}

// declText is a declaration's source without its doc comment.
func declText(src []byte, d ast.Decl) string {
	if f, ok := d.(*ast.FuncDecl); ok {
		return string(src[f.Type.Func-1 : f.End()-1])
	}
	return textOf(src, d)
}

func (o *original) addFunc(m Mutant, was *ast.FuncDecl, src []byte, is *ast.FuncDecl) error {
	if was.Body == nil || is.Body == nil {
		return errors.New("a function without a body cannot be changed")
	}
	if head(o.src, was) != head(src, is) {
		return errors.New("the change touches the function's signature; change its body")
	}
	// The compiler names a mutant that does not compile by this line comment.
	fmt.Fprintf(&o.copies, "\n//line %s:1\n%s%s%s\n", m, src[is.Type.Func-1:is.Name.End()-1], suffix(m.ID), src[is.Name.End()-1:is.End()-1])
	o.jumps[was] = append(o.jumps[was], m.ID)
	return nil
}

func head(src []byte, f *ast.FuncDecl) string { return string(src[f.Type.Func-1 : f.Body.Lbrace-1]) }

func suffix(id int) string { return fmt.Sprintf("__m%d", id) }

func (o *original) addValue(m Mutant, was *ast.GenDecl, src []byte, is *ast.GenDecl) error {
	if was.Tok != token.VAR {
		return fmt.Errorf("the change touches a %s declaration, which has no value at run time; change a function that uses it", was.Tok)
	}
	if len(was.Specs) != len(is.Specs) {
		return errors.New("the change adds or removes a variable")
	}
	for i, s := range was.Specs {
		a, b := s.(*ast.ValueSpec), is.Specs[i].(*ast.ValueSpec)
		if textOf(o.src, a) == textOf(src, b) {
			continue
		}
		if len(a.Names) != 1 || len(a.Values) != 1 || len(b.Values) != 1 || string(o.src[a.Pos()-1:a.Values[0].Pos()-1]) != string(src[b.Pos()-1:b.Values[0].Pos()-1]) {
			return errors.New("of a variable only the initial value can be changed, one variable with one value")
		}
		o.values[a] = append(o.values[a], value{m.ID, textOf(src, b.Values[0])})
		return nil
	}
	return errors.New("the change touches no initial value")
}

// render is the file with every mutant in it.
func (o *original) render(active string) string {
	if len(o.jumps) == 0 && len(o.values) == 0 {
		return string(o.src)
	}
	o.edit(o.file.Name.End(), o.file.Name.End(), fmt.Sprintf("; import %s %q", activeName, active))
	for f, ids := range o.jumps {
		o.jump(f, ids)
	}
	for spec, vs := range o.values {
		o.choose(spec, vs)
	}
	slices.SortFunc(o.edits, func(a, b edit) int { return cmp.Compare(a.at, b.at) })
	var out strings.Builder
	last := 0
	for _, e := range o.edits {
		out.Write(o.src[last:e.at])
		out.WriteString(e.text)
		last = e.end
	}
	out.Write(o.src[last:])
	return out.String() + o.copies.String()
}

func (o *original) edit(from, to token.Pos, text string) {
	o.edits = append(o.edits, edit{int(from) - 1, int(to) - 1, text})
}

// choose lets a variable start with the value of the mutant that runs.
func (o *original) choose(spec *ast.ValueSpec, vs []value) {
	v := spec.Values[0]
	of := ""
	if spec.Type != nil {
		of = "[" + textOf(o.src, spec.Type) + "]"
	}
	text := textOf(o.src, v)
	for _, m := range vs {
		text = fmt.Sprintf("%s.Or%s(%d, %s, %s)", activeName, of, m.id, m.text, text)
	}
	o.edit(v.Pos(), v.End(), text)
}
