package cli

import (
	"slices"
	"strings"

	"tenet/core/call"
	"tenet/core/gate"
	"tenet/core/rules"
)

// allowed are the rules of --allow, as a layer of this run alone. They loosen as the
// session's own grants do: nothing they say covers a secret, the floor or the guard.
func (o Options) allowed() ([]rules.Rule, error) {
	out := make([]rules.Rule, 0, len(o.Allow))
	for i, text := range o.Allow {
		capability, pattern := splitRule(text)
		if pattern == "" {
			return nil, Usage("--allow %q names nothing to allow; write a command pattern ('go test *') or a capability and a pattern ('file.write.outsideProject /tmp/out/*')", text)
		}
		r, err := parsedRule(capability, pattern, rules.Allow.String())
		if err != nil {
			return nil, err
		}
		r.Source, r.Position = rules.FromSession, i+1
		out = append(out, r)
	}
	return out, nil
}

// splitRule reads a rule's text: a capability, or a pattern of some, and a pattern over
// subjects; text that begins with no capability is a command.
func splitRule(text string) (capability, pattern string) {
	text = strings.TrimSpace(text)
	first, rest, _ := strings.Cut(text, " ")
	known := func(c call.Capability) bool { return rules.Match(first, c.String()) }
	if strings.Contains(first, ".") && slices.ContainsFunc(call.Capabilities(), known) {
		return first, strings.TrimSpace(rest)
	}
	return call.ProcessExecute.String(), text
}

// allow puts the rules of --allow before the session's grants.
func (o Options) allow(p *gate.Policy) error {
	more, err := o.allowed()
	p.Layers.Session = append(more, p.Layers.Session...)
	return err
}
