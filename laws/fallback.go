package laws

import (
	"strings"

	core "tenet/core/fallback"
	"tenet/laws/law"
	"tenet/models/fallback"
)

type fallbackLaw = law.Law[fallback.State, fallback.Op, fallback.Out]

// Fallback: which model writes a summary, and when a person is told that it is not the
// one that was set (H7.1, H7.2).
var Fallback = struct {
	// IsReported: when the session's model writes in place of an auxiliary one, that is shown once per session, purpose, selector and first reason, with all three in the text.
	IsReported fallbackLaw `law:"fallback_is_reported" rule:"H7.1"`
	// QuietWhenRouted: the auxiliary model is used where nothing speaks against it, and then nothing is shown.
	QuietWhenRouted fallbackLaw `law:"fallback_quiet_when_routed" rule:"H7.1"`
	// QuietWhenUnset: without an auxiliary model nothing is shown.
	QuietWhenUnset fallbackLaw `law:"fallback_quiet_when_unset" rule:"H7.1"`
	// QuietWhenSame: an auxiliary model that is the session's own is no substitution, and nothing is shown.
	QuietWhenSame fallbackLaw `law:"fallback_quiet_when_same" rule:"H7.1"`
	// HoldsNoSecret: no notice holds a key, not even where one was written in place of the model's name.
	HoldsNoSecret fallbackLaw `law:"fallback_holds_no_secret" rule:"H7.1"`
}{
	IsReported: fallbackLaw{Step: func(s fallback.State, o fallback.Op, out fallback.Out, after fallback.State) law.Verdict {
		why := firstAgainst(o)
		if o.Reopen || !another(o) || why == core.None {
			return law.Idle
		}
		row := fallback.Row(o.Purpose, o.Selector, why)
		switch {
		case out.Used:
			return law.Broken("%+v: the auxiliary model writes although %s", o, why)
		case out.Noticed == s.Has(row) || !after.Has(row):
			return law.Broken("%+v: shown before %v, shown now %v, shown after %v", o, s.Has(row), out.Noticed, after.Has(row))
		case out.Noticed && !(strings.Contains(out.Text, why.String()) && strings.Contains(out.Text, o.Purpose.String()) && namesModel(out.Text, o)):
			return law.Broken("%+v: %q says not what was replaced for what, and why", o, out.Text)
		}
		return law.Check(out.Noticed || after == s, "%+v: something else counts as shown", o)
	}},
	QuietWhenRouted: fallbackLaw{Step: func(s fallback.State, o fallback.Op, out fallback.Out, after fallback.State) law.Verdict {
		if o.Reopen || !another(o) || firstAgainst(o) != core.None {
			return law.Idle
		}
		return law.Check(out.Used && !out.Noticed && after == s, "%+v: used %v, shown %q", o, out.Used, out.Text)
	}},
	QuietWhenUnset: fallbackLaw{Step: func(s fallback.State, o fallback.Op, out fallback.Out, after fallback.State) law.Verdict {
		if o.Reopen || fallback.Selectors[o.Selector] != "" {
			return law.Idle
		}
		return law.Check(!out.Used && !out.Noticed && after == s, "%+v: used %v, shown %q", o, out.Used, out.Text)
	}},
	QuietWhenSame: fallbackLaw{Step: func(s fallback.State, o fallback.Op, out fallback.Out, after fallback.State) law.Verdict {
		if o.Reopen || fallback.Selectors[o.Selector] != fallback.Session {
			return law.Idle
		}
		return law.Check(!out.Used && !out.Noticed && after == s, "%+v: used %v, shown %q", o, out.Used, out.Text)
	}},
	HoldsNoSecret: fallbackLaw{Step: func(_ fallback.State, o fallback.Op, out fallback.Out, _ fallback.State) law.Verdict {
		if !out.Noticed {
			return law.Idle
		}
		for _, key := range fallback.Keys {
			if piece := pieceOf(out.Text+" "+out.Key, key); piece != "" {
				return law.Broken("%+v: %q of a key stands in %q, %q", o, piece, out.Text, out.Key)
			}
		}
		return law.Holds
	}},
}

// FallbackBook lists them.
var FallbackBook = law.Book[fallback.State, fallback.Op, fallback.Out]("fallback", &Fallback)

// another reports whether an auxiliary model is set that is not the session's own.
func another(o fallback.Op) bool {
	s := fallback.Selectors[o.Selector]
	return s != "" && s != fallback.Session
}

// firstAgainst is the first reason that speaks against the model: its bits are in the order in
// which they are looked for.
func firstAgainst(o fallback.Op) core.Reason {
	for i := range 6 {
		if o.Not>>i&1 == 1 {
			return core.Reason(i + 1)
		}
	}
	return core.None
}

// namesModel reports whether a text names the model, or hides what looks like a key.
func namesModel(text string, o fallback.Op) bool {
	s := fallback.Selectors[o.Selector]
	for _, key := range fallback.Keys {
		if strings.Contains(s, key) {
			return strings.Contains(text, "hidden")
		}
	}
	return strings.Contains(text, s)
}

// pieceOf is a piece of a key of six characters or more that stands in a text.
func pieceOf(text, key string) string {
	const piece = 6
	for i := 0; i+piece <= len(key); i++ {
		if strings.Contains(text, key[i:i+piece]) {
			return key[i : i+piece]
		}
	}
	return ""
}
