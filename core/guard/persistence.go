package guard

import (
	"path"
	"strings"

	"tenet/core/call"
)

// persistence refuses what runs later by itself, outside of every gate.
func (v *view) persistence() (why, next string) {
	why, next = v.written(func(at string) (string, string) {
		if what := v.p.runsLater(at); what != "" {
			return at + " is " + what + ", which runs later by itself", tellUser
		}
		return "", ""
	})
	if why != "" {
		return why, next
	}
	return v.each(func(l line) (string, string) {
		if plants, ok := planters[l.name()]; ok {
			if what := plants(l); what != "" {
				return what, tellUser
			}
		}
		return "", ""
	})
}

const tellUser = "Tell the user which lines to add and where, and let the user do it."

// places is a list of paths with what lies there. An entry that ends in / means the
// directory and everything below it; another one, the file; each name may be a pattern.
type places []struct{ what, entries string }

func (ps places) find(at string) string {
	for _, p := range ps {
		for e := range strings.FieldsSeq(p.entries) {
			if mayCover(e, at) && covers(e, at) {
				return p.what
			}
		}
	}
	return ""
}

// mayCover tells most entries apart by their first letter, without walking the path.
func mayCover(entry, at string) bool {
	return at != "" && (entry[0] == at[0] || strings.IndexByte("*?[", at[0]) >= 0)
}

// covers matches a path against an entry, name by name.
func covers(entry, at string) bool {
	dir := strings.HasSuffix(entry, "/")
	entry = strings.TrimSuffix(entry, "/")
	for entry != "" {
		var e, a string
		e, entry, _ = strings.Cut(entry, "/")
		if at == "" {
			return false
		}
		a, at, _ = strings.Cut(at, "/")
		if !matchEither(e, a) {
			return false
		}
	}
	return dir || at == ""
}

// matchEither: the entry may be a pattern, and so may the written name, unless it stands
// for everything: whoever names all files means none of these. A shell matches a
// leading dot only by a written one.
func matchEither(entry, name string) bool {
	switch {
	case entry == name:
		return true
	case strings.ContainsAny(entry, "*?["):
		return matchName(entry, name)
	case strings.ContainsAny(name, "*?[") && !everything(name):
		return (entry[0] != '.' || name[0] == '.') && matchName(name, entry)
	}
	return false
}

// atHome is below a home directory.
var atHome = places{
	{"a shell's start-up file", ".bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout .kshrc .mkshrc .cshrc .tcshrc .login .logout .inputrc .pam_environment .config/fish/ .config/nushell/ .config/powershell/ .config/zsh/ .oh-my-zsh/ .config/environment.d/"},
	{"a session's start-up file", ".xprofile .xinitrc .xsession .xsessionrc .xsessionrc.d/ .config/autostart/ .config/autostart-scripts/ .config/plasma-workspace/ .config/upstart/ library/launchagents/ .config/hypr/ .config/sway/ .config/i3/"},
	{"a systemd unit", ".config/systemd/ .local/share/systemd/"},
	{"ssh's own", ".ssh/authorized_keys .ssh/authorized_keys2 .ssh/config .ssh/config.d/ .ssh/rc .ssh/environment"},
	{"git's settings", ".gitconfig .config/git/ .git-templates/"},
	{"an editor's start-up file", ".vimrc .gvimrc .vim/ .config/nvim/ .emacs .emacs.el .emacs.d/ .config/emacs/ .nanorc .config/code/user/ .config/vscodium/user/ .config/cursor/user/ library/application?support/code/user/ library/application?support/cursor/user/ .config/zed/ .config/helix/"},
	{"a terminal's start-up file", ".tmux.conf .config/tmux/ .screenrc .config/kitty/ .config/alacritty/ .config/wezterm/ .wezterm.lua .hammerspoon/"},
	{"a hook of direnv", ".direnvrc .config/direnv/"},
	{"a debugger's start-up file", ".gdbinit .lldbinit .config/gdb/ .pdbrc .pythonrc .pythonrc.py .irbrc .pryrc"},
	{"a coding agent's settings", ".claude.json .config/opencode/ .config/crush/ .config/goose/ .aider.conf.yml .qwen/settings.json .copilot/ .config/github-copilot/ .tenet/settings.json .tenet/*.cfg"},
}

// system is from the root directory.
var system = places{
	{"cron's", "etc/crontab etc/cron.*/ etc/anacrontab var/spool/cron/ var/spool/at/ usr/lib/cron/ private/var/at/"},
	{"a system unit", "etc/systemd/ lib/systemd/ usr/lib/systemd/ usr/local/lib/systemd/ run/systemd/ etc/init.d/ etc/rc.local etc/rc*.d/ etc/init/ etc/inittab library/launchagents/ library/launchdaemons/ etc/xdg/autostart/ etc/udev/"},
	{"every shell's start-up file", "etc/profile etc/profile.d/ etc/bash.bashrc etc/bashrc etc/zshrc etc/zshenv etc/zprofile etc/zsh/ etc/environment etc/environment.d/ etc/fish/"},
	{"the system's own", "etc/ssh/ etc/sudoers etc/sudoers.d/ etc/pam.d/ etc/ld.so.preload etc/ld.so.conf etc/ld.so.conf.d/ etc/modules-load.d/ etc/modprobe.d/ etc/gitconfig etc/passwd etc/shadow"},
}

// anywhere lies in any project; the entries are what a path may end in.
var anywhere = places{
	{"an editor's task file", ".vscode/tasks.json .idea/runconfigurations/ .zed/tasks.json .exrc .nvim.lua .nvimrc .vimrc.local"},
	{"a hook of direnv", ".envrc"},
	{"a coding agent's settings", ".claude/settings*.json .claude/hooks/ .claude-plugin/ .codex/config.toml .codex/hooks.json .codex/hooks/ .codex/rules/ .gemini/settings.json .gemini/hooks/ .gemini/extensions/ .qwen/settings.json .cursor/*.json .cursor/hooks/ .opencode/ opencode.json opencode.jsonc crush.json .crush.json .mcp.json .vscode/mcp.json .tenet/settings.json .tenet/*.cfg"},
	{"git's settings, which name programs", ".git/config .git/config.worktree .git/modules/*/config"},
	{"a git hook", ".git/hooks/ .git/modules/*/hooks/ .git/worktrees/*/hooks/"},
}

// runsLater says what kind of place a path is, empty for one where nothing runs by
// itself. Cases do not count, since not every file system tells them apart.
func (p *Policy) runsLater(at string) string {
	low := strings.ToLower(at)
	if !strings.HasPrefix(low, "/") {
		low = "/" + low // no planner hands one over; judged from the root
	}
	for _, h := range p.HookDirs {
		if within(at, h) {
			return "a git hook"
		}
	}
	if first, _, _ := strings.Cut(low[1:], "/"); systemDirs.has(first) || sign(first) {
		if what := system.find(low[1:]); what != "" {
			return what
		}
	}
	if rest, ok := homeRest(low, strings.ToLower(p.Home)); ok && startsUp(rest) && !p.opened(atHome, low, rest) {
		if what := atHome.find(rest); what != "" {
			return what
		}
	}
	return anywhereIn(low)
}

// systemDirs are where the entries of system begin.
const systemDirs list = "etc var usr lib run library private"

// startsUp reports whether an entry of atHome can cover the path at all: most paths
// are told apart by their first letter.
func startsUp(rest string) bool {
	return rest != "" && (rest[0] == '.' || strings.HasPrefix(rest, "library/") || sign(rest))
}

// sign reports whether a path has a name that may stand for others.
func sign(at string) bool { return strings.ContainsAny(at, "*?[") }

// opened reports whether the user works in such a place on purpose: the workspace
// itself lies in it.
func (p *Policy) opened(ps places, low, rest string) bool {
	root := strings.ToLower(p.Root)
	if root == "" || !within(low, root) {
		return false
	}
	home := strings.TrimSuffix(strings.TrimSuffix(low, rest), "/")
	in, ok := strings.CutPrefix(root, home+"/")
	return ok && ps.find(in) != ""
}

// homeRest is a path below a home: the user's own, or another user's.
func homeRest(low, home string) (rest string, ok bool) {
	if home != "" && below(low, home) {
		return low[len(strings.TrimSuffix(home, "/"))+1:], true
	}
	if rest, ok = strings.CutPrefix(low, "/root/"); ok {
		return rest, true
	}
	for _, homes := range []string{"/home/", "/users/"} {
		if rest, ok = strings.CutPrefix(low, homes); ok {
			_, rest, ok = strings.Cut(rest, "/")
			return rest, ok
		}
	}
	return "", false
}

// anywhereIn tries the entries from each directory of the path on.
func anywhereIn(low string) string {
	rest := strings.TrimPrefix(low, "/")
	for rest != "" {
		_, next, more := strings.Cut(rest, "/")
		if rest[0] == '.' || !more || sign(rest) {
			if what := anywhere.find(rest); what != "" {
				return what
			}
		}
		rest = next
	}
	return ""
}

// planters are the commands that plant without naming a path; each answers what it
// plants, as a sentence without its end, empty for a harmless use.
var planters = map[string]func(line) string{
	"crontab": crontabPlants, "systemctl": systemctlPlants, "launchctl": launchctlPlants,
	"at": atPlants, "batch": atPlants, "systemd-run": systemdRunPlants, "loginctl": loginctlPlants,
	"chsh": func(line) string { return "chsh changes the program that a login starts" },
	"git":  gitPlants, "direnv": direnvPlants, "update-rc.d": func(line) string { return "update-rc.d plants a service" },
}

func crontabPlants(l line) string {
	p := grammar{letters: "u"}.parse(l.args())
	if p.has("lr") {
		return ""
	}
	return "crontab plants commands that cron runs"
}

func systemctlPlants(l line) string {
	p := grammar{letters: "HMtspno"}.parse(l.args())
	switch verb := p.word(0); verb {
	case "enable", "reenable", "link", "edit", "add-wants", "add-requires", "preset", "set-environment", "import-environment", "set-default":
		return "systemctl " + verb + " plants what systemd runs later"
	}
	return ""
}

func launchctlPlants(l line) string {
	p := grammar{}.parse(l.args())
	switch verb := p.word(0); verb {
	case "load", "bootstrap", "enable", "submit", "setenv":
		return "launchctl " + verb + " plants what launchd runs later"
	}
	return ""
}

func atPlants(l line) string {
	p := grammar{letters: "qf"}.parse(l.args())
	if p.has("lcdrV") {
		return ""
	}
	return l.name() + " plants commands that run later"
}

func systemdRunPlants(l line) string {
	for _, w := range l.args() {
		if t := plain(w); strings.HasPrefix(t, "--on-") || strings.HasPrefix(t, "--timer-property") || strings.HasPrefix(t, "--path-property") {
			return "systemd-run plants commands that run later"
		}
	}
	return ""
}

func loginctlPlants(l line) string {
	if (grammar{}).parse(l.args()).word(0) == "enable-linger" {
		return "loginctl enable-linger lets programs outlive the login"
	}
	return ""
}

func direnvPlants(l line) string {
	if verb := (grammar{}).parse(l.args()).word(0); among(verb, "allow", "permit", "grant") {
		return "direnv " + verb + " lets a file run at every visit of its directory"
	}
	return ""
}

var gitConfigGrammar = grammar{letters: "ft", longs: "file blob type default value url comment"}

// gitPlants: git config with a key that names a program, at any level.
func gitPlants(l line) string {
	g, ok := asGit(l)
	if !ok || g.sub != "config" {
		return ""
	}
	p := gitConfigGrammar.parse(g.args)
	if p.has("l", "list", "get", "get-all", "get-regexp", "get-urlmatch", "get-color", "get-colorbool", "unset", "unset-all", "remove-section") || among(p.word(0), "get", "list", "unset", "remove-section") {
		return ""
	}
	operands := p.operands()
	if p.has("e", "edit") || p.word(0) == "edit" {
		return "git config --edit starts an editor on settings that name programs"
	}
	if len(operands) > 0 && p.word(0) == "set" {
		operands = operands[1:]
	}
	if len(operands) < 2 || !programKey(operands[0], plain(operands[1])) {
		return ""
	}
	return "git config " + plain(operands[0]) + " names a program that git runs later"
}

// programKey reports whether a git setting names a program, or a file with settings.
func programKey(key call.Word, value string) bool {
	if !key.Known() {
		return true
	}
	k := strings.ToLower(key.Text)
	section, name := k, path.Ext(k)
	section, _, _ = strings.Cut(section, ".")
	switch section {
	case "alias":
		return strings.HasPrefix(strings.TrimSpace(value), "!")
	case "include", "includeif", "protocol":
		return true
	case "filter", "diff", "merge", "difftool", "mergetool", "browser", "man", "guitool", "pager", "sendemail", "trailer":
		return among(name, ".clean", ".smudge", ".process", ".textconv", ".command", ".external", ".driver", ".cmd", ".path", ".sendmailcmd") || section == "pager" && !among(value, "true", "false")
	case "submodule":
		return strings.HasPrefix(strings.TrimSpace(value), "!")
	}
	return programKeys.has(k) || among(name, ".helper", ".uploadpack", ".receivepack", ".vcs", ".program", ".proxy")
}

const programKeys list = "core.hookspath core.fsmonitor core.sshcommand core.pager core.editor core.askpass core.gitproxy core.alternaterefscommand core.worktree sequence.editor init.templatedir interactive.difffilter uploadpack.packobjectshook gpg.program gpg.ssh.program gpg.ssh.defaultkeycommand credential.helper ssh.variant commit.template core.attributesfile instaweb.httpd imap.tunnel"
