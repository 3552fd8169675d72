package effect

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"tenet/core/call"
)

// variable is what is known of a variable: the script's own, else the environment's.
func (w *walker) variable(name string) (v value, set bool) {
	if v, ok := w.vars[name]; ok {
		return v, true
	}
	switch name {
	case "PWD":
		return w.workingDir(), true
	case "IFS":
		return value{text: " \t\n", known: true}, true
	case "?", "#", "$", "!", "RANDOM", "SECONDS", "LINENO", "UID", "EUID", "PPID":
		return value{text: "0", known: true}, true
	case "@", "*", "1", "2", "3", "4", "5", "6", "7", "8", "9":
		return value{known: !w.params}, !w.params && false
	case "0", "-", "_", "REPLY", "OPTARG", "OPTIND", "PIPESTATUS", "FUNCNAME", "GROUPS", "DIRSTACK", "SHLVL", "SHELLOPTS", "HOSTNAME", "OSTYPE", "HOSTTYPE", "MACHTYPE":
		return value{}, true
	}
	if strings.HasPrefix(name, "BASH") {
		return value{}, true
	}
	if w.blind {
		return value{}, true
	}
	text, set := w.look.Var(name)
	return value{text: text, known: true}, set
}

// workingDir is the directory that the shell is in, as far as that is known.
func (w *walker) workingDir() value {
	if len(w.dirs) != 1 || w.lost || w.unplaced {
		return value{}
	}
	if w.dirs[0] == "" {
		return value{text: w.look.Dir().Real.Path, known: true}
	}
	return value{text: w.look.Word(w.dirs[0]).Real.Path, known: true}
}

func (w *walker) forget(name string) {
	name, _, _ = strings.Cut(name, "[")
	if name != "" && name[0] != '-' {
		w.vars[name] = value{}
	}
}

// assign visits an assignment and keeps its value when it lasts and is known.
func (w *walker) assign(a *syntax.Assign, lasts bool) value {
	if a.Index != nil {
		w.arithm(a.Index)
	}
	if a.Array != nil {
		for _, e := range a.Array.Elems {
			if e.Index != nil {
				w.arithm(e.Index)
			}
			w.everywhere(func(s *scene) { s.loose(w.fields(e.Value)) })
		}
	}
	v := value{known: a.Array == nil && a.Index == nil && !a.Append}
	if a.Value != nil {
		words := w.document(a.Value)
		if f := w.fields(a.Value); len(f) == 1 && f[0].sure == exact {
			words = f
		}
		w.everywhere(func(s *scene) { s.loose(words) })
		v.known = v.known && len(words) < 2 && (len(words) == 0 || words[0].sure == exact)
		if len(words) > 0 {
			v.text = words[0].text
		}
	}
	if a.Name != nil {
		w.runsLater(a.Name.Value, v)
		if lasts || a.Value == nil {
			w.vars[a.Name.Value] = v
		}
	}
	return v
}

// runsLater reads the text of a variable that the shell runs by itself.
func (w *walker) runsLater(name string, v value) {
	switch name {
	case "PROMPT_COMMAND", "PS0", "PS1", "PS2", "PS4":
		if !v.known {
			w.obscure()
			return
		}
		text := v.text
		if name != "PROMPT_COMMAND" {
			text = ": \"" + text + "\""
		}
		w.through(name, func() { w.script(text) })
	case "BASH_ENV", "ENV":
		w.obscure()
	}
}

// declare judges declare and its kin as the command they are, values included.
func (w *walker) declare(c *syntax.DeclClause) {
	argv := []word{{text: c.Variant.Value}}
	shown := []word{argv[0]}
	for _, a := range c.Args {
		if a.Name == nil {
			fields := w.fields(a.Value)
			argv, shown = append(argv, fields...), append(shown, fields...)
			continue
		}
		name := word{text: a.Name.Value}
		argv = append(argv, name)
		if a.Naked {
			shown = append(shown, name)
			w.forget(name.text)
			if a.Index != nil {
				w.arithm(a.Index)
			}
			continue
		}
		shown = append(shown, assignment(name.text, w.assign(a, true)))
	}
	w.everywhere(func(s *scene) {
		s.keep(shown)
		s.runs(argv)
	})
}

// assignment is an assignment as one word.
func assignment(name string, v value) word {
	if !v.known {
		return planned(name + "=" + call.Hole)
	}
	return word{text: name + "=" + v.text}
}

// param adds what a parameter expansion becomes.
func (w *walker) param(b *builder, p *syntax.ParamExp, quoted bool) {
	w.insides(p)
	w.cut(p)
	if !plainParam(p) {
		w.obscure()
	}
	if p.Length || p.Width || p.Param != nil && p.Exp == nil && counts(p.Param.Value) {
		b.standIn("0", call.Hole)
		return
	}
	if p.Param == nil || p.Exp == nil && !plainParam(p) || p.Excl || p.Index != nil || p.NestedParam != nil {
		b.lost()
		return
	}
	v, set := w.variable(p.Param.Value)
	if p.Exp != nil {
		w.expansion(b, p, v, set, quoted)
		return
	}
	if set && !v.known || !set && w.params && positional(p.Param.Value) {
		b.lost()
		return
	}
	w.substitute(b, v.text, quoted)
}

// counts reports whether a parameter is always a number that nobody sets.
func counts(name string) bool {
	switch name {
	case "?", "#", "$", "!", "RANDOM", "SECONDS", "LINENO", "UID", "EUID", "PPID":
		return true
	}
	return false
}

// plainParam is $NAME or ${NAME}.
func plainParam(p *syntax.ParamExp) bool {
	return p.Param != nil && !p.Length && !p.Width && !p.Excl && p.Index == nil && p.Slice == nil && p.Repl == nil && p.Names == 0 && p.Flags == nil && p.NestedParam == nil && !p.IsSet && len(p.Modifiers) == 0 && p.Exp == nil
}

func positional(name string) bool {
	return name == "@" || name == "*" || name != "" && strings.Trim(name, "0123456789") == ""
}

// insides visits what a parameter expansion holds.
func (w *walker) insides(p *syntax.ParamExp) {
	if p.NestedParam != nil {
		w.piece(&builder{}, p.NestedParam, true, false)
	}
	if p.Index != nil {
		w.arithm(p.Index)
	}
	if p.Slice != nil {
		for _, e := range []syntax.ArithmExpr{p.Slice.Offset, p.Slice.Length} {
			if e != nil {
				w.arithm(e)
			}
		}
	}
	if p.Repl != nil {
		w.fields(p.Repl.Orig)
		w.fields(p.Repl.With)
	}
	if p.Exp != nil {
		w.fields(p.Exp.Word)
	}
}

// choice is what an expansion with an operator becomes.
type choice uint8

const (
	itsValue choice = iota // the variable's value
	itsWord                // the word behind the operator
	nothing                // no text
	notKnown               // known only when it runs
)

// choose is the choice of ${X:-word} and its kin; what changes the value is not followed.
func choose(op syntax.ParExpOperator, set, empty bool) choice {
	pick := func(here bool, yes, no choice) choice {
		if here {
			return yes
		}
		return no
	}
	switch op {
	case syntax.DefaultUnset, syntax.AssignUnset:
		return pick(set, itsValue, itsWord)
	case syntax.DefaultUnsetOrNull, syntax.AssignUnsetOrNull:
		return pick(set && !empty, itsValue, itsWord)
	case syntax.AlternateUnset:
		return pick(set, itsWord, nothing)
	case syntax.AlternateUnsetOrNull:
		return pick(set && !empty, itsWord, nothing)
	case syntax.ErrorUnset:
		return pick(set, itsValue, notKnown)
	case syntax.ErrorUnsetOrNull:
		return pick(set && !empty, itsValue, notKnown)
	case syntax.RemSmallSuffix, syntax.RemLargeSuffix, syntax.RemSmallPrefix, syntax.RemLargePrefix, syntax.MatchEmpty, syntax.ArrayExclude,
		syntax.ArrayIntersect, syntax.UpperFirst, syntax.UpperAll, syntax.LowerFirst, syntax.LowerAll, syntax.OtherParamOps:
		return notKnown
	}
	return notKnown
}

// expansion adds what an expansion with an operator becomes. An assignment in it
// leaves the variable unknown.
func (w *walker) expansion(b *builder, p *syntax.ParamExp, v value, set, quoted bool) {
	if set && !v.known || !set && w.params && positional(p.Param.Value) {
		b.lost()
		return
	}
	picked := choose(p.Exp.Op, set, v.text == "")
	if op := p.Exp.Op; picked == itsWord && (op == syntax.AssignUnset || op == syntax.AssignUnsetOrNull) {
		w.vars[p.Param.Value] = w.constant(p.Exp.Word)
	}
	switch picked {
	case itsValue:
		w.substitute(b, v.text, quoted)
	case itsWord:
		w.alternative(b, p.Exp.Word, quoted)
	case nothing:
	case notKnown:
		if ends(p.Exp.Op, v, set) {
			b.lostAs("${" + p.Param.Value + ":?}") // bash ends here: the word never comes to be
			return
		}
		b.lost()
	}
}

// constant is what a word becomes when all of it is known.
func (w *walker) constant(sw *syntax.Word) (v value) {
	w.guessed(func() {
		if f := w.fields(sw); len(f) == 1 && f[0].sure == exact && f[0].full == "" {
			v = value{text: f[0].text, known: true}
		}
	})
	return v
}

// ends reports whether an expansion ends the script, since a variable has no value.
func ends(op syntax.ParExpOperator, v value, set bool) bool {
	return op == syntax.ErrorUnset && !set || op == syntax.ErrorUnsetOrNull && (!set || v.known && v.text == "")
}

func (w *walker) alternative(b *builder, sw *syntax.Word, quoted bool) {
	if sw == nil {
		return
	}
	parts := append([]syntax.WordPart(nil), sw.Parts...)
	w.tilde(b, parts)
	for _, q := range parts {
		w.piece(b, q, quoted, false)
	}
}

// substitute adds a variable's value: quoted whole, else split and matched.
func (w *walker) substitute(b *builder, text string, quoted bool) {
	switch {
	case quoted:
		b.literal(text)
	case text == "":
	case w.vars["IFS"] != value{}:
		b.lost() // it splits where nobody looks
	default:
		b.splits(text)
	}
}

// arithm visits arithmetic: a subscript in it runs the commands it holds, and a
// variable's value is evaluated as an expression in turn.
func (w *walker) arithm(e syntax.ArithmExpr) {
	switch e := e.(type) {
	case nil:
	case *syntax.BinaryArithm:
		w.arithm(e.X)
		w.arithm(e.Y)
	case *syntax.UnaryArithm:
		w.arithm(e.X)
	case *syntax.ParenArithm:
		w.arithm(e.X)
	case *syntax.FlagsArithm:
		w.arithm(e.X)
	case *syntax.Word:
		for _, f := range w.fields(e) {
			w.forget(f.text)
		}
	default:
		w.strictest()
	}
}

// test visits [[ … ]]: file tests name paths, -v and the arithmetic ones evaluate.
func (w *walker) test(e syntax.TestExpr) {
	w.add(call.Of(call.Read))
	switch e := e.(type) {
	case nil:
	case *syntax.BinaryTest:
		w.test(e.X)
		w.test(e.Y)
	case *syntax.UnaryTest:
		if e.Op == syntax.TsVarSet || e.Op == syntax.TsRefVar {
			w.exec("[[ -v evaluates the text of its operand")
		}
		w.test(e.X)
	case *syntax.ParenTest:
		w.test(e.X)
	case *syntax.Word:
		words := w.fields(e)
		w.everywhere(func(s *scene) { s.loose(words) })
	default:
		w.strictest()
	}
}
