package transcript

import (
	"fmt"
	"strings"
	"time"

	"tenet/core/event"
	"tenet/tui/diffview"
	"tenet/tui/text"
	"tenet/tui/theme"
)

// spinner turns while a call runs; steady is its sign for who wants nothing to move.
var spinner = [...]string{"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"}

const (
	steady  = "◌"
	spinDur = 100 * time.Millisecond
)

// stateSign is the sign of a state, and its ink: no two states share a sign.
func (t *Transcript) stateSign(s state) (string, theme.Ink) {
	switch s {
	case waiting:
		return "○", t.pens.muted
	case asking:
		return "?", t.pens.warn
	case running:
		if t.o.ReducedMotion {
			return steady, t.pens.accent
		}
		return spinner[int(t.o.Now().UnixNano()/int64(spinDur))%len(spinner)], t.pens.accent
	case done:
		return "✓", t.pens.good
	case wrong:
		return "✗", t.pens.bad
	case refused:
		return "⊘", t.pens.bad
	case detached:
		return "»", t.pens.accent
	case interrupted:
		return "!", t.pens.warn
	}
	return "", t.pens.muted
}

// lead is the frame of a call's lines.
func (t *Transcript) lead(s state) frame {
	if t.w < roomy {
		return frame{}
	}
	sign, ink := t.stateSign(s)
	return frame{ink.Paint(sign) + " ", "  "}
}

func (t *Transcript) drawCall(it *item, w int) []string {
	c := it.tool
	out := []string{t.callLine(c, w)}
	s := t.sheet(w)
	if it.open {
		t.details(s, c)
	} else {
		t.preview(s, c)
	}
	return t.pens.framed(t.lead(c.state), append(out, s.out...))
}

// callLine is the one line of a call: its sign where there is no column for it, what it
// is, what it is about, and how it went.
func (t *Transcript) callLine(c *tool, w int) string {
	verb := c.verb
	if t.w < roomy {
		sign, _ := t.stateSign(c.state)
		verb = sign + " " + verb
	}
	meta := t.meta(c)
	if text.Width(verb)+text.Width(meta)+10 > w {
		meta = ""
	}
	room := w - text.Width(verb) - 1
	if meta != "" {
		room -= text.Width(meta) + 2
	}
	line := t.pens.strong.Paint(text.Cut(verb, w))
	if title := text.Cut(c.title, room); title != "" {
		line += " " + t.pens.code.Paint(title)
	}
	if meta != "" {
		line += "  " + t.pens.muted.Paint(meta)
	}
	return line
}

// meta is how a call went, in a few words.
func (t *Transcript) meta(c *tool) string {
	change := ""
	if c.plus+c.minus > 0 && c.state != refused {
		change = fmt.Sprintf("+%d -%d", c.plus, c.minus)
	}
	return text.Line(join(" · ", change, t.stateWords(c), c.exit, t.duration(c)))
}

// stateWords says what the sign says, where it is more than done.
func (t *Transcript) stateWords(c *tool) string {
	switch c.state {
	case asking:
		return "waits for your answer"
	case refused:
		if c.answer != "" {
			return "not allowed"
		}
		return "refused: " + c.ruling.Stage
	case detached:
		return "goes on as " + c.job
	case interrupted:
		return "interrupted"
	case wrong:
		if c.exit == "" {
			return "failed"
		}
	case waiting, running, done:
	}
	return ""
}

func (t *Transcript) duration(c *tool) string {
	if c.state == running && !c.began.IsZero() {
		return span(t.o.Now().Sub(c.began).Truncate(time.Second))
	}
	if c.state == refused {
		return ""
	}
	return span(c.took())
}

// preview is what is seen under the line of a call that is folded.
func (t *Transcript) preview(s *sheet, c *tool) {
	switch {
	case c.state == refused:
		t.refusal(s, c)
		return
	case c.answer != "":
		s.lines(t.pens.muted, text.Clean(c.answer))
	}
	for _, g := range c.grants {
		s.lines(t.pens.muted, text.Clean(g))
	}
	switch {
	case c.state == running:
		s.preview(clipped{head: c.live}, previewLines)
	case c.state == asking: // the card says it all
	case len(c.diffs) > 0 && c.state != wrong:
		t.drawDiffs(s, c, diffPreview)
	case c.name == "edit" && c.state != wrong:
		t.patch(s, c)
	case c.state == wrong && c.exit == "":
		s.preview(c.result, 2*previewLines)
	case looks(c.name) || c.name == "use_skill" || c.name == "ask" || c.name == "finish":
	case c.state == done || c.state == wrong:
		s.preview(c.output(), previewLines)
	}
}

// output is what a command wrote, without the words about it that its row says too.
func (c *tool) output() clipped {
	out := c.result
	end := &out.head
	if out.bytes > 0 {
		end = &out.tail
	}
	if strings.TrimSpace(*end) == "[no output]" {
		return clipped{}
	}
	if c.exit != "" {
		s := strings.TrimRight(*end, "\n")
		*end = s[:max(0, strings.LastIndexByte(s, '\n'))]
	}
	return out
}

// patch adds the sections of an edit: what comes is told apart.
func (t *Transcript) patch(s *sheet, c *tool) {
	before := len(s.out)
	for _, f := range c.fields {
		if f.name != "patch" {
			continue
		}
		for line := range strings.SplitSeq(strings.TrimRight(shown(f.value.all()), "\n"), "\n") {
			ink := t.pens.muted
			if strings.HasPrefix(line, "+") {
				ink = t.pens.good
			}
			s.cut(ink, line)
		}
	}
	s.out = append(s.out[:before], diff.Bounded(s.out[before:], diffPreview, s.w, t.o.Theme)...)
}

// diffPreview is how many lines of a change are seen while its call is folded.
const diffPreview = 10

// refusal is why a call did not run, from its verdict: what decided, why, what instead.
func (t *Transcript) refusal(s *sheet, c *tool) {
	if c.answer != "" {
		s.pair("answer", t.pens.bad, text.Clean(c.answer))
	}
	s.pair("why", t.pens.text, text.Clean(c.ruling.Why))
	s.pair("rule", t.pens.muted, text.Clean(ruleWords(c.ruling.Rule)))
	s.pair("next", t.pens.muted, text.Clean(c.ruling.Next))
}

func ruleWords(r event.Rule) string {
	s := r.Name
	switch {
	case r.Source != "" && r.Position > 0:
		s += fmt.Sprintf(" (%s, rule %d)", r.Source, r.Position)
	case r.Source != "":
		s += " (" + r.Source + ")"
	}
	return s
}

// drawDiffs adds the changes of a call, each at most so many lines.
func (t *Transcript) drawDiffs(s *sheet, c *tool, most int) {
	for _, d := range c.diffs {
		if len(c.diffs) == 1 {
			d = headless(d) // the call's row names the file
		}
		s.add(diff.Bounded(diff.Lines(d, s.w, t.o.Theme), most, s.w, t.o.Theme)...)
	}
}

// headless is a diff without the names of its file.
func headless(d string) string {
	for _, name := range [...]string{"--- ", "+++ "} {
		if strings.HasPrefix(d, name) {
			_, d, _ = strings.Cut(d, "\n")
		}
	}
	return d
}

// details is all that is known of a call.
func (t *Transcript) details(s *sheet, c *tool) {
	s.pair("intent", t.pens.muted, c.intent)
	t.drawFields(s, c)
	t.verdict(s, c)
	for _, r := range c.ran {
		s.pair("ran", t.pens.code, shown(r))
	}
	if len(c.diffs) > 0 {
		s.lines(t.pens.muted, "change")
		t.drawDiffs(s, c, maxShownDiff)
	}
	s.pair("job", t.pens.muted, text.Clean(c.job))
	s.pair("file", t.pens.muted, text.Clean(c.artifact))
	if c.state == running && c.live != "" {
		s.lines(t.pens.muted, "output until now")
		s.lines(t.pens.text, text.Clean(c.live))
	}
	if c.result.empty() {
		return
	}
	name := "output"
	if c.state == refused {
		name = "what the model was told"
	}
	s.lines(t.pens.muted, name)
	s.clipped(t.pens.text, c.result, text.Clean)
	if c.dropped > 0 {
		s.lines(t.pens.muted, bytes(int(c.dropped))+" more were not kept")
	}
}

// maxShownDiff is how many lines of one change an open call shows.
const maxShownDiff = 2000

// drawFields adds the arguments. What decides something is shown with its escapes.
func (t *Transcript) drawFields(s *sheet, c *tool) {
	for _, f := range c.fields {
		if len(c.diffs) > 0 && (f.name == "old" || f.name == "new" || f.name == "content") {
			continue // the change shows them
		}
		if oneLine(f.value.head) == c.title && f.value.bytes == 0 && !strings.Contains(f.value.head, "\n") && text.Width(c.title) < s.w/2 {
			continue // the line above says it, in full
		}
		s.pair(text.Line(f.name), t.pens.code, shown(f.value.all()))
	}
}

// verdict adds what the gate said and who answered, with each step that has its own.
func (t *Transcript) verdict(s *sheet, c *tool) {
	if !c.judged {
		return
	}
	r := c.ruling
	ink := t.pens.muted
	if c.state == refused {
		ink = t.pens.bad
	}
	s.pair("verdict", ink, text.Clean(join(" · ", r.Verdict, "stage "+r.Stage, ruleWords(r.Rule), strings.Join(r.Effects, "+"))))
	s.pair("why", t.pens.muted, text.Clean(r.Why))
	s.pair("next", t.pens.muted, text.Clean(r.Next))
	s.pair("again", t.pens.warn, text.Clean(c.again))
	s.pair("answer", t.pens.muted, text.Clean(c.answer))
	for _, g := range c.grants {
		s.pair("grant", t.pens.muted, text.Clean(g))
	}
	if len(r.Steps) < 2 {
		return
	}
	for _, step := range r.Steps {
		s.pair(fmt.Sprintf("step %d", step.N), t.pens.code, shown(step.Text))
		s.pair("", t.pens.muted, text.Clean(join(" · ", step.Verdict, ruleWords(step.Rule), strings.Join(step.Effects, "+"))))
		for _, n := range step.Notes {
			s.pair("", t.pens.warn, text.Clean(n))
		}
	}
}

// drawGroup is calls that only look: one row, and under it those that have something to
// say, or all when it is open.
func (t *Transcript) drawGroup(it *item, w int) []string {
	st := it.state()
	head := it.names()
	if last := it.subs[len(it.subs)-1].tool; st == running {
		head = join(" ", last.verb, last.title)
		head += " (" + plural(len(it.subs), "call", "calls") + ")"
	}
	meta := ""
	if st != running {
		meta = t.groupTime(it)
	}
	line := t.pens.strong.Paint(text.Cut(head, max(1, w-text.Width(meta)-2)))
	if meta != "" && w > 20 {
		line += "  " + t.pens.muted.Paint(meta)
	}
	lines := []string{text.Cut(line, w)}
	it.subAt = it.subAt[:0]
	out := t.pens.framed(t.lead(st), lines)
	inner := max(w-2, 1)
	for _, s := range it.subs {
		it.subAt = append(it.subAt, len(out))
		if !it.open && s.tool.plain() {
			continue
		}
		for _, l := range t.drawCall(s, inner) {
			if t.w >= roomy {
				l = "  " + l
			}
			out = append(out, l)
		}
	}
	it.subAt = append(it.subAt, len(out))
	return out
}

// groupTime is how long the calls of a group took, from the first to the last.
func (t *Transcript) groupTime(it *item) string {
	first, last := it.subs[0].tool.began, time.Time{}
	for _, s := range it.subs {
		if s.tool.ended.After(last) {
			last = s.tool.ended
		}
	}
	if first.IsZero() || last.IsZero() {
		return ""
	}
	return span(last.Sub(first))
}
