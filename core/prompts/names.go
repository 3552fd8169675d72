package prompts

import (
	"slices"
	"strings"
)

// Prefix stands before the name of a prompt that a command has.
const Prefix = "prompt:"

// Calls are the names by which prompts are called, one for each: its own, or with Prefix
// where a command has that name. A repository could otherwise put its own text in the place
// of /permissions or /quit (law prompt_never_shadows). A name that begins with Prefix gets
// it once more, so that no two are called the same.
func Calls(commands, names []string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = n
		if slices.Contains(commands, n) || strings.HasPrefix(n, Prefix) {
			out[i] = Prefix + n
		}
	}
	return out
}
