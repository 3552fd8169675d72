package docs

import (
	"crypto/sha256"
	"encoding/hex"
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
	s.Knowledge = d.knowledge(p.real, cur)
	s.Diff = d.diff(p, cur)
	if cur.exists {
		sum := sha256.Sum256(cur.bytes)
		s.Content = hex.EncodeToString(sum[:])
	}
	if s.Diff == "" && cur.exists {
		s.Notes = append(s.Notes, "as the file stands now this changes nothing in it")
	}
}

// diff is what the write would make of the file, bounded for a card.
func (d *Docs) diff(p *place, cur current) string {
	next, err := p.preview(cur)
	if err != nil {
		return ""
	}
	return doc.Diff(d.rel(p.real), cur.exists, cur.bytes, next)
}

// knowledge is what the session knows of the bytes that stand there now.
func (d *Docs) knowledge(path string, cur current) call.Knowledge {
	return d.seen.of(path).Of(cur.exists, cur.version())
}
