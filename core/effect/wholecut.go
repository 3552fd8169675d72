package effect

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"tenet/core/pathpolicy"
)

// maxCut bounds the values whose beginnings and ends are judged one by one.
const maxCut = 256

// cut judges what an expansion may leave of a value that is known: a path to a secret
// can stand in it with something before, behind or between its names.
func (w *walker) cut(p *syntax.ParamExp) {
	if p.Param == nil {
		return
	}
	v, set := w.variable(p.Param.Value)
	switch {
	case !set || !v.known || v.text == "":
	case p.Slice != nil || p.Repl != nil:
		w.rewritten(v.text)
	case p.Excl:
		if named, ok := w.variable(v.text); ok && named.known {
			w.everywhere(func(s *scene) { s.loose([]word{{text: named.text}}) })
		}
	case p.Exp != nil:
		w.trimmed(p.Exp.Op, v.text)
	}
}

// rewritten is a value that becomes another text: one with a path in it may become any
// path.
func (w *walker) rewritten(text string) {
	if !strings.ContainsAny(text, "/~") {
		return
	}
	w.part.Secret = true
	w.note("%q becomes a path that is known only when the script runs", cited(text))
}

// trimmed judges every text that an operator may leave of a value.
func (w *walker) trimmed(op syntax.ParExpOperator, text string) {
	switch op {
	case syntax.RemSmallSuffix, syntax.RemLargeSuffix:
		w.each(text, func(i int) string { return text[:i+1] })
	case syntax.RemSmallPrefix, syntax.RemLargePrefix:
		w.each(text, func(i int) string { return text[i:] })
	case syntax.UpperFirst, syntax.UpperAll, syntax.LowerFirst, syntax.LowerAll:
		w.everywhere(func(s *scene) { s.names(word{text: strings.ToLower(text)}); s.names(word{text: strings.ToUpper(text)}) })
	case syntax.OtherParamOps, syntax.MatchEmpty, syntax.ArrayExclude, syntax.ArrayIntersect:
		w.rewritten(text)
	case syntax.DefaultUnset, syntax.AssignUnset, syntax.DefaultUnsetOrNull, syntax.AssignUnsetOrNull, syntax.AlternateUnset, syntax.AlternateUnsetOrNull, syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
	}
}

// each judges the pieces of a text that are paths. A piece that only holds a secret is
// an ancestor that a cut path passes through; it is judged where it is used.
func (w *walker) each(text string, piece func(int) string) {
	if len(text) > maxCut {
		w.rewritten(text)
		return
	}
	w.everywhere(func(s *scene) {
		for i := range len(text) {
			p := word{text: piece(i)}
			if t := s.look.Word(p.text); strings.Contains(p.text, "/") && t.Class == pathpolicy.Secret {
				s.secret(p, t)
			}
		}
	})
}
