// Package keys says which key does what: a closed list of actions, the keys that they have
// at first, and the file in which a person changes them.
package keys

// Action is something that a key can do. The zero value is no action.
type Action uint8

// The actions, in the order in which help lists them.
const (
	None Action = iota

	// Everywhere.
	Cancel
	Clear
	Quit
	Palette
	Help
	Expand
	Todo
	Sidebar
	Profile
	Redraw
	Suspend
	Search
	New
	Sessions
	Fork
	Models
	Themes
	Undo
	Rewind
	Diff
	Jobs
	Permissions
	ContextUse
	Why
	Audit
	Export
	CopyAnswer
	Mouse

	// The line that is written.
	Send
	Queue
	Newline
	Editor
	HistorySearch
	TakeBack
	Older
	Newer
	Focus
	ShowChip
	Left
	Right
	WordLeft
	WordRight
	LineStart
	LineEnd
	TextStart
	TextEnd
	DeleteBack
	DeleteForward
	KillToEnd
	KillToStart
	KillWordBack
	KillWord
	Yank
	YankPop
	UndoEdit
	RedoEdit

	// The transcript.
	PageUp
	PageDown
	First
	Last
	ScrollUp
	ScrollDown
	HalfUp
	HalfDown
	ItemUp
	ItemDown
	Toggle
	NextMatch
	PreviousMatch
	Copy
	Explain
	Compose

	// Cards.
	CardOnce
	CardSession
	CardAlways
	CardDeny
	CardDetails
	CardExplain
	CardFull
	CardDiff
	CardUp
	CardDown
	CardPageUp
	CardPageDown

	// Menus.
	MenuUp
	MenuDown
	MenuPageUp
	MenuPageDown
	MenuFirst
	MenuLast
	MenuChoose
	MenuClose

	actions
)

// Context is where a key is pressed.
type Context uint8

// The contexts. What Anywhere has counts in each of the others that has not given the key
// to something of its own.
const (
	Anywhere Context = iota
	Composer
	Transcript
	Card
	Menu

	contexts
)

var contextNames = [contexts]string{"Anywhere", "The line", "The transcript", "Cards", "Menus"}

// String is the context's heading in help.
func (c Context) String() string { return contextNames[c] }

// Actions lists every action, in the order of help.
func Actions() []Action {
	out := make([]Action, 0, actions-1)
	for a := None + 1; a < actions; a++ {
		out = append(out, a)
	}
	return out
}

// String is the action's name in the file.
func (a Action) String() string { return table[a].name }

// Says is one sentence on what the action does.
func (a Action) Says() string { return table[a].says }

// In is the context whose keys the action has.
func (a Action) In() Context { return table[a].in }

// Named finds an action by its name in the file.
func Named(name string) (Action, bool) {
	for _, a := range Actions() {
		if a.String() == name {
			return a, true
		}
	}
	return None, false
}

// Allows is true for the answers to a card that let something happen.
func (a Action) Allows() bool {
	return a == CardOnce || a == CardSession || a == CardAlways
}
