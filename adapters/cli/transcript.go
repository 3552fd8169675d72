package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"tenet/adapters/store"
	"tenet/core/call"
	"tenet/core/event"
	"tenet/core/gate"
	"tenet/core/turn"
)

// shownLines is how many lines of a result a person is shown; the log has them all.
const shownLines = 12

// Transcript prints records for a person who watches, and remembers what was asked
// and refused for the summary. It is used by one goroutine.
type Transcript struct {
	out     io.Writer
	tools   map[string]string // call -> tool
	verdict []event.Judgement // those that were asked about or denied
	refused map[string]bool   // calls that were refused
}

// NewTranscript prints to out.
func NewTranscript(out io.Writer) *Transcript {
	return &Transcript{out: out, tools: map[string]string{}, refused: map[string]bool{}}
}

// Show prints one record.
func (t *Transcript) Show(r event.Record) {
	switch r.Kind {
	case event.Opened:
		show(r, t.opened)
	case event.Resumed:
		show(r, t.resumed)
	case event.Prompted:
		show(r, func(p event.Prompt) {
			if !p.Woken {
				t.block("> ", p.Text)
			}
		})
	case event.Replied:
		show(r, func(p event.Reply) { t.block("» ", p.Text) })
	case event.Failed:
		show(r, t.failed)
	case event.Called:
		show(r, t.called)
	case event.Judged:
		show(r, t.judged)
	case event.Resulted:
		show(r, t.resulted)
	case event.Ended:
		show(r, t.ended)
	case event.Detached, event.Settled, event.Compacted, event.Noticed, event.Inquired, event.Answered, event.Submitted, event.Withdrawn, event.Deferred:
		t.aside(r)
	case event.Requested, event.Asked, event.Dispatched, event.Repaired, event.Spawned, event.Set, event.Forked, event.Changed:
	}
}

// aside prints what happens beside requests and calls, as the log's listing says it.
func (t *Transcript) aside(r event.Record) {
	b, err := event.Decode(r)
	if err != nil {
		return // the log has it
	}
	who, text := store.Says(b)
	for i, line := range strings.Split(call.Visible(text), "\n") {
		if i == 0 {
			line = who + ": " + line
		}
		fmt.Fprintf(t.out, "  · %s\n", line)
	}
}

// show decodes a record's body; one that cannot be decoded was made by another
// version and is skipped on the screen, never in the log.
func show[B any](r event.Record, f func(B)) {
	var b B
	if json.Unmarshal(r.Body, &b) == nil {
		f(b)
	}
}

func (t *Transcript) opened(o event.Opening) {
	fmt.Fprintf(t.out, "tenet %s · session %s\nworkspace %s · model %s · profile %s · runs unasked: %s\n",
		o.Version, o.Session, call.OneLine(o.Workspace, 400), call.OneLine(o.Model, 200), o.Profile, orNone(o.Auto))
}

func (t *Transcript) resumed(b event.Resumption) {
	for _, c := range b.Interrupted {
		fmt.Fprintf(t.out, "  ! %s was interrupted and is not run again\n", call.OneLine(c, 100))
	}
}

func (t *Transcript) block(prefix, text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	fmt.Fprintln(t.out)
	for line := range strings.Lines(strings.TrimRight(text, "\n")) {
		fmt.Fprintf(t.out, "%s%s\n", prefix, call.Visible(strings.TrimRight(line, "\n")))
	}
}

func (t *Transcript) failed(f event.Failure) {
	fmt.Fprintf(t.out, "\n! %s\n", call.OneLine(f.Message, 2000))
	switch {
	case f.Noted:
		fmt.Fprintf(t.out, "! asking again with a note (%d of %d)\n", f.Spent, turn.MaxNotes)
	case f.RetryMS >= 0:
		fmt.Fprintf(t.out, "! trying again in %.1f s (Ctrl+C stops)\n", float64(f.RetryMS)/1000)
	case strings.TrimSpace(f.Thinking) != "": // nobody asks again: what it thought is all there is (H4.7)
		t.block("thinking, no answer: ", f.Thinking)
	}
}

func (t *Transcript) called(c event.Call) {
	t.tools[c.Call] = call.OneLine(c.Tool, 60)
	fmt.Fprintf(t.out, "\n● %s  %s\n", t.tools[c.Call], call.OneLine(summary(c.Args), 400))
}

// summary is the argument a person recognises a call by.
func summary(args string) string {
	var m map[string]any
	if json.Unmarshal([]byte(args), &m) != nil {
		return args
	}
	var parts []string
	for _, name := range []string{"command", "argv", "pattern", "path", "verb", "id", "name", "question"} {
		switch v := m[name].(type) {
		case string:
			parts = append(parts, v)
		case []any:
			parts = append(parts, words(v))
		}
	}
	return strings.Join(parts, "  ")
}

// words are the words of a command that was given as a list.
func words(list []any) string {
	out := make([]string, len(list))
	for i, w := range list {
		out[i] = fmt.Sprint(w)
	}
	return strings.Join(out, " ")
}

func (t *Transcript) judged(j event.Judgement) {
	if j.Answer == "" && j.Verdict != gate.Deny.String() {
		return
	}
	t.verdict = append(t.verdict, j)
	t.refused[j.Call] = !event.Permits(j.Verdict, j.Answer)
	fmt.Fprintf(t.out, "  %s %s · %s · %s\n", mark(j), strings.Join(j.Effects, "+"), j.Rule.Name, fate(j))
	for _, g := range j.Grants {
		fmt.Fprintf(t.out, "    from now on allowed (%s): %s %s\n", g.Scope, g.Capability, call.OneLine(g.Pattern, 300))
	}
	if j.Unsaved != "" {
		fmt.Fprintf(t.out, "  ! the rule holds for this session only: %s\n", call.OneLine(j.Unsaved, 500))
	}
}

// fate is what became of a call: the answer and who gave it, or why it was denied.
func fate(j event.Judgement) string {
	if j.Answer == "" {
		return "denied: " + call.OneLine(j.Why, 500)
	}
	return answered(j.Answer) + " by " + j.By + because(j.Reason)
}

// answered is an answer in a person's words; the record keeps the protocol's.
func answered(answer string) string {
	switch answer {
	case gate.GatewayRefused.String():
		return "refused"
	case gate.AllowOnce.String():
		return "allowed once"
	case gate.AllowSession.String():
		return "allowed for the session"
	case gate.AllowAlways.String():
		return "allowed always"
	}
	return answer
}

func mark(j event.Judgement) string {
	if event.Permits(j.Verdict, j.Answer) {
		return "✓"
	}
	return "✗"
}

func because(reason string) string {
	if reason == "" {
		return ""
	}
	return ": " + call.OneLine(reason, 1000)
}

func (t *Transcript) resulted(r event.Result) {
	bar := "│"
	switch {
	case r.Error && t.refused[r.Call]:
		return // the verdict above says it; the rest is for the model
	case r.Error:
		bar = "✗"
	}
	lines := strings.Split(strings.TrimRight(r.Text, "\n"), "\n")
	for i, line := range lines {
		if i == shownLines {
			fmt.Fprintf(t.out, "  %s … %d more lines\n", bar, len(lines)-i)
			break
		}
		fmt.Fprintf(t.out, "  %s %s\n", bar, call.OneLine(line, 400))
	}
}

func (t *Transcript) ended(e event.Ending) {
	switch e.How {
	case turn.Aborted.String():
		fmt.Fprintf(t.out, "\n! stopped after %d tool rounds%s\n", e.Rounds, because(e.Cause))
	case turn.Failed.String():
		fmt.Fprintf(t.out, "\n! the turn failed after %d tool rounds%s\n", e.Rounds, because(e.Cause))
	}
}

// Summary prints what was asked and what became of it, with the rule behind each.
func (t *Transcript) Summary() {
	if len(t.verdict) == 0 {
		return
	}
	fmt.Fprintln(t.out, "\nWhat did not simply run, and what became of it:")
	for _, j := range t.verdict {
		word := "refused"
		if event.Permits(j.Verdict, j.Answer) {
			word = "ran"
		}
		fmt.Fprintf(t.out, "  %-8s %s: %s\n           effects %s, rule %s, %s\n", word, t.tools[j.Call], call.OneLine(stepTexts(j), 120),
			strings.Join(j.Effects, "+"), j.Rule.Name, fate(j))
	}
}

// stepTexts are the steps that the verdict is about, in one text.
func stepTexts(j event.Judgement) string {
	var out []string
	for _, s := range j.Steps {
		if s.Verdict == j.Verdict {
			out = append(out, s.Text)
		}
	}
	return strings.Join(out, "; ")
}

func orNone(names []string) string {
	if len(names) == 0 {
		return "nothing"
	}
	return strings.Join(names, ", ")
}
