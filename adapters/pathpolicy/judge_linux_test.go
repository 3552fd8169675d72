package pathpolicy

import (
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"testing"

	"tenet/core/pathpolicy"
)

// A process that sees other mounts names by a path of ours something else: what lies
// behind its links is taken for a secret. One that sees ours is followed.
func TestLinksOfOtherProcesses(t *testing.T) {
	b := newBench(t)
	ours := sleeper(t, nil)
	theirs := sleeper(t, &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
	})
	for path, want := range map[string]pathpolicy.Class{
		"/proc/" + ours + "/root" + b.root + "/main.go":   pathpolicy.Inside,
		"/proc/" + ours + "/root" + b.home + "/.netrc":    pathpolicy.Secret,
		"/proc/" + theirs + "/root" + b.root + "/main.go": pathpolicy.Secret,
		"/proc/" + theirs + "/root/etc/shadow":            pathpolicy.Secret,
		"/proc/" + theirs + "/cwd/x":                      pathpolicy.Secret,
		"/proc/" + theirs + "/fd/0":                       pathpolicy.Secret,
		"/proc/" + theirs + "/environ":                    pathpolicy.Secret,
		"/proc/" + theirs + "/status":                     pathpolicy.Outside,
	} {
		if got := b.class(path); got != want {
			t.Errorf("%s is %v, want %v", path, got, want)
		}
	}
}

// sleeper is the id of a process that waits until the test is over.
func sleeper(t *testing.T, attr *syscall.SysProcAttr) string {
	t.Helper()
	cmd := exec.Command("cat")
	cmd.SysProcAttr = attr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Skipf("SKIPPED LOUDLY: this system lets nobody make a namespace (%v), so links into one are not judged here", err)
	}
	t.Cleanup(func() {
		in.Close()
		cmd.Wait()
	})
	return strconv.Itoa(cmd.Process.Pid)
}
