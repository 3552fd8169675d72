package docs

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"tenet/adapters/blocks"
	"tenet/core/doc"
	"tenet/core/doc/patch"
	"tenet/core/doc/snapshot"
)

// read takes every file of the edit as it is. The commit looks again, with the
// directories locked, and writes nothing when one of them is another by then.
func (e *edit) read() error {
	for _, s := range e.sections {
		if err := s.read(); err != nil {
			return err
		}
	}
	return nil
}

func (s *section) read() error {
	dir, err := openDir(filepath.Dir(s.p.real))
	if err != nil {
		return s.d.fault(s.p.real, err, "look for it with glob, or create it with write")
	}
	defer dir.Close()
	cur, err := s.d.look(s.p, dir, filepath.Base(s.p.real))
	if err != nil {
		return err
	}
	if cur.file != nil {
		cur.file.Close()
	}
	s.cur, s.tag = cur, doc.Tag(cur.version())
	return nil
}

// editable refuses what no edit changes. An encoding that is not UTF-8 is named and never
// converted.
func (s *section) editable() error {
	name := s.name()
	switch {
	case !s.cur.exists:
		return fmt.Errorf("%s does not exist; create it with write, or look for it with glob. Nothing was changed", name)
	case s.cur.large:
		return fmt.Errorf("%s has %d bytes, more than the %d that edit takes: such a file has no tag. Read it in ranges and change it with bash. Nothing was changed", name, s.cur.st.Size, SnapshotBytes)
	}
	if c := doc.Sniff(s.cur.bytes, false); c.Encoding != doc.UTF8 && len(s.asked.Ops) > 0 {
		return fmt.Errorf("%s %s, so it was not changed: the new text would have another encoding. Convert it first, or change it with bash. Nothing was changed", name, c.Fault())
	}
	return nil
}

// decide works out the whole edit. Every section that does not apply is told, with the
// lines that it is about: one look at them all is enough to write it again.
func (e *edit) decide() error {
	var no reply
	var faults []error
	e.todo = nil
	for _, s := range e.sections {
		switch err := s.decide(&no); {
		case err != nil:
			faults = append(faults, err)
		case !s.already:
			e.todo = append(e.todo, s)
		}
	}
	switch {
	case len(no.text) > 0:
		for _, err := range faults {
			no.line(err.Error())
		}
		if len(e.sections) > 1 {
			no.line(fmt.Sprintf("Nothing was changed in any of the %d files of this call.", len(e.sections)))
		}
		return &refused{no}
	case len(faults) > 0:
		return errors.Join(faults...)
	case len(e.todo) == 0:
		return nil
	}
	return e.apply()
}

// decide says where a section applies. When it does not, that is an error, or rows that
// are added to no.
func (s *section) decide(no *reply) error {
	s.warnings = slices.Clone(s.rebound)
	if err := s.editable(); err != nil {
		return err
	}
	base, known := s.base()
	if s.already = s.retried(base, known); s.already {
		return nil
	}
	now, err := s.resolved(base)
	if err != nil {
		return fmt.Errorf("nothing was changed: %w", err)
	}
	if now.File != patch.KeepFile && (len(now.Ops) == 0 || now.OnlyEnds()) && s.tag != s.asked.Tag {
		return fmt.Errorf("nothing was changed: %s is #%s now, no longer #%s; read it again before it is moved or removed", s.name(), s.tag, s.asked.Tag)
	}
	s.d.seen.with(func(st *snapshot.Store) {
		s.verdict = st.Judge(s.p.real, s.asked.Tag, s.anchors(st, now), now.OnlyEnds(), s.cur.bytes)
	})
	if s.verdict.Outcome != snapshot.Applies {
		no.explain(s.d, s.p.real, s.verdict.Explain(s.name(), s.asked.Tag))
		return nil
	}
	s.now = now.Shift(s.verdict.Offset)
	if w := s.verdict.Warning(s.name(), s.asked.Tag); w != "" {
		s.warnings = append(s.warnings, w)
	}
	return nil
}

// anchors are the lines that must have been seen. Of a file that goes that is every one,
// unless the session knows this version whole.
func (s *section) anchors(st *snapshot.Store, now patch.Section) []int64 {
	if now.File != patch.Remove {
		return now.Anchors()
	}
	if st.Known(s.p.real).MayWrite(true, digest(s.cur.bytes)) {
		return nil
	}
	all := make([]int64, doc.CountLines(s.cur.bytes))
	for i := range all {
		all[i] = int64(i + 1)
	}
	return all
}

// base is the text whose lines the section counts: the one that its tag names, or what is
// there when the store does not know the tag.
func (s *section) base() (text []byte, known bool) {
	text = s.cur.bytes
	if s.tag == s.asked.Tag {
		return text, true
	}
	s.d.seen.with(func(st *snapshot.Store) {
		var v snapshot.Version
		if v, known = st.Find(s.p.real, s.asked.Tag); known {
			text = v.Text
		}
	})
	return text, known
}

// retried reports whether the section adds lines at the start or the end that an earlier
// call of the same added (S8.2): its tag is an old one that this session knows, and the
// lines stand there beyond those that already stood in that version.
func (s *section) retried(base []byte, known bool) bool {
	return known && s.tag != s.asked.Tag && s.asked.File == patch.KeepFile && patch.Landed(base, s.cur.bytes, s.asked)
}

// resolved looks up the blocks of a section in the text whose lines it counts.
func (s *section) resolved(base []byte) (patch.Section, error) {
	if !s.asked.HasBlocks() {
		return s.asked, nil
	}
	return s.asked.Resolve(func(line int64) (doc.Span, error) {
		span, note, err := blocks.Of(s.p.real, base, line)
		if note != "" {
			s.warnings = append(s.warnings, note)
		}
		return span, err
	})
}

// apply works out the new bytes of the sections that change something, together: lines
// that one cuts may be pasted in another.
func (e *edit) apply() error {
	var p patch.Patch
	var texts [][]byte
	for _, s := range e.todo {
		p.Sections = append(p.Sections, s.now)
		texts = append(texts, s.cur.bytes)
	}
	results, err := patch.Apply(p, texts)
	if err != nil {
		return fmt.Errorf("nothing was changed: %w", err)
	}
	for i, s := range e.todo {
		s.result = results[i]
		s.warnings = append(s.warnings, s.result.Warnings...)
		if bytes.IndexByte(s.result.Bytes, 0) >= 0 {
			return fmt.Errorf("nothing was changed: a new line of %s holds a NUL byte, which would make the file binary", s.name())
		}
		if len(s.result.Bytes) > SnapshotBytes {
			return fmt.Errorf("nothing was changed: %s would have more than %d bytes", s.name(), SnapshotBytes)
		}
	}
	return nil
}

// isNoop reports whether an error is that of an edit that changes nothing.
func isNoop(err error) bool {
	var f *patch.Fault
	return errors.As(err, &f) && strings.HasPrefix(f.What, "no-op")
}

// preview is what the edit makes of one of its files, for the card. A file that is not
// what it was worked out from any more has all of it worked out again.
func (e *edit) preview(s *section, cur current) ([]byte, error) {
	if cur.exists != s.cur.exists || !bytes.Equal(cur.bytes, s.cur.bytes) {
		e.again()
	}
	return s.result.Bytes, e.err
}

// parses warns when a file could be read as what it is before the edit, and no longer can.
// Most still can, so the new text is tried first.
func (s *section) parses(now string) {
	if ok, known := blocks.Parses(now, s.result.Bytes); !known || ok {
		return
	}
	if ok, known := blocks.Parses(s.p.real, s.cur.bytes); known && ok {
		s.warnings = append(s.warnings, "the file parsed before this edit and no longer does; look at the changed lines")
	}
}
