package rules

import (
	"slices"
	"strings"

	"tenet/core/call"
)

// strange reports whether a script may do more than its commands say: set a variable
// that decides what they run, or evaluate the text of an operand outside of any
// command, as [[ -v, (( and let do. A text without a sign of the grammar is one
// command, in which an = is only a letter.
func strange(s call.Step) bool {
	if s.Class == call.Simple && !strings.ContainsAny(s.Text, ";\n&|{}()") {
		return false
	}
	return rebinds(s.Text) || evaluates(s.Text)
}

// evaluates looks for what reads the text of an operand as an expression, in which an
// index runs commands.
func evaluates(script string) bool {
	if strings.Contains(script, "((") {
		return true
	}
	return strings.Contains(script, "[[") && slices.ContainsFunc(evaluators, func(o string) bool { return strings.Contains(script, o) })
}

var evaluators = strings.Fields("-v -R -eq -ne -lt -le -gt -ge")

// rebinds reports whether a script may set a variable that decides what the commands
// after it run: PATH is one of many. It looks at the text alone and takes for an
// assignment whatever may be one; a name in lower case is the script's own, unless
// programs read it.
func rebinds(script string) bool {
	for i := 0; i < len(script); i++ {
		if !begins(script, i) {
			continue
		}
		n := nameLen(script[i:])
		name, after := script[i:i+n], script[i+n:]
		switch {
		case n == 0:
		case name == "coproc" || name == "let" || strings.HasPrefix(after, "["):
			return true
		case name == "for" || name == "select":
			next := strings.TrimLeft(after, " \t\n\\")
			if binds(next[:nameLen(next)]) {
				return true
			}
		case assigns(after) && binds(name):
			return true
		}
		i += n
	}
	return false
}

// begins reports whether a word may begin at i.
func begins(s string, i int) bool {
	return i == 0 || strings.IndexByte(" \t\n;&|(){}`", s[i-1]) >= 0
}

// nameLen is the length of the variable name that a text begins with.
func nameLen(s string) int {
	n := 0
	for n < len(s) && (s[n] == '_' || 'a' <= s[n]|0x20 && s[n]|0x20 <= 'z' || n > 0 && '0' <= s[n] && s[n] <= '9') {
		n++
	}
	return n
}

// assigns reports whether what follows a name makes it the left side of an assignment,
// or of a redirection that keeps its descriptor in it.
func assigns(after string) bool {
	after = strings.TrimPrefix(after, "+")
	return strings.HasPrefix(after, "=") || strings.HasPrefix(after, "}>") || strings.HasPrefix(after, "}<")
}

// binds reports whether setting a variable may change what later commands run.
func binds(name string) bool {
	if slices.Contains(clearVariables, name) {
		return false
	}
	return name != strings.ToLower(name) || strings.HasPrefix(name, "npm_") || strings.HasSuffix(name, "_proxy")
}
