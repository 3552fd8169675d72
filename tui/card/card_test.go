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

// up is a desk with questions on a screen of 80x24 whose keys count.
func up(all ...approvals.Approval) *desk {
	d := newDesk()
	for _, a := range all {
		d.Add(a)
	}
	d.View(80, 24)
	d.still()
	return d
}

// still lets the quiet period pass.
func (d *desk) still() { d.at = d.at.Add(time.Second) }

// keys presses keys, a letter or a name each, and returns what follows from the last.
func (d *desk) keys(names ...string) (a card.Act) {
	for _, n := range names {
		a = d.Key(key(n))
	}
	return a
}

// write presses the letters of a text.
func (d *desk) write(text string) {
	for _, r := range text {
		d.Key(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}})
	}
}

var named = map[string]tea.KeyType{
	"enter": tea.KeyEnter, "esc": tea.KeyEsc, "tab": tea.KeyTab, "left": tea.KeyLeft, "right": tea.KeyRight, "up": tea.KeyUp, "down": tea.KeyDown,
	"pgdown": tea.KeyPgDown, "pgup": tea.KeyPgUp, "home": tea.KeyHome, "end": tea.KeyEnd, "backspace": tea.KeyBackspace, "ctrl+u": tea.KeyCtrlU,
}

func key(s string) tea.KeyMsg {
	if t, ok := named[s]; ok {
		return tea.KeyMsg{Type: t}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(s)}
}

// question is a call that wants to run steps.
func question(id string, steps ...approvals.ApprovalStep) approvals.Approval {
	return approvals.Approval{
		ID: id, Session: "s1", Call: "call_" + id, Tool: "bash", Dir: "/home/ada/app", Digest: "digest-" + id, Steps: steps,
		Requests: []approvals.ApprovalRequest{
			{Capability: "process.execute", Subject: "npm install", Verdict: "ask", Rule: `process.execute / "npm *"`, Source: "user", Position: 3},
			{Capability: "file.read", Subject: "/home/ada/app", Verdict: "allow", Rule: "what holds without a rule", Source: "default"},
		},
		Notes: []string{"the user rule process.execute / \"npm *\" says ask (rule npm)"},
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
	return approvals.ApprovalStep{N: 1, Text: "npm install", Effects: []string{"exec", "net", "write"}, Notes: []string{"installs packages"}, Class: "simple", Asks: true, Places: []string{"/home/ada/app"}}
}

func answer(t *testing.T, a card.Act, want approvals.AnswerApproval) {
	t.Helper()
	if a.Answer == nil || *a.Answer != want {
		t.Errorf("%+v %+v, want %+v", a, a.Answer, want)
	}
}

func nothing(t *testing.T, a card.Act) {
	t.Helper()
	if a != (card.Act{}) {
		t.Errorf("%+v %+v, want nothing", a, a.Answer)
	}
}

func TestKeysThatAnswer(t *testing.T) {
	no := approvals.AnswerApproval{ID: "1", Answer: "deny", Digest: "digest-1"}
	because, once, session, always, wider := no, no, no, no, no
	because.Reason = "use pnpm here"
	once.Answer = "allow_once"
	session.Answer, session.Pattern = "allow_session", "npm install"
	always.Answer, always.Pattern = "allow_always", "npm install *"
	wider.Answer, wider.Pattern = "allow_always", "npm *"
	for _, c := range []struct {
		keys []string
		want approvals.AnswerApproval
	}{
		{[]string{"enter"}, no},
		{[]string{"n", "enter"}, no},
		{[]string{"d", "esc"}, no},
		{[]string{"esc", "enter"}, no},
		{[]string{"n", "u", "s", "e", " ", "p", "x", "backspace", "n", "p", "m", " ", "h", "e", "r", "e", "enter"}, because},
		{[]string{"n", "o", "esc"}, no},
		{[]string{"n", "y", "ctrl+u", "enter"}, no}, // a letter of a reason is no answer
		{[]string{"y"}, once},
		{[]string{"a"}, once},
		{[]string{"s"}, session},
		{[]string{"right", "enter"}, once},
		{[]string{"right", "right", "enter"}, session},
		{[]string{"left", "enter"}, always},
		{[]string{"right", "left", "enter"}, no},
		{[]string{"A", "enter"}, always},
		{[]string{"A", "A", "enter"}, wider},
		{[]string{"A", "A", "A", "enter"}, always},
		{[]string{"A", "right", "enter"}, no}, // the mark goes round
		{[]string{"tab", "f", "t", "down", "pgdown", "home", "end", "x", "enter"}, no},
	} {
		d := up(question("1", install()), question("2", install()))
		answer(t, d.keys(c.keys...), c.want)
		if d.Count() != 1 {
			t.Errorf("%q: %d questions wait", c.keys, d.Count())
		}
		nothing(t, d.keys("y")) // the next card inherits no key
	}
}

// Case appr-005, the rest of it: a word that is typed while a card has stood for long is a
// word, though it holds letters that answer; a pause makes them keys again.
func TestAWordIsNoAnswer(t *testing.T) {
	for _, word := range []string{"clear", "list all", "why so", "Ask"} {
		d := up(question("1", install()))
		for _, r := range word {
			if a := d.keys(string(r)); a.Answer != nil {
				t.Errorf("%q answered %+v", word, a.Answer)
			}
		}
		if d.Count() != 1 {
			t.Errorf("%q answered", word)
		}
	}
}

func TestAKeyBeforeTheCardWasQuietCountsForNothing(t *testing.T) {
	d := newDesk()
	d.Add(question("1", install()))
	d.View(80, 24)
	for range 20 { // somebody types, or holds a key down
		d.at = d.at.Add(250 * time.Millisecond)
		nothing(t, d.keys("y"))
		if d.Quiet() != 300*time.Millisecond {
			t.Fatalf("keys count in %v", d.Quiet())
		}
	}
	if !strings.Contains(d.View(80, 24), "did not count") {
		t.Errorf("nobody says so:\n%s", d.View(80, 24))
	}
	d.at = d.at.Add(300 * time.Millisecond)
	if d.Quiet() != 0 {
		t.Fatalf("keys count in %v", d.Quiet())
	}
	d.View(70, 24) // it moves
	nothing(t, d.keys("y"))
	d.still()
	if a := d.keys("y"); a.Answer == nil {
		t.Errorf("%+v", a)
	}
}

func TestACardThatIsSettledElsewhereDisappears(t *testing.T) {
	d := up(question("1", install()), question("2", install()), question("3", install()))
	nothing(t, d.Drop(approvals.Settled{ID: "2", How: "denied", Why: "turn_denied"}))
	if d.Count() != 2 || !strings.Contains(d.View(80, 24), "(+1)") {
		t.Errorf("%d wait:\n%s", d.Count(), d.View(80, 24))
	}
	d.keys("n")
	d.write("because of you")
	if a := d.Drop(approvals.Settled{ID: "1", How: "approved", Why: "answered", By: "phone"}); !strings.Contains(a.Note, "because of you") || a.Answer != nil {
		t.Errorf("the words are lost: %+v", a)
	}
	v := d.View(80, 24)
	if d.Count() != 1 || strings.Contains(v, "because of you") || strings.Contains(v, "Why?") || d.Quiet() == 0 {
		t.Errorf("the next card began with words of another:\n%s", v)
	}
	nothing(t, d.Drop(approvals.Settled{ID: "none"}))
	nothing(t, d.Drop(approvals.Settled{ID: "3", How: "unanswered"}))
	if d.Up() || d.View(80, 24) != "" || d.Quiet() != 0 || d.Full() {
		t.Error("an empty desk shows something")
	}
	nothing(t, d.keys("y", "enter", "esc"))
}

func TestMissedFramesAreMadeGood(t *testing.T) {
	d := up(question("1", install()), question("2", install()))
	d.keys("n")
	d.write("why")
	if a := d.Reset([]approvals.Approval{question("2", install()), question("3", install())}); !strings.Contains(a.Note, "why") || d.Count() != 2 {
		t.Errorf("%+v, %d wait", a, d.Count())
	}
	changed := question("2", install())
	changed.Digest = "another"
	d.still()
	d.Add(changed) // it shows something else now
	d.Add(changed)
	if d.Count() != 2 || d.Quiet() == 0 {
		t.Errorf("%d wait, keys count in %v", d.Count(), d.Quiet())
	}
}

func TestWhatAsksWhy(t *testing.T) {
	d := up(question("1", install()))
	if a := d.keys("e"); a.Explain != "call_1" || d.Count() != 1 {
		t.Errorf("%+v", a)
	}
}

func TestAlwaysNeedsTheWholeCardSeen(t *testing.T) {
	long := install()
	long.Text = strings.Repeat("echo a line\n", 60) + "rm -rf /"
	d := up(question("1", long))
	nothing(t, d.keys("A", "left", "left"))
	if v := d.View(80, 24); !strings.Contains(v, "more below") || !strings.Contains(v, "once all was seen") {
		t.Errorf("nobody says that there is more:\n%s", v)
	}
	answer(t, d.keys("enter"), approvals.AnswerApproval{ID: "1", Answer: "allow_once", Digest: "digest-1"}) // to the left of no is what may be chosen last

	d = up(question("1", long))
	for range 10 {
		d.keys("pgdown")
		d.View(80, 24)
	}
	if a := d.keys("A", "enter"); a.Answer == nil || a.Answer.Answer != "allow_always" {
		t.Errorf("%+v after all of it was seen", a)
	}

	cut := question("1", install())
	cut.Cut, cut.Diff = true, "+a\n… 9600 of 10000 lines of this diff are not shown: b, 1 bytes before, 2 bytes after\n"
	d = up(cut)
	nothing(t, d.keys("A"))
	if v := d.View(80, 24); strings.Contains(v, "always in this project") || !strings.Contains(v, "no standing yes is offered") || !strings.Contains(v, "cannot show everything") {
		t.Errorf("a card that leaves something out:\n%s", v)
	}
}

func TestQuestionsOfTheModel(t *testing.T) {
	ask := event.Inquiry{ID: "q", Call: "c", Text: "Which of them?", Options: []string{"left", "right"}}
	for _, c := range []struct {
		keys []string
		want string
	}{
		{[]string{"enter"}, ""}, {[]string{"esc"}, ""}, {[]string{"2", "enter"}, "right"}, {[]string{"down", "enter"}, "left"}, {[]string{"up", "enter"}, "right"},
		{[]string{"3", "enter"}, "3"}, {[]string{"2", "x", "enter"}, "2x"}, {[]string{"y", "A", "s", "enter"}, "yAs"}, {[]string{"right", "backspace", "n", "o", "enter"}, "no"},
	} {
		d := newDesk()
		d.Inquire(ask)
		d.Add(question("1", install()))
		d.View(40, 10)
		d.still()
		a := d.keys(c.keys...)
		if a.Reply == nil || *a.Reply != (card.Reply{ID: "q", Text: c.want}) || d.Count() != 1 {
			t.Errorf("%q: %+v %+v", c.keys, a, a.Reply)
		}
	}
	d := newDesk()
	d.Inquire(ask)
	d.View(40, 10)
	d.still()
	d.write("half an answ")
	if a := d.Told(event.Answer{ID: "q", Unanswered: true}); !strings.Contains(a.Note, "half an answ") || d.Up() {
		t.Errorf("%+v", a)
	}
}

func TestAPasteIsWordsAndNeverAnAnswer(t *testing.T) {
	d := up(question("1", install()))
	nothing(t, d.Key(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("y"), Paste: true}))
	d.keys("n")
	d.Key(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("two\nlines"), Paste: true})
	if a := d.keys("enter"); a.Answer == nil || a.Answer.Reason != "two lines" {
		t.Errorf("%+v", a.Answer)
	}
}

// Terminals of any size: a card that cannot be seen can only be refused (case tui-019).
func TestACardWithoutRoom(t *testing.T) {
	for _, size := range [][2]int{{1, 1}, {5, 24}, {19, 10}, {80, 1}} {
		d := newDesk()
		d.Add(question("1", install()))
		v := d.View(size[0], size[1])
		d.still()
		if strings.Contains(v, "\n") || !strings.HasPrefix("? Run: n = no; enlarge the window to see it", strings.TrimSuffix(v, "…")) {
			t.Errorf("%v: %q", size, v)
		}
		nothing(t, d.keys("y", "s", "A", "right"))
		answer(t, d.keys("enter"), approvals.AnswerApproval{ID: "1", Answer: "deny", Digest: "digest-1"})
	}
	for _, size := range [][2]int{{20, 2}, {20, 3}, {40, 10}} {
		d := newDesk()
		d.Add(question("1", install()))
		if v := d.View(size[0], size[1]); !strings.Contains(v, "│? npm install") {
			t.Errorf("%v:\n%s", size, v)
		}
		d.still()
		if a := d.keys("y"); a.Answer == nil || a.Answer.Answer != "allow_once" {
			t.Errorf("%v: %+v", size, a)
		}
	}
}
