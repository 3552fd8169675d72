package composer

import (
	"strings"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"

	"tenet/tui/keys"
)

// Key takes a key. The command, when there is one, looks for names of files.
func (c *Composer) Key(k tea.KeyMsg) (Act, tea.Cmd) {
	c.note = ""
	if k.Paste {
		c.Paste(string(k.Runes))
		return Act{}, c.refresh()
	}
	if typed := k.Type == tea.KeyRunes || k.Type == tea.KeySpace; typed && !k.Alt {
		return c.typed(string(k.Runes))
	}
	name := keys.Of(k.String())
	a, ok := c.o.Keys.Lookup(keys.Composer, name)
	if ok && a == keys.Quit && !c.b.empty() {
		a = keys.DeleteForward // what Ctrl+D is while something is written
	}
	if c.Popup() {
		if act, cmd, taken := c.popup(a, name); taken {
			return act, cmd
		}
	}
	if t, there := c.o.Keys.Lookup(keys.Transcript, name); there && c.Empty() && (t == keys.First || t == keys.Last) {
		return c.pass(t) // Home and End are the transcript's while nothing is written
	}
	if !ok {
		return Act{}, nil
	}
	return c.Do(a)
}

// typed puts in what was typed.
func (c *Composer) typed(s string) (Act, tea.Cmd) {
	switch {
	case c.search != nil:
		c.searchFor(c.search.query + oneLine(s))
		return Act{}, nil
	case c.Empty() && s == "!":
		c.change()
		c.shell = true
		return Act{}, nil
	case c.Empty() && c.helps(s):
		return Act{Kind: Pass, Action: keys.Help}, nil
	case c.b.size+len(s) > maxTyped:
		c.note = full
		return Act{}, nil
	}
	c.change()
	c.b.insert(c.b.foreign(plain(s)), editType)
	return Act{}, c.refresh()
}

// helps is true for the character that asks for help when nothing is written.
func (c *Composer) helps(s string) bool {
	a, ok := c.o.Keys.Lookup(keys.Transcript, s)
	return ok && a == keys.Help
}

// moves are the actions that only move the cursor.
var moves = map[keys.Action]func(*buffer, pos) pos{
	keys.Left: (*buffer).left, keys.Right: (*buffer).right,
	keys.WordLeft: (*buffer).wordLeft, keys.WordRight: (*buffer).wordRight,
	keys.LineStart: (*buffer).lineStart, keys.LineEnd: (*buffer).lineEnd,
	keys.TextStart: func(*buffer, pos) pos { return pos{} },
	keys.TextEnd:   func(b *buffer, _ pos) pos { return b.end() },
}

// cuts are the actions that cut from the cursor to another place.
var cuts = map[keys.Action]func(*buffer, pos) pos{
	keys.KillToEnd:    (*buffer).killEnd,
	keys.KillToStart:  (*buffer).killStart,
	keys.KillWord:     (*buffer).wordRight,
	keys.KillWordBack: (*buffer).blankLeft,
}

// killEnd is the end of the line; at the end, the start of the next one.
func (b *buffer) killEnd(p pos) pos {
	if end := b.lineEnd(p); end != p {
		return end
	}
	return b.right(p)
}

// killStart is the start of the line; at the start, the end of the line before.
func (b *buffer) killStart(p pos) pos {
	if start := b.lineStart(p); start != p {
		return start
	}
	return b.left(p)
}

// others are the actions that are neither.
var others map[keys.Action]func(*Composer) (Act, tea.Cmd)

func init() {
	others = map[keys.Action]func(*Composer) (Act, tea.Cmd){
		keys.Send: (*Composer).send, keys.Queue: (*Composer).queue, keys.Newline: (*Composer).newline,
		keys.Older: (*Composer).up, keys.Newer: (*Composer).down,
		keys.DeleteBack: (*Composer).deleteBack, keys.DeleteForward: (*Composer).deleteForward,
		keys.Yank: (*Composer).yank, keys.YankPop: (*Composer).yankPop,
		keys.UndoEdit: (*Composer).undo, keys.RedoEdit: (*Composer).redo,
		keys.HistorySearch: (*Composer).openSearch, keys.ShowChip: (*Composer).showChip,
		keys.Editor:   func(c *Composer) (Act, tea.Cmd) { return Act{Kind: Edit, Text: c.Text()}, nil },
		keys.TakeBack: func(*Composer) (Act, tea.Cmd) { return Act{Kind: TakeBack}, nil },
		keys.Clear:    (*Composer).clear, keys.Cancel: (*Composer).cancel,
	}
}

// Do does an action, such as one of two keys that follow one another. One that is not the
// composer's comes back as a Pass.
func (c *Composer) Do(a keys.Action) (Act, tea.Cmd) {
	if move, ok := moves[a]; ok {
		c.change()
		c.b.moveTo(move(c.b, c.b.cur))
		return Act{}, c.refresh()
	}
	if cut, ok := cuts[a]; ok {
		return c.kill(cut)
	}
	if do, ok := others[a]; ok {
		return do(c)
	}
	return c.pass(a)
}

// pass hands an action on.
func (c *Composer) pass(a keys.Action) (Act, tea.Cmd) { return Act{Kind: Pass, Action: a}, nil }

func (c *Composer) kill(to func(*buffer, pos) pos) (Act, tea.Cmd) {
	growing := c.ring.growing
	c.change()
	c.ring.growing = growing
	here := c.b.cur
	if p := to(c.b, here); p.before(here) {
		c.b.kill(&c.ring, p, here, false)
	} else {
		c.b.kill(&c.ring, here, p, true)
	}
	c.ring.growing = true
	return Act{}, c.refresh()
}

func (c *Composer) yank() (Act, tea.Cmd) {
	c.change()
	c.ring.yanked = c.b.yank(&c.ring)
	return Act{}, c.refresh()
}

func (c *Composer) yankPop() (Act, tea.Cmd) {
	yanked := c.ring.yanked
	c.change()
	c.ring.yanked = yanked
	c.b.yankPop(&c.ring)
	return Act{}, c.refresh()
}

func (c *Composer) undo() (Act, tea.Cmd) {
	c.change()
	c.b.back()
	return Act{}, c.refresh()
}

func (c *Composer) redo() (Act, tea.Cmd) {
	c.change()
	c.b.again()
	return Act{}, c.refresh()
}

func (c *Composer) newline() (Act, tea.Cmd) {
	c.change()
	c.b.insert("\n", editType)
	return Act{}, c.refresh()
}

func (c *Composer) deleteBack() (Act, tea.Cmd) {
	c.change()
	if c.b.empty() {
		c.shell = false
	}
	c.b.edit(c.b.left(c.b.cur), c.b.cur, "", editDelete)
	return Act{}, c.refresh()
}

func (c *Composer) deleteForward() (Act, tea.Cmd) {
	c.change()
	c.b.edit(c.b.cur, c.b.right(c.b.cur), "", editOther)
	return Act{}, c.refresh()
}

// clear empties the line; undo brings the text back.
func (c *Composer) clear() (Act, tea.Cmd) {
	if c.Empty() {
		return c.pass(keys.Clear)
	}
	c.Set("")
	c.past.leave()
	return Act{}, nil
}

func (c *Composer) cancel() (Act, tea.Cmd) {
	if c.shell && c.b.empty() {
		c.shell = false
		return Act{}, nil
	}
	return c.pass(keys.Cancel)
}

// lines is how many lines a text has; one end of a line at its end begins no other.
func lines(s string) int { return strings.Count(strings.TrimSuffix(s, "\n"), "\n") + 1 }

// oneLine is a text for a field of one line.
func oneLine(s string) string {
	s = strings.ReplaceAll(plain(s), "\n", " ")
	if len(s) > maxQuery {
		s = s[:maxQuery]
		for !utf8.ValidString(s) {
			s = s[:len(s)-1]
		}
	}
	return s
}

const maxQuery = 256
