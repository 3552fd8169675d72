package card

import (
	"strings"

	"tenet/core/call"
)

// Reading is what a card says that runs, byte for byte.
type Reading struct {
	Steps []Ran
	// Dir is the directory of the call.
	Dir string
	// Diff is the change that is shown.
	Diff string
}

// Ran is one step as it runs; Dir is empty where the call's is meant.
type Ran struct {
	Text, Dir string
	Asks      bool
}

// Read reads the lines of a card as Line.String writes them, with any number of blanks
// behind each. ok is false for lines that no card has.
func Read(lines []string) (r Reading, ok bool) {
	texts, signs, ok := joined(lines)
	if !ok {
		return r, false
	}
	for i, t := range texts {
		if ok = r.take(signs[i], t); !ok {
			return r, false
		}
	}
	for i := range r.Steps {
		if r.Steps[i].Text, ok = call.ReadExact(r.Steps[i].Text); !ok {
			return r, false
		}
	}
	r.Diff, ok = call.ReadExact(r.Diff)
	return r, ok
}

// joined puts the pieces of each row together again.
func joined(lines []string) (texts, signs []string, ok bool) {
	for _, l := range lines {
		at := strings.IndexByte(l+" ", ' ')
		if at == 0 {
			at = 1 // a blank is a sign too
		}
		sign := l[:min(at, len(l))]
		text := strings.TrimSuffix(strings.TrimRight(l[min(at+1, len(l)):], " "), endSign)
		switch {
		case sign != goesOn:
			texts, signs = append(texts, text), append(signs, sign)
		case len(texts) == 0:
			return nil, nil, false
		default:
			texts[len(texts)-1] += text
		}
	}
	for i, t := range texts {
		texts[i] = strings.ReplaceAll(t, tab, "\t")
	}
	return texts, signs, true
}

// take adds one row to what is read.
func (r *Reading) take(sign, text string) (ok bool) {
	last := len(r.Steps) - 1
	switch sign {
	case signs[Asks], signs[Allowed]:
		r.Steps = append(r.Steps, Ran{Text: text, Asks: sign == signs[Asks]})
	case signs[More]:
		if last < 0 {
			return false
		}
		r.Steps[last].Text += "\n" + text
	case signs[Change]:
		r.Diff += text + "\n"
	case signs[Fact]:
		return r.place(text, last)
	}
	return true
}

// place reads the rows that say where something runs.
func (r *Reading) place(text string, last int) (ok bool) {
	label, value := strings.TrimRight(text[:min(labelWidth, len(text))], " "), text[min(labelWidth, len(text)):]
	switch {
	case label == labelCall:
		r.Dir, ok = call.ReadExact(value)
	case label == labelStep && last >= 0:
		r.Steps[last].Dir, ok = call.ReadExact(value)
	default:
		return label != labelStep
	}
	return ok
}
