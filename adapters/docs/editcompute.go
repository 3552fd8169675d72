package docs

import (
	"fmt"
	"path/filepath"

	"github.com/cespare/xxhash/v2"

	"tenet/adapters/blocks"
	"tenet/core/doc"
	"tenet/core/doc/patch"
	"tenet/core/doc/snapshot"
)

// compute works out what the patch makes of the files as they are now, or why it does not
// apply. Every file that stands against it is told at once, so that one more call is enough.
func (e *editing) compute() {
	e.err = nil
	var why reply
	for _, f := range e.files {
		if err := e.look(f); err != nil {
			e.err = err
			return
		}
		if v := f.verdict; v.Outcome != snapshot.Applies {
			why.explain(f.at.real, e.d.rel(f.at.real), v.Explain(e.d.rel(f.at.real), f.section.Tag))
		}
	}
	if len(why.text) > 0 {
		e.err = &refused{why}
		return
	}
	e.err = e.apply()
}

// look takes a file as it is now and judges its section.
func (e *editing) look(f *editedFile) error {
	name := e.d.rel(f.at.real)
	cur, err := e.d.peek(*f.at)
	if err != nil {
		return err
	}
	f.was = cur
	switch {
	case !cur.exists:
		return fmt.Errorf("nothing was changed: %s does not exist; create it with write, or look for it with glob", name)
	case cur.large:
		return fmt.Errorf("nothing was changed: %s has %d bytes, more than the %d that edit takes; read it in ranges, and change it with write or bash", name, cur.st.Size, SnapshotBytes)
	}
	if c := doc.Sniff(cur.bytes, false); c.Encoding != doc.UTF8 {
		return fmt.Errorf("nothing was changed: %s %s, and new text would have another encoding; convert it first, or change it with bash", name, c.Fault())
	}
	return e.judge(f)
}

// peek looks at a file without holding anything.
func (d *Docs) peek(p place) (current, error) {
	dir, err := openDir(filepath.Dir(p.real))
	if err != nil {
		return current{}, d.fault(p.real, err, "look for it with glob or list_dir")
	}
	defer dir.Close()
	cur, err := d.look(p, dir, filepath.Base(p.real))
	if cur.file != nil {
		cur.file.Close()
		cur.file = nil
	}
	return cur, err
}

// judge holds the section against the version that its tag names, what was seen of it and
// what is there now.
func (e *editing) judge(f *editedFile) error {
	s := e.patch.Sections[e.index(f)]
	s, err := e.resolve(f, s)
	if err != nil {
		return fmt.Errorf("nothing was changed: %w", err)
	}
	e.d.seen.with(func(st *snapshot.Store) {
		f.verdict = st.Judge(f.at.real, s.Tag, s.Anchors(), s.OnlyEnds(), f.was.bytes)
		if len(s.Ops) == 0 {
			err = e.wholeFile(f, s, st)
		}
	})
	if err != nil {
		return err
	}
	v := f.verdict
	f.section = s.Shift(v.Offset)
	f.there = v.Outcome == snapshot.Applies && v.Change != snapshot.Unchanged && s.File == patch.KeepFile && patch.AlreadyThere(f.was.bytes, f.section)
	return nil
}

func (e *editing) index(f *editedFile) int {
	for i, o := range e.files {
		if o == f {
			return i
		}
	}
	return 0
}

// wholeFile judges a section that only moves or removes its file: the file has to be the
// one that the tag names, and one that goes has to have been seen whole.
func (e *editing) wholeFile(f *editedFile, s patch.Section, st *snapshot.Store) error {
	name, v := e.d.rel(f.at.real), f.verdict
	if v.Live.Tag != s.Tag {
		return fmt.Errorf("nothing was changed: %s is #%s now, no longer #%s; read it again before it is moved or removed", name, v.Live.Tag, s.Tag)
	}
	f.verdict.Outcome, f.verdict.Change = snapshot.Applies, snapshot.Unchanged
	if s.File != patch.Remove || st.Known(f.at.real).MayWrite(true, v.Live.Digest) {
		return nil
	}
	seen := st.Seen(f.at.real, v.Live.Digest)
	for n := int64(1); n <= v.Live.Lines; n++ {
		if !seen.Has(n) {
			return fmt.Errorf("nothing was changed: line %d of %s was not seen, and a file is removed only when all of it was; read the rest first", n, name)
		}
	}
	return nil
}

// resolve turns block operations into lines of the version that the tag names.
func (e *editing) resolve(f *editedFile, s patch.Section) (patch.Section, error) {
	if !s.HasBlocks() {
		return s, nil
	}
	text := f.was.bytes
	e.d.seen.with(func(st *snapshot.Store) {
		if v, ok := st.Find(f.at.real, s.Tag); ok && doc.Tag(digest(text)) != s.Tag {
			text = v.Text
		}
	})
	return s.Resolve(func(line int64) (doc.Span, error) {
		span, note, err := blocks.Of(f.at.real, text, line)
		if note != "" {
			f.warnings = append(f.warnings, note)
		}
		return span, err
	})
}

// apply works out the new bytes of all files that are not yet as the patch wants them.
func (e *editing) apply() error {
	var p patch.Patch
	var texts [][]byte
	var files []*editedFile
	for _, f := range e.files {
		if !f.there {
			p.Sections, texts, files = append(p.Sections, f.section), append(texts, f.was.bytes), append(files, f)
		}
	}
	results, err := patch.Apply(p, texts)
	if err != nil {
		return e.again(fmt.Errorf("nothing was changed: %w", err))
	}
	for i, f := range files {
		if f.result = results[i]; len(f.result.Bytes) > SnapshotBytes {
			return fmt.Errorf("nothing was changed: %s would have %d bytes, more than the %d of a file with a tag; use bash", e.d.rel(f.at.real), len(f.result.Bytes), SnapshotBytes)
		}
		f.parses()
	}
	return nil
}

// again adds to a fault how often the very same patch failed: a model that repeats itself
// needs another word.
func (e *editing) again(err error) error {
	if n := e.d.failed.again(xxhash.Sum64String(e.patch.String())); n >= sameFailures {
		return fmt.Errorf("%w. This same patch failed %d times in a row; it will fail again: read the file and write another one, or go on without this change", err, n)
	}
	return err
}

// sameFailures is how often a patch may fail before the refusal says that it repeats.
const sameFailures = 3

// parses warns when a file that could be read as what it is no longer can.
func (f *editedFile) parses() {
	before, known := blocks.Parses(f.at.real, f.was.bytes)
	if !known || !before || f.section.File == patch.Remove {
		return
	}
	if after, known := blocks.Parses(f.finally(), f.result.Bytes); known && !after {
		f.result.Warnings = append(f.result.Warnings, "the file parsed before this edit and no longer does; look at the changed lines")
	}
}
