package effect

import (
	"maps"
	"slices"

	"mvdan.cc/sh/v3/syntax"

	"tenet/core/call"
)

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
		before := w.dirs
		w.stmt(c.X)
		w.maybe(func() { w.behind(c, before) })
	case syntax.Pipe, syntax.PipeAll:
		at := len(w.commands)
		w.inSubshell(func() { w.stmt(c.X) })
		w.piped(c.X, at)
		w.inSubshell(func() { w.stmt(c.Y) })
		w.guessed(func() { w.feed(c.X, c.Y) })
	default:
		w.strictest()
	}
}

// behind walks the right side of && or ||. Behind a cd and && the shell is where that
// led: had it failed, nothing would run there.
func (w *walker) behind(c *syntax.BinaryCmd, before []string) {
	all := w.dirs
	if c.Op == syntax.AndStmt && len(all) > len(before) && endsInCd(c.X) {
		w.dirs = all[len(before):]
	}
	w.stmt(c.Y)
	for _, d := range all {
		if !slices.Contains(w.dirs, d) {
			w.dirs = append(w.dirs[:len(w.dirs):len(w.dirs)], d)
		}
	}
}

func endsInCd(st *syntax.Stmt) bool {
	switch c := st.Cmd.(type) {
	case *syntax.BinaryCmd:
		return c.Op == syntax.AndStmt && endsInCd(c.Y)
	case *syntax.CallExpr:
		return !st.Negated && !st.Background && !st.Coprocess && len(c.Args) > 0 && c.Args[0].Lit() == "cd"
	}
	return false
}

// piped says what arrives on the input of the right side of a pipe: at is how many
// commands were kept before the left side.
func (w *walker) piped(x *syntax.Stmt, at int) {
	w.site.fed = call.Hole
	if len(w.commands) > at {
		if name := w.commands[len(w.commands)-1].Name(); name != "" {
			w.site.fed = name
		}
	}
	w.guessed(func() { w.site.input, _ = w.output(x) })
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

// function is a function of the script.
type function struct {
	body   *syntax.Stmt
	called bool
}

// function walks a body where it is declared, for what it may do, and again at each
// call, with what is known there.
func (w *walker) function(c *syntax.FuncDecl) {
	w.exec("a function changes what a name means")
	names := c.Names
	if c.Name != nil {
		names = append(names, c.Name)
	}
	for _, n := range names {
		f := &function{body: c.Body}
		w.funcs[n.Value] = f
		w.bodies[n.Value] = append(w.bodies[n.Value], c.Body)
		w.guessed(func() { w.enter(n.Value, f, nil) })
	}
	if len(names) == 0 {
		w.enter("", &function{body: c.Body}, nil)
	}
}

// uncalled keeps the commands of functions that nothing in sight calls: a trap or
// another shell may.
func (w *walker) uncalled() {
	w.idle = true
	for _, name := range slices.Sorted(maps.Keys(w.funcs)) {
		if f := w.funcs[name]; !f.called {
			w.enter(name, f, nil)
		}
	}
}

// enter walks a body with the words of a call; nil for words that nobody knows.
func (w *walker) enter(name string, f *function, args []word) {
	if len(w.active) > maxDepth || slices.Contains(w.active, name) {
		return
	}
	f.called = f.called || w.guessing == 0
	w.active = append(w.active, name)
	params := w.params
	w.params = args == nil
	restore := positions(w.vars, args)
	w.stmt(f.body)
	restore()
	w.params = params
	w.active = w.active[:len(w.active)-1]
}

// positionNames are the parameters that a call sets.
var positionNames = [...]string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "@", "*"}

// positions sets the parameters of a call. What stands for all of them is known when
// there is one.
func positions(vars map[string]value, args []word) (restore func()) {
	before := map[string]value{}
	for i, name := range positionNames {
		if v, set := vars[name]; set {
			before[name] = v
		}
		delete(vars, name)
		switch {
		case i < len(args) && i < 9:
			vars[name] = value{text: args[i].text, known: args[i].sure == exact}
		case i >= 9 && len(args) == 1:
			vars[name] = vars["1"]
		case i >= 9 && len(args) > 1:
			vars[name] = value{}
		}
	}
	return func() {
		for _, name := range positionNames {
			delete(vars, name)
		}
		maps.Copy(vars, before)
	}
}
