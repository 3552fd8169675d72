package agenthook

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"tenet/core/call"
)

// Record is one verdict in the guard's log.
type Record struct {
	Time    time.Time `json:"time"`
	Agent   string    `json:"agent"`
	Session string    `json:"session,omitempty"`
	Call    string    `json:"call,omitempty"`
	Tool    string    `json:"tool,omitempty"`
	Dir     string    `json:"dir,omitempty"`
	// What is the command, path or address, masked and cut to one short line.
	What    string `json:"what,omitempty"`
	Verdict string `json:"verdict"`
	Rule    string `json:"rule,omitempty"`
	// Blocked is true when the agent was told no: a deny, or an ask without a question.
	Blocked bool `json:"blocked"`
	// Micros is how long the verdict took, in microseconds.
	Micros int64 `json:"us"`
}

// Bounds of the log.
const (
	maxWhat = 240                 // characters of a command that are kept
	maxDay  = 64 << 20            // bytes of one day's file
	keep    = 90 * 24 * time.Hour // how long a day's file stays
)

// LogDir is the directory of the guard's log below tenet's home.
func LogDir(home string) string { return filepath.Join(home, "guard") }

// Append adds a record to the log of its day: one line, written at once, so that
// guards that run at the same time do not mix. Text that looks like a credential is
// masked. The first record of a day removes the files of days long gone.
func Append(home string, r Record) error {
	r.What = call.OneLine(Masked(r.What), maxWhat)
	r.Session, r.Call, r.Tool, r.Dir = short(r.Session), short(r.Call), short(r.Tool), short(r.Dir)
	b, err := json.Marshal(r)
	if err != nil {
		return err
	}
	dir := LogDir(home)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("the guard's log: %w", err)
	}
	name := filepath.Join(dir, day(r.Time)+".jsonl")
	info, err := os.Lstat(name)
	switch {
	case errors.Is(err, os.ErrNotExist):
		prune(dir, r.Time)
	case err == nil && info.Size() > maxDay:
		return fmt.Errorf("the guard's log %s is full (%d MiB)", name, maxDay>>20)
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("the guard's log: %w", err)
	}
	_, err = f.Write(append(b, '\n'))
	return errors.Join(err, f.Close())
}

func short(s string) string { return call.OneLine(s, 200) }

func day(t time.Time) string { return t.UTC().Format(time.DateOnly) }

// prune removes the day files that are older than the log is kept. A file that is none
// is left alone.
func prune(dir string, now time.Time) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), ".jsonl")
		if t, err := time.Parse(time.DateOnly, name); ok && err == nil && now.Sub(t) > keep {
			_ = os.Remove(filepath.Join(dir, e.Name())) // the next day tries again
		}
	}
}
