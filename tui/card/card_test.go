package card_test

import (
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"tenet/adapters/approvals"
	"tenet/core/event"
	"tenet/tui/card"
)

// desk is a stack with a clock that stands still until it is moved.
type desk struct {
	*card.Stack
	at time.Time
}

func newDesk() *desk {
	d := &desk{at: time.Unix(1000, 0)}
	d.Stack = card.New(card.Options{Now: func() time.Time { return d.at }})
	return d
}

// still lets the quiet period pass.
func (d *desk) still() { d.at = d.at.Add(time.Second) }

func key(s string) tea.KeyMsg {
	for t, name := range map[tea.KeyType]string{
		tea.KeyEnter: "enter", tea.KeyEsc: "esc", tea.KeyTab: "tab", tea.KeyLeft: "left", tea.KeyRight: "right", tea.KeyUp: "up", tea.KeyDown: "down",
		tea.KeyPgDown: "pgdown", tea.KeyPgUp: "pgup", tea.KeyHome: "home", tea.KeyEnd: "end", tea.KeyBackspace: "backspace", tea.KeyCtrlU: "ctrl+u",
	} {
		if name == s {
			return tea.KeyMsg{Type: t}
		}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(s)}
}

// question is a call that wants to run a script.
func question(id string, steps ...approvals.ApprovalStep) approvals.Approval {
	return approvals.Approval{
		ID: id, Session: "s1", Call: "call_" + id, Tool: "bash", Dir: "/w", Digest: "digest of " + id, Steps: steps,
		Requests: []approvals.ApprovalRequest{
			{Capability: "process.execute", Subject: "npm install", Verdict: "ask", Rule: `process.execute / "npm *"`, Source: "user", Position: 3},
			{Capability: "file.read", Subject: "/w", Verdict: "allow", Rule: "what holds without a rule", Source: "default"},
		},
		Notes: []string{"nothing allows exec in advance (rule outside-auto-set)"},
		Answers: []approvals.ApprovalAnswer{
			{Key: "deny", Means: "no; a reason reaches the model"},
			{Key: "allow_once", Means: "yes, this once"},
			{Key: "allow_session", Pattern: "npm install", Means: "yes, and this very step again in this session"},
			{Key: "allow_always", Pattern: "npm install *", Means: "yes, and always in this project: npm install *"},
			{Key: "allow_always", Pattern: "npm *", Means: "yes, and always in this project: npm *"},
		},
	}
}

func install() approvals.ApprovalStep {
	return approvals.ApprovalStep{N: 1, Text: "npm install", Effects: []string{"exec", "net", "write"}, Notes: []string{"installs packages"}, Class: "simple", Asks: true, Places: []string{"/w"}}
}

func TestLook(t *testing.T) {
	d := newDesk()
	d.Add(question("1", install()))
	d.Add(question("2", install()))
	t.Log("\n" + d.View(80, 24))
	d.still()
	t.Log("\n" + d.View(80, 24))
	d.Key(key("tab"))
	t.Log("\n" + d.View(80, 30))
	d.still()
	d.Key(key("A"))
	t.Log("\n" + d.View(40, 10))
	d.still()
	d.Key(key("A"))
	t.Log("\n" + d.View(40, 8))
	d.still()
	d.Key(key("n"))
	for _, r := range "use pnpm" {
		d.Key(key(string(r)))
	}
	t.Log("\n" + d.View(40, 10))
	t.Logf("%+v", d.Key(key("enter")).Answer)
	d.still()
	d.Key(key("esc"))
	t.Logf("%+v", d.Key(key("esc")).Answer)
	d.Inquire(event.Inquiry{ID: "q", Text: "Which one?\nThere are two.", Options: []string{"left", "right"}})
	d.still()
	d.Key(key("2"))
	t.Log("\n" + d.View(40, 10))
	t.Logf("%+v", d.Key(key("enter")).Reply)
	if strings.Contains(d.View(40, 10), "x") {
		t.Error("not empty")
	}
}
