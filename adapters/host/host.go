// Package host is one open session and all that a person may do with it: an interface
// reads its feed and calls its methods, and keeps no state of the session of its own. It
// decides nothing: what comes next is core's, what happens is the session's.
package host

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"

	"tenet/adapters/approvals"
	"tenet/adapters/cli"
	"tenet/adapters/provider/catalog"
	"tenet/adapters/session"
	"tenet/adapters/settings"
	core "tenet/core/approvals"
	"tenet/core/call"
	"tenet/core/event"
)

// Options is what a person asked for. The zero value opens a new session in the current
// directory with the settings' own model.
type Options struct {
	// Version is tenet's own, for the record; Dir is the workspace, empty is ".".
	Version, Dir string
	// Model is the selector of a model, Script a rehearsal file in its place; both empty is
	// the model of the session that is taken up, else the settings' own.
	Model, Script string
	// Profile names the default layer; empty is the session's own, else what the settings say.
	Profile string
	// Auto overrides the auto set when it is not nil.
	Auto []string
	// Continue takes up the newest session of the directory, Resume the one it names.
	Continue bool
	Resume   string
	// Fork begins a new session with the turns of the one that it names, up to record At (0
	// is the last); Name is its name.
	Fork string
	At   uint64
	Name string
	// Prompt is sent once the session is open; empty for none.
	Prompt string
	// Demo opens a session in the unpacked demo with its rehearsed model; of the rest only
	// Version counts.
	Demo bool
	// Sentence gives the sentence of a law by its name, for Why; nil leaves it out.
	Sentence func(law string) string
	// MaxRounds caps the tool rounds of a turn; 0 is what the settings say.
	MaxRounds int
}

// NoModel is why nothing was opened: no model is set up. Its text says what to do.
type NoModel struct{ Text string }

// Error is the text.
func (n *NoModel) Error() string { return n.Text }

// Info is what stays the same while a session is open, but for its name.
type Info struct {
	// Session is its id, Name the name that a person gave it.
	Session, Name string
	// Log is the path of its log, Workspace the real path it works in, Home tenet's own.
	Log, Workspace, Home string
	// Model is the model's selector, Profile the default layer, Auto what runs unasked.
	Model, Profile string
	Auto           []string
	// Context is the model's window in tokens, 0 when nobody knows it.
	Context int
	// Price is what the model's tokens cost, as far as the person said.
	Price catalog.Price
	// Version is tenet's own.
	Version string
	// Resumed is true for a session that was taken up, Open when its last turn is one that
	// the end of a process left open: Continue goes on with it.
	Resumed, Open bool
	// Said are the sentences about settings, models and the log that a person should read.
	Said []string
}

// Host is one open session. Its methods may be called from several goroutines.
type Host struct {
	o       Options
	held    *cli.Held
	journal *journal
	broker  *approvals.Broker
	client  *approvals.Client
	asks    *inquiries
	said    *said
	names   names
	changes changes
	// turn counts the turns: a denial takes the questions of its own turn with it.
	turn atomic.Int64

	ctx  context.Context
	stop context.CancelCauseFunc
	// work are the goroutines that run turns, attending is the one that hands questions on.
	work, attending sync.WaitGroup

	mu sync.Mutex
	// turns are what stops the turns that run.
	turns map[int]context.CancelCauseFunc
	began int
	over  bool
	// offer is what of the project's settings the person was shown last.
	offer  *settings.Offer
	once   sync.Once
	closed error
}

// errEnd is why a turn ends when its session is closed.
var errEnd = errors.New("the session was closed")

// Open opens a session, or takes one up. Without a model the error is a *NoModel and
// nothing was made. ctx bounds the opening only.
func Open(ctx context.Context, o Options) (*Host, error) {
	h := &Host{o: o, journal: newJournal(usual), asks: newInquiries(), said: &said{}, turns: map[int]context.CancelCauseFunc{}}
	h.ctx, h.stop = context.WithCancelCause(context.WithoutCancel(ctx))
	co, err := h.options()
	if err != nil {
		return nil, err
	}
	hold := cli.Hold
	if o.Demo {
		hold, o.Prompt = cli.HoldDemo, cli.DemoPrompt
	}
	h.held, err = hold(ctx, co, cli.Watcher{Record: h.watch, Live: h.journal.live, Desk: h.desk})
	if err != nil {
		h.stop(errEnd)
		return nil, modelless(err)
	}
	h.journal.begin(h.held.Log.Path(), h.held.Session.State().Seq)
	h.work.Add(1)
	h.attending.Add(1)
	go h.attend()
	go h.loop()
	if o.Prompt != "" {
		if err := h.Send(o.Prompt, nil); err != nil {
			return nil, errors.Join(err, h.Close())
		}
	}
	return h, nil
}

// options are those of the command line that say the same.
func (h *Host) options() (cli.Options, error) {
	o := h.o
	co := cli.Options{
		Version: o.Version, Dir: o.Dir, Model: o.Model, Script: o.Script, Profile: o.Profile, Auto: o.Auto,
		Continue: o.Continue, Resume: o.Resume, MaxRounds: o.MaxRounds, JSON: true, Err: h.said,
	}
	if co.Dir == "" {
		co.Dir = "."
	}
	if o.Fork == "" {
		return co, nil
	}
	id, last, err := cli.ForkOf(o.Fork, o.At, o.Name)
	if err != nil {
		return co, err
	}
	if o.At > 0 && last != o.At {
		fmt.Fprintf(h.said, "record %d is in the middle of a turn; the fork begins after record %d\n", o.At, last)
	}
	co.Continue, co.Resume = false, id
	return co, nil
}

func modelless(err error) error {
	var none *cli.ModellessError
	if errors.As(err, &none) {
		return &NoModel{Text: none.Says}
	}
	return err
}

// watch hands a record on; the session's lock is held.
func (h *Host) watch(r event.Record) {
	if r.Kind == event.Prompted {
		h.turn.Add(1)
	}
	h.journal.record(r)
}

// desk is who answers: whoever uses the interface. The question of a call stays while
// nobody looks: a feed that ends takes none away (case appr-016).
func (h *Host) desk(id string, p *approvals.Policies) (approvals.Asker, session.Inquirer, func()) {
	h.broker = approvals.NewBroker(approvals.BrokerOptions{Session: id, Policies: p, Turn: func() string { return strconv.FormatInt(h.turn.Load(), 10) }})
	c, err := h.broker.Attach(core.Interactive, "terminal")
	if err == nil { // a new broker takes its first client
		h.client = c
	}
	return h.broker, h.asks, func() { h.broker.Close(); h.asks.close() }
}

// attend hands the gate's questions and their ends to the feeds.
func (h *Host) attend() {
	defer h.attending.Done()
	for {
		f, err := h.client.Next(context.WithoutCancel(h.ctx))
		if err != nil {
			return
		}
		h.journal.frame(f, h.client.Pending)
	}
}

// Info says which session this is.
func (h *Host) Info() Info {
	s := h.held.Session.State()
	return Info{
		Session: h.held.ID, Name: cli.NameIn(s), Log: h.held.Log.Path(), Workspace: h.held.Workspace, Home: h.held.Home,
		Model: h.held.Model, Profile: h.held.Profile, Auto: h.held.Policies.Now().Auto.Names(), Context: h.held.Context, Price: h.held.Price, Version: h.o.Version,
		Resumed: h.held.Past.Seq > 0, Open: s.InTurn && !h.Running(), Said: h.said.lines(),
	}
}

// State is the session as its log tells it, for reading.
func (h *Host) State() event.State { return h.held.Session.State() }

// Close stops the running turn, ends what runs for the session and gives its log back. The
// feeds end once they were read. Closing again gives the same answer.
func (h *Host) Close() error {
	h.once.Do(func() {
		h.mu.Lock()
		h.over = true
		h.mu.Unlock()
		h.stop(errEnd)
		h.work.Wait() // a turn ends within its grace once it was stopped
		h.closed = h.held.Close()
		h.attending.Wait()
		h.journal.close()
	})
	return h.closed
}

// Leave is Close for a client that was lost, as by a terminal that was shut: nothing more
// is recorded, so that a question that waits for a person still waits when the session is
// taken up again (case appr-016).
func (h *Host) Leave() error {
	err := h.held.Log.Close()
	_ = h.Close() // its log is closed already
	return err
}

// said keeps what was written for people while the session was opened, and when it ended.
type said struct {
	mu   sync.Mutex
	text []string
	rest []byte
	lost int
}

// maxSaid bounds what is kept.
const maxSaid = 200

// Write keeps whole lines.
func (s *said) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range p {
		switch {
		case c != '\n' && len(s.rest) < 4000:
			s.rest = append(s.rest, c)
		case c != '\n':
		case len(s.text) < maxSaid:
			s.text, s.rest = append(s.text, call.Visible(string(s.rest))), nil
		default:
			s.lost++
			s.rest = nil
		}
	}
	return len(p), nil
}

// lines are what was said, with a count of what was left out.
func (s *said) lines() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := append([]string(nil), s.text...)
	if s.lost > 0 {
		out = append(out, fmt.Sprintf("%d more lines were left out", s.lost))
	}
	return out
}
