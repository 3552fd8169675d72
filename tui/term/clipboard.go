package term

import (
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

// copyMax is the longest text that is given to a terminal: some take no more than
// 100,000 bytes in base64 and drop the rest without a word.
const copyMax = 64 << 10

// Copied says how Copy went.
type Copied struct {
	// Path is the file that holds the text because the terminal could not take it; "" when
	// it was sent. Whether a terminal took what was sent, it does not say.
	Path string
	Err  error
}

// Copy gives text to the clipboard of the person's terminal (OSC 52), which works
// through ssh and tmux. A text that is too long, or a terminal that has no clipboard,
// gets the file at fallbackPath instead. Copied follows.
func Copy(text, fallbackPath string) tea.Cmd {
	return func() tea.Msg {
		p := running.Load()
		seq, ok := clipboard(text, os.Getenv)
		if !ok || p == nil {
			return Copied{fallbackPath, copyToFile(text, fallbackPath)}
		}
		p.tty.write.queue(seq)
		return Copied{}
	}
}

func copyToFile(text, path string) error {
	if path == "" {
		return errors.New("the terminal takes no text of this length, and there is no file for it")
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("copy to a file: %w", err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		return fmt.Errorf("copy to a file: %w", err)
	}
	return nil
}

// clipboard is the sequence that sets the clipboard; false when this terminal could not
// take the text.
func clipboard(text string, getenv func(string) string) (string, bool) {
	kind := getenv("TERM")
	if len(text) > copyMax || kind == "" || kind == "dumb" || kind == "linux" {
		return "", false
	}
	seq := "\x1b]52;c;" + base64.StdEncoding.EncodeToString([]byte(text)) + "\x07"
	switch {
	case getenv("TMUX") != "":
		// One for tmux itself, one that it hands on: which of them it heeds is a setting.
		return seq + throughTmux(seq), true
	case strings.HasPrefix(kind, "screen"):
		return throughScreen(seq), true
	}
	return seq, true
}

// throughTmux wraps a sequence for the terminal around tmux.
func throughTmux(seq string) string {
	return "\x1bPtmux;" + strings.ReplaceAll(seq, "\x1b", "\x1b\x1b") + "\x1b\\"
}

// throughScreen wraps a sequence for the terminal around GNU screen, in pieces that are
// short enough for it.
func throughScreen(seq string) string {
	const most = 252
	var b strings.Builder
	for len(seq) > 0 {
		n := min(most, len(seq))
		b.WriteString("\x1bP" + seq[:n] + "\x1b\\")
		seq = seq[n:]
	}
	return b.String()
}
