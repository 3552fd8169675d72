package effect

import (
	"maps"
	"slices"

	"mvdan.cc/sh/v3/syntax"

	"tenet/core/call"
)

// bombs looks for a fork bomb in a script that was walked: a function that is called
// and starts itself twice at once, in a pipeline, in the background or in an endless
// loop, itself or through others that call it in turn.
func (w *walker) bombs() {
	if w.guessing > 0 || len(w.entered) == 0 || slices.Contains(w.hazards, call.HazardForkBomb) {
		return
	}
	rings := w.rings()
	for _, name := range slices.Sorted(maps.Keys(w.reach())) {
		for _, body := range w.bodies[name] {
			count := starts{rings: rings, ring: rings[name]}
			count.in(body, false, 1)
			if count.all > 1 && count.beside > 0 {
				w.hazards = append(w.hazards, call.HazardForkBomb)
				w.note("the function %q starts itself twice at once, without an end", cited(name))
				return
			}
		}
	}
}

// callees is the functions that the bodies of one call.
func (w *walker) callees(name string) (out []string) {
	for _, body := range w.bodies[name] {
		anyCall(body, func(c *syntax.CallExpr) bool {
			if len(c.Args) > 0 {
				if to := plainText(c.Args[0]); w.bodies[to] != nil {
					out = append(out, to)
				}
			}
			return false
		})
	}
	return out
}

// reach is the functions that run when those that were called do.
func (w *walker) reach() map[string]bool {
	seen := map[string]bool{}
	next := slices.Sorted(maps.Keys(w.entered))
	for len(next) > 0 {
		name := next[len(next)-1]
		next = next[:len(next)-1]
		if !seen[name] {
			seen[name] = true
			next = append(next, w.callees(name)...)
		}
	}
	return seen
}

// rings numbers the functions so that those which lead back to each other have one
// number (Tarjan's strongly connected components).
func (w *walker) rings() map[string]int {
	r := rings{w: w, index: map[string]int{}, low: map[string]int{}, ring: map[string]int{}}
	for _, name := range slices.Sorted(maps.Keys(w.bodies)) {
		if r.index[name] == 0 {
			r.visit(name)
		}
	}
	return r.ring
}

type rings struct {
	w                *walker
	index, low, ring map[string]int
	stack            []string
}

func (r *rings) visit(name string) {
	r.index[name] = len(r.index) + 1
	r.low[name] = r.index[name]
	r.stack = append(r.stack, name)
	for _, to := range r.w.callees(name) {
		switch {
		case r.index[to] == 0:
			r.visit(to)
			r.low[name] = min(r.low[name], r.low[to])
		case r.ring[to] == 0:
			r.low[name] = min(r.low[name], r.index[to])
		}
	}
	if r.low[name] != r.index[name] {
		return
	}
	for at := len(r.stack) - 1; ; at-- {
		r.ring[r.stack[at]] = r.index[name]
		if r.stack[at] == name {
			r.stack = r.stack[:at]
			return
		}
	}
}

// starts counts how often the functions of one ring are started: in all, and beside
// the shell.
type starts struct {
	rings       map[string]int
	ring        int
	all, beside int
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
	if len(n.Args) == 0 || c.rings[plainText(n.Args[0])] != c.ring {
		return
	}
	c.all += times
	if beside {
		c.beside += times
	}
}
