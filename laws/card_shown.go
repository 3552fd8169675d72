package laws

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	core "tenet/core/card"
	"tenet/laws/law"
	"tenet/models/card"
)

type shownLaw = law.Law[struct{}, card.Shown, card.Drawn]

// CardShown: a card reads back to what runs, whatever stands in it.
var CardShown = struct {
	// ReadsBack: the lines of a card, read by the letter, say exactly the bytes of every step, in its order, where each runs, which of them the question is about, and every line of the change.
	ReadsBack shownLaw `law:"card_reads_back" rule:"S7.8"`
	// HidesNothing: every text of the question stands on the card, and with details every one of the rest; no character of a line is one that a terminal obeys, hides or moves others with.
	HidesNothing shownLaw `law:"card_hides_nothing" rule:"6.1"`
	// FitsTheScreen: no line is wider than the screen.
	FitsTheScreen shownLaw `law:"card_fits_the_screen" rule:"6.1"`
	// SaysWhatIsCut: a card that leaves out a part of the change says so and offers no standing yes; another one offers it.
	SaysWhatIsCut shownLaw `law:"card_says_what_is_cut" rule:"6.1"`
}{
	ReadsBack: shownLaw{Func: func(in card.Shown, out card.Drawn) law.Verdict {
		steps, dir, diff := card.Says(out.Lines)
		want := make([]core.Ran, len(in.Texts))
		for i, t := range in.Texts {
			want[i] = core.Ran{Text: t, Dir: in.Dirs[i], Asks: in.Asks&(1<<i) != 0}
		}
		switch {
		case !slices.Equal(steps, want) || dir != in.Dir || diff != in.Diff:
			return law.Broken("%+v in %q with the change %q is shown as %q, which says %+v in %q and %q", want, in.Dir, in.Diff, out.Lines, steps, dir, diff)
		}
		return law.Check(out.OK && slices.Equal(out.Read.Steps, want) && out.Read.Dir == in.Dir && out.Read.Diff == in.Diff, "%+v is shown as %q, and read as %+v, %v", want, out.Lines, out.Read, out.OK)
	}},
	HidesNothing: shownLaw{Func: func(in card.Shown, out card.Drawn) law.Verdict {
		whole := strings.Builder{}
		for _, l := range out.Lines {
			if !utf8.ValidString(l) || strings.ContainsFunc(l, hides) {
				return law.Broken("the line %q hides something", l)
			}
			l = strings.TrimSuffix(l, "⏎")
			if piece, ok := strings.CutPrefix(l, `\ `); ok {
				whole.WriteString(piece)
			} else {
				whole.WriteString("\n" + l)
			}
		}
		word, said := in.Word, card.Meant(whole.String()+"\n")
		want := []string{"\n  wants    process.execute  " + word + "\n", "\n  because  " + word + "\n", "\n! " + word + "\n"}
		if in.Details {
			want = []string{"\n  request  process.execute  " + word + "\n", "\n  request  file.read  " + word + "\n", "\n  path     " + word + "\n", "\n  digest   " + word + "\n",
				"\n  rule     ask, by r " + word + " (" + word + ", rule 1)\n", "\n  because  " + word + "\n", "\n  tool     " + word + "\n", "\n  call     " + word + "\n", "\n  session  " + word + "\n"}
		}
		if word != "" {
			want = append(want, "\n  subagent "+word+"\n", "\n  always   "+word+"\n")
		}
		for _, w := range want {
			if !strings.Contains(said, w) {
				return law.Broken("the card %q does not say %q", out.Lines, w)
			}
		}
		return law.Holds
	}},
	FitsTheScreen: shownLaw{Func: func(in card.Shown, out card.Drawn) law.Verdict {
		at := slices.IndexFunc(out.Lines, func(l string) bool { return card.Cells(l) > in.Width })
		return law.Check(at < 0, "on a screen of %d cells stands %q", in.Width, out.Lines)
	}},
	SaysWhatIsCut: shownLaw{Func: func(in card.Shown, out card.Drawn) law.Verdict {
		says := slices.ContainsFunc(out.Lines, func(l string) bool { return strings.HasPrefix(l, "! not") })
		return law.Check(out.Always == !in.Cut && (!in.Cut || says), "the change is cut: %v, said: %v, a standing yes offered: %v", in.Cut, says, out.Always)
	}},
}

// CardShownBook lists the laws of what a card shows.
var CardShownBook = law.Book[struct{}, card.Shown, card.Drawn]("card", &CardShown)

// hides is a character that may do something else than stand in its place.
func hides(r rune) bool {
	return r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Cs, unicode.Co)
}
