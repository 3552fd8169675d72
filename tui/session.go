package tui

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"tenet/adapters/host"
	"tenet/core/event"
	"tenet/core/turn"
	"tenet/tui/card"
	"tenet/tui/status"
	"tenet/tui/term"
)

// opened is a session that is open, or why it is not.
type opened struct {
	host *host.Host
	err  error
}

// batch is what happened since the last one.
type batch struct {
	feed   *host.Feed
	events []host.Event
	err    error
}

// changed are the files that the session changed.
type changed struct{ files []host.FileChange }

// apart is how far frames of a stream lie apart: thirty a second.
const apart = time.Second / 30

// open opens a session.
func (m *model) open(o host.Options) tea.Cmd {
	m.opening = true
	return func() tea.Msg {
		h, err := host.Open(m.ctx, o)
		return opened{h, err}
	}
}

// change closes the session and opens another one in its place.
func (m *model) change(o host.Options) tea.Cmd {
	if m.host == nil {
		return m.open(o)
	}
	h := m.host
	m.opening = true
	return func() tea.Msg {
		next, err := h.Switch(m.ctx, o)
		return opened{next, err}
	}
}

func (m *model) opened(msg opened) tea.Cmd {
	m.opening = false
	var missing *host.NoModel
	switch {
	case errors.As(msg.err, &missing):
		m.start = newStart(missing.Text)
		return nil
	case msg.err != nil && m.host == nil && m.asksForOne():
		m.fatal = msg.err
		return tea.Quit
	case msg.err != nil && m.host == nil: // a model that is none, settings that cannot be read (case conf-007)
		m.start = newStart(msg.err.Error())
		m.start.broken = true
		return nil
	case msg.err != nil && (msg.host == nil || msg.host == m.host):
		m.note(warned, msg.err.Error())
		return nil
	}
	defer func() { // the session that was there is open again
		if msg.err != nil {
			m.note(warned, msg.err.Error())
		}
	}()
	m.attach(msg.host)
	return tea.Batch(m.next(time.Time{}), m.countFiles())
}

// asksForOne is true when the command line names a session or a script: without it there is
// nothing to go on with.
func (m *model) asksForOne() bool {
	o := m.o.Host
	return o.Resume != "" || o.Continue || o.Script != ""
}

// attach shows a session from its first record on.
func (m *model) attach(h *host.Host) {
	if m.feed != nil {
		m.feed.Close()
	}
	m.host, m.info, m.start, m.seq = h, h.Info(), nil, 0
	m.current.Store(h)
	m.feed = h.Feed(0)
	m.changes++
	m.activity, m.files, m.work, m.lastCall = status.Activity{}, nil, work{}, ""
	m.transcript = m.newTranscript()
	m.cards = card.New(card.Options{Theme: m.theme, Keys: m.keys, Now: m.o.Now})
	m.prompts = h.Prompts(commandNames())
	for _, said := range append(append(m.problems, m.info.Said...), m.prompts.Problems()...) {
		m.note(warned, said)
	}
	if m.info.Open {
		m.note(told, "The last turn was left open. /continue goes on with it.")
	}
	m.place()
}

// next waits for what happens; frames of a stream come apart, so that a fast model costs no
// more than a slow one.
func (m *model) next(last time.Time) tea.Cmd {
	feed, now := m.feed, m.o.Now
	return func() tea.Msg {
		if rest := apart - now().Sub(last); rest > 0 && rest <= apart {
			timer := time.NewTimer(rest)
			defer timer.Stop()
			select {
			case <-timer.C:
			case <-m.ctx.Done():
			}
		}
		events, err := feed.Next(m.ctx)
		return batch{feed, events, err}
	}
}

// happened shows a batch. One of a session that was left is late and says nothing.
func (m *model) happened(b batch) tea.Cmd {
	if b.feed != m.feed {
		return nil
	}
	if b.err != nil {
		if m.ctx.Err() != nil {
			return tea.Quit
		}
		if !errors.Is(b.err, host.ErrClosed) {
			m.note(warned, "the session can no longer be followed: "+b.err.Error())
		}
		return nil
	}
	cmds := []tea.Cmd{m.next(m.o.Now())}
	for _, e := range b.events {
		if m.event(e) {
			cmds = append(cmds, m.countFiles())
		}
	}
	m.place()
	return tea.Batch(cmds...)
}

// event shows one event; counts is true when files may have changed.
func (m *model) event(e host.Event) (counts bool) {
	switch {
	case e.Record != nil:
		return m.record(*e.Record)
	case e.Live != nil:
		m.activity.Live(*e.Live, m.o.Now())
		m.transcript.Live(*e.Live)
	case e.Asked != nil:
		m.cards.Add(*e.Asked)
	case e.Settled != nil:
		m.answered(m.cards.Drop(*e.Settled))
	case e.Missed:
		m.answered(m.cards.Reset(m.host.Questions()))
	}
	return false
}

func (m *model) record(r event.Record) (counts bool) {
	m.seq = r.Seq
	m.changes++
	m.activity.Record(r)
	m.transcript.Add(r)
	m.composer.SetBusy(m.activity.Busy())
	b, err := event.Decode(r)
	if err != nil {
		return false
	}
	m.work.take(b)
	switch b := b.(type) {
	case event.Opening:
		m.note(told, "/ lists commands, @ names a file, ! runs a command of yours, ? helps. Nothing risky runs before you say yes.")
	case event.Inquiry:
		m.cards.Inquire(b)
	case event.Answer:
		m.answered(m.cards.Told(b))
	case event.Call:
		m.lastCall = b.Call
	case event.Setting:
		m.info = m.host.Info()
	case event.Result:
		return true
	case event.Ending:
		if b.How == turn.Aborted.String() {
			m.note(told, m.left())
		}
		return true
	}
	return false
}

// left says what a stopped turn left behind, so that nobody has to guess.
func (m *model) left() string {
	var parts []string
	if n := len(m.files); n > 0 {
		parts = append(parts, fmt.Sprintf("%d changed files stay as they are (/diff, /undo)", n))
	}
	if n := len(m.work.Jobs); n > 0 {
		parts = append(parts, fmt.Sprintf("%d jobs run on (/jobs)", n))
	}
	if n := len(m.work.Queue); n > 0 {
		parts = append(parts, fmt.Sprintf("%d messages still wait (/queue)", n))
	}
	if len(parts) == 0 {
		return "Stopped. Nothing is left running."
	}
	return "Stopped. " + strings.Join(parts, "; ") + "."
}

// countFiles asks which files the session changed.
func (m *model) countFiles() tea.Cmd {
	h := m.host
	return func() tea.Msg { return changed{h.Changes()} }
}

// filesFor are the paths that a name in the line may mean. It is called beside Update.
func (m *model) filesFor(ctx context.Context, query string) []string {
	if h := m.current.Load(); h != nil {
		return h.Files(ctx, query, 50)
	}
	return nil
}

// paste goes to whoever takes text.
func (m *model) paste(p term.Paste) tea.Cmd {
	if m.menu != nil && !m.cards.Up() {
		m.menu.Paste(p.Text)
		return nil
	}
	if m.cards.Up() || m.pager != nil || m.start != nil && !m.start.writes() {
		m.say("the paste was not taken: nothing takes text now")
		return nil
	}
	if m.start != nil {
		m.start.paste(p.Text)
		return nil
	}
	if m.asking != nil {
		m.asking.add(p.Text)
		return nil
	}
	m.reading = false
	if note := m.composer.Paste(p.Text); note != "" {
		m.say(note)
	}
	if p.Cut > 0 {
		m.say(fmt.Sprintf("%d bytes of the paste were left out; put a text of that size into a file", p.Cut))
	}
	m.place()
	return nil
}

// leaving is what stays on the normal screen.
func (m *model) leaving() string {
	out := m.transcript.Tail(keptLines)
	if m.host != nil {
		i := m.host.Info()
		out = strings.TrimRight(out, "\n") + fmt.Sprintf("\n\nsession %s · log %s\n%s\n", i.Session, i.Log, m.goOn())
	}
	return out
}

// goOn is the command that goes on; a rehearsal needs its script again, and the demo's is in
// no file.
func (m *model) goOn() string {
	id := m.info.Session
	switch {
	case m.o.Host.Script != "":
		return fmt.Sprintf("go on with: tenet --resume %s --script %s", id, m.o.Host.Script)
	case strings.HasPrefix(m.info.Model, "rehearsal:"):
		return "read it with: tenet sessions show " + id
	}
	return "go on with: tenet --resume " + id
}

// close ends the session: its jobs, its log. When the terminal was lost nobody answered a
// question that waits, and it goes on waiting (case appr-016).
func (m *model) close(lost bool) error {
	if m.feed != nil {
		m.feed.Close()
	}
	switch {
	case m.host == nil:
		return nil
	case lost:
		return m.host.Leave()
	}
	return m.host.Close()
}

func (m *model) copied(c term.Copied) {
	switch {
	case c.Err != nil:
		m.say("nothing was copied: " + c.Err.Error())
	case c.Path != "":
		m.say("copied into " + c.Path)
	default:
		m.say("copied")
	}
}

func (m *model) copyFile() string { return filepath.Join(m.home, "copied.txt") }

func (m *model) edited(e term.Edited) tea.Cmd {
	if e.Err != nil {
		m.say("the editor: " + e.Err.Error())
		return nil
	}
	m.composer.Set(e.Text)
	m.place()
	return nil
}
