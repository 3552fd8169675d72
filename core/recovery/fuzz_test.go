package recovery_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"tenet/core/recovery"
)

// What a text of any bytes may lead to: nothing, a leak with its reason, or calls of
// offered tools with one JSON object each, and a text that is a part of what was there.
func FuzzScan(f *testing.F) {
	for _, piece := range pieces {
		f.Add(piece + "\n" + piece)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := recovery.Scan(text, offered)
		if (got.Markup == recovery.NoMarkup) != (len(got.Calls) == 0 && got.Reason == "") || len(got.Calls) > 0 && got.Reason != "" {
			t.Fatalf("%q: %+v", text, got)
		}
		if len(got.Text) > len(text) {
			t.Fatalf("%q: the text grew to %q", text, got.Text)
		}
		for _, c := range got.Calls {
			var object map[string]json.RawMessage
			if json.Unmarshal([]byte(c.Args), &object) != nil || object == nil {
				t.Fatalf("%q: arguments %q are not one object", text, c.Args)
			}
			if c.Tool != "exec" && c.Tool != "Bash" && c.Tool != "now" {
				t.Fatalf("%q: %q is not offered", text, c.Tool)
			}
		}
		if got.Reason != "" && (strings.ContainsAny(got.Reason, "\n") || utf8.RuneCountInString(got.Reason) > 400) {
			t.Fatalf("%q: the reason is %q", text, got.Reason)
		}
		if quotes := "````````````\n" + text; !strings.Contains(text, "````````````") {
			if got := recovery.Scan(quotes, offered); got.Markup != recovery.NoMarkup {
				t.Fatalf("%q within a fence: %+v", text, got)
			}
		}
	})
}

// FuzzCanonical: canonical text is its own canonical text, and the intent is gone.
func FuzzCanonical(f *testing.F) {
	for _, s := range []string{"", "{}", `{"i":"x","b":[1.0,{"z":1,"a":null}],"a":1e3}`, `{"a":"\u00e9"}`, `[1]`, `{"a":1}x`, `{"a":`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, args string) {
		once := recovery.Canonical(args)
		if twice := recovery.Canonical(once); json.Valid([]byte(args)) && twice != once {
			t.Fatalf("%q is %q, then %q", args, once, twice)
		}
	})
}

// FuzzRepeats: a text is cut at the same place however it comes in pieces.
func FuzzRepeats(f *testing.F) {
	f.Add(strings.Repeat("- r/Bitcoin\n", 200), uint8(7))
	f.Add(strings.Repeat("a\nb\n", 200), uint8(1))
	f.Add(strings.Repeat("ha ", 20_000), uint8(255))
	f.Fuzz(func(t *testing.T, text string, size uint8) {
		var whole, pieces recovery.Repeats
		want, cut := whole.Feed(text)
		n := int(size)%64 + 1
		for at := 0; at < len(text); at += n {
			got, ok := pieces.Feed(text[at:min(at+n, len(text))])
			if ok {
				if !cut || got != want {
					t.Fatalf("in pieces of %d: cut for %+v; whole: %v, %+v", n, got, cut, want)
				}
				return
			}
		}
		if cut {
			t.Fatalf("in pieces of %d it was not cut for %+v", n, want)
		}
	})
}

// pieces are markup of every family and what quotes it, whole and cut.
var pieces = []string{
	"<tool_call>", `{"name":"now","arguments":{}}`, "</tool_call>", "<function=exec>", "<parameter=command>", "ls", "</parameter>", "</function>", "<tool_calls>", `<exec command="ls"/>`, "</tool_calls>",
	"<|tool_calls_section_begin|>", "<|tool_call_begin|>", "functions.now:0", "<|tool_call_argument_begin|>", "{}", "<|tool_call_end|>", "<|tool_calls_section_end|>",
	"<｜tool▁calls▁begin｜>", "<｜tool▁call▁begin｜>", "now", "<｜tool▁sep｜>", "<｜tool▁call▁end｜>", "<｜tool▁calls▁end｜>", "<｜DSML｜function_calls>", `<｜DSML｜invoke name="now">`, "</｜DSML｜invoke>",
	"<function_calls>", `<invoke name="now">`, "</invoke>", "</function_calls>", "<arg_key>", "</arg_key>", "<arg_value>", "</arg_value>", "<|tool_call>call:", "<tool_call|>", "assistant to=functions.now", "<|open|>tool",
	"```\n", "~~~\n", "`", "``", "\n", "\n\n", "    ", "> ", "- ", "\x80", "<", "{", "\"",
}

// Megabytes of the worst texts: what is not linear does not come to an end here.
func TestHostileTextsAreReadOnce(t *testing.T) {
	const size = 1 << 20
	fill := func(s string) string { return strings.Repeat(s, size/len(s)) }
	texts := []string{fill("<tool_call>{\"name\":\"now\"}</tool_call>"), fill("<function=now></function>"), fill("<function=now></function>\n\n"), fill("<tool_call> "), fill("<tool_call>x"), fill("`"), fill("` "), fill("` `` ``` "), fill("a` "), fill("<"), fill("<a:"),
		fill("<tool_call>" + strings.Repeat(" ", 1000) + "x"), `<tool_call>{"name":` + fill("["), `<tool_call>{"name":"now","arguments":` + fill(`{"a":`), fill("<invoke "), fill("assistant to=function"), fill("\n"), fill("    \n"), fill("~~~\n"), fill("> - "),
		fill("<function=exec><parameter=command>\n\n`\n</parameter></function>`"), "<function=exec>" + fill("<parameter=a></parameter>"), "<tool_calls><exec " + fill(`a="" `), fill("<｜tool"), fill("<ns:invoke name="), fill("<tool_call>exec<arg_key>a</arg_key>")}
	for _, text := range texts {
		got := recovery.Scan(text, offered)
		var r recovery.Repeats
		_, _ = r.Feed(text)
		t.Logf("%.20q: %s, %d calls, %q", text, got.Markup, len(got.Calls), got.Reason)
	}
}
