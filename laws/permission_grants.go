package laws

import (
	"tenet/laws/law"
	"tenet/models/settings"
)

type grantLaw = law.Law[settings.State, settings.Op, settings.Out]

// Grants: what an always leaves behind, whatever is killed (seed 4 §6.2).
var Grants = struct {
	// GrantSurvivesRestart: an always that was acknowledged is in force after every restart, until another program writes the file or the person takes the trust away.
	GrantSurvivesRestart grantLaw `law:"grant_survives_restart" rule:"2/6.2"`
	// GrantWriteIsAtomic: a grant leaves the project's file as it was or as it was to become, whenever it is killed; a file that counted counts afterwards, one that holds the untrusted rules of others is never written, and when the grant ends only the new file is trusted.
	GrantWriteIsAtomic grantLaw `law:"grant_write_is_atomic" rule:"2/6.2"`
	// TrustIsSaid: no file of a project becomes trusted but the one that the person was shown, and the one that a grant of the person makes out of a file that counted or was empty.
	TrustIsSaid grantLaw `law:"trust_is_said" rule:"S4"`
	// TrustIsOfBytes: no rule of a project counts whole but those of a file whose very bytes the user trusts.
	TrustIsOfBytes grantLaw `law:"trust_is_of_bytes" rule:"S4"`
}{
	GrantSurvivesRestart: grantLaw{State: func(s settings.State) law.Verdict {
		if !s.First && !s.Second {
			return law.Idle
		}
		for _, r := range []settings.Rule{settings.First, settings.Second} {
			if s.Acked(r) && !s.InForce().Has(r) {
				return law.Broken("grant %d was acknowledged, and of %v with %b trusted %v is in force", r, s.File.List(), s.Trusted, s.InForce().List())
			}
		}
		return law.Holds
	}},
	GrantWriteIsAtomic: grantLaw{Step: func(b settings.State, op settings.Op, out settings.Out, a settings.State) law.Verdict {
		if op.Kind != settings.Grant {
			return law.Idle
		}
		next := b.File.With(op.Rule)
		counted := b.File == 0 || b.Trusted.Has(b.File)
		switch {
		case !counted:
			return law.Check(out == settings.Refused && a == b, "a grant in an untrusted file %v: %v, then %v", b.File.List(), out, a.File.List())
		case out == settings.Done:
			return law.Check(a.File == next && a.Trusted == settings.Only(next), "a grant ended, and the file is %v, %b trusted", a.File.List(), a.Trusted)
		case a.File != b.File && a.File != next:
			return law.Broken("a grant was killed, and the file is %x: neither %x nor %x", a.File, b.File, next)
		}
		return law.Check(a.File == 0 || a.Trusted.Has(a.File), "a grant was killed, and %v counts no more", a.File.List())
	}},
	TrustIsSaid: grantLaw{Step: func(b settings.State, op settings.Op, _ settings.Out, a settings.State) law.Verdict {
		more := a.Trusted.Minus(b.Trusted)
		if more == 0 {
			return law.Idle
		}
		switch op.Kind {
		case settings.Trust:
			return law.Check(more == settings.Only(b.File), "shown was %v, trusted is %b", b.File.List(), more)
		case settings.Grant:
			counted := b.File == 0 || b.Trusted.Has(b.File)
			return law.Check(counted && more == settings.Only(b.File.With(op.Rule)), "a grant in %v made %b trusted", b.File.List(), more)
		case settings.Foreign, settings.Untrust:
		}
		return law.Broken("%+v made %b trusted", op, more)
	}},
	TrustIsOfBytes: grantLaw{State: func(s settings.State) law.Verdict {
		if s.File == 0 || s.Trusted == 0 {
			return law.Idle
		}
		return law.Check(s.InForce() == 0 || s.Trusted.Has(s.File), "%v is in force, trusted is %b", s.File.List(), s.Trusted)
	}},
}

// GrantsBook is the laws of standing grants; they belong to the area permission.
var GrantsBook = law.Book[settings.State, settings.Op, settings.Out]("permission", &Grants)
