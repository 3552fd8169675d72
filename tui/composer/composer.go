// Package composer is the line in which a person writes: an editor of several lines with a
// history, completion, and large pastes as chips.
//
// The text is kept as lines, and a key costs what it changes and what can be seen, however
// long the text is. Nothing here waits: names of files are looked for by a command, and come
// back as a message.
package composer

import (
	"context"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"tenet/tui/keys"
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
	// Pass: the key is none of the composer's; Action is what it does elsewhere.
	Pass
)

// Act is what a key came to.
type Act struct {
	Kind Kind
	// Text has what the chips hold in their places. Images are the paths of its images, in
	// the order of the text.
	Text   string
	Images []string
	// Name and Args are of a Slash: the name without its slash, the rest without the blanks
	// around it.
	Name, Args string
	// Action is of a Pass.
	Action keys.Action
}

// Command is a command that the line completes.
type Command struct {
	// Name has no slash. Args says which arguments it takes: empty when none, in brackets
	// when it runs without them too.
	Name, Args, Says, Keys string
}

// Options are what a composer is made of.
type Options struct {
	Theme *theme.Theme
	Keys  *keys.Map
	// History is what was sent before, the oldest first. A line for the shell begins with !.
	History []string
	// Commands are asked for when a line begins with a slash; nil for none.
	Commands func() []Command
	// Files are the paths that a name may mean, the best first; nil for none. It is called
	// outside of Update and ends when the context does.
	Files func(ctx context.Context, query string) []string
}

// Composer is the line.
type Composer struct {
	o           Options
	b           *buffer
	w, maxH     int
	top         spot
	busy, shell bool
	placeholder string
	// note is a word to the person, until the next key.
	note   string
	ring   ring
	past   past
	search *search
	list   *completion
	peek   *peek
	finder finder
	// sent is what was sent last, as it was.
	sent *draft
}

// New makes an empty one.
func New(o Options) *Composer {
	if o.Keys == nil {
		o.Keys = keys.Default()
	}
	c := &Composer{o: o, b: newBuffer(), w: 80, maxH: maxRows}
	for _, s := range o.History {
		c.past.add(s)
	}
	return c
}

// SetSize gives it at most w cells and maxH lines, popups included.
func (c *Composer) SetSize(w, maxH int) { c.w, c.maxH = max(1, w), max(1, maxH) }

// SetTheme changes its looks.
func (c *Composer) SetTheme(th *theme.Theme) { c.o.Theme = th }

// SetBusy says whether a turn runs: what Enter and Tab do depends on it.
func (c *Composer) SetBusy(busy bool) { c.busy = busy }

// Placeholder is what stands there while nothing is written.
func (c *Composer) Placeholder(s string) { c.placeholder = s }

// Text is what is written, with what the chips hold in their places, as Set takes it: a
// line for the shell begins with !, and a message that would begin like one with a blank.
func (c *Composer) Text() string {
	s := c.b.expand(c.b.text())
	if c.shell {
		return "!" + s
	}
	if strings.HasPrefix(s, "!") {
		return " " + s
	}
	return s
}

// told is a message that cannot be taken for a command or a line for the shell when it is
// taken up again: what a page said must not become one by way of the history.
func told(s string) string {
	if _, _, command := slash(s); command || strings.HasPrefix(s, "!") {
		return " " + s
	}
	return s
}

// Empty is true when nothing is written.
func (c *Composer) Empty() bool { return c.b.empty() && !c.shell }

// Popup is true while something is open that takes keys before the line does: a
// completion, the search in the history, the view into a chip.
func (c *Composer) Popup() bool { return c.search != nil || c.list != nil || c.peek != nil }

// Set replaces what is written, and can be undone. A text that begins with ! is a line for
// the shell. What a chip holds stays a chip; lines that are too long to edit become some.
func (c *Composer) Set(s string) {
	c.close()
	c.shell = false
	if rest, ok := cutMark(s); ok {
		c.shell, s = true, rest
	}
	folded, ok := c.b.refold(plain(s))
	if !ok {
		c.note = full
		return
	}
	c.b.setAll(folded)
}

// full is what people are told when there is no room for a text.
const full = "the text is too large for the line: write it to a file and name it with @"

// cutMark parts the mark of a line for the shell from it.
func cutMark(s string) (rest string, shell bool) { return strings.CutPrefix(s, "!") }

// Prepend puts a message that was taken back before what is written.
func (c *Composer) Prepend(s string) {
	if c.Empty() {
		c.Set(s)
		return
	}
	c.close()
	folded, ok := c.b.fold(plain(s), c.b.size)
	if !ok {
		c.note = full
		return
	}
	if c.shell { // a message must not become a line for the shell
		c.shell, folded = false, folded+"\n!"
	} else {
		folded += "\n"
	}
	c.b.edit(pos{}, pos{}, folded, editOther)
}

// Paste puts in a text as a whole: one of more than 2 KiB or 10 lines as a chip. The note
// is for the person, empty when there is nothing to say.
func (c *Composer) Paste(s string) (note string) {
	c.note = ""
	s = plain(s)
	switch {
	case c.search != nil:
		c.searchFor(c.search.query + oneLine(s))
		return ""
	case len(s) > chipBytes || lines(s) > chipLines || c.b.size+len(s) > maxTyped || len(c.b.lines[c.b.cur.line].s)+len(s) > lineBytes:
		s = c.b.add(chip{text: s})
	default:
		s = c.b.foreign(s)
	}
	if s == "" {
		c.note = full
		return full
	}
	c.list = nil
	c.change()
	c.b.insert(s, editOther)
	return ""
}

// AddImage puts in an image as a chip.
func (c *Composer) AddImage(path string) (note string) {
	s := c.b.add(chip{image: path})
	if s == "" {
		return full
	}
	c.close()
	c.b.insert(s, editOther)
	return ""
}

// change is before every change by a person: what was open for the old text goes.
func (c *Composer) change() {
	c.peek = nil
	c.ring.growing, c.ring.yanked = false, false
}

// close closes what is open.
func (c *Composer) close() {
	c.change()
	c.search, c.list = nil, nil
	c.finder.stop()
}

// Msg takes the result of a command of its own; any other message is nothing to it.
func (c *Composer) Msg(msg tea.Msg) tea.Cmd {
	if f, ok := msg.(found); ok {
		c.found(f)
	}
	return nil
}
