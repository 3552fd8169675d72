package session

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"tenet/adapters/provider"
	"tenet/core/event"
	"tenet/core/turn"
)

// full reports whether so little room is left that a summary must come first. The lock is
// held.
func (d *driver) full() bool { return d.o.Room.Window > 0 && d.o.Room.Full(d.rec.tokens()) }

// tokens is the size of the context: what the provider counted last, and an estimate of
// what came since. The lock is held.
func (r *recorder) tokens() (used, since int) {
	m := r.state.Measured
	from := min(m.Messages, len(r.state.Messages))
	if m.Tokens == 0 {
		from = 0
	}
	for _, m := range r.state.Messages[from:] {
		since += size(m)
	}
	return m.Tokens, since
}

// size estimates the tokens of a message: four bytes each, and what wraps it.
func size(m event.Message) int {
	n := len(m.Text) + len(m.Thinking)
	for _, c := range m.Calls {
		n += len(c.Tool) + len(c.Args)
	}
	for _, t := range m.Thoughts {
		n += len(t.Raw)
	}
	return n/4 + 8 + 1500*len(m.Images)
}

// compact asks for a summary of the older messages and puts it in their place. The log
// keeps every record. An empty summary is a failed one.
func (d *driver) compact(p *phase) turn.Input {
	reason := d.state.Reason
	o, ok := d.rec.older(d.o.Room, reason)
	if !ok {
		d.fault = "the request is longer than the model's context, and nothing of it can be left out: use a model with a larger context, or begin a new session"
		return turn.Input{Kind: turn.Compacted, Found: turn.Nothing}
	}
	d.Show(event.Live{Kind: event.LiveWaiting, Cause: "the older messages are being summarised"})
	summary, model, err := d.summary(o.gone, o.tokens)
	if err == nil && strings.TrimSpace(summary) == "" {
		err = errors.New("the model gave an empty summary")
	}
	if d.ctx.Err() != nil {
		return turn.Input{Kind: turn.Abort}
	}
	if err != nil {
		d.fault = fmt.Sprintf("the context is too long and its summary failed: %v", err)
		return turn.Input{Kind: turn.Compacted, Found: turn.Unfinished}
	}
	c := event.Compaction{Reason: reason.String(), Summary: summary + o.carried, Kept: o.kept, Tokens: o.tokens, Model: model}
	if err := d.rec.in(p).Record(c); err != nil {
		return d.broken(err)
	}
	return turn.Input{Kind: turn.Compacted, Found: turn.Shorter}
}

// older is the part of the context that a summary stands for.
type older struct {
	gone []event.Message
	// kept is the first record whose message stays, tokens the size of the whole context.
	kept   uint64
	tokens int
	// carried is what the summary must hold word for word: the person's last words, when
	// they are not among what stays.
	carried string
}

// older asks core where to cut. ok is false when nothing can be left out.
func (r *recorder) older(room turn.Room, why turn.Reason) (older, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	msgs := r.state.Messages
	cut, ok := room.Cut(r.items(), why)
	if !ok {
		return older{}, false
	}
	used, since := r.tokens()
	o := older{gone: msgs[:cut.Kept:cut.Kept], kept: r.state.Seq + 1, tokens: used + since}
	if cut.Kept < len(msgs) {
		o.kept = msgs[cut.Kept].Seq
	}
	if cut.Carried >= 0 {
		o.carried = "\n\nThe user's last message, word for word:\n" + msgs[cut.Carried].Text
	}
	return o, true
}

// items are the messages of the context as a cut sees them. The lock is held.
func (r *recorder) items() []turn.Item {
	items := make([]turn.Item, len(r.state.Messages))
	for i, m := range r.state.Messages {
		items[i] = turn.Item{Said: said(m), Tokens: size(m)}
	}
	return items
}

func said(m event.Message) turn.Said {
	switch {
	case m.Harness:
		return turn.ByHarness
	case m.Role == event.Assistant:
		return turn.ByModel
	case m.Role == event.Tool:
		return turn.ByTool
	}
	return turn.ByUser
}

// summary asks who writes summaries; when that model fails, the session's own is asked.
func (d *driver) summary(old []event.Message, tokens int) (text, model string, err error) {
	own := d.o.Provider
	by := own
	if d.o.Summariser != nil {
		chosen, notice := d.o.Summariser("compaction", tokens)
		if chosen != nil {
			by = chosen
		}
		if notice != nil {
			if err := d.Notice(*notice); err != nil {
				return "", "", err
			}
		}
	}
	text, err = d.summarise(by, old)
	if err == nil || by == own || d.ctx.Err() != nil {
		return text, by.Name(), err
	}
	n := event.Notice{Type: "tenet.fallback", Key: "compaction/failed/" + by.Name(), Text: fmt.Sprintf("%s could not write the summary of the context (%v); %s writes it", by.Name(), err, own.Name())}
	if err := d.Notice(n); err != nil {
		return "", "", err
	}
	text, err = d.summarise(own, old)
	return text, own.Name(), err
}

// summarise sends the request. A turn waits for it, so it is no background work; a
// transient failure is tried again as any other request.
func (d *driver) summarise(by provider.Provider, old []event.Message) (string, error) {
	req := provider.Request{Messages: []provider.Message{
		{Role: provider.System, Text: summaryPrompt},
		{Role: provider.User, Text: transcript(old, d.o.Room.Window*2) + "\n\n" + summaryAsk},
	}}
	for try := uint16(0); ; try++ {
		reply, err := d.ask(by, unseen, func(ctx context.Context, on func(provider.Delta)) (event.Reply, error) {
			return by.Reply(ctx, req, on)
		})
		var pe *provider.Error
		if err == nil || !errors.As(err, &pe) || try >= d.o.Limits.Retries {
			return reply.Text, err
		}
		f := event.Failure{Message: pe.Error()}
		if !d.mayWait(&f, pe, try) {
			return "", errors.New(f.Message)
		}
		d.Show(event.Live{Kind: event.LiveRetry, Cause: f.Message, Try: int(try) + 1, Tries: int(d.o.Limits.Retries), InMS: d.wait.Milliseconds()})
		if !pause(d.ctx, d.wait) {
			return "", context.Cause(d.ctx)
		}
	}
}

// unseen: a summary is no reply of the model to a person.
func unseen(event.Live) {}

const summaryPrompt = `You write the summary that takes the place of the older part of a coding agent's conversation. The agent goes on from your summary alone.`

const summaryAsk = `Write the summary of the conversation above. Keep: what the user asked for, word for word where it matters; decisions and why; files that were read or changed and what is in them that matters; commands that were run and what came out; errors and how they were solved; what is done, what is open, and the next step. Leave out what led nowhere. Write plain text, no tool calls, no preamble.`

// shownResult bounds one result in the text that is summarised, shownAll the whole of it
// where the context is not known.
const (
	shownResult = 4 << 10
	shownAll    = 256 << 10
)

// transcript is the messages as text, bounded to most bytes: of what is too much the
// middle goes, and it says so.
func transcript(msgs []event.Message, most int) string {
	var b strings.Builder
	for _, m := range msgs {
		switch {
		case m.Role == event.Tool:
			fmt.Fprintf(&b, "[result of %s] %s\n", m.Call.Tool, middle(m.Text, shownResult))
		case m.Role == event.Assistant:
			fmt.Fprintf(&b, "[agent] %s\n", m.Text)
			for _, c := range m.Calls {
				fmt.Fprintf(&b, "[call] %s %s\n", c.Tool, middle(c.Args, shownResult))
			}
		case m.Harness:
			fmt.Fprintf(&b, "[harness] %s\n", m.Text)
		default:
			fmt.Fprintf(&b, "[user] %s\n", m.Text)
		}
	}
	if most <= 0 {
		most = shownAll
	}
	return middle(b.String(), most)
}

// middle leaves out the middle of what is longer than most bytes, between whole characters.
func middle(s string, most int) string {
	if len(s) <= most {
		return s
	}
	head, tail := most*2/5, len(s)-most*3/5
	for head > 0 && !utf8.RuneStart(s[head]) {
		head--
	}
	for tail < len(s) && !utf8.RuneStart(s[tail]) {
		tail++
	}
	return fmt.Sprintf("%s\n[%d bytes left out]\n%s", s[:head], tail-head, s[tail:])
}
