package session_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"tenet/adapters/admission"
	"tenet/adapters/approvals"
	"tenet/adapters/provider"
	"tenet/adapters/session"
	coreadmission "tenet/core/admission"
	"tenet/core/call"
	"tenet/core/event"
	"tenet/core/gate"
	"tenet/core/surface"
	"tenet/core/turn"
)

// memory is a log that keeps its records, and fails from a record on when asked to.
type memory struct {
	mu     sync.Mutex
	recs   []event.Record
	bodies []event.Body
	failAt int
}

var errFull = errors.New("no space left on device")

func (m *memory) Commit(bodies ...event.Body) ([]event.Record, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.failAt > 0 && len(m.recs)+len(bodies) >= m.failAt {
		return nil, errFull
	}
	var out []event.Record
	for _, b := range bodies {
		r := event.Record{Seq: uint64(len(m.recs) + 1), Kind: event.KindOf(b)}
		m.recs, m.bodies, out = append(m.recs, r), append(m.bodies, b), append(out, r)
	}
	return out, nil
}

// of lists the bodies of one type, in order.
func of[B event.Body](m *memory) (out []B) {
	for _, b := range m.bodies {
		if b, ok := b.(B); ok {
			out = append(out, b)
		}
	}
	return out
}

// model answers from a list; a nil entry blocks until the request is cancelled.
type model struct {
	answers []any // event.Reply, error, or nil
	asked   []provider.Request
	forget  bool // the requests: a benchmark measures what the session itself holds
}

func (m *model) Name() string { return "fake" }

func (m *model) Reply(ctx context.Context, r provider.Request, on func(provider.Delta)) (event.Reply, error) {
	if !m.forget {
		m.asked = append(m.asked, r)
	}
	a := m.answers[0]
	m.answers = m.answers[1:]
	switch a := a.(type) {
	case event.Reply:
		return a, nil
	case func(context.Context, provider.Request, func(provider.Delta)) (event.Reply, error):
		return a(ctx, r, on)
	case error:
		return event.Reply{}, a
	default:
		<-ctx.Done()
		return event.Reply{}, context.Cause(ctx)
	}
}

func policies(auto call.Effects) *approvals.Policies {
	return approvals.NewPolicies(&gate.Policy{Auto: auto}, nil)
}

// echo is a tool that writes: it goes through the gate as every tool does.
func echo(ran *[]string) session.Tool {
	return session.Tool{
		Tool: surface.Tool{Name: "echo", Params: []surface.Param{{Name: "text", Type: surface.String, Required: true}}},
		Run: func(ctx context.Context, g *approvals.Gate, args surface.Args) (session.Output, error) {
			text := args.Str("text", "")
			step := call.Step{N: 1, Text: "echo " + text, Effects: call.Of(call.Write)}
			if o := g.Permit(ctx, func() []call.Step { return []call.Step{step} }); !o.Runs {
				return session.Output{}, errors.New(o.Refusal)
			}
			if o := g.Confirm(step, step.Text); !o.Runs {
				return session.Output{}, errors.New(o.Refusal)
			}
			if err := g.Start(ctx); err != nil {
				return session.Output{}, err
			}
			*ran = append(*ran, text)
			return session.Output{Text: text}, nil
		},
	}
}

type stage struct {
	*session.Session
	log   *memory
	model *model
	ran   []string
}

// limits are small, so that tests reach them.
var limits = turn.Config{Rounds: 3, Retries: 2, Notes: 2, Compactions: 2, Polls: 10}

func open(t *testing.T, auto call.Effects, answers ...any) *stage {
	t.Helper()
	return openWith(t, auto, func(*session.Options) {}, answers...)
}

// openWith opens a session after change.
func openWith(t *testing.T, auto call.Effects, change func(*session.Options), answers ...any) *stage {
	t.Helper()
	st := &stage{log: &memory{}, model: &model{answers: answers}}
	var err error
	o := st.options(t, auto)
	change(&o)
	if st.Session, err = session.Open(o); err != nil {
		t.Fatal(err)
	}
	return st
}

func (st *stage) options(t testing.TB, auto call.Effects) session.Options {
	t.Helper()
	slots, err := admission.New(coreadmission.Limits{Slots: 1, Queue: 8})
	if err != nil {
		t.Fatal(err)
	}
	return session.Options{
		ID: "s", Version: "v", Workspace: "/w", Profile: "p", Policies: policies(auto), Limits: limits,
		Waits: session.Waits{Spread: func() float64 { return 0 }}, Provider: st.model, Slots: slots,
		Asker: approvals.Nobody{}, Log: st.log, Tools: []session.Tool{echo(&st.ran), ask(), finish()},
	}
}

// ask and finish are the tools that act on the turn.
func ask() session.Tool {
	return session.Tool{
		Tool: surface.Tool{Name: "ask", Params: []surface.Param{{Name: "question", Type: surface.String, Required: true}}},
		Turn: func(ctx context.Context, t *session.Turn, args surface.Args) (session.Output, error) {
			return t.Ask(ctx, args.Str("question", ""), nil)
		},
	}
}

func finish() session.Tool {
	return session.Tool{
		Tool: surface.Tool{Name: "finish", Params: []surface.Param{{Name: "result", Type: surface.String, Required: true}}},
		Turn: func(ctx context.Context, t *session.Turn, args surface.Args) (session.Output, error) {
			return t.Finish(ctx, args.Str("result", ""))
		},
	}
}

func calls(args ...string) event.Reply {
	r := event.Reply{Stop: "toolUse"}
	for _, a := range args {
		r.Calls = append(r.Calls, event.ToolCall{Provider: "same-id", Tool: "echo", Args: a})
	}
	return r
}

func answer(text string) event.Reply { return event.Reply{Text: text, Stop: "stop"} }

func (st *stage) prompt(t *testing.T, ctx context.Context, how string) event.Ending {
	t.Helper()
	e, err := st.Prompt(ctx, "go")
	if err != nil {
		t.Fatal(err)
	}
	if e.How != how {
		t.Fatalf("ended %s (%s), want %s", e.How, e.Cause, how)
	}
	if s, err := event.Fold(st.records(t)); err != nil || len(s.Disorders) > 0 || len(s.Unresolved()) > 0 {
		t.Fatalf("the log contradicts itself: %v, disorders %v, unresolved %v", err, s.Disorders, s.Unresolved())
	}
	return e
}

// records is the log as a reader would find it.
func (st *stage) records(t *testing.T) (out []event.Record) {
	t.Helper()
	prev, line := event.NoSum, []byte(nil)
	for i, b := range st.log.bodies {
		line, prev = event.Encode(nil, prev, uint64(i+1), time.Unix(0, 0), b)
		h, ok := event.Cut(line[:len(line)-1])
		if !ok {
			t.Fatalf("record %d cannot be read back: %s", i+1, line)
		}
		out = append(out, h.Record())
	}
	return out
}

// kinds are the kinds of the records, in order.
func (st *stage) kinds() string {
	var b strings.Builder
	for _, r := range st.log.recs {
		b.WriteString(string(r.Kind) + " ")
	}
	return strings.TrimSpace(b.String())
}

type (
	gateOf = approvals.Gate
	argsOf = surface.Args
)

type ctx = context.Context
