package catalog

import (
	"slices"

	"tenet/adapters/provider"
	"tenet/core/event"
	"tenet/core/fallback"
)

// NoticeType is event.Notice.Type for the rows of a replaced auxiliary model.
const NoticeType = "tenet.fallback"

// Auxiliary chooses the model of each summary of one session (H7.1). It is not safe for
// several goroutines; a session has one, and a session that is opened again a new one,
// so that each row is shown once again.
type Auxiliary struct {
	Catalog *Catalog
	// Use is how the session's providers are used; its Run names the auxiliary model and
	// the models that are allowed.
	Use Use
	// Session is the selector of the session's own model.
	Session string
	// Listed are the selectors that this session is limited to; all without one.
	Listed []string

	told fallback.Told
}

// Choice is the model of one summary.
type Choice struct {
	// Provider writes it; nil is the session's own.
	Provider provider.Provider
	// Info is the model of Provider.
	Info Info
	// Notice is the row to show, nil when none is due.
	Notice *event.Notice
}

// Choose is the model for a summary of this purpose whose request and reply take need
// tokens.
func (a *Auxiliary) Choose(p fallback.Purpose, need int) Choice {
	facts, chosen := a.facts(need)
	why, used := fallback.Decide(facts)
	if used {
		return chosen
	}
	out := Choice{}
	if why == fallback.None {
		return out
	}
	if a.told == nil {
		a.told = fallback.Told{}
	}
	if n, due := a.told.Due(p, facts, a.Catalog.Secrets()); due {
		out.Notice = &event.Notice{Type: NoticeType, Text: n.Text, Key: n.Key}
	}
	return out
}

// facts is what speaks against the auxiliary model. Nothing of an error's text leaves
// this function: a server's address and a key may stand in it (law
// fallback_holds_no_secret).
func (a *Auxiliary) facts(need int) (fallback.Facts, Choice) {
	run, c := a.Use.Run, a.Catalog
	f := fallback.Facts{Selector: run.AuxiliaryModel, Not: map[fallback.Reason]bool{}}
	if f.Selector == "" {
		return f, Choice{}
	}
	i, err := c.Find(f.Selector)
	if own, ownErr := c.Find(a.Session); f.Selector == a.Session || err == nil && ownErr == nil && own.Selector == i.Selector {
		f.Same = true
		return f, Choice{}
	}
	f.Not[fallback.NotAllowed] = !a.allowed(i, err)
	f.Not[fallback.Unreadable] = c.Broken != nil
	f.Not[fallback.Unnamed] = err != nil
	if err != nil {
		return f, Choice{}
	}
	f.Not[fallback.NotListed] = len(a.Listed) > 0 && !slices.Contains(a.Listed, i.Selector) && !slices.Contains(a.Listed, i.ID)
	f.Not[fallback.TooSmall] = i.Context > 0 && need > i.Context
	use := a.Use
	use.Run.Allowed.Set, use.Run.Allowed.And = false, nil // whether it is allowed is known; here its key counts
	p, _, err := c.Open(f.Selector, use)
	f.Not[fallback.NoKey] = err != nil
	return f, Choice{Provider: p, Info: i}
}

// allowed reports whether the settings let the model be used; one that was not found
// goes by the name alone.
func (a *Auxiliary) allowed(i Info, err error) bool {
	if err != nil {
		name, id := split(a.Use.Run.AuxiliaryModel)
		return a.Use.Run.Allowed.Allows(name, id)
	}
	return a.Use.Run.Allowed.Allows(i.Provider, i.ID)
}
