package cli

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"tenet/adapters/settings"
)

// terminal is a person at a terminal: what is typed when the question shows.
type terminal struct {
	bytes.Buffer
	master *os.File
	types  string
	asked  bool
}

// Write types the answer once the question is there; what is typed ahead of a question
// is no answer to it.
func (w *terminal) Write(b []byte) (int, error) {
	n, err := w.Buffer.Write(b)
	if !w.asked && strings.HasSuffix(w.String(), "Enter = no: ") {
		w.asked = true
		go fmt.Fprint(w.master, w.types)
	}
	return n, err
}

// newTerminal opens a pair of terminals.
func newTerminal(t *testing.T, types string) (*terminal, *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("there is no terminal to be had here: %v", err)
	}
	t.Cleanup(func() { master.Close() })
	n, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("there is no terminal to be had here: %v", err)
	}
	t.Cleanup(func() { slave.Close() })
	return &terminal{master: master, types: types}, slave
}

// A person is asked, and only a yes is one: Enter alone is no.
func TestTrustAsks(t *testing.T) {
	for types, want := range map[string]bool{"y\n": true, "YES\n": true, "\n": false, "n\n": false, "yeah\n": false, "\x04": false} {
		t.Run(fmt.Sprintf("%q", types), func(t *testing.T) {
			home, root := t.TempDir(), t.TempDir()
			t.Setenv("TENET_HOME", home)
			file := settings.ProjectFile(root)
			if err := os.Mkdir(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(`{"permissions": {"file.read": "allow"}}`), 0o644); err != nil {
				t.Fatal(err)
			}
			out, in := newTerminal(t, types)
			err := Trust(context.Background(), TrustOptions{Dir: root, In: in, Out: out, Err: os.Stderr})
			if (err == nil) != want || !out.asked {
				t.Errorf("answered %v:\n%s", err, out)
			}
			s, err := settings.Load(settings.Options{Home: home, Root: root})
			if err != nil || s.Trusted != want {
				t.Errorf("trusted %v, want %v (%v)", s.Trusted, want, err)
			}
		})
	}
}

// A person who is asked may leave: nothing is trusted then.
func TestTrustIsInterrupted(t *testing.T) {
	home, root := t.TempDir(), t.TempDir()
	t.Setenv("TENET_HOME", home)
	if err := os.Mkdir(filepath.Join(root, settings.Folder), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(settings.ProjectFile(root), []byte(`{"permissions": {"file.read": "allow"}}`), 0o644); err != nil {
		t.Fatal(err)
	}
	out, in := newTerminal(t, "")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(ErrInterrupted)
	err := Trust(ctx, TrustOptions{Dir: root, In: in, Out: out, Err: os.Stderr})
	if Code(err) != ExitInterrupted {
		t.Errorf("ended with %v", err)
	}
	if _, err := os.Stat(settings.UserFile(home)); err == nil {
		t.Error("something was trusted")
	}
	if _, err := out.master.WriteString("\n"); err != nil { // let the read that was left go
		t.Error(err)
	}
}
