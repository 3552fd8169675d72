package composer

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"tenet/tui/keys"
)

// The bounds of what is remembered.
const (
	maxPast      = 1000
	maxPastBytes = 4 << 20
)

// past is what was sent before.
type past struct {
	sent  []string // the oldest first
	bytes int
	// back is how far one looks back, 0 at what is written. shown is the version of the
	// text as it was recalled, edited what was changed of the texts that were looked at, by
	// how far back they lie: what is written, at 0, is one of them.
	back   int
	shown  int
	edited map[int]draft
}

// add remembers a text without the blanks around it, once when it comes again at once.
func (p *past) add(s string) {
	plain := strings.TrimSpace(s)
	if plain == "" || len(plain) > maxPastBytes {
		return
	}
	if s[0] == ' ' {
		plain = told(plain)
	}
	s = plain
	if n := len(p.sent); n > 0 && p.sent[n-1] == s {
		return
	}
	p.sent = append(p.sent, s)
	p.bytes += len(s)
	for len(p.sent) > maxPast || p.bytes > maxPastBytes {
		p.bytes -= len(p.sent[0])
		p.sent = slices.Delete(p.sent, 0, 1)
	}
}

// leave is what is written from now on, wherever it came from.
func (p *past) leave() { p.back, p.edited = 0, nil }

// Remember adds a text to the history: one that was not sent from this line.
func (c *Composer) Remember(s string) {
	c.past.add(s)
	if c.past.back > 0 { // what was looked at lies one further back now
		moved := map[int]draft{}
		for at, d := range c.past.edited {
			if at > 0 {
				at++
			}
			moved[at] = d
		}
		c.past.back, c.past.edited = c.past.back+1, moved
	}
}

// History replaces what was sent before, of another project for example.
func (c *Composer) History(sent []string) {
	c.past = past{}
	for _, s := range sent {
		c.past.add(s)
	}
}

// up goes a row up, and from the first one back in the history.
func (c *Composer) up() (Act, tea.Cmd) {
	c.change()
	if !c.b.vertical(-1, c.usable()) {
		c.lookBack(1)
	}
	return Act{}, nil
}

// down goes a row down, and from the last one forth in the history.
func (c *Composer) down() (Act, tea.Cmd) {
	c.change()
	switch {
	case c.b.vertical(1, c.usable()):
	case c.past.back > 0:
		c.lookBack(-1)
	default:
		c.b.moveTo(c.b.end())
	}
	return Act{}, nil
}

// lookBack shows what was sent n texts before what is shown. What was written or changed is
// kept, and comes back in its place.
func (c *Composer) lookBack(n int) {
	to := c.past.back + n
	if to > len(c.past.sent) {
		return
	}
	c.keep()
	c.past.back = to
	if d, ok := c.past.edited[to]; ok {
		c.show(d)
		if to == 0 {
			c.past.leave()
		}
		return
	}
	c.recall(c.past.sent[len(c.past.sent)-to])
}

// keep keeps what is shown when it is what is written, or was changed.
func (c *Composer) keep() {
	if c.past.back > 0 && c.b.version == c.past.shown {
		return
	}
	if c.past.edited == nil {
		c.past.edited = map[int]draft{}
	}
	c.past.edited[c.past.back] = draft{c.b, c.shell}
}

// show shows a text as it was left.
func (c *Composer) show(d draft) {
	version := c.b.version
	c.b, c.shell, c.top = d.b, d.shell, spot{}
	c.b.version = version + 1
}

// recall shows a text of the history in a buffer of its own.
func (c *Composer) recall(s string) {
	c.shell = false
	if rest, ok := cutMark(s); ok {
		c.shell, s = true, rest
	}
	c.show(draft{newBuffer(), c.shell})
	folded, _ := c.b.fold(s, 0)
	c.b.replace(pos{}, pos{}, folded)
	c.past.shown = c.b.version
}

// search is the search in the history.
type search struct {
	query string
	// at is how far back the text is that is shown, 0 when none is.
	at    int
	draft draft
}

// openSearch begins to search, or goes on to an older text.
func (c *Composer) openSearch() (Act, tea.Cmd) {
	c.close()
	c.search = &search{draft: draft{c.b, c.shell}}
	return Act{}, nil
}

// searchFor looks for other words, from the newest text on.
func (c *Composer) searchFor(query string) {
	c.search.query = query
	c.search.at = 0
	c.older()
}

// older goes to the next older text that has the words; it stays where it is without one.
func (c *Composer) older() {
	for at := c.search.at + 1; at <= len(c.past.sent); at++ {
		if c.has(at) {
			c.search.at = at
			c.recall(c.past.sent[len(c.past.sent)-at])
			return
		}
	}
	if c.search.at == 0 {
		c.show(c.search.draft)
	}
}

// newer goes to the next newer one.
func (c *Composer) newer() {
	for at := c.search.at - 1; at > 0; at-- {
		if c.has(at) {
			c.search.at = at
			c.recall(c.past.sent[len(c.past.sent)-at])
			return
		}
	}
}

// has is true when the text that lies so far back has the words that are searched for; no
// words are in none.
func (c *Composer) has(at int) bool {
	s, q := c.past.sent[len(c.past.sent)-at], c.search.query
	if q == "" || len(q) > len(s) {
		return false
	}
	if strings.ToLower(q) == q {
		s = strings.ToLower(s[:min(len(s), lineBytes)])
	}
	return strings.Contains(s, q)
}

// searching takes a key while the history is searched: Enter and what moves take the text,
// Esc leaves it.
func (c *Composer) searching(a keys.Action, name string) (Act, tea.Cmd, bool) {
	q := c.search.query
	switch {
	case a == keys.HistorySearch, a == keys.Older:
		c.older()
	case a == keys.Newer, name == "ctrl+s":
		c.newer()
	case a == keys.DeleteBack && q != "":
		c.searchFor(q[:before(q, len(q))])
	case a == keys.KillToStart, a == keys.KillWordBack:
		c.searchFor("")
	case a == keys.Cancel, a == keys.Clear, a == keys.DeleteBack, name == "ctrl+g":
		c.show(c.search.draft)
		c.search = nil
	default:
		return c.take(a)
	}
	return Act{}, nil, true
}

// take ends the search with the text that it found. What was written before is where one
// looks back from.
func (c *Composer) take(a keys.Action) (Act, tea.Cmd, bool) {
	s := c.search
	c.search = nil
	if s.at > 0 {
		found := draft{c.b, c.shell}
		c.b, c.shell = s.draft.b, s.draft.shell
		c.keep()
		c.b, c.shell = found.b, found.shell
		c.past.back, c.past.shown = s.at, c.b.version
	}
	return Act{}, nil, a == keys.Send || a == keys.Queue
}
