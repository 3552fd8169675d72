package laws

import (
	"tenet/core/call"
	"tenet/core/gate"
	"tenet/laws/law"
	"tenet/models/effect"
)

type (
	effectLaw = law.Law[gated, effect.Op, effect.Out]
	gated     = effect.State
)

// Effect: a step has every effect of its parts, and a script runs no further than
// its effects are allowed or approved (S7.8, G2).
var Effect = struct {
	// StepHoldsEveryPart: a step has every effect of every part of it.
	StepHoldsEveryPart effectLaw `law:"step_holds_every_part" rule:"G2"`
	// SecretNeedsASecretPath: a step is secret only if a part names a path that is or holds a secret.
	SecretNeedsASecretPath effectLaw `law:"secret_needs_a_secret_path" rule:"G2"`
	// SecretPathGivesSecret: a part that names such a path makes its step secret.
	SecretPathGivesSecret effectLaw `law:"secret_path_gives_secret" rule:"G2"`
	// AutoNeedsEveryEffect: one effect outside the auto set, or one that cannot be granted, makes the step ask.
	AutoNeedsEveryEffect effectLaw `law:"auto_needs_every_effect" rule:"G2"`
	// AutoNeverSensitive: a secret step asks under every auto set.
	AutoNeverSensitive effectLaw `law:"auto_never_sensitive" rule:"G2"`
	// ComposedNeedsEveryPart: a composed step runs unasked only if every effect of every part is in the auto set.
	ComposedNeedsEveryPart effectLaw `law:"composed_needs_every_part" rule:"G2"`
	// AutoRunsWithin: a step within the auto set runs and consumes no answer.
	AutoRunsWithin effectLaw `law:"auto_runs_within" rule:"G2"`
	// HeldNeedsAYes: a call with a step not within the auto set waits for a yes, and without one nothing of it runs.
	HeldNeedsAYes effectLaw `law:"held_needs_a_yes" rule:"G2"`
	// GatePrefix: the steps that ran or were left out are a prefix of the script, in order.
	GatePrefix effectLaw `law:"gate_prefix" rule:"S7.8"`
	// GateNeedsYes: no more gated steps ran than were approved.
	GateNeedsYes effectLaw `law:"gate_needs_yes" rule:"S7.8"`
	// GateDenyStops: of a call that is refused nothing runs; of one whose step is refused when its turn comes only steps of earlier pipelines ran.
	GateDenyStops effectLaw `law:"gate_deny_stops" rule:"S7.8"`
	// GateFinishRunsAll: a script that finished ran every step that it did not leave out.
	GateFinishRunsAll effectLaw `law:"gate_finish_runs_all" rule:"S7.8"`
}{
	StepHoldsEveryPart: effectLaw{Func: func(op effect.Op, out effect.Out) law.Verdict {
		if op.Kind != effect.Plan {
			return law.Idle
		}
		for _, p := range op.Parts {
			if missing := (p.Own & call.Grantable).Minus(out.Effects); missing != 0 {
				return law.Broken("the step may %v and a part of it %v", out.Effects, p.Own)
			}
		}
		return law.Holds
	}},
	SecretNeedsASecretPath: effectLaw{Func: func(op effect.Op, out effect.Out) law.Verdict {
		if op.Kind != effect.Plan || !out.Effects.Has(call.Secret) {
			return law.Idle
		}
		return law.Check(op.Parts[0].Secret || op.Parts[1].Secret, "no part names a secret: %+v", op.Parts)
	}},
	SecretPathGivesSecret: effectLaw{Func: func(op effect.Op, out effect.Out) law.Verdict {
		if op.Kind != effect.Plan || !op.Parts[0].Secret && !op.Parts[1].Secret {
			return law.Idle
		}
		return law.Check(out.Effects.Has(call.Secret), "a part names a secret and the step may only %v", out.Effects)
	}},
	AutoNeedsEveryEffect: effectLaw{Func: func(op effect.Op, out effect.Out) law.Verdict {
		if op.Kind != effect.Plan || !out.OK || out.Effects.Within(op.Auto&call.Grantable) {
			return law.Idle
		}
		return law.Check(out.Verdict == gate.Ask, "%v ran unasked under %v", out.Effects, op.Auto)
	}},
	AutoNeverSensitive: effectLaw{Func: func(op effect.Op, out effect.Out) law.Verdict {
		if op.Kind != effect.Plan || !out.OK || !op.Parts[0].Secret && !op.Parts[1].Secret {
			return law.Idle
		}
		return law.Check(out.Verdict == gate.Ask, "a secret ran unasked under %v", op.Auto)
	}},
	ComposedNeedsEveryPart: effectLaw{Func: func(op effect.Op, out effect.Out) law.Verdict {
		if op.Kind != effect.Plan || !out.OK || out.Verdict != gate.Allow {
			return law.Idle
		}
		for _, p := range op.Parts {
			if p.Secret || !(p.Own & call.Grantable).Within(op.Auto) {
				return law.Broken("a part %+v ran unasked under %v", p, op.Auto)
			}
		}
		return law.Holds
	}},
	AutoRunsWithin: effectLaw{Step: func(b gated, op effect.Op, out effect.Out, a gated) law.Verdict {
		switch {
		case op.Kind == effect.Plan && out.OK && out.Effects.Within(op.Auto&call.Grantable):
			return law.Check(out.Verdict == gate.Allow && a.Script.Held == b.Script.Held, "%v is within %v and was held", out.Effects, op.Auto)
		case op.Kind == effect.Settle && out.OK && heldSteps(b) == 0:
			return law.Check(a.Script.Phase == gate.Ready && a.Script.Asked == b.Script.Asked, "no step is held and the call is %v", a.Script.Phase)
		}
		return law.Idle
	}},
	HeldNeedsAYes: effectLaw{Step: func(b gated, op effect.Op, out effect.Out, a gated) law.Verdict {
		switch {
		case op.Kind == effect.Settle && out.OK && heldSteps(b) > 0:
			return law.Check(a.Script.Phase == gate.Asking && a.Script.Asked == b.Script.Asked+1, "%d steps are held and the call is %v", heldSteps(b), a.Script.Phase)
		case b.Script.Phase != gate.Asking || op.Kind == effect.Spend:
			return law.Idle
		case op.Kind == effect.Answer && op.Answer.Yes():
			return law.Check(a.Script.Phase == gate.Ready && int(a.Script.Yes) == heldSteps(b), "a yes left the call %v with %d of %d steps", a.Script.Phase, a.Script.Yes, heldSteps(b))
		case op.Kind == effect.Answer:
			return law.Check(a.Script.Phase == gate.Refused && a.Script.Yes == 0, "%v left the call %v", op.Answer, a.Script.Phase)
		}
		return law.Check(a.Script == b.Script, "%v moved a call that waits for an answer", op.Kind)
	}},
	GatePrefix: effectLaw{State: func(s gated) law.Verdict {
		if s.Order[0] == 0 {
			return law.Idle
		}
		last := uint8(0)
		for _, n := range s.Order {
			if n != 0 && (n <= last || uint16(n) > s.Script.Passed) {
				return law.Broken("ran %v of %d whose turn came", s.Order, s.Script.Passed)
			}
			last = max(last, n)
		}
		return law.Check(ranSteps(s) == int(s.Script.Ran) && s.Script.Ran+s.Script.Skipped <= s.Script.Passed && s.Script.Passed <= s.Script.Planned,
			"ran %v: %+v", s.Order, s.Script)
	}},
	GateNeedsYes: effectLaw{State: func(s gated) law.Verdict {
		ran := 0
		for _, n := range s.Order {
			if n != 0 && s.Fates[n-1].Held {
				ran++
			}
		}
		if ran == 0 {
			return law.Idle
		}
		return law.Check(ran <= int(s.Script.Yes) && int(s.Script.Yes) <= heldSteps(s), "%d gated steps ran, %d were approved", ran, s.Script.Yes)
	}},
	GateDenyStops: effectLaw{State: func(s gated) law.Verdict {
		if s.Script.Phase != gate.Refused {
			return law.Idle
		}
		first := int(s.At) - 1
		for first > 0 && !s.Fates[first].First {
			first--
		}
		for _, n := range s.Order {
			if n != 0 && int(n) > first {
				return law.Broken("step %d was refused (0: the whole call), its pipeline begins at %d, and %v ran", s.At, first+1, s.Order)
			}
		}
		return law.Check(s.At > 0 || s.Order[0] == 0, "the call was refused whole and %v ran", s.Order)
	}},
	GateFinishRunsAll: effectLaw{State: func(s gated) law.Verdict {
		if s.Script.Phase != gate.Finished {
			return law.Idle
		}
		return law.Check(ranSteps(s)+int(s.Script.Skipped) == int(s.Script.Planned), "%d steps were planned, %v ran, %d were left out", s.Script.Planned, s.Order, s.Script.Skipped)
	}},
}

// EffectBook lists the laws of Effect.
var EffectBook = law.Book[gated, effect.Op, effect.Out]("effect", &Effect)

// heldSteps counts the planned steps that need a yes; ranSteps those that ran.
func heldSteps(s gated) (n int) {
	for _, f := range s.Fates {
		if f.Held {
			n++
		}
	}
	return n
}

func ranSteps(s gated) (n int) {
	for _, ran := range s.Order {
		if ran != 0 {
			n++
		}
	}
	return n
}
