package jobs

import (
	"iter"
	"strings"
	"unicode/utf8"

	"tenet/core/output"
)

// Written is an output as a script writes it: the limits that it is kept within, and
// its bytes in two pieces.
type Written struct {
	Limits output.Limits
	First  string
	Second string
}

// Raw is all of its bytes.
func (w Written) Raw() string { return w.First + w.Second }

// Bounded is what became of it.
type Bounded struct {
	// Text is what stays, Spill what went on to the file.
	Text, Spill string
	Count       output.Count
	Over, Cut   bool
}

// OutputStep asks core. There is one state.
func OutputStep(s struct{}, w Written) (struct{}, Bounded) {
	b := output.New(w.Limits)
	var spill strings.Builder
	spill.Write(b.Write([]byte(w.First)))
	spill.Write(b.Write([]byte(w.Second)))
	spill.Write(b.Close())
	return s, Bounded{Text: b.Text(), Spill: spill.String(), Count: b.Count(), Over: b.Over(), Cut: b.Cut()}
}

// Clean is the text of some bytes, in the plainest way: how many bytes of it were control
// characters and marks that go, and how many were no UTF-8 and became U+FFFD.
func Clean(raw string) (text string, stripped, replaced int) {
	var b strings.Builder
	for at := 0; at < len(raw); {
		r, n := utf8.DecodeRuneInString(raw[at:])
		switch {
		case r == utf8.RuneError && n == 1:
			replaced++
			b.WriteRune(r)
		case r < ' ' && r != '\n' && r != '\t', 0xfff9 <= r && r <= 0xfffb, r == 0xfeff && at == 0:
			stripped += n
		default:
			b.WriteRune(r)
		}
		at += n
	}
	return b.String(), stripped, replaced
}

// Lines are the lines of a text, each with its end; an end of the last starts no other.
func Lines(text string) []string {
	lines := strings.SplitAfter(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// Stays is what of a clean text stays within the limits: the whole lines at the asked
// end that fit, or a part of the one line there when not even that fits.
func Stays(l output.Limits, text string) (kept string, cut bool) {
	lines := Lines(text)
	if l.Off || len(text) <= l.Bytes && len(lines) <= l.Lines {
		return text, false
	}
	from, to := 0, 0
	if l.Direction == output.Tail {
		from = len(lines)
		for to = from; from > 0 && to-from < l.Lines && size(lines[from-1:]) <= l.Bytes; from-- {
		}
	} else {
		for ; to < len(lines) && to < l.Lines && size(lines[:to+1]) <= l.Bytes; to++ {
		}
	}
	if from < to {
		return strings.Join(lines[from:to], ""), false
	}
	return part(l, text), true
}

func size(lines []string) int { return len(strings.Join(lines, "")) }

// part is as many whole characters of the end as fit.
func part(l output.Limits, text string) string {
	if l.Direction == output.Tail {
		for len(text) > l.Bytes {
			_, n := utf8.DecodeRuneInString(text)
			text = text[n:]
		}
		return text
	}
	for len(text) > l.Bytes {
		_, n := utf8.DecodeLastRuneInString(text)
		text = text[:len(text)-n]
	}
	return text
}

// signs are what outputs are made of: a letter, a line end, a control character, the
// two bytes of one character apart, and a byte order mark.
var signs = []string{"a", "\n", "\x01", "\xc3", "\xa4", "\ufeff"}

// Signs is how many of them an output has at most.
const Signs = 4

// OutputOps is every output of up to Signs signs, cut in two at every byte, within every
// small limit.
func OutputOps(struct{}) iter.Seq[Written] {
	return func(yield func(Written) bool) { words("", Signs, yield) }
}

func words(raw string, more int, yield func(Written) bool) bool {
	if !within(raw, yield) {
		return false
	}
	if more == 0 {
		return true
	}
	for _, s := range signs {
		if !words(raw+s, more-1, yield) {
			return false
		}
	}
	return true
}

// within is one output within every limit.
func within(raw string, yield func(Written) bool) bool {
	for _, l := range OutputLimits {
		for at := range len(raw) + 1 {
			if !yield(Written{Limits: l, First: raw[:at], Second: raw[at:]}) {
				return false
			}
		}
	}
	return true
}

// OutputLimits are the limits of the search.
var OutputLimits = outputLimits()

func outputLimits() []output.Limits {
	out := []output.Limits{{Bytes: 1, Lines: 1, Off: true}}
	for _, d := range []output.Direction{output.Tail, output.Head} {
		for _, bytes := range []int{1, 2, 3, 5} {
			for lines := 1; lines <= 3; lines++ {
				out = append(out, output.Limits{Bytes: bytes, Lines: lines, Direction: d})
			}
		}
	}
	return out
}
