package effect

import (
	"fmt"
	"strings"
)

// forms run a script that stands in a word: %[1]s is the script, %[2]s the same
// without a blank in it.
var forms = []string{
	"bash -c '%[1]s'", "sh -ec '%[1]s'", "bash -c '%[2]s'", "sh -c '(%[2]s)'", "bash -c '$(%[2]s)'", "bash -c '`%[2]s`'", "eval '%[1]s'", "eval %[1]s", "eval '%[2]s'",
	"trap '%[1]s' EXIT", "trap '%[2]s' EXIT", "env -S'%[1]s'", "su --command='%[1]s'", "nohup %[1]s", "timeout 5 %[1]s", "time %[1]s", "sudo bash -c '%[2]s'", "xargs sh -c '%[2]s'",
	"bash <<< '%[1]s'", "bash <<E\n%[1]s\nE", "echo '%[1]s' | bash", "echo %[1]s | sh", "{ echo '%[1]s'; } | cat | \"sh\"", "bash <(echo '%[1]s')", "bash < <(echo '%[1]s')", "cat <<E | sh\n%[1]s\nE",
}

// texts puts the script into the words of programs that run words.
func texts(s string, yield func(Pair) bool) bool {
	for _, form := range forms {
		blank := strings.ReplaceAll(s, " ", "${IFS}")
		then := strings.NewReplacer("%[1]s", s, "%[2]s", blank).Replace(form)
		if !yield(Pair{Change: Add, Before: s, Then: then}) {
			return false
		}
	}
	return true
}

// paths are commands whose last word is a path, %s.
var paths = [][2]string{
	{"cat %s", "/proc/1/environ"}, {"cat %s", "/proc/self/environ"}, {"cat %s", "/proc/thread-self/environ"}, {"cat %s", "/proc/12/task/13/environ"},
	{"ls %s", "/proc"}, {"ls %s", "/proc/1"}, {"ls %s", "/proc/1/task"}, {"ls %s", "/proc/1/task/2"}, {"cat %s", "/w/../proc/self/environ"}, {"cat %s", "/proc/1/../self/environ"},
	{"cat %s", "/h/.ssh/id"}, {"ls %s", "/h"}, {"ls %s", "/h/.ssh"}, {"rm -rf %s", "/h"}, {"cat %s", "/h/x/../.ssh/id"}, {"cat %s", "d/../../h/.ssh/id"}, {"rm %s", "d/../../x"},
	{"cat %s", ".env"}, {"cat %s", "d/.env"}, {"touch %s", ".git/config"}, {"rm %s", "/usr/bin/ls"}, {"rm %s", "/usr/bin"}, {"rm %s", "/o/x"}, {"cat %s", "a/b"},
}

// patterns writes each part of the path as patterns that match it, and all parts so.
func patterns(p [2]string, yield func(Pair) bool) bool {
	before := fmt.Sprintf(p[0], p[1])
	for _, write := range []func(string) string{anything, anySigns, anyFirst, bracketed, anyEnd} {
		parts := strings.Split(p[1], "/")
		all := make([]string, len(parts))
		for i, c := range parts {
			all[i] = write(c)
			one := append(append(append([]string(nil), parts[:i]...), all[i]), parts[i+1:]...)
			if !yield(Pair{Change: Match, Before: before, Then: fmt.Sprintf(p[0], strings.Join(one, "/"))}) {
				return false
			}
		}
		if !yield(Pair{Change: Match, Before: before, Then: fmt.Sprintf(p[0], strings.Join(all, "/"))}) {
			return false
		}
	}
	return true
}

// undotted applies a spelling behind the dot that a pattern must write.
func undotted(c string, write func(string) string) string {
	rest := strings.TrimPrefix(c, ".")
	if rest == "" || c == ".." {
		return c
	}
	return c[:len(c)-len(rest)] + write(rest)
}

func anything(c string) string { return undotted(c, func(string) string { return "*" }) }
func anySigns(c string) string {
	return undotted(c, func(r string) string { return strings.Repeat("?", len(r)) })
}
func anyFirst(c string) string { return undotted(c, func(r string) string { return "?" + r[1:] }) }
func bracketed(c string) string {
	return undotted(c, func(r string) string { return "[" + r[:1] + "]" + r[1:] })
}
func anyEnd(c string) string { return undotted(c, func(r string) string { return r[:1] + "*" }) }
