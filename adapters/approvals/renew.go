package approvals

import "tenet/core/gate"

// Renew puts another policy in force, with the rules that this session's answers made: the
// person changed the settings while it runs. Calls that were judged stay judged.
func (p *Policies) Renew(n *gate.Policy) {
	p.mu.Lock()
	defer p.mu.Unlock()
	next := *n
	next.Layers.Session = p.now.Layers.Session
	p.now = &next
}
