package agenthook

import (
	"slices"
	"strings"

	"tenet/core/call"
)

// Codex lets a model type into a command that runs, and no hook sees what is typed. A
// command that takes commands from its input would then run them unjudged, so it is
// refused when it starts: a shell or an interpreter without a script, a remote shell,
// a debugger, an editor.

// consoles take commands from their input unless they are given a script.
var consoles = []string{
	"sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "fish", "tcsh", "csh", "rbash", "nu", "elvish", "pwsh", "xonsh", "busybox",
	"python", "pypy", "node", "nodejs", "deno", "bun", "ruby", "irb", "perl", "php", "lua", "luajit", "R", "Rscript", "julia", "ghci", "scala",
	"racket", "sbcl", "guile", "clisp", "erl", "iex", "elixir", "clj", "jshell", "tclsh", "expect", "osascript", "awk", "dc", "bc", "m4", "make",
}

// sessions take commands from their input whatever their arguments are.
var sessions = []string{
	"ipython", "gdb", "lldb", "pdb", "psql", "mysql", "mariadb", "sqlite3", "mongosh", "redis-cli", "screen", "tmux", "script",
	"telnet", "nc", "ncat", "socat", "vi", "vim", "nvim", "view", "emacs", "ed", "ex", "nano", "less", "more", "most", "man", "info", "top", "htop", "ftp", "sftp", "mutt",
}

// givenText are the options that hand a console its script in the command line, or
// make it say something and end.
var givenText = []string{"-c", "-e", "-E", "-m", "-p", "-r", "-f", "--eval", "--print", "--command", "--version", "-V", "-v", "--help", "-h"}

// attended reports whether a command would take what is typed into it for commands.
// One that is fed by a pipe is not: the gate judged the pipe.
func attended(c call.Command) bool {
	name := c.Name()
	switch {
	case c.Fed != "" || len(c.Words) == 0:
		return false
	case slices.Contains(sessions, name):
		return true
	case name == "ssh":
		return operands(c.Words[1:]) < 2
	case name == "docker" || name == "podman" || name == "kubectl":
		return slices.ContainsFunc(c.Words[1:], func(w call.Word) bool { return interactiveOption(w.Text) })
	case isConsole(name):
		return takesInput(name, c.Words[1:])
	}
	return false
}

// isConsole knows python3 and python3.13 as python.
func isConsole(name string) bool {
	return name != "" && (slices.Contains(consoles, name) || slices.Contains(consoles, strings.TrimRight(name, "0123456789.")))
}

func interactiveOption(w string) bool {
	return w == "attach" || w == "--interactive" || w == "--stdin" || strings.HasPrefix(w, "-") && !strings.HasPrefix(w, "--") && strings.Contains(w, "i")
}

// operands counts the words that are no options.
func operands(words []call.Word) (n int) {
	for _, w := range words {
		if !strings.HasPrefix(w.Text, "-") {
			n++
		}
	}
	return n
}

// takesInput: a console reads its input when it was given no script, when it is told
// to stay after the script, or when the script is its input.
func takesInput(name string, words []call.Word) bool {
	if name == "make" || name == "awk" || name == "m4" {
		return slices.ContainsFunc(words, fromInput)
	}
	given := false
	for i, w := range words {
		switch {
		case w.Text == "-i" || w.Text == "-s" || w.Text == "--interactive" || fromInput(w):
			return true
		case slices.Contains(givenText, optionName(w.Text)) || isShell(name) && clustered(w.Text):
			given = true
			if w.Text == "-m" && i+1 < len(words) && slices.Contains([]string{"code", "pdb", "asyncio", "IPython"}, words[i+1].Text) {
				return true
			}
		case !strings.HasPrefix(w.Text, "-"):
			given = true
		}
		if given {
			return false
		}
	}
	return true
}

func optionName(w string) string {
	name, _, _ := strings.Cut(w, "=")
	return name
}

// clustered is a cluster of a shell's options that holds -c, such as -lc.
func clustered(w string) bool {
	return strings.HasPrefix(w, "-") && !strings.HasPrefix(w, "--") && strings.Contains(w, "c")
}

func fromInput(w call.Word) bool {
	switch w.Text {
	case "-", "/dev/stdin", "/dev/tty", "/dev/fd/0", "/proc/self/fd/0":
		return true
	}
	return false
}

func typedInto(c call.Command) Answer {
	return block("interactive-program",
		c.Name()+" would take commands from what is typed into it later, and that is shown to no hook",
		"give it its script in the command line or in a file")
}
