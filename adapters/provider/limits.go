package provider

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"tenet/core/call"
)

// counters are what servers count that servers keep, as their headers name them.
var counters = []string{"requests", "tokens", "input-tokens", "output-tokens"}

// limits says which limits of the account are used up and when they are renewed, in the
// server's own words; empty when its headers do not say. It is for people: how long to
// wait is what Retry-After says.
func limits(h http.Header) string {
	var out []string
	for _, name := range counters {
		for _, form := range [][2]string{
			{"Anthropic-Ratelimit-" + name + "-Remaining", "Anthropic-Ratelimit-" + name + "-Reset"},
			{"X-Ratelimit-Remaining-" + name, "X-Ratelimit-Reset-" + name},
		} {
			if left, until := h.Get(form[0]), h.Get(form[1]); left == "0" && until != "" {
				out = append(out, "no "+strings.ReplaceAll(name, "-", " ")+" left, renewed "+when(until))
			}
		}
	}
	if until := h.Get("Anthropic-Ratelimit-Unified-Reset"); until != "" {
		out = append(out, "the account's limit resets "+when(until))
	}
	return strings.Join(out, "; ")
}

// when is a reset time: a date, the seconds of one, or a time from now.
func when(s string) string {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil && n > 1e9 && n < 1e11 {
		return "at " + time.Unix(n, 0).UTC().Format(time.RFC3339)
	}
	if _, err := time.Parse(time.RFC3339, s); err == nil {
		return "at " + s
	}
	return "in " + call.OneLine(s, 40)
}

// requestID is the server's name of the request, for its makers.
func requestID(h http.Header) string {
	for _, name := range []string{"Request-Id", "X-Request-Id"} {
		if id := h.Get(name); plainID(id) || anthropicID(id) {
			return id
		}
	}
	return ""
}
