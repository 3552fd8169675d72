package markdown

import "strings"

// maxOpen is when a piece is ended at the next line though its block goes on; maxItem is
// the same for an item of a list, which has more in it.
const (
	maxOpen = 2 << 10
	maxItem = 16 << 10
)

// kind is what the open piece is.
type kind uint8

const (
	nothing kind = iota
	prose        // a paragraph, a heading, a quote, HTML: it ends at a blank line
	item         // one item of a list with all that belongs to it
	rows         // a table: it ends at a blank line
	code         // a fence: its lines are drawn as they come
)

// state is the open piece, and what it needs to know of those before it.
type state struct {
	kind  kind
	open  string // the text of the piece
	gap   bool   // a blank line stands before the piece
	blank bool   // the last line was blank
	any   bool   // something was drawn

	fence string  // the mark that the open fence began with
	light lighter // where the fence's code is
	list  ordinal // of the last item that was drawn
	cols  columns // of the table that was drawn last and may go on
}

// ordinal is the number of an item and the sign after it; the sign is 0 for no number.
type ordinal struct {
	n    int
	sign byte
}

// splitter cuts a text into pieces and has each drawn once it cannot change any more.
type splitter struct {
	state
	p      *painter
	width  int
	parsed int
}

func (s *splitter) reset() { s.state = state{} }

// line takes the next line and adds to out the lines of what it ends.
func (s *splitter) line(out []string, line string) []string {
	body := strings.TrimLeft(line, " ")
	indent := len(line) - len(body)
	switch {
	case s.kind == code:
		return s.codeLine(out, line, indent, body)
	case body == "":
		if s.kind == item {
			s.open += "\n"
		} else {
			out = s.flush(out)
		}
		s.blank = true
		return out
	case fenceMark(body) != "" && (indent <= 1 || indent <= 3 && s.kind != item):
		return s.openFence(s.flush(out), body)
	case s.begins(indent, body):
		out = s.flush(out)
	}
	s.add(line, indent, body)
	if s.kind == prose && indent == 0 && heading(body) {
		out = s.flush(out)
	}
	return out
}

// begins reports whether a line begins a piece of its own.
func (s *splitter) begins(indent int, body string) bool {
	marker := indent == 0 && markerLen(body) > 0
	title := indent == 0 && heading(body)
	switch s.kind {
	case item:
		return marker || title || indent == 0 && s.blank || len(s.open) > maxItem
	case prose:
		return marker && interrupts(body) || title || len(s.open) > maxOpen
	case rows:
		return len(s.open) > maxOpen
	case nothing, code:
	}
	return false
}

// add puts a line into the open piece, or begins one with it.
func (s *splitter) add(line string, indent int, body string) {
	if s.kind == nothing {
		s.gap = s.blank
		s.kind = s.kindOf(indent, body)
	} else if s.kind == prose && isTable(s.open, line) {
		s.kind = rows
	}
	s.open += line + "\n"
	s.blank = false
}

// kindOf is what a line begins where nothing is open.
func (s *splitter) kindOf(indent int, body string) kind {
	switch {
	case indent <= 1 && markerLen(body) > 0:
		return item
	case s.cols != nil && !s.blank && strings.Contains(body, "|"):
		return rows
	}
	return prose
}

// flush draws the open piece.
func (s *splitter) flush(out []string) []string {
	if s.kind == code || s.kind == nothing {
		return out
	}
	s.parsed += len(s.open)
	if s.any && (s.gap || s.kind == prose && heading(s.open)) {
		out = append(out, "")
	}
	list, cols := ordinal{}, columns(nil)
	switch s.kind {
	case item:
		lines, last := s.p.item(s.open, s.width, s.list)
		out, list = append(out, lines...), last
	case rows:
		lines, widths := s.p.table(s.open, s.width, s.cols)
		out, cols = append(out, lines...), widths
	case prose:
		out = append(out, s.p.prose(s.open, s.width)...)
	case nothing, code:
	}
	s.kind, s.open, s.any, s.list, s.cols = nothing, "", true, list, cols
	return out
}

// openFence begins a block of code.
func (s *splitter) openFence(out []string, body string) []string {
	if s.any && (s.blank || s.list.sign == 0) {
		out = append(out, "")
	}
	s.fence = fenceMark(body)
	s.light = lighter{lang: languageOf(strings.TrimSpace(body[len(s.fence):]))}
	s.kind, s.any, s.blank, s.list, s.cols = code, true, false, ordinal{}, nil
	return out
}

// codeLine draws a line of code, or ends the fence.
func (s *splitter) codeLine(out []string, line string, indent int, body string) []string {
	if end := strings.TrimRight(body, " "); indent <= 3 && len(end) >= len(s.fence) && strings.Trim(end, s.fence[:1]) == "" && end != "" {
		s.kind, s.fence, s.blank = nothing, "", true
		return out
	}
	s.parsed += len(line)
	return s.p.code(out, line, s.width, &s.light)
}
