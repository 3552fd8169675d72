package transcript

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"tenet/core/event"
)

// book is what the records before say of those that come.
type book struct {
	seq       uint64
	calls     map[string]*item // calls without a result
	jobs      map[string]*item // calls that go on as jobs
	inquiries map[string]*item // the model's questions that are open
	turn      turnSoFar
	running   bool            // a turn runs
	waited    map[string]bool // messages that came while one ran
}

// turnSoFar is what the end of a turn tells.
type turnSoFar struct {
	began                 time.Time
	input, output, cached int
}

func newBook() book {
	return book{calls: map[string]*item{}, jobs: map[string]*item{}, inquiries: map[string]*item{}, waited: map[string]bool{}}
}

// forget drops what points to an item that is let go.
func (b *book) forget(it *item) {
	for _, m := range []map[string]*item{b.calls, b.jobs, b.inquiries} {
		for id, other := range m {
			if other == it || other.group == it {
				delete(m, id)
			}
		}
	}
}

// body reads a record's value. One that another version wrote in another way is said to
// be there, never passed over in silence.
func body[B any](t *Transcript, r event.Record, f func(B)) {
	var b B
	if err := json.Unmarshal(r.Body, &b); err != nil {
		t.append(&item{kind: noted, label: "warning", head: fmt.Sprintf("record %d (%s) cannot be read by this version; the log has it", r.Seq, r.Kind)})
		return
	}
	f(b)
}

// take makes of a record what is shown of it.
func (t *Transcript) take(r event.Record) {
	at, _ := time.Parse(time.RFC3339Nano, r.At)
	switch r.Kind {
	case event.Opened:
		body(t, r, t.opened)
	case event.Prompted:
		body(t, r, func(p event.Prompt) { t.prompted(p, at) })
	case event.Requested:
		t.settleLive(nil)
	case event.Replied:
		body(t, r, t.replied)
	case event.Failed:
		body(t, r, t.failure)
	case event.Called:
		body(t, r, func(c event.Call) { t.called(c, at) })
	case event.Judged:
		body(t, r, t.judged)
	case event.Asked:
		body(t, r, t.asking)
	case event.Dispatched:
		body(t, r, func(d event.Dispatch) { t.dispatched(d, at) })
	case event.Resulted:
		body(t, r, func(b event.Result) { t.resulted(b, at) })
	case event.Ended:
		body(t, r, func(e event.Ending) { t.ended(e, at) })
	case event.Repaired, event.Resumed, event.Deferred, event.Compacted, event.Detached, event.Settled, event.Inquired, event.Answered, event.Set, event.Noticed, event.Forked, event.Submitted, event.Withdrawn, event.Changed:
		t.takeMore(r, at)
	case event.Spawned: // only a later process needs it
	default:
		t.say("warning", fmt.Sprintf("record %d is of the kind %q, which this version does not know; the log has it", r.Seq, r.Kind))
	}
}

// takeMore is take for what stands beside turns and calls.
func (t *Transcript) takeMore(r event.Record, at time.Time) {
	switch r.Kind {
	case event.Repaired:
		body(t, r, func(b event.Repair) {
			t.say("warning", fmt.Sprintf("the log ended in the middle of a record: %d bytes were cut off and are kept in %s", b.LostBytes, b.Kept))
		})
	case event.Resumed:
		body(t, r, t.resumed)
	case event.Deferred:
		body(t, r, func(b event.Deferral) {
			t.say("", fmt.Sprintf("the provider answers later (%s); it is asked again until %s", b.Job, b.Deadline))
		})
	case event.Compacted:
		body(t, r, t.compacted)
	case event.Detached:
		body(t, r, t.detached)
	case event.Settled:
		body(t, r, func(b event.Settlement) { t.settled(b, at) })
	case event.Inquired:
		body(t, r, t.inquired)
	case event.Answered:
		body(t, r, t.answered)
	case event.Set:
		body(t, r, func(b event.Setting) { t.say("", fmt.Sprintf("%s is now %s", b.Key, value(b.Value))) })
	case event.Noticed:
		body(t, r, t.noticed)
	case event.Forked:
		body(t, r, func(b event.Fork) {
			t.say("", fmt.Sprintf("what stands above comes from %s, up to record %d", b.From, b.Seq))
		})
	case event.Submitted:
		body(t, r, func(s event.Submission) { t.book.waited[s.ID] = t.book.running || t.book.waited[s.ID] })
	case event.Changed:
		body(t, r, t.changed)
	case event.Withdrawn:
		body(t, r, func(w event.Withdrawal) { delete(t.book.waited, w.ID) })
	case event.Opened, event.Prompted, event.Requested, event.Replied, event.Failed, event.Called, event.Judged, event.Asked, event.Dispatched, event.Resulted, event.Ended, event.Spawned:
	}
}

// say adds a row for people.
func (t *Transcript) say(label, head string) *item {
	it := &item{kind: noted, label: label, head: row(head)}
	t.append(it)
	return it
}

func value(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}

func (t *Transcript) opened(o event.Opening) {
	auto := strings.Join(o.Auto, ", ")
	if auto == "" {
		auto = "nothing"
	}
	t.append(&item{kind: banner, head: row(fmt.Sprintf("tenet %s · session %s", o.Version, o.Session)), more: []string{
		row(o.Workspace), row(fmt.Sprintf("model %s · profile %s · runs unasked: %s", o.Model, o.Profile, auto)),
	}})
}

// prompted is a person's message. That it waited is said: what it means depends on when
// it came.
func (t *Transcript) prompted(p event.Prompt, at time.Time) {
	if !p.Steer {
		t.book.turn, t.book.running = turnSoFar{began: at}, true
	}
	if p.Woken {
		t.say("", "a job that settled woke the session")
		return
	}
	it := &item{kind: asked, body: clip(p.Text, maxText)}
	switch {
	case p.Steer:
		it.label = "steered"
	case t.book.waited[p.Submission]:
		it.label = "queued"
	}
	delete(t.book.waited, p.Submission)
	for n, img := range p.Images {
		it.more = append(it.more, row(fmt.Sprintf("[image %d: %s, %s]", n+1, img.Media, bytes(len(img.Data)))))
	}
	t.append(it)
}

// replied puts the whole reply in the place of what was streamed of it. The calls of it
// become rows when the turn takes them up.
func (t *Transcript) replied(r event.Reply) {
	t.book.turn.input += r.Input
	t.book.turn.output += r.Output
	t.book.turn.cached += r.Cached
	var items []*item
	if strings.TrimSpace(r.Thinking) != "" {
		items = append(items, &item{kind: thought, body: clip(r.Thinking, maxText)})
	}
	if strings.TrimSpace(r.Text) != "" {
		items = append(items, &item{kind: said, body: clip(r.Text, maxText)})
	}
	t.settleLive(items)
	if r.Rebuilt != "" {
		t.say("warning", "the calls of this reply came as text and were read from it")
	}
}

func (t *Transcript) resumed(b event.Resumption) {
	t.settleLive(nil)
	it := &item{kind: noted, head: "the session was taken up again"}
	if n := len(b.Interrupted); n > 0 {
		it.label = "warning"
		it.head += "; " + plural(n, "call was interrupted", "calls were interrupted") + " and may have partially run, none is run again:"
	}
	for _, id := range b.Interrupted {
		name := id
		if c := t.book.calls[id]; c != nil {
			c.tool.state = interrupted
			name = c.tool.verb + " " + c.tool.title
			t.stale(c)
		}
		it.more = append(it.more, row("  "+name))
	}
	t.append(it)
}

func (t *Transcript) compacted(b event.Compaction) {
	head := "the context was summarised (" + b.Reason
	if b.Tokens > 0 {
		head += ", " + amount(b.Tokens) + " tokens"
	}
	t.append(&item{kind: noted, label: "summary", head: row(head + "); the log keeps all of it"), body: clip(b.Summary, maxText)})
}

func (t *Transcript) noticed(n event.Notice) {
	last := len(t.list.items) - 1
	if last >= 0 && n.Key != "" {
		if it := t.list.items[last]; it.kind == noted && it.label == "notice "+n.Type+" "+n.Key {
			t.weigh(it, func() {
				it.count++
				it.body = clip(n.Text, maxOutput)
			})
			return
		}
	}
	t.append(&item{kind: noted, label: strings.TrimSpace("notice " + n.Type + " " + n.Key), body: clip(n.Text, maxOutput)})
}

// inquired is a question of the model. The call that asks it becomes the question's row.
func (t *Transcript) inquired(b event.Inquiry) {
	it := t.book.calls[b.Call]
	if it == nil || it.kind != called {
		it = &item{kind: called}
		t.append(it)
	}
	t.weigh(it, func() {
		it.kind, it.body = inquired, clip(b.Text, maxOutput)
		for i, o := range b.Options {
			it.more = append(it.more, row(fmt.Sprintf("%d. %s", i+1, o)))
		}
	})
	t.book.inquiries[b.ID] = it
}

func (t *Transcript) answered(b event.Answer) {
	it := t.book.inquiries[b.ID]
	if it == nil {
		it = &item{kind: inquired}
		t.append(it)
	}
	delete(t.book.inquiries, b.ID)
	t.weigh(it, func() {
		it.label = "→ " + row(b.Text)
		if b.Unanswered {
			it.label = "→ nobody answered"
		}
		if b.By != "" {
			it.label += " (" + row(b.By) + ")"
		}
	})
}
