package store

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"

	"tenet/core/event"
)

// keptIn is what the name of a checkpoint adds to its log's.
const keptIn = ".state"

// When a checkpoint is made: at the end of a turn once that many records came since the
// last, and in a turn that does not end for long.
const (
	atTurnEnd = 32
	inTurn    = 1024
)

// slack is how many bytes of a checkpoint may say nothing any more before it is written
// anew, beside as many as say something.
const slack = 1 << 20

// keeper writes the checkpoint of a log. Whatever becomes of the file costs time at the
// next opening and nothing else, so it is neither synced nor waited for.
type keeper struct {
	path string
	fs   FS
	file File // nil while nothing was appended by this process
	// seq is the record of the last segment, messages how many it has with the ones before
	// it, size the bytes of the file and dead those of segments that are superseded.
	seq        uint64
	messages   int
	size, dead int64
	// anew is true when the file does not go with the state any more: it is missing or
	// damaged, or a summary took the place of messages that it holds.
	anew bool
}

func newKeeper(log string, fs FS) *keeper { return &keeper{path: log + keptIn, fs: fs, anew: true} }

// see notes what is about to be appended: messages are only ever added, except by a
// compaction.
func (k *keeper) see(bodies []event.Body) {
	k.anew = k.anew || slices.ContainsFunc(bodies, func(b event.Body) bool { return rewrites(event.KindOf(b)) })
}

// rewrites reports whether a record takes messages away that an earlier one said.
func rewrites(k event.Kind) bool { return k == event.Compacted }

func (k *keeper) due(s event.State) bool {
	since := s.Seq - k.seq
	return since >= inTurn || !s.InTurn && since >= atTurnEnd
}

// Checkpoint keeps the state that the log's records fold to beside the log, when enough
// came since the last time; it may be called after every record. A state of another
// place than the log's end is not kept. The error is why nothing was kept; the log is
// as good as before, and only the next opening takes longer.
func (l *Log) Checkpoint(s event.State) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.failed != nil || l.writing || len(l.pending.buf) > 0 || s.Seq != l.head.Seq || !l.kept.due(s) {
		return nil
	}
	return l.kept.keep(mark{l.head, l.last, l.size}, s)
}

func (k *keeper) keep(at mark, s event.State) error {
	if k.messages > len(s.Messages) || k.dead > k.size/2+slack {
		k.anew = true
	}
	g := segment{at: at, from: uint64(k.messages), messages: uint64(len(s.Messages))}
	if k.anew {
		g.from = 0
	}
	b := g.append(nil, s)
	put := k.append
	if k.anew {
		put = k.write
	}
	if err := put(b); err != nil {
		k.anew = true // what is there now is not known
		return err
	}
	k.seq, k.messages, k.anew = s.Seq, len(s.Messages), false
	return nil
}

// append adds a segment. The rest of the state stands in every one, so that of the
// earlier ones is dead.
func (k *keeper) append(b []byte) error {
	if k.file == nil {
		f, err := k.fs.Open(k.path)
		if err != nil {
			return err
		}
		k.file = f
	}
	if size, err := k.file.Size(); err != nil || size != k.size {
		return errors.Join(err, errors.New("the checkpoint was changed by another program"))
	}
	if _, err := k.file.Write(b); err != nil {
		return err
	}
	k.size += int64(len(b))
	k.dead += int64(headed + restOf)
	return nil
}

// restOf is about what the rest of a state takes in a segment.
const restOf = 1 << 10

// write makes the file anew, under another name until it is whole.
func (k *keeper) write(b []byte) error {
	err := errors.Join(k.close(), k.fs.Remove(k.path+unfinished))
	if err != nil {
		return err
	}
	f, err := k.fs.Create(k.path + unfinished)
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	k.size, k.dead = int64(len(b)), 0
	return k.fs.Rename(k.path+unfinished, k.path)
}

func (k *keeper) close() error {
	if k.file == nil {
		return nil
	}
	f := k.file
	k.file = nil
	return f.Close()
}

// recall is the state at the last place that the checkpoint of a log tells of and that
// the log has: the record there is sound and has the sum that was noted, which vouches
// for every record before it. Without such a place it is the beginning. The keeper
// goes on with the file if nothing follows that place in it.
func recall(log File, size int64, k *keeper) (event.State, mark) {
	text, err := readAll(k.fs, k.path)
	if err != nil {
		return event.State{}, beginning()
	}
	all, rest := segments(text)
	for n := len(all); n > 0; n-- {
		g := all[n-1]
		if !g.at.stands(log, size) {
			continue
		}
		s, err := restore(all[:n])
		if err != nil || s.Seq != g.at.chain.Seq {
			break
		}
		k.seq, k.messages, k.size = s.Seq, len(s.Messages), int64(len(text))
		k.dead = int64(n) * int64(headed+restOf)
		k.anew = n < len(all) || rest != ""
		return s, g.at
	}
	return event.State{}, beginning()
}

// stands reports whether the log has this place.
func (m mark) stands(log File, size int64) bool {
	if m.begin < 0 || m.end > size || m.end <= m.begin || m.end-m.begin > event.MaxCommit {
		return false
	}
	line := make([]byte, m.end-m.begin)
	if n, _ := log.ReadAt(line, m.begin); n < len(line) {
		return false
	}
	h, ok := event.Cut(bytes.TrimSuffix(line, []byte("\n")))
	return ok && line[len(line)-1] == '\n' && h.Vouched() && h.Seq == m.chain.Seq && string(h.Sums) == m.chain.Sum.String()
}

// largest is the largest checkpoint that is read.
const largest = 4 << 30

// readAll is a file as one text, which the messages of a state are parts of.
func readAll(fs FS, path string) (string, error) {
	f, err := fs.View(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	size, err := f.Size()
	if err != nil || size > largest {
		return "", errors.Join(err, errors.ErrUnsupported)
	}
	var b strings.Builder
	b.Grow(int(size))
	_, err = io.Copy(&b, io.NewSectionReader(f, 0, size))
	return b.String(), err
}
