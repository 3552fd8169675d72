package snapshot

import (
	"bytes"
	"cmp"
	"fmt"
	"path"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"tenet/core/doc"
	"tenet/core/guard"
)

// plainStore is the reference: one list of every text, the latest first, and nothing
// that is counted along the way.
type plainStore struct {
	max   limits
	texts []plainText
	turn  int
	touch map[string]int // when each file was last touched
}

type plainText struct {
	path string
	text string
	seen map[int64]bool
	own  bool
	turn int // when it became the latest of its file
}

func (s *plainStore) touched(p string) { s.turn++; s.touch[p] = s.turn }

// of is the texts of a file, the latest first.
func (s *plainStore) of(p string) (out []int) {
	for i, t := range s.texts {
		if t.path == p {
			out = append(out, i)
		}
	}
	slices.SortFunc(out, func(a, b int) int { return cmp.Compare(s.texts[b].turn, s.texts[a].turn) })
	return out
}

func (s *plainStore) find(p, text string) *plainText {
	for i := range s.texts {
		if s.texts[i].path == p && s.texts[i].text == text {
			return &s.texts[i]
		}
	}
	return nil
}

func (s *plainStore) record(p, text string, own bool) {
	if len(text) > s.max.fileBytes {
		return
	}
	s.touched(p)
	if t := s.find(p, text); t != nil {
		t.turn, t.own = s.turn, t.own || own
	} else {
		s.texts = append(s.texts, plainText{p, text, map[int64]bool{}, own, s.turn})
	}
	s.bound(p)
}

func (s *plainStore) bound(p string) {
	for all := s.of(p); len(all) > s.max.versions; all = s.of(p) {
		s.texts = slices.Delete(s.texts, all[len(all)-1], all[len(all)-1]+1)
	}
	for len(s.paths()) > s.max.paths {
		oldest := s.paths()[0]
		s.texts = slices.DeleteFunc(s.texts, func(t plainText) bool { return t.path == oldest })
	}
	for s.size() > s.max.bytes {
		all := s.of(s.paths()[0])
		s.texts = slices.Delete(s.texts, all[len(all)-1], all[len(all)-1]+1)
	}
}

// paths is the files with texts, the one not touched for longest first.
func (s *plainStore) paths() (out []string) {
	for _, t := range s.texts {
		if !slices.Contains(out, t.path) {
			out = append(out, t.path)
		}
	}
	slices.SortFunc(out, func(a, b string) int { return cmp.Compare(s.touch[a], s.touch[b]) })
	return out
}

func (s *plainStore) size() (n int) {
	for _, t := range s.texts {
		n += len(t.text)
	}
	return n
}

func (s *plainStore) move(from, to string) {
	all := s.of(from)
	if from == to || len(all) == 0 {
		return
	}
	s.touched(to)
	for k, i := range slices.Backward(all) {
		t := &s.texts[i]
		if same := s.find(to, t.text); same != nil {
			for line := range same.seen {
				t.seen[line] = true
			}
			t.own = t.own || same.own
			same.path = "gone"
		}
		s.turn++
		t.path, t.turn = to, s.turn+len(all)-k
	}
	s.turn += 2 * len(all)
	s.touch[to] = s.turn
	s.texts = slices.DeleteFunc(s.texts, func(t plainText) bool { return t.path == "gone" })
	s.bound(to)
}

// compare holds the store to the reference.
func (s *plainStore) compare(t *rapid.T, st *Store) {
	if st.Size() != s.size() || st.files.len() != len(s.paths()) {
		t.Fatalf("%d bytes of %d files, want %d of %v", st.Size(), st.files.len(), s.size(), s.paths())
	}
	for _, p := range s.paths() {
		have, _ := st.files.peek(p)
		if len(have) != len(s.of(p)) {
			t.Fatalf("%s: %d versions, want %d", p, len(have), len(s.of(p)))
		}
		for k, i := range s.of(p) {
			e, w := have[k], s.texts[i]
			if string(e.Text) != w.text || e.own != w.own || e.Tag != doc.Tag(doc.Digest(e.Text)) {
				t.Fatalf("%s: version %d is %q, want %q", p, k, e.Text, w.text)
			}
			for line := range e.Lines + 2 {
				if e.seen.Has(line) != w.seen[line] {
					t.Fatalf("%s: line %d of %q seen: %v", p, line, e.Text, e.seen.Has(line))
				}
			}
		}
	}
}

// Any use of the store leaves what the reference has: which texts, in which order, with
// which lines seen, and their bytes counted exactly.
func TestStoreRapid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := limits{paths: rapid.IntRange(1, 4).Draw(t, "paths"), versions: rapid.IntRange(1, 3).Draw(t, "versions"), fileBytes: 24, bytes: rapid.IntRange(24, 90).Draw(t, "bytes"), known: 3}
		st, ref := newStore(l), &plainStore{max: l, touch: map[string]int{}}
		file := rapid.SampledFrom([]string{"a/f", "b/f", "a/g", "g", "h"})
		text := rapid.Custom(func(t *rapid.T) string {
			b := bytes.Repeat([]byte("l\n"), rapid.IntRange(0, 13).Draw(t, "lines"))
			if len(b) > 0 {
				b[0] = rapid.Byte().Draw(t, "first")
			}
			return string(b)
		})
		t.Repeat(map[string]func(*rapid.T){
			"record": func(t *rapid.T) {
				p, b := file.Draw(t, "file"), text.Draw(t, "text")
				v := st.Record(p, []byte(b))
				ref.record(p, b, false)
				if (v.Tag == "") != (len(b) > l.fileBytes) {
					t.Fatalf("%d bytes have the tag %q", len(b), v.Tag)
				}
			},
			"wrote": func(t *rapid.T) {
				p, b := file.Draw(t, "file"), text.Draw(t, "text")
				st.Wrote(p, []byte(b))
				ref.record(p, b, true)
			},
			"see": func(t *rapid.T) {
				p, from := file.Draw(t, "file"), rapid.Int64Range(1, 14).Draw(t, "from")
				all := ref.of(p)
				if len(all) == 0 {
					return
				}
				w := &ref.texts[rapid.SampledFrom(all).Draw(t, "version")]
				st.MarkSeen(p, doc.Digest([]byte(w.text)), doc.Span{From: from, To: from + 1})
				ref.touched(p)
				for n := from; n <= min(from+1, int64(doc.CountLines([]byte(w.text)))); n++ {
					w.seen[n] = true
				}
			},
			"find": func(t *rapid.T) {
				p, b := file.Draw(t, "file"), text.Draw(t, "text")
				v, ok := st.Find(p, doc.Tag(doc.Digest([]byte(b))))
				if len(ref.of(p)) > 0 {
					ref.touched(p)
				}
				if has := ref.find(p, b) != nil; ok != has || ok && string(v.Text) != b || st.Has(p, []byte(b)) != has {
					t.Fatalf("finds %q: %v, it is there: %v", b, ok, has)
				}
			},
			"move": func(t *rapid.T) {
				from, to := file.Draw(t, "from"), file.Draw(t, "to")
				st.Move(from, to)
				ref.move(from, to)
			},
			"forget": func(t *rapid.T) {
				p := file.Draw(t, "file")
				st.Forget(p)
				ref.texts = slices.DeleteFunc(ref.texts, func(w plainText) bool { return w.path == p })
			},
			"named": func(t *rapid.T) {
				b := text.Draw(t, "text")
				got, ok := st.Named("f", doc.Tag(doc.Digest([]byte(b))))
				var want []string
				for _, w := range ref.texts {
					if path.Base(w.path) == "f" && w.text == b {
						want = append(want, w.path)
					}
				}
				if ok != (len(want) == 1) || ok && got != want[0] {
					t.Fatalf("f with the text %q is %q, %v; want %v", b, got, ok, want)
				}
			},
			"": func(t *rapid.T) { ref.compare(t, st) },
		})
	})
}

// The limits of a session's store are those of the design, and hold.
func TestStoreLimits(t *testing.T) {
	s := New()
	if s.max != (limits{256, 4, 64 << 20, 4 << 20, 4096}) {
		t.Errorf("%+v", s.max)
	}
	big := bytes.Repeat([]byte("x"), FileBytes)
	for i := range 20 {
		big[0] = byte(i)
		s.Record(fmt.Sprint("file", i), big)
	}
	if s.Size() != 64<<20 || s.Has("file3", append([]byte{3}, big[1:]...)) || !s.Has("file4", append([]byte{4}, big[1:]...)) {
		t.Errorf("%d bytes are kept", s.Size())
	}
	if v := s.Record("file", append(big, 'x')); v.Tag != "" || s.Size() != 64<<20 {
		t.Errorf("a text that is too large has the tag %q", v.Tag)
	}
}

// What was seen of a file's versions outlives its texts, up to a bound of its own, and
// moves with the file.
func TestKnowledge(t *testing.T) {
	s := newStore(limits{paths: 1, versions: 1, bytes: 100, fileBytes: 100, known: 2})
	saw := func(p string, version uint64) {
		s.Learn(p, guard.Result{OK: true, Deed: guard.ReadWhole, Version: version})
	}
	saw("a", 1)
	saw("b", 2)
	if !s.Known("a").MayWrite(true, 1) || s.Known("a").MayWrite(true, 2) {
		t.Error("a is not known as it was read")
	}
	s.Move("a", "b")
	if k := s.Known("b"); !k.MayWrite(true, 1) || !k.MayWrite(true, 2) {
		t.Error("after the move, b is not known as both were")
	}
	saw("c", 3)
	if !s.Known("b").MayWrite(true, 1) || s.Known("a").MayWrite(true, 1) {
		t.Error("the file that was not met for longest is not the one that is forgotten")
	}
}
