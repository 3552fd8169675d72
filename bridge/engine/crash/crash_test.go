package crash

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// A journal of checksummed records and the replacement of a file are the two ways a
// program survives a crash. Each is here right, and with each mistake that is easily
// made; the engine must accept the first and find every one of the others.

// flaw is a mistake of the workloads below.
type flaw string

const (
	none         flaw = ""
	noFileSync   flaw = "the content is not synced"
	noDirSync    flaw = "the directory is not synced"
	noChecksum   flaw = "a record is not checked"
	inPlace      flaw = "the file is overwritten in place"
	earlyAck     flaw = "a record is acknowledged before it is synced"
	renamedFirst flaw = "the rename comes before the sync"
)

type journal struct {
	f    File
	flaw flaw
}

func openJournal(dir FS, w flaw) (*journal, error) {
	f, err := dir.OpenAppend("log")
	if err != nil {
		return nil, err
	}
	if w != noDirSync {
		err = dir.SyncDir()
	}
	return &journal{f, w}, err
}

func (j *journal) append(b []byte) error {
	rec := binary.LittleEndian.AppendUint32(nil, uint32(len(b)))
	rec = binary.LittleEndian.AppendUint32(rec, crc32.ChecksumIEEE(b))
	if _, err := j.f.Write(append(rec, b...)); err != nil {
		return err
	}
	if j.flaw == noFileSync {
		return nil
	}
	return j.f.Sync()
}

// records reads back what a journal holds; a torn tail ends it.
func records(dir FS, w flaw) (recs []string) {
	b, _ := dir.ReadFile("log")
	for len(b) >= 8 {
		n, sum := int(binary.LittleEndian.Uint32(b)), binary.LittleEndian.Uint32(b[4:])
		if n > len(b)-8 || w != noChecksum && (n == 0 || crc32.ChecksumIEEE(b[8:8+n]) != sum) {
			return recs
		}
		recs = append(recs, string(b[8:8+n]))
		b = b[8+n:]
	}
	return recs
}

// write appends six records and says how many were acknowledged.
func write(dir FS, w flaw) (acked int) {
	j, err := openJournal(dir, w)
	if err != nil {
		return 0
	}
	for i := range 6 {
		err := j.append(fmt.Appendf(nil, "record %d", i))
		if err == nil || w == earlyAck {
			acked++
		}
		if err != nil {
			return acked
		}
	}
	return acked
}

func readable(dir FS, acked int, w flaw) error {
	recs := records(dir, w)
	if len(recs) < acked {
		return fmt.Errorf("%d records are acknowledged, %d are there", acked, len(recs))
	}
	for i, r := range recs {
		if want := fmt.Sprintf("record %d", i); r != want {
			return fmt.Errorf("record %d is %q", i, r)
		}
	}
	return nil
}

func exploreJournal(loss Loss, w flaw) (Seen, error) {
	return Exploration[int]{
		Loss: loss,
		Work: func(dir FS) int { return write(dir, w) },
		Law:  func(after *Mem, acked int) error { return readable(after, acked, w) },
	}.Run()
}

// replace gives a file new content, whole or not at all.
func replace(dir FS, name, content string, w flaw) error {
	if w == inPlace {
		return overwrite(dir, name, content)
	}
	f, err := dir.Create(name + ".tmp")
	if err != nil {
		return err
	}
	if _, err := f.Write([]byte(content)); err != nil {
		return err
	}
	steps := []func() error{f.Sync, func() error { return dir.Rename(name+".tmp", name) }, dir.SyncDir}
	switch w {
	case noFileSync:
		steps = steps[1:]
	case noDirSync:
		steps = steps[:2]
	case renamedFirst:
		steps[0], steps[1] = steps[1], steps[2]
		steps[2] = f.Sync
	case none, noChecksum, inPlace, earlyAck: // no mistake of this order
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

func overwrite(dir FS, name, content string) error {
	f, err := dir.OpenAppend(name)
	if err != nil {
		return err
	}
	_, err = f.Write([]byte(content))
	return errors.Join(f.Truncate(0), err, f.Sync())
}

func exploreReplace(loss Loss, w flaw) (Seen, error) {
	start := NewMem()
	if err := replace(start, "settings", "the old text", none); err != nil {
		return Seen{}, err
	}
	return Exploration[bool]{
		Start: start, Loss: loss,
		Work: func(dir FS) bool { return replace(dir, "settings", "the new text", w) == nil },
		Law: func(after *Mem, acked bool) error {
			b, err := after.ReadFile("settings")
			if s := string(b); err != nil || s != "the new text" && (acked || s != "the old text") {
				return fmt.Errorf("the file is %q, %v", s, err)
			}
			return nil
		},
	}.Run()
}

func TestRightProgramsSurviveEveryCrash(t *testing.T) {
	for _, c := range []struct {
		name    string
		explore func(Loss, flaw) (Seen, error)
		loss    Loss
		want    Seen
	}{
		{"journal", exploreJournal, Kill, Seen{Calls: 15, Cases: 35}},
		{"journal", exploreJournal, PowerLoss, Seen{Calls: 15, Cases: 91}},
		{"replace", exploreReplace, Kill, Seen{Calls: 6, Cases: 12}},
		{"replace", exploreReplace, PowerLoss, Seen{Calls: 6, Cases: 34}},
	} {
		seen, err := c.explore(c.loss, none)
		if err != nil || seen != c.want {
			t.Errorf("%s, %v: %+v, %v; want %+v", c.name, c.loss, seen, err, c.want)
		}
	}
}

func TestEveryMistakeIsFound(t *testing.T) {
	for _, c := range []struct {
		explore func(Loss, flaw) (Seen, error)
		loss    Loss
		flaw    flaw
	}{
		{exploreJournal, PowerLoss, noFileSync},
		{exploreJournal, PowerLoss, noDirSync},
		{exploreJournal, PowerLoss, noChecksum},
		{exploreJournal, Kill, earlyAck},
		{exploreReplace, PowerLoss, noFileSync},
		{exploreReplace, PowerLoss, noDirSync},
		{exploreReplace, PowerLoss, renamedFirst},
		{exploreReplace, Kill, inPlace},
	} {
		if seen, err := c.explore(c.loss, c.flaw); err == nil {
			t.Errorf("%v, %s: not found in %+v", c.loss, c.flaw, seen)
		} else if !strings.Contains(err.Error(), c.loss.String()) {
			t.Errorf("the message does not say what stopped: %v", err)
		}
	}
}

// A kill leaves all that the kernel was given, so it finds no missing sync: the
// reason that PowerLoss exists.
func TestAKillNeverFindsAMissingSync(t *testing.T) {
	for _, w := range []flaw{noFileSync, noDirSync} {
		if _, err := exploreJournal(Kill, w); err != nil {
			t.Errorf("%s: %v", w, err)
		}
	}
}

// A recovery may crash too: the law starts another exploration from each survivor.
func TestARecoveryCanBeExploredFromEverySurvivor(t *testing.T) {
	cases := 0
	_, err := Exploration[int]{
		Loss: PowerLoss,
		Work: func(dir FS) int { return write(dir, none) },
		Law: func(after *Mem, acked int) error {
			again, err := Exploration[int]{
				Start: after, Loss: PowerLoss,
				Work: func(dir FS) int { cutTornTail(dir); return acked },
				Law:  func(after *Mem, acked int) error { return readable(after, acked, none) },
			}.Run()
			cases += again.Cases
			return err
		},
	}.Run()
	if err != nil || cases == 0 {
		t.Errorf("%d cases: %v", cases, err)
	}
}

func cutTornTail(dir FS) {
	size := int64(0)
	for _, r := range records(dir, none) {
		size += 8 + int64(len(r))
	}
	if f, err := dir.OpenAppend("log"); err == nil && f.Truncate(size) == nil {
		_ = f.Sync() // a sync that fails here leaves the tail for the next recovery
	}
}

func TestAFullDiskFailsOneCallAndLeavesHalfAWrite(t *testing.T) {
	m := NewMem()
	m.FailAt = 3 // open, sync of the directory, first write
	if acked := write(m, none); acked != 0 {
		t.Errorf("%d acknowledged", acked)
	}
	b, err := m.ReadFile("log")
	if err != nil || len(b) != 8 {
		t.Errorf("%d bytes are there, %v; want half of the record", len(b), err)
	}
	f, _ := m.OpenAppend("log")
	if _, err := f.Write([]byte("x")); err != nil {
		t.Errorf("the disk stays full: %v", err)
	}
}

// Kernels drop what a failed sync was to write: trying again does not help.
func TestASyncThatFailedIsNotMadeGoodByTheNext(t *testing.T) {
	m := NewMem()
	f, _ := m.Create("a")
	_, _ = f.Write([]byte("lost")) // the law below is about the sync
	m.FailAt = 3
	if err := f.Sync(); !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("got %v", err)
	}
	if err := errors.Join(f.Sync(), m.SyncDir()); err != nil {
		t.Fatal(err)
	}
	after := m.Survivor(first{}, PowerLoss)
	if b, err := after.ReadFile("a"); err != nil || len(b) != 0 {
		t.Errorf("after the crash: %q, %v", b, err)
	}
}

// first chooses the first of everything.
type first struct{}

func (first) Pick(int, string) int { return 0 }

// Both file systems answer the same calls the same way: what Mem promises about
// names and errors is what the real one does.
func TestMemAndDiskAgree(t *testing.T) {
	for name, dir := range map[string]FS{"mem": NewMem(), "disk": &Disk{Dir: t.TempDir()}} {
		t.Run(name, func(t *testing.T) { agree(t, dir) })
	}
}

func agree(t *testing.T, dir FS) {
	f, err := dir.Create("b")
	must(t, err)
	_, err = f.Write([]byte("one two"))
	must(t, errors.Join(err, f.Truncate(3), f.Sync()))
	if _, err := dir.Create("b"); !errors.Is(err, fs.ErrExist) {
		t.Errorf("create of a name that is taken: %v", err)
	}
	_, err = f.Write([]byte("!"))
	must(t, errors.Join(err, f.Close()))
	if err := f.Close(); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("second close: %v", err)
	}
	if _, err := f.Write([]byte("x")); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("write after close: %v", err)
	}
	must(t, dir.Rename("b", "a"))
	for what, err := range map[string]error{"rename": dir.Rename("b", "c"), "remove": dir.Remove("b")} {
		if !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s of an absent file: %v", what, err)
		}
	}
	b, err := dir.ReadFile("a")
	if err != nil || string(b) != "one!" {
		t.Errorf("read %q, %v", b, err)
	}
	r, err := dir.OpenRead("a")
	must(t, err)
	part := make([]byte, 9)
	n, err := r.ReadAt(part, 1)
	size, sizeErr := r.Size()
	if string(part[:n]) != "ne!" || !errors.Is(err, io.EOF) || size != 4 || sizeErr != nil {
		t.Errorf("read at 1: %q, %v; size %d, %v", part[:n], err, size, sizeErr)
	}
	if _, err := r.Write([]byte("x")); err == nil {
		t.Error("a file that was opened for reading was written")
	}
	must(t, errors.Join(r.Close(), dir.Remove("a"), dir.SyncDir()))
	names, err := dir.List()
	if err != nil || len(names) != 0 {
		t.Errorf("left %v, %v", names, err)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

const dirVar = "TENET_CRASH_TEST_DIR"

// TestMain is also the child that kills itself: it writes the journal on a real
// disk and prints what was acknowledged.
func TestMain(m *testing.M) {
	if dir := os.Getenv(dirVar); dir != "" {
		j, err := openJournal(&Disk{Dir: dir, Hook: KillHook()}, none)
		for i := 0; err == nil && i < 6; i++ {
			if err = j.append(fmt.Appendf(nil, "record %d", i)); err == nil {
				fmt.Println("acknowledged", i)
			}
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestKillLoopKillsAtEveryCall(t *testing.T) {
	dirs := map[int]string{}
	child := func(at int) *exec.Cmd {
		dirs[at] = t.TempDir()
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), dirVar+"="+dirs[at])
		return cmd
	}
	law := func(at int, printed []byte) error {
		return readable(&Disk{Dir: dirs[at]}, bytes.Count(printed, []byte("acknowledged")), none)
	}
	kills, err := KillLoop(20, child, law)
	if err != nil || kills != 14 {
		t.Errorf("%d kills, %v; want one before each of the 14 calls", kills, err)
	}
	if _, err := KillLoop(3, child, law); !errors.Is(err, ErrTruncated) {
		t.Errorf("a loop that does not reach the end: %v", err)
	}
}
