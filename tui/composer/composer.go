// Package composer is the line in which a person writes: an editor of several lines with a
// history, completion, and large pastes as chips.
package composer

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"tenet/tui/keys"
	"tenet/tui/text"
	"tenet/tui/theme"
)

// Kind is what a key came to.
type Kind uint8

// The kinds of acts.
const (
	// None: the key was the composer's own, or did nothing.
	None Kind = iota
	// Send: Text is to be sent; while a turn runs it steers the turn.
	Send
	// Queue: Text is to be sent after the turn.
	Queue
	// Shell: Text is a line for the shell, the person's own act.
	Shell
	// Slash: Name and Args are a command.
	Slash
	// TakeBack: the last queued message is wanted back; Prepend puts it in.
	TakeBack
	// Edit: the text is wanted in an editor; Set takes what comes back.
	Edit
	// Show: Text is what a chip holds.
	Show
	// Pass: the key is none of the composer's; Action is what it does elsewhere.
	Pass
)

// Act is what a key came to.
type Act struct {
	Kind       Kind
	Text       string
	Images     []string
	Name, Args string
	Action     keys.Action
	// Note is a word to the person, such as what was too large.
	Note string
}

// Command is a command that the line completes.
type Command struct {
	// Name has no slash. Args says which arguments it takes, empty when none.
	Name, Args, Says, Keys string
}

// Options are what a composer is made of.
type Options struct {
	Theme    *theme.Theme
	Keys     *keys.Map
	History  []string // the oldest first
	Commands func() []Command
	Files    func(ctx context.Context, query string) []string
}

// Composer is the line.
type Composer struct {
	o    Options
	w, h int
	text string
}

// New makes an empty one.
func New(o Options) *Composer { return &Composer{o: o, w: 80, h: 1} }

// SetSize gives it at most w cells and maxH lines.
func (c *Composer) SetSize(w, maxH int) { c.w, c.h = w, maxH }

// SetTheme changes its looks.
func (c *Composer) SetTheme(th *theme.Theme) { c.o.Theme = th }

// Key takes a key.
func (c *Composer) Key(k tea.KeyMsg) (Act, tea.Cmd) {
	switch k.Type {
	case tea.KeyRunes, tea.KeySpace:
		c.text += string(k.Runes)
	case tea.KeyEnter:
		t := c.text
		c.text = ""
		return Act{Kind: Send, Text: t}, nil
	}
	return Act{}, nil
}

// Do does an action that is not one key, such as one of two keys.
func (c *Composer) Do(a keys.Action) (Act, tea.Cmd) { return Act{Kind: Pass, Action: a}, nil }

// Msg takes the result of a command of its own.
func (c *Composer) Msg(msg tea.Msg) tea.Cmd { return nil }

// Paste puts in a text as a whole; a large one becomes a chip. The note is for the person,
// empty when there is nothing to say.
func (c *Composer) Paste(s string) (note string) { c.text += s; return "" }

// AddImage puts in an image as a chip.
func (c *Composer) AddImage(path string) (note string) { return "" }

// Prepend puts a message before what is written.
func (c *Composer) Prepend(s string) { c.text = s + c.text }

// Text is what is written, chips as their text.
func (c *Composer) Text() string { return c.text }

// Set replaces what is written.
func (c *Composer) Set(s string) { c.text = s }

// Empty is true when nothing is written.
func (c *Composer) Empty() bool { return c.text == "" }

// Popup is true while something is open that takes keys: a completion, a search.
func (c *Composer) Popup() bool { return false }

// SetBusy says whether a turn runs.
func (c *Composer) SetBusy(busy bool) {}

// Placeholder is what stands there while nothing is written.
func (c *Composer) Placeholder(s string) {}

// Remember adds to the history.
func (c *Composer) Remember(s string) {}

// Height is how many lines View has.
func (c *Composer) Height() int { return 1 }

// View draws it: Height lines of at most the width.
func (c *Composer) View() string { return text.Pad("> "+c.text, c.w) }
