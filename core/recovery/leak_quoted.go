package recovery

import "strings"

// blocks walks the text line by line, as Markdown's blocks lie: what a fence or an
// indented block holds is code, and the lines between are paragraphs. In doubt it is
// code, and nothing runs: a fence counts within a quotation and within a list too, and
// one that is never closed holds all that follows.
func (s *scan) blocks() {
	var f fence
	for at := 0; at < len(s.text); {
		end := lineEnd(s.text, at)
		line := s.text[at:end]
		switch {
		case f.open():
			f.close(line)
		case f.begin(line), strings.TrimSpace(line) == "":
		case indented(line): // no line of a paragraph comes here, however far in it is
		default:
			next, stop := s.paragraph(at)
			if stop {
				return
			}
			end = next
		}
		at = end
	}
}

// paragraph looks for markup from one place to the end of its paragraph, outside the
// spans of code in it, and reports where the lines go on. A section may end past the
// paragraph, and what follows it on its line belongs to no block before.
func (s *scan) paragraph(from int) (next int, stop bool) {
	for from < len(s.text) {
		end := paragraphEnd(s.text, from)
		if from, stop = s.inline(from, end); stop || from <= end {
			return end, stop
		}
		if from == lineStart(s.text, from) {
			return from, false
		}
	}
	return from, false
}

// inline reports where it went: to the end, or past it with a section.
func (s *scan) inline(from, end int) (at int, stop bool) {
	pairs := spans(s.text, from, end)
	for at = from; at < end; {
		switch s.text[at] {
		case '`':
			at = pairs.skip(at)
		case '<', harmonyTo[0]:
			next, ok, stop := s.section(at, end)
			if stop {
				return at, true
			}
			if !ok {
				next++
			}
			at = next
		default:
			at++
		}
	}
	return at, false
}

// ticks are the runs of backticks of a paragraph: a run with the next run of the same
// length is a span of code, and one without is only backticks.
type ticks struct {
	end map[int]int // of each run by its start
	mat map[int]int // the start of the next run of the same length
}

// spans pairs the runs from the last to the first, so that the work is linear.
func spans(text string, from, end int) ticks {
	if strings.IndexByte(text[from:end], '`') < 0 {
		return ticks{}
	}
	t := ticks{end: map[int]int{}, mat: map[int]int{}}
	next := map[int]int{}
	for at := end; at > from; {
		if text[at-1] != '`' {
			at--
			continue
		}
		stop := at
		for at > from && text[at-1] == '`' {
			at--
		}
		t.end[at] = stop
		if n, ok := next[stop-at]; ok {
			t.mat[at] = n
		}
		next[stop-at] = at
	}
	return t
}

// skip is where the text goes on after the run at `at`: behind its span, or behind it.
func (t ticks) skip(at int) int {
	if m, ok := t.mat[at]; ok {
		return t.end[m]
	}
	if end, ok := t.end[at]; ok {
		return end
	}
	return at + 1
}

// fence is an open fence of code; the zero value is none.
type fence struct {
	sign byte
	size int
}

func (f *fence) open() bool { return f.size > 0 }

// begin opens a fence when the line begins one: three or more of the same sign; what
// stands behind backticks has no backtick, else they are a span.
func (f *fence) begin(line string) bool {
	sign, size, rest := fenced(bare(line))
	if size < 3 || sign == '`' && strings.Contains(rest, "`") {
		return false
	}
	*f = fence{sign, size}
	return true
}

// close closes the fence when the line is nothing but as many of its signs or more.
func (f *fence) close(line string) {
	sign, size, rest := fenced(strings.TrimLeft(line, " \t>"))
	if sign == f.sign && size >= f.size && strings.TrimSpace(rest) == "" {
		*f = fence{}
	}
}

func fenced(line string) (sign byte, size int, rest string) {
	if line == "" || line[0] != '`' && line[0] != '~' {
		return 0, 0, line
	}
	rest = strings.TrimLeft(line, line[:1])
	return line[0], len(line) - len(rest), rest
}

// bare is the line without its indentation, its marks of quotation and one mark of a
// list.
func bare(line string) string {
	line = strings.TrimLeft(line, " \t>")
	return strings.TrimLeft(afterItem(line), " \t>")
}

// afterItem is what stands behind the mark of a list that the line begins with; the line
// itself without one.
func afterItem(line string) string {
	item := strings.TrimLeft(line, "0123456789")
	for _, mark := range []string{"- ", "* ", "+ ", ". ", ") "} {
		if rest, ok := strings.CutPrefix(item, mark); ok {
			return strings.TrimLeft(rest, " \t")
		}
	}
	return line
}

// indented reports whether the line begins with a tab or four blanks.
func indented(line string) bool {
	return strings.HasPrefix(strings.TrimLeft(line, " "), "\t") || strings.HasPrefix(line, "    ")
}

// paragraphEnd is where the paragraph that `from` is in ends: at an empty line or at the
// first line of a fence, never before the line of `from`.
func paragraphEnd(text string, from int) int {
	at := lineEnd(text, from)
	for at < len(text) {
		end := lineEnd(text, at)
		var f fence
		if line := text[at:end]; strings.TrimSpace(line) == "" || f.begin(line) {
			return at
		}
		at = end
	}
	return at
}

// lineEnd is the start of the next line, or the text's end.
func lineEnd(text string, at int) int {
	if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(text)
}

// lineStart is the start of the line of `at`.
func lineStart(text string, at int) int { return strings.LastIndexByte(text[:at], '\n') + 1 }
