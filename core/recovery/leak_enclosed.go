package recovery

import (
	"slices"
	"strings"
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
			to := strings.Index(text[from:], e[1])
			if to < 0 {
				break
			}
			at = from + to + len(e[1])
			out = append(out, span{from, at})
		}
	}
	slices.SortFunc(out, func(a, b span) int { return a.from - b.from })
	return out
}

// mentioned reports whether the markup at p is one that the text tells of: it stands in an
// enclosure, in a quote of a mail or of Markdown, between quotation marks or behind a
// backslash. A model that reports what a file tried to make it do runs nothing of it (law
// leak_quoted_is_text).
func (s *scan) mentioned(p int) bool {
	for len(s.enclosed) > 0 && s.enclosed[0].to <= p {
		s.enclosed = s.enclosed[1:]
	}
	if len(s.enclosed) > 0 && s.enclosed[0].from < p {
		return true
	}
	if at := strings.LastIndexByte(s.text[s.looked:p], '\n'); at >= 0 { // never twice over a byte: a line may be all of the text
		s.line = s.looked + at + 1
	}
	s.looked = p
	line := s.text[s.line:p]
	return strings.HasPrefix(strings.TrimLeft(line, " \t"), "> ") || line != "" && strings.ContainsRune(`"'\`, rune(line[len(line)-1]))
}
