package provider

import (
	"fmt"
	"strings"

	"tenet/core/event"
)

// wireIDs gives each call of a request the id it has on the wire. The provider's
// own id is echoed where it can serve; where it is missing, repeated, too long or
// odd, ours stands in its place, or a number. So ids are unique, plain, and the same
// in every request over the same history.
type wireIDs struct {
	// plain reports whether the wire takes an id.
	plain func(id string) bool
	used  map[string]bool
	of    map[string]string // our id to the wire's
	n     int
	// number is an id of ours for call n, where call_n does not serve; nil is call_n.
	number func(n int) string
}

func newWireIDs(plain func(string) bool) *wireIDs {
	return &wireIDs{plain: plain, used: map[string]bool{}, of: map[string]string{}}
}

// maxID is the longest id that OpenAI takes, in characters.
const maxID = 40

func (w *wireIDs) open(c event.ToolCall) string {
	w.n++
	id := w.numbered(w.n)
	for _, own := range []string{c.Provider, c.ID} {
		if w.plain(own) && !w.used[own] {
			id = own
			break
		}
	}
	for i := w.n; w.used[id]; i++ {
		if id = fmt.Sprintf("call_%d_%d", w.n, i); w.number != nil {
			id = w.number(i)
		}
	}
	w.used[id] = true
	if c.ID != "" {
		w.of[c.ID] = id
	}
	return id
}

// result is the id of the call that a result answers.
func (w *wireIDs) result(c event.ToolCall) string {
	if id, ok := w.of[c.ID]; ok {
		return id
	}
	if w.plain(c.Provider) {
		return c.Provider
	}
	return w.numbered(w.n)
}

func (w *wireIDs) numbered(n int) string {
	if w.number != nil {
		return w.number(n)
	}
	return fmt.Sprintf("call_%d", n)
}

func plainID(id string) bool {
	return id != "" && len(id) <= maxID && strings.IndexFunc(id, odd) < 0
}

func odd(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("_-.:", r)
}
