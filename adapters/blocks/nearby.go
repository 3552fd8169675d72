package blocks

import (
	"fmt"
	"strings"

	"tenet/core/doc"
)

// looked bounds how many lines are asked for a neighbour of a line without a block.
const looked = 64

// neighbours says which block is the nearest around a line and which the next after it.
func neighbours(g grammar, t *text, line int, why error) string {
	var says []string
	if s, ok := around(g, t, line); ok {
		verb := "the nearest around it"
		if r, is := why.(*refusal); is && r.closes {
			verb = "the block that it belongs to"
		}
		says = append(says, fmt.Sprintf("%s opens on line %d (%d to %d)", verb, s.From, s.From, s.To))
	}
	if s, ok := after(g, t, line); ok {
		says = append(says, fmt.Sprintf("the next opens on line %d (%d to %d)", s.From, s.From, s.To))
	}
	if len(says) == 0 {
		return "; give the lines as a range"
	}
	return "; " + strings.Join(says, ", ")
}

// around asks the lines above that are indented less and less, the nearest first: in
// any text that is indented at all, the opening lines are among them.
func around(g grammar, t *text, line int) (s doc.Span, ok bool) {
	limit, found := t.indent(line)
	if !found {
		limit = 1 << 30
	}
	asked := 0
	for n := line - 1; n > 0 && asked < looked; n-- {
		col, code := t.indent(n)
		if !code || col > limit {
			continue
		}
		asked++
		if s, err := g.block(n); err == nil && s.To >= int64(line) {
			return s, true
		}
		limit = col
	}
	return s, false
}

func after(g grammar, t *text, line int) (s doc.Span, ok bool) {
	for n := line + 1; n <= t.count() && n <= line+looked; n++ {
		if s, err := g.block(n); err == nil {
			return s, true
		}
	}
	return s, false
}
