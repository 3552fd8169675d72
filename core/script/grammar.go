package script

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// grammar flattens a tree into pipelines and stops at the first node that the step
// grammar does not have. It is a white list: a node kind that it does not name
// makes the script Whole, so a new kind in the parser can never pass unseen.
type grammar struct {
	out []Pipeline
	why string
}

func (g *grammar) whole(why string) {
	if g.why == "" {
		g.why = why
	}
}

// list flattens && and ||. Both group to the left and have the same rank, so the
// flat order with a join before each pipeline means the same as the tree.
func (g *grammar) list(st *syntax.Stmt, join Join) {
	b, ok := st.Cmd.(*syntax.BinaryCmd)
	if !ok || b.Op != syntax.AndStmt && b.Op != syntax.OrStmt {
		g.pipeline(st, join)
		return
	}
	g.plain(st)
	if len(st.Redirs) > 0 {
		g.whole("a redirection of a list")
	}
	g.list(b.X, join)
	next := And
	if b.Op == syntax.OrStmt {
		next = Or
	}
	g.list(b.Y, next)
}

func (g *grammar) pipeline(st *syntax.Stmt, join Join) {
	p := Pipeline{Join: join}
	g.pipe(st, &p)
	g.out = append(g.out, p)
}

func (g *grammar) pipe(st *syntax.Stmt, p *Pipeline) {
	b, ok := st.Cmd.(*syntax.BinaryCmd)
	if !ok {
		g.stage(st)
		p.Stages = append(p.Stages, st)
		return
	}
	g.plain(st)
	if b.Op != syntax.Pipe || len(st.Redirs) > 0 {
		g.whole("a list inside a pipeline, or |&")
	}
	g.pipe(b.X, p)
	g.pipe(b.Y, p)
}

// plain refuses what may stand around a command.
func (g *grammar) plain(st *syntax.Stmt) {
	switch {
	case st.Negated:
		g.whole("a negation with !")
	case st.Background || st.Coprocess || st.Disown:
		g.whole("a background job")
	}
}

func (g *grammar) stage(st *syntax.Stmt) {
	g.plain(st)
	switch c := st.Cmd.(type) {
	case nil:
		if len(st.Redirs) == 0 {
			g.whole("an empty command")
		}
	case *syntax.CallExpr:
		g.call(c)
	case *syntax.DeclClause:
		g.export(c)
	default:
		g.whole(kind(st.Cmd))
	}
	for _, r := range st.Redirs {
		g.redirect(r)
	}
}

func (g *grammar) call(c *syntax.CallExpr) {
	for _, a := range c.Assigns {
		g.assign(a)
	}
	for _, w := range c.Args {
		g.word(w)
	}
	if len(c.Args) > 0 {
		g.command(c.Args)
	}
}

func (g *grammar) assign(a *syntax.Assign) {
	if a.Name == nil || a.Index != nil || a.Array != nil || a.Append {
		g.whole("an array, or += in an assignment")
		return
	}
	if shellOwned(a.Name.Value) {
		g.whole("an assignment to " + a.Name.Value + ", which changes how the shell itself works")
	}
	if a.Value != nil {
		g.word(a.Value)
	}
}

// export is NAME or NAME=VALUE operands only: its options print or undo.
func (g *grammar) export(c *syntax.DeclClause) {
	if c.Variant.Value != "export" || len(c.Args) == 0 {
		g.whole("the builtin " + c.Variant.Value)
		return
	}
	for _, a := range c.Args {
		g.assign(a)
	}
}

func (g *grammar) redirect(r *syntax.Redirect) {
	fd := ""
	if r.N != nil {
		fd = r.N.Value
	}
	ok := false
	switch r.Op {
	case syntax.RdrIn:
		ok = fd == "" || fd == "0"
	case syntax.RdrOut, syntax.AppOut:
		ok = fd == "" || fd == "1" || fd == "2"
	case syntax.RdrAll:
		ok = fd == ""
	case syntax.DplOut:
		ok = fd == "2" && r.Word.Lit() == "1"
	case syntax.RdrInOut, syntax.DplIn, syntax.RdrClob, syntax.AppClob, syntax.RdrAllClob,
		syntax.AppAll, syntax.AppAllClob, syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
	}
	if !ok {
		g.whole("the redirection " + fd + r.Op.String())
		return
	}
	g.word(r.Word)
}

// kind names a command that the step grammar does not have.
func kind(c syntax.Command) string {
	switch c.(type) {
	case *syntax.IfClause, *syntax.WhileClause, *syntax.ForClause, *syntax.CaseClause:
		return "control flow"
	case *syntax.Subshell:
		return "a subshell"
	case *syntax.Block:
		return "a block"
	case *syntax.FuncDecl:
		return "a function"
	case *syntax.ArithmCmd, *syntax.TestClause, *syntax.LetClause:
		return "an arithmetic or test command"
	case *syntax.TimeClause:
		return "time"
	default:
		return "other syntax"
	}
}

// command refuses the names that only a shell can serve: run as a program, set -e
// would be "command not found", and source would change nothing.
func (g *grammar) command(args []*syntax.Word) {
	name, ok := Static(args[0])
	if !ok {
		return
	}
	switch {
	case NeedsBash(name):
		g.whole("the builtin " + name)
	case name == "cd" && len(args) > 1:
		if dir, ok := Static(args[1]); ok && strings.HasPrefix(dir, "-") && dir != "-" && dir != "--" {
			g.whole("an option of cd")
		}
	case name == "export":
		if len(args) == 1 {
			g.whole("a bare export")
		}
		for _, w := range args[1:] {
			if v, ok := Static(w); ok && strings.HasPrefix(v, "-") {
				g.whole("an option of export")
			}
		}
	case name == "printf" || name == "test" || name == "[":
		for _, w := range args[1:] {
			if v, ok := Static(w); ok && (strings.HasPrefix(v, "-v") || v == "-R") {
				g.whole(name + " " + v)
			}
		}
	}
}
