package store

import (
	"fmt"
	"strings"

	"tenet/core/call"
	"tenet/core/event"
)

func prompt(b event.Prompt) string {
	if b.Woken {
		return "(nothing: a settled job wakes the session)"
	}
	text := folded(b.Text)
	if b.Submission != "" {
		text = fmt.Sprintf("(%s) %s", b.Submission, text)
	}
	if b.Steer {
		text = "into the turn: " + text
	}
	if len(b.Images) > 0 {
		text += fmt.Sprintf("\n[%d images]", len(b.Images))
	}
	return text
}

// between is what a person and the session say to each other while a turn runs.
func between(b event.Body) string {
	switch b := b.(type) {
	case event.Submission:
		return fmt.Sprintf("(%s) waits, to %s: %s", b.ID, b.How, folded(b.Text))
	case event.Withdrawal:
		return fmt.Sprintf("(%s) taken back", b.ID)
	case event.Inquiry:
		text := fmt.Sprintf("asked by the model (%s): %s", b.Call, folded(b.Text))
		if len(b.Options) > 0 {
			text += "\n" + list(b.Options)
		}
		return text
	case event.Answer:
		if b.Unanswered {
			return "no answer: " + folded(b.Text)
		}
		return fmt.Sprintf("answer by %s: %s", b.By, folded(b.Text))
	}
	return ""
}

func job(b event.Body) string {
	switch b := b.(type) {
	case event.Detachment:
		return fmt.Sprintf("%s goes on as job %s: %s", b.Call, b.Job, call.OneLine(b.Command, shownWidth))
	case event.Spawn:
		return fmt.Sprintf("job %s starts process group %d (%s)", b.Job, b.Group.PID, b.Group.Name)
	case event.Settlement:
		return settlement(b)
	}
	return ""
}

func settlement(b event.Settlement) string {
	text := fmt.Sprintf("job %s %s", b.Job, b.Status)
	if b.By != "" {
		text += " by " + b.By
	}
	if b.Exit >= 0 {
		text += fmt.Sprintf(", exit status %d", b.Exit)
	}
	if len(b.Survivors) > 0 {
		text += ", left running: " + list(b.Survivors)
	}
	return strings.TrimRight(text+"\n"+folded(b.Text), "\n")
}

// aside is what tenet notes beside the conversation.
func aside(b event.Body) string {
	switch b := b.(type) {
	case event.Deferral:
		return fmt.Sprintf("the answer comes later: job %s is polled until %s (%d failed polls)", b.Job, b.Deadline, b.Failures)
	case event.Compaction:
		return fmt.Sprintf("older messages (before record %d) give place to a summary (%s): %s", b.Kept, b.Reason, folded(b.Summary))
	case event.Setting:
		return fmt.Sprintf("%s is %s", b.Key, call.OneLine(string(b.Value), shownWidth))
	case event.Notice:
		return fmt.Sprintf("notice (%s): %s", b.Type, folded(b.Text))
	case event.Fork:
		return fmt.Sprintf("forked from session %s at its record %d", b.From, b.Seq)
	}
	return ""
}
