package host

import (
	"slices"
	"unicode/utf8"

	"tenet/core/event"
)

// item is one event that waits for a reader. The text of live signs is kept in buffers: a
// reply comes in thousands of pieces.
type item struct {
	record *event.Record
	// live is a sign, whose text and thinking are kept beside it; left counts the bytes that
	// were dropped from their front.
	live           *event.Live
	text, thinking []byte
	left           int64
	// card is true for a question, its end, or that some were missed; rest is that event.
	card bool
	rest Event
}

func (i *item) event() Event {
	switch {
	case i.record != nil:
		return Event{Record: i.record}
	case i.live != nil:
		l := *i.live
		l.Text, l.Thinking = string(i.text), string(i.thinking)
		return Event{Live: &l, Left: i.left}
	}
	return i.rest
}

// The bounds of the text of one live sign that waits for a reader.
const (
	maxDelta  = 256 << 10
	maxOutput = 64 << 10
	// maxSigns bounds the signs between two records.
	maxSigns = 256
)

// merged adds a sign to what waits: to an earlier one after the last record that it goes
// on with, or else at the end.
func merged(queue []item, l event.Live) []item {
	signs, oldest, parted := 0, -1, false
	for n := len(queue) - 1; n >= 0 && queue[n].record == nil; n-- {
		i := &queue[n]
		if i.live == nil {
			continue
		}
		if !parted && goesOn(i, l) {
			i.add(l)
			return queue
		}
		signs, oldest = signs+1, n
		parted = parted || i.live.Kind == event.LiveDelta && l.Kind == event.LiveDelta // text after thinking is another piece
	}
	i := item{live: &event.Live{}}
	if signs >= maxSigns { // only hostile signs are that many; the oldest goes
		i.left = queue[oldest].left + int64(len(queue[oldest].text)+len(queue[oldest].thinking))
		queue = slices.Delete(queue, oldest, oldest+1)
	}
	i.add(l)
	return append(queue, i)
}

// goesOn reports whether a sign is more of one that waits: the reply's next piece, more
// output of the same command, or a newer word on the same wait.
func goesOn(i *item, l event.Live) bool {
	if i.live.Kind != l.Kind {
		return false
	}
	switch l.Kind {
	case event.LiveDelta:
		return (len(i.thinking) > 0) == (l.Thinking != "") && (len(i.text) > 0) == (l.Text != "")
	case event.LiveOutput:
		return i.live.Call == l.Call && i.live.Job == l.Job
	case event.LiveWaiting, event.LiveRetry, event.LivePoll:
		return true
	}
	return false
}

// add takes a sign in. Of text that nobody reads the last part stays.
func (i *item) add(l event.Live) {
	most := maxDelta
	if l.Kind == event.LiveOutput {
		most = maxOutput
	}
	i.text, i.thinking = i.longer(i.text, l.Text, most), i.longer(i.thinking, l.Thinking, most)
	*i.live = l
	i.live.Text, i.live.Thinking = "", ""
}

// longer appends, and cuts what is twice too long to its last part, at a whole character.
func (i *item) longer(to []byte, piece string, most int) []byte {
	if len(piece) > 2*most {
		i.left += int64(len(piece) - most)
		piece = piece[len(piece)-most:]
	}
	to = append(to, piece...)
	if len(to) <= 2*most {
		return to
	}
	cut := len(to) - most
	for cut < len(to) && !utf8.RuneStart(to[cut]) {
		cut++
	}
	i.left += int64(cut)
	return append([]byte(nil), to[cut:]...)
}
