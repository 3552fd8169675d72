// Package fallback decides which model writes a summary: the auxiliary one that the
// settings name, or the session's own where that one cannot be used, and whether a
// person is told so (H7.1, H7.2).
package fallback

import "fmt"

// Purpose is what a summary is for.
type Purpose uint8

// The purposes.
const (
	Compaction    Purpose = iota // the context grew too long
	BranchSummary                // a branch of the conversation is left
)

var purposeNames = [...]string{"compaction", "branch summary"}

// String names the purpose as a notice does.
func (p Purpose) String() string { return purposeNames[p] }

// Purposes lists every purpose.
func Purposes() []Purpose { return []Purpose{Compaction, BranchSummary} }

// Reason is why the auxiliary model is not used.
type Reason uint8

// The reasons, in the order in which they are looked for; the first that holds is told.
const (
	None       Reason = iota // it is used, or none is set, or it is the session's own
	NotAllowed               // allowedModels does not include it
	Unreadable               // the list of models cannot be read
	Unnamed                  // no model with a configured key has this name
	NoKey                    // its key was not found
	NotListed                // the session's own list does not include it
	TooSmall                 // its context window is too small for the request
)

var reasonTexts = [...]string{
	"", "allowedModels does not include it", "the list of available models cannot be read", "no model with a configured key has this name",
	"its API key was not found", "the models of this session do not include it", "its context window is too small for this request",
}

// String is the reason as a notice tells it: one of a closed set of sentences, so that
// nothing of what failed gets into it.
func (r Reason) String() string { return reasonTexts[r] }

// Reasons lists every reason but None, in the order in which they are looked for.
func Reasons() []Reason { return []Reason{NotAllowed, Unreadable, Unnamed, NoKey, NotListed, TooSmall} }

// Facts are what is known of the auxiliary model when a summary is due. The zero value
// is a session without one.
type Facts struct {
	// Selector is the auxiliary model as the settings name it; empty for none.
	Selector string
	// Same is true when it is the session's own model.
	Same bool
	// Not holds the reasons against it that are true, whatever their order.
	Not map[Reason]bool
}

// Decide is why the session's own model writes the summary in place of the auxiliary
// one; None when the auxiliary one does, and when there is none to replace. used is
// true when the auxiliary model writes it.
func Decide(f Facts) (why Reason, used bool) {
	if f.Selector == "" || f.Same {
		return None, false
	}
	for _, r := range Reasons() {
		if f.Not[r] {
			return r, false
		}
	}
	return None, true
}

// Row is what a session was told once: a purpose, a model and a reason.
type Row struct {
	Purpose  Purpose
	Selector string
	Reason   Reason
}

// Told are the rows that a session has shown since it was opened. It stays in memory:
// a session that is opened again shows each row once again (H7.2).
type Told map[Row]bool

// Notice is the row to show.
type Notice struct {
	// Text is the sentence for a person, Key names the row in records. Neither holds
	// anything but the purpose, the reason's own sentence and the selector, which is
	// hidden when it looks like a key (law fallback_holds_no_secret).
	Text, Key string
}

// Due is the notice to show now, if one is: a model was replaced, and this session was
// not told of this purpose, model and reason yet. It counts as told from now on.
// secrets are the keys that are known, which no notice may hold.
func (t Told) Due(p Purpose, f Facts, secrets []string) (Notice, bool) {
	why, _ := Decide(f)
	row := Row{p, f.Selector, why}
	if why == None || t[row] {
		return Notice{}, false
	}
	t[row] = true
	shown := Shown(f.Selector, secrets)
	return Notice{
		Text: fmt.Sprintf("The session's own model writes the %s, not the auxiliary model %s: %s.", p, shown, why),
		Key:  fmt.Sprintf("%s/%d/%s", p, why, shown),
	}, true
}
