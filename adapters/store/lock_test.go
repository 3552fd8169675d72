package store_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"tenet/adapters/store"
)

// lockChild is the log that a child of these tests holds until its input ends.
const lockChild = "TENET_LOCK_CHILD"

// TestMain lets the test binary be the other process.
func TestMain(m *testing.M) {
	if path := os.Getenv(lockChild); path != "" {
		l, _, err := store.Open(path)
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println("held")
		_, _ = os.Stdin.Read(make([]byte, 1)) // until the parent lets go, or kills
		_ = l.Close()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func emptyLog(t *testing.T) string {
	t.Helper()
	l, err := store.Create(t.TempDir(), "s", store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	return l.Path()
}

// heldByAnother starts a process that holds the log.
func heldByAnother(t *testing.T, path string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), lockChild+"="+path)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = stdin.Close(); _ = cmd.Wait() })
	said := make([]byte, 5)
	if _, err := out.Read(said); err != nil || string(said[:4]) != "held" {
		t.Fatalf("the other process says %q, %v", said, err)
	}
	return cmd
}

// A second process that wants the log is told who has it, and that it lives.
func TestARefusalNamesTheProcessThatHoldsTheLog(t *testing.T) {
	path := emptyLog(t)
	other := heldByAnother(t, path)
	_, _, err := store.Open(path)
	var busy *store.Busy
	if !errors.As(err, &busy) || busy.PID != other.Process.Pid || !busy.Lives() {
		t.Fatalf("got %v, want a refusal that names process %d", err, other.Process.Pid)
	}
	if want := fmt.Sprintf("process %d holds this session", other.Process.Pid); !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %q in it", err, want)
	}
	if h := (store.Disk{}).Holder(path); h == nil || h.PID != other.Process.Pid {
		t.Errorf("a reader is told of %+v", h)
	}
}

// A process that was killed leaves its name in the file and not the lock: the next one
// takes the log at once, and nobody is said to hold it meanwhile.
func TestAKilledHolderBlocksNobody(t *testing.T) {
	path := emptyLog(t)
	other := heldByAnother(t, path)
	if err := other.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = other.Wait()
	if text, err := os.ReadFile(path + ".lock"); err != nil || !strings.Contains(string(text), fmt.Sprint("pid ", other.Process.Pid)) {
		t.Fatalf("the killed process left %q, %v: the test shows nothing", text, err)
	}
	if h := (store.Disk{}).Holder(path); h != nil {
		t.Errorf("a process that was killed is said to hold the log: %+v", h)
	}
	l, _, err := store.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
}

// The number of a process is used again after its end: a text with our own number and
// another start, or another boot, or no start at all, names nobody who lives.
func TestANumberThatWasUsedAgainIsNotBelieved(t *testing.T) {
	path := emptyLog(t)
	l, _, err := store.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	mine, err := os.ReadFile(path + ".lock")
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(mine), "\n") // pid, boot, start
	for name, text := range map[string]string{
		"another start": lines[0] + lines[1] + "start 1\n",
		"another boot":  lines[0] + "boot 00000000-0000-0000-0000-000000000000\n" + lines[2],
		"no start":      lines[0] + lines[1],
		"no number":     "pid many\n" + lines[1] + lines[2],
		"rubbish":       "\x00\xff\n",
		"nothing":       "",
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(path+".lock", []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			if h := (store.Disk{}).Holder(path); h != nil {
				t.Errorf("the text names %+v", h)
			}
			l, _, err := store.Open(path)
			if err != nil {
				t.Fatalf("the text blocks: %v", err)
			}
			if err := l.Close(); err != nil {
				t.Fatal(err)
			}
		})
	}
	if err := os.WriteFile(path+".lock", mine, 0o600); err != nil {
		t.Fatal(err)
	}
	if h := (store.Disk{}).Holder(path); h == nil || h.PID != os.Getpid() {
		t.Errorf("our own text names %+v: the test shows nothing", h)
	}
}

// What the lock of a gone process is held by is no living holder, and the refusal says so.
func TestARefusalSaysThatTheHolderIsGone(t *testing.T) {
	path := emptyLog(t)
	_ = heldByAnother(t, path)
	text, err := os.ReadFile(path + ".lock")
	if err != nil {
		t.Fatal(err)
	}
	boot := strings.SplitAfter(string(text), "\n")[1]
	if err := os.WriteFile(path+".lock", []byte("pid 4194999\n"+boot+"start 7\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, _, err = store.Open(path)
	if err == nil || !strings.Contains(err.Error(), "(4194999) is gone") {
		t.Errorf("got %v", err)
	}
}
