package script

import (
	"errors"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Parser parses scripts and keeps its buffers between them. It is not safe for
// use by two goroutines at once: its owner sees to that.
type Parser struct {
	sh *syntax.Parser
	in strings.Reader
}

// NewParser returns a parser for bash's syntax.
func NewParser() *Parser {
	return &Parser{sh: syntax.NewParser(syntax.Variant(syntax.LangBash))}
}

// Parse is a single use of a new Parser.
func Parse(src string) (Script, error) { return NewParser().Parse(src) }

// Parse reads a script that Canonical returned. A script outside the step grammar
// is no error: it comes back Whole, with its tree. The error is a *SyntaxError.
func (p *Parser) Parse(src string) (Script, error) {
	p.in.Reset(src)
	f, err := p.sh.Parse(&p.in, "")
	if err != nil {
		return Script{}, syntaxError(err)
	}
	s := Script{File: f, Text: src}
	g := grammar{out: make([]Pipeline, 0, len(f.Stmts))}
	for _, st := range f.Stmts {
		g.list(st, Always)
	}
	if g.why != "" {
		s.Whole, s.Why = true, g.why
		return s, nil
	}
	s.Pipelines = g.out
	return s, nil
}

// endsEarly: the parser marks every error at the end of the text as incomplete, also
// those that more text could not mend.
func endsEarly(msg string) bool {
	return strings.Contains(msg, "EOF") || strings.Contains(msg, "must be followed by") || strings.Contains(msg, "must end with")
}

func syntaxError(err error) error {
	var pe syntax.ParseError
	if errors.As(err, &pe) {
		return &SyntaxError{Line: pe.Pos.Line(), Col: pe.Pos.Col(), Msg: pe.Text, Incomplete: pe.Incomplete && endsEarly(pe.Text)}
	}
	var le syntax.LangError
	if errors.As(err, &le) {
		return &SyntaxError{Line: le.Pos.Line(), Col: le.Pos.Col(), Msg: le.Error()}
	}
	return &SyntaxError{Line: 1, Col: 1, Msg: err.Error()}
}
