package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"tenet/adapters/approvals"
	"tenet/core/gate"
)

// Terminal asks questions on a terminal. Enter alone is no: nothing runs because
// somebody wanted the next line (S7.8, "The question").
type Terminal struct {
	out   io.Writer
	lines <-chan string
}

// NewTerminal asks on out and reads answers from in. One goroutine reads in for as
// long as the process lives, since a blocked read of a terminal cannot be stopped.
func NewTerminal(in io.Reader, out io.Writer) *Terminal {
	lines := make(chan string)
	go func() {
		defer close(lines)
		for s := bufio.NewScanner(in); s.Scan(); {
			lines <- s.Text()
		}
	}()
	return &Terminal{out: out, lines: lines}
}

// IsTerminal reports whether f is a character device, so that a person may be there.
func IsTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// Ask shows the step exactly as it runs and waits for a line. The end of the input
// is no answer; the end of ctx ends the wait.
func (t *Terminal) Ask(ctx context.Context, q approvals.Question) approvals.Reply {
	t.dropTyped()
	fmt.Fprint(t.out, card(q))
	select {
	case line, ok := <-t.lines:
		if !ok {
			fmt.Fprintln(t.out, "(end of input: no answer)")
			return approvals.Reply{Answer: gate.Unanswered, By: "terminal"}
		}
		return answer(line)
	case <-ctx.Done():
		fmt.Fprintln(t.out)
		return approvals.Reply{Answer: gate.Unanswered, By: "terminal"}
	}
}

// dropTyped forgets what was typed before the question was shown: it cannot be an
// answer to it.
func (t *Terminal) dropTyped() {
	for {
		select {
		case _, ok := <-t.lines:
			if !ok {
				return
			}
		default:
			return
		}
	}
}

// answer reads one line. y and yes approve once; n, no and an empty line deny;
// anything else denies with the person's words as the reason for the model.
func answer(line string) approvals.Reply {
	r := approvals.Reply{Answer: gate.Denied, By: "terminal"}
	switch word := strings.TrimSpace(line); strings.ToLower(word) {
	case "y", "yes":
		r.Answer = gate.Approved
	case "", "n", "no":
	default:
		r.Reason = word
	}
	return r
}

func card(q approvals.Question) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n┌ tenet asks: may %s run this step?\n", q.Tool)
	for line := range strings.Lines(q.Step.Text) {
		fmt.Fprintf(&b, "│   %s\n", strings.TrimRight(line, "\n"))
	}
	fmt.Fprintf(&b, "│ in       %s\n", q.Dir)
	fmt.Fprintf(&b, "│ effects  %s\n", q.Step.Effects)
	fmt.Fprintf(&b, "│ because  %s: %s is not allowed in advance\n", q.Decision.Rule, q.Decision.Over)
	for _, n := range q.Step.Notes {
		fmt.Fprintf(&b, "│ note     %s\n", n)
	}
	fmt.Fprint(&b, "└ y = once, Enter or n = no, any other words = no, with that reason: ")
	return b.String()
}
