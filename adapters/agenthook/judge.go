package agenthook

import (
	"context"
	"encoding/json"

	"tenet/core/call"
)

// Verdict is what the gate says about a call.
type Verdict uint8

// The verdicts, each stronger than the one before.
const (
	Allow Verdict = iota // the call runs as its agent decides
	Ask                  // it runs only when a person says yes
	Deny                 // it does not run
)

var verdictNames = [...]string{"allow", "ask", "deny"}

// String is the verdict as records spell it.
func (v Verdict) String() string { return verdictNames[min(int(v), len(verdictNames)-1)] }

// Answer is a verdict with what a reader needs to act on it.
type Answer struct {
	Verdict Verdict
	// Rule is the stable name of what decided, Why one sentence about this call, Next
	// what to do instead, How the command with which a person allows such a call. All
	// but Rule may be empty.
	Rule, Why, Next, How string
	// Commands are the commands that a script may run, as the gate read them.
	Commands []call.Command
}

// Judge rules on one call that would start in dir. args is a JSON object; tool is the
// name of one of tenet's own tools (see Call) or one that it does not have. A Judge
// must not perform anything; a call that it cannot read it denies.
type Judge interface {
	Judge(ctx context.Context, dir, tool string, args []byte) Answer
}

// judged asks about every call of a request and keeps the strongest answer: deny over
// ask over allow, the first of equals. A request that touches nothing is allowed.
func judged(ctx context.Context, j Judge, r Request, calls []Call) Answer {
	out := Answer{Verdict: Allow, Rule: "touches-nothing"}
	for i, c := range calls {
		a := one(ctx, j, r, c)
		if i == 0 || a.Verdict > out.Verdict {
			out = a
		}
		if out.Verdict == Deny {
			return out
		}
	}
	return out
}

func one(ctx context.Context, j Judge, r Request, c Call) Answer {
	args, err := json.Marshal(c.Args)
	if err != nil {
		return block("input", "the arguments cannot be written down: "+err.Error(), "")
	}
	if c.Kind == Shell && Canary(c.Args["command"]) {
		return canaryAnswer
	}
	a := j.Judge(ctx, c.Dir, c.Tool, args)
	if a.Verdict < Deny && c.Kind == Shell && hosts[r.Agent].typed {
		for _, cmd := range a.Commands {
			if attended(cmd) {
				return typedInto(cmd)
			}
		}
	}
	return a
}

func block(rule, why, next string) Answer {
	return Answer{Verdict: Deny, Rule: rule, Why: why, Next: next}
}
