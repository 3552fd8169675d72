package effect

import "mvdan.cc/sh/v3/syntax"

// inSubshell walks something whose variables and directory end with it.
func (w *walker) inSubshell(walk func()) {
	vars, dirs, lost := w.vars, w.dirs, w.lost
	w.vars = copied(vars)
	walk()
	w.vars, w.dirs, w.lost = vars, dirs, lost
}

func copied(vars map[string]value) map[string]value {
	out := make(map[string]value, len(vars))
	for k, v := range vars {
		out[k] = v
	}
	return out
}

// maybe walks something that may not happen: what it assigns is unknown after.
func (w *walker) maybe(walk func()) {
	before := copied(w.vars)
	walk()
	for k, v := range w.vars {
		if old, ok := before[k]; !ok || old != v {
			w.vars[k] = value{}
		}
	}
}

func (w *walker) binary(c *syntax.BinaryCmd) {
	switch c.Op {
	case syntax.AndStmt, syntax.OrStmt:
		w.stmt(c.X)
		w.maybe(func() { w.stmt(c.Y) })
	case syntax.Pipe, syntax.PipeAll:
		w.inSubshell(func() { w.stmt(c.X) })
		w.inSubshell(func() { w.stmt(c.Y) })
		w.fed(c.X, c.Y)
	default:
		w.strictest()
	}
}

func (w *walker) ifClause(c *syntax.IfClause) {
	for ; c != nil; c = c.Else {
		w.stmts(c.Cond)
		w.maybe(func() { w.stmts(c.Then) })
	}
}

func (w *walker) caseClause(c *syntax.CaseClause) {
	w.fields(c.Word)
	for _, item := range c.Items {
		for _, p := range item.Patterns {
			w.fields(p)
		}
		w.maybe(func() { w.stmts(item.Stmts) })
	}
}

// loop walks a body that runs any number of times: what it assigns is unknown in it
// and after it, and a cd in it may have happened often.
func (w *walker) loop(body func(), node syntax.Node) {
	moves := false
	syntax.Walk(node, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Assign:
			if n.Name != nil {
				w.vars[n.Name.Value] = value{}
			}
		case *syntax.CallExpr:
			moves = moves || len(n.Args) > 0 && (n.Args[0].Lit() == "cd" || n.Args[0].Lit() == "pushd")
		}
		return true
	})
	body()
	if moves {
		w.lost = true
		body()
	}
}

// maxItems is how many values of a loop variable are followed one by one.
const maxItems = 16

func (w *walker) forClause(c *syntax.ForClause) {
	switch l := c.Loop.(type) {
	case *syntax.CStyleLoop:
		for _, e := range []syntax.ArithmExpr{l.Init, l.Cond, l.Post} {
			if e != nil {
				w.arithm(e)
			}
		}
		w.loop(func() { w.stmts(c.Do) }, c)
	case *syntax.WordIter:
		var items []word
		for _, i := range l.Items {
			items = append(items, w.fields(i)...)
		}
		w.loop(func() { w.items(l.Name.Value, items, c.Do) }, c)
		w.forget(l.Name.Value)
	default:
		w.strictest()
	}
}

// items walks the body once for each value that is known, or once with an unknown one.
func (w *walker) items(name string, items []word, body []*syntax.Stmt) {
	known := len(items) <= maxItems && len(items) > 0
	for _, i := range items {
		known = known && i.sure == exact
	}
	if !known {
		w.vars[name] = value{}
		w.everywhere(func(s *scene) { s.loose(items) })
		w.stmts(body)
		return
	}
	for _, i := range items {
		w.vars[name] = value{text: i.text, known: true}
		w.stmts(body)
	}
}

// function walks a body where it is declared, and again at each call, with what is
// known there.
func (w *walker) function(c *syntax.FuncDecl) {
	w.exec("a function changes what a name means")
	names := c.Names
	if c.Name != nil {
		names = append(names, c.Name)
	}
	for _, n := range names {
		w.funcs[n.Value] = c.Body
		w.enter(n.Value, c.Body)
	}
	if len(names) == 0 {
		w.enter("", c.Body)
	}
}

func (w *walker) enter(name string, body *syntax.Stmt) {
	if len(w.active) > maxDepth {
		return
	}
	for _, a := range w.active {
		if a == name {
			return
		}
	}
	w.active = append(w.active, name)
	params := w.params
	w.params = true
	w.stmt(body)
	w.params = params
	w.active = w.active[:len(w.active)-1]
}
