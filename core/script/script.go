// Package script reads shell scripts: one canonical text becomes a list of
// pipelines of simple commands, or is named as a script that needs bash whole
// (S7.7). It expands nothing and runs nothing.
package script

import (
	"fmt"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// MaxBytes is the longest script. A longer one could not be handed to bash
// either: Linux takes at most 131,072 bytes in one argument, its NUL included.
const MaxBytes = 131_071

// MaxNesting is how many brackets a script may hold open at once. Deeper ones cost
// the parser seconds and mean nothing that a person could judge.
const MaxNesting = 1000

// Join says when a pipeline runs, by the exit status of the one that ran before it.
type Join uint8

// The joins.
const (
	Always Join = iota // after ; or a newline, and the first of a script
	And                // after &&: only when the last status was 0
	Or                 // after ||: only when the last status was not 0
)

var joinNames = [...]string{"always", "and", "or"}

// String names the join.
func (j Join) String() string { return joinNames[j] }

// Runs reports whether a pipeline with this join runs after the given status.
func (j Join) Runs(status int) bool {
	switch j {
	case Always:
		return true
	case And:
		return status == 0
	case Or:
		return status != 0
	}
	return false
}

// Pipeline is simple commands that run at the same time, joined by pipes.
type Pipeline struct {
	Join Join
	// Stages are the commands in order, at least one. The Cmd of each is a
	// *syntax.CallExpr, a *syntax.DeclClause (an export), or nil when the stage is
	// redirections alone.
	Stages []*syntax.Stmt
}

// Script is a parsed script.
type Script struct {
	// Pipelines is the script in the step grammar; empty when Whole.
	Pipelines []Pipeline
	// Whole is true for a script with any other syntax: one exec step that bash runs.
	Whole bool
	// Why says in a few words what made it Whole, empty otherwise.
	Why string
	// File is the syntax tree, for those who classify a Whole script.
	File *syntax.File
	// Text is the canonical text that File was parsed from.
	Text string
}

// Source is the text of a node of the script's tree.
func (s Script) Source(n syntax.Node) string {
	return s.Text[n.Pos().Offset():n.End().Offset()]
}

// Canonical is the one text that is judged, shown and run: CRLF line ends become
// LF, once. A NUL is refused, because bash would drop it and run another text
// than the one a person saw; so is a script longer than MaxBytes or nested deeper than MaxNesting.
func Canonical(src string) (string, error) {
	if at := strings.IndexByte(src, 0); at >= 0 {
		return "", fmt.Errorf("the script holds a NUL byte at offset %d, and no shell can run that; nothing ran. Remove it, or write it as \\0 in printf", at)
	}
	src = strings.ReplaceAll(src, "\r\n", "\n")
	if len(src) > MaxBytes {
		return "", fmt.Errorf("the script has %d bytes and the limit is %d; nothing ran. Write the long part to a file and run that file", len(src), MaxBytes)
	}
	if at := tooDeep(src); at >= 0 {
		return "", fmt.Errorf("the script opens more than %d brackets inside each other, the last at offset %d; nothing ran. Write it flatter, or put that text into a file", MaxNesting, at)
	}
	return src, nil
}

// tooDeep is the offset of the bracket that passes MaxNesting, or -1. It counts
// brackets without reading quotes: it bounds work, it judges nothing.
func tooDeep(src string) int {
	open := 0
	for at := range len(src) {
		switch src[at] {
		case '(', '[', '{':
			if open++; open > MaxNesting {
				return at
			}
		case ')', ']', '}':
			open = max(0, open-1)
		}
	}
	return -1
}

// SyntaxError is a script that no shell can read.
type SyntaxError struct {
	// Line and Col count from 1; Col counts bytes.
	Line, Col uint
	// Msg is what the parser met.
	Msg string
	// Incomplete is true when more text could complete the script.
	Incomplete bool
}

// Error names the place and says what to do next.
func (e *SyntaxError) Error() string {
	next := "Fix the script and send it again"
	if e.Incomplete {
		next = "The script ends too early: close the quote, bracket or block, and send it whole"
	}
	return fmt.Sprintf("the script does not parse at line %d, column %d: %s; nothing ran. %s", e.Line, e.Col, e.Msg, next)
}
