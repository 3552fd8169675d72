package transcript

import (
	"cmp"
	"strings"
	"time"

	"tenet/core/event"
)

// state is where a call stands. The set is closed.
type state uint8

const (
	waiting     state = iota // the turn took it up
	asking                   // a person is asked
	running                  // steps of it were dispatched
	done                     // it has its result
	wrong                    // its result is an error
	refused                  // the gate or a person said no
	detached                 // it goes on as a job
	interrupted              // its process ended in the middle
)

// tool is a call and all that the log says of it.
type tool struct {
	call, name  string
	verb, title string // what a person knows it by
	intent      string
	fields      []field
	state       state

	began, ended time.Time

	ruling   event.Ruling
	judged   bool
	answer   string // who said what, when somebody was asked
	again    string // why the last answer was spent
	grants   []string
	diffs    []string
	landed   bool // the diffs are what happened, not what was proposed
	plus     int
	minus    int
	result   clipped
	dropped  int64
	exit     string // what its last line says of its end
	live     string
	job      string
	artifact string
	ran      []string // the steps as they ran, where a pattern was expanded
}

func (c *tool) kept() int {
	n := toolCost + len(c.title) + c.result.size() + len(c.intent) + len(c.answer) + len(c.ruling.Why) + len(c.ruling.Next)
	for _, f := range c.fields {
		n += len(f.name) + f.value.size()
	}
	for _, list := range [][]string{c.grants, c.diffs, c.ran} {
		for _, s := range list {
			n += len(s)
		}
	}
	for _, s := range c.ruling.Steps {
		n += 100 + len(s.Text) + len(s.Why)
	}
	return n
}

// shrink keeps what the row of the call says, and why it might run.
func (c *tool) shrink() {
	c.result = c.result.shrink()
	for i := range c.fields {
		c.fields[i].value = c.fields[i].value.shrink()
	}
	for i, d := range c.diffs {
		c.diffs[i] = firstBytes(d, thinTo)
	}
	for i, s := range c.ruling.Steps {
		c.ruling.Steps[i].Text = firstBytes(s.Text, thinTo)
	}
	c.live = ""
	if len(c.ran) > 3 {
		c.ran = c.ran[:3:3]
	}
}

func firstBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.Clone(lastValid(s[:n])) + "\n…"
}

// took is how long a call ran; below 0 when that is not known.
func (c *tool) took() time.Duration {
	if c.began.IsZero() || c.ended.IsZero() {
		return -1
	}
	return c.ended.Sub(c.began)
}

// finish is the end of the job that the call became.
func (c *tool) finish(b event.Settlement, at time.Time) {
	c.ended, c.live = at, ""
	c.result, c.dropped = clip(b.Text, maxOutput), b.Dropped
	c.state = done
	if b.Status != "finished" {
		c.state = wrong
	}
}

// called begins the row of a call, or of a group when it only reads and the row above
// does so too.
func (t *Transcript) called(c event.Call, at time.Time) {
	it := t.begin(c.Call, c.Tool, c.Args, at)
	if c.By != "" {
		verb := map[string]string{"undo": "You took back", "redo": "You put back"}[c.Tool]
		t.weigh(it, func() { it.tool.verb = cmp.Or(verb, "You ran") })
	}
}

func (t *Transcript) begin(id, name, args string, at time.Time) *item {
	c := newTool(id, name, args, t.o.Workspace)
	c.began = at
	it := &item{kind: called, tool: c, open: t.open}
	t.book.calls[id] = it
	if !looks(name) || !t.join(it) {
		t.append(it)
	}
	return it
}

// known is the call of a record; one that no record took up begins here.
func (t *Transcript) known(id, name string) *item {
	if it := t.book.calls[id]; it != nil {
		return it
	}
	return t.begin(id, name, "", time.Time{})
}

func (t *Transcript) asking(q event.Question) {
	it := t.known(q.Call, q.Tool)
	t.weigh(it, func() {
		c := it.tool
		c.state, c.ruling, c.judged, c.again = asking, small(q.Ruling), true, row(q.Again)
		c.change(q.Diffs)
	})
}

// judged is the verdict of a call. Whether it may run is read from the verdict and the
// answer, as the fold of the log does: no wording of a result says so.
func (t *Transcript) judged(j event.Judgement) {
	it := t.known(j.Call, j.Tool)
	t.weigh(it, func() {
		c := it.tool
		c.ruling, c.judged = small(j.Ruling), true
		c.answer = fate(j)
		for _, g := range j.Grants {
			c.grants = append(c.grants, row("from now on allowed ("+g.Scope+"): "+g.Capability+" "+oneLine(g.Pattern)))
		}
		if j.Unsaved != "" {
			c.grants = append(c.grants, row("the rule holds for this session only: "+j.Unsaved))
		}
		switch {
		case !event.Permits(j.Verdict, j.Answer):
			c.state = refused
		case c.state == asking:
			c.state = waiting
		}
	})
}

// fate is what a person said to a question, empty when nobody was asked.
func fate(j event.Judgement) string {
	if j.Answer == "" {
		return ""
	}
	s := answers[j.Answer]
	if s == "" {
		s = row(j.Answer)
	}
	if j.By != "" {
		s += " by " + row(j.By)
	}
	if j.Reason != "" {
		s += ": " + row(j.Reason)
	}
	return s
}

// answers are the protocol's words in a person's.
var answers = map[string]string{
	"allow_once": "allowed once", "allow_session": "allowed for the session", "allow_always": "allowed always", "deny": "denied", "gateway_refused": "refused",
}

func (t *Transcript) dispatched(d event.Dispatch, at time.Time) {
	it := t.known(d.Call, "")
	t.weigh(it, func() {
		c := it.tool
		if c.state != running {
			c.state, c.began = running, at
		}
		for _, s := range d.Texts {
			if len(c.ran) < maxSteps {
				c.ran = append(c.ran, row(s))
			}
		}
	})
}

// changed is what a call made of a file: it takes the place of what was proposed. A change
// without an open call is a person's own, as one that takes another back.
func (t *Transcript) changed(b event.Change) {
	it := t.book.calls[b.Call]
	if it == nil {
		t.append(&item{kind: changed, head: row(changeWords(b, t.o.Workspace)), body: clip(b.Diff, maxDiff)})
		return
	}
	t.weigh(it, func() {
		c := it.tool
		if !c.landed {
			c.landed, c.diffs, c.plus, c.minus = true, nil, 0, 0
		}
		c.plus, c.minus = c.plus+b.Added, c.minus+b.Removed
		if b.Diff != "" && len(c.diffs) < maxFiles {
			c.diffs = append(c.diffs, firstBytes(b.Diff, maxDiff/maxFiles))
		}
	})
}

// maxFiles is how many changed files of a call are kept with their diffs.
const maxFiles = 8

func changeWords(b event.Change, workspace string) string {
	verb := "changed"
	if b.Undoes != 0 {
		verb = "took back the change of"
	}
	var paths []string
	for _, s := range b.Sides {
		paths = append(paths, oneLine(within(s.Path, workspace)))
	}
	return verb + " " + strings.Join(paths, " and ") + " +" + amount(b.Added) + " -" + amount(b.Removed)
}

func (t *Transcript) resulted(r event.Result, at time.Time) {
	it := t.known(r.Call, "")
	delete(t.book.calls, r.Call)
	t.weigh(it, func() {
		c := it.tool
		c.live = ""
		if c.state == detached {
			return // the job says the rest
		}
		c.ended, c.dropped = at, r.Dropped
		c.exit, c.result = exitLine(r.Text), clip(r.Text, maxOutput)
		switch {
		case c.state == refused || c.state == interrupted:
		case r.Error || c.exit != "":
			c.state = wrong
		default:
			c.state = done
		}
	})
}

// exitLine is what the last line of a command's output says of its end. tenet writes it
// there itself; a command that writes the same only speaks ill of itself.
func exitLine(s string) string {
	s = strings.TrimRight(s, "\n")
	last := s[strings.LastIndexByte(s, '\n')+1:]
	n, begins := strings.CutPrefix(last, "[exit status ")
	n, ends := strings.CutSuffix(n, "]")
	if !begins || !ends || n == "" || strings.Trim(n, "0123456789") != "" || n == "0" || len(n) > 5 {
		return ""
	}
	return "exit " + n
}

// maxSteps is how many steps of a call are kept; the card and the log have all.
const maxSteps = 40

// small is a ruling within bounds.
func small(r event.Ruling) event.Ruling {
	r.Why, r.Next = row(r.Why), row(r.Next)
	n := min(len(r.Steps), maxSteps)
	steps := make([]event.JudgedStep, n)
	for i, s := range r.Steps[:n] {
		s.Text, s.Why, s.Requests = firstBytes(s.Text, maxArg), row(s.Why), nil
		steps[i] = s
	}
	r.Steps = steps
	return r
}
