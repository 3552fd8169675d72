package session

import (
	"tenet/core/event"
	"tenet/core/surface"
	"tenet/core/turn"
)

// Weight is about how much of the model's window something takes: tokens, and how many
// messages.
type Weight struct{ Tokens, Count int }

// Weights are what the next request would carry, by part. The sizes are estimates, four
// bytes a token; Used is the provider's own count where there is one.
type Weights struct {
	// Window is the model's context in tokens, 0 when nobody knows it; Used what is in it,
	// Measured true when most of that was counted by the provider.
	Window, Used int
	Measured     bool
	// System is the system prompt with what people wrote for agents, Tools the declarations.
	System, Tools Weight
	// Said is a person's words, Replies the model's with its calls, Results what tools gave
	// back, Harness summaries and the ends of jobs.
	Said, Replies, Results, Harness Weight
	// Freed is about what a compaction would free now, 0 when it would free nothing.
	Freed int
}

// Weigh says what the next request would carry.
func (s *Session) Weigh() Weights {
	s.rec.mu.Lock()
	defer s.rec.mu.Unlock()
	w := Weights{Window: s.o.Room.Window, System: Weight{len(s.system) / 4, 1}, Tools: Weight{Count: len(s.tools)}}
	for _, t := range s.tools {
		w.Tools.Tokens += (len(t.Name) + len(t.Description) + len(surface.Schema(t))) / 4
	}
	for _, m := range s.rec.state.Messages {
		part := w.part(m)
		part.Tokens += size(m)
		part.Count++
	}
	used, since := s.rec.tokens()
	if w.Measured = used > 0; !w.Measured {
		since += w.System.Tokens + w.Tools.Tokens
	}
	w.Used = used + since
	w.Freed = s.rec.frees(s.o.Room)
	return w
}

func (w *Weights) part(m event.Message) *Weight {
	switch said(m) {
	case turn.ByHarness:
		return &w.Harness
	case turn.ByModel:
		return &w.Replies
	case turn.ByTool:
		return &w.Results
	case turn.ByUser:
	}
	return &w.Said
}

// frees is what a compaction that is asked for would leave out, less its summary. The lock
// is held.
func (r *recorder) frees(room turn.Room) int {
	items, gone := r.items(), 0
	cut, ok := room.Cut(items, turn.Threshold)
	if !ok {
		return 0
	}
	for _, i := range items[:cut.Kept] {
		gone += i.Tokens
	}
	if cut.Carried >= 0 {
		gone -= items[cut.Carried].Tokens
	}
	return max(gone*9/10, 0)
}
