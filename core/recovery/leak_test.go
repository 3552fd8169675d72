package recovery_test

import (
	"encoding/json"
	"strings"
	"testing"

	"tenet/core/recovery"
	"tenet/core/surface"
)

var offered = []surface.Tool{
	{Name: "exec", Params: []surface.Param{{Name: "command", Type: surface.String, Required: true}, {Name: "wait", Type: surface.Integer}, {Name: "loud", Type: surface.Boolean}, {Name: "paths", Type: surface.Strings}}},
	{Name: "Bash", Params: []surface.Param{{Name: "command", Type: surface.String, Required: true}}},
	{Name: "now"},
}

// calls is a leak's calls as name and arguments.
func calls(l recovery.Leak) (out []string) {
	for _, c := range l.Calls {
		out = append(out, c.Tool+c.Args)
	}
	return out
}

func TestLeakedCallsAreRebuilt(t *testing.T) {
	for _, c := range []struct {
		name, text string
		markup     recovery.Markup
		rest, want string
	}{
		{"hermes", "<tool_call>\n{\"name\": \"exec\", \"arguments\": {\"command\": \"ls\"}}\n</tool_call>", recovery.Hermes, "", `exec{"command": "ls"}`},
		{"hermes, arguments as a string", `<tool_call>{"name":"exec","arguments":"{\"command\":\"ls\"}"}</tool_call>`, recovery.Hermes, "", `exec{"command":"ls"}`},
		{"hermes, parameters", `<tool_call>{"id":"1","type":"function","name":"exec","parameters":{"command":"a</tool_call>b"}}</tool_call>`, recovery.Hermes, "", `exec{"command":"a</tool_call>b"}`},
		{"hermes, two", "I look.\n<tool_call>{\"name\":\"now\",\"arguments\":{}}</tool_call>\n<tool_call>{\"name\":\"now\"}</tool_call>", recovery.Hermes, "I look.", `now{} now{}`},
		{"numbers and escapes stay as they were written", `<tool_call>{"name":"exec","arguments":{"command":"C:\\Users\\unicorn","wait":12345678901234567890}}</tool_call>`, recovery.Hermes, "", `exec{"command":"C:\\Users\\unicorn","wait":12345678901234567890}`},
		{"prov-028: qwen3 within its tag", "<tool_call>\n<function=exec>\n<parameter=command>\nls\n</parameter>\n</function>\n</tool_call>", recovery.Qwen3, "", `exec{"command":"ls"}`},
		{"qwen3 alone", "Now.\n<function=exec>\n<parameter=command>\necho \"a\"\n\necho b\n</parameter>\n<parameter=wait>3</parameter>\n</function>", recovery.Qwen3, "Now.", `exec{"command":"echo \"a\"\n\necho b","wait":3}`},
		{"qwen3 with the second half of its tag", "<function=now>\n</function>\n</tool_call>", recovery.Qwen3, "", `now{}`},
		{"qwen3, a fence within a value", "<function=exec><parameter=command>\n```\n<tool_call>\n```\n</parameter></function>", recovery.Qwen3, "", "exec{\"command\":\"```\\n<tool_call>\\n```\"}"},
		{"qwen-xml", `<tool_calls><exec command="echo &quot;a&quot; &amp;&amp; b" wait="3"/><now></now></tool_calls>`, recovery.QwenXML, "", `exec{"command":"echo \"a\" && b","wait":3} now{}`},
		{"kimi", "<|tool_calls_section_begin|><|tool_call_begin|>functions.exec:0<|tool_call_argument_begin|>{\"command\":\"ls\"}<|tool_call_end|><|tool_call_begin|>functions.now:1<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>", recovery.Kimi, "", `exec{"command":"ls"} now{}`},
		{"kimi without its section", "<|tool_call_begin|>functions.now:0<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>", recovery.Kimi, "", `now{}`},
		{"dsml tokens", "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>exec<｜tool▁sep｜>{\"command\":\"ls\"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>", recovery.DSML, "", `exec{"command":"ls"}`},
		{"dsml tokens of older models", "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>exec\n```json\n{\"command\":\"ls\"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>", recovery.DSML, "", `exec{"command":"ls"}`},
		{"dsml", "<｜DSML｜function_calls>\n<｜DSML｜invoke name=\"exec\">\n<｜DSML｜parameter name=\"command\" string=\"true\">3</｜DSML｜parameter>\n<｜DSML｜parameter name=\"paths\" string=\"false\">[\"a\"]</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>", recovery.DSML, "", `exec{"command":"3","paths":["a"]}`},
		{"dsml with plain bars", "<|DSML|invoke name=\"now\"></|DSML|invoke>", recovery.DSML, "", `now{}`},
		{"prov-029: invoke behind a junk word", "count\n<invoke name=\"Bash\">\n<parameter name=\"command\">git status</parameter>\n</invoke>", recovery.Invoke, "", `Bash{"command":"git status"}`},
		{"invoke within its tag", "Let me look.\n<function_calls>\n<invoke name=\"Bash\"><parameter name=\"command\">\na\nb\n</parameter></invoke>\n<invoke name=\"now\"></invoke>\n</function_calls>", recovery.Invoke, "Let me look.", `Bash{"command":"a\nb"} now{}`},
		{"invoke under a namespace", "<ns:function_calls><ns:invoke name='Bash'><ns:parameter name='command'>ls</ns:parameter></ns:invoke></ns:function_calls>", recovery.Invoke, "", `Bash{"command":"ls"}`},
		{"glm", "<tool_call>exec\n<arg_key>command</arg_key>\n<arg_value>ls</arg_value>\n<arg_key>loud</arg_key>\n<arg_value>true</arg_value>\n</tool_call>", recovery.GLM, "", `exec{"command":"ls","loud":true}`},
		{"lm studio", "<|tool_call>call:exec{\"command\":\"ls\"}<tool_call|>", recovery.LMStudio, "", `exec{"command":"ls"}`},
		{"what is declared a number and is none stays for the check", "<function=exec><parameter=command>true</parameter><parameter=wait>soon</parameter></function>", recovery.Qwen3, "", `exec{"command":"true","wait":"soon"}`},
		{"two families", "<function=now></function> and <tool_call>{\"name\":\"now\"}</tool_call>", recovery.Qwen3, "and", `now{} now{}`},
		{"text before and behind stays", "a <function=now></function> b", recovery.Qwen3, "a  b", `now{}`},
		{"backticks within a call quote nothing", "<function=exec><parameter=command>echo `date`</parameter></function> `x", recovery.Qwen3, "`x", "exec{\"command\":\"echo `date`\"}"},
		{"a lone backtick before quotes nothing", "press ` now\n\n<function=now></function>", recovery.Qwen3, "press ` now", `now{}`},
		{"behind a closed fence", "```\nx\n```\n<function=now></function>", recovery.Qwen3, "```\nx\n```", `now{}`},
		{"a section that ends in another paragraph, and one behind it", "<function=exec><parameter=command>a\n\nb</parameter></function> <function=now></function>", recovery.Qwen3, "", `exec{"command":"a\n\nb"} now{}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := recovery.Scan(c.text, offered)
			if got.Markup != c.markup || got.Text != c.rest || strings.Join(calls(got), " ") != c.want || got.Reason != "" {
				t.Errorf("read %+v\n want %s, text %q, calls %s", got, c.markup, c.rest, c.want)
			}
			for _, call := range got.Calls {
				if !json.Valid([]byte(call.Args)) || call.Args[0] != '{' {
					t.Errorf("the arguments are not one JSON object: %s", call.Args)
				}
			}
		})
	}
}

func TestALeakThatCannotBeReadSaysWhy(t *testing.T) {
	for _, c := range []struct {
		name, text string
		markup     recovery.Markup
		reason     string
	}{
		{"cut JSON", `<tool_call>{"name":"exec","arguments":{"comm`, recovery.Hermes, "not one JSON object"},
		{"a cut tag", "I run it.\n<tool_call>\n", recovery.Hermes, "not one JSON object"},
		{"no end", `<tool_call>{"name":"exec","arguments":{"command":"ls"}}`, recovery.Hermes, "does not end"},
		{"a list", `<tool_call>[{"name":"now"}]</tool_call>`, recovery.Hermes, "not one JSON object"},
		{"no name", `<tool_call>{"arguments":{}}</tool_call>`, recovery.Hermes, "names no tool"},
		{"a name that is none", `<tool_call>{"name":7}</tool_call>`, recovery.Hermes, "names no tool"},
		{"a member too many", `<tool_call>{"name":"now","args":{}}</tool_call>`, recovery.Hermes, "more than a name and arguments"},
		{"arguments that are a list", `<tool_call>{"name":"exec","arguments":["ls"]}</tool_call>`, recovery.Hermes, "not one JSON object"},
		{"arguments that are cut text", `<tool_call>{"name":"exec","arguments":"{\"command\":"}</tool_call>`, recovery.Hermes, "not one JSON object"},
		{"arguments twice", `<tool_call>{"name":"now","arguments":{},"parameters":{}}</tool_call>`, recovery.Hermes, "twice"},
		{"no arguments where one is needed", `<tool_call>{"name":"exec"}</tool_call>`, recovery.Hermes, "no arguments"},
		{"a tool that is not offered", `<tool_call>{"name":"rm","arguments":{}}</tool_call>`, recovery.Hermes, `the tool "rm" is not offered`},
		{"one good, one not", "<function=now></function><function=rm></function>", recovery.Qwen3, `the tool "rm" is not offered`},
		{"qwen3, no end", "<function=exec><parameter=command>ls</parameter>", recovery.Qwen3, "does not end"},
		{"qwen3, cut within a value", "<function=exec><parameter=command>ls", recovery.Qwen3, "does not end"},
		{"qwen3, its tag does not end", "<tool_call><function=now></function>", recovery.Qwen3, "does not end"},
		{"qwen3, a value with the end of its own markup", "<function=exec><parameter=command>echo </parameter> x</parameter></function>", recovery.Qwen3, "does not end"},
		{"a parameter twice", "<function=exec><parameter=command>a</parameter><parameter=command>b</parameter></function>", recovery.Qwen3, `"command" stands twice`},
		{"qwen-xml with words in it", "<tool_calls><exec>ls</exec></tool_calls>", recovery.QwenXML, "more than attributes"},
		{"qwen-xml with JSON in it", `<tool_calls>[{"name":"now"}]</tool_calls>`, recovery.QwenXML, "JSON instead"},
		{"qwen-xml, empty", "<tool_calls>", recovery.QwenXML, "does not end"},
		{"kimi, cut", "<|tool_calls_section_begin|><|tool_call_begin|>functions.exec:0<|tool_call_argument_begin|>{\"command\":", recovery.Kimi, "not one JSON object"},
		{"kimi, nothing in it", "<|tool_calls_section_begin|><|tool_calls_section_end|>", recovery.Kimi, "holds no call"},
		{"dsml, no end", "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>now<｜tool▁sep｜>{}<｜tool▁call▁end｜>", recovery.DSML, "does not end"},
		{"dsml, JSON that is none", "<｜DSML｜invoke name=\"exec\"><｜DSML｜parameter name=\"paths\" string=\"false\">[a</｜DSML｜parameter></｜DSML｜invoke>", recovery.DSML, `"paths" is not JSON`},
		{"invoke, no end", "<invoke name=\"Bash\"><parameter name=\"command\">ls</parameter>", recovery.Invoke, "does not end"},
		{"glm, a key without a value", "<tool_call>exec<arg_key>command</arg_key></tool_call>", recovery.GLM, "no value"},
		{"lm studio's own quotes", "<|tool_call>call:exec{command:<|\"|>ls<|\"|>}<tool_call|>", recovery.LMStudio, "not one JSON object"},
		{"harmony", "assistant to=functions.exec_command json\n{\"cmd\":\"ls\"}", recovery.Harmony, "addressed in the text"},
		{"prov-030: odd tokens", "<|open|>toolscall tool=\"StrReplace\" index=\"1\"<|sep|><|open|>argument key=\"path\" type=\"string\"<|sep|>src<|close|>argument<|sep|><|close|>call<|sep|>", recovery.Unknown, "no family that is known"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := recovery.Scan(c.text, offered)
			if got.Markup != c.markup || len(got.Calls) > 0 || got.Text != "" || !strings.Contains(got.Reason, c.reason) {
				t.Errorf("read %+v, want a leak of %s because %q", got, c.markup, c.reason)
			}
		})
	}
}

func TestQuotedMarkupIsText(t *testing.T) {
	const call = `<tool_call>{"name":"now"}</tool_call>`
	for _, text := range []string{
		"```\n" + call + "\n```",
		"prov-032, with a word behind the fence:\n```xml\n" + call + "\n```\nSo it runs.",
		"~~~\n" + call + "\n~~~",
		"````\n```\n" + call + "\n```\n````",
		"```\n" + call + "\n~~~\n" + call + "\n```",
		"```\nnever closed " + call,
		"> ```\n> " + call + "\n> ```",
		"- in a list:\n  1. ```\n     " + call + "\n     ```",
		"`" + call + "`",
		"a `` ` " + call + " `` b",
		"a span `over\ntwo lines " + call + "`",
		"indented:\n\n    " + call + "\n    " + call,
		"\t" + call,
		"the tag <tool_call> is what models write",
		"<tool_call> and </tool_call> are tags, as <tool_calls> is",
		"a < b, <b>bold</b>, <function> and <parameter=x>",
		"to=functions.exec is an address",
		"",
	} {
		if got := recovery.Scan(text, offered); got.Markup != recovery.NoMarkup || len(got.Calls) > 0 || got.Reason != "" {
			t.Errorf("%q was read as %+v", text, got)
		}
	}
}

// What is not quoted beside what is.
func TestAQuoteEndsWhereItEnds(t *testing.T) {
	const call = `<tool_call>{"name":"now"}</tool_call>`
	for _, text := range []string{
		"```\n" + call + "\n```\n" + call,
		"`" + call + "` " + call,
		"``` not a fence ``` " + call,
		"`` two ` one\n\n" + call,
		"    " + call + "\n" + call,
		"words\n    " + call, // a line of a paragraph is no code, however far in
	} {
		if got := recovery.Scan(text, offered); len(got.Calls) != 1 {
			t.Errorf("%q was read as %+v, want one call", text, got)
		}
	}
}
