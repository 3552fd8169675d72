package provider

import (
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// maxRetryAfter keeps absurd waits from overflowing; what to do about a long one is
// the turn's to decide.
const maxRetryAfter = 10 * 365 * 24 * time.Hour

// retryAfter is how long the server wants to be left alone, 0 when it does not say.
// A date is read against the server's own clock where it sends one.
func retryAfter(h http.Header, now time.Time) time.Duration {
	if d, ok := numeric(h.Get("Retry-After-Ms"), time.Millisecond); ok {
		return d
	}
	v := h.Get("Retry-After")
	if d, ok := numeric(v, time.Second); ok {
		return d
	}
	at, err := http.ParseTime(v)
	if err != nil {
		return 0
	}
	if theirs, err := http.ParseTime(h.Get("Date")); err == nil {
		now = theirs
	}
	return min(max(at.Sub(now), 0), maxRetryAfter)
}

func numeric(s string, unit time.Duration) (time.Duration, bool) {
	f, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil || math.IsNaN(f) || f < 0 {
		return 0, false
	}
	if f >= float64(maxRetryAfter/unit) {
		return maxRetryAfter, true
	}
	return time.Duration(math.Ceil(f * float64(unit))), true
}
