package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"time"

	"tenet/adapters/approvals"
	"tenet/adapters/docs"
	"tenet/adapters/jobs"
	"tenet/adapters/judge"
	"tenet/adapters/provider/catalog"
	"tenet/adapters/session"
	"tenet/adapters/settings"
	"tenet/adapters/shell"
	"tenet/adapters/skills"
	"tenet/adapters/store"
	"tenet/core/event"
)

// Watcher is who leads a session that Hold opened.
type Watcher struct {
	// Record gets each record once it is durable, Live the signs between two of them.
	// Neither may call the session.
	Record func(event.Record)
	Live   func(event.Live)
	// Desk gives who answers the gate's questions, who the model's own, and what ends that.
	Desk func(session string, p *approvals.Policies) (approvals.Asker, session.Inquirer, func())
}

// Held is an open session with all that works for it.
type Held struct {
	Session  *session.Session
	Log      *store.Log
	Policies *approvals.Policies
	Jobs     *jobs.Table
	Shell    *shell.Shell
	Docs     *docs.Docs
	Skills   *skills.Library
	// Tools are the roster, Instructions what people wrote for agents.
	Tools        []session.Tool
	Instructions string
	// ID is the session's, Workspace its real path, Home tenet's own directory.
	ID, Workspace, Home string
	// Model is what the session's model is called, Profile the default layer, Context the
	// model's window in tokens, 0 when nobody knows it.
	Model, Profile string
	Context        int
	// Price is what the model's tokens cost, as far as the person said.
	Price catalog.Price
	// Past is what the log told of an earlier process, the zero state for a new session.
	Past event.State
	o    Options
	st   started

	mu sync.Mutex
	// settings are what the rules in force come from; a person may change them.
	settings *settings.Settings
}

// ModellessError is why nothing was opened: no model is set up. Says tells what to do.
type ModellessError struct{ Says string }

// Error is what to do.
func (e *ModellessError) Error() string { return e.Says }

// Hold opens a session, or takes up the one that o.Resume or o.Continue names, for a
// program that leads it. Close ends it.
func Hold(ctx context.Context, o Options, w Watcher) (*Held, error) {
	if o.Err == nil {
		o.Err = io.Discard
	}
	if err := o.usableWithoutPrompt(); err != nil {
		return nil, err
	}
	workspace, err := o.site()
	if err != nil {
		return nil, err
	}
	return o.hold(ctx, scene{workspace: workspace}, w)
}

// HoldDemo unpacks the demo into a new directory and opens a session there with its
// rehearsed model.
func HoldDemo(ctx context.Context, o Options, w Watcher) (*Held, error) {
	o.Profile, o.Auto = judge.DefaultProfile, demoAuto
	o.Err = cmp.Or[io.Writer](o.Err, io.Discard)
	sc, err := demoScene("")
	if err != nil {
		return nil, err
	}
	return o.hold(ctx, sc, w)
}

// hold opens a session in a scene.
func (o Options) hold(ctx context.Context, sc scene, w Watcher) (*Held, error) {
	o.desk = w.Desk
	past := o.past
	st, err := o.open(ctx, sc, view{opened: func(string, string) {}, record: w.Record, live: w.Live})
	if err != nil {
		return nil, err
	}
	home, err := Home()
	if err != nil {
		return nil, errors.Join(err, st.log.Close())
	}
	return &Held{
		Session: st.session, Log: st.log, Policies: st.policies, settings: st.settings, Jobs: st.jobs, Shell: st.shell,
		Docs: st.kit.files, Skills: st.kit.around.skills, Tools: st.kit.tools, Instructions: st.kit.around.prompt(),
		ID: idOf(st.log.Path()), Workspace: sc.workspace, Home: home,
		Model: st.model.provider.Name(), Profile: st.profile, Context: st.model.context, Price: st.model.price, Past: past, o: o, st: st,
	}, nil
}

// usableWithoutPrompt is usable for a session whose first words come later.
func (o Options) usableWithoutPrompt() error {
	o.Prompt = cmp.Or(o.Prompt, "later")
	return o.usable()
}

// Close ends what runs for the session and gives its log back. What it had to end is
// written to the options' Err.
func (h *Held) Close() error {
	h.st.leave()
	h.o.endWork(h.st)
	return h.Log.Close()
}

// chosen records the model and the profile that a person named for a session that is
// taken up, so that the next process goes on with them.
func (o Options) chosen(s *session.Session, past event.State, so session.Options) error {
	var errs []error
	if name := so.Provider.Name(); o.Model != "" && name != modelIn(past) {
		errs = append(errs, s.Set("model", name))
	}
	if o.Profile != "" && so.Profile != profileIn(past) {
		errs = append(errs, s.Set("profile", so.Profile))
	}
	return errors.Join(errs...)
}

// profileIn is the profile that a session uses now.
func profileIn(s event.State) string { return cmp.Or(settingIn(s, "profile"), s.Opening.Profile) }

// NameIn is the name that a person gave a session, empty without one.
func NameIn(s event.State) string { return nameIn(s) }

// CheckName refuses a name that a terminal does not show as it is.
func CheckName(name string) error { return checkName(name) }

// ForkOf begins a new session with the turns of another, up to record at (0: the last),
// and returns its id and the number of the last record that both have.
func ForkOf(word string, at uint64, name string) (id string, last uint64, err error) {
	path, err := sessionOf(word)
	if err != nil {
		return "", 0, err
	}
	return forkOf(path, at, name)
}

func forkOf(path string, at uint64, name string) (id string, last uint64, err error) {
	if err := checkName(name); err != nil {
		return "", 0, err
	}
	home, err := Home()
	if err != nil {
		return "", 0, err
	}
	if id, err = newID(time.Now()); err != nil {
		return "", 0, err
	}
	var more []event.Body
	if name != "" {
		more = append(more, nameSetting(name))
	}
	_, last, err = store.Fork(path, Sessions(home), id, at, more...)
	return id, last, err
}

// quoted is a text as a setting holds it.
func quoted(text string) json.RawMessage {
	b, err := json.Marshal(text)
	if err != nil {
		panic(err) // a text always encodes
	}
	return b
}
