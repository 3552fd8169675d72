package shell

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"tenet/core/script"
)

// ArgvBytes is how much of each of its two outputs a program without a shell gives back
// (seed 5).
const ArgvBytes = 64 << 10

// apart is the limits of one of two outputs that are kept apart.
func (l Limits) apart() Limits {
	l.Output.Bytes, l.Output.Lines = ArgvBytes, ArgvBytes
	return l
}

// checkArgv refuses what no kernel can start as it is written: a NUL would end a word,
// so that another command ran than was shown.
func checkArgv(argv []string) error {
	if len(argv) == 0 || argv[0] == "" {
		return errors.New("there is no program to run; name it first, then its arguments, each as one word")
	}
	for i, w := range argv {
		if strings.ContainsRune(w, 0) {
			return fmt.Errorf("word %d holds a NUL byte, and no program can be given that; nothing ran", i+1)
		}
	}
	return nil
}

// program is the one step of a call without a shell: every word stands for itself, and
// what has the name on PATH runs, never a built-in.
func (r *run) program() stage {
	st := stage{argv: r.call.Argv}
	for _, w := range st.argv {
		st.marked = append(st.marked, script.Quoted(w))
	}
	if !r.planning {
		st.path, st.missing = r.look(st.argv[0], r.vars.value("PATH"))
	}
	r.describe(&st, r.sh.judge.Command(r.dir, st.command()))
	return st
}

// apart runs one program with its two outputs apart.
func (r *run) apart(ctx context.Context, st *stage) (err error) {
	f := &flight{r: r, ctx: ctx}
	f.left.Store(1)
	f.opening.Store(1)
	if f.outR, f.outW, err = os.Pipe(); err != nil {
		return fmt.Errorf("no pipe for the output of %s: %w", st.argv[0], err)
	}
	defer f.outR.Close()
	var errW *os.File
	if f.errR, errW, err = os.Pipe(); err != nil {
		f.outW.Close()
		return fmt.Errorf("no pipe for the output of %s: %w", st.argv[0], err)
	}
	defer f.errR.Close()
	io := &stdio{}
	io.err = io.take(errW)
	f.start(st, io)
	f.opened()
	f.wg.Go(func() {
		if !f.carry(f.errR, r.errors) {
			r.errors.hold()
		}
	})
	f.drain()
	f.wg.Wait()
	return nil
}

// Line is an argv as a person is shown it, each word quoted so that a shell would read
// it back.
func Line(argv []string) string {
	words := make([]string, len(argv))
	for i, w := range argv {
		if words[i] = script.Shown(w); i == 0 {
			words[i] = script.ShownName(w)
		}
	}
	return strings.Join(words, " ")
}
