package effect

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"tenet/core/call"
)

// maxJudged bounds the statements judged in one script, those inside loops, functions
// and quoted scripts counted each time. What lies beyond is judged at its strictest:
// a bound that let something pass would be an invitation.
const maxJudged = 2000

// maxTextBytes bounds the texts in words that are read as scripts, each time one is.
const maxTextBytes = 1 << 19

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
func (s *scene) file(f *syntax.File) { s.fileWith(f, map[string]value{}) }

// fileWith walks a script that starts with some variables.
func (s *scene) fileWith(f *syntax.File, vars map[string]value) {
	w := walker{scene: s, vars: vars, dirs: []string{""}, funcs: map[string]*function{}, bodies: map[string][]*syntax.Stmt{}, entered: map[string]bool{}, alias: map[string][]word{}}
	outer := s.shell
	s.shell = &w
	w.stmts(f.Stmts)
	w.uncalled()
	w.bombs()
	s.shell = outer
}

// script walks a script that stands in a word. A text that is none is only exec.
func (s *scene) script(text string) { s.scriptWith(text, map[string]value{}) }

func (s *scene) scriptWith(text string, vars map[string]value) {
	s.scriptBytes += len(text)
	if s.judged++; s.depth >= maxDepth || s.judged > maxJudged || s.scriptBytes > maxTextBytes {
		s.strictest()
	}
	if s.over {
		return
	}
	f, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), "")
	if err != nil {
		s.exec("a word may be a script that cannot be read")
		s.obscure()
		return
	}
	within, only := s.within, s.only
	s.depth, s.within, s.only = s.depth+1, false, false
	s.fileWith(f, vars)
	s.depth, s.within, s.only = s.depth-1, within, only
}

// strictest is what a script is taken for when it passes a bound.
func (s *scene) strictest() {
	s.read, s.over = call.Obfuscated, true
	s.add(call.Grantable)
	s.part.Secret = true
	s.note("the script is too large or too deep to be judged")
}

// walker visits every node of a script and keeps what is known of its variables and
// of the directories a command may run in.
type walker struct {
	*scene
	vars  map[string]value
	funcs map[string]*function
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
	// expands is true once the shell was told to expand aliases.
	expands bool
	// blind is true once a text that nobody read may have set any variable.
	blind bool
	// bodies are all that a function's name ever meant, entered those that were called.
	bodies  map[string][]*syntax.Stmt
	entered map[string]bool
	// traced counts how often an output was followed, see maxTraced.
	traced int
	// idle is true while bodies are walked that nothing in sight calls.
	idle bool
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
	if w.judged++; w.judged > maxJudged {
		w.strictest()
	}
	if w.over {
		return
	}
	around := w.site
	defer func() { w.site = around }()
	for _, r := range st.Redirs {
		w.redirection(r, st.Cmd)
	}
	if st.Cmd == nil && len(w.outs) > len(around.outs) {
		w.everywhere(func(s *scene) { s.keep([]word{{text: ":"}}) })
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
	if several(c) {
		w.compound()
	}
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

// several reports whether a command is more than one simple command.
func several(c syntax.Command) bool {
	switch c.(type) {
	case nil, *syntax.CallExpr, *syntax.DeclClause, *syntax.TestClause, *syntax.ArithmCmd, *syntax.LetClause, *syntax.TimeClause:
		return false
	}
	return true
}

// call judges a simple command in every directory it may run in.
func (w *walker) call(c *syntax.CallExpr) {
	var argv []word
	for _, a := range c.Args {
		argv = append(argv, w.fields(a)...)
	}
	around := w.site
	if len(c.Assigns) > 0 {
		w.given = copied(w.given)
	}
	for _, a := range c.Assigns {
		if v := w.assign(a, len(argv) == 0); len(argv) > 0 {
			w.prefix(a, v)
		}
	}
	if len(c.Assigns) > 0 {
		w.exec("an assignment can make a command run another program")
	}
	if len(argv) == 0 {
		if len(c.Args) > 0 {
			w.exec("the program is known only when it runs")
			w.obscure()
		}
		return
	}
	w.substituted(c)
	w.everywhere(func(s *scene) { s.perform(argv) })
	w.site = around
	w.guessed(func() {
		w.handed(c)
		if as := w.alias[argv[0].text]; as != nil {
			w.everywhere(func(s *scene) { s.runs(append(as[:len(as):len(as)], argv[1:]...)) })
		}
	})
	w.aliased(argv)
	w.follow(argv)
}

// prefix keeps an assignment that stands before a command.
func (w *walker) prefix(a *syntax.Assign, v value) {
	if a.Name == nil {
		return
	}
	w.around(assignment(a.Name.Value, v).shown())
	w.given[a.Name.Value] = v
}

// guessed judges what may run, and is not known to.
func (s *scene) guessed(judge func()) {
	s.guessing++
	judge()
	s.guessing--
}

// everywhere runs a judgement from each directory the script may be in.
func (w *walker) everywhere(judge func(*scene)) {
	look, unplaced := w.look, w.unplaced
	w.unplaced = unplaced || w.lost
	for _, d := range w.dirs {
		w.scene.in(d)
		judge(w.scene)
		w.look = look
	}
	w.unplaced = unplaced
	if w.lost && w.part.Own.Has(call.Write) {
		w.add(call.Of(call.Outside, call.Protected))
	}
}
