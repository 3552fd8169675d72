package effect

import (
	"slices"
	"strings"

	"tenet/core/call"
)

// noPathspec is the cwd of git grep: only what stands after -- is surely a path.
func noPathspec(a *args) bool { return a.dashed == 0 }

// gitFormat: a format that shows a signature runs the program that checks it, and
// any name that is not git's own may be an alias for such a format. A submodule's
// diff is made by a git of its own, with that repository's configuration.
func gitFormat(s *scene, a *args) call.Effects {
	for _, g := range a.opts {
		v := g.value.text
		signed := strings.Contains(v, "signature")
		switch g.name {
		case "pretty":
			signed = signed || g.has && alias(v) || showsSignature(v)
		case "format":
			signed = signed || showsSignature(v) || !strings.Contains(v, "%") && alias(v)
		case "sort":
		default:
			continue
		}
		if signed || g.value.sure != exact {
			s.note("the format %q may run a signature program", cited(v))
			return call.Of(call.Exec)
		}
	}
	return gitMerges(s, a)
}

func showsSignature(format string) bool {
	for _, p := range []string{"%G", "%+G", "%-G", "% G"} {
		if strings.Contains(format, p) {
			return true
		}
	}
	return false
}

func alias(name string) bool {
	switch name {
	case "oneline", "short", "medium", "full", "fuller", "reference", "email", "raw", "mboxrd":
		return false
	}
	return !strings.HasPrefix(name, "format:") && !strings.HasPrefix(name, "tformat:") && !strings.Contains(name, "%")
}

// gitDiff: only the diff of the index reads no file of the work tree, which clean
// filters would run on.
func gitDiff(s *scene, a *args) call.Effects {
	if a.has("cached", "staged") {
		return gitMerges(s, a)
	}
	s.note("git diff runs the repository's filters on the work tree; --cached does not")
	return call.Of(call.Exec)
}

// gitSymbolic: with a second operand it changes what the first one means.
func gitSymbolic(_ *scene, a *args) call.Effects {
	if len(a.operands) > 1 {
		return writes
	}
	return 0
}

// gitBranch only shows when it is told to list, or told nothing.
func gitBranch(s *scene, a *args) call.Effects {
	add := gitFormat(s, a)
	lists := a.has("l", "list", "a", "all", "r", "remotes", "show-current", "contains", "no-contains", "merged", "no-merged", "points-at")
	if len(a.operands) > 0 && !lists {
		add = add.With(writes)
	}
	return add
}

// initHere: git init makes its repository in the working directory when no operand names one.
func initHere(s *scene, a *args) call.Effects {
	if len(a.operands) == 0 {
		s.writes(word{text: "HEAD"})
	}
	return 0
}

// untrusted are the arguments that keep a repository's configuration from running
// a program: no fsmonitor, no hooks, no signature check, no pager, and no transport
// that a fetch of missing objects would use.
var untrusted = []string{
	"--no-pager", "--no-optional-locks",
	"-c", "core.fsmonitor=false",
	"-c", "core.hooksPath=/dev/null",
	"-c", "log.showSignature=false",
	"-c", "log.diffMerges=separate",
	"-c", "format.pretty=medium",
	"-c", "gpg.program=false",
	"-c", "gpg.openpgp.program=false",
	"-c", "gpg.x509.program=false",
	"-c", "gpg.ssh.program=false",
	"-c", "diff.submodule=short",
	"-c", "diff.ignoreSubmodules=all",
	"-c", "init.templateDir=",
	"-c", "protocol.allow=never",
	"-c", "protocol.file.allow=never",
	"-c", "protocol.git.allow=never",
	"-c", "protocol.ssh.allow=never",
	"-c", "protocol.http.allow=never",
	"-c", "protocol.https.allow=never",
	"-c", "protocol.ext.allow=never",
}

// looking are the subcommands that only show, and yet read the work tree, where a
// repository can name programs for git to run: fsmonitor, external diffs, text
// conversions. They are exec, and a rule may let them run unasked (DESIGN, "Decisions");
// then they run with what arguments can switch off switched off. Clean filters cannot be.
var looking = []string{"status", "diff", "blame", "annotate", "diff-tree", "diff-index", "diff-files", "whatchanged", "range-diff", "cherry", "reflog"}

// looks reports whether a git step that is exec only looks and asks for no program by
// itself: such an option is the person's own word.
func looks(argv []string) bool {
	_, rest, calm := gitGlobals(&scene{look: nowhere{}}, exactWords(argv[1:]))
	if !calm || len(rest) == 0 || !slices.Contains(looking, rest[0].text) {
		return false
	}
	return !slices.ContainsFunc(rest[1:], func(w word) bool {
		return strings.HasPrefix(w.text, "--ext") || strings.HasPrefix(w.text, "--textc")
	})
}

// Harden is the argv that really runs: a git step that is not exec, or that only looks,
// gets the arguments for an untrusted repository, and those that show changes no
// external diff and no text conversion. Every other argv comes back as it is.
func Harden(argv []string) []string {
	if !hardened(argv) {
		return argv
	}
	out := append([]string{argv[0]}, untrusted...)
	at := subcommand(argv)
	out = append(out, argv[1:at+1]...)
	switch argv[at] {
	case "diff", "log", "show", "diff-tree", "diff-index", "diff-files", "whatchanged":
		out = append(out, "--no-ext-diff", "--no-textconv")
	}
	return append(out, argv[at+1:]...)
}

// HardenEnv is what the environment of a hardened step needs besides: no lazy
// fetch, no transport at all, no question on a terminal. It is empty for every other argv.
func HardenEnv(argv []string) []string {
	if !hardened(argv) {
		return nil
	}
	return []string{"GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=", "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0"}
}

func hardened(argv []string) bool {
	if len(argv) < 2 || argv[0] != "git" {
		return false
	}
	return looks(argv) || !Of(Command{Argv: argv}, nowhere{}).Effects.Has(call.Exec)
}

// subcommand is the index of git's subcommand in an argv that is hardened.
func subcommand(argv []string) int {
	for i := 1; i < len(argv); i++ {
		if argv[i] == "-C" {
			i++
		} else if !strings.HasPrefix(argv[i], "-") {
			return i
		}
	}
	return len(argv) - 1
}
