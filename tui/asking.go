package tui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"tenet/tui/keys"
	"tenet/tui/text"
)

// question is one line that is asked for in place of a message: the words of a search, a
// name, an address.
type question struct {
	label string
	runes []rune
	done  func(text string) tea.Cmd
	// follow is told of each change, nil for nobody.
	follow func(text string)
}

// maxAsked bounds the line, in characters.
const maxAsked = 2000

// ask asks for one line; what stands there at first may be changed.
func (m *model) ask(label, first string, follow func(string), done func(string) tea.Cmd) {
	m.asking = &question{label: label, runes: []rune(first), follow: follow, done: done}
}

func (q *question) text() string { return string(q.runes) }

// add pastes; a line has no line ends.
func (q *question) add(s string) {
	q.runes = append(q.runes, []rune(strings.ReplaceAll(text.Clean(s), "\n", " "))...)
	q.runes = q.runes[:min(len(q.runes), maxAsked)]
}

// erase takes away what a key of the line takes away.
func (q *question) erase(a keys.Action) {
	switch {
	case a == keys.DeleteBack:
		q.runes = q.runes[:max(0, len(q.runes)-1)]
	case a == keys.KillWordBack:
		s := strings.TrimRight(q.text(), " ")
		q.runes = []rune(s[:strings.LastIndex(s, " ")+1])
	case a == keys.KillToStart:
		q.runes = nil
	}
}

// View is the line, its end where it is longer than the width.
func (q *question) View(w int) string {
	head := q.label + ": "
	room := max(1, w-text.Width(head)-1)
	runes := q.runes
	for text.Width(string(runes)) > room {
		runes = runes[1:]
	}
	return text.Cut(head+string(runes)+"█", w)
}

func (m *model) askingKey(k tea.KeyMsg, name string) tea.Cmd {
	q := m.asking
	a, _ := m.keys.Lookup(keys.Composer, name)
	switch {
	case a == keys.Cancel, a == keys.Clear:
		m.asking = nil
		if q.follow != nil {
			q.follow("")
		}
		return nil
	case a == keys.Send:
		m.asking = nil
		return q.done(strings.TrimSpace(q.text()))
	case k.Type == tea.KeyRunes || k.Type == tea.KeySpace:
		q.runes = append(q.runes, k.Runes...)
		q.runes = q.runes[:min(len(q.runes), maxAsked)]
	default:
		q.erase(a)
	}
	if q.follow != nil {
		q.follow(q.text())
	}
	return nil
}
