package bridge

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"tenet/adapters/store"
	"tenet/core/doc"
	"tenet/core/event"
)

// busyKills is at how many points busy sessions are killed; make long raises it.
func busyKills() int {
	if n, err := strconv.Atoi(os.Getenv("TENET_KILL_POINTS")); err == nil && n > 0 {
		return n
	}
	return 500
}

// TestKilledAnywhereNothingIsLostOrRunTwice kills sessions with SIGKILL at seeded points
// while they work through turns with calls of every tool, questions with a standing
// answer, jobs and messages that wait, and lets the next process go on, until all is
// done. At every point: the log opens, holds all that was said to be durable, and two
// processes that take it up make of it what one makes. At the end: every call has one
// result, every job one end, every message was delivered once, nothing ran twice, and
// what is said to have run did (laws log_acked_survives, log_unresolved_named,
// log_never_run_again, cases sess-001, sess-008, sess-014, sess-015).
func TestKilledAnywhereNothingIsLostOrRunTwice(t *testing.T) {
	if dir := os.Getenv(busyChildIn); dir != "" {
		busyChild(t, dir)
		return
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	const workers = 4
	var mu sync.Mutex
	var all busyTally
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(w), 5))
			for n := 0; n < busyKills()/workers; {
				b := &busy{t: t, self: self, dir: t.TempDir(), rng: rng}
				if err := b.life(busyKills()/workers - n); err != nil {
					t.Errorf("worker %d, after %d kills, of this session %d: %v\n%s", w, n, b.kills, err, b.said)
					return
				}
				n += max(1, b.kills)
				mu.Lock()
				all.add(b.busyTally)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if t.Failed() {
		return
	}
	t.Logf("%+v", all)
	if all.kills < busyKills()*9/10 || all.interrupted < all.kills/20 || all.started == 0 || all.jobs == 0 || all.messages == 0 || all.torn+all.sessions == 0 {
		t.Errorf("the kills met too little: %+v", all)
	}
}

// busyTally is what the kills met.
type busyTally struct {
	sessions, kills, interrupted, started, jobs, lost, messages, torn int
}

func (a *busyTally) add(b busyTally) {
	a.sessions++
	a.kills += b.kills
	a.interrupted += b.interrupted
	a.started += b.started
	a.jobs += b.jobs
	a.lost += b.lost
	a.messages += b.messages
	a.torn += b.torn
}

// busy is one session that is killed again and again.
type busy struct {
	busyTally
	t         *testing.T
	self, dir string
	rng       *rand.Rand
	acked     []string // the messages that were taken
	durable   int      // the last record that was said to be durable
	said      string   // what the last child said on its error output
}

// life runs the session to its end through at most so many kills.
func (b *busy) life(kills int) error {
	busyRoom(b.t, b.dir)
	for {
		after := 1 + b.rng.IntN(24)
		if b.kills >= kills {
			after = 1 << 30
		}
		done, err := b.child(after)
		if err == nil && !done {
			b.kills++
			err = b.leftSound()
		}
		if err != nil {
			return err
		}
		if done {
			return b.audit()
		}
	}
}

// child lets one process work until it has made so many records durable, kills it a
// moment later, and says whether it was done before.
func (b *busy) child(after int) (done bool, err error) {
	cmd := exec.Command(b.self, "-test.run=^TestKilledAnywhereNothingIsLostOrRunTwice$")
	cmd.Env = append(os.Environ(), busyChildIn+"="+b.dir)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return false, err
	}
	if err := cmd.Start(); err != nil {
		return false, err
	}
	var all strings.Builder
	in, records := bufio.NewReader(out), 0
	for records < after {
		line, err := in.ReadString('\n')
		all.WriteString(line)
		if err != nil {
			break
		}
		if strings.HasPrefix(line, "rec ") {
			records++
		}
	}
	if records >= after {
		time.Sleep(time.Duration(b.rng.IntN(4000)) * time.Microsecond) // the point of the kill: no event marks it
		_ = cmd.Process.Kill()
	}
	rest, _ := io.ReadAll(in)
	all.Write(rest)
	werr := cmd.Wait()
	b.said = all.String() + stderr.String()
	done = strings.Contains(all.String(), "\ndone\n")
	if !done && werr != nil && records < after {
		return false, fmt.Errorf("the child ended by itself: %w", werr)
	}
	return done, b.heard(all.String())
}

// heard notes what was said to be durable.
func (b *busy) heard(text string) error {
	for line := range strings.Lines(text) {
		word, what, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch {
		case !strings.HasSuffix(line, "\n"): // the kill cut it
		case word == "ack":
			b.acked = append(b.acked, what)
		case word == "rec":
			seq, _, _ := strings.Cut(what, " ")
			n, err := strconv.Atoi(seq)
			if err != nil {
				return err
			}
			b.durable = max(b.durable, n)
		}
	}
	return nil
}

// leftSound judges what a kill left, on a copy, so that the next child takes up the very
// bytes.
func (b *busy) leftSound() error {
	logs := logsIn(b.t, b.dir)
	if len(logs) == 0 && b.durable == 0 {
		return nil // killed before the session began
	}
	if len(logs) != 1 {
		return fmt.Errorf("%d logs", len(logs))
	}
	records, r, err := store.Read(logs[0])
	if err != nil || r.Tail == event.Broken || r.Unreadable != nil || len(r.Disorders) > 0 {
		return fmt.Errorf("the log after the kill: %w\n%s", err, r.Text())
	}
	if len(records) < b.durable {
		return fmt.Errorf("%d records were said to be durable, %d are there", b.durable, len(records))
	}
	if r.Tail == event.Torn {
		b.torn++
	}
	for _, c := range r.Interrupted {
		b.interrupted++
		if c.Started {
			b.started++
		}
	}
	return b.twice(logs[0])
}

// twice takes a copy of the log up twice.
func (b *busy) twice(log string) error {
	copied := filepath.Join(b.t.TempDir(), filepath.Base(log))
	for _, ending := range []string{"", ".state"} {
		text, err := os.ReadFile(log + ending)
		if err == nil {
			err = os.WriteFile(copied+ending, text, 0o600)
		}
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	once, err := takenUp(copied)
	if err != nil {
		return err
	}
	again, err := takenUp(copied)
	if err != nil {
		return err
	}
	if len(once.Calls)+len(once.Jobs) > 0 {
		return fmt.Errorf("after one resumption calls %v have no result, jobs %v no end", once.Unresolved(), once.Jobs)
	}
	again.Seq, again.Resumptions = once.Seq, once.Resumptions
	if !reflect.DeepEqual(once, again) {
		return fmt.Errorf("a second process that takes the session up makes of it\n%+v\nand the first\n%+v", again, once)
	}
	return nil
}

// takenUp is the state after a process took a log up, gave each open job its end and
// ended.
func takenUp(log string) (event.State, error) {
	s, l, _, err := store.Load(log)
	if err != nil {
		return s, err
	}
	bodies := event.Resume(s)
	for _, j := range s.Jobs {
		bodies = append(bodies, event.Settlement{Job: j.Job, Status: "lost", Exit: -1})
	}
	recs, err := l.Commit(bodies...)
	for i, r := range recs {
		s = s.With(r.Seq, bodies[i])
	}
	return s, errors.Join(err, l.Close())
}

// audit judges the session when all is done.
func (b *busy) audit() error {
	log := logsIn(b.t, b.dir)[0]
	records, r, err := store.Read(log)
	if err != nil || !r.OK() || len(r.Interrupted) > 0 {
		return fmt.Errorf("the log at the end: %w\n%s", err, r.Text())
	}
	if _, err := os.Stat(log + ".state"); err != nil {
		return fmt.Errorf("no checkpoint was kept: %w", err)
	}
	loaded, report, err := store.State(log)
	folded, err2 := event.Fold(records)
	if err != nil || err2 != nil || !reflect.DeepEqual(loaded, folded) {
		return fmt.Errorf("the state from the checkpoint is not the fold: %w, %s", errors.Join(err, err2), report.Text())
	}
	c, err := count(records)
	if err != nil {
		return err
	}
	b.jobs, b.lost, b.messages = len(c.ends), c.lost, len(b.acked)
	return errors.Join(c.once(), b.delivered(c), b.effects(c))
}

// ledger is a second, naive reading of a session: how often things are told.
type ledger struct {
	made, detached  []string
	results         map[string]int
	good, sent      map[string]bool // calls with a good result; calls of which a step was dispatched
	ends, delivered map[string]int
	args            map[string]string
	lost            int
}

func count(records []event.Record) (ledger, error) {
	c := ledger{results: map[string]int{}, good: map[string]bool{}, sent: map[string]bool{}, ends: map[string]int{}, delivered: map[string]int{}, args: map[string]string{}}
	for _, r := range records {
		b, err := event.Decode(r)
		if err != nil {
			return c, err
		}
		switch b := b.(type) {
		case event.Reply:
			for _, call := range b.Calls {
				c.made, c.args[call.ID] = append(c.made, call.ID), call.Args
			}
		case event.Dispatch:
			c.sent[b.Call] = true
		case event.Result:
			c.results[b.Call]++
			c.good[b.Call] = !b.Error
		case event.Detachment:
			c.detached = append(c.detached, b.Job)
			delete(c.good, b.Call)
			c.results["detached "+b.Call]++
		case event.Settlement:
			c.ends[b.Job]++
			if b.Status == "lost" {
				c.lost++
			}
		case event.Prompt:
			c.delivered[b.Submission]++
		default:
		}
	}
	return c, nil
}

// once: every call has one result and every job one end.
func (c ledger) once() error {
	for _, id := range c.made {
		if c.results[id] != 1 {
			return fmt.Errorf("call %s has %d results", id, c.results[id])
		}
	}
	for _, j := range c.detached {
		if c.ends[j] != 1 {
			return fmt.Errorf("job %s has %d ends", j, c.ends[j])
		}
	}
	return nil
}

// delivered: a message that was taken reached the model once.
func (b *busy) delivered(c ledger) error {
	for _, id := range b.acked {
		if c.delivered[id] != 1 {
			return fmt.Errorf("message %s was taken and delivered %d times", id, c.delivered[id])
		}
	}
	return nil
}

// effects: no mark stands twice; that of a call without a dispatched step stands
// nowhere, and that of a call with a good result stands.
func (b *busy) effects(c ledger) error {
	text := ""
	files, err := filepath.Glob(filepath.Join(b.dir, "work", "*"))
	if err != nil {
		return err
	}
	for _, f := range files {
		if doc.IsTemp(filepath.Base(f)) {
			continue // what a kill left of a write; the next write of the file removes it
		}
		more, err := os.ReadFile(f)
		if err != nil {
			return err
		}
		text += string(more) + "\n"
	}
	lines := strings.Split(text, "\n")
	for id, args := range c.args {
		for _, mark := range marksIn(args) {
			n := 0
			for _, l := range lines {
				if l == mark {
					n++
				}
			}
			detached := c.results["detached "+id] > 0
			switch {
			case n > 1:
				return fmt.Errorf("call %s was run %d times (%s)", id, n, mark)
			case n > 0 && !c.sent[id]:
				return fmt.Errorf("call %s ran and no step of it was dispatched (%s)", id, mark)
			case n == 0 && c.good[id] && !detached:
				return fmt.Errorf("call %s has a good result and nothing of it is there (%s)", id, mark)
			}
		}
	}
	return nil
}

// marksIn are the marks that a call's arguments leave.
func marksIn(args string) (out []string) {
	for _, w := range strings.FieldsFunc(args, func(r rune) bool { return r != '-' && (r < '0' || r > '9') && (r < 'a' || r > 'z') }) {
		if m := strings.TrimPrefix(w, "n"); strings.HasPrefix(m, "mark-") && !slices.Contains(out, m) {
			out = append(out, m)
		}
	}
	return out
}
