package shell

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// stdio is the standard streams of one stage. A nil in is /dev/null; a nil out or
// err is the call's output.
type stdio struct {
	in, out, err *os.File
	// own are the files to close when the stage has ended, or a process has them.
	own []*os.File
}

func (s *stdio) take(f *os.File) *os.File {
	s.own = append(s.own, f)
	return f
}

// closeAll closes our copies. Each must go at once: while one write end of a pipe is
// open here, its reader never sees the end, and yes | head never stops.
func (s *stdio) closeAll() {
	for _, f := range s.own {
		f.Close()
	}
	s.own = nil
}

// inline runs a lone stage without a program on this goroutine: a built-in, which may
// change the shell itself, or assignments, or redirections alone.
func (r *run) inline(ctx context.Context, st *stage) int {
	var io stdio
	defer io.closeAll()
	status, ok := r.open(ctx, st, &io)
	if st.act == nil {
		for _, a := range st.assigns { // also when a redirection failed, as in bash
			r.vars.assign(a.name, a.value)
		}
	}
	if !ok || st.act == nil {
		return status
	}
	release := releaseOn(ctx, &io)
	defer release()
	return st.act(r.desk(ctx, st, &io, false))
}

// flight is a pipeline while it runs.
type flight struct {
	r    *run
	ctx  context.Context
	wg   sync.WaitGroup
	left atomic.Int32
	// outR and outW carry the output of every process: one pipe for stdout and stderr
	// of all, so that the kernel keeps their order.
	outR, outW *os.File
	// errR carries standard error where it is apart from the output, else it is nil.
	errR *os.File
	// opening counts those who may still start a process that gets outW.
	opening atomic.Int32
}

// concurrent runs the stages at the same time, joined by pipes.
func (r *run) concurrent(ctx context.Context, stages []stage) error {
	f := &flight{r: r, ctx: ctx}
	f.left.Store(int32(len(stages)))
	f.opening.Store(1)
	var err error
	if f.outR, f.outW, err = os.Pipe(); err != nil {
		return fmt.Errorf("no pipe for the output of step %d: %w", stages[0].step.N, err)
	}
	if len(stages) == 1 {
		f.alone(&stages[0])
	} else {
		err = f.launch(stages)
		f.opened()
		f.drain()
	}
	f.wg.Wait()
	f.outR.Close()
	return err
}

// launch opens and starts each stage in order. When the machine has no pipe left the
// stages that already run see the end of theirs, and the rest does not run.
func (f *flight) launch(stages []stage) error {
	var in *os.File
	for i := range stages {
		st, io := &stages[i], &stdio{in: in}
		if in != nil {
			io.take(in)
		}
		in = nil
		if i < len(stages)-1 {
			r, w, err := os.Pipe()
			if err != nil {
				io.closeAll()
				f.landed(len(stages) - i)
				return fmt.Errorf("no pipe after step %d: %w", st.step.N, err)
			}
			in, io.out = r, io.take(w)
		}
		f.start(st, io)
	}
	return nil
}

// soon is how long the output of a command alone may take to end before its end gets a
// goroutine of its own to wait for. Most commands are over by then, and a goroutine
// costs them a tenth of their time in threads that wake each other.
const soon = 20 * time.Millisecond

// alone runs a single stage. Its output mostly ends with it; when that takes long, the
// process may be long as well, or gone with the output in other hands.
func (f *flight) alone(st *stage) {
	io := &stdio{}
	if f.r.opensFIFO(st) {
		f.start(st, io)
		f.opened()
		f.drain()
		return
	}
	wait := f.begin(st, io)
	f.opened()
	f.outR.SetReadDeadline(time.Now().Add(soon))
	if f.read() {
		wait()
		return
	}
	f.outR.SetReadDeadline(time.Time{})
	f.wg.Go(wait)
	f.drain()
}

// start opens a stage's redirections and runs it. A FIFO among them may wait for its
// other end, which a later stage may be: such a stage opens on its own goroutine.
func (f *flight) start(st *stage, io *stdio) {
	if f.r.opensFIFO(st) {
		f.opening.Add(1)
		f.wg.Go(func() {
			wait := f.begin(st, io)
			f.opened()
			wait()
		})
		return
	}
	f.wg.Go(f.begin(st, io))
}

// opened closes our end of the output when the last stage has begun: while it is open
// here, the output has no end.
func (f *flight) opened() {
	if f.opening.Add(-1) == 0 {
		f.outW.Close()
	}
}

// begin starts a stage and returns what waits for its end.
func (f *flight) begin(st *stage, io *stdio) (wait func()) {
	r := f.r
	status, ok := r.open(f.ctx, st, io)
	switch {
	case !ok:
		st.status = status
	case st.act != nil:
		return func() { f.act(st, io) }
	case len(st.argv) == 0: // in a pipeline assignments change nothing
	case st.missing != nil:
		fmt.Fprintf(r.writer(io.err), "%s%s: %s\n", st.where(), st.argv[0], st.missing.text)
		st.status = st.missing.status
	default:
		p, err := r.start(st, io, f.outW)
		if err == nil {
			io.closeAll()
			return func() { st.status = p.wait(); f.landed(1) }
		}
		st.status = r.startFailed(st, io, err)
	}
	io.closeAll()
	return func() { f.landed(1) }
}

// act runs a built-in as one stage of several, where it changes nothing of the shell.
func (f *flight) act(st *stage, io *stdio) {
	release := releaseOn(f.ctx, io)
	st.status = st.act(f.r.desk(f.ctx, st, io, true))
	release()
	io.closeAll()
	f.landed(1)
}

// landed counts stages that ended. When all have, a process that one of them left in
// the background may still hold the output: it gets the drain time, no more.
func (f *flight) landed(n int) {
	if f.left.Add(int32(-n)) == 0 {
		until := time.Now().Add(f.r.sh.limits.Drain)
		f.outR.SetReadDeadline(until)
		if f.errR != nil {
			f.errR.SetReadDeadline(until)
		}
	}
}

// drain carries the processes' output to the sink until nobody holds the pipe, or
// until the drain time of what holds it in the background is over.
func (f *flight) drain() {
	if !f.read() {
		f.r.sink.hold()
	}
}

// read carries output until its end, or until the deadline: then it is false.
func (f *flight) read() bool { return f.carry(f.outR, f.r.sink) }

func (f *flight) carry(from *os.File, to *sink) bool {
	buf := f.r.sh.buffers.Get().(*[chunk]byte)
	defer f.r.sh.buffers.Put(buf)
	for {
		n, err := from.Read(buf[:])
		to.Write(buf[:n])
		if err != nil {
			return !errors.Is(err, os.ErrDeadlineExceeded)
		}
	}
}

// releaseOn unblocks a built-in that waits on a pipe when ctx ends.
func releaseOn(ctx context.Context, io *stdio) (release func() bool) {
	return context.AfterFunc(ctx, func() {
		for _, f := range []*os.File{io.in, io.out, io.err} {
			if f != nil {
				f.SetDeadline(time.Now())
			}
		}
	})
}

// startFailed says why a program that was found did not start, in bash's words.
func (r *run) startFailed(st *stage, io *stdio, err error) int {
	status, name := 126, st.argv[0]
	text := unixText(err)
	if errors.Is(err, syscall.ENOENT) {
		text, status = "cannot execute: required file not found", 127
		if _, gone := os.Stat(r.dir); gone != nil {
			text, status = "the working directory is gone: "+r.dir, 126
		}
	}
	fmt.Fprintf(r.writer(io.err), "%s%s: %s\n", st.where(), name, text)
	return status
}
