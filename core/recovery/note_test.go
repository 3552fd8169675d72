package recovery_test

import (
	"strings"
	"testing"
	"time"

	"tenet/core/event"
	"tenet/core/recovery"
)

// The words of the source, letter for letter.
func TestNotesAndFaultsInTheSourcesWords(t *testing.T) {
	line := recovery.Repetition{Lines: 1, Last: "- r/Bitcoin"}
	calls := []event.ToolCall{{Tool: "exec", Args: `{"i":"again","command":"ls"}`}, {Tool: "now"}}
	for got, want := range map[string]string{
		recovery.RepetitionNote(2, line):                           `Harness note, attempt 2: your previous reply repeated the line "- r/Bitcoin" until it was cut. Give the answer again; never list the same item twice.`,
		recovery.LengthNote(3, 0, 2)[:90]:                          `Harness note, attempt 3: your previous reply hit the output limit while it was still reaso`,
		recovery.NoAnswerFault("stop", "hé"):                       `The model gave no answer: its reply (stop reason stop) has no text and no tool call, only 2 characters of thinking.`,
		recovery.LengthFault("hm"):                                 `The model gave no answer: its reply (stop reason length) has no text and no tool call, only 2 characters of thinking. The model hit the output limit while it was still reasoning after 3 length notes in a row: use a different model or raise the model's max output tokens.`,
		recovery.RepeatFault(calls, 5):                             `The model made the same tool calls (exec, now) with the same results 5 times in a row, after 2 redirect notes; the harness did not run them again.`,
		recovery.LateFault(90 * time.Second):                       `The model's deferred response was not ready by its deadline, 90 s after the request`,
		recovery.Truncated("exec", 4096):                           `Tool exec was not run: the reply hit the 4096-token output limit, so its arguments may be cut. Make the call again with complete arguments. For large content, write a minimal version first, then extend it with edits.`,
		recovery.Listed(calls):                                     `exec {"command":"ls"}; now {}`,
		recovery.Canonical(`{"b":{"z":1.0,"a":1e3},"i":"x"}`):      `{"b":{"a":1e3,"z":1.0}}`,
		recovery.Canonical(`{"b":{"i":"deep"},"a":"<&>"}`):         `{"a":"<&>","b":{"i":"deep"}}`,
		recovery.Canonical(`{"a":`):                                `{"a":`,
		recovery.StallNote(2, 120*time.Second)[:68]:                `Harness note, attempt 2: your previous reply produced no output for `,
		recovery.LeakNote(2, recovery.Hermes, "it is cut", 1)[:80]: `Harness note, attempt 2: your previous reply wrote a tool call as hermes markup `,
	} {
		if got != want {
			t.Errorf("says\n %q\nwant\n %q", got, want)
		}
	}
	long := recovery.Listed([]event.ToolCall{{Tool: "exec", Args: `{"command":"` + strings.Repeat("é", 500) + `"}`}})
	if n := len([]rune(long)); n != len("exec ")+recovery.ArgumentsShown+len("...") {
		t.Errorf("%d characters of arguments are shown", n)
	}
}

func TestWhatRepeatsIsCutAndWhatDiffersIsNot(t *testing.T) {
	table := func(row string, n int) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(strings.ReplaceAll(row, "N", string(rune('a'+i%26))+strings.Repeat("x", i/26)) + "\n")
		}
		return b.String()
	}
	for _, c := range []struct {
		name, text string
		lines      int
		cut        bool
	}{
		{"one line again and again", strings.Repeat("- r/Bitcoin\n", 200), 1, true},
		{"a cycle of three", strings.Repeat("I check the file.\n\nIt is not there.\nI look again.\n", 80), 3, true},
		{"a line without an end", strings.Repeat("ha ", 20_000), 0, true},
		{"thousands of empty lines", strings.Repeat("\n", 3000), 1, true},
		{"a long table", table("| N | yes | no |", 5000), 0, false},
		{"a hundred closing braces", strings.Repeat("}\n", 100), 0, false},
		{"a block of zeros", strings.Repeat("    0x00, 0x00, 0x00, 0x00,\n", 64), 0, false},
		{"many short sections", table("## N\n\n- [ ] done\n- [ ] tested", 500), 0, false},
	} {
		var r recovery.Repeats
		got, ok := r.Feed(c.text)
		if ok != c.cut || ok && got.Lines != c.lines {
			t.Errorf("%s: cut %v for %+v", c.name, ok, got)
		}
	}
}
