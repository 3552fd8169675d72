package bridge

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"tenet/adapters/approvals"
	"tenet/adapters/docs"
	paths "tenet/adapters/pathpolicy"
	"tenet/adapters/shell"
	"tenet/bridge/engine"
	coreapprovals "tenet/core/approvals"
	"tenet/core/call"
	core "tenet/core/card"
	"tenet/core/event"
	"tenet/core/gate"
	"tenet/core/rules"
	"tenet/core/surface"
	"tenet/laws"
	"tenet/models/card"
)

// cardQuick puts questions to a real broker and judges the cards of its clients: every text
// of the model on its way through a session and through a subagent's, the tools that make
// the texts of steps, and every answer on its way back.
func cardQuick() error {
	n := 0
	for in := range card.Questions(struct{}{}) {
		if n++; n%37 != 0 {
			continue
		}
		if err := cardOnItsWay(in, n%2 == 0); err != nil {
			return err
		}
	}
	for seed := range uint64(40) {
		if err := cardAnswered(engine.NewRandom(seed, 0)); err != nil {
			return fmt.Errorf("seed %d: %w", seed, err)
		}
	}
	return errors.Join(cardOfDocuments(), cardOfShell())
}

// posed is a question with the texts of an input, as a gate makes it.
func posed(in card.Shown, id string) approvals.Question {
	r := gate.Ruling{Digest: call.Exact(in.Word) + id, Decision: gate.Decision{Why: call.ExactLine(in.Word), Rule: gate.Ref{Name: "r"}}}
	for i, t := range in.Texts {
		s := gate.StepRuling{Step: call.Step{N: i + 1, Text: call.Exact(t), Dir: in.Dirs[i], Notes: []string{call.ExactLine(in.Word)}, Cut: in.Cut, Paths: []call.Path{{Real: in.Word}}}}
		if i == 0 {
			s.Step.Diff = call.Exact(in.Diff)
			s.Requests = []rules.Ruled{{Request: call.Request{Capability: call.ProcessExecute, Subject: in.Word}}, {Request: call.Request{Subject: in.Word}, Decision: rules.Decision{Action: rules.Allow}}}
		}
		if in.Asks&(1<<i) != 0 {
			s.Verdict = gate.Ask
		}
		r.Steps = append(r.Steps, s)
	}
	q := approvals.Question{ID: id, Call: id, Tool: "tool", Dir: in.Dir, Ruling: r}
	alike := call.Visible(in.Word) // with hidden characters another pattern that Visible shows alike
	if alike == in.Word {
		alike += " *"
	}
	for _, p := range []string{in.Word, alike} {
		q.Offers = append(q.Offers, gate.Offer{Answer: gate.AllowAlways, Pattern: p, Rules: []rules.Rule{{Capability: "process.execute", Pattern: p, Action: rules.Allow}}})
	}
	return q
}

// cardOnItsWay judges the card that a client gets of a question, over a subagent's broker
// or without one, and over the wire.
func cardOnItsWay(in card.Shown, below bool) error {
	root := approvals.NewBroker(approvals.BrokerOptions{Session: "root"})
	asks, agent := root, ""
	if below {
		agent = in.Word
		asks = approvals.NewBroker(approvals.BrokerOptions{Session: "child", Agent: agent, Above: root})
	}
	defer root.Close()
	client, err := root.Attach(coreapprovals.Interactive, "terminal")
	if err != nil {
		return err
	}
	a, end, err := shownTo(client, asks, posed(in, "q"))
	if err != nil {
		return err
	}
	end()
	return judgedCard(*a, in, agent)
}

// judgedCard holds a card to the laws of what it shows.
func judgedCard(a approvals.Approval, in card.Shown, agent string) error {
	c := a.Content()
	if got, ok := call.ReadExact(c.Agent); !ok || got != agent {
		return fmt.Errorf("law card_hides_nothing: the subagent %q is shown as %q", agent, c.Agent)
	}
	out := card.DrawContent(c, in)
	for _, l := range laws.CardShownBook {
		if l.ID == laws.CardShown.HidesNothing.ID {
			continue // it says which words stand where; here they have other places
		}
		if v := l.Func(in, out); v.Err != nil {
			return fmt.Errorf("law %s: a client's card: %w", l.ID, v.Err)
		}
	}
	return nil
}

// shownTo asks, and waits for the card; end takes the question back.
func shownTo(c *approvals.Client, b *approvals.Broker, q approvals.Question) (*approvals.Approval, func() approvals.Reply, error) {
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	reply := make(chan approvals.Reply, 1)
	go func() { reply <- b.Ask(ctx, q) }()
	end := func() approvals.Reply { stop(); return <-reply }
	f, err := c.Next(ctx)
	if err != nil {
		end()
		return nil, nil, err
	}
	wire, err := approvals.EncodeFrame(f)
	if err != nil {
		end()
		return nil, nil, err
	}
	f, err = approvals.DecodeFrame(wire)
	a, ok := f.(*approvals.Approval)
	if err != nil || !ok {
		end()
		return nil, nil, fmt.Errorf("a client got %s, %w", wire, err)
	}
	return a, end, nil
}

// cardAnswered presses keys at a real question until it is answered, and holds the reply
// to what the card marked when the answer was given.
func cardAnswered(src engine.Source) error {
	word := []string{"go *", "\x1b", `\x1b`, "⟨x1b⟩", "a\nb"}[src.Pick(5, "word")]
	in := card.Shown{Texts: []string{"ls"}, Dirs: []string{""}, Asks: 1, Word: word, Dir: "/"}
	b := approvals.NewBroker(approvals.BrokerOptions{Session: "root"})
	defer b.Close()
	client, err := b.Attach(coreapprovals.Interactive, "terminal")
	if err != nil {
		return err
	}
	q := posed(in, "q")
	a, end, err := shownTo(client, b, q)
	if err != nil {
		return err
	}
	d := core.Desk{}.Ask(a.Content().Card(), 0).Saw(core.All)
	keys := [][]core.Key{nil, {core.Always, core.Enter}, {core.Always, core.Always, core.Enter}, {core.Deny, core.Other, core.Enter}}[src.Pick(4, "way")]
	for n := 0; ; n++ {
		p := core.Press{Key: core.Key(src.Pick(int(core.EraseAll)+1, "key")), Text: []string{"", "w"}[src.Pick(2, "text")], At: core.Quiet * time.Duration(n+1)}
		if n < len(keys) {
			p.Key = keys[n]
		}
		before := d
		var act core.Act
		if d, act = d.Press(p); act.Do != core.Answers {
			continue
		}
		if err := client.Answer(approvals.AnswerOf(act)); err != nil {
			end()
			return fmt.Errorf("law card_answers_what_it_showed: %+v is refused: %w", act, err)
		}
		return sameReply(end(), act, before, q)
	}
}

// sameReply holds what the gate is told to what the card marked.
func sameReply(r approvals.Reply, act core.Act, before core.Desk, q approvals.Question) error {
	want := map[coreapprovals.Choice]gate.Answer{coreapprovals.Deny: gate.Denied, coreapprovals.AllowOnce: gate.AllowOnce, coreapprovals.AllowAlways: gate.AllowAlways}[act.Choice]
	pattern := ""
	if act.Choice == coreapprovals.AllowAlways {
		pattern = q.Offers[before.Front.Pattern].Pattern
	}
	if r.Answer != want || r.Pattern != pattern || r.Reason != act.Reason {
		return fmt.Errorf("law card_answers_what_it_showed: the answer %+v reaches the gate as %+v, want %v %q", act, r, want, pattern)
	}
	return nil
}

// hostileNames are names that files may have.
var hostileNames = []string{"a", "a b", `a\x1b`, "a\x1b", "a\nb", `a\nb`, "⟨x1b⟩", "\u202ea", "a\xff", "a⏎", "e\u0301", " ", "a\tb"}

// asksAll is a gate that lets nothing run unasked, and keeps what it recorded.
func asksAll(b approvals.Asker, id, tool, dir string, log approvals.Recorder) *approvals.Gate {
	return &approvals.Gate{Call: id, Tool: tool, Dir: dir, Policies: approvals.NewPolicies(&gate.Policy{Place: rules.Place{Root: dir}}, nil), Asker: b, Log: log}
}

// forgets is a log that keeps nothing.
type forgets struct{}

// Record takes every record.
func (forgets) Record(event.Body) error { return nil }

// cardOfDocuments has the document tools write files of hostile names and contents, and
// reads the cards: which file is written, and what with.
func cardOfDocuments() error {
	root, err := tempDir()
	if err != nil {
		return err
	}
	defer os.RemoveAll(root)
	d := docs.New(docs.Options{Root: root, Judge: paths.New(paths.Options{Root: root, TenetHome: root + ".tenet", Env: []string{"HOME=" + root + ".home"}})})
	for _, name := range hostileNames {
		text := "text of " + name + "\n"
		steps, diff, err := readCard("write", root, func(ctx context.Context, g *approvals.Gate) {
			_, _ = d.Run(ctx, g, "write", surface.Args{"path": "./" + name, "content": text})
		})
		if err != nil {
			return fmt.Errorf("%q: %w", name, err)
		}
		want := "write " + filepath.Join(root, name)
		if len(steps) != 1 || steps[0].Text != want {
			return fmt.Errorf("law card_reads_back: the card of %q says %v", want, steps)
		}
		if !strings.Contains(diff, "\n+"+strings.ReplaceAll(text, "\n", "\n+")[:len(text)-1]) {
			return fmt.Errorf("law card_reads_back: the card of %q shows %q", text, diff)
		}
	}
	return nil
}

// cardOfShell has the shell run commands of hostile words, in quotes that a model would
// write, and runs what the card says instead: it does the same, and is shown as it is.
func cardOfShell() error {
	root, err := tempDir()
	if err != nil {
		return err
	}
	defer os.RemoveAll(root)
	sh := shell.New(shell.Config{Dir: root, Env: os.Environ(), Session: "s", Judge: anything{}})
	for _, word := range hostileNames {
		if !utf8.ValidString(word) { // no call of a model is
			continue
		}
		script := "printf %s '" + word + "' >out"
		said := []string{script}
		for range 2 {
			steps, _, err := readCard("bash", root, func(ctx context.Context, g *approvals.Gate) { sh.Run(ctx, g, said[len(said)-1]) })
			if err != nil || len(steps) != 1 {
				return fmt.Errorf("%q: %v, %w", script, steps, err)
			}
			said = append(said, steps[0].Text)
		}
		sh.Run(context.Background(), anything{}, said[1])
		wrote, err := os.ReadFile(filepath.Join(root, "out"))
		if err != nil || string(wrote) != word || said[1] != said[2] {
			return fmt.Errorf("law card_reads_back: the card of %q says %q, which writes %q, and is shown as %q, %w", script, said[1], wrote, said[2], err)
		}
	}
	return nil
}

// readCard runs a tool until it asks, and reads what the card says; the answer is no.
func readCard(tool, dir string, run func(context.Context, *approvals.Gate)) (steps []core.Ran, diff string, err error) {
	b := approvals.NewBroker(approvals.BrokerOptions{Session: "root"})
	defer b.Close()
	client, err := b.Attach(coreapprovals.Interactive, "terminal")
	if err != nil {
		return nil, "", err
	}
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer stop() // a tool that asked nothing is waited for no longer
		run(ctx, asksAll(b, "call", tool, dir, forgets{}))
	}()
	f, err := client.Next(ctx)
	a, ok := f.(*approvals.Approval)
	if err != nil || !ok {
		return nil, "", fmt.Errorf("no card but %+v, %w", f, err)
	}
	in := card.Shown{Width: 30}
	steps, _, diff = card.Says(card.DrawContent(a.Content(), in).Lines)
	if i := slices.IndexFunc(a.Steps, func(s approvals.ApprovalStep) bool { return s.Text == "" }); i >= 0 {
		return nil, "", fmt.Errorf("step %d has no text", i)
	}
	if err := client.Answer(approvals.AnswerApproval{ID: a.ID, Answer: "deny", Digest: a.Digest}); err != nil {
		return nil, "", err
	}
	<-done
	return steps, diff, nil
}
