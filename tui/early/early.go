// Package early keeps the start of every command from asking the terminal.
//
// When bubbletea is linked, its package asks for the background colour before main
// runs, whatever the command is, and waits five seconds on a terminal that does not
// answer. Only a package that is initialised before it can prevent that. The language
// initialises packages in the order of their paths as soon as what they import is
// ready; this one imports nothing but syscall, so it is ready before "time" is, which
// it sorts before and which every package that could ask needs. For that it may never
// import more: a test holds it to syscall.
//
// What it does is what a build machine does: termenv asks no terminal where CI is set.
// The variable is given back by Done before main runs.
package early

import "syscall"

const variable = "CI"

var before, present = syscall.Getenv(variable)

func init() {
	if before == "" {
		_ = syscall.Setenv(variable, "tenet")
	}
}

// Done gives the variable back as it was. A package that imports bubbletea calls it
// from its own init, so after bubbletea's and before main; a second call does nothing.
func Done() {
	switch {
	case before != "":
	case present:
		_ = syscall.Setenv(variable, "")
	default:
		_ = syscall.Unsetenv(variable)
	}
}
