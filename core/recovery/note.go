package recovery

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"tenet/core/call"
	"tenet/core/event"
)

// A Note is what the request after a reply that was not taken ends with: a user's
// message of the harness. It goes with the request only; no log and no chat keeps it
// (H4.7). Each names its attempt, so no request is sent twice.

// NoAnswerNote is the note after a reply without text and call.
func NoAnswerNote(attempt int) string {
	return noted(attempt, "your previous reply has no text and no tool call. Give your answer as text, or make a tool call.")
}

// StallNote is the note after a reply that produced nothing for this long.
func StallNote(attempt int, silent time.Duration) string {
	return noted(attempt, fmt.Sprintf("your previous reply produced no output for %d s, so the harness stopped it. Reason briefly, then act.", int64(silent.Round(time.Second)/time.Second)))
}

// RepetitionNote is the note after a reply that was cut because it repeated itself.
func RepetitionNote(attempt int, r Repetition) string {
	if r.Lines <= 1 {
		return noted(attempt, fmt.Sprintf("your previous reply repeated the line %s until it was cut. Give the answer again; never list the same item twice.", quoted(r.Last)))
	}
	return noted(attempt, fmt.Sprintf("your previous reply repeated a cycle of %d lines, which ends with the line %s, until it was cut. Give the answer again; never list the same item twice.", r.Lines, quoted(r.Last)))
}

// LengthNote is the row-th length note in a row. tokens is the output limit as the
// provider counted it, 0 when it did not.
func LengthNote(attempt, tokens, row int) string {
	return noted(attempt, fmt.Sprintf("your previous reply hit %s while it was still reasoning. It gave no text and no tool call, so the harness discarded it with every tool call that it planned. "+
		"If you plan the whole task again in your reasoning, you hit the same limit. Reason only about the next step, then call its tool. "+
		"For a large answer (a file, a document, a long text), write a minimal working version first, then extend it with more edits in later turns. Length note %d of %d.", limit(tokens), row, LengthNotes))
}

func limit(tokens int) string {
	if tokens <= 0 {
		return "the output limit"
	}
	return fmt.Sprintf("the %d-token output limit", tokens)
}

// LeakNote is the row-th leak note in a row: the reply wrote a call as markup in its
// text, for which reason it could not be read.
func LeakNote(attempt int, m Markup, reason string, row int) string {
	return noted(attempt, fmt.Sprintf("your previous reply wrote a tool call as %s markup in its text, and the harness could not read it (%s). No tool ran. "+
		"Make the call again through the tool-calling interface, with its arguments as one JSON object that agrees with the schema of the tool. "+
		"Do not write a tool call as text. If you need no tool, give the answer as plain text. Leak note %d of %d.", m, reason, row, LeakNotes))
}

// RedirectNote is the row-th redirect note in a row: these calls were made so many
// times in a row and gave the same results each time.
func RedirectNote(attempt, rounds int, calls []event.ToolCall, row int) string {
	return noted(attempt, fmt.Sprintf("you made the same tool calls %d times in a row, and they gave the same results each time: %s. The harness did not run them again. "+
		"Do not make these calls with these arguments again in this turn. Use different arguments, use a different tool, or give your answer with what you found. Redirect note %d of %d.", rounds, Listed(calls), row, RedirectNotes))
}

func noted(attempt int, says string) string {
	return fmt.Sprintf("Harness note, attempt %d: %s", attempt, says)
}

// NoAnswerFault is what a person is told of a reply without text and call: its stop
// reason and how many characters of thinking it had (H4.7).
func NoAnswerFault(stop, thinking string) string {
	return fmt.Sprintf("The model gave no answer: its reply (stop reason %s) has no text and no tool call, only %d characters of thinking.", stop, utf8.RuneCountInString(thinking))
}

// LengthFault is what the turn fails with after the last length note.
func LengthFault(thinking string) string {
	return fmt.Sprintf("%s The model hit the output limit while it was still reasoning after %d length notes in a row: use a different model or raise the model's max output tokens.", NoAnswerFault("length", thinking), LengthNotes)
}

// RepeatFault is what the turn fails with after the last redirect note.
func RepeatFault(calls []event.ToolCall, rounds int) string {
	return fmt.Sprintf("The model made the same tool calls (%s) with the same results %d times in a row, after %d redirect notes; the harness did not run them again.", names(calls), rounds, RedirectNotes)
}

// LateFault is what the turn fails with at the deadline of a deferred answer.
func LateFault(since time.Duration) string {
	return fmt.Sprintf("The model's deferred response was not ready by its deadline, %d s after the request", int64(since.Round(time.Second)/time.Second))
}

// RepetitionFault says what was repeated.
func RepetitionFault(r Repetition) string {
	if r.Lines <= 1 {
		return fmt.Sprintf("The model's reply repeated the line %s until it was cut.", quoted(r.Last))
	}
	return fmt.Sprintf("The model's reply repeated a cycle of %d lines, which ends with the line %s, until it was cut.", r.Lines, quoted(r.Last))
}

// LeakFault says which markup could not be read, and why.
func LeakFault(m Markup, reason string) string {
	return fmt.Sprintf("The model wrote a tool call as %s markup in its text, and it could not be read (%s). No tool ran.", m, reason)
}

// RedirectFault says which calls were not run again.
func RedirectFault(calls []event.ToolCall, rounds int) string {
	return fmt.Sprintf("The model made the same tool calls (%s) with the same results %d times in a row; they were not run again.", names(calls), rounds)
}

// Truncated is the result of a call of a reply that hit the output limit (H4.1).
func Truncated(tool string, tokens int) string {
	return fmt.Sprintf("Tool %s was not run: the reply hit %s, so its arguments may be cut. Make the call again with complete arguments. For large content, write a minimal version first, then extend it with edits.", tool, limit(tokens))
}

// Listed is each call's tool and canonical arguments, those cut to ArgumentsShown
// characters.
func Listed(calls []event.ToolCall) string {
	var b strings.Builder
	for i, c := range calls {
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(c.Tool + " " + cut(Canonical(c.Args), ArgumentsShown))
	}
	return b.String()
}

func names(calls []event.ToolCall) string {
	var out []string
	for _, c := range calls {
		out = append(out, c.Tool)
	}
	return strings.Join(out, ", ")
}

// quoted is a line as a note shows it: on one line, bounded.
func quoted(line string) string {
	return `"` + cut(strings.TrimSpace(strings.ToValidUTF8(line, "\uFFFD")), lineShown) + `"`
}

const lineShown = 200

// cut keeps the first n characters and says that there were more.
func cut(s string, n int) string {
	if head := call.FirstChars(s, n); len(head) < len(s) {
		return head + "..."
	}
	return s
}
