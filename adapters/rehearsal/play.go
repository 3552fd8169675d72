package rehearsal

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"tenet/adapters/provider"
	"tenet/core/event"
)

// Play is the script's model, before its first reply. Each Play is independent of
// the others, and each is safe for several goroutines; one request takes one reply.
func (s *Script) Play() provider.Provider { return &player{script: s} }

type player struct {
	script *Script
	mu     sync.Mutex
	next   int
}

// Name is "rehearsal:" and the script's name.
func (p *player) Name() string { return "rehearsal:" + p.script.name }

// Reply plays the next reply. A request that does not hold what the reply expects
// is an error of class Exhausted, and so is a request after the last reply.
func (p *player) Reply(ctx context.Context, r provider.Request, on func(provider.Delta)) (event.Reply, error) {
	if ctx.Err() != nil {
		return event.Reply{}, context.Cause(ctx)
	}
	n, rep, err := p.take()
	if err != nil {
		return event.Reply{}, err
	}
	if err := p.script.fits(n, rep, r); err != nil {
		return event.Reply{}, err
	}
	if err := wait(ctx, rep.wait); err != nil {
		return event.Reply{}, err
	}
	if err := stream(ctx, rep, on); err != nil {
		return event.Reply{}, err
	}
	if rep.fail != nil {
		fail := *rep.fail // the caller may write to its copy
		fail.Body = rep.reply.Thinking + rep.reply.Text
		return event.Reply{}, &fail
	}
	out := rep.reply
	out.Calls = append([]event.ToolCall(nil), rep.reply.Calls...)
	return out, nil
}

func (p *player) take() (n int, r reply, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.next == len(p.script.replies) {
		return 0, reply{}, &provider.Error{Class: provider.Exhausted, Message: fmt.Sprintf("the rehearsal %s has %s, and the session asked for one more; add a last reply that has only text", p.script.name, count(p.next))}
	}
	p.next++
	return p.next, p.script.replies[p.next-1], nil
}

func count(n int) string {
	if n == 1 {
		return "1 reply"
	}
	return fmt.Sprintf("%d replies", n)
}

// fits compares what came since the last reply with what the script expects, so
// that a story that drifts stops where it drifts.
func (s *Script) fits(n int, rep reply, r provider.Request) error {
	came := since(r.Messages)
	for _, want := range rep.expect {
		if !holds(came, want) {
			return &provider.Error{
				Class:   provider.Exhausted,
				Message: fmt.Sprintf("the story drifted at reply %d of %s (line %d): it expects %q, and what came is %s", n, s.name, rep.line, want, excerpt(came)),
				Body:    strings.Join(came, "\n"),
			}
		}
	}
	return nil
}

// since is the texts after the last message of the model: the results of its
// calls, or the prompt.
func since(ms []provider.Message) []string {
	var out []string
	for _, m := range ms {
		if m.Role == provider.Assistant {
			out = nil
			continue
		}
		out = append(out, m.Text)
	}
	return out
}

func holds(texts []string, want string) bool {
	for _, t := range texts {
		if strings.Contains(t, want) {
			return true
		}
	}
	return false
}

// excerpt is the end of what came, where results say how they ended.
func excerpt(texts []string) string {
	const most = 600
	if len(texts) == 0 {
		return "nothing"
	}
	all := strings.Join(texts, "\n")
	if len(all) > most {
		return fmt.Sprintf("(its last %d bytes) %q", most, strings.ToValidUTF8(all[len(all)-most:], ""))
	}
	return fmt.Sprintf("%q", all)
}

func wait(ctx context.Context, d time.Duration) error {
	if d == 0 {
		return nil
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// stream shows the reply in pieces, thinking first.
func stream(ctx context.Context, r reply, on func(provider.Delta)) error {
	for _, s := range cut(r.reply.Thinking, r.pieces) {
		if on != nil {
			on(provider.Delta{Thinking: s})
		}
	}
	for _, s := range cut(r.reply.Text, r.pieces) {
		if on != nil {
			on(provider.Delta{Text: s})
		}
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

// cut is s in pieces of n characters; 0 is all at once.
func cut(s string, n int) []string {
	var out []string
	for n > 0 {
		at, seen := len(s), 0
		for i := range s {
			if seen == n {
				at = i
				break
			}
			seen++
		}
		if at == len(s) {
			break
		}
		out = append(out, s[:at])
		s = s[at:]
	}
	if s != "" {
		out = append(out, s)
	}
	return out
}
