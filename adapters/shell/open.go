package shell

import (
	"context"
	"fmt"
	"io"
	"os"
	"syscall"

	"tenet/core/effect"
)

// open opens a stage's redirections in the order written. The first that fails ends
// the stage with status 1; those before it have happened, as in bash.
func (r *run) open(ctx context.Context, st *stage, std *stdio) (status int, ok bool) {
	if st.bad != "" {
		fmt.Fprintf(r.writer(std.err), "bash: line %d: %s\n", st.line, st.bad)
		return 1, false
	}
	for _, rd := range st.redirs {
		if err := r.redirect(ctx, rd, std); err != nil {
			fmt.Fprintf(r.writer(std.err), "bash: line %d: %s\n", st.line, err)
			return 1, false
		}
	}
	return 0, true
}

func (r *run) redirect(ctx context.Context, rd redirect, std *stdio) error {
	if rd.bad != "" {
		return fmt.Errorf("%s", rd.bad)
	}
	if rd.op == effect.Dup {
		std.err = std.out
		return nil
	}
	if n, own := descriptor(r.abs(rd.path)); own {
		if err := std.aimAt(rd.op, n); err != nil {
			return fmt.Errorf("%s: %s", rd.path, unixText(err))
		}
		return nil
	}
	f, err := r.openFile(ctx, rd)
	if err != nil {
		return fmt.Errorf("%s: %s", rd.path, unixText(err))
	}
	std.take(f)
	std.point(rd.op, f)
	return nil
}

func flags(op effect.RedirOp) int {
	switch op {
	case effect.In, effect.Dup:
		return os.O_RDONLY
	case effect.ReadWrite:
		return os.O_RDWR | os.O_CREATE
	case effect.Out, effect.ErrOut, effect.Both:
		return os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	case effect.Append, effect.ErrAppend:
		return os.O_WRONLY | os.O_CREATE | os.O_APPEND
	}
	return os.O_RDONLY
}

// openFile opens a target. Opening a FIFO waits for its other end; when ctx ends we
// become that other end ourselves, so that the wait is over.
func (r *run) openFile(ctx context.Context, rd redirect) (*os.File, error) {
	path := r.abs(rd.path)
	if rd.path == "" {
		return nil, syscall.ENOENT
	}
	if !isFIFO(path) {
		return os.OpenFile(path, flags(rd.op), 0o666)
	}
	stop := context.AfterFunc(ctx, func() {
		if f, err := os.OpenFile(path, os.O_RDWR|syscall.O_NONBLOCK, 0); err == nil {
			f.Close()
		}
	})
	defer stop()
	f, err := os.OpenFile(path, flags(rd.op)&^os.O_CREATE, 0)
	if err == nil && ctx.Err() != nil {
		f.Close()
		return nil, syscall.EINTR
	}
	return f, err
}

func isFIFO(path string) bool {
	fi, err := os.Stat(path)
	return err == nil && fi.Mode()&os.ModeNamedPipe != 0
}

func (r *run) opensFIFO(st *stage) bool {
	for _, rd := range st.redirs {
		if rd.op != effect.Dup && rd.bad == "" && isFIFO(r.abs(rd.path)) {
			return true
		}
	}
	return false
}

// writer is where a message to a stream goes; nil is the call's output.
func (r *run) writer(f *os.File) io.Writer {
	if f == nil {
		return r.sink
	}
	return f
}
