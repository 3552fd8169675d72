package skills

import (
	"fmt"
	"strings"
)

// BadRules says which rules of an ignore file are no globs, by line; empty when all are.
// Such a rule matches nothing, in silence: what it was meant to leave out is loaded.
func BadRules(text string) string {
	var bad []string
	n := 0
	for line := range strings.SplitSeq(text, "\n") {
		n++
		rule := strings.TrimSuffix(line, "\r")
		if strings.HasPrefix(rule, "#") {
			continue
		}
		if why := globFlaw(rule); why != "" {
			bad = append(bad, fmt.Sprintf("line %d: %s", n, why))
		}
	}
	if more := len(bad) - maxBadRules; more > 0 {
		bad = append(bad[:maxBadRules], fmt.Sprintf("and %d more", more))
	}
	return strings.Join(bad, "; ")
}

const maxBadRules = 5

// globFlaw is why a rule is no glob: its last character escapes nothing, or a class of
// characters has no end.
func globFlaw(rule string) string {
	for i := 0; i < len(rule); i++ {
		switch rule[i] {
		case '\\':
			if i++; i == len(rule) {
				return "the rule ends with a backslash that escapes nothing"
			}
		case '[':
			n := classLen(rule[i:])
			if n == 0 {
				return "the rule has a [ without its ]"
			}
			i += n - 1
		}
	}
	return ""
}

// classLen is the length of the class that a text begins with; 0 when it has no end. A ]
// that comes first is a member, and so is one in a named class such as [:alpha:].
func classLen(s string) int {
	i := 1
	if i < len(s) && (s[i] == '!' || s[i] == '^') {
		i++
	}
	for first := i; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case strings.HasPrefix(s[i:], "[:"):
			if end := strings.Index(s[i:], ":]"); end > 0 {
				i += end + 1
			}
		case s[i] == ']' && i > first:
			return i + 1
		}
	}
	return 0
}
