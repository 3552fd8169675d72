package tui

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"tenet/adapters/cli"
)

// The bounds of what is remembered of a project's messages.
const (
	maxRemembered = 500     // messages
	maxHistory    = 1 << 20 // bytes of the file; beyond, only the newer half stays
	maxRecalled   = 16 << 10
)

// historyFile is where the messages of a project are remembered: beside the sessions, named
// by the project's real path, readable by nobody else.
func historyFile(home, dir string) string {
	if real, err := cli.Workspace(dir); err == nil {
		dir = real
	}
	sum := sha256.Sum256([]byte(dir))
	return filepath.Join(home, "history", hex.EncodeToString(sum[:8])+".jsonl")
}

// recall reads the messages of a project, the oldest first. A line that is no message is
// passed over: a torn write costs one line.
func recall(path string) (out []string) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	s := bufio.NewScanner(bytes.NewReader(b))
	s.Buffer(nil, maxHistory)
	for s.Scan() {
		var text string
		if json.Unmarshal(s.Bytes(), &text) == nil && text != "" {
			out = append(out, text)
		}
	}
	return out[max(0, len(out)-maxRemembered):]
}

// remember adds a message. A huge one is not worth its room.
func remember(path, text string) error {
	if len(text) > maxRecalled {
		return nil
	}
	line, err := json.Marshal(text)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	if err := shorten(path); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(append(line, '\n'))
	return errors.Join(err, f.Close())
}

// shorten drops the older half of a file that has grown too large.
func shorten(path string) error {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() < maxHistory {
		return nil
	}
	if err != nil {
		return err
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	b = b[len(b)/2:]
	b = b[bytes.IndexByte(b, '\n')+1:]
	fresh := path + ".new"
	if err := os.WriteFile(fresh, b, 0o600); err != nil {
		return fmt.Errorf("shorten the history: %w", err)
	}
	return os.Rename(fresh, path)
}
