package term

import (
	"reflect"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// The program is the framework's model around ours: it keeps what belongs to the
// terminal, passes the rest on, and paints. The framework's own View is never drawn:
// its renderer draws at a fixed beat, which delays a key and never rests.

// Init runs what the model wants at its start.
func (p *program) Init() tea.Cmd {
	var cmd tea.Cmd
	Guard(func() { cmd = p.model.Init() })
	return tea.Batch(p.start, guarded(cmd))
}

// View is empty: frame paints.
func (p *program) View() string { return "" }

// Update handles one message.
func (p *program) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	now := time.Now()
	switch m := msg.(type) {
	case frameMsg:
		if p.pace.promised() {
			p.frame(now)
		}
		return p, nil
	case idleMsg:
		p.frame(now)
		return p, nil
	case mouseMsg:
		p.tty.setMouse(bool(m))
		return p, nil
	case titleMsg:
		p.tty.setTitle(string(m))
		return p, nil
	case lendMsg:
		return p, p.lend(m.run)
	case backMsg:
		return p, p.back(m.then)
	case contMsg:
		return p, p.continued()
	case redrawMsg:
		p.paint.forget()
		p.tty.write.queue("\x1b[2J")
		return p, p.changed(now, true)
	case resizeMsg:
		return p, tea.Batch(p.resize(), p.changed(now, true))
	default:
		return p, tea.Batch(p.update(msg), p.changed(now, byHand(msg)))
	}
}

// update passes a message to the model.
func (p *program) update(msg tea.Msg) (cmd tea.Cmd) {
	Guard(func() { p.model, cmd = p.model.Update(msg) })
	return guarded(cmd)
}

// changed paints, or promises to.
func (p *program) changed(now time.Time, hand bool) tea.Cmd {
	paint, wait := p.pace.change(now, hand)
	if paint {
		p.frame(now)
	}
	if wait == 0 {
		return nil
	}
	return tea.Tick(wait, func(time.Time) tea.Msg { return frameMsg{} })
}

// frame paints what the model shows now. While the terminal has not taken the last
// frame, nothing is drawn: idleMsg comes when it has.
func (p *program) frame(now time.Time) {
	if p.lent.Load() || p.tty.write.busy() {
		return
	}
	p.pace.painted(now)
	Guard(func() {
		view, at := p.model.View(), spot{}
		if c, ok := p.model.(Cursor); ok {
			at.x, at.y, at.shown = c.Cursor()
		}
		p.tty.write.add(p.paint.paint(view, p.size.Width, p.size.Height, at), true)
	})
}

// resize tells the model the size when it is another one.
func (p *program) resize() tea.Cmd {
	var now tea.WindowSizeMsg
	now.Width, now.Height = p.tty.size()
	if now == p.size {
		return nil
	}
	p.size = now
	return p.update(now)
}

// byHand says whether a message comes from the person at the terminal.
func byHand(msg tea.Msg) bool {
	switch msg.(type) {
	case tea.KeyMsg, tea.MouseMsg, Wheel, Paste, Edited, Copied, Resumed:
		return true
	}
	return false
}

// Types of messages that the framework does not export.
var (
	clearType   = reflect.TypeOf(tea.ClearScreen())
	sizeType    = reflect.TypeOf(tea.WindowSize()())
	mouseOnType = reflect.TypeOf(tea.EnableMouseCellMotion())
	mouseAll    = reflect.TypeOf(tea.EnableMouseAllMotion())
	mouseOffTyp = reflect.TypeOf(tea.DisableMouse())
	execType    = reflect.TypeOf(tea.Exec(nil, nil)())
)

// filter sees each message before the framework acts on it, and turns what the
// framework would do to the terminal into what we do.
func (p *program) filter(_ tea.Model, msg tea.Msg) tea.Msg {
	if _, ok := msg.(tea.SuspendMsg); ok {
		return Suspend()
	}
	switch reflect.TypeOf(msg) {
	case clearType:
		return redrawMsg{}
	case sizeType:
		return resizeMsg{}
	case mouseOnType, mouseAll:
		return mouseMsg(true)
	case mouseOffTyp:
		return mouseMsg(false)
	case execType:
		p.crashed("tea.Exec cannot have this terminal: use term.Exec")
		return nil
	}
	return msg
}

// guarded is a command whose panic ends the interface in order, and so for the
// commands in its answer.
func guarded(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		Guard(func() { msg = cmd() })
		return guardedAll(msg)
	}
}

var cmdType = reflect.TypeFor[tea.Cmd]()

// guardedAll guards the commands that a message holds: tea.BatchMsg, and the message of
// tea.Sequence, which has no name outside.
func guardedAll(msg tea.Msg) tea.Msg {
	v := reflect.ValueOf(msg)
	if msg == nil || v.Kind() != reflect.Slice || v.Type().Elem() != cmdType {
		return msg
	}
	all := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
	for i := range v.Len() {
		cmd, _ := v.Index(i).Interface().(tea.Cmd)
		all.Index(i).Set(reflect.ValueOf(guarded(cmd)))
	}
	return all.Interface()
}
