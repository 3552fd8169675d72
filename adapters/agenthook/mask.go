package agenthook

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

const mask = "[masked]"

// credentials finds what looks like a credential in a command. It is built when it is
// needed, and masks too much rather than too little: the log is for counting.
var credentials = sync.OnceValue(func() []credential {
	var out []credential
	for _, p := range []string{
		`(?s)-----BEGIN [A-Z ]*PRIVATE KEY-----.*`,
		`(?i)(authorization\s*[:=]\s*["']?(?:bearer|basic|token)?\s*)[^\s"']+`,
		`(?i)(bearer\s+)[^\s"']+`,
		`(?i)([\w-]*(?:passw(?:or)?d|passphrase|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credential|cookie)s?["']?\s*(?:[:=]|\s)\s*["']?)[^\s"'&;|]+`,
		`(://[^\s/:@]*:)[^\s/@]+(@)`,
		`((?:^|\s)-u\s*["']?[^\s:"']+:)[^\s"']+`,
		`((?:^|\s)-p)[^\s-][^\s]{3,}`,
		`\b(?:sk|pk|rk|gh[pousr]|github_pat|glpat|xox[abprs]|npm|hf|pypi|AKIA|ASIA|AIza|ya29|dop_v1|SG)[-_.]?[A-Za-z0-9_.-]{16,}`,
		`\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*`,
		`\b[A-Fa-f0-9]{40,}\b`,
		`\b[A-Za-z0-9+_-]{40,}={0,2}`,
	} {
		re := regexp.MustCompile(p)
		out = append(out, credential{re, []string{mask, "${1}" + mask, "${1}" + mask + "${2}"}[re.NumSubexp()]})
	}
	return out
})

// credential is a pattern, and what stands in its place: the groups are kept.
type credential struct {
	pattern *regexp.Regexp
	kept    string
}

// Masked is a text with everything that looks like a credential replaced.
func Masked(s string) string {
	if len(s) > maxPath { // what is kept is far shorter
		s = s[:maxPath]
	}
	if !suspicious(s) {
		return s
	}
	for _, c := range credentials() {
		s = c.pattern.ReplaceAllString(s, c.kept)
	}
	return s
}

// hints are parts of words that a pattern needs before it can match.
var hints = []string{"pass", "secret", "token", "key", "credential", "cookie", "auth", "bearer", "-u", "-p", "@"}

// suspicious is a quick look that spares most commands the patterns: none of them can
// match a text that it lets go.
func suspicious(s string) bool {
	run := 0
	for i := range len(s) {
		switch c := s[i]; {
		case c >= '0' && c <= '9', c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '_', c == '-', c == '.', c == '+':
			if run++; run >= 16 {
				return true
			}
		default:
			run = 0
		}
	}
	lower := strings.ToLower(s)
	return slices.ContainsFunc(hints, func(h string) bool { return strings.Contains(lower, h) })
}
