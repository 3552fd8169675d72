package tui

import (
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"tenet/tui/card"
	"tenet/tui/composer"
	"tenet/tui/keys"
	"tenet/tui/pager"
	"tenet/tui/term"
)

// quitWithin is how long the second of two keys that quit counts.
const quitWithin = 2 * time.Second

// key gives a key to whoever it is for: a card first, since a question waits for it, then
// what lies over the transcript, then the transcript or the line.
func (m *model) key(k tea.KeyMsg) tea.Cmd {
	name := m.sequence(k.String())
	if m.leader != "" {
		return nil
	}
	defer m.place()
	if a, ok := m.keys.Lookup(keys.Anywhere, name); ok && m.always(a) {
		return m.anywhere(a)
	}
	if a, _ := m.keys.Lookup(keys.Composer, name); a == keys.Clear && m.out() {
		return nil
	} else if a == keys.Clear && m.cards.Up() {
		return m.clear()
	}
	switch {
	case m.asking != nil:
		return m.askingKey(k, name)
	case m.pager != nil: // what is read has the keys, so that none of them answers a card below
		return m.pagerKey(name)
	case m.cards.Up():
		return m.answered(m.cards.Key(k))
	case m.start != nil:
		return m.startKey(k)
	case m.menu != nil:
		return m.menuKey(k)
	case m.reading:
		return m.readingKey(name)
	}
	return m.composerKey(k, name)
}

// out closes what lies over the transcript: Ctrl+C always leads out.
func (m *model) out() bool {
	switch {
	case m.asking != nil:
		m.asking = nil
	case m.pager != nil:
		m.pager = nil
	case m.menu != nil:
		m.menu, m.choose = nil, nil
	default:
		return false
	}
	return true
}

// sequence joins the first key of a sequence with the next one.
func (m *model) sequence(name string) string {
	if m.leader != "" {
		name, m.leader = m.leader+" "+name, ""
		return name
	}
	if m.keys.Leads(name) && !m.cards.Up() {
		m.leader = name
		m.say(keys.Title(name) + " …")
	}
	return name
}

// always are the actions that nothing that is open keeps for itself.
func (m *model) always(a keys.Action) bool {
	return a == keys.Suspend || a == keys.Redraw || a == keys.Quit && m.composer.Empty()
}

// answered does what a card's key meant.
func (m *model) answered(a card.Act) tea.Cmd {
	if a.Note != "" {
		m.note(told, a.Note)
	}
	h := m.host
	switch {
	case h == nil:
		return nil
	case a.Answer != nil:
		answer := *a.Answer
		return m.do("", func() (string, error) { return "", h.Answer(answer) })
	case a.Reply != nil:
		reply := *a.Reply
		return m.do("", func() (string, error) { return "", h.Reply(reply.ID, reply.Text) })
	case a.Explain != "":
		return m.page("Why", func() (string, error) { return h.Why(a.Explain) })
	}
	return nil
}

// composerKey is a key while a message is written; what the line has no part in is done
// here.
func (m *model) composerKey(k tea.KeyMsg, name string) tea.Cmd {
	act, cmd := composer.Act{}, tea.Cmd(nil)
	if a, ok := m.keys.Lookup(keys.Composer, name); ok && strings.Contains(name, " ") {
		act, cmd = m.composer.Do(a)
	} else {
		act, cmd = m.composer.Key(k)
	}
	return tea.Batch(cmd, m.act(act))
}

// passed is an action that the line has no part in, or none while it is empty.
func (m *model) passed(a keys.Action) tea.Cmd {
	if a == keys.Focus {
		m.reading = true
		return nil
	}
	if m.lookAt(a) {
		return nil
	}
	if a == keys.Search {
		return m.search()
	}
	return m.anywhere(a)
}

// escape ends what is under way, one thing at a time: a search, the turn, and on an empty
// line the second press looks back at earlier messages.
func (m *model) escape() tea.Cmd {
	now := m.o.Now()
	switch {
	case m.activity.Busy():
		return m.stop()
	case !m.composer.Empty():
		m.composer.Set("")
	case now.Sub(m.escaped) < quitWithin:
		m.escaped = time.Time{}
		return m.rewind()
	default:
		m.escaped = now
		m.transcript.ClearSearch()
		m.say("Esc again goes back to an earlier message")
	}
	return nil
}

// stop interrupts the turn.
func (m *model) stop() tea.Cmd {
	if m.host == nil || !m.host.Stop() {
		m.say("nothing runs")
		return nil
	}
	m.activity.Stop(m.o.Now())
	return nil
}

// act does what the composer came to.
func (m *model) act(a composer.Act) tea.Cmd {
	switch a.Kind {
	case composer.None:
	case composer.Send:
		return m.send(a)
	case composer.Queue:
		return m.queue(a)
	case composer.Shell:
		return m.shell(a.Text)
	case composer.Slash:
		return m.command(a.Name, a.Args)
	case composer.TakeBack:
		return m.takeBack()
	case composer.Edit:
		return term.Edit(m.composer.Text(), m.home)
	case composer.Pass:
		return m.passed(a.Action)
	}
	return nil
}

// readingKey is a key while the transcript is read.
func (m *model) readingKey(name string) tea.Cmd {
	if a, ok := m.keys.Lookup(keys.Transcript, name); ok {
		return m.readingAction(a)
	}
	if len([]rune(name)) == 1 && name != " " { // words are for the line
		m.say("the transcript has the keys; i or Esc gives them back")
	}
	return nil
}

// readingAction looks at another part of the transcript, or does something to it.
func (m *model) readingAction(a keys.Action) tea.Cmd {
	switch {
	case a == keys.Compose || a == keys.Cancel || a == keys.Focus:
		m.reading = false
	case a == keys.ItemUp:
		m.transcript.Move(-1)
	case a == keys.ItemDown:
		m.transcript.Move(1)
	case a == keys.Toggle:
		m.transcript.Toggle()
	case a == keys.NextMatch:
		m.transcript.Match(1)
	case a == keys.PreviousMatch:
		m.transcript.Match(-1)
	case a == keys.Copy:
		return term.Copy(m.transcript.Copy(), m.copyFile())
	case a == keys.Explain:
		return m.command("why", "")
	case a == keys.Search:
		return m.search()
	default:
		if m.lookAt(a) {
			return nil
		}
		return m.anywhere(a)
	}
	return nil
}

// lookAt looks at another part of the transcript; ok is false for other actions.
func (m *model) lookAt(a keys.Action) (ok bool) {
	switch {
	case a == keys.PageUp:
		m.transcript.Page(-1)
	case a == keys.PageDown:
		m.transcript.Page(1)
	case a == keys.First:
		m.transcript.Home()
	case a == keys.Last:
		m.transcript.End()
	case a == keys.ScrollUp:
		m.transcript.Scroll(-1)
	case a == keys.ScrollDown:
		m.transcript.Scroll(1)
	case a == keys.HalfUp:
		m.transcript.Scroll(-max(1, m.height/2))
	case a == keys.HalfDown:
		m.transcript.Scroll(max(1, m.height/2))
	default:
		return false
	}
	return true
}

func (m *model) wheel(w term.Wheel) {
	switch {
	case m.pager != nil:
		m.pager.Scroll(w.Steps * 3)
	case m.menu != nil:
		m.menu.Scroll(w.Steps)
	case m.cards.Up():
		m.cards.Scroll(w.Steps)
	default:
		m.transcript.Scroll(w.Steps * 3)
	}
}

// menuKey is a key while something is chosen.
func (m *model) menuKey(k tea.KeyMsg) tea.Cmd {
	item, over := m.menu.Key(k)
	if !over {
		return nil
	}
	choose := m.choose
	m.menu, m.choose = nil, nil
	if item == nil || choose == nil {
		return nil
	}
	return choose(item)
}

var pagerMoves = map[keys.Action]pager.Move{
	keys.PageUp: pager.PageUp, keys.PageDown: pager.PageDown, keys.First: pager.Top, keys.Last: pager.Bottom,
	keys.ScrollUp: pager.Up, keys.ScrollDown: pager.Down, keys.ItemUp: pager.Up, keys.ItemDown: pager.Down,
	keys.HalfUp: pager.HalfUp, keys.HalfDown: pager.HalfDown, keys.NextMatch: pager.NextMatch, keys.PreviousMatch: pager.PreviousMatch,
}

// pagerKey is a key while a text lies over the transcript.
func (m *model) pagerKey(name string) tea.Cmd {
	if name == "q" {
		m.pager = nil
		return nil
	}
	a, _ := m.keys.Lookup(keys.Transcript, name)
	if move, ok := pagerMoves[a]; ok {
		m.pager.Move(move)
		return nil
	}
	switch {
	case a == keys.Cancel || a == keys.Compose || a == keys.Focus:
		m.pager = nil
	case a == keys.Copy:
		return term.Copy(m.pager.Source(), m.copyFile())
	case a == keys.Search:
		p := m.pager
		m.ask("search", "", func(text string) { p.Search(text) }, func(text string) tea.Cmd { p.Search(text); return nil })
	}
	return nil
}

// search looks for words in the transcript, as they are typed.
func (m *model) search() tea.Cmd {
	m.reading = true
	find := func(text string) {
		if text == "" {
			m.transcript.ClearSearch()
			return
		}
		m.transcript.Search(text)
	}
	m.ask("search", "", find, func(text string) tea.Cmd {
		if n := m.transcript.Search(text); n == 0 {
			m.say("nothing has " + text)
		}
		return nil
	})
	return nil
}
