package host_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tenet/adapters/approvals"
	"tenet/adapters/host"
	"tenet/adapters/session"
	"tenet/core/event"
)

// A message to an idle session begins a turn; every reader gets every record of it, in
// order and once, also one that attaches when all is over.
func TestAMessageBeginsATurnAndEveryReaderSeesAllOfIt(t *testing.T) {
	p := newPlace(t)
	p.file(t, "a.txt", "alpha\n")
	h := open(t, p.options(t, `{"text": "I look.", "pieces": 2, "calls": [{"tool": "read", "args": {"path": "a.txt"}}]} {"expect": "alpha", "text": "It says alpha.", "pieces": 3}`))
	early := read(t, h.Feed(0))
	if err := h.Send("what does a.txt say?", nil); err != nil {
		t.Fatal(err)
	}
	end := early.record(event.Ended)
	if e := decode[event.Ending](t, end); e.How != "answered" {
		t.Fatalf("the turn %+v", e)
	}
	late := read(t, h.Feed(0))
	late.record(event.Ended)
	middle := read(t, h.Feed(end.Seq-2))
	middle.record(event.Ended)
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	early.rest()
	late.rest()
	middle.rest()
	whole(t, early.all, 1, end.Seq)
	whole(t, late.all, 1, end.Seq)
	whole(t, middle.all, end.Seq-1, end.Seq)
	if h.State().Answer() != "It says alpha." {
		t.Errorf("answer %q", h.State().Answer())
	}
}

// Without a model nothing is made, and the error says what to do.
func TestWithoutAModelNothingIsOpened(t *testing.T) {
	p := newPlace(t)
	_, err := host.Open(t.Context(), host.Options{Dir: p.dir})
	var none *host.NoModel
	if !errors.As(err, &none) || !strings.Contains(none.Text, "tenet demo") {
		t.Fatalf("got %v", err)
	}
	if left, _ := os.ReadDir(filepath.Join(p.home, "sessions")); len(left) > 0 {
		t.Errorf("left %v", left)
	}
}

// While a question is open a message is refused and says so; the first answer wins, and
// every reader drops the question.
func TestAQuestionBlocksMessagesAndTheFirstAnswerWins(t *testing.T) {
	p := newPlace(t)
	h := open(t, p.options(t, `{"calls": [{"tool": "bash", "args": {"command": "cp a.txt ../out.txt"}}]} {"text": "done"}`))
	p.file(t, "a.txt", "alpha\n")
	one, two := read(t, h.Feed(0)), read(t, h.Feed(0))
	if err := h.Send("copy it", nil); err != nil {
		t.Fatal(err)
	}
	asked := func(e host.Event) bool { return e.Asked != nil }
	q := one.until("question", asked).Asked
	two.until("question", asked)
	late := read(t, h.Feed(h.State().Seq))
	if again := late.until("question", asked).Asked; again.ID != q.ID {
		t.Errorf("a reader that came late was shown %s", again.ID)
	}
	var blocked *session.Blocked
	if err := h.Send("hello?", nil); !errors.As(err, &blocked) {
		t.Fatalf("a message during a question: %v", err)
	}
	if got := h.Questions(); len(got) != 1 || got[0].Digest != q.Digest {
		t.Fatalf("open: %+v", got)
	}
	if err := h.Answer(approvals.AnswerApproval{ID: q.ID, Answer: "allow_once", Digest: q.Digest}); err != nil {
		t.Fatal(err)
	}
	var gone *approvals.AnswerError
	if err := h.Answer(approvals.AnswerApproval{ID: q.ID, Answer: "deny"}); !errors.As(err, &gone) || gone.Code != approvals.CodeGone {
		t.Errorf("a second answer: %v", err)
	}
	for _, r := range []*reader{one, two, late} {
		if s := r.until("settlement", func(e host.Event) bool { return e.Settled != nil }).Settled; s.ID != q.ID || s.How != "approved" {
			t.Errorf("settled as %+v", s)
		}
	}
	one.record(event.Ended)
	if b, err := os.ReadFile(filepath.Join(filepath.Dir(p.dir), "out.txt")); err != nil || string(b) != "alpha\n" {
		t.Errorf("the copy: %q, %v", b, err)
	}
}

// Stop with an open question settles it for good: the call did not run, the next process
// has nothing to ask (case appr-016).
func TestStopSettlesAnOpenQuestionForGood(t *testing.T) {
	p := newPlace(t)
	o := p.options(t, `{"calls": [{"tool": "bash", "args": {"command": "touch ../x"}}]} {"text": "done"}`)
	h := open(t, o)
	r := read(t, h.Feed(0))
	if h.Stop() {
		t.Error("an idle session had something to stop")
	}
	if err := h.Send("go", nil); err != nil {
		t.Fatal(err)
	}
	q := r.until("question", func(e host.Event) bool { return e.Asked != nil }).Asked
	if !h.Running() || !h.Stop() {
		t.Fatal("nothing ran")
	}
	if s := r.until("settlement", func(e host.Event) bool { return e.Settled != nil }).Settled; s.ID != q.ID || s.How != "unanswered" || s.Why != "cancelled" {
		t.Errorf("settled %+v", s)
	}
	r.from = 0 // the end of the turn may come before that of the question
	if e := decode[event.Ending](t, r.record(event.Ended)); e.How != "aborted" {
		t.Errorf("ended %+v", e)
	}
	if len(h.Questions()) != 0 || len(h.State().Questions) != 0 || len(h.State().Calls) != 0 {
		t.Errorf("left open: %v %v", h.Questions(), h.State().Questions)
	}
	id := h.Info().Session
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	o.Resume = id
	again := open(t, o)
	if i := again.Info(); !i.Resumed || i.Open || i.Session != id || len(again.Questions()) != 0 {
		t.Errorf("taken up again: %+v", i)
	}
}

// A message during a turn waits, can be changed and taken back; when the turn is over the
// oldest begins one of its own.
func TestMessagesWaitAreEditedAndTakenBack(t *testing.T) {
	p := newPlace(t)
	h := open(t, p.options(t, `{"wait_ms": 600000, "text": "never"} {"expect": "second, better", "text": "second done"}`))
	r := read(t, h.Feed(0))
	if err := h.Send("first", nil); err != nil {
		t.Fatal(err)
	}
	r.record(event.Requested)
	second, err := h.Queue("second", nil)
	if err != nil {
		t.Fatal(err)
	}
	third, err := h.Queue("third", nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(h.Edit(second, "second, better"), h.Withdraw(third)); err != nil {
		t.Fatal(err)
	}
	if q := h.State().Queue; len(q) != 1 || q[0].Text != "second, better" {
		t.Fatalf("waiting: %+v", q)
	}
	if !h.Stop() {
		t.Fatal("nothing ran")
	}
	if e := decode[event.Ending](t, r.record(event.Ended)); e.How != "aborted" {
		t.Errorf("the first ended %+v", e)
	}
	if e := decode[event.Ending](t, r.record(event.Ended)); e.How != "answered" || h.State().Answer() != "second done" {
		t.Errorf("the second ended %+v with %q", e, h.State().Answer())
	}
	if err := h.Withdraw(second); !errors.Is(err, session.ErrNotWaiting) {
		t.Errorf("taking a delivered message back: %v", err)
	}
}

// The model's own question: the first answer counts, an empty one is none.
func TestTheModelsOwnQuestionIsAnswered(t *testing.T) {
	p := newPlace(t)
	h := open(t, p.options(t, `{"calls": [{"tool": "ask", "args": {"question": "red or blue?", "options": ["red", "blue"]}}]} {"expect": "blue", "text": "Blue it is."}`))
	r := read(t, h.Feed(0))
	if err := h.Send("paint it", nil); err != nil {
		t.Fatal(err)
	}
	q := decode[event.Inquiry](t, r.record(event.Inquired))
	if err := h.Reply(q.ID, "blue"); err != nil {
		t.Fatal(err)
	}
	var gone *host.GoneError
	if err := h.Reply(q.ID, "red"); !errors.As(err, &gone) {
		t.Errorf("a second answer: %v", err)
	}
	if e := decode[event.Ending](t, r.record(event.Ended)); e.How != "answered" || h.State().Answer() != "Blue it is." {
		t.Errorf("%+v %q", e, h.State().Answer())
	}
}

// A person's own line goes through the gate and into the log as their act; the model reads
// it with the next request, beside their words.
func TestAShellLineIsThePersonsOwnAct(t *testing.T) {
	p := newPlace(t)
	p.file(t, "a.txt", "alpha\n")
	p.file(t, ".env", "KEY=1\n")
	h := open(t, p.options(t, `{"wait_ms": 1, "text": "I see alpha."}{"text": "bye"}`))
	r := read(t, h.Feed(0))
	if err := h.Shell("cat a.txt"); err != nil {
		t.Fatal(err)
	}
	if c := decode[event.Call](t, r.record(event.Called)); c.By != event.Person {
		t.Errorf("%+v", c)
	}
	if s := h.State(); len(s.Calls) != 0 || len(s.Messages) != 0 || s.Coming() != 1 {
		t.Errorf("calls %v, messages %v", s.Calls, s.Messages)
	}
	if err := h.Shell("rm -rf /"); err != nil { // refused in its result
		t.Fatal(err)
	}
	r.record(event.Called)
	if res := decode[event.Result](t, r.record(event.Resulted)); !res.Error || !strings.Contains(res.Text, "floor") {
		t.Errorf("%+v", res)
	}
	if e := ended(t, h, "what is in a.txt?"); e.How != "answered" {
		t.Fatalf("%+v", e)
	}
	var said []string
	for _, m := range h.State().Messages {
		said = append(said, string(m.Role)+": "+m.Text)
	}
	if len(said) != 4 || !strings.Contains(said[0], "$ cat a.txt\nalpha") || !strings.HasPrefix(said[1], "user: [the user ran this themselves]\n$ rm -rf /\n") || said[2] != "user: what is in a.txt?" {
		t.Errorf("the context: %q", said)
	}
	done := make(chan error, 1)
	go func() { done <- h.Shell("cat .env") }()
	q := r.until("question", func(e host.Event) bool { return e.Asked != nil }).Asked
	if err := h.Shell("ls"); !errors.Is(err, session.ErrBusy) {
		t.Errorf("a second line: %v", err)
	}
	var blocked *session.Blocked
	if err := h.Send("hello", nil); !errors.As(err, &blocked) {
		t.Errorf("a message: %v", err)
	}
	if err := h.Answer(approvals.AnswerApproval{ID: q.ID, Answer: "deny"}); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if s := h.State(); len(s.Disorders) != 0 || len(s.Calls) != 0 {
		t.Errorf("%v %v", s.Disorders, s.Calls)
	}
}

// A person stops their own line as they stop a turn, and none runs beside a turn.
func TestAShellLineIsStoppedAndRunsBesideNoTurn(t *testing.T) {
	p := newPlace(t)
	h := open(t, p.options(t, `{"wait_ms": 600000, "text": "never"}`))
	r := read(t, h.Feed(0))
	done := make(chan error, 1)
	go func() { done <- h.Shell("sleep 600") }()
	r.record(event.Dispatched)
	if !h.Stop() {
		t.Fatal("nothing ran")
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if res := decode[event.Result](t, r.record(event.Resulted)); !strings.Contains(res.Text, "Stopped by the user") {
		t.Errorf("%+v", res)
	}
	if err := h.Send("go", nil); err != nil {
		t.Fatal(err)
	}
	r.record(event.Requested)
	if err := h.Shell("ls"); !errors.Is(err, session.ErrBusy) {
		t.Errorf("beside a turn: %v", err)
	}
}
