package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"tenet/adapters/approvals"
	core "tenet/core/approvals"
)

// Terminal asks questions on a terminal. Enter alone is no: nothing runs because
// somebody wanted the next line (S7.8, "The question").
type Terminal struct {
	in  *bufio.Reader
	out io.Writer
	// forget drops what was typed before the question was shown: it cannot be an
	// answer to it.
	forget func()
	// pending is the read that an earlier question left behind when it was settled
	// elsewhere: a blocked read of a terminal cannot be stopped, so the next question takes
	// it over.
	pending chan line
	// inquiries are the model's own questions; left is closed when nobody attends any more.
	inquiries chan inquiry
	left      chan struct{}
}

type line struct {
	text string
	err  error
}

// NewTerminal asks on out and reads answers from in. When in is a terminal, what was
// typed ahead of a question is dropped.
func NewTerminal(in io.Reader, out io.Writer) *Terminal {
	t := &Terminal{in: bufio.NewReader(in), out: out, forget: func() {}, inquiries: make(chan inquiry), left: make(chan struct{})}
	if f, ok := in.(*os.File); ok {
		t.forget = func() { dropTyped(f) }
	}
	return t
}

// sameTerminal reports whether both writers are terminals: what goes to the second is
// then read beside what goes to the first.
func sameTerminal(a, b io.Writer) bool {
	f, g := file(a), file(b)
	return f != nil && g != nil && IsTerminal(f) && IsTerminal(g)
}

// Attend is the terminal as a client of a session: it shows each question, one after
// the other, and answers with what a person types. A question that was settled
// elsewhere disappears. It returns when the attachment or ctx ends; the end of the input
// detaches the client, since nobody is there any more.
func (t *Terminal) Attend(ctx context.Context, c *approvals.Client) {
	defer close(t.left)
	d := desk{Terminal: t, client: c}
	frames := make(chan approvals.Frame)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	go pump(ctx, c, frames)
	for {
		select {
		case f, ok := <-frames:
			if !ok {
				return
			}
			d.take(f)
		case q := <-t.inquiries:
			d.asked = append(d.asked, q)
		case l := <-d.typed():
			t.pending = nil
			if l.err != nil { // a line that was never finished is no answer either
				fmt.Fprintln(t.out, "(end of input: no answer)")
				c.Detach()
				return
			}
			if d.inquiring {
				d.say(l.text)
			} else {
				d.reply(l.text)
			}
		}
		d.show()
	}
}

// pump hands the client's frames on until it has no more.
func pump(ctx context.Context, c *approvals.Client, frames chan<- approvals.Frame) {
	defer close(frames)
	for {
		f, err := c.Next(ctx)
		if err != nil {
			return
		}
		select {
		case frames <- f:
		case <-ctx.Done():
			return
		}
	}
}

// desk is what lies before the person at a terminal: the questions, oldest first, and
// whether the first of them is shown.
type desk struct {
	*Terminal
	client *approvals.Client
	open   []approvals.Approval
	// asked are the model's own questions, oldest first; inquiring is true while one of them
	// is the question that is shown.
	asked     []inquiry
	inquiring bool
	shown     bool
}

// typed is the next line, while a question is shown.
func (d *desk) typed() chan line {
	if !d.shown {
		return nil
	}
	if d.pending == nil {
		d.pending = d.read()
	}
	return d.pending
}

func (d *desk) take(f approvals.Frame) {
	switch f := f.(type) {
	case *approvals.Approval:
		d.open = append(d.open, *f)
	case *approvals.Settled:
		d.drop(f.ID, fmt.Sprintf("(settled: %s, %s)", f.How, f.Why))
	case *approvals.Missed:
		d.open, d.shown = d.client.Pending(), d.inquiring
	}
}

// drop takes a question away; text says why, where it was being shown.
func (d *desk) drop(id, text string) {
	i := slices.IndexFunc(d.open, func(a approvals.Approval) bool { return a.ID == id })
	if i < 0 {
		return
	}
	if i == 0 && d.shown && !d.inquiring {
		d.shown = false
		fmt.Fprintln(d.out, text)
	}
	d.open = slices.Delete(d.open, i, i+1)
}

// show puts the oldest question up. What was typed before it was shown is no answer.
func (d *desk) show() {
	switch {
	case d.shown:
		return
	case len(d.open) == 0:
		d.inquire()
		return
	}
	d.forget()
	fmt.Fprint(d.out, card(d.open[0], len(d.open)-1))
	d.shown = true
}

// reply answers the question that is shown. An answer that came too late, or that the
// session does not take, is said and changes nothing.
func (d *desk) reply(text string) {
	q := d.open[0]
	d.open, d.shown = d.open[1:], false
	if err := d.client.Answer(answer(text, q)); err != nil {
		fmt.Fprintf(d.out, "(%v)\n", err)
		d.open = d.client.Pending()
	}
}

func (t *Terminal) read() chan line {
	c := make(chan line, 1)
	go func() {
		text, err := t.in.ReadString('\n')
		c <- line{text, err}
	}()
	return c
}

// answer reads one line: y and yes allow once, s this session, A always, n, no and an
// empty line deny; anything else denies with the person's words as the reason for the
// model. A lasting yes that is not offered is a no: it must not become a smaller yes in
// silence.
func answer(line string, q approvals.Approval) approvals.AnswerApproval {
	a := approvals.AnswerApproval{ID: q.ID, Digest: q.Digest, Answer: core.Deny.String()}
	word := strings.TrimSpace(line)
	if isYes(word) {
		word = "y"
	}
	for i, k := range keys(q) {
		if k != "" && word == k {
			a.Answer, a.Pattern = q.Answers[i].Key, q.Answers[i].Pattern
			return a
		}
	}
	if low := strings.ToLower(word); low != "" && low != "n" && low != "no" {
		a.Reason = word
	}
	return a
}
