package tui

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"tenet/tui/screen"
)

// sizes are the terminals whose screens are kept.
var sizes = []struct{ cols, rows int }{{80, 24}, {120, 40}, {200, 60}}

// counts waits until keys answer the card.
func counts(t *testing.T, s *screen.Screen) {
	t.Helper()
	s.Wait(t, func(text string) bool {
		return strings.Contains(text, "Enter = no") || strings.Contains(text, "answer (Esc")
	})
}

// kept compares what stands on the screen with testdata/screens.
func kept(t *testing.T, s *screen.Screen, name string, size struct{ cols, rows int }) {
	t.Helper()
	screen.Golden(t, fmt.Sprintf("screens/%s-%dx%d.txt", name, size.cols, size.rows), steady(s.Text()))
}

// A person in an empty home: the start screen, the demo to its end, and the terminal as it
// was before.
func TestFromAnEmptyHomeToTheEndOfTheDemo(t *testing.T) {
	for _, size := range sizes {
		p := newPlace(t)
		s := p.start(t, size.cols, size.rows)
		s.WaitFor(t, "Guard another agent")
		s.WaitFor(t, "no session")
		kept(t, s, "start", size)
		s.Send("\r")
		s.WaitFor(t, "slug-fixed.sh")
		s.WaitFor(t, "y  yes, this once")
		counts(t, s)
		s.Send("y")
		s.WaitFor(t, "ready")
		s.WaitFor(t, "tool rounds")
		s.Send("\x04")
		if code := s.WaitExit(t); code != 0 {
			t.Errorf("exit %d", code)
		}
		if s.Alt() || len(s.Modes()) > 0 {
			t.Errorf("the terminal is not as it was: %v", s.Modes())
		}
		if text := s.Scrollback() + s.Text(); !strings.Contains(text, "read it with: tenet sessions show") {
			t.Errorf("nothing stays on the normal screen:\n%s", text)
		}
	}
}

// Every kind of question once, at three sizes; each screen is kept.
func TestEveryKindOfCard(t *testing.T) {
	for _, size := range sizes {
		p := newPlace(t)
		s := p.start(t, size.cols, size.rows, "--theme", "mono", "--script", p.script(t, "cards.rehearsal"), "--prompt", "Fix the script.")
		for _, step := range []struct{ see, name, answer string }{
			{"sh test.sh", "card-command", "y"},
			{"outside.sh", "card-write", "y"},
			{"git push origin main", "card-steps", "n"},
		} {
			s.Wait(t, func(text string) bool {
				return strings.Contains(text, step.see) && strings.Contains(text, "y  yes, this once")
			})
			counts(t, s)
			kept(t, s, step.name, size)
			s.Send(step.answer)
		}
		s.WaitFor(t, "no. Why?")
		s.Send("not from here\r")
		s.Wait(t, func(text string) bool {
			return strings.Contains(text, "id_demo") && strings.Contains(text, "y  yes, this once")
		})
		counts(t, s)
		kept(t, s, "card-secret", size)
		s.Send("\r\r") // Enter is no, and no reason
		s.WaitFor(t, "Which name should the command have?")
		counts(t, s)
		kept(t, s, "card-question", size)
		s.Send("2\r")
		s.WaitFor(t, "keeps hyphens now")
		s.WaitFor(t, "ready")
		kept(t, s, "done", size)
		s.Send("\x04")
		if code := s.WaitExit(t); code != 0 {
			t.Errorf("exit %d", code)
		}
		if _, err := os.Stat(filepath.Join(p.root, "outside.sh")); err != nil {
			t.Error("what was allowed did not happen:", err)
		}
	}
}

// A crash of the interface, here a killed terminal, loses nothing: the session is there, and
// shows all of it again.
func TestALostTerminalLosesNothing(t *testing.T) {
	p := newPlace(t)
	s := p.start(t, 100, 30, "--script", p.script(t, "cards.rehearsal"), "--prompt", "Fix the script.")
	s.WaitFor(t, "y  yes, this once")
	s.Signal(syscall.SIGKILL)
	s.WaitExit(t)
	s = p.start(t, 100, 30, "--script", p.script(t, "cards.rehearsal"), "--continue")
	s.WaitFor(t, "Fix the script.")
	s.WaitFor(t, "sh test.sh")
}

// Case tui-010: a terminal that is narrowed and widened while text streams keeps each line
// once: nothing of the screen reaches the terminal's own history, and the end is printed
// there once.
func TestResizesLeaveNoDoubles(t *testing.T) {
	p := newPlace(t)
	p.file(t, "stream.rehearsal", `{"text": "`+strings.Repeat("one two three four five six seven eight nine ten\\n\\n", 30)+`the very last line", "pieces": 7}`)
	s := p.start(t, 100, 30, "--script", filepath.Join(p.root, "stream.rehearsal"), "--prompt", "Write a lot.")
	s.WaitFor(t, "one two three")
	for range 3 {
		s.Resize(60, 20)
		s.Wait(t, func(text string) bool {
			return strings.Contains(text, strings.Repeat("─", 60)) && !strings.Contains(text, strings.Repeat("─", 61))
		})
		s.Resize(110, 32)
		s.Wait(t, func(text string) bool { return strings.Contains(text, strings.Repeat("─", 110)) })
	}
	s.WaitFor(t, "the very last line")
	s.WaitFor(t, "ready")
	if back := s.Scrollback(); strings.Contains(back, "one two") {
		t.Errorf("the screen reached the terminal's history:\n%s", back)
	}
	s.Send("\x04")
	s.WaitExit(t)
	if n := strings.Count(s.Scrollback()+s.Text(), "the very last line"); n != 1 {
		t.Errorf("the last line stands there %d times", n)
	}
}

// Case conf-007: a model of the settings that is none is told with its file, and the
// interface offers another way in place of an end.
func TestAModelThatIsNoneOffersAnother(t *testing.T) {
	p := newPlace(t)
	if err := os.MkdirAll(filepath.Join(p.home, ".tenet"), 0o700); err != nil {
		t.Fatal(err)
	}
	p.file(t, "home/.tenet/settings.json", `{"model": "nosuch/model"}`)
	s := p.start(t, 100, 30)
	s.WaitFor(t, "nosuch/model")
	s.WaitFor(t, "Point to a model")
	s.WaitFor(t, "no session")
	s.Send("\x03")
	if code := s.WaitExit(t); code != 0 {
		t.Errorf("exit %d", code)
	}
}
