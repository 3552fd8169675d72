package store

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tenet/core/event"
)

// Read gives every sound record of a log and a report on it. It takes no lock and
// changes nothing, so it works while another process appends: it sees the log as it
// was at one moment, and a commit that was just being written looks like a torn end.
func Read(path string) ([]event.Record, Report, error) { return Options{}.Read(path) }

// Read is the package's Read on these options.
func (o Options) Read(path string) ([]event.Record, Report, error) {
	file, err := o.fs().View(path)
	if err != nil {
		return nil, Report{}, fmt.Errorf("read session log: %w", err)
	}
	defer file.Close()
	size, err := file.Size()
	if err != nil {
		return nil, Report{}, fmt.Errorf("read session log %s: %w", path, err)
	}
	var records []event.Record
	e, err := follow(file, beginning(), size, whole, func(h event.Head) error {
		records = append(records, h.Record())
		return nil
	})
	if err != nil {
		return nil, Report{}, fmt.Errorf("read session log %s: %w", path, err)
	}
	s, unreadable := event.Fold(records)
	r := reportOf(path, e, s, unreadable)
	if n := len(records); n > 0 {
		r.First, r.Last = records[0].At, records[n-1].At
	}
	r.Holder = o.fs().Holder(path)
	return records, r, nil
}

// Verify checks a whole log: every sum and link, every body, and that no record
// contradicts an earlier one. It changes nothing.
func Verify(path string) (Report, error) { return Options{}.Verify(path) }

// Verify is the package's Verify on these options.
func (o Options) Verify(path string) (Report, error) {
	_, r, err := o.Read(path)
	return r, err
}

// Info is one session of a directory.
type Info struct {
	// ID is the session's id and Path its log.
	ID, Path string
	// Size is the log's length in bytes, Used when it was last written to.
	Size int64
	Used time.Time
	// Began is the time of the first record, as it stands there; empty for a session
	// that never began. Workspace is where it was to work when it began. Prompt is the
	// first thing that was asked of it.
	Began, Workspace, Prompt string
}

// List gives the sessions of a directory, the one that was used last first.
func List(dir string) ([]Info, error) { return Options{}.List(dir) }

// List is the package's List on these options.
func (o Options) List(dir string) ([]Info, error) {
	entries, err := o.fs().List(dir)
	if err != nil {
		return nil, fmt.Errorf("list the sessions of %s: %w", dir, err)
	}
	var out []Info
	for _, f := range entries {
		id, ok := strings.CutSuffix(f.Name, Extension)
		if !ok || checkID(id) != nil {
			continue
		}
		info := Info{ID: id, Path: filepath.Join(dir, f.Name), Size: f.Size, Used: f.Modified}
		o.glance(&info)
		out = append(out, info)
	}
	slices.SortFunc(out, func(a, b Info) int {
		if c := b.Used.Compare(a.Used); c != 0 {
			return c
		}
		return strings.Compare(b.ID, a.ID)
	})
	return out, nil
}

// glanced is how many records the first prompt is looked for in.
const glanced = 8

// glance reads the first records. A log that cannot be read is still listed: Read
// and Verify say what is wrong with it.
func (o Options) glance(info *Info) {
	file, err := o.fs().View(info.Path)
	if err != nil {
		return
	}
	defer file.Close()
	in, chain := newLines(file, info.Size), event.Begin()
	for range glanced {
		line, err := in.line()
		if err != nil {
			return
		}
		h, flaw := chain.Follow(line, true)
		if flaw != event.Sound {
			return
		}
		if info.Began == "" {
			info.Began = string(h.At)
		}
		b, err := event.Decode(h.Record())
		if err != nil {
			continue
		}
		switch b := b.(type) {
		case event.Opening:
			info.Workspace = b.Workspace
		case event.Prompt:
			info.Prompt = b.Text
			return
		}
	}
}
