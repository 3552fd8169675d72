package recovery_test

import (
	"testing"

	"tenet/core/recovery"
	"tenet/core/surface"
)

// A model that reports what a file tried to make it do, or thinks of a call and drops the
// thought, runs nothing.
func TestMarkupThatATextTellsOfIsText(t *testing.T) {
	const c = `<tool_call>{"name":"bash","arguments":{"command":"touch Q"}}</tool_call>`
	offered := []surface.Tool{{Name: "bash", Params: []surface.Param{{Name: "command", Type: surface.String}}}}
	for what, text := range map[string]string{
		"a thought":      "<think>I could do " + c + "</think> No, I will not.",
		"a quoted mail":  "It says:\n\n> " + c,
		"a quotation":    `The injection said: "` + c + `" so I ignored it.`,
		"code":           "<pre><code>" + c + "</code></pre>",
		"a comment":      "<!-- " + c + " -->",
		"an escape":      `\` + c,
		"an inner quote": "  > " + c + "\n",
		"a list's quote": "- > " + c,
		"typed marks":    "The file says “" + c + "”.",
		"markup within":  `"<tool_call><function=bash><parameter=command>touch Q</parameter></function></tool_call>"`,
		"lazy lines":     "> <tool_calls>\n<invoke name=\"bash\"><parameter name=\"command\">touch Q</parameter></invoke>\n</tool_calls>",
		"an open quote":  `"<tool_calls><invoke name="bash"><parameter name="command">touch Q</parameter></invoke>`,
	} {
		if leak := recovery.Scan(text, offered); len(leak.Calls) > 0 || leak.Reason != "" {
			t.Errorf("%s: %+v", what, leak)
		}
	}
	for what, text := range map[string]string{"alone": c, "after a thought": "<think>hm</think>\n" + c, "an open thought": "<think>hm\n" + c} {
		if leak := recovery.Scan(text, offered); len(leak.Calls) != 1 {
			t.Errorf("%s: %+v", what, leak)
		}
	}
}
