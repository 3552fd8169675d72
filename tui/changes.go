package tui

import (
	"fmt"
	"os"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"tenet/adapters/cli"
	"tenet/adapters/host"
	"tenet/core/call"
	diff "tenet/tui/diffview"
	"tenet/tui/menu"
	"tenet/tui/pager"
	"tenet/tui/status"
)

// countFilesNow asks for the files when a session is open.
func (m *model) countFilesNow() tea.Cmd {
	if m.host == nil {
		return nil
	}
	return m.countFiles()
}

// diff shows what the session made of each file, from before its first change to now.
func (m *model) diff(path string) tea.Cmd {
	h, w, th := m.host, m.width, m.theme
	return func() tea.Msg {
		var b strings.Builder
		for _, f := range h.Changes() {
			if path != "" && f.Path != path {
				continue
			}
			d, err := h.Diff(f.Path)
			if err != nil {
				d = err.Error()
			}
			b.WriteString(th.Heading.Render(fileLine(f)) + "\n" + strings.Join(diff.Lines(d, w, th), "\n") + "\n\n")
		}
		if b.Len() == 0 {
			return done{err: fmt.Errorf("this session changed no file%s", ofPath(path))}
		}
		return drawnPage{pager.New("What this session changed", b.String(), th)}
	}
}

// drawnPage is a text that is drawn already.
type drawnPage struct{ *pager.Pager }

func ofPath(path string) string {
	if path == "" {
		return ""
	}
	return " of the name " + call.OneLine(path, 200)
}

func fileLine(f host.FileChange) string {
	name := call.OneLine(f.Path, 300)
	if f.Was != "" {
		name = call.OneLine(f.Was, 300) + " → " + name
	}
	out := fmt.Sprintf("%s %s +%d -%d", f.Kind, name, f.Added, f.Removed)
	if !f.Stands {
		out += " (changed by something else since)"
	}
	return out
}

// undo takes back the last change of a file; without a name it offers the files.
func (m *model) undo(path string) tea.Cmd {
	h := m.host
	if path != "" {
		return m.do("", func() (string, error) {
			d, err := h.Undo(path)
			return d.Text, err
		})
	}
	return m.list("Take back the last change of", func() ([]menu.Item, error) {
		var items []menu.Item
		for _, f := range h.Changes() {
			if f.Changes > 0 {
				items = append(items, menu.Item{Title: fileLine(f), Detail: fmt.Sprintf("%d can be taken back", f.Changes), Value: f.Path})
			}
		}
		if len(items) == 0 {
			return nil, fmt.Errorf("this session changed nothing that can be taken back")
		}
		return items, nil
	}, func(i *menu.Item) tea.Cmd { return m.offerUndo(i.Value) })
}

// offerUndo shows what would be taken back before it is.
func (m *model) offerUndo(path string) tea.Cmd {
	m.pick("Take back the last change of "+call.OneLine(path, 200), []menu.Item{
		{Title: "Show the change first", Value: "show"}, {Title: "Take it back", Value: "undo"},
	}, func(i *menu.Item) tea.Cmd {
		if i.Value == "show" {
			return m.diff(path)
		}
		return m.undo(path)
	})
	return nil
}

// redo takes the last undo of a file back.
func (m *model) redo(path string) tea.Cmd {
	h := m.host
	if path == "" && len(m.files) == 1 {
		path = m.files[0].Path
	}
	if path == "" {
		m.say("/redo takes the path of a file")
		return nil
	}
	return m.do("", func() (string, error) {
		d, err := h.Redo(path)
		return d.Text, err
	})
}

// examined is the doctor's report; what fails in it stands in it.
func (m *model) examined() (string, error) {
	var b strings.Builder
	err := cli.Doctor(m.ctx, cli.DoctorOptions{Dir: m.o.Host.Dir, In: m.o.In, Env: os.Getenv, Out: &b})
	if b.Len() > 0 {
		err = nil
	}
	return b.String(), err
}

// context shows what fills the model's context.
func (m *model) context(string) tea.Cmd {
	h := m.host
	return m.page("Context", func() (string, error) {
		return contextText(h.Context(), func(n int) string { return strings.Repeat("█", n) }), nil
	})
}

// contextText is a report with a gauge of up to 40 cells.
func contextText(c host.ContextReport, gauge func(cells int) string) string {
	var b strings.Builder
	whole := max(c.Window, c.Used, 1)
	exact := "about "
	if c.Measured {
		exact = ""
	}
	fmt.Fprintf(&b, "%s%s of %s tokens\n\n", exact, status.Tokens(c.Used), window(c.Window))
	for _, p := range c.Parts {
		fmt.Fprintf(&b, "%-12s %8s  %5d  %s\n", p.Name, status.Tokens(p.Tokens), p.Count, gauge((p.Tokens*40+whole-1)/whole))
	}
	if c.Freed > 0 {
		fmt.Fprintf(&b, "\nA summary of the older messages would free about %s tokens.\n", status.Tokens(c.Freed))
	}
	return b.String()
}

func window(n int) string {
	if n == 0 {
		return "an unknown number of"
	}
	return status.Tokens(n)
}

// why explains a verdict: of the named call, the selected one, or the last.
func (m *model) why(id string) tea.Cmd {
	h := m.host
	if id == "" {
		id, _ = m.transcript.Selected()
	}
	if id == "" {
		id = m.lastCall
	}
	if id == "" {
		m.say("no call was made yet")
		return nil
	}
	return m.page("Why: "+id, func() (string, error) { return h.Why(id) })
}
