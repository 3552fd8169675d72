package cli

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"tenet/core/call"
	"tenet/core/event"
)

// inquiry is a question of the model that waits for the person at the terminal.
type inquiry struct {
	event.Inquiry
	ctx context.Context
	// said gets the answer; it has room for it, so that nobody waits for who has left.
	said chan string
}

// Inquire puts the model's own question on the terminal, behind the questions of the gate,
// and returns the line that a person types; a number chooses one of the options. An empty
// line is no answer, and so is the end of the input. It needs Attend to run.
func (t *Terminal) Inquire(ctx context.Context, q event.Inquiry) (text, by string, ok bool) {
	i := inquiry{Inquiry: q, ctx: ctx, said: make(chan string, 1)}
	select {
	case t.inquiries <- i:
	case <-t.left:
		return "", "", false
	case <-ctx.Done():
		return "", "", false
	}
	select {
	case text = <-i.said:
		return text, "terminal", text != ""
	case <-t.left:
	case <-ctx.Done():
	}
	return "", "", false
}

// inquire shows the oldest question of the model.
func (d *desk) inquire() {
	for len(d.asked) > 0 && d.asked[0].ctx.Err() != nil {
		d.asked = d.asked[1:]
	}
	if len(d.asked) == 0 {
		return
	}
	d.forget()
	q := d.asked[0]
	fmt.Fprintf(d.out, "\n? The model asks: %s\n", strings.ReplaceAll(call.Visible(q.Text), "\n", "\n  "))
	for i, o := range q.Options {
		fmt.Fprintf(d.out, "  %d  %s\n", i+1, call.OneLine(o, 500))
	}
	fmt.Fprint(d.out, "  your answer, Enter alone for none: ")
	d.shown, d.inquiring = true, true
}

// say answers the question of the model that is shown.
func (d *desk) say(line string) {
	q := d.asked[0]
	d.asked, d.shown, d.inquiring = d.asked[1:], false, false
	said := strings.TrimSpace(line)
	if n, err := strconv.Atoi(said); err == nil && n >= 1 && n <= len(q.Options) {
		said = q.Options[n-1]
	}
	q.said <- said
}
