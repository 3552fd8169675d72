package bridge

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"unicode/utf8"

	"tenet/adapters/admission"
	"tenet/adapters/approvals"
	"tenet/adapters/docs"
	paths "tenet/adapters/pathpolicy"
	model "tenet/adapters/provider"
	"tenet/adapters/session"
	coreadmission "tenet/core/admission"
	"tenet/core/event"
	"tenet/core/gate"
	"tenet/core/surface"
	"tenet/laws"
	"tenet/models/turn"
)

// cardsQuick has a session change files in every way of the model that compares texts,
// and one with more than a card shows. The law is judged on the diff that each question
// recorded, and each call is in the log with every byte.
func cardsQuick() error {
	n := 0
	for d := range turn.Diffs(struct{}{}) {
		old, next := d.Texts()
		if d.Whole || old == next || !utf8.ValidString(next) { // the arguments of a call are UTF-8
			continue
		}
		if n++; n%9 == 0 || d.Lines > 400 && n%3 == 0 {
			if err := cardOf(d); err != nil {
				return fmt.Errorf("%v: %w", d, err)
			}
		}
	}
	return nil
}

// cardStage is a model that makes one call, a person who says yes, and a log.
type cardStage struct {
	d       turn.Drawn
	root    string
	tool    string
	args    string
	replies int
	bodies  []event.Body
}

// cardOf plays one change and judges its question.
func cardOf(d turn.Drawn) error {
	top, err := tempDir()
	if err != nil {
		return err
	}
	defer os.RemoveAll(top)
	st := &cardStage{d: d, root: top}
	if err := st.prepare(); err != nil {
		return err
	}
	if err := st.play(); err != nil {
		return err
	}
	return st.judge()
}

// prepare puts the old text down, and makes the call of the change.
func (st *cardStage) prepare() error {
	old, next := st.d.Texts()
	args := map[string]string{"i": "change it", "path": "a/b", "content": next}
	st.tool = "write"
	if st.d.Existed {
		st.tool = "search_replace"
		args = map[string]string{"i": "change it", "path": "a/b", "old": old, "new": next}
		if err := os.Mkdir(st.root+"/a", 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(st.root+"/a/b", []byte(old), 0o644); err != nil {
			return err
		}
	}
	b, err := json.Marshal(args)
	st.args = string(b)
	return err
}

func (st *cardStage) play() error {
	slots, err := admission.New(coreadmission.Limits{Slots: 1, Queue: 1})
	if err != nil {
		return err
	}
	var tools []session.Tool
	d := docs.New(docs.Options{Root: st.root, Judge: paths.New(paths.Options{Root: st.root, TenetHome: st.root + ".tenet", Env: []string{"HOME=" + st.root + ".home"}})})
	var names []string
	for _, t := range docs.Tools() {
		names = append(names, t.Name)
		tools = append(tools, session.Tool{Tool: t, Run: func(ctx context.Context, g *approvals.Gate, args surface.Args) (session.Output, error) {
			text, err := d.Run(ctx, g, t.Name, args)
			return session.Output{Text: text}, err
		}})
	}
	s, err := session.Open(session.Options{
		ID: "s", Version: "v", Workspace: st.root, Profile: "p", Provider: st, Slots: slots, Asker: approvals.Standing{Yes: true, Flag: "--yes"}, Log: st, Tools: tools,
		Policies: approvals.NewPolicies(&gate.Policy{Guard: gate.GuardPolicy{Roster: names, Root: st.root, Home: st.root + ".home"}}, nil),
	})
	if err != nil {
		return err
	}
	_, err = s.Prompt(context.Background(), "go")
	return err
}

// judge holds the question to the law, the file to what the card showed, and the log to
// the call.
func (st *cardStage) judge() error {
	var card, args string
	for _, b := range st.bodies {
		switch b := b.(type) {
		case event.Question:
			card = strings.Join(b.Diffs, "")
		case event.Reply:
			for _, c := range b.Calls {
				args = c.Args
			}
		}
	}
	if args != st.args {
		return fmt.Errorf("law diff_bounds: the log keeps %d bytes of a call of %d", len(args), len(st.args))
	}
	if v := laws.TurnDiff.DiffBounds.Func(st.d, turn.Card{Text: card}); v.Err != nil {
		return fmt.Errorf("law diff_bounds: %w", v.Err)
	}
	_, next := st.d.Texts()
	if b, err := os.ReadFile(st.root + "/a/b"); err != nil || string(b) != next {
		return fmt.Errorf("the file has %d bytes, the change has %d: %w", len(b), len(next), err)
	}
	return nil
}

// Name is the model's name.
func (st *cardStage) Name() string { return "one change" }

// Reply makes the call once.
func (st *cardStage) Reply(context.Context, model.Request, func(model.Delta)) (event.Reply, error) {
	if st.replies++; st.replies > 1 {
		return event.Reply{Text: "done", Stop: "stop"}, nil
	}
	return event.Reply{Calls: []event.ToolCall{{Provider: "x", Tool: st.tool, Args: st.args}}, Stop: "toolUse"}, nil
}

// Commit keeps what is recorded.
func (st *cardStage) Commit(bodies ...event.Body) ([]event.Record, error) {
	var out []event.Record
	for _, b := range bodies {
		st.bodies = append(st.bodies, b)
		out = append(out, event.Record{Seq: uint64(len(st.bodies)), Kind: event.KindOf(b)})
	}
	return out, nil
}
