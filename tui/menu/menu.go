// Package menu is a list to pick from: commands, sessions, models, themes, messages.
package menu

import (
	tea "github.com/charmbracelet/bubbletea"

	"tenet/tui/keys"
	"tenet/tui/text"
	"tenet/tui/theme"
)

// Item is one row.
type Item struct {
	// Title is what is searched first, Detail what stands beside it, Group the heading that
	// it stands under. Keys are the keys that do the same.
	Title, Detail, Group, Keys string
	// Value is the caller's own.
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
type Menu struct{ o Options }

// New makes one.
func New(o Options) *Menu { return &Menu{o: o} }

// SetItems replaces the items.
func (m *Menu) SetItems(items []Item) { m.o.Items = items }

// SetTheme changes its looks.
func (m *Menu) SetTheme(th *theme.Theme) { m.o.Theme = th }

// Key takes a key; done is true when the menu is to go, with what was chosen or nil.
func (m *Menu) Key(k tea.KeyMsg) (chosen *Item, done bool) { return nil, k.Type == tea.KeyEsc }

// View draws it in at most maxH lines of exactly w cells.
func (m *Menu) View(w, maxH int) string { return text.Pad(m.o.Title, w) }
