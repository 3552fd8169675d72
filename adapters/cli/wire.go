package cli

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"tenet/adapters/admission"
	"tenet/adapters/approvals"
	"tenet/adapters/docs"
	"tenet/adapters/hooks"
	"tenet/adapters/jobs"
	"tenet/adapters/judge"
	"tenet/adapters/pathpolicy"
	"tenet/adapters/session"
	"tenet/adapters/settings"
	"tenet/adapters/shell"
	"tenet/adapters/store"
	coreadmission "tenet/core/admission"
	"tenet/core/call"
	"tenet/core/effect"
	"tenet/core/event"
	"tenet/core/gate"
	corejobs "tenet/core/jobs"
	"tenet/core/turn"
)

// started is a session with the log it holds and what runs for it.
type started struct {
	session *session.Session
	log     *store.Log
	shell   *shell.Shell
	jobs    *jobs.Table
	// leave ends the attachment of whoever answers.
	leave func()
	// policies, settings and profile are what the calls are judged by, model who works, kit
	// what it works with.
	policies *approvals.Policies
	settings *settings.Settings
	profile  string
	setup    judge.Setup
	model    *model
	kit      equipment
}

// requests bounds what is under way at one provider: enough for a turn beside
// background work, few enough for a server on the same machine.
var requests = coreadmission.Limits{Slots: 4, Queue: 64}

// spot is where a session stands: its log, and what the log tells.
type spot struct {
	id, home string
	log      *store.Log
	// past is the session so far; the zero state is that of a new one.
	past event.State
}

// open wires a session: its settings and policy, its log, its tools and its model.
func (o Options) open(ctx context.Context, sc scene, view view) (started, error) {
	home, err := Home()
	if err != nil {
		return started{}, err
	}
	policy, setup, err := o.policy(sc, home)
	if err != nil {
		return started{}, err
	}
	if sc.model == nil {
		if sc.model, err = o.model(sc.workspace); err != nil {
			return started{}, err
		}
	}
	p, err := o.place(home)
	if err != nil {
		return started{}, err
	}
	policy.Policy.Layers.Session = append(policy.Policy.Layers.Session, gate.SessionRules(p.past.Grants)...)
	view.opened(p.id, p.log.Path())
	st, err := o.assemble(ctx, sc, view, p, policy, setup)
	if err != nil {
		return started{}, fmt.Errorf("%w (log %s)", errors.Join(err, p.log.Close()), p.log.Path())
	}
	return st, nil
}

// place makes the log of a new session, or takes up that of an earlier one.
func (o Options) place(home string) (spot, error) {
	if o.resumes() {
		return o.takeUp(home)
	}
	id, err := newID(time.Now())
	if err != nil {
		return spot{}, err
	}
	log, err := store.Create(Sessions(home), id, store.Options{})
	if err != nil {
		return spot{}, Usage("%w; TENET_HOME must be a directory that tenet may write", err)
	}
	return spot{id: id, home: home, log: log}, nil
}

// assemble builds the session in its place: its tools, whoever answers, the session, and
// then what only a session that is open can take: the ends of old jobs, the rows for people.
func (o Options) assemble(ctx context.Context, sc scene, view view, p spot, policy judge.Assembled, setup judge.Setup) (started, error) {
	run := policy.Settings.Run
	limits, err := o.limits(run)
	if err != nil {
		return started{}, err
	}
	slots, err := admission.New(requests)
	if err != nil {
		return started{}, err
	}
	e, err := sc.equip(p, policy)
	if err != nil {
		return started{}, err
	}
	policies := approvals.NewPolicies(policy.Policy, setup.Save)
	asker, inquirer, leave := o.asker(p.id, policies)
	if sc.shielded {
		asker = approvals.Shielded{Next: asker}
	}
	so := session.Options{
		ID: p.id, Version: o.Version, Workspace: sc.workspace, Profile: policy.Profile, Policies: policies, Limits: limits,
		Provider: sc.model.provider, Summariser: sc.model.summariser(), Slots: slots, Asker: asker, Inquirer: inquirer, Log: p.log,
		Tools: e.tools, Instructions: e.around.prompt(), Hooks: stopHooks(run.StopHooks, hooks.Runner{Dir: sc.workspace, Session: p.id, Env: sc.environ()}),
		Waits: session.Waits{Base: run.Retry.BaseDelay, Longest: run.Retry.MaxDelay},
		Room:  turn.Room{Window: sc.model.context, Reserve: run.Compaction.ReserveTokens, Keep: run.Compaction.KeepRecentTokens},
		Watch: view.record, Live: view.live,
	}
	st := started{
		log: p.log, shell: e.shell, jobs: e.jobs, leave: leave,
		policies: policies, settings: policy.Settings, profile: policy.Profile, setup: setup, model: sc.model, kit: e,
	}
	// Before the session uses its past up: what an earlier process left is found by it.
	_, strays := st.jobs.Recover(ctx, p.past)
	if st.session, err = o.begin(so, p); err == nil {
		err = st.settle(strays, e)
	}
	if err != nil {
		leave()
	}
	return st, err
}

// begin opens the session, or takes it up.
func (o Options) begin(so session.Options, p spot) (*session.Session, error) {
	if !o.resumes() {
		return session.Open(so)
	}
	if !o.JSON {
		fmt.Fprintf(o.Err, "tenet %s · session %s goes on · model %s · profile %s\n", so.Version, so.ID, call.OneLine(so.Provider.Name(), 200), so.Profile)
	}
	s, err := session.Resume(so, p.past)
	if err != nil {
		return nil, err
	}
	return s, o.chosen(s, p.past, so)
}

// settle hands over the ends of jobs, those that an earlier process left first, each once,
// and tells people what was not taken up.
func (s started) settle(strays []event.Group, e equipment) error {
	rows := e.around.notices()
	for _, g := range strays {
		rows = append(rows, event.Notice{Type: "tenet.job", Text: fmt.Sprintf("process group %d (%s) of a call that a crash interrupted was still there, and was ended", g.PID, g.Name)})
	}
	for _, n := range rows {
		if err := s.session.Notice(n); err != nil {
			return err
		}
	}
	s.jobs.OnLive(s.session.Show)
	return s.jobs.OnSettle(s.session.Settle)
}

// policy is what the session's calls are judged by; what the settings say that does
// not count is said aloud.
func (o Options) policy(sc scene, home string) (judge.Assembled, judge.Setup, error) {
	auto, err := o.auto()
	if err != nil {
		return judge.Assembled{}, judge.Setup{}, err
	}
	setup := judge.Setup{Root: sc.workspace, TenetHome: home, Env: sc.environ(), Profile: cmp.Or(o.Profile, settingIn(o.past, "profile")), Auto: auto, Roster: rosterNames(), Named: namedTools}
	a, err := judge.Assemble(setup)
	if err == nil {
		err = o.allow(a.Policy)
	}
	if err != nil {
		return a, setup, Usage("%w", err)
	}
	for _, w := range a.Settings.Warnings {
		fmt.Fprintln(o.Err, "settings:", call.OneLine(w, 1000))
	}
	return a, setup, nil
}

// equipment is what a session works with.
type equipment struct {
	tools  []session.Tool
	files  *docs.Docs
	shell  *shell.Shell
	jobs   *jobs.Table
	around surroundings
}

// equip makes the tools of a session: each is judged by the same policy.
func (sc scene) equip(p spot, policy judge.Assembled) (equipment, error) {
	env := sc.environ()
	run := policy.Settings.Run
	paths := pathpolicy.New(pathpolicy.Options{Root: sc.workspace, TenetHome: p.home, Env: env, Settings: policy.Settings.Files})
	sh := shell.New(shell.Config{
		Dir: sc.workspace, Env: env, Session: p.id, Judge: paths, Harden: effect.Harden,
		Limits: shell.Limits{ArtifactDir: OutputDir(p.home, p.id)},
	})
	table := jobs.New(jobs.Options{Session: p.id, Limits: corejobs.Limits{Budget: run.ToolBlockingBudget}})
	e := equipment{shell: sh, jobs: table, around: around(paths, sc.home(), p.home, sc.workspace, run)}
	e.files = docs.New(docs.Options{Root: sc.workspace, Judge: paths, Env: env, Kept: OutputDir(p.home, p.id)})
	var err error
	e.tools, err = e.around.fixed(roster(e.files, sh, table, p.id, e.around), nil)
	return e, err
}

// home is the home directory that the session's commands see, empty when none is known.
func (sc scene) home() string {
	if sc.userHome != "" {
		return sc.userHome
	}
	home, _ := os.UserHomeDir()
	return home
}

// environ is the environment that commands see, before credentials are removed.
func (sc scene) environ() []string {
	env := os.Environ()
	if sc.userHome == "" {
		return env
	}
	env = slices.DeleteFunc(env, func(kv string) bool { return strings.HasPrefix(kv, "HOME=") })
	return append(env, "HOME="+sc.userHome)
}

// newID names a session by its time and a random part, so that names sort by time
// and two started in one second differ.
func newID(now time.Time) (string, error) {
	b := make([]byte, 3)
	if _, err := rand.Read(b); err != nil {
		return "", fmt.Errorf("name the session: %w", err)
	}
	return now.UTC().Format("20060102-150405-") + hex.EncodeToString(b), nil
}
