package rules

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"tenet/core/call"
)

// clearWrappers run the command that they wrap as it is; the variables that an env
// sets are looked at on their own. Behind any other wrapper the same words run as
// somebody else, somewhere else or with words added.
var clearWrappers = strings.Fields("env time timeout nice ionice nohup stdbuf setsid command builtin caffeinate")

// clearVariables change what a program shows and not which programs run.
var clearVariables = strings.Fields("CI NODE_ENV RAILS_ENV RACK_ENV APP_ENV FORCE_COLOR NO_COLOR CLICOLOR TERM COLUMNS LINES LANG LANGUAGE LC_ALL LC_CTYPE LC_COLLATE LC_MESSAGES LC_NUMERIC LC_TIME TZ RUST_BACKTRACE RUST_LOG DEBUG VERBOSE LOG_LEVEL GOOS GOARCH CGO_ENABLED PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE PORT SOURCE_DATE_EPOCH")

// plain reports whether the words of a command say all that runs: each is known, no
// wrapper or assignment changes what they mean, and they run inside the workspace.
func plain(place Place, c call.Command) bool {
	if len(c.Words) == 0 || c.Dir == "" || !within(c.Dir, place.Root) || c.Fed != "" && readsCode(c) {
		return false
	}
	for _, w := range c.Words {
		if !w.Known() {
			return false
		}
	}
	return !slices.ContainsFunc(c.Via, foreign) && !launches(c)
}

// launches reports whether a word of a command makes it run a program that the word
// names, or write where it says: go test -exec=./x is no go test that a pattern means.
func launches(c call.Command) bool {
	name := c.Name()
	if len(c.Words) > 1 && slices.Contains(strings.Fields(launchers[name]), c.Words[1].Text) {
		return true
	}
	return slices.ContainsFunc(c.Words[1:], func(w call.Word) bool {
		switch name {
		case "go":
			return goRuns().MatchString(w.Text)
		case "git":
			return gitRuns().MatchString(w.Text)
		}
		return false
	})
}

// launchers are the subcommands that run whatever follows.
var launchers = map[string]string{
	"rustup": "run", "lerna": "exec", "stack": "exec", "cabal": "exec", "nx": "exec", "podman": "unshare", "composer": "exec",
	"npm": "explore", "gcloud": "compute", "gh": "codespace alias extension", "hatch": "env run",
	"uv": "tool", "mix": "run", "rails": "runner", "az": "vm", "mvn": "exec:exec exec:java", "docker": "buildx", "kubectl": "config",
}

var (
	goRuns = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^--?(exec|toolexec|vettool|o|coverprofile|cpuprofile|memprofile|blockprofile|mutexprofile|trace|outputdir|overlay|modfile)(=|$)`)
	})
	gitRuns = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(--exec|--upload-pack|--receive-pack|-[A-Za-z]*x)`)
	})
)

// foreign reports whether what stands around a command can change what its words
// mean: a wrapper or an assignment that is not known to leave that alone.
func foreign(via string) bool {
	if name, _, assigns := strings.Cut(via, "="); assigns {
		return !slices.Contains(clearVariables, name)
	}
	return !slices.Contains(clearWrappers, base(via))
}

func base(name string) string { return name[strings.LastIndexByte(name, '/')+1:] }

// readsCode reports whether what is piped into the command is code to it.
func readsCode(c call.Command) bool { return slices.Contains(interpreters, c.Name()) }

// notes say why a command is not what its words say.
func notes(place Place, c call.Command) []string {
	var out []string
	switch {
	case c.Dir == "":
		out = append(out, "where it runs is known only when it runs")
	case !within(c.Dir, place.Root):
		out = append(out, "it runs in "+call.OneLine(c.Dir, maxDisplay)+", outside the workspace")
	}
	for _, v := range c.Via {
		if !foreign(v) {
			continue
		}
		if name, _, assigns := strings.Cut(v, "="); assigns {
			out = append(out, "it runs with "+call.OneLine(name, maxDisplay)+" set, which can change what runs")
		} else {
			out = append(out, "it runs through "+call.OneLine(v, maxDisplay))
		}
	}
	if c.Fed != "" && readsCode(c) {
		out = append(out, "it runs what "+call.OneLine(c.Fed, maxDisplay)+" prints")
	}
	return out
}

// spelling is one way to write a command that rules may speak of.
type spelling struct {
	call.Command
	// says is true when the words say all that the command does, so that an allow of
	// them is an allow of the command.
	says bool
}

// spellings are the command as it is, then the short way to write the same: the
// program by its name alone, git without the options before its subcommand. A rule
// that asks or denies holds for each (guard-rules 6).
func spellings(place Place, c call.Command) []spelling {
	out := []spelling{{c, true}}
	short, says := shorten(place, c)
	if len(short.Words) != len(c.Words) || len(c.Words) > 0 && short.Words[0] != c.Words[0] {
		out = append(out, spelling{short, says})
	}
	return out
}

// shorten is the command by its program's name, git's global options gone. A program
// that is named by a path is another than the one its name stands for.
func shorten(place Place, c call.Command) (short call.Command, says bool) {
	says = true
	if name := c.Name(); name != "" && name != c.Words[0].Text {
		c.Words = slices.Clone(c.Words)
		c.Words[0] = call.Word{Text: name}
		says = false
	}
	if c.Name() != "git" {
		return c, says
	}
	rest, calm := gitGlobals(place, c)
	c.Words = append([]call.Word{c.Words[0]}, rest...)
	return c, says && calm
}

// gitGlobals is the words of a git command from its subcommand on. calm is true when
// those before it neither set anything nor lead out of the workspace.
func gitGlobals(place Place, c call.Command) (rest []call.Word, calm bool) {
	words := c.Words[1:]
	calm = true
	for len(words) > 0 && strings.HasPrefix(words[0].Text, "-") {
		name := words[0].Text
		valued := slices.Contains(gitValued, name) && len(words) > 1
		switch {
		case name == "-C" && valued:
			calm = calm && words[1].Known() && within(join(c.Dir, words[1].Text), place.Root)
		case !slices.Contains(gitCalm, name):
			calm = false
		}
		words = words[1:]
		if valued {
			words = words[1:]
		}
	}
	return words, calm
}

var (
	gitCalm   = strings.Fields("--no-pager -P --no-optional-locks --literal-pathspecs --no-lazy-fetch")
	gitValued = strings.Fields("-C -c --git-dir --work-tree --namespace --super-prefix --config-env --exec-path --attr-source")
)

// join is a path written from a directory; a link in it is for the effects to judge.
func join(dir, p string) string {
	if strings.HasPrefix(p, "/") {
		return path.Clean(p)
	}
	return path.Join(dir, p)
}

// gitModifying are the subcommands that change a repository (seed 4 §3.4).
var gitModifying = strings.Fields("add commit push reset rebase merge revert cherry-pick checkout switch restore clean am apply filter-branch filter-repo gc rm mv pull update-ref replace prune init clone")

// modifiesGit reports whether the command changes a git repository, as far as its
// words tell. A subcommand that nobody knows may be an alias for one that does.
func modifiesGit(c call.Command) bool {
	if c.Name() != "git" {
		return false
	}
	rest, _ := gitGlobals(Place{}, c)
	if len(rest) == 0 {
		return false
	}
	sub, args := rest[0].Text, rest[1:]
	switch sub {
	case "stash":
		return !first(args, "list", "show")
	case "worktree", "submodule", "notes", "bisect":
		return operand(args) && !first(args, "list", "status", "summary", "show", "log", "view")
	case "symbolic-ref":
		return operands(args) > 1 || has(args, "-d", "--delete")
	case "tag":
		return !(len(args) == 0 || has(args, "-l", "--list", "-n", "--contains", "--merged", "--points-at", "--sort"))
	case "branch":
		return has(args, "-d", "-D", "-m", "-M", "-c", "-C", "-f", "-u", "--delete", "--move", "--copy", "--force", "--set-upstream-to", "--unset-upstream", "--edit-description") || operand(args) && !has(args, "--list", "-l", "-a", "-r", "--contains", "--merged", "--no-merged", "--points-at")
	case "remote":
		return first(args, "add", "remove", "rm", "rename", "set-url", "set-head", "set-branches", "prune", "update")
	case "reflog":
		return first(args, "delete", "expire")
	case "config":
		return !has(args, "-l", "--list", "--get", "--get-all", "--get-regexp", "--get-urlmatch") && !first(args, "get", "list") && operands(args) != 1
	}
	return slices.Contains(gitModifying, sub)
}

func first(args []call.Word, names ...string) bool {
	for _, w := range args {
		if !strings.HasPrefix(w.Text, "-") {
			return slices.Contains(names, w.Text)
		}
	}
	return false
}

// has reports whether an option stands among the words, with a value attached or not.
func has(args []call.Word, options ...string) bool {
	return slices.ContainsFunc(args, func(w call.Word) bool {
		name, _, _ := strings.Cut(w.Text, "=")
		return slices.Contains(options, name)
	})
}

func operand(args []call.Word) bool { return operands(args) > 0 }

func operands(args []call.Word) int {
	n := 0
	for _, w := range args {
		if !strings.HasPrefix(w.Text, "-") {
			n++
		}
	}
	return n
}
