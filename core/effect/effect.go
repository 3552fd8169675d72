// Package effect says what a shell command may do before it runs (S7.8): a table
// from commands and their options to effects, the paths they name, and a walk over
// every node of a script that the step grammar does not cover. A command the table
// does not vouch for is exec. The package is pure: paths are judged by a Look that
// the adapter hands in.
package effect

import (
	"tenet/core/call"
	"tenet/core/pathpolicy"
)

// RedirOp is one redirection operator of the step grammar (S7.7).
type RedirOp uint8

// The redirections.
const (
	In        RedirOp = iota // < file
	Out                      // > file, >| file
	Append                   // >> file
	Both                     // &> file, &>> file, >& file
	ErrOut                   // 2> file
	ErrAppend                // 2>> file
	Dup                      // 2>&1 and the like: no file
	ReadWrite                // <> file
)

// Redirect is one redirection of a step, its target expanded.
type Redirect struct {
	Op RedirOp
	// Path is the target as expanded; for Dup it is the descriptor.
	Path string
}

// Command is one simple command as it will run: every word expanded, quotes gone.
type Command struct {
	// Argv is the program's name and its arguments; empty for a step that only
	// assigns or redirects.
	Argv []string
	// Patterns marks the words of Argv that are patterns still, not the names that they
	// stand for; nil when there is none. What such a word may match is judged at its worst.
	// A backslash or script.Quote in it stands before a sign that means itself. Of another
	// word that holds call.Hole only the text before it is known.
	Patterns []bool
	// Assigns are the assignments before the name, each NAME=value.
	Assigns []string
	// Redirs are the redirections in the order written.
	Redirs []Redirect
	// Fed is the program that the command reads from by a pipe, call.Hole for one that
	// is not known, empty for none. Pipe fills it for the stages of a pipeline.
	Fed string
	// Input is the text that surely arrives on that pipe, empty when it is not known: a
	// shell runs it. Pipe fills it too.
	Input string
}

// Look judges what a command names. Its answers must be those of the moment the
// step runs: a link made by an earlier step counts.
type Look interface {
	// Word judges a path written in the step's directory.
	Word(word string) pathpolicy.Target
	// Dir judges the step's working directory itself.
	Dir() pathpolicy.Target
	// Pattern judges, at its worst, everything that a word with *, ? or [ may stand for.
	Pattern(word string) pathpolicy.Target
	// Tree judges a directory whose files are read whatever they are called: it holds a
	// secret too when one stands in it, or in a directory in it, by its name.
	Tree(word string) pathpolicy.Target
	// Exists reports whether something stands where the word leads.
	Exists(word string) bool
	// Var is a variable of the environment the script starts with.
	Var(name string) (value string, set bool)
	// Home is the home directory of a user, of the script's own user for "".
	Home(user string) (dir string, ok bool)
}

// Finding is what a command may do and why.
type Finding struct {
	// Effects is everything the command may do.
	Effects call.Effects
	// Relinks is true when the command may change where names lead: it makes, moves or
	// removes a link or a directory. What stands beside it in a pipeline was judged by
	// names that may lead elsewhere by the time it runs.
	Relinks bool
	// Notes say why, one sentence each, for the person who is asked.
	Notes []string
	// Class is how far the command could be read.
	Class call.Class
	// Commands are the commands that it holds, de-obfuscated, wrappers peeled off.
	Commands []call.Command
	// Hazards are shapes that the commands alone do not show.
	Hazards []string
	// Paths are the places that it names.
	Paths []call.Path
}
