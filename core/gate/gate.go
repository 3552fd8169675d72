// Package gate decides whether a call runs: one pipeline over the floor, the guard,
// the rules and the auto set, the question, and what an answer does (DESIGN, "The
// gate"). It performs nothing: the shell and the document tools ask it and do what it
// says.
package gate

import (
	"fmt"
	"slices"

	"tenet/core/call"
	"tenet/core/rules"
)

// Verdict is what the gate says about a call before anybody is asked. A greater one is
// stricter.
type Verdict uint8

// The verdicts.
const (
	Allow Verdict = iota // runs now, nobody is asked
	Ask                  // runs only on a yes
	Deny                 // does not run, whatever anybody says
)

var verdictNames = [...]string{"allow", "ask", "deny"}

// String is the verdict as records spell it.
func (v Verdict) String() string { return verdictNames[v] }

// Stage is one stage of the pipeline, in the order they are tried.
type Stage uint8

// The stages.
const (
	Registration Stage = iota // the policy and the roster fit together
	Floor                     // the hardline floor
	Guard                     // the ordered guard
	Rules                     // the rules of the layers
	AutoSet                   // what runs unasked
	Secrets                   // a secret always asks
)

var stageNames = [...]string{"registration", "floor", "guard", "rules", "auto", "secret"}

// String is the stage as records spell it.
func (s Stage) String() string { return stageNames[s] }

// Ref names the rule that decided, where it comes from, and its place there from 1; 0
// where rules have no order.
type Ref struct {
	Name, Source string
	Position     int
}

// The rules of the last stages, which come from no file.
var (
	secretAsks  = Ref{Name: "secret-always-asks", Source: "gate"}
	withinAuto  = Ref{Name: "within-auto-set", Source: "auto"}
	outsideAuto = Ref{Name: "outside-auto-set", Source: "auto"}
	notReadable = Ref{Name: "program-not-readable", Source: "auto"}
	byRules     = Ref{Name: "allowed-by-rules", Source: "rules"}
	disagrees   = Ref{Name: "policy-and-roster-disagree", Source: "registration"}
)

// StepRuling is one step with its verdict.
type StepRuling struct {
	Step     call.Step
	Requests []rules.Ruled
	Decision
}

// Decision is a verdict with what made it.
type Decision struct {
	Verdict Verdict
	Stage   Stage
	Rule    Ref
	// Law is the catalogue's name of the law that the stage obeys.
	Law string
	// Why says it in one sentence, Next what to do instead.
	Why, Next string
	// Over is the effects that neither a rule nor the auto set allows.
	Over call.Effects
}

// Ruling is what the gate says of a whole call: the strictest of its steps decides
// (law combine_deny_ask_allow).
type Ruling struct {
	Decision
	Tool    string
	Effects call.Effects
	Steps   []StepRuling
	// Digest names what was judged (call.Digest).
	Digest string
}

// Policy is everything a call is judged by. It is a value: a grant makes a new one.
type Policy struct {
	// Registration is why the policy and the roster disagree, empty when they agree;
	// while it is not empty every call is denied (law unknown_policy_tool_denies_all).
	Registration string
	Floor        FloorPlace
	Guard        GuardPolicy
	Place        rules.Place
	Layers       rules.Layers
	// Auto is the auto set; Secret is never in it.
	Auto call.Effects
}

// ByAuto decides a step's effects by the auto set alone (seed 1). Secret is never
// covered, whatever the set says: a caller that smuggled it in must still ask (law
// auto_never_sensitive).
func ByAuto(auto, effects call.Effects) Decision {
	over := effects.Minus(auto & call.Grantable)
	switch {
	case effects.Has(call.Secret):
		return Decision{Verdict: Ask, Stage: Secrets, Rule: secretAsks, Law: "auto_never_sensitive", Over: over,
			Why: "it touches a secret, and that is always asked about"}
	case over == 0:
		return Decision{Verdict: Allow, Stage: AutoSet, Rule: withinAuto, Law: "auto_runs_within",
			Why: fmt.Sprintf("its effects (%s) run unasked", effects)}
	default:
		return Decision{Verdict: Ask, Stage: AutoSet, Rule: outsideAuto, Law: "auto_needs_every_effect", Over: over,
			Why: fmt.Sprintf("nothing allows %s in advance", over)}
	}
}

// Judge decides a call: every step by every stage, and the strictest verdict for all.
func (p *Policy) Judge(tool string, steps []call.Step) Ruling {
	r := Ruling{Tool: tool, Digest: call.Digest(tool, steps), Steps: make([]StepRuling, len(steps))}
	if len(steps) == 0 {
		r.Decision = p.step(tool, call.Step{}).Decision
	}
	for i, s := range steps {
		r.Steps[i] = p.step(tool, s)
		r.Effects = r.Effects.With(s.Effects)
		r.Over = r.Over.With(r.Steps[i].Over)
		if d := r.Steps[i].Decision; i == 0 || stricter(d, r.Decision) {
			over := r.Over
			r.Decision = d
			r.Over = over
		}
	}
	return r
}

// stricter orders decisions: deny over ask over allow, then the one that no setting
// can change, then the earlier.
func stricter(a, b Decision) bool {
	if a.Verdict != b.Verdict {
		return a.Verdict > b.Verdict
	}
	return a.Verdict == Ask && a.Stage == Secrets && b.Stage != Secrets
}

// step runs the stages over one step.
func (p *Policy) step(tool string, s call.Step) StepRuling {
	r := StepRuling{Step: s}
	if d, denied := p.denied(tool, s); denied {
		r.Decision = d
		return r
	}
	allowed, ruled := p.requests(tool, &r)
	ruled.Over = s.Effects.Minus(allowed)
	switch {
	case ruled.Verdict == Deny:
		r.Decision = ruled
	case s.Effects.Has(call.Secret):
		r.Decision = ByAuto(p.Auto, s.Effects.Minus(allowed))
	case ruled.Verdict == Ask:
		r.Decision = ruled
	default:
		r.Decision = p.auto(&r, allowed)
	}
	if r.Verdict == Ask && r.Stage != Secrets {
		if d, ok := p.granted(s); ok {
			r.Decision = d
		}
	}
	return r
}

// denied runs the stages that no rule undoes.
func (p *Policy) denied(tool string, s call.Step) (Decision, bool) {
	if p.Registration != "" {
		return Decision{Verdict: Deny, Stage: Registration, Rule: disagrees, Law: "unknown_policy_tool_denies_all", Over: s.Effects,
			Why: p.Registration, Next: "Ask the user to correct the settings; until then every call is refused."}, true
	}
	if d, hit := p.floor(s); hit {
		return d, true
	}
	return p.guard(tool, s)
}

// requests asks the rules about each request of the step. allowed is the effects that
// allow rules cover: one allowed part opens nothing for another (law
// compound_allows_by_parts).
func (p *Policy) requests(tool string, r *StepRuling) (allowed call.Effects, d Decision) {
	r.Requests, allowed = rules.Step(p.Place, p.Layers, tool, r.Step)
	for _, q := range r.Requests {
		if v := verdictOf(q.Decision.Action); v > d.Verdict {
			d = Decision{Verdict: v, Stage: Rules, Rule: refOf(q.Decision.Rule), Law: "evaluate_last_match_wins",
				Why: fmt.Sprintf("%s for %q: %s", q.Request.Capability, call.OneLine(q.Request.Subject, 200), ruleText(q.Decision.Rule))}
		}
	}
	return allowed, d
}

func verdictOf(a rules.Action) Verdict {
	switch a {
	case rules.Ask:
		return Ask
	case rules.Deny:
		return Deny
	case rules.Silent, rules.Allow:
	}
	return Allow
}

func refOf(r rules.Rule) Ref {
	return Ref{Name: RuleName(r), Source: r.Source.String(), Position: r.Position}
}

// RuleName is a rule's own name, or what it says: process.execute / "rm -rf *".
func RuleName(r rules.Rule) string {
	if r.Name != "" {
		return r.Name
	}
	return fmt.Sprintf("%s / %q", r.Capability, r.Pattern)
}

func ruleText(r rules.Rule) string {
	return fmt.Sprintf("the %s rule %s says %s", r.Source, RuleName(r), r.Action)
}

// auto decides what the rules left open.
func (p *Policy) auto(r *StepRuling, allowed call.Effects) Decision {
	left := r.Step.Effects.Minus(allowed)
	if why := unread(r.Step); why != "" && left.Minus(call.Of(call.Read)) != 0 {
		return Decision{Verdict: Ask, Stage: AutoSet, Rule: notReadable, Law: "analyzer_failure_denies",
			Over: left, Why: why}
	}
	d := ByAuto(p.Auto, left)
	if d.Verdict == Allow && allowed != 0 && !r.Step.Effects.Within(p.Auto) {
		d.Stage, d.Rule, d.Law, d.Why = Rules, byRules, "evaluate_last_match_wins", "rules allow "+(r.Step.Effects&allowed).String()
		if i := slices.IndexFunc(r.Requests, func(q rules.Ruled) bool { return q.Decision.Covers(q.Request)&^p.Auto != 0 }); i >= 0 {
			d.Rule, d.Why = refOf(r.Requests[i].Decision.Rule), ruleText(r.Requests[i].Decision.Rule)
		}
	}
	return d
}

// unread says why nobody can tell what a step does; empty when one can. The auto set was
// given for what a person can name: obfuscation blocks it, and so does a removal of what
// is known only when it happens.
func unread(s call.Step) string {
	for _, c := range s.Commands {
		switch {
		case len(c.Words) > 0 && !c.Words[0].Known():
			return "which program it starts is known only when it runs"
		case c.Fed != "" && shells[c.Name()] && len(c.Words) == 1:
			return fmt.Sprintf("%s runs whatever %s prints", c.Name(), c.Fed)
		case removers[c.Name()] && unsure(c):
			return fmt.Sprintf("what %s changes is known only when it runs", c.Name())
		}
	}
	if s.Class == call.Obfuscated {
		return "a part of it is known only when it runs"
	}
	return ""
}

// unsure reports whether a command has operands that nobody knows yet.
func unsure(c call.Command) bool {
	return slices.ContainsFunc(c.Words, func(w call.Word) bool { return !w.Known() }) ||
		slices.Contains(c.Via, "xargs") || slices.Contains(c.Via, "parallel")
}

// removers take away or change what their operands name.
var removers = map[string]bool{
	"rm": true, "rmdir": true, "unlink": true, "mv": true, "shred": true, "truncate": true, "dd": true,
	"chmod": true, "chown": true, "chgrp": true, "find": true, "rsync": true,
}

// shells run what they are fed.
var shells = map[string]bool{"sh": true, "bash": true, "dash": true, "zsh": true, "ksh": true, "ash": true, "fish": true}
