package tui

import (
	"context"
	"path/filepath"
	"sync/atomic"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"tenet/adapters/host"
	"tenet/adapters/prompts"
	"tenet/core/settings"
	"tenet/tui/card"
	"tenet/tui/composer"
	"tenet/tui/keys"
	"tenet/tui/menu"
	"tenet/tui/pager"
	"tenet/tui/status"
	"tenet/tui/term"
	"tenet/tui/theme"
	"tenet/tui/transcript"
)

// model is the one model of the interface. Its children are plain values that render; it
// alone is told what happens. Nothing here waits: what takes time is a command, and its
// result a message.
type model struct {
	ctx  context.Context
	o    Options
	look settings.Interface
	home string
	// history is the file of the messages of this project.
	history string
	keys    *keys.Map

	theme      *theme.Theme
	width      int
	height     int
	transcript *transcript.Transcript
	composer   *composer.Composer
	cards      *card.Stack
	activity   status.Activity
	files      []host.FileChange
	info       host.Info
	work       work
	lastCall   string
	prompts    *prompts.Library
	// drawn are parts of the last frame; changes counts what made them stale.
	drawn   drawn
	changes int

	// host is the open session, nil while none is; feed gives what happens in it, and seq is
	// the last record that was shown.
	host    *host.Host
	current atomic.Pointer[host.Host] // the same, for who asks beside Update
	feed    *host.Feed
	seq     uint64
	// opening is true while a session opens, start the screen without a model.
	opening bool
	start   *start

	// menu and pager lie over the transcript, one at a time; choose gets what was chosen, and
	// asking is a line that is written for something else than the model.
	menu   *menu.Menu
	choose func(*menu.Item) tea.Cmd
	pager  *pager.Pager
	asking *question
	// reading is true while keys go to the transcript, allOpen while every item is open.
	reading, allOpen bool
	// leader is the first key of a sequence, until the next one comes.
	leader string

	toast    toast
	quitting time.Time // when the first of two keys that quit was pressed
	escaped  time.Time // when Esc was last pressed with nothing to end
	ticking  bool
	fatal    error
	problems []string // with the keys file, told when a session opens
}

// toast is a word of the interface that goes away by itself.
type toast struct {
	text  string
	until time.Time
}

func newModel(ctx context.Context, o Options, home string, look settings.Interface, bound *keys.Map) *model {
	m := &model{prompts: &prompts.Library{}, ctx: ctx, o: o, home: home, history: historyFile(home, o.Host.Dir), look: look, keys: bound, opening: true}
	m.theme = themeOf(look.Theme)
	m.drawn.bar = m.theme.Border.Render("│")
	m.transcript = m.newTranscript()
	m.cards = card.New(card.Options{Theme: m.theme, Now: o.Now})
	m.composer = composer.New(composer.Options{Theme: m.theme, Keys: bound, History: recall(m.history), Commands: m.commandsForComposer, Files: m.filesFor})
	return m
}

func (m *model) newTranscript() *transcript.Transcript {
	return transcript.New(transcript.Options{Theme: m.theme, Now: m.o.Now, Workspace: m.o.Host.Dir, ReducedMotion: m.look.ReducedMotion})
}

func themeOf(name string) *theme.Theme {
	if th, ok := theme.Named(name); ok {
		return th
	}
	th, _ := theme.Named(theme.Names()[0])
	return th
}

func keysFile(home string) string { return filepath.Join(home, keys.FileName) }

// Init opens the session while the first frame is drawn.
func (m *model) Init() tea.Cmd { return m.open(m.o.Host) }

// Update takes one message.
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
		m.place()
		return m, nil
	case tea.KeyMsg:
		return m, tea.Batch(m.key(msg), m.tick())
	case term.Paste:
		return m, tea.Batch(m.paste(msg), m.tick())
	case term.Wheel:
		m.wheel(msg)
		return m, nil
	case tea.MouseMsg:
		return m, nil
	}
	return m, tea.Batch(m.result(msg), m.tick())
}

// result takes what a command came to.
func (m *model) result(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case opened:
		return m.opened(msg)
	case batch:
		return m.happened(msg)
	case done:
		return m.finished(msg)
	case shown:
		m.show(msg)
	case drawnPage:
		m.pager = msg.Pager
	case chosen:
		m.offer(msg)
	case changed:
		m.files = msg.files
		m.changes++
	case beat:
		m.ticking = false
	case term.Copied:
		m.copied(msg)
	case term.Edited:
		return m.edited(msg)
	case term.Resumed:
		return term.Redraw
	case probed:
		return m.probed(msg)
	case refused:
		m.refused(msg)
	case expanded:
		return m.expanded(msg)
	case returned:
		m.composer.Prepend(msg.text)
	default:
		return m.composer.Msg(msg)
	}
	return nil
}

// beat is one tick of what moves: the spinner, seconds, a toast, a quiet period.
type beat struct{}

// tick asks for the next beat, only while something moves: an idle interface costs nothing.
func (m *model) tick() tea.Cmd {
	every := m.moves()
	if m.ticking || every == 0 {
		return nil
	}
	m.ticking = true
	return tea.Tick(every, func(time.Time) tea.Msg { return beat{} })
}

// moves is how often the screen changes by itself; 0 is never.
func (m *model) moves() time.Duration {
	now := m.o.Now()
	switch {
	case m.cards.Up() && m.cards.Quiet() > 0:
		return max(m.cards.Quiet(), 10*time.Millisecond)
	case (m.activity.Busy() || m.opening) && !m.look.ReducedMotion:
		return status.Beat
	case m.activity.Busy() || m.opening || m.activity.Jobs > 0:
		return time.Second
	case now.Before(m.toast.until):
		return m.toast.until.Sub(now)
	case now.Sub(m.quitting) < quitWithin:
		return quitWithin
	}
	return 0
}

// say shows a word that goes away by itself.
func (m *model) say(text string) {
	m.toast = toast{text, m.o.Now().Add(4 * time.Second)}
}

// The kinds of rows that the interface itself puts into the transcript.
const (
	told   = "note"
	warned = "warning"
)

// note is a row of the interface's own; no log has it.
func (m *model) note(kind, text string) { m.transcript.Note(kind, text) }
