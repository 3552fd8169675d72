package effect

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"tenet/core/call"
)

// maxJudged bounds the commands judged in one script, those inside loops, functions
// and quoted scripts counted each time. What lies beyond is judged at its strictest:
// a bound that let something pass would be an invitation.
const maxJudged = 2000

// Whole is what a script may do that is one step: exec, and every effect of every
// command it holds, wherever it stands (S7.8).
func Whole(f *syntax.File, look Look) Finding {
	s := scene{look: look}
	s.exec("the script is run as one step by bash")
	s.file(f)
	return s.finding()
}

// Every is what the commands of a script may do together, without the exec of a
// script that runs as one step: the effects of its plan before anything is expanded.
func Every(f *syntax.File, look Look) Finding {
	s := scene{look: look}
	s.file(f)
	return s.finding()
}

// file walks a whole script.
func (s *scene) file(f *syntax.File) {
	w := walker{scene: s, vars: map[string]value{}, dirs: []string{""}, funcs: map[string]*syntax.Stmt{}, alias: map[string][]word{}}
	w.stmts(f.Stmts)
}

// script walks a script that stands in a word. A text that is none is only exec.
func (s *scene) script(text string) {
	if s.depth >= maxDepth {
		s.strictest()
		return
	}
	f, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), "")
	if err != nil {
		s.exec("a word may be a script that cannot be read")
		return
	}
	s.depth++
	s.file(f)
	s.depth--
}

// strictest is what a script is taken for when it passes a bound.
func (s *scene) strictest() {
	s.add(call.Grantable)
	s.part.Secret = true
	s.note("the script is too large or too deep to be judged")
}

// walker visits every node of a script and keeps what is known of its variables and
// of the directories a command may run in.
type walker struct {
	*scene
	vars  map[string]value
	funcs map[string]*syntax.Stmt
	// alias is what a name may stand for besides itself.
	alias map[string][]word
	// dirs are the directories the next command may run in, as written from the
	// script's own; a cd that fails leaves the old one, so both count.
	dirs []string
	// lost is true when a directory is known only when the script runs.
	lost bool
	// params is true where $1 and $@ may have values.
	params bool
	// active are the functions being walked, so that recursion ends.
	active []string
}

// value is what is known of a variable.
type value struct {
	text  string
	known bool
}

const maxDirs = 6

func (w *walker) stmts(list []*syntax.Stmt) {
	for _, s := range list {
		w.stmt(s)
	}
}

// stmt visits one statement: its command and every redirection on it, whatever kind
// of command that is, and also when there is none.
func (w *walker) stmt(st *syntax.Stmt) {
	for _, r := range st.Redirs {
		w.redirection(r, st.Cmd)
	}
	if st.Background || st.Coprocess || st.Disown {
		w.inSubshell(func() { w.command(st.Cmd) })
		return
	}
	w.command(st.Cmd)
}

// command visits one command. Every kind stands here; a kind that a later parser
// adds is judged at its strictest, and a test fails.
func (w *walker) command(c syntax.Command) {
	switch c := c.(type) {
	case nil:
	case *syntax.CallExpr:
		w.call(c)
	case *syntax.IfClause:
		w.ifClause(c)
	case *syntax.WhileClause:
		w.loop(func() { w.stmts(c.Cond); w.stmts(c.Do) }, c)
	case *syntax.ForClause:
		w.forClause(c)
	case *syntax.CaseClause:
		w.caseClause(c)
	case *syntax.Block:
		w.stmts(c.Stmts)
	case *syntax.Subshell:
		w.inSubshell(func() { w.stmts(c.Stmts) })
	case *syntax.BinaryCmd:
		w.binary(c)
	case *syntax.FuncDecl:
		w.function(c)
	case *syntax.ArithmCmd:
		w.arithm(c.X)
	case *syntax.TestClause:
		w.test(c.X)
	case *syntax.DeclClause:
		w.declare(c)
	case *syntax.LetClause:
		w.exec("let evaluates its text")
		for _, e := range c.Exprs {
			w.arithm(e)
		}
	case *syntax.TimeClause:
		if c.Stmt != nil {
			w.stmt(c.Stmt)
		}
	case *syntax.CoprocClause:
		w.exec("coproc starts a process")
		if c.Name != nil {
			w.fields(c.Name)
		}
		w.inSubshell(func() { w.stmt(c.Stmt) })
	case *syntax.TestDecl:
		w.fields(c.Description)
		w.inSubshell(func() { w.stmt(c.Body) })
	default:
		w.strictest()
	}
}

// call judges a simple command in every directory it may run in.
func (w *walker) call(c *syntax.CallExpr) {
	var argv []word
	for _, a := range c.Args {
		argv = append(argv, w.fields(a)...)
	}
	for _, a := range c.Assigns {
		w.assign(a, len(argv) == 0)
	}
	if len(c.Assigns) > 0 {
		w.exec("an assignment can make a command run another program")
	}
	if len(argv) == 0 {
		if len(c.Args) > 0 {
			w.exec("the program is known only when it runs")
		}
		return
	}
	if w.judged++; w.judged > maxJudged {
		w.strictest()
		return
	}
	w.everywhere(func(s *scene) { s.runs(argv) })
	if as := w.alias[argv[0].text]; as != nil {
		w.everywhere(func(s *scene) { s.runs(append(as[:len(as):len(as)], argv[1:]...)) })
	}
	w.follow(argv)
}

// everywhere runs a judgement from each directory the script may be in.
func (w *walker) everywhere(judge func(*scene)) {
	look := w.look
	for _, d := range w.dirs {
		w.scene.in(d)
		judge(w.scene)
		w.look = look
	}
	if w.lost && w.part.Own.Has(call.Write) {
		w.add(call.Of(call.Outside, call.Protected))
	}
}

// follow keeps track of what a command changes in the shell itself.
func (w *walker) follow(argv []word) {
	name := argv[0].text
	if body := w.funcs[name]; body != nil {
		w.enter(name, body)
	}
	switch name {
	case "cd", "pushd":
		w.cd(argv[1:])
	case "popd":
		w.lost = true
	case "alias":
		w.aliases(argv[1:])
	case "read", "mapfile", "readarray", "getopts", "unset", "printf", "let":
		for _, a := range argv[1:] {
			w.forget(a.text)
		}
	case "set", "shift":
		w.params = true
	case "eval", "source", ".":
		w.vars = map[string]value{}
		w.lost = true
	}
}

// aliases keeps what alias defines. A shell that runs a script does not expand them
// unless an option says so, and then a name means both.
func (w *walker) aliases(words []word) {
	for _, a := range words {
		name, text, ok := strings.Cut(a.text, "=")
		if ok && a.sure == exact && len(strings.Fields(text)) > 0 {
			w.alias[name] = exactWords(strings.Fields(text))
		}
	}
}

// cd adds the new directory: where "-" leads is already among the old ones.
func (w *walker) cd(words []word) {
	to := word{text: ""}
	for _, a := range words {
		if a.text == "-" || !a.option() {
			to = a
		}
	}
	switch {
	case to.text == "-" && to.sure == exact:
		return
	case to.text == "" && to.sure == exact:
		to.text, _ = w.look.Home("")
	}
	if to.sure != exact || len(w.dirs) >= maxDirs {
		w.lost = true
		return
	}
	for _, d := range w.dirs {
		w.dirs = append(w.dirs[:len(w.dirs):len(w.dirs)], join(d, to.text))
	}
}

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

// redirection judges one redirection and what stands in a here-document: a shell
// that reads one runs it.
func (w *walker) redirection(r *syntax.Redirect, cmd syntax.Command) {
	if r.N != nil && strings.HasPrefix(r.N.Value, "{") {
		w.exec("a redirection stores a descriptor in a variable")
	}
	words := w.fields(r.Word)
	switch r.Op {
	case syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
		if r.Hdoc != nil {
			words = w.document(r.Hdoc)
		}
		w.feeds(words, cmd)
		return
	case syntax.DplIn, syntax.DplOut:
		if len(words) == 1 && descriptor(words[0].text) {
			return
		}
		w.targets(ReadWrite, words)
	case syntax.RdrIn:
		w.targets(In, words)
	case syntax.RdrInOut:
		w.targets(ReadWrite, words)
	case syntax.RdrOut, syntax.RdrClob, syntax.AppOut, syntax.AppClob, syntax.RdrAll, syntax.RdrAllClob, syntax.AppAll, syntax.AppAllClob:
		w.targets(Out, words)
	default:
		w.strictest()
	}
}

func (w *walker) targets(op RedirOp, words []word) {
	if len(words) == 0 {
		words = []word{{sure: unknown}}
	}
	for _, t := range words {
		w.everywhere(func(s *scene) { s.redirect(op, t) })
	}
}

func descriptor(text string) bool {
	return strings.Trim(text, "0123456789-") == "" && text != ""
}

// feeds judges a text that a command reads: a shell runs it.
func (w *walker) feeds(words []word, cmd syntax.Command) {
	if !runsInput(cmd) {
		return
	}
	for _, t := range words {
		if t.sure == exact {
			w.script(t.text)
		}
	}
}

// runsInput reports whether a command is a shell, or a wrapper around one.
func runsInput(cmd syntax.Command) bool {
	c, ok := cmd.(*syntax.CallExpr)
	if !ok {
		return false
	}
	for _, a := range c.Args {
		name := a.Lit()
		switch name[strings.LastIndexByte(name, '/')+1:] {
		case "sh", "bash", "dash", "ash", "zsh", "ksh", "mksh", "source", ".":
			return true
		}
	}
	return false
}

// fed judges what echo and printf send down a pipe: to a shell it is a script, to
// xargs the words of a command.
func (w *walker) fed(from, to *syntax.Stmt) {
	x, ok := from.Cmd.(*syntax.CallExpr)
	if !ok || len(x.Args) < 2 || x.Args[0].Lit() != "echo" && x.Args[0].Lit() != "printf" {
		return
	}
	for _, a := range x.Args[1:] {
		words := w.fields(a)
		w.feeds(words, to.Cmd)
		w.appended(words, to.Cmd)
	}
}

// appended judges a command that xargs completes.
func (w *walker) appended(words []word, cmd syntax.Command) {
	c, ok := cmd.(*syntax.CallExpr)
	if !ok || len(c.Args) == 0 || c.Args[0].Lit() != "xargs" {
		return
	}
	var argv []word
	for _, a := range c.Args {
		argv = append(argv, w.fields(a)...)
	}
	for _, t := range words {
		for f := range strings.FieldsSeq(ansi(t.text)) {
			argv = append(argv, word{text: f, sure: t.sure})
		}
	}
	w.everywhere(func(s *scene) { s.runs(argv) })
}
