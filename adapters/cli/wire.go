package cli

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tenet/adapters/admission"
	"tenet/adapters/approvals"
	"tenet/adapters/docs"
	"tenet/adapters/jobs"
	"tenet/adapters/judge"
	"tenet/adapters/pathpolicy"
	"tenet/adapters/session"
	"tenet/adapters/shell"
	"tenet/adapters/store"
	coreadmission "tenet/core/admission"
	"tenet/core/call"
	"tenet/core/effect"
	corejobs "tenet/core/jobs"
)

// started is a session with the log it holds and the shell that runs its scripts.
type started struct {
	session *session.Session
	log     *store.Log
	shell   *shell.Shell
	jobs    *jobs.Table
	// leave ends the attachment of whoever answers.
	leave func()
}

// requests bounds what is under way at one provider: enough for a turn beside
// background work, few enough for a server on the same machine.
var requests = coreadmission.Limits{Slots: 4, Queue: 64}

// open wires a session: its settings and policy, its log, its tools and its model.
func (o Options) open(sc scene, view view) (started, error) {
	limits, err := o.limits()
	if err != nil {
		return started{}, err
	}
	home, err := Home()
	if err != nil {
		return started{}, err
	}
	policy, setup, err := o.policy(sc, home)
	if err != nil {
		return started{}, err
	}
	slots, err := admission.New(requests)
	if err != nil {
		return started{}, err
	}
	id, err := newID(time.Now())
	if err != nil {
		return started{}, err
	}
	log, err := store.Create(Sessions(home), id, store.Options{})
	if err != nil {
		return started{}, Usage("%w; TENET_HOME must be a directory that tenet may write", err)
	}
	policies := approvals.NewPolicies(policy.Policy, setup.Save)
	asker, leave := o.asker(id, policies)
	if sc.shielded {
		asker = approvals.Shielded{Next: asker}
	}
	view.opened(id, log.Path())
	table := jobs.New(jobs.Options{Session: id, Limits: corejobs.Limits{Budget: policy.Settings.Run.ToolBlockingBudget}})
	tools, sh := sc.tools(home, id, policy.Settings.Files, table)
	s, err := session.Open(session.Options{
		ID: id, Version: o.Version, Workspace: sc.workspace, Profile: policy.Profile, Policies: policies, Limits: limits,
		Provider: sc.model, Slots: slots, Asker: asker, Log: log, Watch: view.record, Tools: tools, Live: view.live,
	})
	if err != nil {
		leave()
		return started{}, fmt.Errorf("%w (log %s)", err, log.Path())
	}
	if err := table.OnSettle(s.Settle); err != nil {
		leave()
		return started{}, fmt.Errorf("%w (log %s)", err, log.Path())
	}
	return started{session: s, log: log, shell: sh, jobs: table, leave: leave}, nil
}

// policy is what the session's calls are judged by; what the settings say that does
// not count is said aloud.
func (o Options) policy(sc scene, home string) (judge.Assembled, judge.Setup, error) {
	auto, err := o.auto()
	if err != nil {
		return judge.Assembled{}, judge.Setup{}, err
	}
	setup := judge.Setup{Root: sc.workspace, TenetHome: home, Env: sc.environ(), Profile: o.Profile, Auto: auto, Roster: rosterNames(), Named: namedTools}
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

// tools is the roster of a session: each tool is judged by the same policy.
func (sc scene) tools(home, id string, settings []string, table *jobs.Table) ([]session.Tool, *shell.Shell) {
	env := sc.environ()
	paths := pathpolicy.New(pathpolicy.Options{Root: sc.workspace, TenetHome: home, Env: env, Settings: settings})
	sh := shell.New(shell.Config{
		Dir: sc.workspace, Env: env, Session: id, Judge: paths, Harden: effect.Harden,
		Limits: shell.Limits{ArtifactDir: filepath.Join(Sessions(home), id+".output")},
	})
	return roster(docs.New(docs.Options{Root: sc.workspace, Judge: paths, Env: env}), sh, table, id), sh
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
