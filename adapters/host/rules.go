package host

import (
	"context"
	"errors"
	"strings"

	"tenet/adapters/cli"
	"tenet/adapters/settings"
)

// Rule is one rule in force.
type Rule struct {
	// Source is default, user, project or session; File where it stands, empty for a shipped
	// one; Position counts from 1 in its source.
	Source, File string
	Position     int
	Name         string
	// Capability, Pattern and Action are the rule, Exact when the pattern is no pattern.
	Capability, Pattern, Action string
	Exact                       bool
}

// Rules are the rules in force, in their order: the last that matches decides.
func (h *Host) Rules() ([]Rule, error) {
	var out []Rule
	for _, r := range h.held.Rules() {
		out = append(out, Rule{r.Source, r.File, r.Position, r.Name, r.Capability, r.Pattern, r.Action, r.Exact})
	}
	return out, nil
}

// RulesText is the output of tenet rules list.
func (h *Host) RulesText() (string, error) {
	var b strings.Builder
	err := cli.ListRules(h.held.RulesOf(&b, &b))
	return b.String(), err
}

// TestRule says what the gate would make of a shell line, or of another tool's argument. A
// verdict is no error.
func (h *Host) TestRule(ctx context.Context, tool, argument string) (string, error) {
	var b strings.Builder
	if tool == "" {
		tool = "bash"
	}
	err := cli.TestRules(ctx, h.held.RulesOf(&b, &b), tool, []string{argument})
	if cli.Said(err) {
		err = nil
	}
	return b.String(), err
}

// ErrScope is why a rule was not changed: nobody said whose.
var ErrScope = errors.New("say whose rules to change: user for yours everywhere, project for this project's")

// change changes a file of rules, and has the session go on by them.
func (h *Host) change(scope string, do func(cli.RulesOptions, cli.Scope) error) (string, error) {
	s := cli.Scope{User: scope == "user", Project: scope == "project"}
	if s.User == s.Project {
		return "", ErrScope
	}
	var b strings.Builder
	if err := do(h.held.RulesOf(&b, &b), s); err != nil {
		return b.String(), err
	}
	return b.String(), h.held.Reload()
}

// AddRule adds a rule at the end of a scope, user or project, and says where it stands. The
// session's next call is judged by it.
func (h *Host) AddRule(ctx context.Context, scope, capability, pattern, action string) (string, error) {
	return h.change(scope, func(o cli.RulesOptions, s cli.Scope) error {
		return cli.AddRule(ctx, o, s, capability, pattern, action)
	})
}

// MoveRule moves a rule of a scope to another position.
func (h *Host) MoveRule(ctx context.Context, scope string, from, to int) (string, error) {
	return h.change(scope, func(o cli.RulesOptions, s cli.Scope) error { return cli.MoveRule(ctx, o, s, from, to) })
}

// RemoveRule removes a rule of a scope.
func (h *Host) RemoveRule(ctx context.Context, scope string, at int) (string, error) {
	return h.change(scope, func(o cli.RulesOptions, s cli.Scope) error { return cli.RemoveRule(ctx, o, s, at) })
}

// TrustOffer is what trusting the project's settings would let count: text to show before
// the person says yes. Trusted is true when it counts already.
func (h *Host) TrustOffer() (text string, trusted bool, err error) {
	var b strings.Builder
	offer, err := cli.OfferTrust(cli.TrustOptions{Dir: h.held.Workspace, Out: &b, Err: &b})
	if err != nil {
		return "", false, err
	}
	h.mu.Lock()
	h.offer = &offer
	h.mu.Unlock()
	return b.String(), offer.Trusted, nil
}

// ErrNotShown is why nothing was trusted: a person must have seen what.
var ErrNotShown = errors.New("show what would count first: nothing is trusted unseen")

// Trust trusts the project's settings file as TrustOffer showed it last, or takes the trust
// away. The session's next call is judged by it.
func (h *Host) Trust(ctx context.Context, yes bool) (string, error) {
	var b strings.Builder
	o := cli.TrustOptions{Dir: h.held.Workspace, Out: &b, Err: &b}
	err := error(nil)
	if yes {
		var shown settings.Offer
		if shown, err = h.shown(); err == nil {
			err = cli.TakeTrust(ctx, o, shown)
		}
	} else {
		err = cli.Untrust(ctx, o)
	}
	if err != nil {
		return b.String(), err
	}
	return b.String(), h.held.Reload()
}

func (h *Host) shown() (settings.Offer, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.offer == nil {
		return settings.Offer{}, ErrNotShown
	}
	return *h.offer, nil
}
