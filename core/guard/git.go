package guard

import (
	"path"
	"strings"

	"tenet/core/call"
)

// gitCall is a git command with its global options taken off.
type gitCall struct {
	line
	sub  string
	args []call.Word
	// dir is where it works, empty when that is not known.
	dir string
	// config is what -c sets, names in lower case.
	config map[string]string
}

// gitValued are git's global options that take the next word. Git knows no
// abbreviations of these.
const gitValued list = "-C -c --git-dir --work-tree --namespace --super-prefix --config-env --attr-source --exec-path --list-cmds"

// asGit reads a git command; ok is false for one without a known subcommand.
func asGit(l line) (g gitCall, ok bool) {
	g = gitCall{line: l, dir: l.c.Dir}
	words := l.args()
	for i := 0; i < len(words); i++ {
		t := plain(words[i])
		if !strings.HasPrefix(t, "-") {
			g.sub, g.args = t, words[i+1:]
			return g.aliased(), words[i].Known()
		}
		name, value, attached := strings.Cut(t, "=")
		if gitValued.has(t) && t != "--exec-path" && t != "--list-cmds" && i+1 < len(words) {
			i++
			name, value, attached = t, plain(words[i]), true
		}
		if attached {
			g.global(name, value, words[i])
		}
	}
	return g, false
}

func (g *gitCall) global(name, value string, w call.Word) {
	switch name {
	case "-C":
		g.dir, _ = placeIn(g.dir, call.Word{Text: w.Text})
	case "--git-dir", "--work-tree":
		g.dir = "" // it works somewhere else than where it stands
	case "-c":
		key, v, has := strings.Cut(value, "=")
		if g.config == nil {
			g.config = map[string]string{}
		}
		if !has {
			v = "true"
		}
		g.config[strings.ToLower(key)] = v
	}
}

// aliased takes an alias that the same command defines for what it stands for.
func (g gitCall) aliased() gitCall {
	text, ok := g.config["alias."+strings.ToLower(g.sub)]
	if !ok {
		return g
	}
	words := strings.Fields(strings.TrimPrefix(text, "!"))
	if strings.HasPrefix(text, "!") && len(words) > 0 && baseName(words[0]) == "git" {
		words = words[1:]
	}
	if len(words) == 0 {
		return g
	}
	args := make([]call.Word, 0, len(words)+len(g.args))
	for _, w := range words[1:] {
		args = append(args, call.Word{Text: strings.Trim(w, `'"`)})
	}
	g.sub, g.args = words[0], append(args, g.args...)
	return g
}

// scratch reports whether it works on a repository in a temporary directory, whose
// loss is nobody's.
func (g *gitCall) scratch() bool { return g.dir != "" && g.p.temp(path.Clean(g.dir)) }

// gitDestroyers judge subcommands; each answers what is thrown away and the way out.
var gitDestroyers = map[string]struct {
	opts  grammar
	judge func(*gitCall, parsed) (why, next string)
	// remote is true for what reaches further than the repository at hand.
	remote bool
}{
	"reset":         {opts: grammar{longs: "pathspec-from-file"}, judge: gitReset},
	"clean":         {opts: grammar{letters: "e", longs: "exclude"}, judge: gitClean},
	"checkout":      {opts: grammar{letters: "bB", longs: "orphan conflict pathspec-from-file"}, judge: gitCheckout},
	"restore":       {opts: grammar{letters: "s", longs: "source conflict pathspec-from-file"}, judge: gitRestore},
	"switch":        {opts: grammar{letters: "cC", longs: "create force-create orphan conflict"}, judge: gitSwitch},
	"stash":         {opts: grammar{letters: "m", longs: "message pathspec-from-file"}, judge: gitStash},
	"branch":        {opts: grammar{letters: "u", longs: "set-upstream-to sort points-at format contains no-contains merged no-merged"}, judge: gitBranch},
	"reflog":        {judge: gitReflog},
	"filter-branch": {judge: gitFilter},
	"filter-repo":   {judge: gitFilter},
	"gc":            {judge: gitGC},
	"prune":         {judge: gitPrune},
	"push":          {opts: grammar{letters: "o", longs: "push-option repo receive-pack exec"}, judge: gitPush, remote: true},
	"update-ref":    {opts: grammar{letters: "m"}, judge: gitUpdateRef},
	"worktree":      {judge: gitWorktree},
	"rm":            {opts: grammar{longs: "pathspec-from-file"}, judge: gitRm},
	"checkout-index": {opts: grammar{longs: "prefix stage"}, judge: gitForced("checkout-index overwrites the files of the work tree",
		"Commit or git stash first.")},
	"read-tree": {judge: gitReadTree},
	"submodule": {judge: gitSubmodule},
}

func gitDestroys(l line) (why, next string) {
	g, ok := asGit(l)
	if !ok {
		return "", ""
	}
	d, ok := gitDestroyers[g.sub]
	if !ok || !d.remote && g.scratch() {
		return "", ""
	}
	if why, next = d.judge(&g, d.opts.parse(g.args)); why != "" {
		return "git " + why, next
	}
	return "", ""
}

const stashFirst = "Keep the work first (git stash), or undo with a new commit (git revert)."

func gitReset(_ *gitCall, p parsed) (why, next string) {
	switch {
	case p.has("", "hard"):
		return "reset --hard throws away every change that is not committed", "Keep the work first (git stash), or move the branch alone with git reset --keep; to undo a commit, git revert."
	case p.has("", "merge"):
		return "reset --merge throws away what is staged", stashFirst
	}
	return "", ""
}

func gitClean(g *gitCall, p parsed) (why, next string) {
	unforced := strings.EqualFold(g.config["clean.requireforce"], "false") || g.config["clean.requireforce"] == "0"
	if p.has("n", "dry-run") || p.has("i", "interactive") || !unforced && !p.has("f", "force") {
		return "", ""
	}
	return "clean -f removes files that git never saw", "List them with git clean -n and remove by name what may go, or keep them with git stash -u."
}

func gitCheckout(_ *gitCall, p parsed) (why, next string) {
	if p.has("p", "patch") {
		return "", "" // it asks for each part
	}
	if p.has("f", "force") {
		return "checkout -f throws away every change that is not committed", "Keep the work first (git stash)."
	}
	makes := p.has("bBt", "orphan", "track")
	side := p.has("23", "ours", "theirs")
	paths := p.dashed
	if len(paths) == 0 && !makes {
		paths = checkoutPaths(p.plain)
	}
	_, listed := p.long("pathspec-from-file")
	if len(paths) == 0 && !listed || side && len(paths) == 1 && single(plain(paths[0])) {
		return "", "" // a branch, or one side of one conflict
	}
	return "checkout of a path throws away the changes in it", "Keep the work first (git stash), or look at the other version with git show REV:PATH."
}

// checkoutPaths are the operands that must be paths: all behind a tree, or a first
// one that looks like no branch.
func checkoutPaths(operands []call.Word) []call.Word {
	switch {
	case len(operands) > 1:
		return operands[1:]
	case len(operands) == 1 && (operands[0].Pattern || looksLikePath(plain(operands[0]))):
		return operands
	}
	return nil
}

// looksLikePath: no branch is named so.
func looksLikePath(t string) bool {
	if t == "." || t == ".." || strings.HasSuffix(t, "/") || strings.ContainsAny(t, "*?[") {
		return true
	}
	for _, head := range []string{"./", "../", "/", ":"} {
		if strings.HasPrefix(t, head) {
			return true
		}
	}
	return fileEndings.has(strings.ToLower(path.Ext(t)))
}

const fileEndings list = ".go .c .h .cc .cpp .hpp .rs .py .rb .js .mjs .cjs .jsx .ts .tsx .java .kt .swift .cs .php .lua .sh .bash .zsh .sql .html .css .scss .vue .json .jsonl .yaml .yml .toml .xml .md .txt .csv .lock .mod .sum .proto .tf .ini .cfg .conf .gradle .cmake .ipynb"

// single is one file, as opposed to a directory or a pattern.
func single(t string) bool {
	return t != "." && t != ".." && !strings.HasSuffix(t, "/") && !strings.ContainsAny(t, "*?[") && !strings.HasPrefix(t, ":")
}

func gitRestore(_ *gitCall, p parsed) (why, next string) {
	staged := p.has("S", "staged") && !p.has("W", "worktree")
	if _, listed := p.long("pathspec-from-file"); staged || p.has("p", "patch") || len(p.operands()) == 0 && !listed {
		return "", ""
	}
	return "restore throws away the changes in the work tree", "Keep the work first (git stash); git restore --staged only takes it out of the index."
}

func gitSwitch(_ *gitCall, p parsed) (why, next string) {
	if !p.has("f", "force", "discard-changes") {
		return "", ""
	}
	return "switch --discard-changes throws away every change that is not committed", "Keep the work first (git stash), then switch."
}

func gitStash(_ *gitCall, p parsed) (why, next string) {
	if sub := p.word(0); sub == "drop" || sub == "clear" {
		return "stash " + sub + " removes work that is kept nowhere else", "Leave the stash where it is; git stash apply takes it out and keeps it."
	}
	return "", ""
}

func gitBranch(_ *gitCall, p parsed) (why, next string) {
	if p.has("D") || p.has("d", "delete") && p.has("f", "force") {
		return "branch -D removes a branch whose commits may be on no other", "git branch -d removes it only when it was merged; a tag keeps its commits (git tag old/NAME NAME)."
	}
	return "", ""
}

func gitReflog(_ *gitCall, p parsed) (why, next string) {
	if !among(p.word(0), "expire", "delete", "drop") || p.has("n", "dry-run") {
		return "", ""
	}
	return "reflog " + p.word(0) + " removes the way back to lost commits", "Leave the reflog as it is; git itself forgets what is 90 days old."
}

func gitFilter(g *gitCall, p parsed) (why, next string) {
	if p.has("h", "help") || g.sub == "filter-repo" && p.has("", "analyze", "dry-run") {
		return "", ""
	}
	return g.sub + " writes the whole history anew", "Work on a fresh clone in a temporary directory, or let the user do it."
}

func gitGC(g *gitCall, p parsed) (why, next string) {
	when, _ := p.long("prune")
	if when == "" {
		when = g.config["gc.pruneexpire"]
	}
	if when != "now" && when != "all" {
		return "", ""
	}
	return "gc --prune=now removes what the reflog could still bring back", "Run git gc without --prune."
}

func gitPrune(_ *gitCall, p parsed) (why, next string) {
	if when, ok := p.long("expire"); p.has("n", "dry-run") || ok && when != "now" && when != "all" {
		return "", ""
	}
	return "prune removes every object that nothing points to", "Run git gc, which keeps what is younger than two weeks."
}

func gitPush(_ *gitCall, p parsed) (why, next string) {
	if p.has("n", "dry-run") {
		return "", ""
	}
	switch {
	case forced(p):
		return "push --force overwrites what others pushed", "git push --force-with-lease only overwrites what was seen here; better still, push a new branch."
	case p.has("", "mirror"):
		return "push --mirror removes every remote branch that is not here", "Push the branches by name."
	case p.has("d", "delete"), p.has("", "prune"):
		return "push --delete removes branches of others", "Ask the user to remove the branch."
	}
	for _, w := range p.operands() {
		switch t := plain(w); {
		case strings.HasPrefix(t, "+"):
			return "push " + t + " overwrites what others pushed", "git push --force-with-lease only overwrites what was seen here."
		case strings.HasPrefix(t, ":") && len(t) > 1:
			return "push " + t + " removes the remote branch", "Ask the user to remove the branch."
		}
	}
	return "", ""
}

// forced: -f and --force; --force-with-lease checks what it overwrites.
func forced(p parsed) bool { return p.has("f", "force") }

func gitUpdateRef(_ *gitCall, p parsed) (why, next string) {
	if !p.has("d", "delete") {
		return "", ""
	}
	return "update-ref -d removes a name that may be the only way to its commits", "git branch -d removes a branch only when it was merged."
}

func gitWorktree(_ *gitCall, p parsed) (why, next string) {
	if p.word(0) != "remove" || !p.has("f", "force") {
		return "", ""
	}
	return "worktree remove --force throws away the changes in that work tree", "Without --force git refuses when something would be lost."
}

func gitRm(_ *gitCall, p parsed) (why, next string) {
	if !p.has("f", "force") || p.has("n", "dry-run") || p.has("", "cached") {
		return "", ""
	}
	return "rm -f removes files with changes that are not committed", "git rm without -f refuses when something would be lost."
}

// gitForced judges a subcommand whose -f overwrites.
func gitForced(why, next string) func(*gitCall, parsed) (string, string) {
	return func(_ *gitCall, p parsed) (string, string) {
		if p.has("f", "force") {
			return why, next
		}
		return "", ""
	}
}

func gitReadTree(_ *gitCall, p parsed) (why, next string) {
	if !p.has("", "reset") || !p.has("u") {
		return "", ""
	}
	return "read-tree --reset -u throws away every change that is not committed", stashFirst
}

func gitSubmodule(_ *gitCall, p parsed) (why, next string) {
	if sub := p.word(0); among(sub, "deinit", "update") && p.has("f", "force") {
		return "submodule " + sub + " --force throws away the changes in the submodule", "Commit or stash in the submodule first."
	}
	return "", ""
}
