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
	// HeldNeedsAYes: a step not within the auto set runs only on a yes; otherwise the script stops there.
	HeldNeedsAYes effectLaw `law:"held_needs_a_yes" rule:"G2"`
	// GatePrefix: the steps that ran are a prefix of the script, in order.
	GatePrefix effectLaw `law:"gate_prefix" rule:"S7.8"`
	// GateNeedsYes: no more gated steps ran than were approved.
	GateNeedsYes effectLaw `law:"gate_needs_yes" rule:"S7.8"`
	// GateDenyStops: on a denial the steps of the earlier pipelines ran, the denied one, the rest of its pipeline and all later ones did not.
	GateDenyStops effectLaw `law:"gate_deny_stops" rule:"S7.8"`
	// GateFinishRunsAll: a script that finished ran every step.
	GateFinishRunsAll effectLaw `law:"gate_finish_runs_all" rule:"S7.8"`
}{
	StepHoldsEveryPart: effectLaw{Func: func(op effect.Op, out effect.Out) law.Verdict {
		if op.Kind != effect.Judge {
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
		if op.Kind != effect.Judge || !out.Effects.Has(call.Secret) {
			return law.Idle
		}
		return law.Check(op.Parts[0].Secret || op.Parts[1].Secret, "no part names a secret: %+v", op.Parts)
	}},
	SecretPathGivesSecret: effectLaw{Func: func(op effect.Op, out effect.Out) law.Verdict {
		if op.Kind != effect.Judge || !op.Parts[0].Secret && !op.Parts[1].Secret {
			return law.Idle
		}
		return law.Check(out.Effects.Has(call.Secret), "a part names a secret and the step may only %v", out.Effects)
	}},
	AutoNeedsEveryEffect: effectLaw{Func: func(op effect.Op, out effect.Out) law.Verdict {
		if op.Kind != effect.Judge || !out.OK || out.Effects.Within(op.Auto&call.Grantable) {
			return law.Idle
		}
		return law.Check(out.Verdict == gate.Ask, "%v ran unasked under %v", out.Effects, op.Auto)
	}},
	AutoNeverSensitive: effectLaw{Func: func(op effect.Op, out effect.Out) law.Verdict {
		if op.Kind != effect.Judge || !out.OK || !op.Parts[0].Secret && !op.Parts[1].Secret {
			return law.Idle
		}
		return law.Check(out.Verdict == gate.Ask, "a secret ran unasked under %v", op.Auto)
	}},
	ComposedNeedsEveryPart: effectLaw{Func: func(op effect.Op, out effect.Out) law.Verdict {
		if op.Kind != effect.Judge || !out.OK || out.Verdict != gate.Run {
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
		if op.Kind != effect.Judge || !out.OK || !out.Effects.Within(op.Auto&call.Grantable) {
			return law.Idle
		}
		runs := a.Script.Phase == gate.Ready && a.Script.Judged == b.Script.Judged+1 && a.Script.Asked == b.Script.Asked
		return law.Check(runs, "%v is within %v and was held", out.Effects, op.Auto)
	}},
	HeldNeedsAYes: effectLaw{Step: func(b gated, op effect.Op, out effect.Out, a gated) law.Verdict {
		switch {
		case op.Kind == effect.Judge && out.OK && !out.Effects.Within(op.Auto&call.Grantable):
			return law.Check(a.Script.Phase == gate.Asking && a.Script.Judged == b.Script.Judged, "%v under %v left the script %v", out.Effects, op.Auto, a.Script.Phase)
		case b.Script.Phase != gate.Asking:
			return law.Idle
		case op.Kind == effect.Answer && op.Answer == gate.Approved:
			return law.Check(a.Script.Phase == gate.Ready && a.Script.Judged == b.Script.Judged+1, "a yes left the script %v", a.Script.Phase)
		case op.Kind == effect.Answer:
			return law.Check(a.Script.Phase == gate.Refused && a.Script.Judged == b.Script.Judged, "%v left the script %v", op.Answer, a.Script.Phase)
		}
		return law.Check(a.Script == b.Script, "%v moved a script that waits for an answer", op.Kind)
	}},
	GatePrefix: effectLaw{State: func(s gated) law.Verdict {
		if s.Order[0] == 0 {
			return law.Idle
		}
		for i, n := range s.Order {
			if n != 0 && (int(n) != i+1 || n > s.Seen) {
				return law.Broken("ran %v of %d judged", s.Order, s.Seen)
			}
		}
		return law.Holds
	}},
	GateNeedsYes: effectLaw{State: func(s gated) law.Verdict {
		held, approved := 0, 0
		for i, f := range s.Fates {
			if f.Held && ranStep(s, i) {
				held++
			}
			if f.Held && f.Yes {
				approved++
			}
		}
		if held == 0 {
			return law.Idle
		}
		return law.Check(held <= approved && approved <= int(s.Script.Yes), "%d gated steps ran, %d were approved", held, approved)
	}},
	GateDenyStops: effectLaw{State: func(s gated) law.Verdict {
		if s.Refused == 0 {
			return law.Idle
		}
		first := int(s.Refused) - 1
		for first > 0 && !s.Fates[first].First {
			first--
		}
		return law.Check(ranSteps(s) == first, "step %d was refused, its pipeline begins at %d, and %v ran", s.Refused, first+1, s.Order)
	}},
	GateFinishRunsAll: effectLaw{State: func(s gated) law.Verdict {
		if s.Script.Phase != gate.Finished {
			return law.Idle
		}
		return law.Check(ranSteps(s) == int(s.Seen), "%d steps were judged and %v ran", s.Seen, s.Order)
	}},
}

// EffectBook lists the laws of Effect.
var EffectBook = law.Book[gated, effect.Op, effect.Out]("effect", &Effect)

// ranStep reports whether the step at an index ran; ranSteps counts those that did.
func ranStep(s gated, i int) bool {
	for _, n := range s.Order {
		if int(n) == i+1 {
			return true
		}
	}
	return false
}

func ranSteps(s gated) (n int) {
	for _, ran := range s.Order {
		if ran != 0 {
			n++
		}
	}
	return n
}
