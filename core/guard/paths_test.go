package guard_test

import (
	"path"
	"strings"
	"testing"

	"tenet/core/call"
	"tenet/core/guard"
)

// writes is a tool's write to a path.
func writes(at string) call.Step {
	return call.Step{N: 1, Effects: call.Of(call.Write), Paths: []call.Path{{Real: path.Join("/", absolute(at)), Written: at, Use: call.Writes, Class: "inside"}}}
}

// absolute is a path from the workspace on.
func absolute(at string) string {
	if at = word(at).Text; path.IsAbs(at) {
		return at
	}
	return path.Join(root, at)
}

// writesHeld checks writes by the tool, and by a redirection, of each path.
func writesHeld(t *testing.T, p guard.Policy, rule, denied, passed string) {
	t.Helper()
	for i, paths := range []string{denied, passed} {
		want := []string{rule, ""}[i]
		for at := range strings.FieldsSeq(paths) {
			if b, _ := guard.Check(p, "write", writes(at)); b.Rule != want {
				t.Errorf("write %s: blocked by %q, want %q", at, b.Rule, want)
			}
			if got := blocked(p, "echo x > "+at); got != want {
				t.Errorf("> %s: blocked by %q, want %q", at, got, want)
			}
		}
	}
}

func TestPersistence(t *testing.T) {
	writesHeld(t, policy(), guard.Persistence, `
~/.bashrc ~/.BASHRC ~/.bash_profile ~/.profile ~/.zshrc ~/.zshenv ~/.config/fish/config.fish ~/.config/fish
~/.config/autostart/x.desktop ~/.config/systemd/user/x.service ~/.config/environment.d/x.conf ~/Library/LaunchAgents/x.plist
~/.ssh/authorized_keys ~/.ssh/config ~/.ssh/rc ~/.gitconfig ~/.config/git/config ~/.vimrc ~/.config/nvim/init.lua
~/.config/Code/User/tasks.json ~/Library/Application␣Support/Code/User/settings.json ~/.tmux.conf ~/.direnvrc ~/.config/direnv/direnv.toml
~/.claude/settings.json ~/.claude.json ~/.codex/config.toml ~/.gemini/settings.json ~/.cursor/mcp.json ~/.config/opencode/opencode.json ~/.config/crush/crush.json ~/.tenet/settings.json
/root/.bashrc /home/other/.zshrc /Users/x/.zprofile
/etc/crontab /etc/cron.d/x /etc/cron.daily/x /var/spool/cron/crontabs/u /etc/systemd/system/x.service /usr/lib/systemd/system/x.service
/etc/profile /etc/profile.d/x.sh /etc/bash.bashrc /etc/environment /etc/xdg/autostart/x.desktop /Library/LaunchDaemons/x.plist /etc/ld.so.preload /etc/sudoers.d/x /etc/rc.local
.git/hooks/pre-commit sub/.git/hooks/x .git/config .git/modules/m/hooks/x
.vscode/tasks.json sub/.vscode/tasks.json .idea/runConfigurations/x.xml .zed/tasks.json .envrc sub/.envrc .exrc
.claude/settings.json .claude/settings.local.json .codex/config.toml .gemini/settings.json .cursor/hooks.json opencode.json .opencode/plugin/x.js crush.json .crush.json .mcp.json .tenet/settings.json
~/.bash* ~/.config/autostart/… .vscode/tasks.*
`, `
main.go README.md .gitignore .gitattributes .gitmodules .github/workflows/ci.yml .editorconfig .env .npmrc
.vscode/settings.json .vscode/launch.json .idea/misc.xml .cursor/rules/x.mdc .claude/commands/x.md .claude/agents/x.md CLAUDE.md AGENTS.md
.pre-commit-config.yaml .husky/pre-commit hooks/useThing.ts src/hooks/pre-commit config.fish etc/profile home/.bashrc testdata/.bashrc testdata/home/.ssh/config
.git/COMMIT_EDITMSG .git/info/exclude
~/notes.txt ~/.cache/x ~/.config/myapp/x ~/.ssh/known_hosts ~/.local/share/x /tmp/x /tmp/.bashrc /dev/null /etc/hosts
dist/* * .* sub/… … .vscode/… my.envrc .envrc.example bashrc opencode.json.md settings.json
`)
	p := policy()
	p.HookDirs = []string{root + "/.husky"}
	writesHeld(t, p, guard.Persistence, ".husky/pre-commit .husky", "husky/x")
}

// Whoever opens the workspace in such a place works on it on purpose.
func TestAWorkspaceOfStartUpFiles(t *testing.T) {
	p := policy()
	p.Root = home + "/.config/nvim"
	writesHeld(t, p, guard.Persistence, "~/.bashrc ~/.config/fish/config.fish", "~/.config/nvim/init.lua")
}

func TestPlantingCommands(t *testing.T) {
	holds(t, policy(), guard.Persistence, `
crontab x
crontab -
crontab -e
systemctl enable x
systemctl --user enable --now x
systemctl --user link x
systemctl edit x
launchctl load x
launchctl bootstrap gui/501 x
at now
batch
systemd-run --on-calendar=daily x
loginctl enable-linger
chsh -s x
direnv allow
direnv allow .
git config core.hooksPath x
git config --global core.hooksPath x
git config set core.fsmonitor x
git config --add core.sshCommand x
git config --global alias.x !id
git config credential.helper x
git config diff.x.textconv y
git config filter.x.smudge y
git config include.path x
git config --file .git/config core.pager x
git config -e
git config --global --edit
git -C sub config core.editor x
git config …  x
git config pager.log x
git config gpg.program x
git config remote.origin.uploadpack x
`, `
crontab -l
systemctl status x
systemctl --user status x
systemctl restart x
systemctl is-enabled x
launchctl list
at -l
atq
systemd-run --user x
loginctl
direnv status
git config
git config --list
git config user.name x
git config --global user.name x
git config core.hooksPath
git config --get core.hooksPath
git config get core.hooksPath
git config --unset core.hooksPath
git config core.autocrlf false
git config --global init.defaultBranch main
git config --global --add safe.directory x
git config alias.st status
git config pull.rebase true
git config pager.log false
git config remote.origin.url x
git config diff.algorithm histogram
git config merge.conflictstyle diff3
git config commit.gpgsign false
`)
}

func TestCredentialNames(t *testing.T) {
	writesHeld(t, policy(), guard.CredentialName, `
id_rsa keys/id_ed25519 server.key ca.PEM key.pem private.pem x.p12 x.pfx x.jks debug.keystore x.kdbx .netrc .pgpass .git-credentials ~/.netrc
`, `
id_rsa.pub server.crt cert.pem fullchain.pem public.pem key.go keys.json .key monkey pem keystore.go .env token.ts password.md credentials_test.go key.pem.example
`)
	holds(t, policy(), "", "", "cat x.pem\nopenssl x509 -in x.pem")
}

func TestWriteRoots(t *testing.T) {
	p := policy()
	p.WriteRoots = []string{root + "/src", "/tmp"}
	writesHeld(t, p, guard.WriteRoots, "~/proj/main.go ~/proj/srcx/a ~/x /etc/hosts …x", "~/proj/src/a /tmp/x /dev/null")
	writesHeld(t, policy(), guard.WriteRoots, "", "~/proj/main.go ~/x")
}

func TestFragments(t *testing.T) {
	p := policy()
	p.Fragments = []string{"infra/prod", "/vendor/", "*.lock", "["}
	writesHeld(t, p, guard.ProtectedFragment, "infra/prod/x.tf sub/infra/prod INFRA/Prod/x vendor/a/b.go x/go.lock", "")
	p.Fragments = p.Fragments[:3]
	writesHeld(t, p, guard.ProtectedFragment, "", "infra/production/x infra/x/prod vendored/a x.lock.md prod")
	holds(t, p, "", "", "cat infra/prod/x.tf")
}

func TestUnknownToolsAreReaders(t *testing.T) {
	secret := call.Path{Real: "/home/u/.aws/credentials", Class: "secret"}
	holds := call.Path{Real: "/home/u", Class: "protected", Holds: true}
	plain := call.Path{Real: root + "/a", Class: "inside"}
	for _, c := range []struct {
		tool string
		step call.Step
		deny bool
	}{
		{"indexer", call.Step{Paths: []call.Path{plain, secret}}, true},
		{"indexer", call.Step{Paths: []call.Path{holds}}, true},
		{"indexer", call.Step{Effects: call.Of(call.Secret)}, true},
		{"indexer", call.Step{Paths: []call.Path{plain}}, false},
		{"ls", call.Step{Paths: []call.Path{holds}}, true},
		{"read", call.Step{Paths: []call.Path{secret}}, false},
		{"bash", call.Step{Paths: []call.Path{holds}, Effects: call.Of(call.Secret)}, false},
	} {
		b, hit := guard.Check(policy(), c.tool, c.step)
		if hit != c.deny || hit && b.Rule != guard.SecretReader {
			t.Errorf("%s on %+v: %v by %q", c.tool, c.step.Paths, hit, b.Rule)
		}
	}
}

func TestKnowledgeOfAFile(t *testing.T) {
	for k, want := range map[call.Knowledge][3]bool{ // write, edit, search_replace
		call.NotAsked: {}, call.New: {}, call.Known: {},
		call.Unknown: {true, false, false}, call.Partial: {true, false, false}, call.Stale: {true, true, true},
	} {
		for i, tool := range []string{"write", "edit", "search_replace"} {
			b, hit := guard.Check(policy(), tool, call.Step{Knowledge: k})
			if hit != want[i] || hit && b.Rule != guard.KnowledgeOfTheFile {
				t.Errorf("%s of a file that is %v: %v by %q", tool, k, hit, b.Rule)
			}
			if k == call.Stale && !strings.Contains(b.Why, "CHANGED") {
				t.Errorf("a stale file is said to be: %s", b.Why)
			}
		}
	}
}
