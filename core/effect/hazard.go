package effect

import (
	"slices"

	"mvdan.cc/sh/v3/syntax"

	"tenet/core/call"
)

// bomb looks for a fork bomb behind a call: a function that starts itself twice at
// once, at least once in a pipeline or in the background, or once in a loop, itself or
// through others.
func (w *walker) bomb(name string) {
	if w.guessing > 0 || w.idle || slices.Contains(w.hazards, call.HazardForkBomb) {
		return
	}
	for f := range w.reach(name) {
		if w.forks(f) {
			w.hazards = append(w.hazards, call.HazardForkBomb)
			w.note("the function %q starts itself twice at once, without an end", cited(f))
			return
		}
	}
}

// forks reports whether the body of a function starts it at least twice, once beside
// the shell.
func (w *walker) forks(name string) bool {
	count := starts{w: w, name: name, reaches: map[string]bool{}}
	count.in(w.funcs[name].body, false, 1)
	return count.all > 1 && count.beside > 0
}

// reach is the functions that a call of one may enter.
func (w *walker) reach(name string) map[string]bool {
	seen := map[string]bool{}
	var visit func(string)
	visit = func(n string) {
		f := w.funcs[n]
		if f == nil || seen[n] {
			return
		}
		seen[n] = true
		anyCall(f.body, func(c *syntax.CallExpr) bool {
			if len(c.Args) > 0 {
				visit(plainText(c.Args[0]))
			}
			return false
		})
	}
	visit(name)
	return seen
}

// starts counts how often a function is started again: in all, and beside the shell.
type starts struct {
	w           *walker
	name        string
	reaches     map[string]bool
	all, beside int
}

// again reports whether a call leads back to the function.
func (c *starts) again(name string) bool {
	if yes, known := c.reaches[name]; known {
		return yes
	}
	c.reaches[name] = c.w.reach(name)[c.name]
	return c.reaches[name]
}

// in counts what runs whenever the node does: a call behind a condition has an end.
func (c *starts) in(n syntax.Node, beside bool, times int) {
	switch n := n.(type) {
	case *syntax.Stmt:
		if n.Cmd != nil {
			c.in(n.Cmd, beside || n.Background, times)
		}
	case *syntax.BinaryCmd:
		pipe := n.Op == syntax.Pipe || n.Op == syntax.PipeAll
		c.in(n.X, beside || pipe, times)
		if pipe {
			c.in(n.Y, true, times)
		}
	case *syntax.Block:
		c.list(n.Stmts, beside, times)
	case *syntax.Subshell:
		c.list(n.Stmts, beside, times)
	case *syntax.WhileClause:
		if endless(n) {
			times = 2
		}
		c.list(n.Cond, beside, times)
		if times == 2 {
			c.list(n.Do, beside, times)
		}
	case *syntax.CallExpr:
		c.count(n, beside, times)
	}
}

func (c *starts) list(stmts []*syntax.Stmt, beside bool, times int) {
	for _, st := range stmts {
		c.in(st, beside, times)
	}
}

// endless reports whether a loop's condition always holds.
func endless(n *syntax.WhileClause) bool {
	if len(n.Cond) != 1 {
		return false
	}
	call, ok := n.Cond[0].Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) != 1 {
		return false
	}
	name := call.Args[0].Lit()
	return (name == ":" || name == "true") && !n.Until || name == "false" && n.Until
}

func (c *starts) count(n *syntax.CallExpr, beside bool, times int) {
	if len(n.Args) == 0 || !c.again(plainText(n.Args[0])) {
		return
	}
	c.all += times
	if beside {
		c.beside += times
	}
}
