package guard

import (
	"slices"
	"strings"

	"tenet/core/call"
)

// changing are the commands of tenet that change what it allows, with the words that
// must follow where not all forms of one do.
var changing = map[string][]string{"rules": {"add", "remove", "move"}, "guard": {"install", "uninstall"}, "trust": nil}

// ownRules refuses a command by which the agent would change the rules that it is judged
// by. To the gate it is a program like any other, and a profile that runs programs
// unasked would let an agent allow itself the rest.
func (v *view) ownRules() (why, next string) {
	return v.each(func(l line) (string, string) {
		if l.name() != "tenet" || !changesRules(l.args()) {
			return "", ""
		}
		return call.OneLine(l.c.Text(), 200) + " changes what tenet allows, and an agent does not do that for itself",
			"Tell the user which command to run in a terminal of their own."
	})
}

// changesRules looks for a changing command among the words, wherever options stand. A
// word that is not known may be any.
func changesRules(args []call.Word) bool {
	words := slices.DeleteFunc(slices.Clone(args), func(w call.Word) bool { return strings.HasPrefix(w.Text, "-") })
	for i, w := range words {
		verbs, ok := changing[w.Text]
		if !w.Known() || ok && (verbs == nil || i+1 < len(words) && (slices.Contains(verbs, words[i+1].Text) || !words[i+1].Known())) {
			return true
		}
	}
	return false
}
