package floor

import (
	"strings"

	"tenet/core/call"
)

// args are a command's words, options and operands apart.
type args struct {
	operands []call.Word
	options  []string
	// open is true when a word that is known only when it runs may be any option.
	open bool
}

// split reads the words behind the program. Options may stand behind operands, as the
// programs of a system take them; a word that begins with an unknown part may be an
// option and an operand.
func split(words []call.Word) args {
	var a args
	for i, w := range words {
		switch {
		case w.Text == "--":
			a.operands = append(a.operands, words[i+1:]...)
			return a
		case strings.HasPrefix(w.Text, call.Hole):
			a.open = true
			a.operands = append(a.operands, w)
		case len(w.Text) > 1 && w.Text[0] == '-':
			a.open = a.open || strings.HasPrefix(w.Text[1:], call.Hole)
			a.options = append(a.options, w.Text)
		default:
			a.operands = append(a.operands, w)
		}
	}
	return a
}

// flag reports whether one of the letters stands in a group of short options, or an
// option is the beginning of the long one: a program takes --recu for --recursive.
func (a args) flag(letters, long string) bool {
	for _, o := range a.options {
		if strings.HasPrefix(o, "--") {
			if len(o) > 2 && strings.HasPrefix(long, o) {
				return true
			}
		} else if strings.ContainsAny(o[1:], letters) {
			return true
		}
	}
	return a.open
}

func base(name string) string { return name[strings.LastIndexByte(name, '/')+1:] }

// rest is the words behind the program.
func rest(c call.Command) []call.Word {
	if len(c.Words) == 0 {
		return nil
	}
	return c.Words[1:]
}
