package recovery

import (
	"regexp"
	"strings"
	"sync"

	"tenet/core/surface"
)

// Offered are the tools of the texts.
var Offered = []surface.Tool{{Name: "now"}, {Name: "see", Params: []surface.Param{{Name: "at", Type: surface.String}}}}

// leaks are calls as models write them into their text, one for each family, and what is
// to be read of them; "" for what cannot be. Some hold what quotes code elsewhere.
var leaks = []struct{ text, call string }{
	{`<tool_call>{"name":"now"}</tool_call>`, "now{}"},
	{"<tool_call><function=see><parameter=at>\n`\n</parameter></function></tool_call>", "see{\"at\":\"`\"}"},
	{"<tool_calls><see at=\"&lt;\"/></tool_calls>", `see{"at":"<"}`},
	{"<|tool_calls_section_begin|><|tool_call_begin|>functions.now:0<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>", "now{}"},
	{"<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>see\n```json\n{\"at\": 1}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>", `see{"at": 1}`},
	{"<｜DSML｜function_calls><｜DSML｜invoke name=\"now\"></｜DSML｜invoke></｜DSML｜function_calls>", "now{}"},
	{"<function_calls><invoke name=\"see\"><parameter name=\"at\">\n~~~\n</parameter></invoke></function_calls>", `see{"at":"~~~"}`},
	{"<tool_call>see<arg_key>at</arg_key><arg_value>a\n\n> b</arg_value></tool_call>", `see{"at":"a\n\n> b"}`},
	{"<function=rm></function>", ""},
	{`<tool_call>{"name":`, ""},
}

// Told are what makes a text tell of markup instead of writing it: a quotation, a mark of
// one, and what encloses.
var Told = []string{"> ", ">", "- ", "1. ", `"`, "“", `\`, "<think>", "</think>", "<code>", "</code>", "<!--", "-->"}

// quotes are what makes code of a text, and what stands between.
var quotes = []string{"```\n", "```x\n", "````\n", "~~~\n", "`", "``", "\n", "\n\n", "    ", "so "}

// scans is every text of up to four pieces, and every leak cut at every byte.
func scans(yield func(Op) bool) bool {
	for _, l := range leaks {
		for at := range len(l.text) {
			if !yield(Op{Kind: Scan, Text: l.text[:at], Cut: true}) {
				return false
			}
		}
	}
	return texts(Pieces(), "", 4, yield) && texts(append(Told, Pieces()...), "", 3, yield)
}

// Pieces are what texts are made of.
var Pieces = sync.OnceValue(pieces)

func pieces() []string {
	out := append([]string(nil), quotes...)
	for _, l := range leaks {
		out = append(out, l.text)
	}
	return out
}

func texts(pieces []string, head string, more int, yield func(Op) bool) bool {
	if !yield(Op{Kind: Scan, Text: head}) {
		return false
	}
	if more == 0 {
		return true
	}
	for _, p := range pieces {
		if !texts(pieces, head+p, more-1, yield) {
			return false
		}
	}
	return true
}

// Reading is what a text of whole pieces holds.
type Reading struct {
	// Calls are those that are to be read, in order, each as its tool and arguments.
	Calls []string
	// Text is the text without them.
	Text string
	// Broken is true when markup outside of code cannot be read; then nothing is rebuilt.
	Broken bool
	// Quoted is true when markup stands in code, or is only told of.
	Quoted bool
}

// Read is the plainest reading: from the end of the last call on, all that is code is
// marked anew, byte by byte, and the first leak that does not begin in code is the next.
// One that the text only tells of stays, with all that is told with it.
func Read(text string) (r Reading) {
	from, kept, junk := 0, 0, false
	for {
		at, length, call := first(text, from, &r)
		if length == 0 {
			r.Text = strings.TrimSpace(r.Text + text[kept:])
			if junk && word().MatchString(r.Text) { // a lone word before an invocation is no answer
				r.Text = ""
			}
			return r
		}
		if next := told(text, kept, at, length, call); next > at {
			from, r.Quoted = next, true
			continue
		}
		if len(r.Calls) == 0 {
			junk = strings.Contains(text[at:at+length], "<function_calls>")
		}
		if call == "" {
			return Reading{Broken: true, Quoted: r.Quoted}
		}
		r.Calls = append(r.Calls, call)
		r.Text += text[kept:at]
		from, kept = at+length, at+length
	}
}

func first(text string, from int, r *Reading) (at, length int, call string) {
	if !strings.Contains(text[from:], "<") {
		return 0, 0, ""
	}
	code := codeOf(text[from:], from > 0 && text[from-1] != '\n')
	for at = from; at < len(text); at++ {
		for _, l := range leaks {
			if text[at] != '<' || !strings.HasPrefix(text[at:], l.text) {
				continue
			}
			if !code[at-from] {
				return at, len(l.text), l.call
			}
			r.Quoted = true
		}
	}
	return 0, 0, ""
}

// told is where the text goes on that only tells of the leak at the place; the place itself
// when it does not. An enclosure ends with its tag; a quotation, when its line begins behind
// the last call, with its paragraph; what stands behind a quotation mark with the leak, and
// when that has no end, with the text.
func told(text string, kept, at, length int, call string) int {
	if end := enclosed(text, at); end > 0 {
		return end
	}
	line := strings.LastIndex(text[:at], "\n") + 1
	switch {
	case line >= kept && quotation().MatchString(text[line:at]):
		return paragraphEnd(text, at)
	case !marks().MatchString(text[kept:at]):
		return at
	case call == "" && !strings.HasSuffix(text[at:at+length], ">"):
		return len(text)
	}
	return at + length
}

// enclosed is the end of the first enclosure around the place, 0 without one.
func enclosed(text string, at int) (end int) {
	from := len(text)
	for _, e := range encloses() {
		for _, s := range e.FindAllStringIndex(text, -1) {
			if s[0] < min(at, from) && at < s[1] {
				from, end = s[0], s[1]
			}
		}
	}
	return end
}

// paragraphEnd is the first line after the place's own that is empty or begins a fence.
func paragraphEnd(text string, at int) int {
	for i, line := range strings.SplitAfter(text[at:], "\n") {
		if i > 0 && (strings.TrimSpace(line) == "" || fenceOf(line) != "") {
			return at
		}
		at += len(line)
	}
	return at
}

// fenceOf is the sign of the fence that the line begins, "" for none.
func fenceOf(line string) string {
	if !strings.ContainsAny(line, "`~") {
		return ""
	}
	m := opens().FindStringSubmatch(line)
	if m == nil || m[1][0] == '`' && strings.Contains(m[2], "`") {
		return ""
	}
	return m[1]
}

var (
	quotation = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[ \t]*(?:(?:[-*+]|[0-9]*[.)]|[0-9]+[-*+]) [ \t]*)?>`)
	})
	marks    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`["'“‘„«\\]$`) })
	encloses = sync.OnceValue(func() (out []*regexp.Regexp) {
		for _, tags := range []string{"<think>.*?</think>", "<thinking>.*?</thinking>", "<pre.*?</pre>", "<code.*?</code>", "<!--.*?-->"} {
			out = append(out, regexp.MustCompile("(?s)"+tags))
		}
		return out
	})
	opens = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile("^[ \\t>]*(?:(?:[-*+]|[0-9]+[.)]) [ \\t>]*)?(```+|~~~+)([^\\n]*)")
	})
	indent = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("^(    | {0,3}\t)") })
	word   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("^[a-z]{1,16}$") })
	closes = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("^[ \\t>]*(```+|~~~+)\\s*$") })
)

// codeOf marks the bytes of a text that are code. within is true when the text begins in
// the middle of a line.
func codeOf(text string, within bool) []bool {
	code := make([]bool, len(text))
	at, fence, indentable := 0, "", !within
	paragraph := 0 // where the paragraph that is open began
	open := within
	end := func() {
		if open {
			markSpans(text, paragraph, at, code)
		}
		open = false
	}
	for i, line := range strings.SplitAfter(text, "\n") {
		switch {
		case i == 0 && within:
		case fence != "":
			mark(code, at, len(line))
			if c := closes().FindStringSubmatch(line); c != nil && strings.HasPrefix(c[1], fence) {
				fence = ""
			}
			indentable = true
		case fenceOf(line) != "":
			end()
			mark(code, at, len(line))
			fence = fenceOf(line)
		case strings.TrimSpace(line) == "":
			end()
			indentable = true
		case indentable && indent().MatchString(line):
			mark(code, at, len(line))
		case !open:
			paragraph, open, indentable = at, true, false
		}
		at += len(line)
	}
	end()
	return code
}

func mark(code []bool, at, n int) {
	for i := at; i < at+n; i++ {
		code[i] = true
	}
}

// markSpans marks the spans of a paragraph: a run of backticks to the next as long.
func markSpans(text string, from, to int, code []bool) {
	for at := from; at < to; {
		n := ticks(text, at, to)
		if n == 0 {
			at++
			continue
		}
		end := at + n
		for i := at + n; i < to; {
			m := ticks(text, i, to)
			if m == n {
				mark(code, at, i+m-at)
				end = i + m
				break
			}
			i += max(m, 1)
		}
		at = end
	}
}

// ticks is how many backticks stand at the place.
func ticks(text string, at, to int) int {
	n := 0
	for at+n < to && text[at+n] == '`' {
		n++
	}
	return n
}
