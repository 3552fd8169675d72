package script

import "strings"

// NeedsBash reports whether a command name is a bash builtin that a program of that
// name cannot stand in for: it reads or changes the shell itself.
func NeedsBash(name string) bool {
	switch name {
	case ".", ":", "alias", "bg", "bind", "break", "builtin", "caller", "command", "compgen",
		"complete", "compopt", "continue", "dirs", "disown", "enable", "eval", "exec", "fc",
		"fg", "getopts", "hash", "help", "history", "jobs", "kill", "logout", "mapfile", "popd",
		"pushd", "read", "readarray", "return", "set", "shift", "shopt", "source", "suspend",
		"times", "trap", "type", "ulimit", "umask", "unalias", "unset", "wait",
		"declare", "typeset", "local", "readonly", "let", "coproc":
		return true
	}
	return false
}

// shellSet reports whether bash gives the variable a value of its own, so that its
// value is not what the environment says.
func shellSet(name string) bool {
	switch name {
	case "BASH", "BASHPID", "BASHOPTS", "COLUMNS", "COPROC", "DIRSTACK", "EPOCHREALTIME",
		"EPOCHSECONDS", "EUID", "FUNCNAME", "GROUPS", "HISTCMD", "HOSTNAME", "HOSTTYPE",
		"IFS", "LINENO", "LINES", "MACHTYPE", "MAPFILE", "OPTARG", "OPTERR", "OPTIND",
		"OSTYPE", "PIPESTATUS", "PPID", "PS4", "RANDOM", "READLINE_LINE", "REPLY", "SECONDS",
		"SHELL", "SHELLOPTS", "SHLVL", "SRANDOM", "TERM", "TIMEFORMAT", "UID", "_":
		return true
	}
	return strings.HasPrefix(name, "BASH_") || strings.HasPrefix(name, "COMP_")
}

// shellOwned reports whether assigning the variable changes how bash reads or
// expands what follows, or whether bash would refuse the assignment.
func shellOwned(name string) bool {
	switch name {
	case "IFS", "GLOBIGNORE", "POSIXLY_CORRECT", "CDPATH", "ENV", "PROMPT_COMMAND",
		"PWD", "OLDPWD":
		return true
	case "SHELL", "TERM", "COLUMNS", "LINES", "HOSTNAME":
		return false
	}
	return shellSet(name)
}
