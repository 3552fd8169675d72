package laws

import (
	"fmt"
	"strings"

	"tenet/laws/law"
	"tenet/models/turn"
)

type diffLaw = law.Law[struct{}, turn.Drawn, turn.Card]

// TurnDiff: what a card shows of a change (seed 5).
var TurnDiff = struct {
	// DiffBounds: a card keeps a diff whole up to 64 KiB, else its first 400 lines within that size, then one line with the path, the sizes and how much is left out; nothing on it can hide or move a character.
	DiffBounds diffLaw `law:"diff_bounds" rule:"3"`
}{
	DiffBounds: diffLaw{Func: func(op turn.Drawn, out turn.Card) law.Verdict {
		if hidesOnCard(out.Text) {
			return law.Broken("a card hides something: %.200q", out.Text)
		}
		if op.Whole {
			return bounded(op.Path, op.Diff(), turn.SizeBefore, turn.SizeAfter, out.Text)
		}
		old, next := op.Texts()
		if strings.Contains(out.Text, "\n… ") {
			return law.Check(len(out.Text) > 20<<10 && strings.Count(out.Text, "\n") <= 401, "a short diff was cut: %.200q", out.Text)
		}
		return compared(op.Existed, old, next, out.Text)
	}},
}

// TurnDiffBook lists it.
var TurnDiffBook = law.Book[struct{}, turn.Drawn, turn.Card]("turn", &TurnDiff)

// bounded holds a card to the bounds of the diff that it shows, by the letter.
func bounded(path, diff string, before, after int, card string) law.Verdict {
	const limit, most = 64 << 10, 400
	if len(diff) <= limit {
		return law.Check(card == turn.Spelled(diff), "a diff of %d bytes is shown as %d: %.100q", len(diff), len(card), card)
	}
	kept, lines, all := 0, 0, strings.Count(diff, "\n")
	for line := range strings.Lines(diff) {
		if lines == most || kept+len(line) > limit {
			break
		}
		kept, lines = kept+len(line), lines+1
	}
	rest, ok := strings.CutPrefix(card, turn.Spelled(diff[:kept]))
	if !ok || strings.Count(rest, "\n") != 1 || !strings.HasSuffix(rest, "\n") {
		return law.Broken("a diff of %d bytes in %d lines is no head of %d lines and one more: %.300q", len(diff), all, lines, rest)
	}
	for _, want := range []string{fmt.Sprintf("%d of %d lines", all-lines, all), turn.Spelled(path), fmt.Sprint(before, " bytes before"), fmt.Sprint(after, " bytes after")} {
		if !strings.Contains(rest, want) {
			return law.Broken("the last line does not say %q: %q", want, rest)
		}
	}
	return law.Holds
}

// compared holds a whole diff to the two texts: taken as a patch of the old one, as a
// person reads it, it makes the new one.
func compared(existed bool, old, next, card string) law.Verdict {
	switch {
	case existed && old == next:
		return law.Check(card == "", "nothing changed, and the card shows %q", card)
	case !existed && next == "":
		return law.Check(strings.Contains(card, "empty file"), "an empty file is shown as %q", card)
	}
	got, err := patched(turn.Spelled(old), card)
	return law.Check(err == nil && got == turn.Spelled(next), "the diff makes %.100q, not %.100q: %v", got, next, err)
}

// patched is what a unified diff makes of a text.
func patched(old, diff string) (string, error) {
	from := strings.SplitAfter(old, "\n")
	var out strings.Builder
	at := 0
	for line := range strings.Lines(diff) {
		switch {
		case strings.HasPrefix(line, "--- "), strings.HasPrefix(line, "+++ "):
		case strings.HasPrefix(line, "@@ "):
			var start, count int
			if _, err := fmt.Sscanf(line, "@@ -%d,%d", &start, &count); err != nil {
				return "", fmt.Errorf("%q: %w", line, err)
			}
			for ; at < start-1; at++ {
				out.WriteString(from[at])
			}
		case strings.HasPrefix(line, `\ `): // the line before has no end
			s := strings.TrimSuffix(out.String(), "\n")
			out.Reset()
			out.WriteString(s)
		case line[0] == '+':
			out.WriteString(line[1:])
		case at >= len(from) || strings.TrimSuffix(from[at], "\n") != strings.TrimSuffix(line[1:], "\n"):
			return "", fmt.Errorf("line %d is not %q", at+1, line)
		default:
			if line[0] == ' ' {
				out.WriteString(from[at])
			}
			at++
		}
	}
	for ; at < len(from); at++ {
		out.WriteString(from[at])
	}
	return out.String(), nil
}

// hidesOnCard reports whether a terminal obeys or hides something in the text.
func hidesOnCard(text string) bool {
	for _, d := range turn.Dirts[1:] {
		if strings.Contains(text, d.Raw) {
			return true
		}
	}
	return strings.Contains(text, "\x1b")
}
