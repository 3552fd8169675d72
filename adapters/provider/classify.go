package provider

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"tenet/adapters/provider/sse"
	"tenet/core/call"
)

// said is what a server's error object says.
type said struct {
	message, kind, code string
	status              int // a numeric code that is an HTTP status, 0 without one
}

// parseSaid finds the error in a body. ok is false when there is none.
func parseSaid(body []byte) (said, bool) {
	body = bytes.TrimSpace(body)
	var list []json.RawMessage
	if json.Unmarshal(body, &list) == nil && len(list) > 0 {
		body = list[0] // some servers wrap it
	}
	var top struct {
		Error  json.RawMessage `json:"error"`
		Detail json.RawMessage `json:"detail"`
	}
	if json.Unmarshal(body, &top) != nil {
		return said{}, false
	}
	if !empty(top.Error) {
		return parseError(top.Error), true
	}
	if !empty(top.Detail) {
		return said{message: asText(top.Detail)}, true
	}
	s := parseError(body)
	return s, s.message != ""
}

func parseError(b json.RawMessage) said {
	var e struct {
		Message  word `json:"message"`
		Type     word `json:"type"`
		Code     word `json:"code"`
		Metadata struct {
			Raw word `json:"raw"` // what the provider behind a router said
		} `json:"metadata"`
	}
	if json.Unmarshal(b, &e) != nil {
		return said{message: asText(b)}
	}
	s := said{message: string(e.Message), kind: string(e.Type), code: string(e.Code)}
	if e.Metadata.Raw != "" {
		s.message += ": " + string(e.Metadata.Raw)
	}
	if n, err := strconv.Atoi(s.code); err == nil && n >= 400 && n <= 599 {
		s.status = n
	}
	return s
}

func asText(b json.RawMessage) string {
	var s string
	if json.Unmarshal(b, &s) == nil {
		return s
	}
	return string(b)
}

// empty is what a server sends when there is no error.
func empty(b json.RawMessage) bool {
	switch string(bytes.TrimSpace(b)) {
	case "", "null", `""`, "{}", "false":
		return true
	}
	return false
}

// streamFault is the error that an event carries, nil without one. It is sorted by
// its own words: the HTTP status was 200.
func streamFault(e sse.Event, c chunk, data []byte, bad error) error {
	if !empty(c.Error) {
		return inBand(parseError(c.Error))
	}
	if e.Name == "error" || (len(c.Choices) == 0 && (c.Object == "error" || c.Type == "error")) {
		s, ok := parseSaid(data)
		if !ok {
			s = said{message: string(data)}
		}
		return inBand(s)
	}
	if bad != nil && !e.Open {
		return &Error{Class: Malformed, Message: fmt.Sprintf("an event of the stream is no chat completion chunk (%v): %s", bad, call.OneLine(string(data), 120)), Err: bad}
	}
	return nil
}

func inBand(s said) *Error {
	return &Error{Class: s.class(s.status), Message: "the server broke the reply off: " + s.words(), Status: s.status}
}

func (s said) words() string {
	if w := call.OneLine(strings.TrimSpace(s.message), 500); w != "" {
		return w
	}
	if w := strings.TrimSpace(s.kind + " " + s.code); w != "" {
		return w
	}
	return "it gave no reason"
}

// class sorts an error by its status and its own words; status is 0 for an error
// inside a stream that gives none.
func (s said) class(status int) Class {
	words := strings.ToLower(s.kind + " " + s.code + " " + s.message)
	switch {
	case status != http.StatusTooManyRequests && contains(words, overflowWords):
		return Overflow
	case status == http.StatusPaymentRequired || contains(words, quotaWords):
		return Quota
	case status >= 500 && contains(words, permanentWords):
		return Rejected
	case status != 0:
		return classOfStatus(status)
	case contains(words, []string{"authentication", "api key", "api_key", "permission", "unauthorized", "forbidden"}):
		return Auth
	case contains(words, []string{"rate_limit", "rate limit", "too many requests"}):
		return Limited
	case contains(words, refusedWords):
		return Rejected
	}
	return Overload // it began to answer and broke: as a rule it can again
}

func classOfStatus(status int) Class {
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden:
		return Auth
	case http.StatusTooManyRequests:
		return Limited
	case http.StatusRequestTimeout, http.StatusConflict, http.StatusTooEarly:
		return Overload // the request may pass a moment later
	case http.StatusNotImplemented, http.StatusHTTPVersionNotSupported:
		return Rejected
	}
	if status >= 500 {
		return Overload
	}
	return Rejected
}

// What servers say when the context is full; none has a status for it.
var overflowWords = []string{
	"context_length_exceeded", "exceed_context_size", "context length", "context window", "context size",
	"exceed context limit", "prompt is too long", "input is too long", "maximum prompt length", "reduce the length of the messages",
}

// What servers say when the account, not the moment, is at its limit.
var quotaWords = []string{
	"insufficient_quota", "billing_hard_limit", "credit balance", "insufficient credit", "out of credits",
	"billing_error", "usage_limit", "session limit", "usage limit", "daily limit", "weekly limit", "monthly limit",
}

// What servers say inside a stream of a request that can never pass.
var refusedWords = []string{
	"invalid_request", "badrequest", "bad_request", "not_found", "content_filter", "request_too_large",
	"invalid_prompt", "invalid_image", "invalid_base64", "image_", "_policy", "data_residency",
}

// What servers say with a 5xx although the same request can never pass.
var permanentWords = []string{"parse_error", "failed to parse tool call arguments", "unable to generate parser"}

func contains(s string, any []string) bool {
	for _, w := range any {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}
