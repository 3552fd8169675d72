package docs

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"tenet/core/doc"
)

// edit-015: whatever step fails, the file is the old one or the new one, whole, and
// the reply says which.
func TestWriteFailsWhole(t *testing.T) {
	old, fresh := strings.Repeat("old\n", 1000), strings.Repeat("new\n", 1000)
	for _, exists := range []bool{true, false} {
		for step := doc.CreateTemp; step < doc.DropOld; step++ {
			t.Run(fmt.Sprintf("action %d exists %v", step, exists), func(t *testing.T) {
				r, met := newRig(t), false
				if exists {
					r.put("f", old)
					r.ok("read", "path", "f")
				}
				r.d.at = func(a doc.Action) error {
					if a == step && !met {
						met = true
						return fmt.Errorf("write: %w", unix.ENOSPC)
					}
					return nil
				}
				out, err := r.run("write", "path", "f", "content", fresh)
				b, _ := os.ReadFile(r.path("f"))
				names, _ := os.ReadDir(r.root)
				switch {
				case !met:
					want(t, string(b), fresh)
				case step == doc.SyncDir:
					holds(t, out, "could not be made durable")
					want(t, string(b), fresh)
				case step == doc.DropTemp:
					holds(t, out, "temporary file "+doc.TempPrefix, "could not be removed")
					want(t, string(b), fresh)
					names = names[1:]
				case err == nil:
					t.Fatalf("no error, but %q", out)
				case exists:
					holds(t, err.Error(), "the disk is full", "the file is as it was")
					want(t, string(b), old)
				default:
					holds(t, err.Error(), "the disk is full", "no file was made")
					want(t, string(b), "")
				}
				if len(names) > 1 {
					t.Errorf("left behind: %v", names)
				}
			})
		}
	}
}

// edit-016: a kill at any step leaves the old file or the new one; what else is left
// is hidden from the searches and removed by the next write of that file.
func TestWriteSurvivesKill(t *testing.T) {
	old, fresh := "old\n", "new\n"
	for _, step := range []doc.Action{doc.CheckFiles, doc.SweepTemps, doc.CreateTemp, doc.FillTemp, doc.KeepAttributes, doc.SyncTemp, doc.SwapIn, doc.SyncDir} {
		r := newRig(t)
		r.put("f", old)
		cmd := exec.Command(os.Args[0], "-test.run=^TestKilledWriter$")
		cmd.Env = append(os.Environ(), "TENET_KILLED_WRITER="+r.root, fmt.Sprint("TENET_KILL_AT=", step))
		out, err := cmd.CombinedOutput()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || !exit.Sys().(syscall.WaitStatus).Signaled() {
			t.Fatalf("step %d: the writer was not killed: %v\n%s", step, err, out)
		}
		if got := r.disk("f"); got != old && got != fresh {
			t.Errorf("step %d: the file is %q", step, got)
		}
		holds(t, r.ok("glob", "pattern", "*"), "f\n")
		if strings.Contains(r.ok("glob", "pattern", "*"), doc.TempPrefix+"0") {
			t.Errorf("step %d: glob shows a temporary file", step)
		}
		r.ok("read", "path", "f")
		r.ok("write", "path", "f", "content", "last\n")
		if names, _ := os.ReadDir(r.root); len(names) != 1 {
			t.Errorf("step %d: left behind: %v", step, names)
		}
	}
}

// TestKilledWriter is the process that TestWriteSurvivesKill kills.
func TestKilledWriter(t *testing.T) {
	root := os.Getenv("TENET_KILLED_WRITER")
	if root == "" {
		return // not the child
	}
	r := rigAt(t, root)
	r.d.at = func(s doc.Action) error {
		if fmt.Sprint(uint8(s)) == os.Getenv("TENET_KILL_AT") {
			syscall.Kill(os.Getpid(), syscall.SIGKILL)
		}
		return nil
	}
	r.ok("read", "path", "f")
	r.ok("write", "path", "f", "content", "new\n")
}

// A real limit of the system, not the seam: the kernel refuses the bytes.
func TestWriteMeetsAFileSizeLimit(t *testing.T) {
	root := os.Getenv("TENET_LIMITED_WRITER")
	if root == "" {
		r := newRig(t)
		r.put("f", "old\n")
		cmd := exec.Command(os.Args[0], "-test.run=^TestWriteMeetsAFileSizeLimit$")
		cmd.Env = append(os.Environ(), "TENET_LIMITED_WRITER="+r.root)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		want(t, r.disk("f"), "old\n")
		return
	}
	r := rigAt(t, root)
	r.ok("read", "path", "f")
	if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: 1000, Max: 1000}); err != nil {
		t.Fatal(err)
	}
	_, err := r.run("write", "path", "f", "content", strings.Repeat("x", 5000))
	if err == nil || !strings.Contains(err.Error(), "the file is as it was") {
		t.Errorf("error %v", err)
	}
}

// S8.5: a sweep removes the target's own temporary files that nobody locks.
func TestSweepRemovesOnlyItsOwnUnlocked(t *testing.T) {
	r := newRig(t)
	r.put("f", "x")
	free, held, other := doc.TempName(nameHash("f"), 1, 1), doc.TempName(nameHash("f"), 1, 2), doc.TempName(nameHash("g"), 1, 1)
	for _, name := range []string{free, held, other} {
		r.put(name, "left")
	}
	if err := os.Symlink("f", r.path(doc.TempName(nameHash("f"), 1, 3))); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(r.path(held))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	r.ok("search_replace", "path", "f", "old", "x", "new", "y")
	if _, err := os.Lstat(r.path(free)); err == nil {
		t.Error("the free file is still there")
	}
	for _, name := range []string{held, other, doc.TempName(nameHash("f"), 1, 3)} {
		if _, err := os.Lstat(r.path(name)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A change by another program between the read and the rename is not lost.
func TestChangeMeanwhileIsKept(t *testing.T) {
	r := newRig(t)
	r.put("f", "old\n")
	meets := "f"
	r.d.at = func(s doc.Action) error {
		if s == doc.SwapIn || s == doc.LinkNew {
			r.put(meets, "theirs, longer\n")
		}
		return nil
	}
	r.fails("search_replace", []any{"path", "f", "old", "old", "new", "new"}, "changed by another program", "Read it again")
	want(t, r.disk("f"), "theirs, longer\n")
	meets = "n"
	r.fails("write", []any{"path", "n", "content", "ours"}, "created by another program", "Read it first")
	want(t, r.disk("n"), "theirs, longer\n")
}
