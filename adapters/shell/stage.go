package shell

import (
	"fmt"
	"path/filepath"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"

	"tenet/core/call"
	"tenet/core/effect"
	"tenet/core/script"
)

// stage is one command of a pipeline, expanded: nothing of it is open or started.
type stage struct {
	argv []string
	// marked is argv before its patterns were expanded, everything quoted in it marked.
	marked  []string
	assigns []assign
	redirs  []redirect
	// env are NAME=VALUE entries that the step gets besides, over all others.
	env  []string
	line uint
	step call.Step
	// shown is the step's text where it is not that of its words.
	shown string
	// act is set when the command runs in this process.
	act act
	// path is the program when it does not.
	path string
	// missing says why there is no program.
	missing *missing
	// bad is an expansion that failed; the stage then only reports it.
	bad    string
	status int
}

type redirect struct {
	op   effect.RedirOp
	path string
	// marked is the path before its pattern was expanded.
	marked string
	// bad is why there is no path, to be said when its turn comes.
	bad string
}

// expand turns a statement into words. Redirections are expanded after the words
// and assignments last, as bash does.
func (r *run) expand(st *stage, s *syntax.Stmt) {
	st.line = s.Pos().Line()
	cfg := &expand.Config{Env: &parameters{r.vars, r.status}}
	defer func() { r.vars.over = nil }()
	switch c := s.Cmd.(type) {
	case *syntax.CallExpr:
		marked, err := r.fields(cfg, c.Args...)
		if err != nil {
			st.bad = err.Error()
		}
		st.marked = marked
		for _, m := range marked {
			st.argv = append(st.argv, r.glob(m)...)
		}
		r.expandRedirects(cfg, st, s)
		for _, a := range c.Assigns {
			st.assigns = append(st.assigns, assign{a.Name.Value, r.literal(cfg, st, a.Value)})
			r.vars.over = st.assigns
		}
	case *syntax.DeclClause:
		st.argv, st.marked = []string{"export"}, []string{"export"}
		for _, a := range c.Args {
			word := a.Name.Value
			if !a.Naked {
				word += "=" + r.literal(cfg, st, a.Value)
			}
			st.argv = append(st.argv, word)
			st.marked = append(st.marked, script.Quoted(word))
		}
		r.expandRedirects(cfg, st, s)
	default:
		r.expandRedirects(cfg, st, s)
	}
}

func (r *run) literal(cfg *expand.Config, st *stage, w *syntax.Word) string {
	if w == nil {
		return ""
	}
	s, err := expand.Literal(cfg, unescaped(w))
	if err != nil {
		st.bad = err.Error()
	}
	return s
}

// unescaped is the word with each backslash outside of quotes taken for what it is, a
// quote around one character: expand.Literal leaves such a backslash in the value.
func unescaped(w *syntax.Word) *syntax.Word {
	out := &syntax.Word{}
	for _, p := range w.Parts {
		lit, ok := p.(*syntax.Lit)
		if !ok {
			out.Parts = append(out.Parts, p)
			continue
		}
		rest := lit.Value
		for at := strings.IndexByte(rest, '\\'); at >= 0 && at+1 < len(rest); at = strings.IndexByte(rest, '\\') {
			out.Parts = append(out.Parts, &syntax.Lit{Value: rest[:at]}, &syntax.SglQuoted{Value: rest[at+1 : at+2]})
			rest = rest[at+2:]
		}
		out.Parts = append(out.Parts, &syntax.Lit{Value: rest})
	}
	return out
}

func (r *run) expandRedirects(cfg *expand.Config, st *stage, s *syntax.Stmt) {
	for _, rd := range s.Redirs {
		x := redirect{op: operator(rd)}
		if x.op == effect.Dup {
			x.path = "1"
		} else if marked, err := r.fields(cfg, rd.Word); err != nil {
			x.bad = err.Error()
		} else {
			r.aim(&x, rd.Word, marked)
		}
		st.redirs = append(st.redirs, x)
	}
}

// aim finds the one file of a redirection.
func (r *run) aim(x *redirect, w *syntax.Word, marked []string) {
	var names []string
	for _, m := range marked {
		names = append(names, r.glob(m)...)
	}
	if len(names) != 1 {
		x.bad = r.script.Source(w) + ": ambiguous redirect"
		return
	}
	x.path, x.marked = names[0], marked[0]
}

// operator maps the redirections of the step grammar; script.Parse lets no other pass.
func operator(r *syntax.Redirect) effect.RedirOp {
	err := r.N != nil && r.N.Value == "2"
	switch {
	case r.Op == syntax.RdrIn:
		return effect.In
	case r.Op == syntax.RdrAll:
		return effect.Both
	case r.Op == syntax.DplOut:
		return effect.Dup
	case r.Op == syntax.AppOut && err:
		return effect.ErrAppend
	case r.Op == syntax.AppOut:
		return effect.Append
	case err:
		return effect.ErrOut
	default:
		return effect.Out
	}
}

// where begins the message of a stage that could not run, in bash's words; a program
// without a script has no line.
func (st *stage) where() string {
	if st.line == 0 {
		return ""
	}
	return fmt.Sprintf("bash: line %d: ", st.line)
}

// abs is a path as seen from the script's directory.
func (r *run) abs(p string) string { return absIn(r.dir, p) }

func absIn(dir, p string) string {
	if filepath.IsAbs(p) {
		return p
	}
	// Not filepath.Join: link/.. is the parent of what the link leads to.
	return strings.TrimSuffix(dir, "/") + "/" + p
}

// command is the stage as the classifier sees it.
func (st *stage) command() effect.Command {
	c := effect.Command{Argv: st.argv}
	for _, a := range st.assigns {
		c.Assigns = append(c.Assigns, a.name+"="+a.value)
	}
	for _, rd := range st.redirs {
		if rd.bad == "" {
			c.Redirs = append(c.Redirs, effect.Redirect{Op: rd.op, Path: rd.path})
		}
	}
	return c
}

// all is every variable that the stage's program gets besides the script's.
func (st *stage) all() []assign {
	out := st.assigns
	for _, kv := range st.env {
		name, value, _ := strings.Cut(kv, "=")
		out = append(out[:len(out):len(out)], assign{name, value})
	}
	return out
}

// text is the stage as it runs, every word quoted so that bash reads it back.
func (st *stage) text() string { return st.inWords(st.argv, script.Shown, redirect.text) }

// written is the stage as it is judged: a pattern stands in it as a pattern.
func (st *stage) written() string {
	return st.inWords(st.marked, script.ShownField, redirect.written)
}

// inWords is the stage in one line, each word as shown says.
func (st *stage) inWords(argv []string, shown func(string) string, target func(redirect) string) string {
	if st.shown != "" {
		return st.shown
	}
	var words []string
	for _, a := range st.assigns {
		words = append(words, a.name+"="+script.Shown(a.value))
	}
	for i, w := range argv {
		name, value, assigns := strings.Cut(w, "=")
		switch {
		case i == 0 && !script.HasPattern(w):
			words = append(words, script.ShownName(script.Unquoted(w)))
		case argv[0] == "export" && assigns && validName(name):
			words = append(words, name+"="+shown(value))
		default:
			words = append(words, shown(w))
		}
	}
	for _, rd := range st.redirs {
		words = append(words, target(rd))
	}
	return strings.Join(words, " ")
}

var operators = [...]string{effect.In: "<", effect.Out: ">", effect.Append: ">>", effect.Both: "&>", effect.ErrOut: "2>", effect.ErrAppend: "2>>", effect.Dup: "2>&1"}

func (rd redirect) text() string { return rd.to(script.Shown(rd.path)) }

func (rd redirect) written() string { return rd.to(script.ShownField(rd.marked)) }

func (rd redirect) to(target string) string {
	switch {
	case rd.bad != "":
		return operators[rd.op] + " " + script.Shown(rd.bad)
	case rd.op == effect.Dup:
		return operators[rd.op]
	default:
		return operators[rd.op] + " " + target
	}
}
