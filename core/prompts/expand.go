// Package prompts decides what a prompt from a file becomes: its arguments, the text with
// them in it, and the name by which it is called (H7.3). It reads nothing: adapters/prompts
// brings the files.
package prompts

import (
	"strconv"
	"strings"
)

// Arguments splits what a person typed after a template's name as a shell would: blanks
// part, quotes of both kinds keep together, a backslash outside single quotes takes the
// next character as it is. A quote that is not closed holds the rest.
func Arguments(line string) []string {
	var out []string
	var word strings.Builder
	open, quote, escaped := false, rune(0), false
	for _, r := range line {
		switch {
		case escaped:
			word.WriteRune(r)
			escaped = false
		case r == '\\' && quote != '\'':
			open, escaped = true, true
		case quote != 0:
			if r == quote {
				quote = 0
			} else {
				word.WriteRune(r)
			}
		case r == '"' || r == '\'':
			open, quote = true, r
		case r == ' ' || r == '\t' || r == '\n':
			if open {
				out = append(out, word.String())
				word.Reset()
			}
			open = false
		default:
			open = true
			word.WriteRune(r)
		}
	}
	if open {
		out = append(out, word.String())
	}
	return out
}

// Expand puts arguments into a template's body: $1 to $99 one of them, $@ and $ARGUMENTS
// all of them, ${@:N} those from the Nth on, ${@:N:L} L of those; $$ is a dollar. An
// argument that is not there is nothing. Everything else, a single $ too, stays as written
// (law prompt_keeps_the_rest).
//
// It goes over the body once, and never over what it put in: an argument that a page or a
// file name brought could name a place itself, and pull in what was meant for another (law
// prompt_expands_once).
func Expand(body string, args []string) string {
	var b strings.Builder
	for {
		i := strings.IndexByte(body, '$')
		if i < 0 {
			return b.String() + body
		}
		b.WriteString(body[:i])
		text, n := place(body[i:], args)
		if n == 0 {
			text, n = "$", 1
		}
		b.WriteString(text)
		body = body[i+n:]
	}
}

// place reads the place that a text begins with: what stands for it, and its length; 0
// when it is none.
func place(s string, args []string) (text string, length int) {
	switch {
	case strings.HasPrefix(s, "$$"):
		return "$", 2
	case strings.HasPrefix(s, "$ARGUMENTS"):
		return strings.Join(args, " "), len("$ARGUMENTS")
	case strings.HasPrefix(s, "$@"):
		return strings.Join(args, " "), 2
	case strings.HasPrefix(s, "${@:"):
		return slice(s, args)
	}
	digits := 1
	for digits < len(s) && digits < 3 && s[digits] >= '0' && s[digits] <= '9' {
		digits++
	}
	n, err := strconv.Atoi(s[1:digits])
	if err != nil || n == 0 {
		return "", 0
	}
	return strings.Join(from(args, n, 1), " "), digits
}

// slice reads ${@:N} or ${@:N:L}.
func slice(s string, args []string) (text string, length int) {
	end := strings.IndexByte(s, '}')
	if end < 0 {
		return "", 0
	}
	first, count, counted := strings.Cut(s[len("${@:"):end], ":")
	n, err := strconv.ParseUint(first, 10, 16)
	if err != nil {
		return "", 0
	}
	take := uint64(len(args))
	if counted {
		if take, err = strconv.ParseUint(count, 10, 16); err != nil {
			return "", 0
		}
	}
	return strings.Join(from(args, int(n), int(take)), " "), end + 1
}

// from is count arguments from the nth on, counted from 1; 0 is the first as well.
func from(args []string, n, count int) []string {
	n = min(max(n, 1)-1, len(args))
	return args[n:min(n+count, len(args))]
}
