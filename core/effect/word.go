package effect

import (
	"strconv"
	"strings"

	"tenet/core/call"
	"tenet/core/pathpolicy"
	"tenet/core/script"
)

// certainty is how much of a word is known before it runs.
type certainty uint8

const (
	exact   certainty = iota // the text is the word
	pattern                  // the text is a pattern that names stand in for
	unknown                  // only its beginning is known
)

// word is one word of a command. The words of a step of the grammar are all exact:
// the shell expands them first. Only the walk over a whole script sees others.
type word struct {
	text string
	sure certainty
	// full is the whole word as a record shows it, each unknown part a call.Hole; empty
	// when text says it all.
	full string
	// signs is true when an unquoted *, ? or [ in it may match names.
	signs bool
}

func exactWords(texts []string) []word {
	out := make([]word, len(texts))
	for i, t := range texts {
		out[i] = word{text: t}
	}
	return out
}

// argv is the words of a command that a shell has expanded as far as it could.
func (c Command) argv() []word {
	out := make([]word, len(c.Argv))
	for i, t := range c.Argv {
		if i < len(c.Patterns) && c.Patterns[i] {
			t = strings.ReplaceAll(t, string(script.Quote), `\`)
			out[i] = word{text: t, sure: pattern, full: unescapedSigns(t), signs: true}
			continue
		}
		out[i] = planned(t)
	}
	return out
}

// planned is a word in which a hole may stand.
func planned(text string) word {
	at := strings.IndexByte(text, call.Hole[0])
	if at < 0 {
		return word{text: text}
	}
	return word{text: text[:at], sure: unknown, full: text}
}

// unescapedSigns is a pattern's text without the backslashes that quote.
func unescapedSigns(glob string) string {
	if !strings.Contains(glob, `\`) {
		return glob
	}
	var b strings.Builder
	for i := 0; i < len(glob); i++ {
		if glob[i] == '\\' && i+1 < len(glob) {
			i++
		}
		b.WriteByte(glob[i])
	}
	return b.String()
}

// shown is the word as facts about the command have it.
func (w word) shown() string {
	switch {
	case w.full != "":
		return w.full
	case w.sure == unknown:
		return w.text + call.Hole
	}
	return w.text
}

// option reports whether the program may take the word for an option.
func (w word) option() bool {
	if w.sure == unknown && w.text == "" {
		return true
	}
	return len(w.text) > 1 && w.text[0] == '-'
}

// target judges the word as a path; ok is false when nothing is known to judge.
func (w word) target(look Look) (t pathpolicy.Target, ok bool) {
	switch w.sure {
	case exact:
		return look.Word(w.text), true
	case pattern:
		return look.Pattern(w.text), true
	case unknown:
	}
	return pathpolicy.Target{}, false
}

// tail is the word without its first n bytes.
func (w word) tail(n int) word { return word{text: w.text[n:], sure: w.sure} }

// cut splits the word at the first sep.
func (w word) cut(sep string) (before, after word, ok bool) {
	b, a, ok := strings.Cut(w.text, sep)
	return word{text: b}, word{text: a, sure: w.sure}, ok
}

// url reports whether the word is a URL and not a path, and which local path it
// names when it is one of a file.
func (w word) url() (path word, isURL bool) {
	if len(w.text) >= 5 && strings.EqualFold(w.text[:5], "file:") {
		return filePath(w.tail(5)), true
	}
	scheme, _, ok := strings.Cut(w.text, "://")
	return word{}, ok && scheme != "" && strings.Trim(strings.ToLower(scheme), "abcdefghijklmnopqrstuvwxyz0123456789+.-") == ""
}

// filePath is the path in a file URL: percent signs decoded, a host dropped. A
// client may expand {} and [] in it by itself, so the directory before them counts.
func filePath(w word) word {
	p := w.text
	if host, ok := strings.CutPrefix(p, "//"); ok {
		_, p, _ = strings.Cut(host, "/")
	}
	p = "/" + strings.TrimLeft(p, "/")
	if i := strings.IndexAny(p, "{["); i >= 0 {
		p = p[:strings.LastIndexByte(p[:i], '/')+1]
	}
	return word{text: unescape(p), sure: w.sure}
}

// unescape decodes %XX; what is no such escape stays.
func unescape(p string) string {
	var b strings.Builder
	for i := 0; i < len(p); i++ {
		if p[i] == '%' && i+2 < len(p) {
			if n, err := strconv.ParseUint(p[i+1:i+3], 16, 8); err == nil {
				b.WriteByte(byte(n))
				i += 2
				continue
			}
		}
		b.WriteByte(p[i])
	}
	return b.String()
}
