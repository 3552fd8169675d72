package docs

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"tenet/core/doc"
	"tenet/core/event"
)

// Witness is a gate that wants to be told what a call changed. It is told while the
// directories are locked, so that two changes of one file are told in their order.
type Witness interface{ Changed(event.Change) error }

// MaxKept bounds the bytes that are kept of one file that a change replaces; a larger one
// cannot be put back, and its record says so.
const MaxKept = 64 << 20

// witness is the gate of a call, if it wants to be told.
func witness(g Gate) Witness {
	w, _ := g.(Witness)
	return w
}

// told tells the witness what landed. A change that could not be told is in place all the
// same: the reply says that it cannot be taken back.
func (d *Docs) told(c doc.Commit, files []*changed) {
	for i, f := range files {
		if f.p.witness == nil || !c.Fate(i).Landed() || c.Fate(i) == doc.SourceStays {
			continue
		}
		if err := f.p.witness.Changed(d.changeOf(f)); err != nil {
			f.warnings = append(f.warnings, fmt.Sprintf("the change could not be recorded (%v), so it cannot be undone", err))
		}
	}
}

// changeOf is the record of a change that landed.
func (d *Docs) changeOf(f *changed) event.Change {
	before, after := event.Content{}, event.Content{Sum: sum(f.bytes), Size: int64(len(f.bytes)), Mode: f.mode()}
	if f.cur.exists {
		before = d.keptOf(f.cur)
	}
	if f.removes {
		after = event.Content{}
	}
	c := event.Change{Undoes: f.p.undoes, Sides: []event.Side{{Path: f.p.real, Before: before, After: after}}}
	if f.to != nil {
		c.Sides = []event.Side{{Path: f.p.real, Before: before}, {Path: f.to.real, After: after}}
	}
	old, next := f.cur.bytes, f.bytes
	if f.removes {
		next = nil
	}
	if !f.cur.large && doc.Sniff(old, false).Encoding == doc.UTF8 && doc.Sniff(next, false).Encoding == doc.UTF8 {
		c.Added, c.Removed = doc.Counts(old, next)
		c.Diff = d.diffOf(f, old, next)
	}
	return c
}

// diffOf is the diff of a change that landed; empty for a move alone.
func (d *Docs) diffOf(f *changed, old, next []byte) string {
	if f.removes {
		return doc.Removal(d.rel(f.p.real), old)
	}
	if f.to != nil && bytes.Equal(old, next) {
		return ""
	}
	return doc.Diff(d.rel(f.target().real), f.cur.exists, old, next)
}

// mode is the permission bits that the file has after the change.
func (f *changed) mode() uint32 {
	switch {
	case f.perm != 0:
		return f.perm
	case f.cur.exists:
		return uint32(f.cur.st.Mode) & 0o7777
	}
	return 0o644
}

// keptOf keeps the bytes of a file that a change replaced: few in the record, more in a file
// of the session's output folder, named by their digest, for the owner only.
func (d *Docs) keptOf(cur current) event.Content {
	c := event.Content{Size: cur.st.Size, Mode: uint32(cur.st.Mode) & 0o7777}
	if !cur.large {
		c.Sum = sum(cur.bytes)
		if len(cur.bytes) <= event.KeptInline {
			c.Bytes = cur.bytes
			return c
		}
	}
	var err error
	if c.Sum, c.File, err = d.keepFile(cur, c.Sum); err != nil {
		c.Lost = err.Error()
	}
	return c
}

// errTooLarge is why a file's bytes are not kept.
var errTooLarge = fmt.Errorf("it has more than the %d MiB that are kept of one file", MaxKept>>20)

// keepFile copies a file's bytes beside the log. One of the same digest is there already.
func (d *Docs) keepFile(cur current, digest string) (sum, name string, err error) {
	h := sha256.New()
	if digest == "" {
		if _, err := io.Copy(h, io.NewSectionReader(cur.file, 0, 1<<62)); err != nil {
			return "", "", err
		}
		digest = hex.EncodeToString(h.Sum(nil))
	}
	switch {
	case d.kept == "":
		return digest, "", errors.New("there is no place to keep what it replaced")
	case cur.st.Size > MaxKept:
		return digest, "", errTooLarge
	}
	name = "undo-" + digest
	path := filepath.Join(d.kept, name)
	if _, err := os.Lstat(path); err == nil {
		return digest, name, nil
	}
	if err := os.MkdirAll(d.kept, 0o700); err != nil {
		return digest, "", err
	}
	return digest, name, copyTo(path, io.NewSectionReader(cur.file, 0, 1<<62))
}

// copyTo makes a durable file that appears whole or not at all.
func copyTo(path string, r io.Reader) error {
	t, err := os.CreateTemp(filepath.Dir(path), ".undo-*") // mode 0600
	if err != nil {
		return err
	}
	_, err = io.Copy(t, r)
	err = errors.Join(err, t.Sync(), t.Close())
	if err == nil {
		err = os.Rename(t.Name(), path)
	}
	if err != nil {
		os.Remove(t.Name())
	}
	return err
}

func sum(b []byte) string {
	s := sha256.Sum256(b)
	return hex.EncodeToString(s[:])
}

// sumNow names what stands in a file that was looked at, all of it.
func sumNow(cur current) (string, error) {
	switch {
	case !cur.exists:
		return "", nil
	case !cur.large:
		return sum(cur.bytes), nil
	}
	h := sha256.New()
	if _, err := io.Copy(h, io.NewSectionReader(cur.file, 0, 1<<62)); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// Kept are the bytes that a record says stood in a file. The error says why they are gone.
func Kept(dir string, c event.Content) ([]byte, error) {
	b := c.Bytes
	switch {
	case c.Lost != "":
		return nil, fmt.Errorf("what stood there before was not kept: %s", c.Lost)
	case c.File != "":
		if filepath.Base(c.File) != c.File {
			return nil, fmt.Errorf("the record names %q, which is no file of the session's output folder", c.File)
		}
		var err error
		if b, err = os.ReadFile(filepath.Join(dir, c.File)); err != nil {
			return nil, fmt.Errorf("what stood there before cannot be read: %w", err)
		}
	}
	if sum(b) != c.Sum {
		return nil, errors.New("what was kept of it is not what stood there: the session's output folder was changed")
	}
	return b, nil
}

// SumOf names the bytes of a file, as records of changes do.
func SumOf(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
