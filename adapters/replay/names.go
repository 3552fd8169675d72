package replay

import (
	"bytes"
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"tenet/core/event"
)

// Renaming puts the places of a replay in the place of those of the session, and back.
type Renaming struct{ pairs []pair }

type pair struct{ here, there string }

// Rename adds a place: here in the session is there in the replay. Longer places go
// first, so that one within another keeps its own name.
func (r Renaming) Rename(here, there string) Renaming {
	if here == "" || there == "" || here == there {
		return r
	}
	pairs := append(slices.Clone(r.pairs), pair{here, there})
	return Renaming{pairs}
}

// There is a text of the session as the replay would have it.
func (r Renaming) There(text string) string {
	return replaced(text, r.pairs, func(p pair) (string, string) { return p.here, p.there })
}

// Here is a text of the replay as the session would have it.
func (r Renaming) Here(text string) string {
	return replaced(text, r.pairs, func(p pair) (string, string) { return p.there, p.here })
}

// replaced replaces all places at once, the longest first where several begin.
func replaced(text string, pairs []pair, way func(pair) (string, string)) string {
	sorted := slices.SortedFunc(slices.Values(pairs), func(a, b pair) int {
		x, _ := way(a)
		y, _ := way(b)
		return cmp.Compare(len(y), len(x))
	})
	var words []string
	for _, p := range sorted {
		from, to := way(p)
		words = append(words, from, to)
	}
	return strings.NewReplacer(words...).Replace(text)
}

// body is a recorded body as the replay would have it.
func (r Renaming) body(b event.Body) (event.Body, error) {
	line, _ := event.Encode(nil, event.NoSum, 1, time.Unix(0, 0), b)
	h, _ := event.Cut(bytes.TrimSuffix(line, []byte("\n")))
	rec := h.Record()
	var v any
	if err := json.Unmarshal(rec.Body, &v); err != nil {
		return nil, err
	}
	raw, err := json.Marshal(mapped(v, r.There))
	if err != nil {
		return nil, err
	}
	rec.Body = raw
	return event.Decode(rec)
}

// mapped applies f to every text of a JSON value.
func mapped(v any, f func(string) string) any {
	switch v := v.(type) {
	case string:
		return f(v)
	case []any:
		for i := range v {
			v[i] = mapped(v[i], f)
		}
	case map[string]any:
		for k := range v {
			v[k] = mapped(v[k], f)
		}
	}
	return v
}

// passing are the spellings of what is another each time: when something happened, how
// long it took, and the numbers of processes.
var passing = sync.OnceValue(func() []spelled {
	return []spelled{
		{regexp.MustCompile(`\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?([.,]\d+)?( ?(Z|[+-]\d\d:?\d\d))?`), "TIME"},
		{regexp.MustCompile(`\b(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) +\d{1,2} +(\d\d:\d\d(:\d\d)?|\d{4})( +\d{4})?\b`), "TIME"},
		{regexp.MustCompile(`\b\d\d:\d\d:\d\d([.,]\d+)?\b`), "TIME"},
		{regexp.MustCompile(`\b(\d+(\.\d+)?(ns|µs|us|ms|h|m|s))+\b`), "DURATION"},
		{regexp.MustCompile(`\b(\d+(\.\d+)?) ?(seconds|secs?|milliseconds)\b`), "DURATION"},
		{regexp.MustCompile(`(?i)\b(pid|process|process group|group)([ =:]+)\d+\b`), "${1}${2}PID"},
	}
})

type spelled struct {
	spelling *regexp.Regexp
	word     string
}

func settled(text string) string {
	for _, p := range passing() {
		text = p.spelling.ReplaceAllString(text, p.word)
	}
	return text
}
