package guard_test

import (
	"testing"

	"tenet/core/call"
	"tenet/core/guard"
)

func TestEnvironmentDumps(t *testing.T) {
	holds(t, policy(), guard.EnvironmentDump, `
env
/usr/bin/env
env -0
env --null
env A=1
env -u A
env --unset=A
env -u A B=1
printenv
printenv -0
printenv --null
set
export
export -p
declare
declare -p
declare -x
declare -xp
typeset -p
compgen -v
compgen -e
compgen -A variable
compgen -A export
ps e
ps eww
ps auxe
ps axe
ps -E
ps -eo pid,environ
ps -o environ
ps --format environ
cat /proc/self/environ
cat /proc/1/environ
strings /proc/…/environ
cat /proc/*/environ
xxd /proc/self/env*
tr x y /proc/self/task/1/environ
env | sort
systemctl --user show-environment
`, `
env -i
env -i A=1
env -
env -i ls
printenv HOME
printenv --version
set -e
set -euo pipefail
set -o
set -- a b
export A=1
export A
export -p A
export -f f
declare -p A
declare -f
declare -F
declare -x A=1
declare -i n=1
readonly
readonly A=1
compgen -c
compgen -A function
compgen -W environment
ps
ps aux
ps -ef
ps -e
ps -eo pid,comm
ps -p 1 -o etime
ps -C sleep
ps -u steve
ps -o user= -p 1
ps axo pid,pgid
echo $HOME
echo env
grep environ x
cat /proc/self/status
cat /proc/cpuinfo
ls /proc
cat environ
`)
}

// A redirection is no word of a command, but the step names the path.
func TestEnvironmentByARedirection(t *testing.T) {
	s := step("sort")
	s.Paths = []call.Path{{Real: "/proc/self/environ", Written: "/proc/self/environ", Class: "secret"}}
	if b, _ := guard.Check(policy(), "bash", s); b.Rule != guard.EnvironmentDump {
		t.Errorf("blocked by %q", b.Rule)
	}
}
