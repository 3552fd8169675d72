package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"tenet/core/call"
)

// How much of one result or diff a Markdown export shows, unless it shows all.
const (
	exportedLines = 40
	exportedBytes = 8 << 10
)

// markdown is the session as a person reads it.
func (x Exported) markdown(full bool) string {
	w := &page{full: full}
	name := cmp.Or(x.Name, "Session "+x.Session)
	w.line("# %s", call.OneLine(name, 200))
	w.line("")
	w.line("> %s", x.Notice)
	w.line("")
	w.row("session", x.Session)
	w.row("workspace", x.Workspace)
	w.row("model", x.Model)
	w.row("profile", x.Profile)
	w.row("began", x.Began)
	w.row("state", fmt.Sprintf("%s, %s", x.State, plural(len(x.Turns), "turn")))
	if x.Fork != nil {
		w.row("forked from", fmt.Sprintf("%s after record %d", x.Fork.From, x.Fork.Seq))
	}
	w.row("damaged", x.Flaw)
	w.row("sum of the last record", x.Sum)
	for i, t := range x.Turns {
		w.turn(i+1, t)
	}
	return w.String()
}

// page writes Markdown in which nothing that was recorded is markup or obeyed by a
// terminal.
type page struct {
	strings.Builder
	full bool
}

func (w *page) line(format string, a ...any) { fmt.Fprintf(w, format+"\n", a...) }

func (w *page) row(key, value string) {
	if value != "" {
		w.line("- %s: %s", key, code(call.OneLine(value, 400)))
	}
}

func (w *page) turn(n int, t *ExportedTurn) {
	w.line("\n## Turn %d", n)
	w.line("")
	w.quote(t.Prompt)
	if t.Images > 0 {
		w.line("> (with %s)", plural(t.Images, "image"))
	}
	for _, i := range t.Items {
		w.item(i)
	}
	switch t.How {
	case "answered":
		if t.Answer != "" {
			w.line("\n**Answer**")
			w.line("\n%s", w.bounded(t.Answer))
		}
	case "":
		w.line("\n*The turn did not end: the process did, or it still runs.*")
	default:
		w.line("\n*The turn %s after %s.* %s", cmp.Or(map[string]string{"aborted": "was stopped", "failed": "failed"}[t.How], t.How), plural(t.Rounds, "round"), call.OneLine(t.Cause, 500))
	}
}

// quote: a person's own words stand out, and a heading in them is none of the page.
func (w *page) quote(text string) {
	for _, l := range strings.Split(strings.TrimRight(call.Visible(text), "\n"), "\n") {
		w.line("%s", strings.TrimRight("> "+l, " "))
	}
}

func (w *page) item(i ExportedItem) {
	switch i.Kind {
	case "call":
		w.call(i.Call)
	case "reply":
		if strings.TrimSpace(i.Thinking) != "" && w.full {
			w.line("\n<details><summary>thinking</summary>\n")
			w.fenced("", i.Thinking)
			w.line("\n</details>")
		}
		if strings.TrimSpace(i.Text) != "" {
			w.line("\n%s", call.Visible(strings.TrimRight(i.Text, "\n")))
		}
	case "steer":
		w.line("")
		w.quote(i.Text)
	default:
		w.line("\n*%s:* %s", i.Kind, call.OneLine(i.Text, 600))
	}
}

func (w *page) call(c *ExportedCall) {
	w.line("\n### %s %s", call.OneLine(c.Tool, 60), code(call.OneLine(summary(c.Args), 200)))
	w.line("")
	if c.Verdict != "" {
		w.line("%s", w.verdict(c))
	}
	w.arguments(c)
	for _, d := range c.Diffs {
		w.fenced("diff", w.bounded(d))
	}
	switch {
	case !c.Done && c.Started:
		w.line("\n*No result: its outcome is unknown.*")
	case !c.Done:
		w.line("\n*No result: it did not start.*")
	case strings.TrimSpace(c.Result) != "":
		if c.Error {
			w.line("\nerror:")
		}
		w.fenced("", w.bounded(c.Result))
	}
	if c.Dropped > 0 {
		w.line("*%d bytes of output were left out when it was recorded.*", c.Dropped)
	}
}

// verdict is the gate's word about a call, with the rule that decided.
func (w *page) verdict(c *ExportedCall) string {
	out := fmt.Sprintf("gate: **%s**, rule %s", c.Verdict, code(call.OneLine(c.Rule, 200)))
	if c.Source != "" {
		out += fmt.Sprintf(" (%s", call.OneLine(c.Source, 60))
		if c.Position > 0 {
			out += fmt.Sprintf(" %d", c.Position)
		}
		out += ")"
	}
	if len(c.Effects) > 0 {
		out += ", effects " + strings.Join(c.Effects, "+")
	}
	if c.Answer != "" {
		out += fmt.Sprintf("; %s by %s%s", answered(c.Answer), call.OneLine(c.By, 60), because(c.Reason))
	} else if c.Verdict == "deny" {
		out += "; " + call.OneLine(c.Why, 500)
	}
	return out
}

// arguments shows what the heading cannot: arguments of several lines, and those that
// no summary knows.
func (w *page) arguments(c *ExportedCall) {
	var m map[string]any
	if json.Unmarshal([]byte(c.Args), &m) != nil {
		if strings.TrimSpace(c.Args) != "" {
			w.fenced("", w.bounded(c.Args))
		}
		return
	}
	names := make([]string, 0, len(m))
	for k := range m {
		if !slices.Contains([]string{"i", "path", "pattern"}, k) {
			names = append(names, k)
		}
	}
	slices.Sort(names)
	for _, k := range names {
		text, ok := m[k].(string)
		if ok && (k != "command" || strings.Contains(text, "\n")) && text != "" {
			w.line("\n%s:", call.OneLine(k, 60))
			w.fenced("", w.bounded(text))
		}
	}
}

// bounded keeps the first lines of a text and counts the others.
func (w *page) bounded(text string) string {
	text = strings.TrimRight(call.Visible(text), "\n")
	if w.full {
		return text
	}
	lines, bytes := strings.Split(text, "\n"), 0
	for i, l := range lines {
		if bytes += len(l) + 1; i == exportedLines || bytes > exportedBytes && i > 0 {
			return strings.Join(lines[:i], "\n") + fmt.Sprintf("\n[%d more lines; --full shows them]", len(lines)-i)
		}
	}
	if len(text) > exportedBytes {
		cut := strings.ToValidUTF8(text[:exportedBytes], "")
		return cut + fmt.Sprintf("\n[%d more bytes; --full shows them]", len(text)-len(cut))
	}
	return text
}

// fenced is a block of text as it is: its fence is longer than any run of backticks in it.
func (w *page) fenced(language, text string) {
	fence := strings.Repeat("`", max(3, 1+longestRun(text, '`')))
	w.line("\n%s%s\n%s\n%s", fence, language, strings.TrimRight(call.Visible(text), "\n"), fence)
}

// code is a text in a line as it is.
func code(text string) string {
	tick := strings.Repeat("`", 1+longestRun(text, '`'))
	if len(tick) > 1 {
		return tick + " " + text + " " + tick
	}
	return tick + text + tick
}

func longestRun(text string, of rune) (longest int) {
	n := 0
	for _, r := range text {
		if n++; r != of {
			n = 0
		}
		longest = max(longest, n)
	}
	return longest
}
