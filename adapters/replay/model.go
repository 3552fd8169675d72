package replay

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"tenet/adapters/provider"
	"tenet/core/event"
)

// Model says again what the session's model said, failures too, in the same order.
type Model struct {
	story *Story
	in    Renaming
	// submit hands in what people submitted while a reply was on its way.
	submit func(event.Submission)

	mu   sync.Mutex
	next int
}

// Model is the story's model, whose words name the places of the copy.
func (s *Story) Model(in Renaming, submit func(event.Submission)) *Model {
	return &Model{story: s, in: in, submit: submit}
}

// Name is the recorded model's.
func (m *Model) Name() string { return m.story.Opening.Model }

// Reply says the next thing that was heard; after the last it fails as a rehearsal does.
func (m *Model) Reply(ctx context.Context, _ provider.Request, on func(provider.Delta)) (event.Reply, error) {
	if ctx.Err() != nil {
		return event.Reply{}, context.Cause(ctx)
	}
	n, h := m.take()
	if h == nil {
		return event.Reply{}, &provider.Error{Class: provider.Exhausted, Message: fmt.Sprintf("the log has %d replies, and the replay asked for one more", n)}
	}
	for _, s := range h.said {
		m.submit(event.Submission{Text: m.in.There(s.Text), How: s.How, Images: s.Images})
	}
	if h.failure != nil {
		return m.story.failed(n, *h.failure, on)
	}
	r := *h.reply
	r.Calls = slices.Clone(r.Calls)
	for i := range r.Calls {
		r.Calls[i].ID, r.Calls[i].Args = "", m.in.There(r.Calls[i].Args)
	}
	r.Rebuilt = "" // they are calls now
	r.Text, r.Thinking = m.in.There(r.Text), m.in.There(r.Thinking)
	return r, nil
}

func (m *Model) take() (int, *heard) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.next == len(m.story.heard) {
		return m.next, nil
	}
	m.next++
	return m.next, &m.story.heard[m.next-1]
}

// failed is a failure as the session met it: an error of the provider, or a reply that
// was not taken, as far as the log has it.
func (s *Story) failed(n int, f event.Failure, on func(provider.Delta)) (event.Reply, error) {
	if slices.Contains(provider.Classes(), provider.Class(f.Class)) {
		return event.Reply{}, fault(f)
	}
	r := event.Reply{Text: f.Text, Thinking: f.Thinking, Stop: provider.StopEnd}
	switch f.Class {
	case "length":
		r.Stop = provider.StopLength
	case "redirect":
		r.Calls, r.Stop = s.before(n), provider.StopTools
	case "repetition":
		if on != nil {
			on(provider.Delta{Text: f.Text, Thinking: f.Thinking})
		}
	}
	return r, nil
}

// fault is the error of a failed request. A server that asked for more time than is
// waited asks for it again.
func fault(f event.Failure) *provider.Error {
	message := strings.TrimSuffix(f.Message, fmt.Sprintf(" (HTTP %d)", f.Status))
	e := &provider.Error{Class: provider.Class(f.Class), Message: message, Status: f.Status, Body: f.Body, Silent: time.Second}
	if said, asks, ok := strings.Cut(f.Message, "; the server asks to wait "); ok {
		e.Message = strings.TrimSuffix(said, fmt.Sprintf(" (HTTP %d)", f.Status))
		wish, _, _ := strings.Cut(asks, ",")
		e.RetryAfter, _ = time.ParseDuration(wish) // its own words, from a duration
	}
	return e
}

// before are the calls of the last reply before the n-th thing heard: a reply that was
// refused for repeating them made the same ones.
func (s *Story) before(n int) []event.ToolCall {
	for i := n - 2; i >= 0; i-- {
		if r := s.heard[i].reply; r != nil && len(r.Calls) > 0 {
			return slices.Clone(r.Calls)
		}
	}
	return nil
}

// Summariser gives the summaries that were recorded, in their order.
func (s *Story) Summariser() provider.Provider { return &summaries{story: s} }

type summaries struct {
	story *Story
	mu    sync.Mutex
	next  int
}

// Name is the recorded model's.
func (s *summaries) Name() string { return s.story.Opening.Model }

// Reply is the next summary.
func (s *summaries) Reply(context.Context, provider.Request, func(provider.Delta)) (event.Reply, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.next == len(s.story.summaries) {
		return event.Reply{}, &provider.Error{Class: provider.Exhausted, Message: "the log has no summary here"}
	}
	s.next++
	return event.Reply{Text: s.story.summaries[s.next-1].Summary, Stop: provider.StopEnd}, nil
}
