package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"tenet/adapters/store"
	"tenet/core/event"
)

// ExportFormat is the form of an export as JSON; it changes with the form.
const ExportFormat = "tenet.session/1"

// Exported is a session for readers and programs elsewhere (docs/sessions.md).
type Exported struct {
	// Format is ExportFormat; Notice says that the content is as it was recorded.
	Format string `json:"format"`
	Notice string `json:"notice"`

	Session   string `json:"session"`
	Name      string `json:"name,omitempty"`
	Version   string `json:"version,omitempty"`
	Workspace string `json:"workspace,omitempty"`
	Model     string `json:"model,omitempty"`
	Profile   string `json:"profile,omitempty"`
	// Began and Last are the times of the first and the last record.
	Began string      `json:"began,omitempty"`
	Last  string      `json:"last,omitempty"`
	State string      `json:"state"`
	Fork  *event.Fork `json:"forked,omitempty"`
	// Records counts the records, Sum is the last one's: it vouches for all of them.
	Records uint64 `json:"records"`
	Sum     string `json:"sum,omitempty"`
	// Flaw is what is wrong with the log; what follows the damage is not exported.
	Flaw  string          `json:"flaw,omitempty"`
	Turns []*ExportedTurn `json:"turns"`
}

// ExportedTurn is one turn: a prompt, what happened, and how it ended.
type ExportedTurn struct {
	Seq    uint64         `json:"seq"`
	At     string         `json:"at"`
	Prompt string         `json:"prompt"`
	Images int            `json:"images,omitempty"`
	Items  []ExportedItem `json:"items"`
	// How is answered, failed or aborted; empty for a turn that did not end.
	How    string `json:"how,omitempty"`
	Cause  string `json:"cause,omitempty"`
	Answer string `json:"answer,omitempty"`
	Rounds int    `json:"rounds"`
}

// ExportedItem is one thing that happened in a turn.
type ExportedItem struct {
	Seq uint64 `json:"seq"`
	At  string `json:"at"`
	// Kind is reply, call, steer, failure, question, summary, job, notice, setting or
	// resumed.
	Kind     string        `json:"kind"`
	Text     string        `json:"text,omitempty"`
	Thinking string        `json:"thinking,omitempty"`
	Call     *ExportedCall `json:"call,omitempty"`
}

// ExportedCall is one call with everything that became of it.
type ExportedCall struct {
	ID   string `json:"id"`
	Tool string `json:"tool"`
	// Args is the exact text of the arguments, which may be no JSON.
	Args string `json:"args"`
	// Verdict is allow, ask or deny, with the rule that decided and where it stands; empty
	// for a call that the gate never saw.
	Verdict  string   `json:"verdict,omitempty"`
	Rule     string   `json:"rule,omitempty"`
	Source   string   `json:"source,omitempty"`
	Position int      `json:"position,omitempty"`
	Why      string   `json:"why,omitempty"`
	Effects  []string `json:"effects,omitempty"`
	Steps    []string `json:"steps,omitempty"`
	// Answer is what was answered to a question about it, By who did.
	Answer string `json:"answer,omitempty"`
	By     string `json:"by,omitempty"`
	Reason string `json:"reason,omitempty"`
	// Diffs are the changes that the question showed.
	Diffs []string `json:"diffs,omitempty"`
	// Started is true when a step of it was dispatched; Done when it has its result.
	Started bool   `json:"started"`
	Done    bool   `json:"done"`
	Error   bool   `json:"error,omitempty"`
	Result  string `json:"result,omitempty"`
	Dropped int64  `json:"dropped_bytes,omitempty"`
}

const exportNotice = "Exported as it was recorded: prompts, files and outputs may hold secrets. Look through it before you share it."

// ExportSession writes a session as Markdown or as JSON.
func ExportSession(o SessionsOptions, path string) error {
	if o.Markdown == o.JSON {
		return Usage("say in which form: --markdown or --json")
	}
	records, report, err := store.Read(path)
	if err != nil {
		return err
	}
	out, done, err := o.exportTo()
	if err != nil {
		return err
	}
	x := export(idOf(path), records, report)
	if o.JSON {
		err = writeIndented(out, x)
	} else {
		_, err = io.WriteString(out, x.markdown(o.Full))
	}
	if err = errors.Join(err, done()); err != nil {
		return fmt.Errorf("export session %s: %w", idOf(path), err)
	}
	return soundly(report, "a whole export")
}

// exportTo is where an export goes. A file is made for its owner only, and never over
// another.
func (o SessionsOptions) exportTo() (io.Writer, func() error, error) {
	if o.File == "" {
		return o.Out, func() error { return nil }, nil
	}
	f, err := os.OpenFile(o.File, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, nil, Usage("--output: %w; name a new file", err)
	}
	return f, f.Close, nil
}

func writeIndented(out io.Writer, v any) error {
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// export takes a session's records apart into turns.
func export(id string, records []event.Record, r store.Report) Exported {
	s, _ := event.Fold(records) // the report has what cannot be read
	x := exporter{Exported: Exported{
		Format: ExportFormat, Notice: exportNotice, Session: id, Name: nameIn(s), Version: s.Opening.Version, Workspace: s.Opening.Workspace,
		Model: modelIn(s), Profile: s.Opening.Profile, Began: r.First, Last: r.Last, State: s.Standing(r.Holder != nil).String(), Fork: s.Forked,
		Records: r.Records, Flaw: flawOf(r), Turns: []*ExportedTurn{},
	}, calls: map[string]*ExportedCall{}}
	if n := len(records); n > 0 {
		x.Sum = records[n-1].Sum
	}
	for _, rec := range records {
		b, err := event.Decode(rec)
		if err != nil {
			break
		}
		x.take(rec, b)
	}
	return x.Exported
}

type exporter struct {
	Exported
	calls map[string]*ExportedCall
}

// add puts an item into the turn that runs, or that ran last.
func (x *exporter) add(r event.Record, i ExportedItem) {
	if len(x.Turns) == 0 {
		return // nothing before the first prompt is anything that happened
	}
	i.Seq, i.At = r.Seq, r.At
	t := x.Turns[len(x.Turns)-1]
	t.Items = append(t.Items, i)
}

func (x *exporter) take(r event.Record, b event.Body) {
	switch b := b.(type) {
	case event.Prompt:
		x.prompt(r, b)
	case event.Reply:
		x.add(r, ExportedItem{Kind: "reply", Text: b.Text, Thinking: b.Thinking})
	case event.Failure:
		x.add(r, ExportedItem{Kind: "failure", Text: b.Message})
	case event.Call:
		c := &ExportedCall{ID: b.Call, Tool: b.Tool, Args: b.Args}
		x.calls[b.Call] = c
		x.add(r, ExportedItem{Kind: "call", Call: c})
	case event.Ending:
		if n := len(x.Turns); n > 0 {
			t := x.Turns[n-1]
			t.How, t.Cause, t.Answer, t.Rounds = b.How, b.Cause, b.Answer, b.Rounds
		}
	case event.Judgement, event.Question, event.Dispatch, event.Result:
		x.became(b)
	default:
		if i, ok := aside(b); ok {
			x.add(r, i)
		}
	}
}

func (x *exporter) prompt(r event.Record, b event.Prompt) {
	if b.Steer {
		x.add(r, ExportedItem{Kind: "steer", Text: b.Text})
		return
	}
	x.Turns = append(x.Turns, &ExportedTurn{Seq: r.Seq, At: r.At, Prompt: b.Text, Images: len(b.Images), Items: []ExportedItem{}})
}

// became adds to a call what a later record says of it. Calls of which none was taken
// up have nothing that they could be added to.
func (x *exporter) became(b event.Body) {
	of := func(id string) *ExportedCall {
		if c := x.calls[id]; c != nil {
			return c
		}
		return &ExportedCall{}
	}
	switch b := b.(type) {
	case event.Judgement:
		c := of(b.Call)
		c.Verdict, c.Rule, c.Source, c.Position, c.Why = b.Verdict, b.Rule.Name, b.Rule.Source, b.Rule.Position, b.Why
		c.Effects, c.Steps, c.Answer, c.By, c.Reason = b.Effects, stepsOf(b.Steps), b.Answer, b.By, b.Reason
	case event.Question:
		of(b.Call).Diffs = slices.Clone(b.Diffs)
	case event.Dispatch:
		of(b.Call).Started = true
	case event.Result:
		c := of(b.Call)
		c.Done, c.Error, c.Result, c.Dropped = true, b.Error, b.Text, b.Dropped
	}
}

// aside is what happens beside replies and calls.
func aside(b event.Body) (ExportedItem, bool) {
	switch b := b.(type) {
	case event.Inquiry:
		return ExportedItem{Kind: "question", Text: "asked: " + b.Text}, true
	case event.Answer:
		if b.Unanswered {
			return ExportedItem{Kind: "question", Text: "nobody answered"}, true
		}
		return ExportedItem{Kind: "question", Text: "answered: " + b.Text}, true
	case event.Compaction:
		return ExportedItem{Kind: "summary", Text: b.Summary}, true
	case event.Detachment:
		return ExportedItem{Kind: "job", Text: fmt.Sprintf("job %s goes on in the background: %s", b.Job, b.Command)}, true
	case event.Settlement:
		return ExportedItem{Kind: "job", Text: b.Row()}, true
	case event.Notice:
		return ExportedItem{Kind: "notice", Text: b.Text}, true
	case event.Setting:
		return ExportedItem{Kind: "setting", Text: fmt.Sprintf("%s = %s", b.Key, b.Value)}, b.Key != "name"
	case event.Resumption:
		return ExportedItem{Kind: "resumed", Text: "another process took the session up"}, true
	}
	return ExportedItem{}, false
}
