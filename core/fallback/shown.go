package fallback

import (
	"strings"
	"unicode"

	"tenet/core/call"
)

// hidden stands in place of a selector that may be a key.
const hidden = "[hidden: it looks like a key]"

// maxShown bounds a selector in a message, in characters.
const maxShown = 200

// Shown is a selector as a message may show it. People paste a key where a model's name
// belongs, and write addresses with passwords; such a selector is hidden whole, because
// a part of a key is still a part of a key. It is hidden when it holds one of the
// secrets that are known, and when it has the shape of one: the prefix of a vendor's
// keys, a password in an address, a word like token=, or twenty letters and digits in
// a row.
func Shown(selector string, secrets []string) string {
	for _, s := range secrets {
		if s != "" && strings.Contains(selector, s) {
			return hidden
		}
	}
	if looksLikeKey(selector) {
		return hidden
	}
	return call.OneLine(selector, maxShown)
}

var (
	keyPrefixes = []string{"sk-", "sk_", "pk-", "pk_", "rk_", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "xoxa-", "xoxb-", "xoxp-", "akia",
		"asia", "aiza", "hf_", "gsk_", "xai-", "r8_", "nvapi-", "pplx-", "eyj"}
	keyWords = []string{"bearer ", "basic ", "authorization", "key=", "key:", "token=", "token:", "secret=", "secret:", "password=", "password:", "passwd", "pwd="}
)

// minKey is the shortest text behind a vendor's prefix that may be a key, minRun the
// shortest row of letters and digits, in bytes.
const (
	minKey = 12
	minRun = 20
)

func looksLikeKey(s string) bool {
	lower := strings.ToLower(s)
	for _, w := range keyWords {
		if strings.Contains(lower, w) {
			return true
		}
	}
	if strings.Contains(s, "@") && strings.Contains(s, ":") || strings.ContainsAny(s, "?&=") {
		return true
	}
	for _, word := range strings.FieldsFunc(lower, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("/:,;\"'()", r) }) {
		if len(word) >= minKey && prefixed(word) {
			return true
		}
	}
	return longRun(s)
}

func prefixed(word string) bool {
	for _, p := range keyPrefixes {
		if strings.HasPrefix(word, p) {
			return true
		}
	}
	return false
}

// longRun reports whether letters and digits, both of them, stand in a long row.
func longRun(s string) bool {
	letters, digits := 0, 0
	for _, r := range s + " " {
		switch {
		case r < 0x80 && unicode.IsDigit(r):
			digits++
		case r < 0x80 && unicode.IsLetter(r):
			letters++
		default:
			letters, digits = 0, 0
		}
		if letters > 0 && digits > 0 && letters+digits >= minRun {
			return true
		}
	}
	return false
}
