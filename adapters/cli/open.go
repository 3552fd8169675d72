package cli

import (
	"context"
	"io"

	"tenet/adapters/provider"
	"tenet/adapters/session"
	"tenet/core/event"
)

// Opened is a session with everything around it, for a program that leads it itself.
type Opened struct {
	Session *session.Session
	// Log is the path of its log.
	Log string
	o   Options
	st  started
}

// Open opens a session in o.Dir as Run does, or takes up the one that o.Resume or
// o.Continue names, with a model of the caller's. watch gets each record once it is
// durable; it must not call the session. Close ends it.
func Open(ctx context.Context, o Options, p provider.Provider, watch func(event.Record)) (*Opened, error) {
	if o.Err == nil {
		o.Err = io.Discard
	}
	workspace, err := o.site()
	if err != nil {
		return nil, err
	}
	v := view{opened: func(string, string) {}, record: watch, live: func(event.Live) {}}
	st, err := o.open(ctx, scene{workspace: workspace, model: &model{provider: p}}, v)
	if err != nil {
		return nil, err
	}
	return &Opened{Session: st.session, Log: st.log.Path(), o: o, st: st}, nil
}

// Close ends what runs for the session and gives its log back.
func (s *Opened) Close() error {
	s.st.leave()
	s.o.endWork(s.st)
	return s.st.log.Close()
}
