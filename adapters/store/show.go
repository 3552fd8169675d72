package store

import (
	"fmt"
	"io"
	"strings"

	"tenet/core/call"
	"tenet/core/event"
)

// shownLines is how many lines of a long text a listing shows.
const shownLines = 6

// shownWidth is how many characters of one line a listing shows.
const shownWidth = 200

// Show writes a session for a person: the time, who, and what, a few lines for each
// record, and at the end the calls that have no result. Every character that a
// terminal would obey is escaped. The error is the writer's, or the first record
// that cannot be read, after what came before it.
func Show(w io.Writer, records []event.Record) error {
	s, err := event.Fold(records)
	for _, r := range records {
		b, bad := event.Decode(r)
		if bad != nil {
			break
		}
		if err := entry(w, r, b); err != nil {
			return err
		}
	}
	for _, c := range s.Calls {
		if _, err := fmt.Fprintf(w, "interrupted: %s.\n", call.Visible(interrupted(c))); err != nil {
			return err
		}
	}
	return err
}

// entry writes one record: a first line with its number, its time and who, and the
// text's further lines indented under it.
func entry(w io.Writer, r event.Record, b event.Body) error {
	who, text := Says(b)
	head := fmt.Sprintf("%5d %s %-6s ", r.Seq, clock(r.At), who)
	lines := strings.Split(call.Visible(text), "\n")
	indent := "\n" + strings.Repeat(" ", len(head))
	_, err := fmt.Fprintln(w, head+strings.Join(lines, indent))
	return err
}

// clock is the time of day of a record, UTC.
func clock(at string) string {
	_, t, ok := strings.Cut(at, "T")
	if !ok || len(t) < len("15:04:05") {
		return "--:--:--"
	}
	return t[:len("15:04:05")]
}

// Says is a record in a person's words: who, and what, in a few lines. It is not
// escaped; who prints it does that.
func Says(b event.Body) (who, text string) {
	switch b := b.(type) {
	case event.Opening:
		return "tenet", fmt.Sprintf("session %s in %s, model %s, profile %s, runs unasked: %s", b.Session, b.Workspace, b.Model, b.Profile, list(b.Auto))
	case event.Prompt:
		return "you", prompt(b)
	case event.Request:
		return "tenet", fmt.Sprintf("asks the model (round %d, try %d, %d messages)", b.Round, b.Attempt, b.Messages)
	case event.Reply:
		return "model", reply(b)
	case event.Failure:
		return "model", failure(b)
	case event.Call:
		if b.By != "" {
			return "you", fmt.Sprintf("run %s %s (%s)", b.Tool, call.OneLine(b.Args, shownWidth), b.Call)
		}
		return "call", fmt.Sprintf("%s %s %s", b.Call, b.Tool, call.OneLine(b.Args, shownWidth))
	case event.Judgement:
		return "gate", judgement(b)
	case event.Question:
		return "gate", fmt.Sprintf("%s asks (%s; over %s)%s: %s", b.Call, b.Rule.Name, list(b.Over), again(b.Again), texts(b.Steps))
	case event.Dispatch:
		return "call", fmt.Sprintf("%s starts %s", b.Call, steps(b.Steps))
	case event.Result:
		return "result", result(b)
	case event.Ending:
		return "tenet", ending(b)
	case event.Repair:
		return "tenet", strings.TrimSpace(Repairs{b}.String())
	case event.Resumption:
		return "tenet", fmt.Sprintf("a new process takes the session up; interrupted calls: %s", list(b.Interrupted))
	case event.Submission, event.Withdrawal, event.Inquiry, event.Answer:
		return "you", between(b)
	case event.Detachment, event.Spawn, event.Settlement:
		return "job", job(b)
	case event.Change:
		return "call", changed(b)
	case event.Deferral, event.Compaction, event.Setting, event.Notice, event.Fork:
		return "tenet", aside(b)
	}
	return "", ""
}

// changed says which file a call changed, and by how much.
func changed(b event.Change) string {
	verb := "changed"
	if b.Undoes > 0 {
		verb = fmt.Sprintf("took back the change of record %d in", b.Undoes)
	}
	var paths []string
	for _, s := range b.Sides {
		paths = append(paths, call.OneLine(s.Path, shownWidth))
	}
	return fmt.Sprintf("%s %s %s (+%d -%d)", b.Call, verb, strings.Join(paths, " and "), b.Added, b.Removed)
}

func reply(b event.Reply) string {
	parts := make([]string, 0, len(b.Calls)+1)
	if strings.TrimSpace(b.Text) != "" {
		parts = append(parts, folded(b.Text))
	}
	for _, c := range b.Calls {
		parts = append(parts, fmt.Sprintf("calls %s %s (%s)", c.Tool, call.OneLine(c.Args, shownWidth/2), c.ID))
	}
	if len(parts) == 0 {
		return fmt.Sprintf("nothing but %d characters of thinking (stop: %s)", len([]rune(b.Thinking)), b.Stop)
	}
	return strings.Join(parts, "\n")
}

func failure(b event.Failure) string {
	if b.RetryMS < 0 {
		return fmt.Sprintf("failed (%s): %s", b.Class, folded(b.Message))
	}
	return fmt.Sprintf("failed (%s), tried again in %d ms: %s", b.Class, b.RetryMS, folded(b.Message))
}

// judgement: the verdict with its rule, and for a refusal what it was over and who
// said so in which words.
func judgement(b event.Judgement) string {
	verdict := "REFUSED"
	if event.Permits(b.Verdict, b.Answer) {
		verdict = "runs"
	}
	text := fmt.Sprintf("%s %s (%s; %s)", b.Call, verdict, b.Rule.Name, list(b.Effects))
	if b.Answer != "" {
		text += ", answer " + b.Answer
	}
	if b.By != "" {
		text += " by " + b.By
	}
	if b.Reason != "" {
		text += ", because: " + b.Reason
	}
	for _, g := range b.Grants {
		text += fmt.Sprintf(", allows %s %q for the %s from now on", g.Capability, g.Pattern, g.Scope)
	}
	if b.Unsaved != "" {
		text += ", not saved: " + b.Unsaved
	}
	return text + ": " + texts(b.Steps)
}

func again(why string) string {
	if why == "" {
		return ""
	}
	return " again, since " + why
}

// texts are the steps of a call, one a line when there are several.
func texts(steps []event.JudgedStep) string {
	var out []string
	for _, s := range steps {
		out = append(out, s.Text)
	}
	return folded(strings.Join(out, "\n"))
}

func result(b event.Result) string {
	text := b.Call + " "
	if b.Error {
		text += "error: "
	}
	text += folded(b.Text)
	if b.Dropped > 0 {
		text += fmt.Sprintf("\n[%d bytes of output were left out]", b.Dropped)
	}
	return text
}

func ending(b event.Ending) string {
	text := fmt.Sprintf("turn %s after %d rounds", b.How, b.Rounds)
	if b.Cause != "" {
		text += ": " + folded(b.Cause)
	}
	return text
}

func list(words []string) string {
	if len(words) == 0 {
		return "none"
	}
	return strings.Join(words, ", ")
}

func steps(n []int) string {
	words := make([]string, len(n))
	for i, s := range n {
		words[i] = fmt.Sprint(s)
	}
	if len(n) == 1 {
		return "step " + words[0]
	}
	return "steps " + list(words)
}

// folded keeps the first lines of a text and counts the others.
func folded(text string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	more := len(lines) - shownLines
	if more > 1 {
		lines = append(lines[:shownLines:shownLines], fmt.Sprintf("[%d more lines]", more))
	}
	for i, l := range lines {
		lines[i] = shortened(l, shownWidth)
	}
	return strings.Join(lines, "\n")
}

func shortened(line string, width int) string {
	r := []rune(line)
	if len(r) <= width {
		return line
	}
	return fmt.Sprintf("%s[%d more characters]", string(r[:width]), len(r)-width)
}
