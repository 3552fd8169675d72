package tui

import (
	"errors"
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"tenet/adapters/session"
	"tenet/core/call"
	"tenet/core/event"
	"tenet/tui/composer"
	"tenet/tui/menu"
)

// send hands a message on: it begins a turn, or steers the one that runs. A message that
// is refused comes back into the line.
func (m *model) send(a composer.Act) tea.Cmd {
	if m.host == nil {
		m.composer.Restore(a.Text)
		m.say("no session is open yet")
		return nil
	}
	h := m.host
	m.transcript.End()
	return m.taken(a.Text, func() error { return sending(a, h.Send) })
}

// queue keeps a message for after the turn.
func (m *model) queue(a composer.Act) tea.Cmd {
	if m.host == nil || !m.activity.Busy() {
		return m.send(a)
	}
	h := m.host
	return m.taken(a.Text, func() error {
		return sending(a, func(text string, images []event.Image) error {
			_, err := h.Queue(text, images)
			return err
		})
	})
}

// sending reads the pictures of a message and hands both on.
func sending(a composer.Act, hand func(string, []event.Image) error) error {
	images, err := pictures(a.Images)
	if err != nil {
		return err
	}
	return hand(a.Text, images)
}

// refused is a message that nobody took.
type refused struct {
	text string
	err  error
}

// taken hands a message on; one that was taken is remembered for the next session too.
func (m *model) taken(text string, f func() error) tea.Cmd {
	m.composer.Remember(text)
	path := m.history
	return func() tea.Msg {
		if err := f(); err != nil {
			return refused{text, err}
		}
		if err := remember(path, text); err != nil {
			return done{err: fmt.Errorf("the message was sent, and not kept for the history: %w", err)}
		}
		return nil
	}
}

// refused gives the words back: nothing that was typed is lost.
func (m *model) refused(r refused) {
	m.composer.Restore(r.text)
	var blocked *session.Blocked
	if errors.As(r.err, &blocked) {
		m.say("a question is open; answer it first")
		return
	}
	m.say(r.err.Error())
	m.note(warned, r.err.Error())
}

// shell runs a line of the person's own through the gate.
func (m *model) shell(line string) tea.Cmd {
	if m.host == nil {
		m.say("no session is open yet")
		return nil
	}
	h := m.host
	m.transcript.End()
	return m.taken("!"+line, func() error { return h.Shell(line) })
}

// takeBack takes a waiting message back into the line; of several one is chosen.
func (m *model) takeBack() tea.Cmd {
	if m.host == nil {
		return nil
	}
	queue := m.host.State().Queue
	switch len(queue) {
	case 0:
		m.say("no message waits")
		return nil
	case 1:
		return m.withdraw(queue[0])
	}
	var items []menu.Item
	for i := range queue {
		q := queue[len(queue)-1-i]
		items = append(items, menu.Item{Title: call.OneLine(q.Text, 200), Detail: q.How, Value: q.ID})
	}
	m.pick("Take a message back for editing", items, func(i *menu.Item) tea.Cmd {
		for _, q := range queue {
			if q.ID == i.Value {
				return m.withdraw(q)
			}
		}
		return nil
	})
	return nil
}

func (m *model) withdraw(q event.Submission) tea.Cmd {
	h := m.host
	return func() tea.Msg {
		if err := h.Withdraw(q.ID); err != nil {
			return done{err: err}
		}
		return returned{q.Text}
	}
}

// returned is a message that was taken back.
type returned struct{ text string }

// expanded is the text of a prompt from a file, with its arguments, or why there is none.
type expanded struct {
	line, text string
	err        error
}

// template sends a prompt from a file, or asks for a skill.
func (m *model) template(name, args string) tea.Cmd {
	line := strings.TrimSpace("/" + name + " " + args)
	if m.host != nil {
		if _, ok := m.prompts.Find(name); ok {
			all := m.prompts
			return func() tea.Msg {
				text, err := all.Expand(name, args)
				return expanded{line, text, err}
			}
		}
		for _, s := range m.host.Skills() {
			if s.Name == name {
				return m.expanded(expanded{line: line, text: strings.TrimSpace(fmt.Sprintf("Use the skill %s. %s", name, args))})
			}
		}
	}
	m.composer.Set(line)
	m.say("there is no command /" + call.OneLine(name, 60) + "; / lists what there is")
	return nil
}

// expanded sends it; what is remembered, and comes back when it is refused, is the line.
func (m *model) expanded(e expanded) tea.Cmd {
	if e.err != nil {
		m.refused(refused{e.line, e.err})
		return nil
	}
	h := m.host
	m.transcript.End()
	return m.taken(e.line, func() error { return h.Send(e.text, nil) })
}
