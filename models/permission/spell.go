package permission

import (
	"fmt"
	"iter"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"tenet/core/call"
	"tenet/core/effect"
	"tenet/core/floor"
	"tenet/core/pathpolicy"
)

// Spelled is a script, and the rule of the floor that it falls under whatever way it
// is written; empty for one that only mentions a catastrophe.
type Spelled struct{ Script, Rule string }

// String is the script as a run shows it.
func (s Spelled) String() string { return fmt.Sprintf("%q", s.Script) }

// disk is the world of the scripts: nothing in it is a link.
type disk struct{}

func (disk) Read(string) (string, pathpolicy.Kind) { return "", pathpolicy.Present }

var world = effect.Place{
	Policy: &pathpolicy.Policy{Roots: []string{Root}, Secrets: []string{Home + "/.ssh"}, Protected: []pathpolicy.Rule{{Kind: pathpolicy.Named, Path: ".git"}}},
	Links:  disk{}, Cwd: Root, Env: map[string]string{"HOME": Home},
}

// StepSpelled is the rule of the floor that core finds a script to fall under.
func (None) StepSpelled(s Spelled) (None, string) {
	f, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(s.Script), "")
	if err != nil {
		return None{}, "no script: " + err.Error()
	}
	found := effect.Every(f, world)
	rule, _, _ := floor.Check(floor.Place{Root: Root, Home: Home}, call.Step{Commands: found.Commands, Hazards: found.Hazards})
	return None{}, rule
}

// catastrophes are one command for each line of the floor, without a quote.
var catastrophes = []Spelled{
	{"rm -rf /", "wipe-root-or-home"}, {"rm -r -f /h", "wipe-root-or-home"}, {"rm --recursive --force /*", "wipe-root-or-home"}, {"find / -delete", "wipe-root-or-home"}, {"find /h -exec rm {} +", "wipe-root-or-home"}, {"mv /h /tmp/x", "wipe-root-or-home"},
	{"chmod -R 777 /", "open-root-or-home"}, {"chown -R u /", "open-root-or-home"}, {"mkfs.ext4 -F /dev/sdb1", "format-disk"}, {"dd if=x of=/dev/sda", "write-raw-disk"}, {"tee /dev/sda", "write-raw-disk"},
	{"shutdown -h now", "stop-machine"}, {"systemctl poweroff", "stop-machine"}, {"git push --force origin main", "force-push-main"}, {"git push -uf origin HEAD:master", "force-push-main"},
}

// around puts a command into others; what is run is the same.
var around = []string{
	"sudo %s", "sudo -n -u root %s", "env %s", "env A=1 %s", "nohup %s", "timeout -k 5 10 %s", "nice -n 5 %s", "command %s", "exec %s", "stdbuf -o0 %s", "setsid %s", "time %s", "env A=1 nohup timeout 10 nice %s",
	"bash -c '%s'", "sh -ec '%s'", "bash -c -- '%s'", "bash -o pipefail -xc '%s'", "sudo bash -c '%s'", "eval '%s'", "eval %s", "env -S '%s'", "bash <<< '%s'", "bash <<E\n%s\nE",
	"%s; true", "true; %s", "ls && %s", "ls || %s", "%s | cat", "echo x | %s", "(%s)", "{ %s; }", "! %s", "%s &", "%s 2>/dev/null", "if true; then %s; fi", "while true; do %s; done", "for i in 1; do %s; done",
	"case x in x) %s;; esac", "f() { %s; }; f", "echo $(%s)", "echo `%s`", "cat <(%s)", "x=$(%s)", "git commit -m\n%s", "echo \"$(echo \" ) \" )\"; %s", "trap '%s' EXIT", "coproc { %s; }", "X=1 %s",
}

// homes are ways to write the home and the root as an operand of rm -rf.
var homes = []string{
	"~", "~/", "~/.", "$HOME", "${HOME}", `"$HOME"`, `"${HOME}"/`, "$HOME/", "/h", "/h/", "//h//.", "/h/w/..", "..", "../", "../*", "../.[!.]*", "~/*", `"$HOME"/*`, "$HOME/../h", "../../h", "/", "//", "/.", "/h/..", "../..", "/*", "/h*", "${X:-/}", "${X:-$HOME}",
	`"$UNSET/"*`, `"$(cat f)/"*`, "$(cat f)/", `"$UNSET"/`, "$A/$B", "/{h,x}", "/proc/self/root", "/proc/self/root/h", "'/'", `"/"`, `\/`, "$'/'", "$'\\x2f'", "-- /", "x /", "/ x", "--no-preserve-root /",
}

// mentions are scripts that only speak of a catastrophe, or stand next to one.
var mentions = []string{
	"echo 'rm -rf /'", "echo rm -rf /", `git commit -m "rm -rf /"`, "grep -rn 'rm -rf /' .", "ls # rm -rf /", "printf '%s' 'shutdown now'", "grep -rn shutdown src", "cat <<'E'\nrm -rf /\nE", "git commit -F - <<'E'\nrm -rf /\nE",
	"rm -rf './~'", `rm -rf '$HOME'`, `rm -rf "${B:?}/"*`, "rm -rf ./*", "rm -rf build", "rm -rf .", `rm -rf "$UNSET"`, "rm -rf ~/x", "rm -rf ~/D*", "rm -rf /t*/x", "rm -rf '/*'", "find . -delete", "find ~ -name '*.pyc' -delete", "chmod -R 777 .", "dd if=/dev/zero of=/dev/null", "echo x > /dev/null", "git push --force-with-lease origin main", "git push -f origin topic",
	"man shutdown", "npm run reboot", "echo x > mkfs", "which mkfs.ext4", "systemctl status x",
}

// Spellings is every catastrophe in every way to write it, and what only looks like it.
func Spellings(None) iter.Seq[Spelled] {
	return func(yield func(Spelled) bool) {
		for _, c := range catastrophes {
			if !yield(c) || !quoted(c, yield) || !wrapped(c, yield) {
				return
			}
		}
		for _, h := range homes {
			for _, form := range []string{"rm -rf %s", "git add . && rm -rf %s 2>/dev/null", "rm -r --force %s; ls", "sudo rm -fR %s"} {
				if !yield(Spelled{fmt.Sprintf(form, h), "wipe-root-or-home"}) {
					return
				}
			}
		}
		for _, s := range others {
			if !yield(s) {
				return
			}
		}
		for _, m := range mentions {
			if !yield(Spelled{Script: m}) {
				return
			}
		}
	}
}

// others are spellings of their own.
var others = []Spelled{
	{"rm${IFS}-rf${IFS}/", "wipe-root-or-home"}, {"{rm,-rf,/}", "wipe-root-or-home"}, {"c=rm; $c -rf /", "wipe-root-or-home"}, {"d=/; rm -rf $d", "wipe-root-or-home"}, {"cd / && rm -rf .", "wipe-root-or-home"},
	{"cd ~ && rm -rf ./* .[!.]*", "wipe-root-or-home"}, {"cd && rm -rf *", "wipe-root-or-home"}, {"/bin/rm -rf /", "wipe-root-or-home"}, {"/proc/self/root/bin/rm -rf /", "wipe-root-or-home"}, {"/bin/r? -rf /", "wipe-root-or-home"},
	{"ls(){ rm -rf /; }; ls", "wipe-root-or-home"}, {"rm -rf \\\n/", "wipe-root-or-home"}, {"rm\t-rf\t/", "wipe-root-or-home"}, {"$'rm\\0x' -rf /", "wipe-root-or-home"}, {"$'\\x72m' -rf /", "wipe-root-or-home"},
	{":(){ :|:& };:", "fork-bomb"}, {"b(){ b|b& };b", "fork-bomb"}, {"b() { b & b; }; b", "fork-bomb"}, {"function b { b | b & }; b", "fork-bomb"},
	{"cat img > /dev/sda", "write-raw-disk"}, {"> /dev/nvme0n1", "write-raw-disk"}, {"{ echo x; } > /dev/sda", "write-raw-disk"}, {"exec 3> /dev/sda", "write-raw-disk"}, {"git -C . push origin +main", "force-push-main"}, {"git push origin :main", "force-push-main"}, {"git push --mirror b", "force-push-main"},
}

// quoted writes each word in each way that means the same.
func quoted(c Spelled, yield func(Spelled) bool) bool {
	words := strings.Fields(c.Script)
	for i, w := range words {
		if strings.ContainsAny(w, "*{}") {
			continue
		}
		for _, q := range []string{"'" + w + "'", `"` + w + `"`, `\` + w, `""` + w, w + "''", w[:1] + `''` + w[1:], "$'" + w + "'", w[:len(w)-1] + `"` + w[len(w)-1:] + `"`, "\\\n" + w} {
			then := append(append(append([]string(nil), words[:i]...), q), words[i+1:]...)
			if !yield(Spelled{strings.Join(then, " "), c.Rule}) {
				return false
			}
		}
	}
	return true
}

func wrapped(c Spelled, yield func(Spelled) bool) bool {
	for _, form := range around {
		if strings.HasPrefix(form, "env -S") && strings.Contains(c.Script, "*") {
			continue // env splits words and matches no pattern
		}
		if !yield(Spelled{fmt.Sprintf(form, c.Script), c.Rule}) {
			return false
		}
	}
	return true
}
