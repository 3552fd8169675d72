package composer

import (
	"context"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"tenet/core/call"
	"tenet/tui/keys"
	"tenet/tui/menu"
	"tenet/tui/text"
)

// completion is a list of what a word may become.
type completion struct {
	// commands is true for a list of commands, else it is of files.
	commands bool
	// from is where the word begins, at its @ or slash; query is what stands behind that.
	from  pos
	query string
	rows  []choice
	sel   int
	top   int
	// raw are the files as they came, before the query went on.
	raw []string
	// waits is true until the first answer to this query.
	waits bool
}

// choice is one row: what it becomes, how it is drawn, and what of that was found.
type choice struct {
	value, shown string
	at           []int
	score        int
	command      *Command
}

// maxChoices bounds what is listed.
const maxChoices = 200

// finder looks for names of files, one search at a time.
type finder struct {
	id     int
	query  string
	cancel context.CancelFunc
	// closed is where a word begins whose list was closed; ok is false when none was.
	closed pos
	ok     bool
}

func (f *finder) stop() {
	if f.cancel != nil {
		f.cancel()
	}
	f.cancel, f.query = nil, ""
	f.id++
}

// found is an answer to a search for names.
type found struct {
	id    int
	query string
	paths []string
}

// findWithin bounds one search.
const findWithin = 5 * time.Second

// refresh looks at the word before the cursor after a change.
func (c *Composer) refresh() tea.Cmd {
	if c.past.back > 0 && c.b.version == c.past.shown || c.shell {
		c.list = nil
		return nil
	}
	if from, query, ok := c.slashWord(); ok {
		c.listCommands(from, query)
		return nil
	}
	if at, query, ok := atWord(c.b.ahead()); ok && c.o.Files != nil {
		return c.listFiles(pos{c.b.cur.line, at}, query)
	}
	c.list, c.finder.ok = nil, false
	return nil
}

// dismissed is true for a word whose list a person closed.
func (c *Composer) dismissed(from pos) bool { return c.finder.ok && c.finder.closed == from }

// slashWord is the name of a command while it is written: at the start of the text.
func (c *Composer) slashWord() (from pos, query string, ok bool) {
	if c.b.cur.line != 0 || len(c.b.lines) > 1 {
		return pos{}, "", false
	}
	rest, ok := strings.CutPrefix(c.b.ahead(), "/")
	if !ok || strings.ContainsFunc(rest, notInName) {
		return pos{}, "", false
	}
	return pos{}, rest, true
}

func (c *Composer) listCommands(from pos, query string) {
	if c.dismissed(from) {
		return
	}
	rows := []choice{}
	for _, cmd := range c.commands() {
		if score, at, ok := menu.Match(query, cmd.Name); ok {
			rows = append(rows, choice{value: cmd.Name, shown: text.Line(cmd.Name), at: at, score: score, command: &cmd})
		}
	}
	slices.SortStableFunc(rows, func(a, b choice) int { return b.score - a.score })
	c.open(&completion{commands: true, from: from, query: query, rows: rows[:min(len(rows), maxChoices)]})
}

// open shows a list, with the same row chosen when the list was there before.
func (c *Composer) open(l *completion) {
	if old := c.list; old != nil && old.commands == l.commands && old.from == l.from && old.query == l.query && old.sel < len(old.rows) {
		was := old.rows[old.sel].value
		if i := slices.IndexFunc(l.rows, func(r choice) bool { return r.value == was }); i >= 0 {
			l.sel = i
		}
	}
	c.list = l
	if len(l.rows) == 0 && !l.waits {
		c.list = nil
	}
}

// atWord is the name of a file while it is written: @name, or @"a name with blanks.
func atWord(s string) (from int, query string, ok bool) {
	if i := strings.LastIndex(s, `@"`); i >= 0 && free(s, i) && !strings.Contains(s[i+2:], `"`) {
		return i, s[i+2:], true
	}
	i := strings.LastIndexByte(s, '@')
	if i < 0 || !free(s, i) || strings.ContainsAny(s[i:], " \t\"") || len(s)-i > maxQuery || strings.IndexByte(s[i:], chipLead) >= 0 {
		return 0, "", false
	}
	return i, s[i+1:], true
}

// free is true where a name may begin: not inside a word, as in an address of mail.
func free(s string, i int) bool {
	return i == 0 || strings.ContainsRune(" \t([{<\"'`,;:=", rune(s[i-1]))
}

// listFiles shows what is known of a name, and asks for more.
func (c *Composer) listFiles(from pos, query string) tea.Cmd {
	if c.dismissed(from) {
		return nil
	}
	c.finder.ok = false
	l := &completion{from: from, query: query, waits: true}
	if old := c.list; old != nil && !old.commands && old.from == from {
		l.raw = old.raw
		l.rows = ranked(l.raw, query)
		l.sel = min(old.sel, max(0, len(l.rows)-1))
		if query != old.query {
			l.sel = 0
		}
		if query == old.query {
			l.waits = old.waits
		}
	}
	c.list = l
	if c.finder.cancel != nil && c.finder.query == query {
		return nil // it is being looked for
	}
	return c.find(query)
}

// find is the command that looks for names. The one before ends.
func (c *Composer) find(query string) tea.Cmd {
	c.finder.stop()
	ctx, cancel := context.WithTimeout(context.Background(), findWithin)
	c.finder.cancel, c.finder.query = cancel, query
	id, files := c.finder.id, c.o.Files
	return func() tea.Msg {
		defer cancel()
		return found{id, query, files(ctx, query)}
	}
}

// found takes an answer, when it is to the question that was asked last.
func (c *Composer) found(f found) {
	if f.id != c.finder.id || c.list == nil || c.list.commands || c.list.query != f.query {
		return
	}
	c.finder.cancel = nil
	l := *c.list
	l.waits, l.raw = false, f.paths[:min(len(f.paths), maxChoices)]
	l.rows = ranked(l.raw, f.query)
	l.sel, l.top = 0, 0
	c.open(&l)
}

// ranked are the paths that match, the best first; of equals in the order in which they
// came. A name that holds a control character is not offered: it cannot be written in a
// line.
func ranked(paths []string, query string) []choice {
	rows := []choice{}
	for _, p := range paths {
		if p == "" || strings.ContainsFunc(p, func(r rune) bool { return r < ' ' || r == 0x7f }) {
			continue
		}
		shown := call.Visible(p)
		if score, at, ok := menu.Match(query, shown); ok {
			rows = append(rows, choice{value: p, shown: shown, at: at, score: score})
		}
	}
	slices.SortStableFunc(rows, func(a, b choice) int { return b.score - a.score })
	return rows
}

// popup takes a key while something is open; taken is false for one that is the line's.
func (c *Composer) popup(a keys.Action, name string) (act Act, cmd tea.Cmd, taken bool) {
	switch {
	case c.search != nil:
		return c.searching(a, name)
	case c.peek != nil:
		taken := c.peeking(a)
		return Act{}, nil, taken
	}
	return c.choosing(a, name)
}

// choosing takes a key while a list is open.
func (c *Composer) choosing(a keys.Action, name string) (act Act, cmd tea.Cmd, taken bool) {
	l := c.list
	n := len(l.rows)
	switch {
	case a == keys.Cancel:
		c.finder.closed, c.finder.ok = l.from, true
		c.list = nil
	case n == 0:
		return Act{}, nil, false
	case a == keys.Older, name == "ctrl+p":
		l.sel = (l.sel + n - 1) % n
	case a == keys.Newer, name == "ctrl+n":
		l.sel = (l.sel + 1) % n
	case a == keys.PageUp:
		l.sel = max(0, l.sel-popupRows)
	case a == keys.PageDown:
		l.sel = min(n-1, l.sel+popupRows)
	case name == "tab":
		return Act{}, c.accept(), true
	case a == keys.Send:
		return c.enter()
	default:
		return Act{}, nil, false
	}
	return Act{}, nil, true
}

// enter is Enter in a list. A command that is complete, or that needs no more, runs.
func (c *Composer) enter() (Act, tea.Cmd, bool) {
	l := c.list
	chosen := l.rows[l.sel]
	if !l.commands {
		return Act{}, c.accept(), true
	}
	if exact := c.command(l.query); exact != nil && c.b.cur == c.b.end() {
		return Act{}, nil, false // as written
	}
	cmd := c.accept()
	if needs := chosen.command.Args; needs != "" && !strings.HasPrefix(needs, "[") {
		return Act{}, cmd, true
	}
	act, cmd := c.send()
	return act, cmd, true
}

// accept puts the chosen row in the place of the word.
func (c *Composer) accept() tea.Cmd {
	l := c.list
	chosen := l.rows[l.sel]
	word := "/" + chosen.value + " "
	if !l.commands {
		word = named(chosen.value)
	}
	c.change()
	c.list = nil
	to := c.b.cur
	if rest := c.b.lines[to.line].s[to.at:]; strings.HasSuffix(word, " ") && strings.HasPrefix(rest, " ") {
		to.at++
	}
	c.b.edit(l.from, to, c.b.foreign(word), editOther)
	return c.refresh()
}

// named is a path as it stands in a message. A folder stays open: its files may follow.
func named(path string) string {
	quoted := strings.ContainsAny(path, " \t")
	switch folder := strings.HasSuffix(path, "/"); {
	case quoted && folder:
		return `@"` + path
	case quoted:
		return `@"` + path + `" `
	case folder:
		return "@" + path
	}
	return "@" + path + " "
}

// hint is what stands under a command while its arguments are written.
func (c *Composer) hint() *Command {
	if c.shell || c.list != nil || c.search != nil || len(c.b.lines) > 1 || len(c.b.lines[0].s) > maxQuery {
		return nil
	}
	name, _, ok := slash(c.b.lines[0].s)
	if !ok || !strings.Contains(c.b.lines[0].s, " ") {
		return nil
	}
	return c.command(name)
}
