package card

import (
	"fmt"
	"iter"
	"strings"
	"unicode"

	"tenet/core/approvals"
	"tenet/core/call"
	core "tenet/core/card"
)

// Shown is a question with the bytes that run, and the width of the screen that it is
// shown on.
type Shown struct {
	// Texts are the steps as they run, Dirs where each runs; Asks is a mask of those that
	// the question is about.
	Texts, Dirs []string
	Asks        uint8
	// Dir is the call's directory, Word a text that stands everywhere else, Diff the change.
	Dir, Word, Diff string
	Cut             bool
	Width           int
	Details         bool
}

// String is the input as a run shows it.
func (s Shown) String() string {
	type plain Shown
	return fmt.Sprintf("%#v", plain(s))
}

// Drawn is the card of it.
type Drawn struct {
	// Lines are the lines as they stand on the screen.
	Lines []string
	// Read is what core reads in them; OK is false when it cannot.
	Read core.Reading
	OK   bool
	// Always reports whether a standing yes is offered.
	Always bool
}

// Content is the question as its maker shows it: the makers of texts use call.Exact.
func (s Shown) Content() core.Content {
	w := call.ExactLine(s.Word)
	c := core.Content{
		ID: w, Digest: w, Session: w, Agent: w, Call: w, Tool: w, Dir: call.ExactLine(s.Dir), Notes: []string{w}, Diff: call.Exact(s.Diff), Cut: s.Cut,
		Requests: []core.Request{{Capability: "process.execute", Subject: w, Verdict: "ask", Rule: "r " + w, Source: w, Position: 1, Notes: []string{w}}, {Capability: "file.read", Subject: w, Verdict: "allow"}},
		Answers:  []core.Answer{{Choice: approvals.Deny, Means: w}, {Choice: approvals.AllowAlways, Pattern: w, Means: w}},
	}
	for i, t := range s.Texts {
		c.Steps = append(c.Steps, core.Step{Text: call.Exact(t), Dir: call.ExactLine(s.Dirs[i]), Effects: []string{"exec"}, Notes: []string{w}, Class: "simple", Asks: s.Asks&(1<<i) != 0, Places: []string{w}})
	}
	return c
}

// Draw is core's card.
func Draw(n struct{}, s Shown) (struct{}, Drawn) { return n, DrawContent(s.Content(), s) }

// DrawContent draws a question that came another way.
func DrawContent(c core.Content, s Shown) Drawn {
	var out Drawn
	for _, l := range core.Lines(core.Rows(c, core.Show{Details: s.Details, Patterns: true}), s.Width, Cells) {
		out.Lines = append(out.Lines, l.String())
	}
	out.Read, out.OK = core.Read(out.Lines)
	for _, x := range (core.Desk{Open: []core.Card{c.Card()}, Front: core.Front{Sight: core.All}}).Choices() {
		out.Always = out.Always || x.Choice == approvals.AllowAlways
	}
	return out
}

// Cells is how wide the characters of the model are.
func Cells(s string) (n int) {
	for _, r := range s {
		switch {
		case unicode.Is(unicode.M, r):
		case r >= 0x1100:
			if n++; r >= 0x3000 && r < 0xfe00 || r >= 0x1f300 {
				n++
			}
		default:
			n++
		}
	}
	return n
}

// pieces are what texts are made of: what hides or moves, what looks like an escape, what
// a card draws by itself, what is wide, and what sits on others.
var pieces = []string{"a", " ", "\t", "\n", "\x1b", `\x1b`, "x1b⟩", "⟨", "⟨u202e⟩", "\u202e", "⇥", "⏎", "日", "e\u0301", "\u0301", "\xff", "? rm", "\\ "}

// texts are all texts of up to n pieces.
func texts(n int) []string {
	out := []string{""}
	for from := 0; n > 0; n-- {
		end := len(out)
		for _, t := range out[from:end] {
			for _, p := range pieces {
				out = append(out, t+p)
			}
		}
		from = end
	}
	return out
}

// widths are screens so narrow that nearly every row is wrapped, and one that is not.
var widths = [...]int{5, 9, 80}

// Questions are the texts in every place: as a step, as one of three, as a directory, as
// every other text, and as a change; those of three pieces on one screen each.
func Questions(struct{}) iter.Seq[Shown] {
	return func(yield func(Shown) bool) {
		for i, t := range texts(3) {
			for _, w := range widths {
				if long := i > len(pieces)*(len(pieces)+1); long && w != widths[i%len(widths)] {
					continue
				}
				if !around(t, i, w, yield) {
					return
				}
			}
		}
	}
}

func around(t string, i, width int, yield func(Shown) bool) bool {
	one := Shown{Texts: []string{t}, Dirs: []string{""}, Asks: 1, Dir: "/w", Width: width, Details: i%2 == 0}
	two := Shown{Texts: []string{"ls", t, "a\nb"}, Dirs: []string{"/x", t, ""}, Asks: uint8(i) % 8, Dir: t, Width: width}
	rest := Shown{Texts: []string{"ls"}, Dirs: []string{""}, Asks: 1, Dir: "/w", Word: t, Diff: "+" + t + "\n", Cut: i%3 == 0, Width: width, Details: i%2 == 0}
	return yield(one) && yield(two) && yield(rest)
}

// Says is what the lines of a card say that runs, read by the letter of docs/cards.md and
// by nothing of core.
func Says(lines []string) (steps []core.Ran, dir, diff string) {
	var rows []string
	for _, l := range lines {
		l = strings.TrimSuffix(strings.TrimRight(l, " "), "⏎")
		if text, ok := strings.CutPrefix(l, `\ `); ok {
			rows[len(rows)-1] += text
		} else {
			rows = append(rows, l)
		}
	}
	for _, row := range rows {
		row = strings.ReplaceAll(row, "⇥   ", "\t")
		sign := string([]rune(row + " ")[0])
		text := strings.TrimPrefix(strings.TrimPrefix(row, sign), " ")
		last := len(steps) - 1
		switch {
		case sign == "?" || sign == "=":
			steps = append(steps, core.Ran{Text: Meant(text), Asks: sign == "?"})
		case sign == ":":
			steps[last].Text += "\n" + Meant(text)
		case sign == "┊":
			diff += Meant(text) + "\n"
		case strings.HasPrefix(row, "  in       "):
			dir = Meant(text[9:])
		case strings.HasPrefix(row, "  there    "):
			steps[last].Dir = Meant(text[9:])
		}
	}
	return steps, dir, diff
}

// Meant is the text that a card spells: ⟨x…⟩ is a byte, ⟨u…⟩ a character.
func Meant(text string) string {
	var b strings.Builder
	for {
		before, rest, escaped := strings.Cut(text, "⟨")
		b.WriteString(before)
		if !escaped {
			return b.String()
		}
		inside, after, _ := strings.Cut(rest, "⟩")
		var n rune
		if k, _ := fmt.Sscanf(inside, "x%x", &n); k == 1 {
			b.WriteByte(byte(n))
		} else if k, _ := fmt.Sscanf(inside, "u%x", &n); k == 1 {
			b.WriteRune(n)
		} else {
			b.WriteString("⟨")
			after = rest
		}
		text = after
	}
}
