package rules

import (
	"strings"

	"tenet/core/call"
)

// Profiles are the names of the default layers, the most open first.
func Profiles() []string { return []string{"open", "balanced", "strict"} }

// Default is the default layer of a profile in a workspace, and its auto set; ok is
// false for a name that is no profile. In open nothing but a secret asks; in balanced
// inspection and edits inside the workspace run, and programs ask unless a rule allows
// them; in strict every write and command asks, and every read outside of root.
func Default(profile, root string) (layer []Rule, auto call.Effects, ok bool) {
	switch profile {
	case "open":
		return nil, call.Grantable, true
	case "balanced":
		return number(balanced()), call.Of(call.Read, call.Write), true
	case "strict":
		return number(strict(root)), 0, true
	}
	return nil, 0, false
}

func number(layer []Rule) []Rule {
	for i := range layer {
		layer[i].Source, layer[i].Position = FromDefault, i+1
	}
	return layer
}

// balanced says nothing of process.execute as a whole: a command that the effect table
// vouches for then runs by the auto set, and any other asks since exec is not in it.
func balanced() []Rule {
	layer := []Rule{
		{Name: "outside-asks", Capability: "file.write.outsideProject", Pattern: "*", Action: Ask},
		{Name: "network-asks", Capability: "network.access", Pattern: "*", Action: Ask},
		{Name: "git-asks", Capability: "git.modify", Pattern: "*", Action: Ask},
		{Name: "late-tool-asks", Capability: "mcp.call", Pattern: "*", Action: Ask},
		{Name: "background-asks", Capability: "process.background", Pattern: "*", Action: Ask},
		{Name: "background-input", Capability: "process.background", Pattern: stdin + "*", Action: Allow},
	}
	layer = append(layer, keys()...)
	layer = append(layer,
		Rule{Name: "public-certificates", Capability: "file.read", Pattern: "/etc/ssl/certs/*", Action: Allow},
		Rule{Name: "public-certificates", Capability: "file.read", Pattern: "*/cacert.pem", Action: Allow},
	)
	return append(layer, harmless()...)
}

func strict(root string) []Rule {
	layer := []Rule{
		{Name: "everything-asks", Capability: "*", Pattern: "*", Action: Ask},
		{Name: "background-input", Capability: "process.background", Pattern: stdin + "*", Action: Allow},
		{Name: "workspace-reads", Capability: "file.read", Pattern: root, Exact: true, Action: Allow},
	}
	if !strings.Contains(root, "*") { // a * of the root's own would stand for other places
		layer = append(layer, Rule{Name: "workspace-reads", Capability: "file.read", Pattern: strings.TrimSuffix(root, "/") + "/*", Action: Allow})
	}
	return append(layer, keys()...)
}

// keys ask before a file is read whose name says that it holds a private key, wherever
// it lies. What the path policy calls a secret asks in any profile.
func keys() []Rule {
	var out []Rule
	for p := range strings.FieldsSeq("*.pem *.key *.p12 *.pfx *.jks *.keystore *.kdbx *_rsa *_dsa *_ecdsa *_ed25519 */.ssh/*") {
		out = append(out, Rule{Name: "private-key-asks", Capability: "file.read", Pattern: p, Action: Ask})
	}
	return out
}

// harmless allows what an engineer runs all day and the effect table cannot vouch for:
// forms that neither write nor run code of the repository.
//
// git hashes work-tree files through the clean filters of its configuration, which no
// argument switches off (S7.8), so these forms are exec and in the log as exec. They
// are allowed all the same: the configuration lies in .git, which is protected, so
// that nothing the agent may write unasked can name a filter; an editor runs the same
// commands all day. Options that make git run a program, write a file or check a
// signature ask again, shortened ones too.
//
// Of programs that print their version there is none that a version manager takes from
// a path in the repository: rustup (cargo, rustc) does, corepack and yarn do, maven and
// bundler read options for their machine there.
func harmless() []Rule {
	var out []Rule
	for line := range strings.Lines(harmlessForms) {
		name, forms, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok {
			continue
		}
		for form := range strings.SplitSeq(forms, ", ") {
			out = append(out, Rule{Name: name, Capability: "process.execute", Pattern: form, Action: Allow})
		}
	}
	for _, sub := range gitShows {
		for option := range strings.FieldsSeq("--ext --textc --ou --show-s --pretty --format --remerge --diff-m --subm") {
			out = append(out, Rule{Name: "git-runs-asks", Capability: "process.execute", Pattern: "git " + sub + " *" + option + "*", Action: Ask})
		}
	}
	for form := range strings.SplitSeq(harmfulForms, ", ") {
		out = append(out, Rule{Name: "harmless-no-more-asks", Capability: "process.execute", Pattern: form, Action: Ask})
	}
	return out
}

// gitShows are the subcommands among the harmless ones that show changes or commits,
// and can be told to run a program for that, or to write a file.
var gitShows = []string{"diff", "stash show", "range-diff", "diff-tree", "diff-index", "whatchanged", "reflog"}

// harmfulForms are the forms among the harmless ones that check a signature, ask
// another machine or write a file after all.
const harmfulForms = "git tag *signature*, lsof *-D*"

const harmlessForms = `
	git-status: git status, git status *
	git-diff: git diff, git diff *
	git-blame: git blame *, git annotate *
	git-stash-list: git stash list, git stash list --stat, git stash show, git stash show *
	git-remote-list: git remote, git remote -v, git remote --verbose, git remote get-url *
	git-tag-list: git tag, git tag -l, git tag --list, git tag -n
	git-reflog: git reflog, git reflog show, git reflog show *, git reflog -*
	git-config-read: git config user.name, git config user.email
	git-worktree-list: git worktree list, git worktree list --porcelain
	git-compare: git cherry, git cherry *, git range-diff *, git diff-tree *, git diff-index *, git whatchanged, git whatchanged *
	which: which *, command -v *, type *
	go-reads: go version, go env, go env GO*, go help, go help *
	npm-reads: npm ls, npm list, npm root, npm prefix, npm --version, npm -v, npm help
	pip-reads: pip list, pip freeze, pip --version, pip3 list, pip3 freeze, pip3 --version
	docker-reads: docker ps, docker ps *, docker images, docker images *, docker logs *, docker stats --no-stream, docker system df, docker volume ls, docker network ls, docker context ls, docker version, docker info, docker --version
	docker-reads: docker compose ps, docker compose logs, docker compose logs *, docker compose ls, docker compose version, docker-compose ps, docker-compose --version
	machine-reads: free, free -h, free -m, free -g, pgrep *, netstat *, ss -tlnp, ss -ltnp, ss -lntp, ss -tln, ss -tulpn, ss -tan, ss -s, lsof -i, lsof -i :*, top -bn1, top -b -n1, top -b -n 1, top -l 1, vmstat, iostat, lsblk, crontab -l
	machine-reads: systemctl list-units, apt list --installed, dpkg -l, rpm -qa, brew list
	tree: tree, tree -a, tree -d, tree -L 1, tree -L 2, tree -L 3, tree -L 4
	gofmt-reads: gofmt -l ., gofmt -d ., gofmt -s -l ., gofmt -s -d .
	kubectl-config: kubectl config current-context, kubectl config get-contexts, kubectl version --client
	version: node --version, node -v, npx --version, deno --version, bun --version, tsc --version, tsc -v, eslint --version, prettier --version
	version: python --version, python -V, python3 --version, python3 -V, uv --version, ruff --version, black --version, mypy --version
	version: ruby --version, ruby -v, gem --version, perl -v, perl --version, php --version, php -v, lua -v, java -version, java --version, javac -version, javac --version, kotlin -version, scala -version, swift --version, dotnet --version, dotnet --list-sdks, zig version, elixir --version, ghc --version
	version: gcc --version, g++ --version, cc --version, c++ --version, clang --version, clang++ --version, make --version, cmake --version, ninja --version, ld --version, gdb --version, protoc --version, buf --version, golangci-lint --version, golangci-lint version, staticcheck -version, gofmt -h, shellcheck --version, shfmt --version
	version: git --version, gh --version, terraform --version, helm version, aws --version, gcloud --version, az --version, brew --version, psql --version, mysql --version, sqlite3 --version, redis-cli --version, jq --version, rg --version, fd --version, curl --version, wget --version, openssl version, ssh -V, tar --version, sed --version, awk --version, bash --version, zsh --version, tmux -V, vim --version, nvim --version, ffmpeg -version
`
