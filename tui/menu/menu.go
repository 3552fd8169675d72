// Package menu is a list to pick from: commands, sessions, models, themes, messages. What
// is typed filters it.
package menu

import (
	"slices"
	"strings"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"

	"tenet/tui/keys"
	"tenet/tui/text"
	"tenet/tui/theme"
)

// Item is one row.
type Item struct {
	// Title is what is searched first, Detail what stands beside it, Group the heading that
	// it stands under: items of a group stand together. Keys are the keys that do the same.
	Title, Detail, Group, Keys string
	// Value is the caller's own. It tells items apart when they are replaced.
	Value string
}

// Options are what a menu is made of.
type Options struct {
	Title string
	Items []Item
	// Empty is what stands there when there is no item at all.
	Empty string
	Theme *theme.Theme
	Keys  *keys.Map
}

// Menu is the list.
type Menu struct {
	o     Options
	rows  []row
	query string
	// hits are the rows that match, in the order in which they are shown.
	hits []hit
	// sel is the chosen one of them, top the first line of the list that is drawn.
	sel, top int
	// drawn are the hits that the lines of the last view are, -1 for other lines; page is how
	// many lines of it were the list's.
	drawn []int
	page  int
}

// row is an item as it is drawn and searched.
type row struct {
	item                       *Item
	title, detail, group, keys string
}

// hit is a row that matches: what was found of its title and of its detail.
type hit struct {
	row         int
	score       int
	title, more []int
}

// maxQuery bounds what is typed, in bytes.
const maxQuery = 200

// New makes one, its first row chosen.
func New(o Options) *Menu {
	if o.Keys == nil {
		o.Keys = keys.Default()
	}
	m := &Menu{o: o, page: 1}
	m.SetItems(o.Items)
	return m
}

// SetItems replaces the items. What is chosen stays chosen when an item has its value.
func (m *Menu) SetItems(items []Item) {
	was := m.Chosen()
	m.o.Items = slices.Clone(items)
	m.rows = make([]row, len(items))
	for i := range m.o.Items {
		it := &m.o.Items[i]
		m.rows[i] = row{it, text.Line(it.Title), text.Line(it.Detail), text.Line(it.Group), text.Line(it.Keys)}
	}
	m.filter(nil)
	m.sel = 0
	if was != nil {
		m.Select(was.Value)
	}
}

// SetTheme changes its looks.
func (m *Menu) SetTheme(th *theme.Theme) { m.o.Theme = th }

// Chosen is the item that Enter takes, nil when none matches.
func (m *Menu) Chosen() *Item {
	if m.sel >= len(m.hits) {
		return nil
	}
	return m.rows[m.hits[m.sel].row].item
}

// Select chooses the item of a value, when it is shown.
func (m *Menu) Select(value string) {
	i := slices.IndexFunc(m.hits, func(h hit) bool { return m.rows[h.row].item.Value == value })
	if i >= 0 {
		m.sel = i
	}
}

// Query is what was typed.
func (m *Menu) Query() string { return m.query }

// Key takes a key. done is true when the menu is to go, with what was chosen, or nil when
// nothing was. Keys act at once: Enter takes the row that the key before it moved to.
func (m *Menu) Key(k tea.KeyMsg) (chosen *Item, done bool) {
	if (k.Type == tea.KeyRunes || k.Type == tea.KeySpace) && !k.Alt {
		m.typed(string(k.Runes))
		return nil, false
	}
	name := keys.Of(k.String())
	switch a, _ := m.o.Keys.Lookup(keys.Menu, name); {
	case a == keys.MenuClose:
		return nil, true
	case a == keys.MenuChoose:
		return m.Chosen(), m.Chosen() != nil
	case a == keys.MenuUp:
		m.move(-1, true)
	case a == keys.MenuDown:
		m.move(1, true)
	case a == keys.MenuPageUp:
		m.move(-m.page, false)
	case a == keys.MenuPageDown:
		m.move(m.page, false)
	case a == keys.MenuFirst:
		m.sel = 0
	case a == keys.MenuLast:
		m.sel = max(0, len(m.hits)-1)
	default:
		m.erase(name)
	}
	return nil, false
}

// move chooses another row; around is true when the last is followed by the first.
func (m *Menu) move(n int, around bool) {
	count := len(m.hits)
	switch {
	case count == 0:
	case around:
		m.sel = (m.sel + n + count) % count
	default:
		m.sel = max(0, min(count-1, m.sel+n))
	}
}

// Scroll moves as a wheel does.
func (m *Menu) Scroll(lines int) { m.move(lines, false) }

// Click takes the row at a line of the view, counted from 0; nil and false when the line is
// none.
func (m *Menu) Click(line int) (chosen *Item, done bool) {
	if line < 0 || line >= len(m.drawn) || m.drawn[line] < 0 {
		return nil, false
	}
	m.sel = m.drawn[line]
	return m.Chosen(), m.Chosen() != nil
}

// typed adds to what is searched for.
func (m *Menu) typed(s string) {
	if m.query == "" {
		s = strings.TrimLeft(s, " ")
	}
	if s = text.Clean(s); s == "" || len(m.query)+len(s) > maxQuery {
		return
	}
	m.query += s
	m.filter(m.hits)
	m.sel, m.top = 0, 0
}

// Paste adds to what is searched for, as one line.
func (m *Menu) Paste(s string) { m.typed(text.Line(s)) }

// erase takes away what a key of the line takes away.
func (m *Menu) erase(key string) {
	switch a, _ := m.o.Keys.Lookup(keys.Composer, key); {
	case m.query == "":
		return
	case a == keys.DeleteBack:
		_, n := utf8.DecodeLastRuneInString(m.query)
		m.query = m.query[:len(m.query)-n]
	case a == keys.KillWordBack:
		s := strings.TrimRight(m.query, " ")
		m.query = s[:strings.LastIndex(s, " ")+1]
	case a == keys.KillToStart:
		m.query = ""
	default:
		return
	}
	m.filter(nil)
	m.sel, m.top = 0, 0
}

// filter finds the rows that match, the best first; without a query in their own order. Of
// a query that went on only what matched before is looked at.
func (m *Menu) filter(among []hit) {
	out := make([]hit, 0, len(m.rows))
	if among == nil {
		for i := range m.rows {
			out = m.try(out, i)
		}
	}
	for _, h := range among {
		out = m.try(out, h.row)
	}
	if m.query != "" {
		slices.SortStableFunc(out, func(a, b hit) int {
			if a.score != b.score {
				return b.score - a.score
			}
			return a.row - b.row
		})
	}
	m.hits = out
	m.sel = min(m.sel, max(0, len(out)-1))
}

// inTitle is what a match in the title is worth more than one that needs the rest.
const inTitle = 1000

func (m *Menu) try(out []hit, i int) []hit {
	r := m.rows[i]
	if score, at, ok := Match(m.query, r.title); ok {
		return append(out, hit{row: i, score: score + inTitle, title: at})
	}
	whole := r.title + " " + r.detail + " " + r.group
	score, at, ok := Match(m.query, whole)
	if !ok {
		return out
	}
	h := hit{row: i, score: score}
	for _, p := range at {
		switch {
		case p < len(r.title):
			h.title = append(h.title, p)
		case p > len(r.title) && p < len(r.title)+1+len(r.detail):
			h.more = append(h.more, p-len(r.title)-1)
		}
	}
	return append(out, h)
}
