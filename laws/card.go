package laws

import (
	"slices"
	"strings"

	"tenet/core/approvals"
	core "tenet/core/card"
	"tenet/laws/law"
	"tenet/models/card"
)

type cardLaw = law.Law[card.State, card.Op, core.Act]

// Card: what a key does to the questions that lie before a person (S7.8 "The question",
// seed 4 §6.1, cases appr-003, appr-005, appr-011, appr-015, tui-017).
var Card = struct {
	// EnterIsNo: Enter alone, on a card whose answers nobody moved through, is no.
	EnterIsNo cardLaw `law:"card_enter_is_no" rule:"S7.8"`
	// EnterActsOnFocus: Enter acts on the answer moved to, and on no other.
	EnterActsOnFocus cardLaw `law:"card_enter_acts_on_focus" rule:"S7.8"`
	// QuietAnswersNothing: a key within 300 ms of the card's appearing, moving or being disturbed changes nothing, answers nothing, and makes the wait begin anew.
	QuietAnswersNothing cardLaw `law:"card_quiet_answers_nothing" rule:"S7.8"`
	// AnswersWhatItShowed: an answer names the card in front by its id and its digest, and is one of the answers that this card shows.
	AnswersWhatItShowed cardLaw `law:"card_answers_what_it_showed" rule:"S7.8"`
	// OneAnswer: a card that is answered leaves the desk, the others stay in their order, and no key answers without a card.
	OneAnswer cardLaw `law:"card_one_answer" rule:"S7.8"`
	// InheritsNothing: another card in front, or the same that shows something else, begins with no answer moved to, nothing seen and nothing written, and its keys do not count yet.
	InheritsNothing cardLaw `law:"card_inherits_nothing" rule:"S7.8"`
	// AlwaysShowsItsPattern: a standing yes is given by Enter alone, on the pattern that the card marks; the key that chooses a pattern answers nothing.
	AlwaysShowsItsPattern cardLaw `law:"card_always_shows_its_pattern" rule:"6.1"`
	// NeverAlwaysUnseen: no standing yes is given on a card that cannot show everything, or of which not everything was on the screen.
	NeverAlwaysUnseen cardLaw `law:"card_never_always_unseen" rule:"6.1"`
	// YesNeedsSight: no yes is given on a card of which nothing was on the screen.
	YesNeedsSight cardLaw `law:"card_yes_needs_sight" rule:"6.1"`
	// YesByItsKey: with the card seen, one key after the quiet says yes once, and one yes for the session where that is offered.
	YesByItsKey cardLaw `law:"card_yes_by_its_key" rule:"6.1"`
	// GoneDisappears: a question that was settled elsewhere is gone from the desk at once, and nothing else changes unless it was in front.
	GoneDisappears cardLaw `law:"card_gone_disappears" rule:"S7.8"`
	// CountsTheQueue: every question that came and has no end lies on the desk once, behind those that came before it, those of the model behind those of the gate, and none comes in front of the card that is shown.
	CountsTheQueue cardLaw `law:"card_counts_the_queue" rule:"6.1"`
	// MissedIsMadeGood: after frames were missed the desk holds exactly the questions that are open, and those of the model; the card in front stays if it is open.
	MissedIsMadeGood cardLaw `law:"card_missed_is_made_good" rule:"S7.8"`
	// MovedWaits: a card that takes another place on the screen waits for a still keyboard again; words that are being written stay.
	MovedWaits cardLaw `law:"card_moved_waits" rule:"S7.8"`
	// ReasonBelongsToItsDenial: the keys of a no ask for a reason and answer nothing yet; the reason goes with the denial of the card that it was written to, and a card that was denied takes no other answer.
	ReasonBelongsToItsDenial cardLaw `law:"card_reason_belongs_to_its_denial" rule:"6.1"`
	// WordsAreKept: words that were written to a question which ended elsewhere are handed back, never dropped and never given to another.
	WordsAreKept cardLaw `law:"card_words_are_kept" rule:"6.1"`
	// ModelRunsNothing: an answer to the model's question is a text, and never an answer of the gate; a question of the gate is never answered by a text.
	ModelRunsNothing cardLaw `law:"card_model_runs_nothing" rule:"S7.8"`
}{
	EnterIsNo:                cardLaw{Step: enterIsNo},
	EnterActsOnFocus:         cardLaw{Step: enterActsOnFocus},
	QuietAnswersNothing:      cardLaw{Step: quietAnswersNothing},
	AnswersWhatItShowed:      cardLaw{Step: answersWhatItShowed},
	OneAnswer:                cardLaw{Step: oneAnswer},
	InheritsNothing:          cardLaw{Step: inheritsNothing},
	AlwaysShowsItsPattern:    cardLaw{Step: alwaysShowsItsPattern},
	NeverAlwaysUnseen:        cardLaw{Step: neverAlwaysUnseen},
	YesNeedsSight:            cardLaw{Step: yesNeedsSight},
	YesByItsKey:              cardLaw{Step: yesByItsKey},
	GoneDisappears:           cardLaw{Step: goneDisappears},
	CountsTheQueue:           cardLaw{Step: countsTheQueue},
	MissedIsMadeGood:         cardLaw{Step: missedIsMadeGood},
	MovedWaits:               cardLaw{Step: movedWaits},
	ReasonBelongsToItsDenial: cardLaw{Step: reasonBelongsToItsDenial},
	WordsAreKept:             cardLaw{Step: wordsAreKept},
	ModelRunsNothing:         cardLaw{Step: modelRunsNothing},
}

// CardBook lists the laws of keys.
var CardBook = law.Book[card.State, card.Op, core.Act]("card", &Card)

// chooses is a key that counts on a question of the gate that was not denied yet.
func chooses(b card.State, op card.Op) bool {
	c, ok := b.First()
	return ok && op.Kind == card.Types && b.Still() && !c.Model && b.Front.Mode == core.Choosing
}

// pointed is the answer that the card marks; the first is the denial.
func pointed(b card.State) (at int, c core.Answer) {
	all := b.Choices()
	return b.Front.Focus, all[min(b.Front.Focus, len(all)-1)].Answer
}

func enterIsNo(b card.State, op card.Op, out core.Act, _ card.State) law.Verdict {
	if at, _ := pointed(b); !chooses(b, op) || op.Key != core.Enter || at != 0 {
		return law.Idle
	}
	return law.Check(out.Do == core.Answers && out.Choice == approvals.Deny, "Enter alone is %+v", out)
}

func enterActsOnFocus(b card.State, op card.Op, out core.Act, _ card.State) law.Verdict {
	at, want := pointed(b)
	if !chooses(b, op) || op.Key != core.Enter || at == 0 {
		return law.Idle
	}
	return law.Check(out.Do == core.Answers && out.Choice == want.Choice && out.Pattern == want.Pattern, "the mark is at %+v and Enter is %+v", want, out)
}

func quietAnswersNothing(b card.State, op card.Op, out core.Act, a card.State) law.Verdict {
	if _, ok := b.First(); !ok || op.Kind != card.Types || b.Still() {
		return law.Idle
	}
	b.Front.Since = card.Now
	return law.Check(out == core.Act{Do: core.TooEarly} && a == b, "a key that came too early is %+v and leaves %+v", out, a)
}

func answersWhatItShowed(b card.State, _ card.Op, out core.Act, _ card.State) law.Verdict {
	if out.Do != core.Answers {
		return law.Idle
	}
	c, _ := b.First()
	shown := slices.ContainsFunc(c.Answers, func(x core.Answer) bool { return x.Choice == out.Choice && x.Pattern == out.Pattern })
	return law.Check(out.ID == c.ID && out.Digest == c.Digest && shown, "the card is %+v and the answer %+v", c, out)
}

func oneAnswer(b card.State, _ card.Op, out core.Act, a card.State) law.Verdict {
	if out.Do != core.Answers && out.Do != core.Replies {
		return law.Idle
	}
	if b.Open[0] == 0 {
		return law.Broken("an answer without a card: %+v", out)
	}
	var want [card.Room]uint8
	copy(want[:], b.Open[1:])
	return law.Check(a.Open == want, "of the questions %v an answer leaves %v", b.Open, a.Open)
}

func inheritsNothing(b card.State, op card.Op, _ core.Act, a card.State) law.Verdict {
	answered := op.Kind == card.Types && b.Open != a.Open
	if a.Open[0] == 0 || a.Open[0] == b.Open[0] && !answered {
		return law.Idle
	}
	want := core.Front{Since: card.Now}
	if c, _ := a.First(); c.Model {
		want.Mode = core.Writing
	}
	return law.Check(a.Front == want, "the next card begins with %+v", a.Front)
}

func alwaysShowsItsPattern(b card.State, op card.Op, out core.Act, _ card.State) law.Verdict {
	standing := out.Do == core.Answers && out.Choice == approvals.AllowAlways
	if !standing && !(chooses(b, op) && op.Key == core.Always) {
		return law.Idle
	}
	_, want := pointed(b)
	if !standing {
		return law.Check(out.Do != core.Answers, "the key that chooses a pattern answers %+v", out)
	}
	return law.Check(op.Key == core.Enter && want.Choice == approvals.AllowAlways && want.Pattern == out.Pattern, "the mark is at %+v, and the key %d gives %+v", want, op.Key, out)
}

func neverAlwaysUnseen(b card.State, op card.Op, out core.Act, a card.State) law.Verdict {
	c, _ := b.First()
	if !chooses(b, op) || c.Whole && b.Front.Sight == core.All {
		return law.Idle
	}
	_, now := pointed(a)
	reached := a.Open == b.Open && now.Choice == approvals.AllowAlways
	return law.Check(!reached && !(out.Do == core.Answers && out.Choice == approvals.AllowAlways), "seen %d of a card that is whole: %v, and the key gives %+v and leaves the mark at %+v", b.Front.Sight, c.Whole, out, now)
}

func yesNeedsSight(b card.State, op card.Op, out core.Act, _ card.State) law.Verdict {
	if !chooses(b, op) || b.Front.Sight != core.Unseen {
		return law.Idle
	}
	return law.Check(out.Do != core.Answers || out.Choice == approvals.Deny, "nothing was seen, and the key gives %+v", out)
}

func yesByItsKey(b card.State, op card.Op, out core.Act, _ card.State) law.Verdict {
	want := map[core.Key]approvals.Choice{core.Once: approvals.AllowOnce, core.Session: approvals.AllowSession}
	choice, ok := want[op.Key]
	if !ok || !chooses(b, op) || b.Front.Sight == core.Unseen {
		return law.Idle
	}
	c, _ := b.First()
	if !slices.ContainsFunc(c.Answers, func(x core.Answer) bool { return x.Choice == choice }) {
		return law.Check(out.Do == core.Hint && out.Text != "", "the card offers no %v, and its key is %+v", choice, out)
	}
	return law.Check(out.Do == core.Answers && out.Choice == choice, "the key of %v is %+v", choice, out)
}

func goneDisappears(b card.State, op card.Op, _ core.Act, a card.State) law.Verdict {
	if op.Kind != card.Ends {
		return law.Idle
	}
	c := card.Cards[op.Card-1]
	var want [card.Room]uint8
	n := 0
	for _, o := range b.Open {
		if o > 0 && (card.Cards[o-1].ID != c.ID || card.Cards[o-1].Model != c.Model) {
			want[n] = o
			n++
		}
	}
	front := want[0] != b.Open[0] || want[0] == 0 || a.Front == b.Front
	return law.Check(a.Open == want && front, "of %v remain %v, want %v; the front was %+v and is %+v", b.Open, a.Open, want, b.Front, a.Front)
}

func countsTheQueue(b card.State, op card.Op, _ core.Act, a card.State) law.Verdict {
	if op.Kind != card.Asks {
		return law.Idle
	}
	c := card.Cards[op.Card-1]
	var gate, model []uint8
	for i, o := range b.Open {
		switch {
		case o == 0:
		case i > 0 && card.Cards[o-1].Model:
			model = append(model, o)
		case card.Cards[o-1].ID == c.ID && card.Cards[o-1].Model == c.Model:
			gate, c.ID = append(gate, op.Card), "" // it is here already
		default:
			gate = append(gate, o)
		}
	}
	switch {
	case c.ID == "" || c.Model && len(model) > 0:
	case c.Model:
		model = append(model, op.Card)
	default:
		gate = append(gate, op.Card)
	}
	var want [card.Room]uint8
	copy(want[:], append(gate, model...))
	return law.Check(a.Open == want, "of %v and %d become %v, want %v", b.Open, op.Card, a.Open, want)
}

func missedIsMadeGood(b card.State, op card.Op, _ core.Act, a card.State) law.Verdict {
	if op.Kind != card.Misses {
		return law.Idle
	}
	var want, got []core.Card
	for _, c := range b.Cards() {
		if c.Model {
			want = append(want, c)
		}
	}
	for _, h := range op.Held {
		if h > 0 {
			want = append(want, card.Cards[h-1])
		}
	}
	got = a.Cards()
	same := len(got) == len(want)
	for _, c := range want {
		same = same && slices.ContainsFunc(got, func(g core.Card) bool { return g.ID == c.ID && g.Model == c.Model && g.Digest == c.Digest })
	}
	c, ok := b.First()
	stays := !ok || !c.Model && !op.Holds(c) || a.Open[0] == b.Open[0] && a.Front == b.Front
	return law.Check(same && stays, "held are %v; of %v become %v", op.Held, b.Open, a.Open)
}

func movedWaits(b card.State, op card.Op, out core.Act, a card.State) law.Verdict {
	if op.Kind != card.Moves || b.Open[0] == 0 {
		return law.Idle
	}
	still := a.Front.Since == card.Now
	b.Front.Since, a.Front.Since = 0, 0
	return law.Check((still || b.Front.Mode != core.Choosing) && a == b && out == core.Act{}, "a card that moved waits: %v; %+v became %+v with %+v", still, b, a, out)
}

func reasonBelongsToItsDenial(b card.State, op card.Op, out core.Act, a card.State) law.Verdict {
	if chooses(b, op) && (op.Key == core.Escape || op.Key == core.Deny) {
		return law.Check(out == core.Act{} && a.Open == b.Open && a.Front.Mode == core.Reason, "a no is %+v and leaves %+v", out, a)
	}
	reason := out.Do == core.Answers && out.Reason != ""
	if !reason && !(op.Kind == card.Types && b.Front.Mode == core.Reason && b.Still()) {
		return law.Idle
	}
	switch {
	case out.Do == core.Answers:
		said := out.Reason == "" && (op.Key == core.Escape || b.Front.Words == "") || out.Reason == b.Front.Words && op.Key == core.Enter
		return law.Check(out.Choice == approvals.Deny && b.Front.Mode == core.Reason && said, "%q was written, and the answer is %+v", b.Front.Words, out)
	case a.Open != b.Open:
		return law.Broken("a denied card left the desk without its denial: %+v", out)
	}
	return law.Check(out == core.Act{} && a.Front.Mode == core.Reason && wrote(b.Front.Words, op) == a.Front.Words, "%q was written; the key %v leaves %+v and %+v", b.Front.Words, op, a.Front, out)
}

// wrote is what a line becomes by a key.
func wrote(words string, op card.Op) string {
	switch op.Key {
	case core.Erase:
		return words[:max(0, len(words)-1)]
	case core.EraseAll:
		return ""
	case core.Other, core.Enter, core.Escape, core.Deny, core.Once, core.Session, core.Always, core.Next, core.Previous, core.Explain:
	}
	return words + op.Text
}

func wordsAreKept(b card.State, op card.Op, out core.Act, a card.State) law.Verdict {
	c, _ := b.First()
	lost := op.Kind == card.Ends && c.ID == card.Cards[op.Card-1].ID && c.Model == card.Cards[op.Card-1].Model || op.Kind == card.Misses && !c.Model && !op.Holds(c)
	if b.Front.Words == "" || !lost {
		return law.Idle
	}
	return law.Check(out.Do == core.Keep && out.ID == c.ID && out.Text == b.Front.Words && a.Front.Words == "", "%q was written to a question that ended, and the desk says %+v and keeps %+v", b.Front.Words, out, a.Front)
}

func modelRunsNothing(b card.State, op card.Op, out core.Act, _ card.State) law.Verdict {
	c, ok := b.First()
	if !ok || op.Kind != card.Types {
		return law.Idle
	}
	if !c.Model {
		return law.Check(out.Do != core.Replies, "a question of the gate is answered by a text: %+v", out)
	}
	if out.Do != core.Replies {
		return law.Check(out.Do != core.Answers, "a question of the model is answered like one of the gate: %+v", out)
	}
	said := strings.TrimSpace(b.Front.Words)
	if n := b.Front.Focus; n > 0 {
		said = c.Options[n-1]
	}
	return law.Check(out.ID == c.ID && (op.Key == core.Escape && out.Text == "" || op.Key == core.Enter && out.Text == said), "%+v is answered by %+v", b.Front, out)
}
