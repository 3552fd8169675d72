package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"tenet/adapters/judge"
	"tenet/adapters/settings"
	"tenet/adapters/store"
	"tenet/core/call"
	"tenet/core/event"
	"tenet/core/rules"
)

// RuleRow is one rule in force, with where it stands.
type RuleRow = listedRule

// RulesOf are the options of the rules commands for the session: its workspace and its
// profile.
func (h *Held) RulesOf(out, errs io.Writer) RulesOptions {
	return RulesOptions{Dir: h.Workspace, Profile: h.Profile, Out: out, Err: errs}
}

// judges is the policy that the session's calls are judged by now, its own grants included.
func (h *Held) judges() *judges {
	h.mu.Lock()
	defer h.mu.Unlock()
	a := judge.Assembled{Policy: h.Policies.Now(), Profile: h.Profile, Settings: h.settings}
	return &judges{Assembled: a, judge: a.Judge(h.st.setup)}
}

// Rules are the rules in force in the session, in their order.
func (h *Held) Rules() []RuleRow {
	j := h.judges()
	out := []RuleRow{}
	for _, r := range j.Policy.Layers.All() {
		out = append(out, j.listed(r))
	}
	return out
}

// Reload takes up what the settings say now: rules and trust that a person changed count
// from the next call on. The session's own grants stay.
func (h *Held) Reload() error {
	setup := h.st.setup
	setup.Profile = h.Profile
	a, err := judge.Assemble(setup)
	if err != nil {
		return Usage("%w; the session goes on by the rules that it had", err)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.Policies.Renew(a.Policy)
	h.settings = a.Settings
	return nil
}

// AddRule adds a rule at the end of a scope's file and tells so.
func AddRule(ctx context.Context, o RulesOptions, s Scope, capability, pattern, action string) error {
	r, err := parsedRule(capability, pattern, action)
	if err != nil {
		return err
	}
	return o.changed(s, "added", func(e settings.Editor, source rules.Source) (settings.Done, error) { return e.Add(ctx, source, r) })
}

// RemoveRule removes the rule at a position of a scope's file and tells so.
func RemoveRule(ctx context.Context, o RulesOptions, s Scope, at int) error {
	return o.changed(s, "removed", func(e settings.Editor, source rules.Source) (settings.Done, error) {
		return e.Remove(ctx, source, at)
	})
}

// MoveRule moves a rule of a scope's file to another position and tells so.
func MoveRule(ctx context.Context, o RulesOptions, s Scope, from, to int) error {
	return o.changed(s, "moved", func(e settings.Editor, source rules.Source) (settings.Done, error) {
		return e.Move(ctx, source, from, to)
	})
}

// OfferTrust shows what trusting a project would let count, without a question.
func OfferTrust(o TrustOptions) (settings.Offer, error) {
	opts, err := placed(o.Dir)
	if err != nil {
		return settings.Offer{}, err
	}
	offer, err := settings.Editor{Options: opts}.Offer()
	if err != nil {
		return offer, Usage("%w", err)
	}
	o.show(offer)
	return offer, nil
}

// TakeTrust trusts exactly the bytes that an offer showed.
func TakeTrust(ctx context.Context, o TrustOptions, offer settings.Offer) error {
	opts, err := placed(o.Dir)
	if err != nil {
		return err
	}
	if err := (settings.Editor{Options: opts}).Trust(ctx, offer); err != nil {
		return &Error{Code: ExitUsage, Err: err}
	}
	fmt.Fprintf(o.Out, "Trusted, until %s changes.\n", offer.ProjectFile)
	return nil
}

// WhyCall says of a recorded call what the gate made of it then, and explains it as tenet
// why does by the rules that are in force now.
func (h *Held) WhyCall(ctx context.Context, out io.Writer, id string, sentence func(law string) string) error {
	c, found, err := callIn(h.Log.Path(), id)
	if err != nil {
		return err
	}
	if !found {
		return Usage("the log has no call %q; a call is named as in the transcript, such as call_3", call.OneLine(id, 100))
	}
	if v := c.verdict; v.Call != "" {
		fmt.Fprintf(out, "%s %s: %s by %s (%s)%s\n\n", c.Call.Call, call.OneLine(c.Tool, 60), v.Verdict, v.Rule.Name, v.Stage, howAnswered(v))
	} else {
		fmt.Fprintf(out, "%s %s: the gate has not answered yet\n\n", c.Call.Call, call.OneLine(c.Tool, 60))
	}
	j := h.judges()
	r := j.judge.Judge(ctx, judge.Call{Tool: c.Tool, Args: []byte(c.Args)})
	return WhyOptions{Sentence: sentence, Out: out}.explain(j, r)
}

// howAnswered says how the question of a verdict ended, empty when nobody was asked.
func howAnswered(v event.Judgement) string {
	if v.Answer == "" {
		return ""
	}
	text := ", answered " + v.Answer
	if v.By != "" {
		text += " by " + call.OneLine(v.By, 100)
	}
	if v.Reason != "" {
		text += ": " + call.OneLine(v.Reason, 500)
	}
	return text
}

// callIn looks for a call in a log that may be growing, and for its verdict.
func callIn(path, id string) (c judgedCall, found bool, err error) {
	records, _, err := store.Read(path)
	if err != nil {
		return c, false, err
	}
	for _, r := range records {
		if r.Kind != event.Called && r.Kind != event.Judged || !strings.Contains(string(r.Body), id) {
			continue
		}
		b, err := event.Decode(r)
		if err != nil {
			return c, false, err
		}
		switch b := b.(type) {
		case event.Call:
			if b.Call == id {
				c.Call, found = b, true
			}
		case event.Judgement:
			if b.Call == id {
				c.verdict = b
			}
		default:
		}
	}
	return c, found, nil
}
