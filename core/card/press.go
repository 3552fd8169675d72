package card

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"tenet/core/approvals"
)

// Key is what a key means on a card.
type Key uint8

// The keys. While words are written only Enter, Escape, Erase and EraseAll are keys, and
// everything else is the text that it types.
const (
	Other    Key = iota // no key of a card
	Enter               // acts on the choice moved to, which is no until one is
	Escape              // no
	Deny                // no
	Once                // yes, this once
	Session             // yes, for the session
	Always              // moves to the standing yes; again: to its next pattern
	Next                // moves to the next choice
	Previous            // moves to the one before
	Explain             // asks why
	Erase               // takes back the last character
	EraseAll            // takes back all words
)

// Press is one key at one time. Text is what it types, if anything.
type Press struct {
	Key  Key
	Text string
	At   time.Duration
}

// Do is what follows from a key.
type Do uint8

// What may follow.
const (
	Nothing  Do = iota
	TooEarly    // the key did not count: the card has just appeared
	Hint        // the key does nothing now; Text says why
	Answers     // the question is answered: ID, Digest, Choice, Pattern, Reason
	Replies     // the model is answered: ID, Text; an empty text is no answer
	Explains    // the person asks why it is asked
	Keep        // Text was written to a question that is gone
)

// Act is what follows from a key or from the end of a question.
type Act struct {
	Do              Do
	ID, Digest      string
	Choice          approvals.Choice
	Pattern, Reason string
	Text            string
}

// Press is what a key does to the card in front. At most one answer is given to a card:
// with it the card leaves the desk, and the next one waits for a still keyboard of its own.
func (d Desk) Press(p Press) (Desk, Act) {
	c, ok := d.First()
	switch {
	case !ok:
		return d, Act{}
	case d.Wait(p.At) > 0:
		d.Front.Since = p.At
		return d, Act{Do: TooEarly}
	case c.Model:
		return d.writes(c, p)
	case d.Front.Mode == Reason:
		return d.reasons(p)
	}
	return d.chooses(p)
}

// chooses is a key while an answer is chosen.
func (d Desk) chooses(p Press) (Desk, Act) {
	switch p.Key {
	case Enter:
		return d.answer(d.Choices()[d.focus()], p.At)
	case Escape, Deny:
		d.Front.Mode = Reason
	case Once:
		return d.quick(approvals.AllowOnce, p.At)
	case Session:
		return d.quick(approvals.AllowSession, p.At)
	case Always:
		return d.always()
	case Next:
		return d.move(1), Act{}
	case Previous:
		return d.move(-1), Act{}
	case Explain:
		return d, Act{Do: Explains, ID: d.Open[0].ID}
	case Other, Erase, EraseAll:
	}
	return d, Act{}
}

// focus is the choice moved to, the denial when there is no such choice any more.
func (d Desk) focus() int {
	if d.Front.Focus < len(d.Choices()) {
		return d.Front.Focus
	}
	return 0
}

// move goes to the next choice that may be chosen.
func (d Desk) move(by int) Desk {
	all := d.Choices()
	for at := d.focus(); ; {
		at = (at + by + len(all)) % len(all)
		if all[at].Open { // the denial always is
			d.Front.Focus = at
			return d
		}
	}
}

// What is said of a key that does nothing.
const (
	NotOffered = "this question offers no such answer"
	NotShown   = "nothing of what would run is on the screen: make it larger, or say no"
	NotWhole   = "a standing yes needs the whole card seen: scroll to its end first"
	NotAlways  = "the card cannot show everything, so it has no standing yes"
)

// quick is a yes by its own key. It must be offered, and something of what would run must
// have been on the screen.
func (d Desk) quick(want approvals.Choice, now time.Duration) (Desk, Act) {
	all := d.Choices()
	i := slices.IndexFunc(all, func(c Choice) bool { return c.Choice == want })
	if i < 0 {
		return d, Act{Do: Hint, Text: NotOffered}
	}
	return d.answer(all[i], now)
}

// always moves to the standing yes, and then on through its patterns. It never answers:
// the key that shows a pattern is another one than the key that grants it.
func (d Desk) always() (Desk, Act) {
	all := d.Choices()
	i := slices.IndexFunc(all, func(c Choice) bool { return c.Choice == approvals.AllowAlways })
	switch {
	case i < 0 && !d.Open[0].Whole:
		return d, Act{Do: Hint, Text: NotAlways}
	case i < 0:
		return d, Act{Do: Hint, Text: NotOffered}
	case !all[i].Open:
		return d, Act{Do: Hint, Text: NotWhole}
	case d.Front.Focus == i:
		d.Front.Pattern = (d.Front.Pattern + 1) % all[i].Patterns
	}
	d.Front.Focus = i
	return d, Act{}
}

// answer gives the answer of a choice, if it may be given.
func (d Desk) answer(c Choice, now time.Duration) (Desk, Act) {
	switch {
	case !c.Open && c.Choice == approvals.AllowAlways:
		return d, Act{Do: Hint, Text: NotWhole}
	case !c.Open:
		return d, Act{Do: Hint, Text: NotShown}
	}
	return d.done(Act{Do: Answers, Choice: c.Choice, Pattern: c.Answer.Pattern}, now)
}

// done takes the card off the desk with what was said to it.
func (d Desk) done(a Act, now time.Duration) (Desk, Act) {
	a.ID, a.Digest = d.Open[0].ID, d.Open[0].Digest
	d.Open = slices.Clone(d.Open[1:])
	return d.show(now), a
}

// reasons is a key while the reason of a denial is written. The no stands: all that is
// left to say is why.
func (d Desk) reasons(p Press) (Desk, Act) {
	switch {
	case p.Key == Enter:
		return d.done(Act{Do: Answers, Choice: approvals.Deny, Reason: strings.TrimSpace(d.Front.Words)}, p.At)
	case p.Key == Escape:
		return d.done(Act{Do: Answers, Choice: approvals.Deny}, p.At)
	}
	d.Front.Words = written(d.Front.Words, p)
	return d, Act{}
}

// writes is a key on the model's question: words, or the number of an option.
func (d Desk) writes(c Card, p Press) (Desk, Act) {
	switch {
	case p.Key == Enter:
		return d.done(Act{Do: Replies, Text: d.reply(c)}, p.At)
	case p.Key == Escape:
		return d.done(Act{Do: Replies}, p.At)
	case p.Text == "" && d.Front.Words == "" && p.Key == Next:
		d.Front.Focus = (d.Front.Focus + 1) % (len(c.Options) + 1)
		return d, Act{}
	case p.Text == "" && d.Front.Words == "" && p.Key == Previous:
		d.Front.Focus = (d.Front.Focus + len(c.Options)) % (len(c.Options) + 1)
		return d, Act{}
	}
	d.Front.Words = written(d.Front.Words, p)
	d.Front.Focus = numbered(d.Front.Words, c)
	return d, Act{}
}

// reply is the answer to the model: the option moved to, or the words.
func (d Desk) reply(c Card) string {
	if d.Front.Focus > 0 && d.Front.Focus <= len(c.Options) {
		return c.Options[d.Front.Focus-1]
	}
	return strings.TrimSpace(d.Front.Words)
}

// numbered is the option whose number the words are, 0 for other words.
func numbered(words string, c Card) int {
	if n, err := strconv.Atoi(strings.TrimSpace(words)); err == nil && n >= 1 && n <= len(c.Options) {
		return n
	}
	return 0
}

var lineEnds = strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ", "\t", " ")

// written is what the words become by a key. A line end is a blank: a reason is one line.
func written(words string, p Press) string {
	switch {
	case p.Key == Erase:
		_, n := utf8.DecodeLastRuneInString(words)
		return words[:len(words)-n]
	case p.Key == EraseAll:
		return ""
	}
	for _, r := range lineEnds.Replace(p.Text) {
		if n := utf8.RuneLen(r); n > 0 && len(words)+n <= approvals.MaxReason {
			words += string(r)
		}
	}
	return words
}
