package screen_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"tenet/adapters/cli"
	"tenet/tui/screen"
)

// hostile are pieces of what a terminal may send. None is Enter, Ctrl+C, Ctrl+D or !, so
// nothing is sent, run or left; nor Ctrl+Z, which gives the terminal away: what is typed
// then is not the program's.
var hostile = []string{
	"\x1b", "\x1b[A", "\x1b[B", "\x1b[5~", "\x1b[6~", "\x1b[H", "\x1b[F", "\x1b[1;5D", "\x1b[Z", "\t", " ", "a", "é", "日本", "👩‍👩‍👧", "🇺🇸", "e\u0301", "\u202e", "\x7f",
	"\x1b[13;2u", "\x1b[I", "\x1b[O", "\x1b[<65;10;5M", "\x1b[<64;10;5M", "\x1b[<0;3;3M", "\x1b[<0;3;3m", "\x1b[<32;300;300M", "\x1b[<0;0;0M",
	"\x1b[200~pasted\x1b[201~", "\x1b[200~" + strings.Repeat("x", 3000) + "\x1b[201~", "\x1b[201~", "\x1b]11;rgb:0/0/0\x07", "\x1bP1$r0m\x1b\\", "\x1b[?1;2c", "\x1b[12;34R",
	"\xff\xfe", "\xe6\x97", "\x1b[", "\x1b[<65;1", "?", "/", "@", "~", "j", "k", "\x0c", "\x0f", "\x10", "\x12", "\x14", "\x00", "\x1b[99999999999A",
}

// TestHostileTerminal: whatever the terminal sends and whatever size it takes, the real
// program neither fails nor hangs, and gives the terminal back at the end.
func TestHostileTerminal(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "tenet")
	if out, err := exec.Command("go", "build", "-o", program, "tenet").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if err := os.WriteFile(filepath.Join(dir, "a.rehearsal"), []byte(`{"text": "# done\n\n日本 **bold** `+"`code`"+`"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(4) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			cmd := exec.Command(program, "--script", filepath.Join(dir, "a.rehearsal"), "--prompt", "hello")
			cmd.Dir = t.TempDir()
			cmd.Env = append(screen.Environ(os.Environ()), "HOME="+cmd.Dir, "TENET_HOME="+filepath.Join(cmd.Dir, ".tenet"), "EDITOR=true")
			s := screen.Start(t, cmd, 80, 24)
			s.WaitFor(t, "done")
			storm(s, rand.New(rand.NewPCG(seed, 1)))
			s.Resize(80, 24)
			s.Send(strings.Repeat("\x1b[<65;143;29M", 400) + "\x0c")
			s.Signal(syscall.SIGTERM)
			if code := s.WaitExit(t); code != cli.ExitTerminated {
				t.Errorf("exit code %d, want %d:\n%s", code, cli.ExitTerminated, s.Text())
			}
			if s.Alt() || len(s.Modes()) > 0 || strings.Contains(s.Text(), "the interface failed") {
				t.Errorf("alternate screen %v, modes %v:\n%s", s.Alt(), s.Modes(), s.Text())
			}
		})
	}
}

// storm sends pieces in random order, some of them cut in two, between random sizes.
func storm(s *screen.Screen, r *rand.Rand) {
	for range 400 {
		piece := hostile[r.IntN(len(hostile))]
		if r.IntN(4) == 0 {
			cut := r.IntN(len(piece))
			s.Send(piece[:cut])
			piece = piece[cut:]
		}
		s.Send(piece)
		if r.IntN(20) == 0 {
			s.Resize(1+r.IntN(150), 1+r.IntN(50))
		}
	}
}
