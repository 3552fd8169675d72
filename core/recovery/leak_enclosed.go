package recovery

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// enclosures are the tags between which a text shows markup and means none: thoughts that
// were thought in the text, code, and what is commented out. Only those that are closed
// count.
var enclosures = [...][2]string{{"<think>", "</think>"}, {"<thinking>", "</thinking>"}, {"<pre", "</pre>"}, {"<code", "</code>"}, {"<!--", "-->"}}

// span is a part of a text, from its first byte to behind its last.
type span struct{ from, to int }

// enclosed are the parts of a text that stand in enclosures, in order.
func enclosed(text string) (out []span) {
	for _, e := range enclosures {
		for at := 0; ; {
			from := strings.Index(text[at:], e[0])
			if from < 0 {
				break
			}
			from += at
			at = from + len(e[0])
			to := strings.Index(text[at:], e[1])
			if to < 0 {
				break
			}
			at += to + len(e[1])
			out = append(out, span{from, at})
		}
	}
	slices.SortFunc(out, func(a, b span) int { return a.from - b.from })
	return out
}

// told reports whether the text only tells of the markup at p, and where the look goes on
// behind all that is told: an enclosure ends with its tag, a quotation of a mail or of
// Markdown with its paragraph, and behind a quotation mark or a backslash the markup itself
// is told to its end. Without one all that follows is. A model that reports what a file
// tried to make it do runs nothing of it (law leak_quoted_is_text), nor what stands within.
func (s *scan) told(p, paragraph int, read reader) (next int, ok bool) {
	for len(s.enclosed) > 0 && s.enclosed[0].to <= p {
		s.enclosed = s.enclosed[1:]
	}
	switch {
	case len(s.enclosed) > 0 && s.enclosed[0].from < p:
		return s.enclosed[0].to, true
	case s.quotes(p):
		return paragraph, true
	}
	if before, _ := utf8.DecodeLastRuneInString(s.text[s.from:p]); !strings.ContainsRune("\"'“‘„«\\", before) {
		return p, false
	}
	c := &cursor{text: s.text, at: p}
	if _, reason := read(c); reason != "" {
		return len(s.text), true
	}
	return c.at, true
}

// quotes reports whether the line of p is one of a quotation; one that begins within a
// call's markup is none.
func (s *scan) quotes(p int) bool {
	if at := strings.LastIndexByte(s.text[s.looked:p], '\n'); at >= 0 || s.looked == 0 { // never twice over a byte: a line may be all of the text
		s.line = s.looked + at + 1
		s.quotation = quotation(s.text[s.line:p])
	}
	s.looked = p
	return s.line >= s.from && s.quotation
}

// quotation reports whether the line is one of a quotation, also of one in a list.
func quotation(line string) bool {
	line = strings.TrimLeft(line, " \t")
	return strings.HasPrefix(line, ">") || strings.HasPrefix(afterItem(line), ">")
}
