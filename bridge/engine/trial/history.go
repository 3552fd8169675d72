package trial

import (
	"errors"
	"fmt"
	"hash/maphash"
	"math"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/anishathalye/porcupine"

	"tenet/bridge/engine"
)

// History records what clients called at the same time and were answered, and asks
// porcupine whether one after another the calls could have been answered so by the
// model. Histories of 12 to 60 operations of 3 to 6 clients are judged in
// milliseconds; thousands of short ones see more than a long one.
//
// An operation that blocks until something holds is a read whose answer says that it
// does: Wait of a lease is a read that was answered "holds".
type History[S comparable, O any, R comparable] struct {
	// Machine is the model; its Ops are not asked.
	Machine engine.Machine[S, O, R]
	// Name names the picture's file.
	Name string

	mu    sync.Mutex
	clock int64
	ops   []porcupine.Operation
	lost  int // operations whose answer is not known
	open  int // operations in flight
	quiet int // reads since the last operation that was not one
}

// answer is what a client was told; nothing is known when it was lost.
type answer[R comparable] struct {
	told R
	lost bool
}

// String is the answer as the picture shows it.
func (a answer[R]) String() string {
	if a.lost {
		return "lost"
	}
	return fmt.Sprintf("%+v", a.told)
}

const quietClient = -1

// Do records one operation of a client around the call that performs it.
func (h *History[S, O, R]) Do(client int, op O, call func() R) R {
	return h.Call(client, func() (O, R) { return op, call() })
}

// Call is Do for a call that says only at its end which operation it was: a wait that
// returned is a read, one that was cancelled is a stop.
func (h *History[S, O, R]) Call(client int, call func() (O, R)) R {
	start := h.start(client)
	op, told := call()
	h.end(client, op, answer[R]{told: told}, start, h.tick)
	return told
}

// Lose records one operation of a client whose answer nobody got: it may have
// happened, at any time from its call on, or never. An answer that is simply left
// out makes a history illegal that is not.
func (h *History[S, O, R]) Lose(client int, op O, call func()) {
	start := h.start(client)
	call()
	h.end(client, op, answer[R]{lost: true}, start, func() int64 { return math.MaxInt64 - 1 })
}

// Quiet records a read after everything has come to rest. A history must end with
// reads of all it is about: a lost wake-up or a slot that leaks shows only there.
func (h *History[S, O, R]) Quiet(op O, call func() R) R { return h.Do(quietClient, op, call) }

func (h *History[S, O, R]) start(client int) int64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.open++
	if client != quietClient || h.open > 1 {
		h.quiet = 0
	}
	h.clock++
	return h.clock
}

func (h *History[S, O, R]) tick() int64 { h.clock++; return h.clock }

func (h *History[S, O, R]) end(client int, op O, a answer[R], start int64, end func() int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.open--
	switch {
	case a.lost:
		h.lost++
	case client == quietClient && h.open == 0:
		h.quiet++
	}
	h.ops = append(h.ops, porcupine.Operation{ClientId: client + 1, Input: op, Output: a, Call: start, Return: end()})
}

// Len is how many operations were recorded.
func (h *History[S, O, R]) Len() int { h.mu.Lock(); defer h.mu.Unlock(); return len(h.ops) }

// The ways a history fails.
var (
	// ErrIllegal: no order of the operations explains the answers.
	ErrIllegal = errors.New("no order of the operations explains the answers")
	// ErrUnknown: porcupine did not finish, so nothing is known.
	ErrUnknown = errors.New("the history was not judged in time, which is no pass: make it shorter")
	// ErrOpen: an operation never returned and was not recorded as lost.
	ErrOpen = errors.New("an operation is still in flight: record it with Lose, or end it")
	// ErrNotQuiet: the history does not end with a read at rest.
	ErrNotQuiet = errors.New("the history does not end with a quiet read")
)

// Pictures is the folder for the pictures of histories that fail. It is not one of
// the test's own, which is gone when the message that names the picture is read.
func Pictures() string { return filepath.Join(os.TempDir(), "tenet-histories") }

// patience is how long porcupine may take for one history.
const patience = 20 * time.Second

// Check judges the history. When it is illegal, porcupine's picture of it is written
// to dir, which is made if need be, and named in the error.
func (h *History[S, O, R]) Check(dir string) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.open > 0:
		return ErrOpen
	case h.quiet == 0:
		return ErrNotQuiet
	}
	model := h.model()
	switch porcupine.CheckOperationsTimeout(model, h.ops, patience) {
	case porcupine.Ok:
		return nil
	case porcupine.Unknown:
		return ErrUnknown
	case porcupine.Illegal:
	}
	file, err := h.picture(model, dir)
	if err != nil {
		return fmt.Errorf("%w; its picture could not be written: %w", ErrIllegal, err)
	}
	return fmt.Errorf("%w: see %s", ErrIllegal, file)
}

func (h *History[S, O, R]) picture(model porcupine.Model, dir string) (string, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	f, err := os.CreateTemp(dir, filepath.Base(h.Name)+"-*.html")
	if err != nil {
		return "", err
	}
	_, info := porcupine.CheckOperationsVerbose(model, h.ops, patience)
	return f.Name(), errors.Join(porcupine.Visualize(model, info, f), f.Close())
}

var seed = maphash.MakeSeed()

// model is the machine as porcupine asks it. Only a history with lost answers pays
// for sets of states.
func (h *History[S, O, R]) model() porcupine.Model {
	if h.lost > 0 {
		return h.modelOfSets()
	}
	return porcupine.Model{
		Init: func() any { return h.Machine.Init },
		Step: func(s, in, out any) (bool, any) {
			next, told := h.Machine.Step(s.(S), in.(O))
			return told == out.(answer[R]).told, next
		},
		Hash:              func(s any) uint64 { return maphash.Comparable(seed, s.(S)) },
		DescribeOperation: describe,
		DescribeState:     func(s any) string { return fmt.Sprintf("%+v", s) },
	}
}

func (h *History[S, O, R]) modelOfSets() porcupine.Model {
	m := porcupine.NondeterministicModel{
		Init: func() []any { return []any{h.Machine.Init} },
		Step: func(s, in, out any) []any {
			next, told := h.Machine.Step(s.(S), in.(O))
			switch a := out.(answer[R]); {
			case a.lost:
				return []any{s, next}
			case told == a.told:
				return []any{next}
			default:
				return nil
			}
		},
		Hash:              func(s any) uint64 { return maphash.Comparable(seed, s.(S)) },
		DescribeOperation: describe,
		DescribeState:     func(s any) string { return fmt.Sprintf("%+v", s) },
	}
	return m.ToModel()
}

func describe(in, out any) string { return fmt.Sprintf("%+v -> %v", in, out) }
