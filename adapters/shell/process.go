package shell

import (
	"errors"
	"os"
	"runtime"
	"syscall"
)

// process is an external command in a session and group of its own: no terminal to
// prompt on or to be stopped by, and one number that a signal reaches all of it by.
type process struct {
	pid    int
	groups *groups
	exit   exitWatch
}

// start starts a stage's program. out stands for the streams that go to the call's
// output.
func (r *run) start(st *stage, io *stdio, out *os.File) (*process, error) {
	if io.in == nil {
		if err := r.openNull(); err != nil {
			return nil, err
		}
		io.in = r.null
	}
	files := []*os.File{io.in, orElse(io.out, out), orElse(io.err, out)}
	env := r.vars.environ(st.all())
	p, err := r.spawn(st.path, st.argv, env, files)
	if errors.Is(err, syscall.ENOEXEC) {
		// No #! line: bash reads such a file itself.
		p, err = r.spawnScript(st, env, files)
	}
	return p, err
}

func orElse(f, other *os.File) *os.File {
	if f == nil {
		return other
	}
	return f
}

func (r *run) openNull() error {
	r.nullOnce.Do(func() { r.null, r.nullErr = os.Open(os.DevNull) })
	return r.nullErr
}

func (r *run) spawnScript(st *stage, env []string, files []*os.File) (*process, error) {
	for _, sh := range []string{"bash", "sh"} {
		if path, no := r.look(sh, r.vars.value("PATH")); no == nil {
			return r.spawn(path, append([]string{sh, st.path}, st.argv[1:]...), env, files)
		}
	}
	return nil, syscall.ENOEXEC
}

func (r *run) spawn(path string, argv, env []string, files []*os.File) (*process, error) {
	fds := make([]uintptr, len(files))
	for i, f := range files {
		fds[i] = f.Fd()
		// A program does not expect EAGAIN from its standard streams; the other end of a
		// pipe stays as it is.
		if err := syscall.SetNonblock(int(fds[i]), false); err != nil {
			return nil, err
		}
	}
	watch, sys := newExitWatch()
	pid, err := r.groups.begin(base(argv), func() (int, error) {
		pid, _, err := syscall.StartProcess(path, argv, &syscall.ProcAttr{Dir: r.dir, Env: env, Files: fds, Sys: sys})
		return pid, err
	})
	runtime.KeepAlive(files)
	if err != nil {
		return nil, err
	}
	watch.begin(pid)
	r.groups.announce(pid)
	return &process{pid: pid, groups: r.groups, exit: watch}, nil
}

// wait waits for the end of the process and returns its status as a shell does.
func (p *process) wait() int {
	p.exit.wait(p.pid)
	ws := p.groups.reap(p.pid)
	if ws.Signaled() {
		return 128 + int(ws.Signal())
	}
	return ws.ExitStatus()
}
