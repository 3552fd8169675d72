package guard

import "tenet/core/call"

// Floor is the first stage of one session: whether the policy was held against the
// tools that are registered, and why every call is denied when it does not fit them.
// The zero value was not checked yet.
type Floor struct {
	Checked bool
	// Reason is why every call is denied, empty when the policy fits.
	Reason string
}

// Check holds the policy against the tools: when the session starts, since what is
// registered is known only then.
func (f Floor) Check(p Policy) Floor {
	return Floor{Checked: true, Reason: Registration(p.Named, p.Roster, p.RosterErr)}
}

// Decide judges a whole call, the first block of its steps in order. A call that comes
// before the session's start is checked here: no order of events may open the floor
// (law floor_checks_before_first_call).
func (f Floor) Decide(p Policy, tool string, steps []call.Step) (next Floor, b Block, blocked bool) {
	if !f.Checked {
		f = f.Check(p)
	}
	if f.Reason != "" {
		return f, Block{Rule: UnknownPolicyTool, Why: f.Reason, Next: "Tell the user; no tool works until the policy fits."}, true
	}
	for _, s := range steps {
		if b, blocked = Check(p, tool, s); blocked {
			return f, b, true
		}
	}
	return f, Block{}, false
}
