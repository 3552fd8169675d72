package replay

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"tenet/adapters/approvals"
	"tenet/adapters/session"
	"tenet/core/event"
	"tenet/core/gate"
	"tenet/core/surface"
)

// Answers answer each question as the log has it answered, and no other.
type Answers struct {
	story *Story
	in    Renaming
	mu    sync.Mutex
	asked int
}

// Answers are the story's answers.
func (s *Story) Answers(in Renaming) *Answers { return &Answers{story: s, in: in} }

var answers = []gate.Answer{gate.Unanswered, gate.AllowOnce, gate.AllowSession, gate.AllowAlways, gate.Denied, gate.GatewayRefused}

// Ask gives the recorded answer to a question about a call. A question that nobody was
// asked then is answered by nobody now.
func (a *Answers) Ask(_ context.Context, q approvals.Question) approvals.Reply {
	t := a.story.calls[q.Call]
	if t == nil || len(t.answers) == 0 {
		return approvals.Reply{Answer: gate.Unanswered, By: "nobody"}
	}
	j := t.answers[0]
	for _, as := range answers {
		if as.String() != j.Answer {
			continue
		}
		r := approvals.Reply{Answer: as, By: j.By, Reason: j.Reason}
		if len(j.Grants) > 0 {
			r.Pattern = a.pattern(q, as, j.Grants)
		}
		return r
	}
	return approvals.Reply{Answer: gate.Unanswered, By: "nobody"}
}

// pattern is the offer that makes the recorded grants.
func (a *Answers) pattern(q approvals.Question, as gate.Answer, grants []event.Grant) string {
	for _, o := range q.Offers {
		same := func(g event.Grant) bool {
			return slices.ContainsFunc(grants, func(was event.Grant) bool { return a.in.There(was.Pattern) == g.Pattern })
		}
		if o.Answer == as && !slices.ContainsFunc(o.Grants(), func(g event.Grant) bool { return !same(g) }) {
			return o.Pattern
		}
	}
	return ""
}

// Inquire gives the recorded answers to the model's own questions, in their order.
func (a *Answers) Inquire(context.Context, event.Inquiry) (text, by string, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.asked == len(a.story.inquiries) {
		return "", "nobody", false
	}
	a.asked++
	was := a.story.inquiries[a.asked-1]
	return a.in.There(was.Text), was.By, !was.Unanswered
}

// Tools are the session's tools, held to what the log tells. A call that reached beyond
// the workspace is not run: its recorded result stands in for it. No step starts of a
// call that did not start then, or that would now reach beyond the workspace.
func (s *Story) Tools(tools []session.Tool, in Renaming) []session.Tool {
	out := slices.Clone(tools)
	for i, t := range out {
		if run := t.Run; run != nil {
			out[i].Run = func(ctx context.Context, g *approvals.Gate, args surface.Args) (session.Output, error) {
				if was := s.calls[g.Call]; was != nil && was.beyond() {
					return was.again(g.Log, in)
				}
				g.Log = &held{log: g.Log, was: s.calls[g.Call]}
				return run(ctx, g, args)
			}
		}
	}
	return out
}

// again records what the log tells of a call, and gives its result.
func (t *told) again(log approvals.Recorder, in Renaming) (session.Output, error) {
	for _, b := range t.between {
		b, err := in.body(b)
		if err == nil {
			err = log.Record(b)
		}
		if err != nil {
			return session.Output{}, err
		}
	}
	return session.Output{Text: in.There(t.result.Text), Dropped: t.result.Dropped, Failed: t.result.Error}, nil
}

// held is the log of one call that lets no step start which did not start before.
type held struct {
	log    approvals.Recorder
	was    *told
	beyond bool
}

var errNotThen = errors.New("the replay starts nothing that the session did not start, and nothing that reaches beyond the copy of its workspace")

// Record refuses a dispatch that the log has none for.
func (h *held) Record(b event.Body) error {
	switch b := b.(type) {
	case event.Judgement:
		h.beyond = slices.ContainsFunc(b.Effects, func(e string) bool { return slices.Contains(leftHere, e) })
	case event.Dispatch:
		if h.was == nil || !h.was.started || h.beyond {
			return fmt.Errorf("call %s: %w", b.Call, errNotThen)
		}
	default:
	}
	return h.log.Record(b)
}
