package term

import "time"

// A frame that shows a key is painted at once, others at most thirty times a second: a
// stream of a thousand deltas costs thirty frames, and still a letter that is typed
// stands on the screen within milliseconds.
const (
	frameGap = time.Second / 30
	keyGap   = 8 * time.Millisecond
)

// pace decides when to paint. It is pure: the time goes in.
type pace struct {
	last time.Time // of the last frame
	next time.Time // when a frame is promised; zero: none is
}

// change says that something to see has changed, by a person's hand or not: paint now,
// or ask again after wait. Neither when that is promised already.
func (p *pace) change(now time.Time, byHand bool) (paint bool, wait time.Duration) {
	gap := frameGap
	if byHand {
		gap = keyGap
	}
	at := p.last.Add(gap)
	switch {
	case !at.After(now):
		return true, 0
	case !p.next.IsZero() && !p.next.After(at):
		return false, 0
	}
	p.next = at
	return false, at.Sub(now)
}

// painted says that a frame was painted.
func (p *pace) painted(now time.Time) { p.last, p.next = now, time.Time{} }

// promised says whether a frame is due that nothing else painted.
func (p *pace) promised() bool { return !p.next.IsZero() }
