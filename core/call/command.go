package call

import "strings"

// Class is how far the analyzer could read a command (seed 4 §3.2).
type Class uint8

// The classes, each stricter than the one before.
const (
	Simple     Class = iota // one command, every word known
	Compound                // several commands, each of them read
	Obfuscated              // something in it is known only when it runs
)

var classNames = [...]string{"simple", "compound", "obfuscated"}

// String is the class as records spell it.
func (c Class) String() string { return classNames[c] }

// Hole stands in a word's text for a part that is known only when the command runs.
// Neither a script nor a variable can hold a NUL.
const Hole = "\x00"

// Word is one word of a command as the program will see it.
type Word struct {
	// Text is the word with quotes gone and what is known expanded; each part that is
	// not known is a Hole, which may stand for nothing or for anything.
	Text string
	// Real is the real path of a word that names one, empty otherwise. It is filled for
	// the operands of commands that write or remove.
	Real string
	// Pattern is true when an unquoted *, ? or [ in it may stand for other names.
	Pattern bool
}

// Known reports whether the whole word is known before the command runs.
func (w Word) Known() bool { return !strings.Contains(w.Text, Hole) }

// Command is one command that a step will or may run, wherever it stands: in a
// pipeline, behind wrappers, in a loop, in a text for a shell. Quotes are gone, and
// wrappers such as sudo and env are peeled off (law floor_sees_through_quotes).
type Command struct {
	// Words are the program and its arguments, at least one.
	Words []Word
	// Via are the wrappers that were peeled off and the assignments before it, each
	// NAME=value, outermost first: both can make the same words run another program.
	Via []string
	// Dir is the absolute directory it runs in, empty when it is not known.
	Dir string
	// Outs are the files that its redirections write.
	Outs []Word
	// Fed is the program that its input comes from by a pipe, empty for none.
	Fed string
	// Effects is what this command alone may do, its redirections included. The zero
	// value says nothing of it: what it does is then vouched for by nobody.
	Effects Effects
}

// Name is the program's name without its directory; empty when it is not known.
func (c Command) Name() string {
	if len(c.Words) == 0 || !c.Words[0].Known() {
		return ""
	}
	t := c.Words[0].Text
	return t[strings.LastIndexByte(t, '/')+1:]
}

// Text is the command in one line: the subject that rules for process.execute are
// matched against. Blanks between words are single ones; a word that is empty or holds
// a blank or a quote stands in quotes, so that no word can pass for two. An unknown
// part is shown as …, which no sensible rule spells.
func (c Command) Text() string {
	words := make([]string, len(c.Words))
	for i, w := range c.Words {
		words[i] = w.Text
		if w.Text == "" || strings.ContainsAny(w.Text, " \t\n'\"\\") {
			words[i] = "'" + strings.ReplaceAll(w.Text, "'", `'\''`) + "'"
		}
	}
	return strings.ReplaceAll(strings.Join(words, " "), Hole, "…")
}

// Use is what a step does with a path.
type Use uint8

// The uses.
const (
	Reads Use = iota
	Writes
)

// Path is one place that a step names.
type Path struct {
	// Real is where it leads; Written is the word that named it.
	Real, Written string
	Use           Use
	// Class is "secret", "protected", "inside" or "outside" (G1.2).
	Class string
	// Holds is true for a directory that holds a secret.
	Holds bool
}

// Knowledge is what the session knows of a file that a step changes (seed 3,
// "Knowledge comes from results").
type Knowledge uint8

// What may be known. Only New and Known let a whole-file write happen.
const (
	NotAsked Knowledge = iota // the step changes no file whose content matters
	New                       // nothing stands there
	Known                     // the session saw the whole of what stands there now
	Unknown                   // it exists and the session never read it
	Partial                   // the session saw a part of it
	Stale                     // it changed since the session saw it
)

var knowledgeNames = [...]string{"not asked", "new", "known", "unknown", "partial", "stale"}

// String names the knowledge.
func (k Knowledge) String() string { return knowledgeNames[k] }
