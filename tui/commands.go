package tui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"tenet/tui/composer"
	"tenet/tui/keys"
	"tenet/tui/menu"
)

// command is one slash command. The table of them is the one place where a command has its
// name, its arguments and its meaning: the palette, /help and docs/commands.md read it.
type command struct {
	name, args, says string
	// also are other names.
	also []string
	// action is the key of the same, None for none.
	action keys.Action
	// alone is true for what needs no session.
	alone bool
	run   func(m *model, args string) tea.Cmd
}

// commands is the table.
func commands() []command { return slices.Concat(ofSessions(), ofWork(), ofGate(), ofInterface()) }

func ofSessions() []command {
	return []command{
		{name: "new", args: "[prompt]", says: "begin a new session here", also: []string{"clear"}, action: keys.New, run: func(m *model, args string) tea.Cmd {
			o := m.like()
			o.Prompt = args
			return m.change(o)
		}},
		{name: "sessions", says: "choose an earlier session of this directory and go on with it", also: []string{"resume"}, args: "[name]", action: keys.Sessions, run: (*model).sessions},
		{name: "continue", says: "go on with the turn that a crash left open", run: func(m *model, _ string) tea.Cmd {
			h := m.host
			return m.do("", func() (string, error) { return "", h.Continue() })
		}},
		{name: "fork", args: "[record]", says: "go on in a copy of this session, from its end or from a record", action: keys.Fork, run: (*model).fork},
		{name: "rename", args: "name", says: "give this session a name", run: func(m *model, name string) tea.Cmd {
			if name == "" {
				m.ask("name of the session", m.host.Info().Name, nil, func(s string) tea.Cmd { return m.rename(s) })
				return nil
			}
			return m.rename(name)
		}},
		{name: "export", args: "[markdown | json]", says: "write this session into a file", action: keys.Export, run: func(m *model, format string) tea.Cmd {
			h := m.host
			return m.do("", func() (string, error) {
				path, err := h.Export(cmp.Or(format, "markdown"))
				return "written to " + path, err
			})
		}},
		{name: "quit", says: "end the session and leave", also: []string{"exit", "q"}, alone: true, action: keys.Quit, run: func(*model, string) tea.Cmd { return tea.Quit }},
	}
}

func ofWork() []command {
	return []command{
		{name: "model", args: "[name]", says: "choose the model that works", also: []string{"models"}, action: keys.Models, run: (*model).models},
		{name: "profile", args: "[open | balanced | strict]", says: "choose how closely calls are watched", action: keys.Profile, run: (*model).profile},
		{name: "jobs", says: "show what runs beside the turn, its output, and stop it", action: keys.Jobs, run: (*model).jobs},
		{name: "diff", args: "[path]", says: "show what this session changed", action: keys.Diff, run: (*model).diff},
		{name: "undo", args: "[path]", says: "take back this session's last change of a file, from its log", action: keys.Undo, run: (*model).undo},
		{name: "redo", args: "[path]", says: "take the last undo of a file back", run: (*model).redo},
		{name: "context", says: "show what fills the model's context", action: keys.ContextUse, run: (*model).context},
		{name: "queue", says: "show the messages that wait; one that is chosen comes back for editing", action: keys.TakeBack, run: func(m *model, _ string) tea.Cmd { return m.takeBack() }},
		{name: "stop", says: "interrupt the turn", action: keys.Cancel, run: func(m *model, _ string) tea.Cmd { return m.stop() }},
		{name: "skills", says: "list the skills that the model may use", run: (*model).skills},
	}
}

func ofGate() []command {
	return []command{
		{name: "permissions", args: "[list | test | add | move | remove | trust]", says: "show and change what is allowed, asked about and denied", also: []string{"rules"}, action: keys.Permissions, run: (*model).permissions},
		{name: "why", args: "[call]", says: "explain the verdict on a call: the one that is selected, or the last", action: keys.Why, run: (*model).why},
		{name: "audit", says: "judge every call of this session again under the rules of now", action: keys.Audit, run: func(m *model, _ string) tea.Cmd {
			h := m.host
			return m.page("Audit", func() (string, error) { return h.Audit(m.ctx) })
		}},
	}
}

func ofInterface() []command {
	return []command{
		{name: "help", says: "say what there is", also: []string{"?"}, alone: true, action: keys.Help, run: func(m *model, _ string) tea.Cmd { return m.help() }},
		{name: "keys", says: "list the keys and the file that changes them", alone: true, run: func(m *model, _ string) tea.Cmd { return m.help() }},
		{name: "theme", args: "[name]", says: "choose the colours", alone: true, action: keys.Themes, run: (*model).themes},
		{name: "mouse", says: "give the mouse to the interface, or back to the terminal", alone: true, action: keys.Mouse, run: func(m *model, _ string) tea.Cmd { return m.mouse() }},
		{name: "search", args: "[words]", says: "find words in the transcript", action: keys.Search, run: func(m *model, words string) tea.Cmd {
			if words != "" {
				m.transcript.Search(words)
				m.reading = true
				return nil
			}
			return m.search()
		}},
		{name: "doctor", says: "check the terminal, the settings, the models and the machine", alone: true, run: func(m *model, _ string) tea.Cmd {
			return m.page("Doctor", func() (string, error) { return m.examined() })
		}},
	}
}

// command runs a slash command by its name.
func (m *model) command(name, args string) tea.Cmd {
	c, ok := find(name)
	if !ok {
		return m.template(name, args)
	}
	if m.host == nil && !c.alone {
		m.say("/" + name + " needs a session; none is open")
		return nil
	}
	return c.run(m, strings.TrimSpace(args))
}

// anywhere does what a key means wherever it is pressed.
func (m *model) anywhere(a keys.Action) tea.Cmd {
	switch {
	case a == keys.Clear:
		return m.clear()
	case a == keys.Quit:
		return tea.Quit
	case a == keys.Palette:
		return m.palette()
	case a == keys.Expand:
		m.allOpen = !m.allOpen
		m.transcript.ExpandAll(m.allOpen)
	case a == keys.Sidebar:
		m.look.Sidebar = !m.look.Sidebar
	case a == keys.Todo:
		return m.command("jobs", "")
	case a == keys.Rewind:
		return m.rewind()
	case a == keys.Profile:
		return m.nextProfile()
	case a == keys.Redraw:
		return redraw
	case a == keys.Suspend:
		return suspend
	case a == keys.CopyAnswer:
		return m.copyAnswer()
	case a == keys.Cancel:
		return m.escape()
	}
	for _, c := range commands() {
		if c.action == a {
			return m.command(c.name, "")
		}
	}
	return nil
}

// clear is Ctrl+C: it empties the line, else interrupts, and twice leaves.
func (m *model) clear() tea.Cmd {
	now := m.o.Now()
	switch {
	case !m.composer.Empty() && !m.cards.Up():
		m.composer.Set("")
		return nil
	case now.Sub(m.quitting) < quitWithin:
		return tea.Quit
	}
	m.quitting = now
	if m.activity.Busy() {
		m.say("interrupted; Ctrl+C again leaves")
		return m.stop()
	}
	m.say("Ctrl+C again leaves")
	return nil
}

// palette lists every command and template.
func (m *model) palette() tea.Cmd {
	var items []menu.Item
	for _, c := range m.commandsForComposer() {
		if real, ok := find(c.Name); ok && real.name != c.Name {
			continue
		}
		items = append(items, menu.Item{Title: "/" + c.Name, Detail: c.Says, Value: c.Name, Keys: c.Keys})
	}
	m.pick("Commands", items, func(i *menu.Item) tea.Cmd {
		if c, _ := find(i.Value); c.args != "" && !strings.HasPrefix(c.args, "[") {
			m.composer.Set("/" + i.Value + " ")
			return nil
		}
		return m.command(i.Value, "")
	})
	return nil
}

// commandNames are the names that no prompt takes.
func commandNames() (out []string) {
	for _, c := range commands() {
		out = append(append(out, c.name), c.also...)
	}
	return out
}

// find is the command of a name, or of another name of it.
func find(name string) (command, bool) {
	for _, c := range commands() {
		if c.name == name || slices.Contains(c.also, name) {
			return c, true
		}
	}
	return command{}, false
}

// pick lets a person choose from a list.
func (m *model) pick(title string, items []menu.Item, choose func(*menu.Item) tea.Cmd) {
	m.menu, m.choose = menu.New(menu.Options{Title: title, Items: items, Theme: m.theme, Keys: m.keys}), choose
}

// commandsForComposer are the commands and the templates, as the line completes them.
func (m *model) commandsForComposer() []composer.Command {
	var out []composer.Command
	for _, c := range commands() {
		out = append(out, composer.Command{Name: c.name, Args: c.args, Says: c.says, Keys: m.keys.Titles(c.action)})
		for _, other := range c.also {
			out = append(out, composer.Command{Name: other, Args: c.args, Says: "the same as /" + c.name})
		}
	}
	for _, t := range m.prompts.List() {
		out = append(out, composer.Command{Name: t.Call, Args: t.Hint, Says: fmt.Sprintf("%s (%s)", t.Description, t.Source)})
	}
	if m.host != nil {
		for _, s := range m.host.Skills() {
			out = append(out, composer.Command{Name: s.Name, Args: "[words]", Says: s.Description + " (skill)"})
		}
	}
	return out
}

// done is what a command that took time came to; shown is a text of one, chosen a list.
type done struct {
	text string
	err  error
}

type shown struct {
	title, text string
	err         error
}

type chosen struct {
	title  string
	items  []menu.Item
	err    error
	choose func(*menu.Item) tea.Cmd
}

// do does something that takes time and says what came of it.
func (m *model) do(text string, f func() (string, error)) tea.Cmd {
	if text != "" {
		m.say(text)
	}
	return func() tea.Msg {
		text, err := f()
		return done{text, err}
	}
}

func (m *model) finished(d done) tea.Cmd {
	switch {
	case d.err != nil:
		m.say(d.err.Error())
		m.note(warned, d.err.Error())
	case d.text != "":
		m.note(told, d.text)
	}
	return m.countFilesNow()
}

// page shows a text that takes time to make.
func (m *model) page(title string, f func() (string, error)) tea.Cmd {
	return func() tea.Msg {
		text, err := f()
		return shown{title, text, err}
	}
}

// list shows a list that takes time to make.
func (m *model) list(title string, items func() ([]menu.Item, error), choose func(*menu.Item) tea.Cmd) tea.Cmd {
	return func() tea.Msg {
		list, err := items()
		return chosen{title, list, err, choose}
	}
}

func (m *model) offer(c chosen) {
	if c.err != nil {
		m.say(c.err.Error())
		return
	}
	m.pick(c.title, c.items, c.choose)
}
