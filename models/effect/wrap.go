package effect

import (
	"fmt"
	"strings"
)

// wrappers are programs that run the command behind them, %s, in the spellings of their
// options: apart and attached, in groups, cut short, ended by --.
var wrappers = []string{
	"env %s", "env - %s", "env -i A=1 %s", "env -u A -- %s", "env --unset=A B=2 %s", "env --uns A %s", "env -C d %s", "env -vS'A=1 %s'", "env --split-string='%s'",
	"sudo %s", "sudo -u x %s", "sudo -ux %s", "sudo -nEu x -- %s", "sudo --user=x %s", "sudo --user x A=1 %s", "sudo -s %s", "doas -n -u x %s",
	"nohup %s", "nohup -- %s", "setsid -w %s", "nice %s", "nice -5 %s", "nice -n 5 %s", "nice -n5 %s", "nice --adj=5 %s", "ionice -c 2 -n7 %s", "chrt -f 10 %s", "taskset -c 0,1 %s",
	"timeout 5 %s", "timeout -k 5 10 %s", "timeout -k5 -s KILL 10 %s", "timeout --kill-after=5 --sig KILL 10 %s", "timeout --foreground -v 5 %s", "time -p %s", "/usr/bin/time -f x -o /dev/null %s",
	"stdbuf -oL %s", "stdbuf -o L -e0 %s", "stdbuf --output=L %s", "command %s", "command -p -- %s", "exec %s", "exec -c -a x %s", "strace -f -e trace=file %s", "unshare -r %s", "flock -n f %s", "flock -w 5 f -c '%s'",
	"busybox %s", "/lib64/ld-linux-x86-64.so.2 --library-path /x %s", "setarch x86_64 -R %s", "linux64 %s", "systemd-run --user --scope %s", "watch -n 1 %s", "watch -n1 -x %s", "watch '%s'", "caffeinate -i %s",
	"bash -c '%s'", "bash -o pipefail -xc '%s'", "bash -euo pipefail -c -- '%s'", "bash --norc -c '%s'", "sh -c '%s' x y", "dash -ec '%s'", "zsh -fc '%s'", "bash -lic '%s'", "su -c '%s' x", "su - x --command='%s'", "runuser -u x -- %s", "script -qc '%s' /dev/null",
	"ssh h %s", "ssh -p 22 -o A=b u@h -- %s", "ssh -tp22 h '%s'", "bwrap --ro-bind / / %s", "chroot d %s",
	"eval '%s'", "eval %s", "eval -- '%s'", "trap '%s' EXIT", "trap -- '%s' INT TERM", "sudo env A=1 nohup timeout 5 nice -n 5 %s", "sudo sh -c 'env -i %s'", "nohup bash -c 'timeout 5 %s'",
}

// oddly run the command as well, behind an option that nobody knows: it may take the next
// word or not, so each word may begin what runs.
var oddly = []string{
	"sudo --odd %s", "sudo --odd x %s", "env --odd %s", "timeout --odd 5 %s", "nice -z %s", "xargs --odd %s", "sudo --odd bash -c '%s'", "sudo --odd sh -ec '%s'", "sudo --odd bash -c '$(%s)'", "sudo --odd sh -c '(%s)'", "su --odd --command='(%s)'", "sudo --odd nohup %s", "sudo --odd eval '%s'", "sudo --odd eval %s", "env --odd -S'%s'", "su --odd --command='%s'",
	"sudo --odd env bash <<< '%s'", "sudo --odd bash <<E\n%s\nE", "echo '%s' | sudo --odd bash", "echo %s | sudo --odd sh", "{ echo '%s'; } | cat | sudo --odd \"sh\"", "sudo --odd bash <(echo '%s')", "sudo --odd bash < <(echo '%s')", "cat <<E | sudo --odd sh\n%s\nE",
}

// ships carry the command into a container, whose files are its own.
var ships = []string{
	"docker run --rm -it -v a:/b i %s", "docker --host tcp://h:1 run -u x i %s", "docker exec -u x c %s", "docker compose -f y exec -T s %s", "podman run -e A=1 --entrypoint=%s i", "kubectl -n n exec -it p -- %s",
}

// wrappings puts the script behind each wrapper. A word that only names one program is
// what the entry point of a container can be.
func wrappings(s string, yield func(Pair) bool) bool {
	for _, form := range wrappers {
		if !yield(Pair{Change: Wrap, Before: s, Then: fmt.Sprintf(form, s)}) {
			return false
		}
	}
	for _, form := range oddly {
		if !yield(Pair{Change: Odd, Before: s, Then: fmt.Sprintf(form, s)}) {
			return false
		}
	}
	for _, form := range ships {
		if strings.Contains(form, "=%s") && strings.Contains(s, " ") {
			continue
		}
		if !yield(Pair{Change: Ship, Before: s, Then: fmt.Sprintf(form, s)}) {
			return false
		}
	}
	return true
}

// linked are the links of the disk: to files, to directories, to other links, and one
// in the middle of a way.
var linked = map[string]string{
	"/w/to.env": ".env", "/w/to.key": "/h/.ssh/id", "/w/to.keys": "/h/.ssh", "/w/to.home": "/h", "/w/to.git": ".git", "/w/to.out": "/o", "/w/to.bin": "/usr/bin",
	"/w/far": "to.home", "/w/a/up": "..", "/w/farther": "far",
}

// linkPairs are a path and ways to it through links.
var linkPairs = [][]string{
	{".env", "to.env", "a/up/.env", "a/up/to.env"}, {"/h/.ssh/id", "to.key", "to.keys/id", "to.home/.ssh/id", "far/.ssh/id", "farther/.ssh/id", "a/up/far/.ssh/id"}, {"/h", "to.home", "far", "farther"},
	{".git/config", "to.git/config", "a/up/to.git/config"}, {"/o/x", "to.out/x"}, {"/usr/bin/ls", "to.bin/ls"}, {"a/b", "a/up/a/b"},
}

// reachers are commands whose last word is a path that they go through links for.
var reachers = []string{"cat %s", "ls %s", "cp x %s", "tee %s", "sort -o %s x", "echo x > %s", "chmod +x %s", "find %s", "grep -r x %s", "cat < %s", "sed -i s/a/b/ %s", "tool %s", "bash -c 'cat %s'"}

// split are scripts whose words only make sense when the program has joined them.
var split = [][2]string{
	{"cat /h/.ssh/id", "sudo --odd eval cat '$HOME/.ssh/id'"}, {"ls /h", "sudo --odd ssh h ls '$HOME'"}, {"rm -rf /", "sudo --odd watch rm '-rf /'"},
}

func splits(yield func(Pair) bool) bool {
	for _, p := range split {
		if !yield(Pair{Change: Odd, Before: p[0], Then: p[1]}) {
			return false
		}
	}
	return true
}

func reaches(yield func(Pair) bool) bool {
	for _, pair := range linkPairs {
		for _, form := range reachers {
			for _, way := range pair[1:] {
				if !yield(Pair{Change: Link, Before: fmt.Sprintf(form, pair[0]), Then: fmt.Sprintf(form, way)}) {
					return false
				}
			}
		}
	}
	return true
}
