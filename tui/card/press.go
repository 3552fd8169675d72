package card

import (
	tea "github.com/charmbracelet/bubbletea"

	"tenet/adapters/approvals"
	coreapprovals "tenet/core/approvals"
	core "tenet/core/card"
	"tenet/tui/keys"
	"tenet/tui/text"
)

// Key is what a key does. Every key belongs to the card while one is up.
func (s *Stack) Key(k tea.KeyMsg) Act {
	if !s.Up() {
		return Act{}
	}
	p := core.Press{Key: s.means(k), Text: typed(k), At: s.at()}
	if why := s.heldBack(p); why != "" {
		s.hint = why
		return Act{}
	}
	if s.desk.Wait(p.At) == 0 && s.desk.Front.Mode == core.Choosing && s.looks(k) {
		s.hint = ""
		return Act{}
	}
	call := s.questions[s.screen.id].Call
	d, act := s.desk.Press(p)
	s.hint = act.Text
	s.put(d)
	return s.says(act, call)
}

// The reasons why a yes is held back before core is asked: both only ever make it stricter.
const (
	words  = "that looked like words and answered nothing; pause, then press the key"
	unseen = "the whole pattern has no room here; enlarge the window to grant it"
)

// heldBack is why a key that would allow something does not count, empty when it does.
// Letters that follow one another are words, whatever each of them means alone (case
// appr-005), and a standing yes needs its pattern in sight.
func (s *Stack) heldBack(p core.Press) string {
	if s.desk.Front.Mode != core.Choosing {
		return ""
	}
	last, showed := s.typed, s.showed
	if p.Text != "" {
		s.typed, s.showed = p.At, p.Key == core.Always
	}
	if s.desk.Wait(p.At) > 0 { // core tells what comes too early, and waits for stillness
		return ""
	}
	moved := s.desk.Front.Focus > 0 && p.Key == core.Enter
	switch {
	case last > 0 && p.At-last < core.Quiet && (moved && !showed || p.Key == core.Once || p.Key == core.Session):
		return words
	case moved && s.desk.Choices()[s.desk.Front.Focus].Choice == coreapprovals.AllowAlways && !s.patternShown():
		return unseen
	}
	return ""
}

// patternShown reports whether the answer moved to stands on the screen as a whole.
func (s *Stack) patternShown() bool {
	if s.screen.brief {
		return false
	}
	c := s.desk.Choices()[s.desk.Front.Focus]
	return len(core.Lines([]core.Row{{Kind: core.Fact, Text: s.choice(c)}}, s.screen.width-1, text.Width)) <= maxFocused
}

// says is what the desk's act asks of the interface.
func (s *Stack) says(act core.Act, call string) Act {
	switch act.Do {
	case core.Answers:
		a := approvals.AnswerOf(act)
		s.hint = ""
		return Act{Answer: &a}
	case core.Replies:
		s.hint = ""
		return Act{Reply: &Reply{ID: act.ID, Text: act.Text}}
	case core.Explains:
		return Act{Explain: call}
	case core.TooEarly:
		s.hint = early
	case core.Nothing, core.Hint, core.Keep:
	}
	return Act{}
}

// early is said of a key that came before it could be meant.
const early = "that key did not count: the card has just come up"

// typed is the text that a key writes, if any.
func typed(k tea.KeyMsg) string {
	switch {
	case k.Alt:
	case k.Type == tea.KeyRunes, k.Type == tea.KeySpace:
		return string(k.Runes)
	}
	return ""
}

// fixed are the keys that nobody can change: the ways out, the ways between the answers,
// and those of a line that is written.
var fixed = map[tea.KeyType]core.Key{
	tea.KeyEnter: core.Enter, tea.KeyEsc: core.Escape, tea.KeyRight: core.Next, tea.KeyLeft: core.Previous,
	tea.KeyBackspace: core.Erase, tea.KeyCtrlH: core.Erase, tea.KeyCtrlU: core.EraseAll,
}

// answering are the actions that answer, as core knows them.
var answering = map[keys.Action]core.Key{
	keys.CardOnce: core.Once, keys.CardSession: core.Session, keys.CardAlways: core.Always, keys.CardDeny: core.Deny, keys.CardExplain: core.Explain,
}

// means is the key as core knows it. While words are written only the fixed keys are keys.
func (s *Stack) means(k tea.KeyMsg) core.Key {
	if key, ok := fixed[k.Type]; ok && !k.Alt {
		return key
	}
	switch {
	case k.Paste:
		return core.Other
	case s.desk.Front.Mode == core.Writing && k.Type == tea.KeyDown:
		return core.Next
	case s.desk.Front.Mode == core.Writing && k.Type == tea.KeyUp:
		return core.Previous
	}
	a, _ := s.keys.Lookup(keys.Card, k.String())
	return answering[a]
}

// views are the actions that change the view of a card.
var views = map[keys.Action]func(*Stack){
	keys.CardDetails:  func(s *Stack) { s.screen.details = !s.screen.details },
	keys.CardFull:     func(s *Stack) { s.screen.full = !s.screen.full },
	keys.CardDiff:     func(s *Stack) { s.screen.single = !s.screen.single },
	keys.CardUp:       func(s *Stack) { s.scroll(-1) },
	keys.CardDown:     func(s *Stack) { s.scroll(1) },
	keys.CardPageUp:   func(s *Stack) { s.scroll(-max(1, s.screen.room-1)) },
	keys.CardPageDown: func(s *Stack) { s.scroll(max(1, s.screen.room-1)) },
}

// looks does what a key does to the view of a card, and answers nothing by it.
func (s *Stack) looks(k tea.KeyMsg) bool {
	a, _ := s.keys.Lookup(keys.Card, k.String())
	view, ok := views[a]
	switch {
	case k.Paste:
		return false
	case ok:
		view(s)
	case k.Type == tea.KeyHome:
		s.scroll(-s.length())
	case k.Type == tea.KeyEnd:
		s.scroll(s.length())
	default:
		return false
	}
	return true
}

// Scroll moves the card's text by lines: what a mouse wheel does. It reports whether there
// was anywhere to go.
func (s *Stack) Scroll(lines int) bool {
	before := s.screen.top
	if s.Up() {
		s.scroll(lines)
	}
	return s.screen.top != before
}

func (s *Stack) scroll(by int) {
	s.screen.top = max(0, min(s.screen.top+by, s.length()-s.screen.room))
}
