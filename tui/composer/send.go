package composer

import (
	"strings"
	"unicode"

	tea "github.com/charmbracelet/bubbletea"

	"tenet/core/settings"
	"tenet/tui/keys"
)

// draft is a text as it was written, with its chips.
type draft struct {
	b     *buffer
	shell bool
}

// send is Enter: a backslash before the cursor makes a new line of it.
func (c *Composer) send() (Act, tea.Cmd) {
	if c.b.escaped() {
		c.change()
		c.b.edit(c.b.left(c.b.cur), c.b.cur, "\n", editOther)
		return Act{}, c.refresh()
	}
	text := c.b.expand(c.b.text())
	if strings.TrimSpace(text) == "" {
		return Act{}, nil
	}
	if c.shell {
		return c.gone(Act{Kind: Shell, Text: text}), nil
	}
	if name, args, ok := slash(text); ok {
		if c.command(name) == nil {
			c.note = c.unknown(name)
			return Act{}, nil
		}
		return c.gone(Act{Kind: Slash, Name: name, Args: args}), nil
	}
	return c.gone(c.message(Send, text)), nil
}

func (c *Composer) message(kind Kind, text string) Act {
	return Act{Kind: kind, Text: told(strings.TrimSpace(text)), Images: c.b.images(c.b.text())}
}

// gone empties the line after its text was taken.
func (c *Composer) gone(a Act) Act {
	c.past.add(c.Text())
	c.sent = &draft{c.b, c.shell}
	c.close()
	c.past.leave()
	c.show(draft{b: newBuffer()})
	return a
}

// Restore puts back a text whose sending failed: as it was with its chips, when it is what
// was sent last and nothing was written since; else before what is written.
func (c *Composer) Restore(text string) {
	if c.sent == nil || !c.Empty() || strings.TrimSpace(draftText(*c.sent)) != strings.TrimSpace(text) {
		c.Prepend(text)
		return
	}
	c.close()
	c.past.leave()
	c.show(*c.sent)
	c.sent = nil
}

func draftText(d draft) string {
	c := Composer{b: d.b, shell: d.shell}
	return c.Text()
}

// queue is Tab and Alt+Enter: the text waits for the end of the turn. With nothing written
// the keys go to the transcript.
func (c *Composer) queue() (Act, tea.Cmd) {
	text := c.b.expand(c.b.text())
	_, _, command := slash(text)
	switch {
	case c.Empty():
		return c.pass(keys.Focus)
	case strings.TrimSpace(text) == "":
		return Act{}, nil
	case c.shell || command:
		c.note = "only a message waits for the turn's end; Enter runs this now"
		return Act{}, nil
	case !c.busy:
		c.note = "nothing runs that it could wait for; Enter sends"
		return Act{}, nil
	}
	return c.gone(c.message(Queue, text)), nil
}

// slash parts a command from its arguments. A text that begins with a path or a blank is no
// command.
func slash(text string) (name, args string, ok bool) {
	rest, ok := strings.CutPrefix(text, "/")
	if !ok {
		return "", "", false
	}
	name, args, _ = strings.Cut(strings.ReplaceAll(rest, "\n", " \n"), " ")
	args = strings.ReplaceAll(args, " \n", "\n")
	if name == "" || strings.ContainsFunc(name, notInName) {
		return "", "", false
	}
	return name, strings.TrimSpace(args), true
}

// notInName is true for a character that no command and no prompt has in its name.
func notInName(r rune) bool {
	return r == '/' || unicode.IsSpace(r) || unicode.IsControl(r) || r >= firstChip
}

// command is a command of a name, nil when there is none.
func (c *Composer) command(name string) *Command {
	for _, cmd := range c.commands() {
		if cmd.Name == name {
			return &cmd
		}
	}
	return nil
}

func (c *Composer) commands() []Command {
	if c.o.Commands == nil {
		return nil
	}
	return c.o.Commands()
}

// unknown is what people are told of a command that there is not.
func (c *Composer) unknown(name string) string {
	var names []string
	for _, cmd := range c.commands() {
		names = append(names, cmd.Name)
	}
	near := ""
	if found := settings.Near(name, names); len(found) > 0 {
		near = "did you mean /" + found[0] + "? "
	}
	return "there is no command /" + name + "; " + near + "A blank before it sends it as a message"
}
