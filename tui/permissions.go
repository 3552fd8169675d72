package tui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"tenet/adapters/host"
	"tenet/core/call"
	"tenet/tui/menu"
)

const permissionsUse = "/permissions list · test COMMAND, or TOOL ARGUMENT · add [user|project] CAPABILITY PATTERN allow|ask|deny · move user|project FROM TO · remove user|project N · trust"

// permissions shows and changes the rules.
func (m *model) permissions(args string) tea.Cmd {
	h := m.host
	word, rest, _ := strings.Cut(args, " ")
	rest = strings.TrimSpace(rest)
	words := strings.Fields(rest)
	switch word {
	case "":
		return m.rules()
	case "list":
		return m.page("Permissions", func() (string, error) { return h.RulesText() })
	case "trust":
		return m.trust()
	case "test":
		tool, argument, _ := strings.Cut(rest, " ")
		if !slices.Contains(h.State().Opening.Tools, tool) { // a command, as at the shell
			tool, argument = "bash", rest
		}
		if argument == "" {
			m.say("such as: /permissions test git push")
			return nil
		}
		return m.page("Permissions: test", func() (string, error) { return h.TestRule(m.ctx, tool, strings.TrimSpace(argument)) })
	case "add":
		return m.addRule(words)
	case "move":
		if n, ok := places(words, 2); ok {
			return m.do("", func() (string, error) { return h.MoveRule(m.ctx, words[0], n[0], n[1]) })
		}
	case "remove", "delete":
		if n, ok := places(words, 1); ok {
			return m.do("", func() (string, error) { return h.RemoveRule(m.ctx, words[0], n[0]) })
		}
	}
	m.say(permissionsUse)
	return nil
}

// places reads the numbers behind the name of a layer.
func places(words []string, n int) ([]int, bool) {
	if len(words) != n+1 {
		return nil, false
	}
	out := make([]int, n)
	for i := range out {
		v, err := strconv.Atoi(words[i+1])
		if err != nil {
			return nil, false
		}
		out[i] = v
	}
	return out, true
}

// addRule: a pattern may have blanks, so that the words around it say where it ends.
func (m *model) addRule(words []string) tea.Cmd {
	scope := "user"
	if len(words) > 0 && (words[0] == "user" || words[0] == "project") {
		scope, words = words[0], words[1:]
	}
	if len(words) < 3 {
		m.say("such as: /permissions add process.execute \"go test *\" allow")
		return nil
	}
	pattern := strings.Trim(strings.Join(words[1:len(words)-1], " "), `"`)
	capability, action, h := words[0], words[len(words)-1], m.host
	return m.do("", func() (string, error) { return h.AddRule(m.ctx, scope, capability, pattern, action) })
}

// rules lists every rule with its source and place. In the files the later rule wins, so
// that the list begins with the last.
func (m *model) rules() tea.Cmd {
	h := m.host
	return m.list("Permissions: the first that matches wins", func() ([]menu.Item, error) {
		all, err := h.Rules()
		items := []menu.Item{
			{Title: "Add a rule", Value: "add"}, {Title: "Test a call against the rules", Value: "test"},
			{Title: "Trust this project's rules", Value: "trust"}, {Title: "Read all of it as text", Value: "list"},
		}
		for _, r := range slices.Backward(all) {
			items = append(items, ruleItem(r))
		}
		return items, err
	}, m.chosenRule)
}

func ruleItem(r host.Rule) menu.Item {
	place := r.Source
	if r.Position > 0 {
		place = fmt.Sprintf("%s %d", r.Source, r.Position)
	}
	return menu.Item{
		Title:  fmt.Sprintf("%-5s %s  %s", r.Action, r.Capability, call.OneLine(r.Pattern, 200)),
		Detail: place, Value: "rule " + place,
	}
}

func (m *model) chosenRule(i *menu.Item) tea.Cmd {
	switch i.Value {
	case "list", "trust":
		return m.permissions(i.Value)
	case "add", "test":
		m.composer.Set("/permissions " + i.Value + " ")
		return nil
	}
	words := strings.Fields(i.Value)
	if len(words) != 3 || words[1] != "user" && words[1] != "project" {
		m.say("this rule ships with tenet or belongs to the session; a rule of yours wins over it")
		return nil
	}
	return m.ruleActions(i.Title, words[1], words[2])
}

// ruleActions is what may be done with one rule of a file.
func (m *model) ruleActions(title, scope, at string) tea.Cmd {
	n, _ := strconv.Atoi(at)
	m.pick(title, []menu.Item{
		{Title: "Move it up, where it wins over more", Value: fmt.Sprintf("move %s %d %d", scope, n, n+1)},
		{Title: "Move it down, where more rules win over it", Value: fmt.Sprintf("move %s %d %d", scope, n, n-1)},
		{Title: "Remove it", Value: fmt.Sprintf("remove %s %d", scope, n)},
	}, func(i *menu.Item) tea.Cmd { return m.permissions(i.Value) })
	return nil
}

// trust shows what trusting the project's file would change, and asks.
func (m *model) trust() tea.Cmd {
	h := m.host
	return func() tea.Msg {
		offer, trusted, err := h.TrustOffer()
		yes, other := "Trust this file", "Do not"
		if trusted {
			yes, other = "Keep the trust", "Take the trust back"
		}
		items := []menu.Item{{Title: other, Value: "no"}, {Title: yes, Value: "yes"}}
		for line := range strings.Lines(offer) {
			items = append(items, menu.Item{Title: call.OneLine(strings.TrimRight(line, "\n"), 400), Value: "no"})
		}
		return chosen{"Does this project's settings file count?", items, err, func(i *menu.Item) tea.Cmd {
			return m.do("", func() (string, error) { return h.Trust(m.ctx, i.Value == "yes") })
		}}
	}
}
