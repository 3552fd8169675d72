package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"tenet/adapters/approvals"
	"tenet/adapters/wait"
	"tenet/core/gate"
	corewait "tenet/core/wait"
)

// Terminal asks questions on a terminal. Enter alone is no: nothing runs because
// somebody wanted the next line (S7.8, "The question").
type Terminal struct {
	in  *bufio.Reader
	out io.Writer
	// forget drops what was typed before the question was shown: it cannot be an
	// answer to it.
	forget func()
	// pending is the read that an earlier question left behind when it was cancelled:
	// a blocked read of a terminal cannot be stopped, so the next question takes it over.
	pending chan line
}

type line struct {
	text string
	err  error
}

// NewTerminal asks on out and reads answers from in. When in is a terminal, what was
// typed ahead of a question is dropped.
func NewTerminal(in io.Reader, out io.Writer) *Terminal {
	t := &Terminal{in: bufio.NewReader(in), out: out, forget: func() {}}
	if f, ok := in.(*os.File); ok {
		t.forget = func() { dropTyped(f) }
	}
	return t
}

// sameTerminal reports whether both writers are terminals: what goes to the second is
// then read beside what goes to the first.
func sameTerminal(a, b io.Writer) bool {
	f, ok := a.(*os.File)
	g, ok2 := b.(*os.File)
	return ok && ok2 && IsTerminal(f) && IsTerminal(g)
}

// Ask shows the step exactly as it runs and waits for a line. The end of the input
// is no answer; the end of ctx ends the wait.
func (t *Terminal) Ask(ctx context.Context, q approvals.Question) approvals.Reply {
	t.forget()
	fmt.Fprint(t.out, card(q))
	if t.pending == nil {
		t.pending = t.read()
	}
	l, how := wait.Race(ctx, t.pending, 0)
	if how != corewait.Event {
		fmt.Fprintln(t.out)
		return approvals.Reply{Answer: gate.Unanswered, By: "terminal"}
	}
	t.pending = nil
	if l.err != nil { // a line that was never finished is no answer either
		fmt.Fprintln(t.out, "(end of input: no answer)")
		return approvals.Reply{Answer: gate.Unanswered, By: "terminal"}
	}
	return answer(l.text, q)
}

func (t *Terminal) read() chan line {
	c := make(chan line, 1)
	go func() {
		text, err := t.in.ReadString('\n')
		c <- line{text, err}
	}()
	return c
}

// answer reads one line. y and yes allow once, s this session, A always, n, no and an
// empty line deny; anything else denies with the person's words as the reason for the
// model. A lasting yes that is not offered is a no: it must not become a smaller yes in
// silence.
func answer(line string, q approvals.Question) approvals.Reply {
	r := approvals.Reply{Answer: gate.Denied, By: "terminal"}
	word := strings.TrimSpace(line)
	for i, k := range keys(q) {
		if word == k {
			r.Answer, r.Pattern = q.Offers[i].Answer, q.Offers[i].Pattern
			return r
		}
	}
	switch strings.ToLower(word) {
	case "y", "yes":
		r.Answer = gate.AllowOnce
	case "", "n", "no":
	default:
		r.Reason = word
	}
	return r
}
