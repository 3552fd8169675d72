package tui

import (
	"context"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"tenet/adapters/cli"
	"tenet/adapters/host"
	"tenet/core/call"
	"tenet/tui/keys"
	"tenet/tui/pager"
	"tenet/tui/text"
	"tenet/tui/theme"
)

// start is the screen without a model: three ways to go on.
type start struct {
	why    string
	broken bool // why is a fault, and not only that nothing is set up
	at     int
	// selector is the model that is pointed to, writing true while it is written; result is
	// what the live check came to, good whether it may be used.
	selector []rune
	writing  bool
	checking bool
	result   string
	good     bool
}

var choices = []struct{ title, says string }{
	{"Watch the demo", "a rehearsed model repairs a small project under the gate; nothing is needed"},
	{"Point to a model", "name a server or a key's model; it is asked whether it answers"},
	{"Guard another agent", "how tenet judges the tool calls of an agent that you use already"},
}

// probeWithin bounds the live check of a model.
const probeWithin = 30 * time.Second

func newStart(why string) *start { return &start{why: why} }

func (s *start) writes() bool { return s.writing }

func (s *start) paste(t string) {
	s.selector = append(s.selector, []rune(strings.TrimSpace(text.Clean(t)))...)
}

func (s *start) view(w, h int, th *theme.Theme) string {
	lines := []string{"", th.Heading.Render("tenet"), ""}
	if s.broken {
		lines = append(append(lines, text.Wrap(text.Clean(s.why), w)...), "", "Nothing was opened. Where do you want to go on?", "")
	} else {
		lines = append(lines, "No model is set up yet. Where do you want to begin?", "")
	}
	for i, c := range choices {
		line := "   " + c.title
		if i == s.at {
			line = th.Selected.Render(" ▸ " + c.title)
		}
		lines = append(lines, line, th.Muted.Render("     "+c.says))
	}
	lines = append(lines, "")
	if s.writing {
		lines = append(lines, "model: "+string(s.selector)+"█", th.Muted.Render("such as ollama/qwen3:8b, llamacpp/NAME, openai/NAME, anthropic/NAME; Enter checks it, Esc goes back"))
	} else {
		lines = append(lines, th.Muted.Render("arrows and Enter choose, Ctrl+C leaves"))
	}
	if s.checking {
		lines = append(lines, "", "asking the server…")
	}
	if s.result != "" {
		lines = append(lines, "")
		lines = append(lines, text.Wrap(s.result, w)...)
	}
	if s.good {
		lines = append(lines, "", th.Good.Render("Enter uses it from now on."))
	}
	return text.Block(strings.Join(lines, "\n"), w, h)
}

// probed is what the live check of a model came to.
type probed struct {
	selector, text string
	ok             bool
	err            error
}

func (m *model) startKey(k tea.KeyMsg) tea.Cmd {
	s := m.start
	a, _ := m.keys.Lookup(keys.Menu, k.String())
	line, _ := m.keys.Lookup(keys.Composer, k.String())
	switch {
	case line == keys.Clear || line == keys.Quit && !s.writing:
		return tea.Quit
	case s.writing:
		return m.selectorKey(k, line)
	case a == keys.MenuUp:
		s.at = max(0, s.at-1)
	case a == keys.MenuDown:
		s.at = min(len(choices)-1, s.at+1)
	case a == keys.MenuChoose:
		return m.startWith(s.at)
	}
	return nil
}

func (m *model) startWith(choice int) tea.Cmd {
	switch choice {
	case 0:
		m.opening = true
		return func() tea.Msg {
			h, err := host.Open(m.ctx, host.Options{Version: m.o.Host.Version, Demo: true})
			return opened{h, err}
		}
	case 1:
		m.start.writing = true
	case 2:
		m.pager = pager.New("Guard another agent", cli.GuardHelp(), m.theme)
	}
	return nil
}

// selectorKey writes the name of a model; a changed name is an unchecked one.
func (m *model) selectorKey(k tea.KeyMsg, a keys.Action) tea.Cmd {
	s := m.start
	switch {
	case a == keys.Cancel:
		s.writing, s.result, s.good = false, "", false
	case a == keys.Send && s.good:
		return m.useModel(string(s.selector))
	case a == keys.Send && len(s.selector) > 0 && !s.checking:
		s.checking, s.result = true, ""
		return m.probe(string(s.selector))
	case a == keys.DeleteBack:
		s.selector, s.good = s.selector[:max(0, len(s.selector)-1)], false
	case a == keys.KillToStart, a == keys.KillWordBack:
		s.selector, s.good = nil, false
	case k.Type == tea.KeyRunes:
		s.selector, s.good = append(s.selector, k.Runes...), false
		s.selector = s.selector[:min(len(s.selector), 300)]
	}
	return nil
}

func (m *model) probe(selector string) tea.Cmd {
	return func() tea.Msg {
		ctx, stop := context.WithTimeout(m.ctx, probeWithin)
		defer stop()
		said, ok, err := host.ProbeModel(ctx, m.o.Host.Dir, selector)
		return probed{selector, said, ok, err}
	}
}

func (m *model) probed(p probed) tea.Cmd {
	s := m.start
	if s == nil || p.selector != string(s.selector) {
		return nil
	}
	s.checking, s.good, s.result = false, p.ok, call.Visible(p.text)
	if p.err != nil {
		s.result = call.Visible(p.err.Error())
	}
	return nil
}

// useModel keeps the model as the person's own and opens a session with it.
func (m *model) useModel(selector string) tea.Cmd {
	m.opening = true
	o := m.o.Host
	return func() tea.Msg {
		if err := cli.Remember(m.ctx, o.Dir, "model", selector); err != nil {
			return opened{nil, err}
		}
		h, err := host.Open(m.ctx, o)
		return opened{h, err}
	}
}
