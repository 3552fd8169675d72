package tui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"tenet/adapters/cli"
	"tenet/adapters/host"
	"tenet/core/call"
	"tenet/core/event"
	"tenet/tui/keys"
	"tenet/tui/menu"
	"tenet/tui/pager"
	"tenet/tui/status"
	"tenet/tui/term"
	"tenet/tui/text"
	"tenet/tui/theme"
)

var (
	redraw  tea.Cmd = term.Redraw
	suspend tea.Cmd = term.Suspend
)

// show lays a text over the transcript.
func (m *model) show(s shown) {
	if s.err != nil {
		m.say(s.err.Error())
		m.note(warned, s.err.Error())
		return
	}
	m.pager = pager.New(s.title, text.Clean(s.text), m.theme)
}

// help says what there is: commands and keys.
func (m *model) help() tea.Cmd {
	var b strings.Builder
	b.WriteString("Commands\n\n")
	for _, c := range commands() {
		name := strings.TrimSpace("/" + c.name + " " + c.args)
		fmt.Fprintf(&b, "  %s %s\n", text.Pad(name, 34), c.says)
	}
	for _, t := range m.prompts.List() {
		fmt.Fprintf(&b, "  %s %s (%s)\n", text.Pad("/"+t.Call+" "+t.Hint, 34), t.Description, t.Source)
	}
	m.keyRows(&b)
	b.WriteString("\nKeys are changed in " + keysFile(m.home) + " (docs/keys.md).\n")
	m.pager = pager.New("Help", b.String(), m.theme)
	return nil
}

// keyRows lists the keys as they are, by where they count.
func (m *model) keyRows(b *strings.Builder) {
	last := ""
	for _, a := range keys.Actions() {
		if in := a.In().String(); in != last {
			last = in
			fmt.Fprintf(b, "\nKeys: %s\n\n", in)
		}
		fmt.Fprintf(b, "  %s %s\n", text.Pad(m.keys.Titles(a), 34), a.Says())
	}
}

func (m *model) sessions(name string) tea.Cmd {
	if name != "" {
		return m.resume(name)
	}
	h, now := m.host, m.o.Now()
	return m.list("Sessions of this directory", func() ([]menu.Item, error) {
		rows, err := h.Sessions(false)
		var items []menu.Item
		for _, r := range rows {
			if r.Current {
				continue
			}
			items = append(items, sessionItem(r, now))
		}
		if err == nil && len(items) == 0 {
			err = fmt.Errorf("this directory has no other session")
		}
		return items, err
	}, func(i *menu.Item) tea.Cmd { return m.resume(i.Value) })
}

func sessionItem(r host.SessionRow, now time.Time) menu.Item {
	title := call.OneLine(r.Prompt, 80)
	if r.Name != "" {
		title = call.OneLine(r.Name, 60) + ": " + title
	}
	if r.Flaw != "" {
		title += " (" + call.OneLine(r.Flaw, 80) + ")"
	}
	return menu.Item{Title: title, Detail: fmt.Sprintf("%s · %s · %d turns", cli.Age(now.Sub(r.Used)), r.State, r.Turns), Value: r.ID}
}

func (m *model) resume(name string) tea.Cmd {
	o := m.like()
	o.Resume, o.Profile = name, "" // it has a profile of its own
	return m.change(o)
}

// like is a session that is led as this one is: its directory, its model's script, its
// profile.
func (m *model) like() host.Options {
	o := m.o.Host
	o.Profile = m.info.Profile
	o.Prompt, o.Continue, o.Resume = "", false, ""
	return o
}

// again takes this session up again.
func (m *model) again() host.Options {
	o := m.like()
	o.Resume = m.info.Session
	return o
}

// fork goes on in a copy of the session.
func (m *model) fork(args string) tea.Cmd {
	at, err := strconv.ParseUint(strings.TrimSpace(args), 10, 64)
	if args != "" && err != nil {
		m.say("/fork takes the number of a record, such as /fork 12")
		return nil
	}
	o := m.like()
	o.Fork, o.At = m.info.Session, at
	return m.change(o)
}

// rewind goes back to before an earlier message, in a copy: nothing is taken from the log.
func (m *model) rewind() tea.Cmd {
	if m.host == nil {
		return nil
	}
	var items []menu.Item
	said := map[string]string{}
	for _, p := range slices.Backward(m.host.State().Messages) {
		if p.Role != event.User || p.Harness {
			continue
		}
		said[fmt.Sprint(p.Seq)] = p.Text
		items = append(items, menu.Item{Title: call.OneLine(p.Text, 200), Detail: fmt.Sprintf("record %d", p.Seq), Value: fmt.Sprint(p.Seq)})
	}
	if len(items) == 0 {
		m.say("there is no earlier message")
		return nil
	}
	m.pick("Go back to before a message, in a copy of the session", items, func(i *menu.Item) tea.Cmd {
		seq, _ := strconv.ParseUint(i.Value, 10, 64)
		m.composer.Set(said[i.Value])
		return m.fork(fmt.Sprint(max(1, seq-1)))
	})
	return nil
}

func (m *model) rename(name string) tea.Cmd {
	h := m.host
	return m.do("", func() (string, error) { return "the session is now " + name, h.Rename(name) })
}

func (m *model) models(name string) tea.Cmd {
	if name != "" {
		o := m.again()
		o.Model, o.Script = name, ""
		return m.change(o)
	}
	h := m.host
	return m.list("Models", func() ([]menu.Item, error) {
		rows, err := h.Models()
		var items []menu.Item
		for _, r := range rows {
			items = append(items, modelItem(r))
		}
		return items, err
	}, m.chosenModel)
}

func modelItem(r host.ModelRow) menu.Item {
	mark := " "
	if r.Current {
		mark = "●"
	}
	detail := call.OneLine(r.Key, 40)
	if r.Context > 0 {
		detail = status.Tokens(r.Context) + " context · " + detail
	}
	return menu.Item{Title: mark + " " + call.OneLine(r.Selector, 80), Detail: detail, Value: r.Selector}
}

// chosenModel: a row that stands for any name of a server asks for the name.
func (m *model) chosenModel(i *menu.Item) tea.Cmd {
	if server, ok := strings.CutSuffix(i.Value, "*"); ok {
		m.ask("model", server, nil, func(name string) tea.Cmd { return m.models(name) })
		return nil
	}
	return m.models(i.Value)
}

// profile changes how closely calls are watched, from the next turn on.
func (m *model) profile(name string) tea.Cmd {
	if name != "" {
		o := m.again()
		o.Profile, o.Auto = name, nil
		return m.change(o)
	}
	says := map[string]string{"open": "only secrets are asked about", "balanced": "reading and edits of the project run; programs are asked about", "strict": "every write and command is asked about"}
	var items []menu.Item
	for _, p := range m.host.Profiles() {
		items = append(items, menu.Item{Title: p, Detail: says[p], Value: p})
	}
	m.pick("Profiles", items, func(i *menu.Item) tea.Cmd { return m.profile(i.Value) })
	return nil
}

func (m *model) nextProfile() tea.Cmd {
	if m.host == nil {
		return nil
	}
	all := m.host.Profiles()
	i := slices.Index(all, m.host.Info().Profile)
	return m.profile(all[(i+1)%len(all)])
}

func (m *model) jobs(string) tea.Cmd {
	h := m.host
	return m.list("Jobs; Enter shows what one wrote", func() ([]menu.Item, error) {
		var items []menu.Item
		for _, j := range h.Jobs() {
			items = append(items, menu.Item{Title: j.ID + "  " + call.OneLine(j.Command, 120), Detail: j.Status + " " + cli.Age(j.For), Value: j.ID})
		}
		if len(items) == 0 {
			return nil, fmt.Errorf("no job runs")
		}
		return items, nil
	}, func(i *menu.Item) tea.Cmd { return m.job(i.Value) })
}

// job shows what one wrote, or stops it.
func (m *model) job(id string) tea.Cmd {
	h := m.host
	m.pick("Job "+id, []menu.Item{{Title: "Show its output", Value: "tail"}, {Title: "Stop it", Detail: "TERM, and KILL after the grace time", Value: "kill"}}, func(i *menu.Item) tea.Cmd {
		if i.Value == "kill" {
			return m.do("stopping "+id, func() (string, error) { return h.Kill(m.ctx, id) })
		}
		return m.page("Job "+id, func() (string, error) { return h.Tail(id, 2000) })
	})
	return nil
}

func (m *model) skills(string) tea.Cmd {
	var b strings.Builder
	for _, s := range m.host.Skills() {
		fmt.Fprintf(&b, "%s\n  %s\n\n", s.Name, s.Description)
	}
	if b.Len() == 0 {
		m.say("there are no skills; docs/skills.md says where they are looked for")
		return nil
	}
	m.show(shown{title: "Skills", text: b.String()})
	return nil
}

func (m *model) themes(name string) tea.Cmd {
	if name != "" {
		th, ok := theme.Named(name)
		if !ok {
			m.say("there is no theme " + name + "; there are " + strings.Join(theme.Names(), ", "))
			return nil
		}
		m.paint(th)
		return m.do("", func() (string, error) { return "", cli.Remember(m.ctx, m.o.Host.Dir, "interface.theme", name) })
	}
	var items []menu.Item
	for _, n := range theme.Names() {
		items = append(items, menu.Item{Title: n, Value: n})
	}
	m.pick("Themes", items, func(i *menu.Item) tea.Cmd { return m.themes(i.Value) })
	return nil
}

// paint changes the colours of everything.
func (m *model) paint(th *theme.Theme) {
	m.theme = th
	m.drawn = drawn{bar: th.Border.Render("│")}
	m.transcript.SetTheme(th)
	m.cards.SetTheme(th)
	m.composer.SetTheme(th)
}

func (m *model) mouse() tea.Cmd {
	m.look.Mouse = !m.look.Mouse
	if m.look.Mouse {
		m.say("the wheel scrolls; hold Shift to select text")
	} else {
		m.say("the terminal has the mouse")
	}
	return term.SetMouse(m.look.Mouse)
}

func (m *model) copyAnswer() tea.Cmd {
	if m.host == nil {
		return nil
	}
	answer := m.host.State().Answer()
	if answer == "" {
		m.say("there is no answer yet")
		return nil
	}
	return term.Copy(answer, m.copyFile())
}
