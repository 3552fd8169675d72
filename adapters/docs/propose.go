package docs

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"

	"tenet/core/call"
	"tenet/core/doc"
)

// propose adds to a write what a person has to see: the change as a diff, the digest of
// the bytes that it would replace, and what the session knows of them. The file is only
// looked at, and what is seen goes to the card, never to the model: a secret that is
// about to be changed must not leak through a refusal.
func (d *Docs) propose(s *call.Step, p *place) {
	dir, err := openDir(filepath.Dir(p.real))
	if err != nil {
		s.Knowledge = call.New
		s.Diff = d.diff(p, current{})
		s.Cut = doc.LeavesOut(s.Diff)
		return // the directory is missing, and is made, or the write fails and says why
	}
	defer dir.Close()
	cur, err := d.look(*p, dir, filepath.Base(p.real))
	if err != nil {
		return // no regular file, or read-only: the write refuses it and says so
	}
	if cur.file != nil {
		defer cur.file.Close()
	}
	if s.Knowledge = d.knowledge(p.real, cur); p.own {
		s.Knowledge = call.NotAsked
	}
	if p.byTag && s.Knowledge == call.Stale {
		s.Knowledge = call.Partial
	}
	s.Diff, s.Content = d.diff(p, cur), cur.content()
	s.Cut = doc.LeavesOut(s.Diff)
	if s.Diff == "" && cur.exists && len(p.notes) == 0 {
		s.Notes = append(s.Notes, "as the file stands now this changes nothing in it")
	}
}

// diff is what the write would make of the file, bounded for a card.
func (d *Docs) diff(p *place, cur current) string {
	next, err := p.preview(cur)
	if err != nil {
		return ""
	}
	if p.removes {
		return doc.Removal(d.rel(p.real), cur.bytes)
	}
	return doc.Diff(d.rel(p.real), cur.exists, cur.bytes, next)
}

// knowledge is what the session knows of the bytes that stand there now.
func (d *Docs) knowledge(path string, cur current) call.Knowledge {
	return d.seen.of(path).Of(cur.exists, cur.version())
}

// content names the bytes of the file for an answer; empty when there is no file. Of a
// large file it is its beginning, and which file it is.
func (c current) content() string {
	if !c.exists {
		return ""
	}
	h := sha256.New()
	h.Write(c.bytes)
	if c.large {
		fmt.Fprintf(h, "%016x", identity(c.st))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// unshown refuses a write whose bytes are others than those that a person said yes to:
// the answer is spent, also in the moment between the gate's last look and the lock (law
// digest_spends_answer).
func (d *Docs) unshown(p place, cur current) error {
	if !p.answered || cur.content() == p.content {
		return nil
	}
	return fmt.Errorf("%s was changed by something else after the change was shown and allowed, so the answer counts no more; nothing was written. Make the call again, so that it is judged as it is now", d.rel(p.real))
}
