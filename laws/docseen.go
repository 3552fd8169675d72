package laws

import (
	"math/bits"
	"slices"

	"tenet/laws/law"
	"tenet/models/docseen"
)

type (
	seenLaw   = law.Law[docseen.State, docseen.Op, docseen.Out]
	revealLaw = law.Law[struct{}, docseen.Edge, docseen.Revealed]
)

// DocSeen: an edit changes only lines whose rows reached the model, and what it may not
// change yet is shown (S8.8).
var DocSeen = struct {
	// EditOnlySeenLines: an edit applies only if every anchor was seen.
	EditOnlySeenLines seenLaw `law:"edit_only_seen_lines" rule:"S8.8"`
	// EditSeenApplies: an edit of the file as it is applies when all of its anchors were seen.
	EditSeenApplies seenLaw `law:"edit_seen_applies" rule:"S8.8"`
	// RevealThenRetry: an edit of at most 40 anchors that was rejected applies on a straight retry exactly when each anchor that was unseen is a line of at most 512 characters.
	RevealThenRetry seenLaw `law:"reveal_then_retry" rule:"S8.8"`
	// EditMarksWholeReveal: the unseen anchors become seen exactly when the rejection showed them all whole, and a rejection marks nothing else.
	EditMarksWholeReveal seenLaw `law:"edit_marks_whole_reveal" rule:"S8.8"`
	// RejectNamesUnseen: a rejection names exactly the unseen anchors, in order.
	RejectNamesUnseen seenLaw `law:"reject_names_unseen" rule:"S8.8"`
	// RejectShowsLines: a rejection shows, of its first 40 unseen anchors, each that is a line of the file, cut to 512 characters.
	RejectShowsLines seenLaw `law:"reject_shows_lines" rule:"S8.8"`
	// RejectWholeExact: a rejection says that it showed its anchors whole exactly when it did.
	RejectWholeExact seenLaw `law:"reject_whole_exact" rule:"S8.8"`
	// EditLandedKeepsSeen: after an edit landed, the lines of the file that were seen are seen at their new numbers, so are those that the edit wrote, and no others.
	EditLandedKeepsSeen seenLaw `law:"edit_landed_keeps_seen" rule:"S8.8"`
	// EditMovesWithItsLines: an edit of a file that others changed applies only when the line of every anchor stands there unchanged, all moved by the same distance.
	EditMovesWithItsLines seenLaw `law:"edit_moves_with_its_lines" rule:"S8.8"`
}{
	EditOnlySeenLines: seenLaw{Step: func(b docseen.State, op docseen.Op, out docseen.Out, _ docseen.State) law.Verdict {
		if out.Outcome != docseen.Applied {
			return law.Idle
		}
		return law.Check(unseenAnchors(b, op) == 0, "of the anchors %04b only %04b were seen, and the edit applies", editSent(b, op).Anchors, b.Seen)
	}},
	EditSeenApplies: seenLaw{Step: func(b docseen.State, op docseen.Op, out docseen.Out, _ docseen.State) law.Verdict {
		if !sendsEdit(op) || b.Stale || unseenAnchors(b, op) != 0 {
			return law.Idle
		}
		return law.Check(out.Outcome == docseen.Applied, "the anchors %04b were all seen, and the edit ends as %+v", editSent(b, op).Anchors, out)
	}},
	RevealThenRetry: seenLaw{Step: func(b docseen.State, op docseen.Op, out docseen.Out, _ docseen.State) law.Verdict {
		if op.Kind != docseen.Retry {
			return law.Idle
		}
		applies := out.Outcome == docseen.Applied
		return law.Check(applies == showable(b, b.Open), "unseen were %04b of %v; the retry applies: %v", b.Open, b.Held, applies)
	}},
	EditMarksWholeReveal: seenLaw{Step: func(b docseen.State, op docseen.Op, out docseen.Out, a docseen.State) law.Verdict {
		if out.Outcome != docseen.Rejected {
			return law.Idle
		}
		want := b.Seen
		if showable(b, unseenAnchors(b, op)) {
			want |= unseenAnchors(b, op)
		}
		return law.Check(a.Seen == want, "seen were %03b, then %03b; it should be %03b", b.Seen, a.Seen, want)
	}},
	RejectNamesUnseen: seenLaw{Step: func(b docseen.State, op docseen.Op, out docseen.Out, _ docseen.State) law.Verdict {
		if out.Outcome != docseen.Rejected {
			return law.Idle
		}
		var want [docseen.Lines + 1]uint8
		for i, line := range anchorLines(unseenAnchors(b, op)) {
			want[i] = line
		}
		return law.Check(out.Named == want && !out.Past, "%v are unseen; the rejection names %v", want, out.Named)
	}},
	RejectShowsLines: seenLaw{Step: func(b docseen.State, op docseen.Op, out docseen.Out, _ docseen.State) law.Verdict {
		if out.Outcome != docseen.Rejected {
			return law.Idle
		}
		var want [docseen.Lines + 1]docseen.Row
		for i, line := range anchorLines(unseenAnchors(b, op) &^ (1 << docseen.Lines)) {
			want[i] = docseen.Row{Line: line, Chars: docseen.ShortChars, True: true}
			if b.Held[line-1] == docseen.Long {
				want[i].Chars = 512
			}
		}
		return law.Check(out.Shown == want && !out.Past, "of %v it should show %v, and shows %v", b.Held, want, out.Shown)
	}},
	RejectWholeExact: seenLaw{Step: func(b docseen.State, op docseen.Op, out docseen.Out, _ docseen.State) law.Verdict {
		if out.Outcome != docseen.Rejected {
			return law.Idle
		}
		return law.Check(out.Whole == showable(b, unseenAnchors(b, op)), "of %v it shows %v and says that this is all: %v", b.Held, out.Shown, out.Whole)
	}},
	EditLandedKeepsSeen: seenLaw{Step: func(b docseen.State, op docseen.Op, out docseen.Out, a docseen.State) law.Verdict {
		if out.Outcome != docseen.Applied {
			return law.Idle
		}
		want := seenAfter(b, editSent(b, op))
		return law.Check(a.Seen == want && !a.Stale, "of %v the edit %+v leaves %03b seen of %v; it should be %03b", b, editSent(b, op), a.Seen, a.Held, want)
	}},
	EditMovesWithItsLines: seenLaw{Step: func(b docseen.State, op docseen.Op, out docseen.Out, _ docseen.State) law.Verdict {
		if out.Outcome != docseen.Applied || !b.Stale {
			return law.Idle
		}
		moved := map[int]bool{}
		for a := range docseen.Lines {
			if editSent(b, op).Anchors&(1<<a) != 0 {
				moved[slices.Index(b.Live[:], docseen.Line(a+1))-a] = true
				if !slices.Contains(b.Live[:], docseen.Line(a+1)) {
					return law.Broken("line %d is not in %v, and the edit applies", a+1, b.Live)
				}
			}
		}
		return law.Check(len(moved) == 1, "the anchors %03b are moved apart in %v, and the edit applies", editSent(b, op).Anchors, b.Live)
	}},
}

// seenAfter is what is seen of a file after an edit of some of its lines: of a file that
// others changed, nothing was seen but the lines that the edit names.
func seenAfter(b docseen.State, e docseen.Edit) (seen uint8) {
	n, last := 0, bits.Len8(e.Anchors)
	add := func(is bool) {
		if is {
			seen |= 1 << n
		}
		n++
	}
	for i := range b.Live.Len() {
		held := int(b.Live[i])
		anchor := held <= docseen.Lines && e.Anchors&(1<<(held-1)) != 0
		switch {
		case anchor && e.Change == docseen.Away:
		case anchor:
			add(true)
		default:
			add(!b.Stale && b.Seen&(1<<(held-1)) != 0)
		}
		if anchor && held == last && e.Change == docseen.Behind {
			add(true)
		}
	}
	return seen
}

// DocReveal: how much a rejection shows (S8.8).
var DocReveal = struct {
	// RevealBounds: of the unseen anchors the first 40 are shown, of each line its first 512 characters, and what is more is neither whole nor seen.
	RevealBounds revealLaw `law:"reveal_bounds" rule:"S8.8"`
}{
	RevealBounds: revealLaw{Func: func(e docseen.Edge, out docseen.Revealed) law.Verdict {
		want := slices.Repeat([]int{min(e.Chars, 512)}, min(e.Anchors, e.Lines, 40))
		whole := e.Anchors > 0 && e.Anchors <= 40 && e.Anchors <= e.Lines && e.Chars <= 512
		return law.Check(out.Named == e.Anchors && slices.Equal(out.Rows, want) && out.Whole == whole, "%+v is shown as %+v", e, out)
	}},
}

// sendsEdit reports whether an operation sends an edit.
func sendsEdit(op docseen.Op) bool { return op.Kind == docseen.Apply || op.Kind == docseen.Retry }

// editSent is the edit that an operation sends.
func editSent(b docseen.State, op docseen.Op) docseen.Edit {
	if op.Kind == docseen.Retry {
		return b.Tried
	}
	return op.Edit
}

// unseenAnchors is the anchors that were not seen before the edit was sent.
func unseenAnchors(b docseen.State, op docseen.Op) uint8 { return editSent(b, op).Anchors &^ b.Seen }

// showable reports whether each anchor is a line of at most 512 characters; there are never
// more than 40 of them.
func showable(b docseen.State, anchors uint8) bool {
	for i := range docseen.Lines {
		if anchors&(1<<i) != 0 && b.Held[i] != docseen.Short {
			return false
		}
	}
	return anchors&(1<<docseen.Lines) == 0
}

// anchorLines is a mask as line numbers, in order.
func anchorLines(mask uint8) (out []uint8) {
	for ; mask != 0; mask &= mask - 1 {
		line := uint8(bits.TrailingZeros8(mask)) + 1
		if line > docseen.Lines {
			line = docseen.Past
		}
		out = append(out, line)
	}
	return out
}

// DocSeenBook and DocRevealBook list them.
var (
	DocSeenBook   = law.Book[docseen.State, docseen.Op, docseen.Out]("docseen", &DocSeen)
	DocRevealBook = law.Book[struct{}, docseen.Edge, docseen.Revealed]("docseen", &DocReveal)
)
