package term

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/muesli/termenv"
)

func environ(pairs ...string) func(string) string {
	return func(name string) string {
		for _, p := range pairs {
			if v, ok := strings.CutPrefix(p, name+"="); ok {
				return v
			}
		}
		return ""
	}
}

// TestColours: the environment says how many colours there are.
func TestColours(t *testing.T) {
	for _, c := range []struct {
		want termenv.Profile
		env  []string
	}{
		{termenv.Ascii, nil}, {termenv.Ascii, []string{"TERM=dumb", "COLORTERM=truecolor"}}, {termenv.Ascii, []string{"TERM=xterm-256color", "NO_COLOR=1"}},
		{termenv.ANSI, []string{"TERM=xterm"}}, {termenv.ANSI, []string{"TERM=linux"}}, {termenv.ANSI256, []string{"TERM=xterm-256color"}},
		{termenv.TrueColor, []string{"TERM=xterm-256color", "COLORTERM=truecolor"}}, {termenv.TrueColor, []string{"TERM=xterm-kitty"}}, {termenv.TrueColor, []string{"TERM=xterm-direct"}},
		{termenv.ANSI256, []string{"TERM=xterm-256color", "TERM_PROGRAM=Apple_Terminal"}}, {termenv.ANSI256, []string{"TERM=screen-256color", "COLORTERM=truecolor"}}, {termenv.TrueColor, []string{"TERM=tmux-256color", "COLORTERM=24bit"}},
	} {
		if got := Colours(environ(c.env...)); got != c.want {
			t.Errorf("%v: %v, want %v", c.env, got, c.want)
		}
	}
}

// TestClipboard: the text goes to the terminal in the form that reaches it, or not at
// all.
func TestClipboard(t *testing.T) {
	const text = "a\x1b]52;c;evil\x07日本"
	body := base64.StdEncoding.EncodeToString([]byte(text))
	plain, ok := clipboard(text, environ("TERM=xterm"))
	if !ok || plain != "\x1b]52;c;"+body+"\x07" {
		t.Errorf("%q %v", plain, ok)
	}
	tmux, _ := clipboard(text, environ("TERM=tmux", "TMUX=/tmp/x"))
	if tmux != plain+"\x1bPtmux;\x1b"+plain+"\x1b\\" {
		t.Errorf("in tmux: %q", tmux)
	}
	long := strings.Repeat("x", copyMax)
	screen, _ := clipboard(long, environ("TERM=screen.xterm"))
	for _, piece := range strings.SplitAfter(screen, "\x1b\\") {
		if len(piece) > 256 {
			t.Fatalf("a piece of %d bytes for screen", len(piece))
		}
	}
	for _, c := range []struct{ text, env string }{{long + "x", "TERM=xterm"}, {text, "TERM=dumb"}, {text, "TERM=linux"}, {text, ""}} {
		if _, ok := clipboard(c.text, environ(c.env)); ok {
			t.Errorf("%d bytes with %q were sent", len(c.text), c.env)
		}
	}
}

// TestCopyToFile: without a terminal that takes it, the text is in a private file.
func TestCopyToFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "copied.txt")
	got, _ := Copy("the text", path)().(Copied)
	b, err := os.ReadFile(path)
	if got.Err != nil || got.Path != path || err != nil || string(b) != "the text" {
		t.Errorf("%+v %q %v", got, b, err)
	}
	if st, err := os.Stat(path); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", st.Mode(), err)
	}
	if got, _ := Copy("the text", "")().(Copied); got.Err == nil {
		t.Error("a text that went nowhere is no error")
	}
}

// TestEditorName: the person's own choice first, then what every system has.
func TestEditorName(t *testing.T) {
	for _, c := range []struct{ want, env string }{{"vi", ""}, {"nano", "EDITOR=nano"}, {"code --wait", "VISUAL=code --wait"}, {"vi", "EDITOR= "}} {
		if got := editor(environ(c.env)); got != c.want {
			t.Errorf("%q: %q, want %q", c.env, got, c.want)
		}
	}
}

// TestGuardWithoutInterface: a panic is not swallowed when there is nothing to end.
func TestGuardWithoutInterface(t *testing.T) {
	defer func() {
		if recover() != "lost" {
			t.Error("the panic was lost")
		}
	}()
	Guard(func() { panic("lost") })
}
