package mutate

import (
	"fmt"
	"go/ast"
	"strings"
)

// jump writes, at the start of a function, the switch to its mutated copies. It
// stays on the line of the opening brace, so that no line of the program moves. A
// receiver, parameter or type parameter without a name gets one, to be passed on.
func (o *original) jump(f *ast.FuncDecl, ids []int) {
	recv := ""
	if f.Recv != nil {
		recv = strings.Join(o.names(f.Recv, "mutate_r"), "") + "."
	}
	types := ""
	if f.Type.TypeParams != nil {
		types = "[" + strings.Join(o.names(f.Type.TypeParams, "mutate_t"), ", ") + "]"
	}
	args := strings.Join(o.names(f.Type.Params, "mutate_p"), ", ")
	if variadic(f.Type.Params) {
		args += "..."
	}
	var b strings.Builder
	fmt.Fprintf(&b, " switch %s.Mutant { ", activeName)
	for _, id := range ids {
		call := recv + f.Name.Name + suffix(id) + types + "(" + args + ")"
		if f.Type.Results != nil && len(f.Type.Results.List) > 0 {
			fmt.Fprintf(&b, "case %d: return %s; ", id, call)
		} else {
			fmt.Fprintf(&b, "case %d: %s; return; ", id, call)
		}
	}
	b.WriteString("};")
	o.edit(f.Body.Lbrace+1, f.Body.Lbrace+1, b.String())
}

// names lists the names of a field list and gives one to those that have none.
func (o *original) names(l *ast.FieldList, prefix string) []string {
	var out []string
	fresh := func() string {
		n := fmt.Sprintf("%s%d", prefix, len(out))
		out = append(out, n)
		return n
	}
	for _, f := range l.List {
		if len(f.Names) == 0 {
			o.edit(f.Type.Pos(), f.Type.Pos(), fresh()+" ")
		}
		for _, n := range f.Names {
			if n.Name == "_" {
				o.edit(n.Pos(), n.End(), fresh())
			} else {
				out = append(out, n.Name)
			}
		}
	}
	return out
}

func variadic(l *ast.FieldList) bool {
	if len(l.List) == 0 {
		return false
	}
	_, ok := l.List[len(l.List)-1].Type.(*ast.Ellipsis)
	return ok
}
